package act

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/internal/store"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// ErrNotUndecided refuses to end anything but a debit by mandate that has been undecided for an hour.
var ErrNotUndecided = errs.New(errs.KindConflict, "not_undecided", "Only a debit that its bank has not decided for an hour can be ended.")

// UndecidedDebit is a debit by mandate that staff may end.
type UndecidedDebit struct {
	payment.OpenDebit

	TransactionID, Gateway, Bought string
}

// UndecidedDebitTx returns a debit that staff may end: ErrNotUndecided for any other payment, errs.NotFound for one of another franchiser.
func (s *Service) UndecidedDebitTx(ctx context.Context, tx *sqlx.Tx, franchiserID, paymentID string, now time.Time) (UndecidedDebit, error) {
	p, err := store.Find(ctx, tx, paymentID)
	if err == nil {
		err = mayEnd(p, franchiserID, now)
	}
	if err != nil {
		return UndecidedDebit{}, err
	}
	o, err := s.subscriptions.FindOrderTx(ctx, tx, franchiserID, p.OrderID)
	return UndecidedDebit{
		OpenDebit: payment.OpenDebit{Amount: p.Amount, AskedAt: p.CreatedAt}, TransactionID: p.TransactionID, Gateway: p.Gateway, Bought: o.Title(),
	}, err
}

// EndDebitTx expires a debit that its bank has not decided, as payment.DebitDecidedBy does later. Checks at the gateway continue, so
// that a late success is booked once, or refunded. It fails as UndecidedDebitTx does.
func (s *Service) EndDebitTx(ctx context.Context, tx *sqlx.Tx, franchiserID, paymentID string, now time.Time) error {
	if err := subscription.LockTx(ctx, tx, franchiserID); err != nil {
		return err
	}
	p, err := store.Locked(ctx, tx, paymentID)
	if err != nil {
		return err
	}
	if err := mayEnd(p, franchiserID, now); err != nil {
		return err
	}
	if err := p.Expire(now); err != nil {
		return err
	}
	return store.Save(ctx, tx, p, 0)
}

func mayEnd(p payment.Payment, franchiserID string, now time.Time) error {
	switch {
	case p.FranchiserID != franchiserID:
		return errs.NotFound()
	case !p.ByMandate || !p.State.Open() || now.Sub(p.CreatedAt) < payment.UndecidedAfter:
		return ErrNotUndecided
	default:
		return nil
	}
}
