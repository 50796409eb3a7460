package app

import (
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/transfer"
)

// newTransfers returns where customers transfer to: the operator's own account, and an account of each customer's own where a
// collector is configured.
func newTransfers(cfg config.Config) transfer.Config {
	b := cfg.Bank
	return transfer.Config{
		Account:  transfer.Account{Number: b.AccountNumber, IFSC: b.IFSC, Beneficiary: b.Beneficiary, Bank: b.Name},
		Supplier: invoice.SupplierFrom(cfg.Supplier),
	}
}
