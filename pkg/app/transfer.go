package app

import (
	"context"
	"time"

	"github.com/franchise360/franchise360/pkg/adapter/gateway/razorpay"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/transfer"
)

// newTransfers returns the operator's own account, into which customers transfer where nobody collects for us.
func newTransfers(cfg config.Config) transfer.Config {
	b := cfg.Bank
	return transfer.Config{
		Account:  transfer.Account{Number: b.AccountNumber, IFSC: b.IFSC, Beneficiary: b.Beneficiary, Bank: b.Name},
		Supplier: invoice.SupplierFrom(cfg.Supplier),
		Minimum:  b.Minimum,
	}
}

// newCollector returns Razorpay's Smart Collect at one of the gateways, nil unless it is switched on.
func newCollector(cfg config.Config, gateways []Gateway) transfer.Collector {
	if !cfg.Gateways.Razorpay.SmartCollect {
		return nil
	}
	for _, g := range gateways {
		if r, ok := g.(*razorpay.Gateway); ok {
			return smartCollect{r.Collector()}
		}
	}
	return nil
}

// smartCollect is Razorpay's Smart Collect as transfers ask for it.
type smartCollect struct{ *razorpay.Collector }

// Open opens the customer's account.
func (s smartCollect) Open(ctx context.Context, customerID, name, known string) (transfer.Account, error) {
	a, err := s.Collector.Open(ctx, customerID, name, known)
	return transfer.Account{ID: a.ID, Number: a.Number, IFSC: a.IFSC, Beneficiary: a.Beneficiary}, err
}

// Credits lists what came into an account.
func (s smartCollect) Credits(ctx context.Context, accountID string, since time.Time) ([]transfer.Credit, error) {
	list, err := s.Collector.Credits(ctx, accountID, since)
	credits := make([]transfer.Credit, 0, len(list))
	for _, c := range list {
		credits = append(credits, transfer.Credit(c))
	}
	return credits, err
}

// Heard returns the account that a signed notice is about, empty if it is about something else.
func (s smartCollect) Heard(p payment.Incoming) string {
	n, err := s.ReadCredit(p)
	if err != nil {
		return ""
	}
	return n.AccountID
}
