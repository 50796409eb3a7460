package razorpay

import (
	"context"
	"time"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/transfer"
)

// Collector returns Smart Collect as a transfer.Collector, nil if the account does not use it.
func (g *Gateway) Collector() transfer.Collector {
	if !g.config.SmartCollect {
		return nil
	}
	return transfers{g.SmartCollect()}
}

// transfers is Smart Collect in the words of transfers.
type transfers struct{ *SmartCollect }

// Open opens the customer's account.
func (t transfers) Open(ctx context.Context, customerID, name, known string) (transfer.Account, error) {
	a, err := t.SmartCollect.Open(ctx, customerID, name, known)
	return transfer.Account{ID: a.ID, Number: a.Number, IFSC: a.IFSC, Beneficiary: a.Beneficiary}, err
}

// Credits lists the transfers into an account.
func (t transfers) Credits(ctx context.Context, accountID string, since time.Time) ([]transfer.Credit, error) {
	list, err := t.SmartCollect.Credits(ctx, accountID, since)
	credits := make([]transfer.Credit, 0, len(list))
	for _, c := range list {
		credits = append(credits, transfer.Credit(c))
	}
	return credits, err
}

// Heard returns the account that a signed notice is about, empty if it is about something else.
func (t transfers) Heard(p payment.Incoming) string {
	n, err := t.ReadCredit(p)
	if err != nil {
		return ""
	}
	return n.AccountID
}
