package checkout

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// ErrNotByTransfer refuses an order that cannot be paid by transfer: the rest of a term's add-ons loses value each day.
var ErrNotByTransfer = errs.New(errs.KindConflict, "not_by_transfer", "This cannot be paid by bank transfer. Please pay online.")

// TransferOrderTx returns the order to be paid by transfer, by the rules of Request but without a charge at a gateway.
func (s *Service) TransferOrderTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, in Input, now time.Time) (subscription.Order, error) {
	if err := subscription.LockTx(ctx, tx, franchiserID); err != nil {
		return subscription.Order{}, err
	}
	b, err := basisTx(ctx, tx, franchiserID, now)
	if err != nil {
		return subscription.Order{}, err
	}
	offer, err := s.offerTx(ctx, tx, franchiserID, in, b, now)
	if err != nil {
		return subscription.Order{}, err
	}
	if !ByTransfer(offer.Kind) || offer.Payable() < 1 {
		return subscription.Order{}, ErrNotByTransfer
	}
	return s.subscriptions.OrderTx(ctx, tx, franchiserID, offer, now)
}

// ByTransfer reports whether orders of the kind may be paid by transfer.
func ByTransfer(kind subscription.Kind) bool {
	return kind == subscription.KindNew || kind == subscription.KindRenewal || kind == subscription.KindUpgrade
}
