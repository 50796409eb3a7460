// Package act works out and executes what staff decide about a customer's purchases: to cancel them, switch the plan, correct an invoice,
// accept a short payment, or end a debit.
package act

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/receipt"
	"github.com/franchise360/franchise360/pkg/payment/refund"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Invoices corrects invoices; pkg/invoice implements it.
type Invoices interface {
	CorrectionTx(ctx context.Context, tx *sqlx.Tx, franchiserID, invoiceID string, to invoice.Recipient, at time.Time) (invoice.Correction, error)
	CorrectTx(ctx context.Context, tx *sqlx.Tx, franchiserID, invoiceID string, to invoice.Recipient, at time.Time) (note, issued invoice.Invoice, err error)
}

// Options are the parts of a Service. New panics if a part is nil.
type Options struct {
	Clock clock.Clock
	// Gateways answer for their own payments.
	Gateways      payment.Gateways
	Subscriptions *subscription.Service
	Invoices      Invoices
	Ledger        payment.Ledger
	Documents     *receipt.Documents
	Refunds       *refund.Service
	Messages      *message.Enqueuer
}

// Service works out and executes staff's acts.
type Service struct {
	clock         clock.Clock
	gateways      payment.Gateways
	subscriptions *subscription.Service
	invoices      Invoices
	ledger        payment.Ledger
	documents     *receipt.Documents
	refunds       *refund.Service
	messages      *message.Enqueuer
}

// New returns a Service. It panics if a part is missing.
func New(o Options) *Service {
	return wiring.Complete(&Service{
		clock: o.Clock, gateways: o.Gateways, subscriptions: o.Subscriptions, invoices: o.Invoices,
		ledger: o.Ledger, documents: o.Documents, refunds: o.Refunds, messages: o.Messages,
	})
}
