// Package refund returns money: it requests refunds at the gateways, books the completed ones with their credit notes, and tells
// customers.
package refund

import (
	"context"
	"log/slog"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Invoices issues credit notes and refund vouchers; pkg/invoice implements it.
type Invoices interface {
	IssueCreditNoteTx(ctx context.Context, tx *sqlx.Tx, in invoice.CreditNoteInput) (invoice.Invoice, error)
	IssueRefundVoucherTx(ctx context.Context, tx *sqlx.Tx, franchiserID, paymentID, refundID string, receipt invoice.Receipt, at time.Time) (invoice.Invoice, error)
}

// Options are the parts of a Service. New panics if a part is nil.
type Options struct {
	DB    *sqlx.DB
	Jobs  *queue.Inserter
	Clock clock.Clock
	// Gateways answer for their own payments.
	Gateways      payment.Gateways
	Subscriptions *subscription.Service
	Invoices      Invoices
	Ledger        payment.Ledger
	// Withheld knows the tax that customers deducted.
	Withheld payment.Withheld
	Messages *message.Enqueuer
	Logger   *slog.Logger
}

// Service requests, books and reports refunds.
type Service struct {
	db            *sqlx.DB
	jobs          *queue.Inserter
	clock         clock.Clock
	gateways      payment.Gateways
	subscriptions *subscription.Service
	invoices      Invoices
	ledger        payment.Ledger
	withheld      payment.Withheld
	messages      *message.Enqueuer
	logger        *slog.Logger
}

// New returns a Service. It panics if a part is missing.
func New(o Options) *Service {
	return wiring.Complete(&Service{
		db: o.DB, jobs: o.Jobs, clock: o.Clock, gateways: o.Gateways, subscriptions: o.Subscriptions,
		invoices: o.Invoices, ledger: o.Ledger, withheld: o.Withheld, messages: o.Messages, logger: o.Logger,
	})
}
