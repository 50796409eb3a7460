package invoice

import (
	"fmt"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/clock"
)

// Kind is the kind of a document.
type Kind string

// The kinds of document that are issued. The vouchers are for held money: received, and returned.
const (
	KindInvoice        Kind = "invoice"
	KindCreditNote     Kind = "credit_note"
	KindReceiptVoucher Kind = "receipt_voucher"
	KindRefundVoucher  Kind = "refund_voucher"
)

// Voucher reports whether it is a receipt or refund voucher (rules 50 and 51 CGST Rules).
func (k Kind) Voucher() bool { return k == KindReceiptVoucher || k == KindRefundVoucher }

// Series returns the first letters of the number; each kind has its own series (rules 46, 50, 51 and 53).
func (k Kind) Series() string {
	switch k {
	case KindCreditNote:
		return "CN"
	case KindReceiptVoucher:
		return "RV"
	case KindRefundVoucher:
		return "FV"
	default:
		return "FP"
	}
}

// seriesCommercial is the series of credit notes without GST, which appear in no return.
const seriesCommercial = "CC"

func allSeries() []string {
	return []string{
		KindInvoice.Series(), KindCreditNote.Series(), KindReceiptVoucher.Series(), KindRefundVoucher.Series(), seriesCommercial,
	}
}

// series is the document's own.
func (i Invoice) series() string {
	if i.Commercial {
		return seriesCommercial
	}
	return i.Kind.Series()
}

// TaxAdjustableBefore is the moment from which a credit note for an invoice of this date may no longer reduce output
// tax: the end of 30 November after the financial year of the invoice (section 34(2), CGST Act 2017).
func TaxAdjustableBefore(issuedAt time.Time) time.Time {
	local := issuedAt.In(clock.IST)
	year := local.Year()
	if local.Month() >= time.April {
		year++
	}
	return time.Date(year, time.December, 1, 0, 0, 0, 0, clock.IST)
}

// MaxNumberLength is the longest serial number that rule 46(b) of the CGST Rules allows.
const MaxNumberLength = 16

// FinancialYear returns the Indian financial year, April to March by the IST date, as 26-27.
func FinancialYear(at time.Time) string {
	local := at.In(clock.IST)
	first := local.Year()
	if local.Month() < time.April {
		first--
	}
	return fmt.Sprintf("%02d-%02d", first%100, (first+1)%100)
}

// FormatNumber returns the serial number, such as FP/26-27/000001, or an error if it exceeds 16 characters.
func FormatNumber(series, financialYear string, sequence int64) (string, error) {
	number := fmt.Sprintf("%s/%s/%06d", series, financialYear, sequence)
	if sequence < 1 || len(number) > MaxNumberLength {
		return "", fmt.Errorf("invoice number %q does not fit rule 46", number)
	}
	return number, nil
}
