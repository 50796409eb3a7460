package payment

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/staff"
)

// Count counts the payment's new state.
func (p Payment) Count(c Counts) {
	switch {
	case p.State == StateHeld:
		c.Decided(p.Gateway, "held")
	case p.State == StatePaid && p.Surplus:
		c.Decided(p.Gateway, "given_back")
	case p.State == StatePaid:
		c.Decided(p.Gateway, "paid")
		c.Activated(string(p.Bought))
	case p.State == StateFailed || p.State == StateExpired:
		c.Decided(p.Gateway, string(p.State))
	}
}

// Ledger keeps the books; pkg/ledger implements it.
type Ledger interface {
	PostTx(ctx context.Context, tx *sqlx.Tx, entry ledger.Entry) error
}

// SettledCapture is a capture named by a settlement, under the gateway's id for it, and when it was first seen.
type SettledCapture struct {
	GatewayPaymentID string    `db:"gateway_payment_id"`
	At               time.Time `db:"seen_at"`
}

// Counts counts business events; metrics.Metrics implements it. It is called after the transaction.
type Counts interface {
	// Decided counts a decided payment: paid, given_back, held, failed or expired.
	Decided(gateway, outcome string)
	// Activated counts a purchase that took effect.
	Activated(what string)
}

// Uncounted ignores business events, for programs without metrics.
type Uncounted struct{}

// Decided does nothing.
func (Uncounted) Decided(string, string) {}

// Activated does nothing.
func (Uncounted) Activated(string) {}

// Recorder records staff actions in the transaction that performs them; staff.Service implements it.
type Recorder interface {
	RecordTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, a staff.Action) error
}

// Withheld returns the part of a payment that the customer deducted as tax; transfer.Deductions implements it. Amounts are in paise.
type Withheld interface {
	// DeductedTx returns the deducted tax of payments, by payment, whatever refunds have taken back of it since.
	DeductedTx(ctx context.Context, tx *sqlx.Tx, paymentIDs []string) (map[string]money.Paise, error)
	// ReverseTx reverses amount of the deducted tax, and returns the parts of both taxes.
	ReverseTx(ctx context.Context, tx *sqlx.Tx, paymentID string, amount money.Paise) (tds, gstTDS money.Paise, err error)
}
