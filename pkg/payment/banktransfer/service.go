// Package banktransfer books money on the bank account as the payment of an order.
package banktransfer

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/receipt"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Invoices dates documents; pkg/invoice implements it.
type Invoices interface {
	DateTx(ctx context.Context, tx *sqlx.Tx, kind invoice.Kind, wanted time.Time) (time.Time, error)
}

// Options are the parts of a Service. New panics if a part is nil.
type Options struct {
	Subscriptions *subscription.Service
	Invoices      Invoices
	Ledger        payment.Ledger
	Documents     *receipt.Documents
	// Counts receives business events; payment.Uncounted ignores them.
	Counts payment.Counts
}

// Service books bank transfers.
type Service struct {
	subscriptions *subscription.Service
	invoices      Invoices
	ledger        payment.Ledger
	documents     *receipt.Documents
	counts        payment.Counts
}

// New returns a Service. It panics if a part is missing.
func New(o Options) *Service {
	return wiring.Complete(&Service{
		subscriptions: o.Subscriptions, invoices: o.Invoices, ledger: o.Ledger, documents: o.Documents, counts: o.Counts,
	})
}
