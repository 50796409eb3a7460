package invoice

import (
	"strings"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

const gstinLength = 15

// ErrGSTIN says that a text is not a GSTIN: wrong form or wrong check character.
var ErrGSTIN = errs.New(errs.KindInvalid, "gstin_invalid", "Please enter a valid GSTIN")

// ErrGSTINState says that a GSTIN belongs to another State than the address it was given for.
var ErrGSTINState = errs.New(errs.KindInvalid, "gstin_state_mismatch", "The GSTIN belongs to another State than this address")

// ParseGSTIN trims and upper-cases a GSTIN and checks form, State and check character, or returns ErrGSTIN.
func ParseGSTIN(text string) (string, error) {
	gstin := strings.ToUpper(strings.TrimSpace(text))
	if !hasGSTINForm(gstin) || !StateCode(gstin[:2]).Valid() {
		return "", ErrGSTIN
	}
	if gstin[gstinLength-1] != gstinCheck(gstin[:gstinLength-1]) {
		return "", ErrGSTIN
	}
	return gstin, nil
}

// ParseGSTINFor is ParseGSTIN for an address: the first two digits must be its State's code, or ErrGSTINState results.
func ParseGSTINFor(text string, state StateCode) (string, error) {
	gstin, err := ParseGSTIN(text)
	if err != nil {
		return "", err
	}
	if StateCode(gstin[:2]) != state {
		return "", ErrGSTINState
	}
	return gstin, nil
}

// PANOf gives the permanent account number inside a valid GSTIN, empty for anything shorter.
func PANOf(gstin string) string {
	if len(gstin) != gstinLength {
		return ""
	}
	return gstin[2:12]
}

// hasGSTINForm matches ^[0-9]{2}[A-Z]{5}[0-9]{4}[A-Z][1-9A-Z][Z1-9ABD-J][0-9A-Z]$.
func hasGSTINForm(gstin string) bool {
	if len(gstin) != gstinLength {
		return false
	}
	for i := range gstinLength {
		char := gstin[i]
		digit, letter := char >= '0' && char <= '9', char >= 'A' && char <= 'Z'
		var ok bool
		switch {
		case i < 2, i >= 7 && i < 11:
			ok = digit
		case i < 7, i == 11:
			ok = letter
		case i == 12:
			ok = letter || (digit && char != '0')
		case i == 13:
			ok = char == 'Z' || (digit && char != '0') || (char >= 'A' && char <= 'J' && char != 'C')
		default:
			ok = digit || letter
		}
		if !ok {
			return false
		}
	}
	return true
}

// gstinCheck computes the fifteenth character: base 36, weights 1 and 2 in turn, digits of each product added.
func gstinCheck(first14 string) byte {
	const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	sum := 0
	for i := range len(first14) {
		product := strings.IndexByte(alphabet, first14[i]) * (1 + i%2)
		sum += product/len(alphabet) + product%len(alphabet)
	}
	return alphabet[(len(alphabet)-sum%len(alphabet))%len(alphabet)]
}
