package config

import (
	"regexp"
	"strings"

	"github.com/franchise360/franchise360/pkg/platform/money"
)

// Bank is the operator's account for bank transfers, all of it or nothing. Minimum is the least that is taken by transfer, to that account
// or to one of a collector.
type Bank struct {
	AccountNumber, IFSC, Name, Beneficiary string

	Minimum money.Paise
}

// lines returns the account as invoices show it, empty without one.
func (b Bank) lines() string {
	if b.AccountNumber == "" {
		return ""
	}
	return strings.Join([]string{b.Beneficiary, b.Name, "A/c " + b.AccountNumber, "IFSC " + b.IFSC}, "|")
}

var (
	accountForm = regexp.MustCompile(`^[0-9]{6,20}$`)
	ifscForm    = regexp.MustCompile(`^[A-Z]{4}0[A-Z0-9]{6}$`)
)

// bank reads the account for transfers, number|IFSC|holder|bank. The name of the bank alone may be missing.
func (r *reader) bank() Bank {
	minimum := money.FromRupees(int64(r.between("BANK_TRANSFER_MINIMUM", 0, 0, 1_000_000)))
	text := r.getenv("BANK_ACCOUNT")
	if text == "" {
		return Bank{Minimum: minimum}
	}
	parts := strings.Split(text, "|")
	given := len(parts)
	parts = append(parts, make([]string, 4)...)
	b := Bank{AccountNumber: parts[0], IFSC: strings.ToUpper(parts[1]), Beneficiary: parts[2], Name: parts[3], Minimum: minimum}
	if given > 4 || !accountForm.MatchString(b.AccountNumber) || !ifscForm.MatchString(b.IFSC) || strings.TrimSpace(b.Beneficiary) == "" {
		r.fail("BANK_ACCOUNT", "want number|IFSC|holder|bank, as in 50200012345678|HDFC0000001|Mango Lane|HDFC Bank; the bank may be missing")
	}
	return b
}
