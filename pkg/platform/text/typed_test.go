package text_test

import (
	"encoding/json"
	"os"
	"regexp"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/text"
)

type typedSamples struct {
	Mobile, Code  struct{ Fine, Bad []string }
	Pincode, Line [][2]string
	Free          [][2]string
}

// The web client's tests read the same file.
func samples(t *testing.T) typedSamples {
	t.Helper()
	raw, err := os.ReadFile("testdata/typed.json")
	require.NoError(t, err)
	var s typedSamples
	require.NoError(t, json.Unmarshal(raw, &s))
	require.NotEmpty(t, s.Mobile.Fine)
	return s
}

func TestMobile_PastedForms_GiveTenDigits(t *testing.T) {
	t.Parallel()
	valid := regexp.MustCompile(`^[6-9][0-9]{9}$`)
	for _, typed := range samples(t).Mobile.Fine {
		require.Equal(t, "9876543210", text.Mobile(typed), "%q", typed)
	}
	for _, typed := range samples(t).Mobile.Bad {
		require.False(t, valid.MatchString(text.Mobile(typed)), "%q", typed)
	}
	require.Equal(t, "9198765432", text.Mobile("91 98765 432"), "91 may begin a number of ten digits")
}

func TestCode_PastedSMS_GivesItsSixDigits(t *testing.T) {
	t.Parallel()
	valid := regexp.MustCompile(`^[0-9]{6}$`)
	for _, typed := range samples(t).Code.Fine {
		require.Equal(t, "123456", text.Code(typed), "%q", typed)
	}
	for _, typed := range samples(t).Code.Bad {
		require.False(t, valid.MatchString(text.Code(typed)), "%q", typed)
	}
}

func TestPincodeAndLine_TypedForms_GiveTheStoredForm(t *testing.T) {
	t.Parallel()
	for _, s := range samples(t).Pincode {
		require.Equal(t, s[1], text.Pincode(s[0]), "%q", s[0])
	}
	for _, s := range samples(t).Line {
		require.Equal(t, s[1], text.Line(s[0]), "%q", s[0])
		require.Equal(t, s[1], text.Line(s[1]), "a second pass changes nothing: %q", s[0])
	}
}

func TestWithoutMarks_PastedText_KeepsWhatPeopleSee(t *testing.T) {
	t.Parallel()
	for _, s := range samples(t).Free {
		require.Equal(t, s[1], text.WithoutMarks(s[0]), "%q", s[0])
	}
}

func TestPrintable_SignsOfIndianScripts_AreInTheFonts(t *testing.T) {
	t.Parallel()
	require.True(t, text.Printable(text.FullStops+text.Commas+text.Semicolons))
}

func TestDigits_EveryDecimalDigit_BecomesASCII(t *testing.T) {
	t.Parallel()
	run := ""
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !unicode.Is(unicode.Nd, r) {
			continue
		}
		if run += string(r); len([]rune(run)) == 10 {
			require.Equal(t, "0123456789", text.Digits(run), "U+%04X", r)
			run = ""
		}
	}
	require.Empty(t, run)
	require.Equal(t, "a²½", text.Digits("a²½"), "other numbers are no decimal digits")
}
