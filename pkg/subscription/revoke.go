package subscription

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
)

// Holding is the part of a paid order that is still in force and that RevokeTx would end.
type Holding string

// The kinds of holding. An expired term is not a holding. Nor is a running term if another order paid the next term: that customer has
// paid to continue.
const (
	HoldingNone     Holding = ""
	HoldingPlan     Holding = "plan"
	HoldingNextTerm Holding = "next_term"
	HoldingAddOns   Holding = "add_ons"
)

// holding returns the order's holding today, and the first day after it.
func (p termPlace) holding(o Order, sub *Subscription, today Day) (Holding, Day) {
	switch {
	case sub == nil || sub.State != StateActive || o.State != OrderPaid || o.RenewOn <= today || p.Over:
		return HoldingNone, 0
	case o.Kind == KindAddOn:
		return HoldingAddOns, o.RenewOn
	case p.Term == TermScheduled:
		return HoldingNextTerm, o.RenewOn
	case !sub.Prepaid() && (p.Term == TermCurrent || p.Term == TermReplaced && p.Upgraded):
		return HoldingPlan, sub.RenewOn
	default:
		return HoldingNone, 0
	}
}

// HoldingTx returns the part of an order that RevokeTx would end today, and the first day on which it ends anyway.
func (s *Service) HoldingTx(ctx context.Context, tx *sqlx.Tx, o Order, now time.Time) (Holding, Day, error) {
	sub, err := s.store.subscription(ctx, tx, o.FranchiserID)
	if err != nil {
		return HoldingNone, 0, err
	}
	p, err := s.store.termPlan(ctx, tx, o)
	held, until := p.holding(o, sub, DayOf(now))
	return held, until, err
}

// RevokeTx ends the purchase of a fully refunded order, once, as of today: a running term ends and the plan expires without grace; a
// pending term is dropped; add-ons end. The rest of the order can no longer be credited. Anything that is not a Holding stays. The caller
// must own LockTx.
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
	if err != nil {
		return err
	}
	p, err := s.store.termPlan(ctx, tx, o)
	if err != nil {
		return err
	}
	held, _ := p.holding(o, sub, today)
	if held == HoldingNone {
		if sub != nil && p.Term == TermCurrent && sub.Prepaid() {
			return s.store.creditOrder(ctx, tx, o) // remembered, in case the next term is refunded too
		}
		return nil
	}
	from, keep := sub.State, sub.RenewOn
	switch held {
	case HoldingAddOns:
		keep = today
	case HoldingNextTerm:
		sub.PaidUntil = sub.RenewOn
	default:
		keep = max(today, sub.StartsOn+1) // a term has at least one day, also one that a switch began
		if p.Since != nil {
			keep = max(keep, *p.Since+1)
		}
		if err := states().Move(&sub.State, StateExpired); err != nil {
			return err
		}
		sub.ExpiredOn, sub.RenewOn, sub.PaidUntil, sub.Revoked = today, keep, keep, true
	}
	sub.Revision++
	if err := s.store.saveSubscription(ctx, tx, *sub, now); err != nil {
		return err
	}
	if err := s.store.revoke(ctx, tx, o, *sub, keep); err != nil {
		return fmt.Errorf("revoke order: %w", err)
	}
	if err := s.store.insertEvent(ctx, tx, event{sub: *sub, kind: eventRevoked, from: from, orderID: o.ID, at: now}); err != nil {
		return err
	}
	if held == HoldingNextTerm && p.Unpaid != "" {
		return s.RevokeTx(ctx, tx, franchiserID, p.Unpaid, now)
	}
	return nil
}
