package act

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/internal/store"
	"github.com/franchise360/franchise360/pkg/payment/refund"
	"github.com/franchise360/franchise360/pkg/payment/reversal"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// ErrNotShort refuses to accept a payment that is not held for being too little.
var ErrNotShort = errs.New(errs.KindConflict, "not_short", "Only a payment that is held because less came in than was due can be accepted.")

// Short is a payment that is held because less came in than was due. If staff accept it, the missing amount becomes a discount given before
// the invoice (section 15(3)(a), CGST Act 2017), so that no GST is due on money never received.
type Short struct {
	TransactionID, Bought string
	Due, Captured         money.Paise
}

// Missing returns how much less came in.
func (s Short) Missing() money.Paise { return s.Due - s.Captured }

// ShortTx returns a payment that may be accepted although less came in; ErrNotShort or ErrReversalOpen for any other, errs.NotFound for
// one of another franchiser.
func (s *Service) ShortTx(ctx context.Context, tx *sqlx.Tx, franchiserID, paymentID string) (Short, error) {
	p, err := store.Find(ctx, tx, paymentID)
	if err != nil {
		return Short{}, err
	}
	if p.FranchiserID != franchiserID {
		return Short{}, errs.NotFound()
	}
	if err := s.shortTx(ctx, tx, p); err != nil {
		return Short{}, err
	}
	o, err := s.subscriptions.FindOrderTx(ctx, tx, franchiserID, p.OrderID)
	return Short{TransactionID: p.TransactionID, Bought: o.Title(), Due: p.Amount, Captured: p.Captured}, err
}

const receivedInRupeesSQL = `SELECT EXISTS (SELECT FROM document_overview WHERE payment_id = $1 AND kind = 'receipt_voucher')`

func (s *Service) shortTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment) error {
	if p.State != payment.StateHeld || p.Surplus || p.Captured < 1 || p.Captured >= p.Amount {
		return ErrNotShort
	}
	var rupees bool // only they have a voucher
	if err := tx.GetContext(ctx, &rupees, receivedInRupeesSQL, p.ID); err != nil || !rupees {
		if err == nil {
			err = ErrNotShort
		}
		return err
	}
	open, err := reversal.OpenTx(ctx, tx, p.ID)
	if err == nil && open {
		err = reversal.ErrReversalOpen
	}
	if err != nil {
		return err
	}
	rest, err := refund.RestTx(ctx, tx, p)
	if err == nil && rest.Already > 0 {
		err = ErrNotShort
	}
	return err
}

// AcceptShortTx gives a held payment the effect of a full one: the missing amount becomes a discount on the invoice, whose total is the
// amount received. A second call returns ErrNotShort, as does a payment that is not held for being too little. An order that can no
// longer take effect returns a conflict. It needs the worker's role.
func (s *Service) AcceptShortTx(ctx context.Context, tx *sqlx.Tx, franchiserID, paymentID string, now time.Time) error {
	if err := subscription.LockTx(ctx, tx, franchiserID); err != nil {
		return err
	}
	p, err := store.Locked(ctx, tx, paymentID)
	if err != nil {
		return err
	}
	if p.FranchiserID != franchiserID {
		return errs.NotFound()
	}
	if err := s.shortTx(ctx, tx, p); err != nil {
		return err
	}
	order, applied, err := s.subscriptions.AcceptTx(ctx, tx, franchiserID, p.OrderID, p.Captured, now)
	if err != nil {
		return err
	}
	if !applied {
		return errs.New(errs.KindConflict, "order_gone", "What it was paid for is no longer available. Refund the money.")
	}
	if err := payment.States().Move(&p.State, payment.StatePaid); err != nil {
		return err
	}
	missing := p.Amount - p.Captured
	p.DecidedAt = now
	p.Reason = i18n.Fill(payment.ReasonShort, []string{p.Captured.Display(), missing.Display()})
	if err := store.Save(ctx, tx, p, 0); err != nil {
		return err
	}
	if err := s.acceptedTx(ctx, tx, p, order, now); err != nil {
		return err
	}
	if err := s.documents.TellTx(ctx, tx, p, now); err != nil {
		return err
	}
	return s.documents.IssueTx(ctx, tx, p, order, now, now)
}

// acceptedTx books held money as the payment of an order. If the order now costs less than the amount received, the rest is refunded.
func (s *Service) acceptedTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment, order subscription.Order, now time.Time) error {
	m := ledger.Movement{FranchiserID: p.FranchiserID, PaymentID: p.ID, Reference: p.ID, Amount: min(p.Captured, order.Payable()), At: now}
	if err := s.ledger.PostTx(ctx, tx, ledger.HeldAccepted(m)); err != nil {
		return err
	}
	if more := order.Payable() - p.Captured; more > 0 {
		m.Amount = more
		return s.ledger.PostTx(ctx, tx, ledger.Rounding(m))
	}
	if m.Amount = p.Captured - order.Payable(); m.Amount == 0 {
		return nil
	}
	if err := s.ledger.PostTx(ctx, tx, ledger.HeldSurplus(m)); err != nil {
		return err
	}
	_, err := s.refunds.RequestSurplusTx(ctx, tx, p, p.GatewayPaymentID, m.Amount, now)
	return err
}
