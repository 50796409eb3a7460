package account_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

// fault returns the check's message, or "".
func fault(check func(v *errs.Validation)) string {
	var v errs.Validation
	check(&v)
	if v.Err() == nil {
		return ""
	}
	for _, messages := range errs.As(v.Err()).Fields {
		return strings.Join(messages, "|")
	}
	return ""
}

const notMobile = "Invalid: mobile numbers start with 6, 7, 8 or 9"

func TestMobile_Typed_IsChecked(t *testing.T) {
	t.Parallel()
	for mobile, want := range map[string]string{
		"6000000000": "", "7999999999": "", "8123456789": "", "9999999999": "",
		"": "Mobile number can not be empty.", " ": "Please enter valid number", "+919876543210": "Please enter valid number", "09876543210": "Please enter valid number",
		"98765432 10": "Please enter valid number", "9876543210\n": "Please enter valid number", strings.Repeat("9", 10_000): "Please enter valid number",
		"5999999999": notMobile, "0876543210": notMobile, "987654321 ": notMobile, "987654321\x00": notMobile, "98765-4321": notMobile,
		"९८७६५४३२१०": notMobile, "9８76543210": notMobile, "987654321\u0661": notMobile, "9876543🍬10": notMobile, "/876543210": notMobile, "987654321:": notMobile,
	} {
		require.Equal(t, want, fault(func(v *errs.Validation) { account.CheckMobile(v, "mobile", mobile) }), "%.20q", mobile)
	}
}

// The web client's tests read the same file.
func TestEmail_Typed_IsChecked(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/emails.json")
	require.NoError(t, err)
	var samples struct{ Fine, Bad []string }
	require.NoError(t, json.Unmarshal(text, &samples))
	require.NotEmpty(t, samples.Fine)
	require.NotEmpty(t, samples.Bad)
	check := func(email string) string {
		return fault(func(v *errs.Validation) { account.CheckEmail(v, "email", email) })
	}
	for _, fine := range samples.Fine {
		require.Empty(t, check(fine), fine)
		require.Empty(t, check(strings.ToUpper(fine)), fine)
	}
	for _, bad := range append(samples.Bad, "asha@example.in\n", "asha@example.in ", "\xff@example.in", strings.Repeat("a", 10_000)+"@b.in") {
		want := "Please enter your valid email id"
		if bad == "" {
			want = "Email can not be empty."
		}
		require.Equal(t, want, check(bad), "%.40q", bad)
	}
	require.Equal(t, "asha@example.in", account.CleanEmail(" \tASHA@Example.IN\n"))
}

func TestName_Typed_IsChecked(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Asha": "", "आशा": "", "José Luís": "", "N. T.": "", "डॉ॰ आशा": "", "ડૉ૰ આશા": "", "ডঃ৽ আশা": "", "ਡਾ੶ ਆਸ਼ਾ": "", "ڈاکٹر۔ آشا": "", "॰आशा": "Please use letters, spaces and . ' - only", "आशा، राव": "Please use letters, spaces and . ' - only", "D'Souza": "", "O'Brien-Rao": "", "मृणाल सूर्\u200dयवंशी": "", "ജോസഫ്\u200c": "", "র\u200d্যাম": "", "ᱥᱟᱱᱛᱟᱲ": "", "ꯃꯩꯇꯩ": "", "中村": text.NotPrintable, "සිංහල": text.NotPrintable, "\u200d\u200dAsha": "Please use letters, spaces and . ' - only", "As\u200dha": "Please use letters, spaces and . ' - only", "-Asha": "Please use letters, spaces and . ' - only", ". .": "Please use letters, spaces and . ' - only",
		"अ": "Please use at least 2 characters", "": "Name can not be empty.", strings.Repeat("क", 39): "", strings.Repeat("a", 40): "Name should be under 40 characters",
		strings.Repeat("a", 10_000): "Name should be under 40 characters", "  ": "Please use letters, spaces and . ' - only", "\u0301\u0301": "Please use letters, spaces and . ' - only",
		"Asha🍬": "Please use letters, spaces and . ' - only", "As\u200Bha": "Please use letters, spaces and . ' - only", "\u202Eahsa": "Please use letters, spaces and . ' - only",
		"Asha\x00": "Please use letters, spaces and . ' - only", "Asha2": "Please use letters, spaces and . ' - only", "=cmd": "Please use letters, spaces and . ' - only",
		"As\u00A0ha": "Please use letters, spaces and . ' - only", "<b>": "Please use letters, spaces and . ' - only",
	} {
		require.Equal(t, want, fault(func(v *errs.Validation) { account.CheckName(v, "first_name", name) }), "%.20q", name)
	}
	for names, want := range map[[2]string]string{
		{"Ravichandran", "K"}: "", {"Ravichandran", ""}: "", {"K", "Ravichandran"}: "", {"Om", "Rao"}: "", {"Md.", "Irfan"}: "",
		{"K", ""}: "Please use at least 2 characters", {"", "Rao"}: "Name can not be empty.", {"Asha2", "Rao"}: "Please use letters, spaces and . ' - only",
	} {
		require.Equal(t, want, fault(func(v *errs.Validation) { account.CheckFullName(v, names[0], names[1]) }), names)
	}
}

func TestCode_Typed_IsChecked(t *testing.T) {
	t.Parallel()
	for digits, want := range map[string]string{
		"000000": "", "123456": "", "": "Code can not be empty.", "12345": "Please enter a valid code", "1234567": "Please enter a valid code",
		" 12345": "Please enter a valid code", "12345a": "Please enter a valid code", "１２３４５６": "Please enter a valid code", "१२": "Please enter a valid code",
		"-12345": "Please enter a valid code", "12345\x00": "Please enter a valid code", "12345:": "Please enter a valid code", "12345/": "Please enter a valid code",
	} {
		require.Equal(t, want, fault(func(v *errs.Validation) { account.CheckCodeFormat(v, "otp", digits) }), "%q", digits)
	}
}

// An erasure is due seven days after its request by India's calendar, at any time of the day.
func TestErasure_Day_IsSevenIndianDaysAfterTheRequest(t *testing.T) {
	t.Parallel()
	require.Nil(t, account.ErasureAsked(nil))
	require.Nil(t, account.Franchiser{}.Erasure())
	for asked, want := range map[string]string{
		"2026-11-21T18:29:59Z": "2026-11-28", "2026-11-21T18:30:00Z": "2026-11-29", "2028-02-22T05:00:00Z": "2028-02-29", "2026-12-25T05:00:00Z": "2027-01-01",
	} {
		at, err := time.Parse(time.RFC3339, asked)
		require.NoError(t, err)
		e := account.Franchiser{ErasureRequestedAt: &at}.Erasure()
		require.Equal(t, want, e.On.Format(time.DateOnly), asked)
		require.Equal(t, at, e.RequestedAt)
		require.Equal(t, account.ErasureDelay, e.On.Sub(at))
	}
}
