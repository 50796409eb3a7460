package invoice

import (
	"fmt"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/clock"
)

// Kind tells a tax invoice from a credit note.
type Kind string

// The two kinds of tax document that are issued.
const (
	KindInvoice    Kind = "invoice"
	KindCreditNote Kind = "credit_note"
)

// Series gives the first letters of the number; each kind counts in a series of its own (rules 46 and 53).
func (k Kind) Series() string {
	if k == KindCreditNote {
		return "CN"
	}
	return "FP"
}

// MaxNumberLength is the longest serial number that rule 46(b) of the CGST Rules allows.
const MaxNumberLength = 16

// FinancialYear gives the Indian financial year, April to March by the IST date, as 26-27.
func FinancialYear(at time.Time) string {
	local := at.In(clock.IST)
	first := local.Year()
	if local.Month() < time.April {
		first--
	}
	return fmt.Sprintf("%02d-%02d", first%100, (first+1)%100)
}

// FormatNumber gives the serial number, such as FP/26-27/000001, or an error when it passes 16 characters.
func FormatNumber(series, financialYear string, sequence int64) (string, error) {
	number := fmt.Sprintf("%s/%s/%06d", series, financialYear, sequence)
	if sequence < 1 || len(number) > MaxNumberLength {
		return "", fmt.Errorf("invoice number %q does not fit rule 46", number)
	}
	return number, nil
}
