package subscription

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
)

// RevokeTx ends what a paid order bought, as of today, because its money was taken back: a term that runs ends and the
// plan is expired, without grace; a term that waits does not come; add-ons end. What is left of the order is credited to
// nothing any more. A term that has run out stays as it was, and so does a running one whose next term is paid by another
// order: that customer has paid for being here. The caller holds LockTx.
func (s *Service) RevokeTx(ctx context.Context, tx *sqlx.Tx, franchiserID, orderID string, now time.Time) error {
	today := DayOf(now)
	if err := s.store.advanceOne(ctx, tx, franchiserID, today, now); err != nil {
		return err
	}
	o, err := s.store.order(ctx, tx, franchiserID, orderID)
	if err != nil {
		return err
	}
	sub, err := s.store.lockedSubscription(ctx, tx, franchiserID)
	if err != nil || sub == nil || o.State != OrderPaid || o.RenewOn <= today || sub.State != StateActive {
		return err
	}
	from, keep := sub.State, sub.RenewOn
	switch {
	case o.Kind == KindAddOn:
		keep = today
	case o.EffectiveOn >= sub.RenewOn && sub.Prepaid():
		sub.PaidUntil = sub.RenewOn
	case sub.Prepaid():
		return nil
	default:
		keep = max(today, sub.StartsOn+1) // a term has a day at least
		sub.State, sub.ExpiredOn, sub.RenewOn, sub.PaidUntil = StateExpired, today, keep, keep
	}
	sub.Revision++
	if err := s.store.saveSubscription(ctx, tx, *sub, now); err != nil {
		return err
	}
	if err := s.store.revoke(ctx, tx, o, *sub, keep); err != nil {
		return fmt.Errorf("revoke order: %w", err)
	}
	return s.store.insertEvent(ctx, tx, event{sub: *sub, kind: "revoked", from: from, orderID: o.ID, at: now})
}
