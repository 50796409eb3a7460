package app

import (
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/transfer"
)

// newTransfers returns the operator's own account, to which customers transfer money without a collector.
func newTransfers(cfg config.Config) transfer.Config {
	b := cfg.Bank
	return transfer.Config{
		Account:  transfer.Account{Number: b.AccountNumber, IFSC: b.IFSC, Beneficiary: b.Beneficiary, Bank: b.Name},
		Supplier: invoice.SupplierFrom(cfg.Supplier),
		Minimum:  b.Minimum,
	}
}

// newCollector returns the first collector of the gateways, or nil.
func newCollector(gateways []Gateway) transfer.Collector {
	for _, g := range gateways {
		if collecting, ok := g.(transfer.Collecting); ok {
			if c := collecting.Collector(); c != nil {
				return c
			}
		}
	}
	return nil
}
