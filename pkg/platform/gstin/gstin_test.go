package gstin_test

import (
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/franchise360/franchise360/pkg/platform/gstin"
)

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"

// The valid numbers come from companies that print them on their invoices and from the GST portal's own samples.
func TestValid_PublishedNumbers(t *testing.T) {
	t.Parallel()
	for _, number := range []string{
		"27AAPFU0939F1ZV", "24AAQCA8719H1ZC", "27AAQCA8719H1Z6", "29AAGCB7383J1Z4", "27AAACR5055K1Z7",
	} {
		require.True(t, gstin.Valid(number), number)
	}
	require.False(t, gstin.Valid("27AAPFU0939F1ZO"), "a letter that looks like a digit")
}

func TestValid_WrongForm_IsFalse(t *testing.T) {
	t.Parallel()
	const whole = "27AAPFU0939F1ZV"
	for name, text := range map[string]string{
		"nothing":              "",
		"too short":            whole[:14],
		"too long":             whole + "V",
		"small letters":        strings.ToLower(whole),
		"a space before":       " " + whole,
		"a line's end":         whole + "\n",
		"spaces within":        "27 AAPFU0939F1Z",
		"a letter in State":    "2A" + whole[2:],
		"a digit in the PAN":   "271APFU0939F1ZV",
		"a letter in its four": "27AAPFUA939F1ZV",
		"no last letter":       "27AAPFU093911ZV",
		"registration 0":       "27AAPFU0939F0ZV",
		"fourteenth 0":         "27AAPFU0939F10V",
		"fourteenth C":         "27AAPFU0939F1CV",
		"fourteenth K":         "27AAPFU0939F1KV",
		"a sign at the end":    whole[:14] + "-",
		"NUL":                  whole[:14] + "\x00",
		"fifteen bytes":        "27ААРFU0939F"[:15], // Cyrillic look-alikes
		"other digits":         "२७AAPFU09",         // Devanagari, fifteen bytes
	} {
		require.False(t, gstin.Valid(text), name)
	}
}

// wholeCheck computes the check character differently from the product code: with the digits of each product in base 36.
func wholeCheck(first14 string) byte {
	sum := new(big.Int)
	for i := range len(first14) {
		value, _ := new(big.Int).SetString(strings.ToLower(first14[i:i+1]), 36)
		if i%2 == 1 {
			value.Lsh(value, 1)
		}
		for _, digit := range value.Text(36) {
			d, _ := new(big.Int).SetString(string(digit), 36)
			sum.Add(sum, d)
		}
	}
	rest := new(big.Int).Mod(sum, big.NewInt(36))
	return alphabet[(36-rest.Int64())%36]
}

func TestValid_AnyMistypedCharacter_IsFalse(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		body := rapid.StringMatching(`[0-3][0-9][A-Z]{5}[0-9]{4}[A-Z][1-9A-Z]Z`).Draw(t, "body")
		number := body + string(wholeCheck(body))
		require.True(t, gstin.Valid(number), number)

		at := rapid.IntRange(0, len(number)-1).Draw(t, "at")
		other := alphabet[rapid.IntRange(0, 35).Draw(t, "other")]
		if other != number[at] {
			mistyped := number[:at] + string(other) + number[at+1:]
			require.False(t, gstin.Valid(mistyped), "%s for %s", mistyped, number)
		}
	})
}

func TestValid_ExactlyOneCheckCharacter_Fits(t *testing.T) {
	t.Parallel()
	fit := ""
	for _, last := range alphabet {
		if gstin.Valid("24AAQCA8719H1Z" + string(last)) {
			fit += string(last)
		}
	}
	require.Equal(t, "C", fit)
}
