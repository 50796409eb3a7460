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

var (
	accountForm = regexp.MustCompile(`^[0-9]{6,20}$`)
	ifscForm    = regexp.MustCompile(`^[A-Z]{4}0[A-Z0-9]{6}$`)
)

// bank reads the account for transfers. The name of the bank alone may be missing.
func (r *reader) bank() Bank {
	b := Bank{
		AccountNumber: r.getenv("BANK_ACCOUNT_NUMBER"), IFSC: strings.ToUpper(r.getenv("BANK_IFSC")), Name: r.getenv("BANK_NAME"),
		Beneficiary: r.getenv("BANK_BENEFICIARY"),
	}
	b.Minimum = money.FromRupees(int64(r.between("BANK_TRANSFER_MINIMUM", 0, 0, 1_000_000)))
	if b == (Bank{Minimum: b.Minimum}) {
		return b
	}
	if !accountForm.MatchString(b.AccountNumber) {
		r.fail("BANK_ACCOUNT_NUMBER", "want 6 to 20 digits")
	}
	if !ifscForm.MatchString(b.IFSC) {
		r.fail("BANK_IFSC", "want a bank's code such as HDFC0000001")
	}
	if strings.TrimSpace(b.Beneficiary) == "" {
		r.fail("BANK_BENEFICIARY", "want the name of the account's holder")
	}
	return b
}
