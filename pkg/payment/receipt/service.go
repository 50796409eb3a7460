// Package receipt issues the invoices and vouchers of received money, and tells customers of it.
package receipt

import (
	"context"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Invoices issues invoices, credit notes and receipt vouchers; pkg/invoice implements it.
type Invoices interface {
	IssueTx(ctx context.Context, tx *sqlx.Tx, in invoice.IssueInput) (invoice.Invoice, error)
	IssueCreditNoteTx(ctx context.Context, tx *sqlx.Tx, in invoice.CreditNoteInput) (invoice.Invoice, error)
	IssueReceiptVoucherTx(ctx context.Context, tx *sqlx.Tx, in invoice.VoucherInput) (invoice.Invoice, error)
}

// Options are the parts of a Documents. New panics if a part is nil.
type Options struct {
	Subscriptions *subscription.Service
	Invoices      Invoices
	Ledger        payment.Ledger
	Messages      *message.Enqueuer
}

// Documents issues the documents of received money.
type Documents struct {
	subscriptions *subscription.Service
	invoices      Invoices
	ledger        payment.Ledger
	messages      *message.Enqueuer
}

// New returns a Documents. It panics if a part is missing.
func New(o Options) *Documents {
	return wiring.Complete(&Documents{
		subscriptions: o.Subscriptions, invoices: o.Invoices, ledger: o.Ledger, messages: o.Messages,
	})
}
