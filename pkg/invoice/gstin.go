package invoice

import (
	"strings"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/gstin"
)

// ErrGSTIN reports that a text is not a GSTIN: wrong format or wrong check character.
var ErrGSTIN = errs.New(errs.KindInvalid, "gstin_invalid", "Please enter a valid GSTIN")

// ErrGSTINState reports that a GSTIN belongs to another State than the address it was entered for.
var ErrGSTINState = errs.New(errs.KindInvalid, "gstin_state_mismatch", "The GSTIN belongs to another State than this address")

// ParseGSTIN trims and upper-cases a GSTIN and checks its format, State and check character, or returns ErrGSTIN.
func ParseGSTIN(text string) (string, error) {
	number := strings.ToUpper(strings.TrimSpace(text))
	if !gstin.Valid(number) || !StateCode(number[:2]).Valid() {
		return "", ErrGSTIN
	}
	return number, nil
}

// ParseGSTINFor is ParseGSTIN for an address: unless the first two digits are its State's code, it returns ErrGSTINState.
func ParseGSTINFor(text string, state StateCode) (string, error) {
	number, err := ParseGSTIN(text)
	if err != nil {
		return "", err
	}
	if StateCode(number[:2]) != state {
		return "", ErrGSTINState
	}
	return number, nil
}

// PANOf returns the permanent account number inside a valid GSTIN, empty for any other length.
func PANOf(number string) string {
	if len(number) != gstin.Length {
		return ""
	}
	return number[2:12]
}
