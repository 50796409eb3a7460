package invoice

import (
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/gstin"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
)

// ErrGSTIN reports that a text is not a GSTIN: wrong format or wrong check character.
var ErrGSTIN = errs.New(errs.KindInvalid, "gstin_invalid", i18n.Mark("Please enter a valid GSTIN"))

// ErrGSTINState reports that a GSTIN belongs to another State than the address it was entered for.
var ErrGSTINState = errs.New(errs.KindInvalid, "gstin_state_mismatch", i18n.Mark("The GSTIN belongs to another State than this address"))

// ErrUIN and ErrNonResident refuse numbers that look like a GSTIN. Their holders claim no input tax credit: a UIN is refunded
// its tax, and a non-resident supplier sells only. Their documents are those of a recipient without a GSTIN.
var (
	ErrUIN = errs.New(errs.KindInvalid, "gstin_invalid",
		i18n.Mark("This is a UIN of an embassy or a United Nations body, not a GSTIN. Leave the field empty: the invoice is issued without it."))
	ErrNonResident = errs.New(errs.KindInvalid, "gstin_invalid",
		i18n.Mark("This is the number of a non-resident, not a GSTIN for purchases. Leave the field empty: the invoice is issued without it."))
)

// ParseGSTIN normalises a GSTIN and checks its format, State and check character, or returns ErrGSTIN, ErrUIN or
// ErrNonResident.
func ParseGSTIN(text string) (string, error) {
	number := gstin.Normalise(text)
	switch {
	case gstin.IsUIN(number):
		return "", ErrUIN
	case gstin.IsNonResident(number):
		return "", ErrNonResident
	}
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
