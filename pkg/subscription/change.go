package subscription

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// ErrChangeDone is returned when cancelling a change that has taken effect, or whose renewal is paid.
var ErrChangeDone = errs.New(errs.KindConflict, "change_done",
	"This change has already taken effect. Choose another plan to change again.")

// scheduledChange describes the scheduled change, nil without one and if its plan is no longer sold.
func (s Subscription) scheduledChange(c *plan.Catalogue, owned []AddOn) *ScheduledChange {
	if s.Next == nil {
		return nil
	}
	tier, sold := c.Tier(s.Next.ServiceID)
	if !sold {
		return nil
	}
	kept := unitsOf(tier, s.Next.AddOnIDs)
	limit, _ := Quote{Tier: tier, AddOns: kept}.FranchiseLimit()
	return &ScheduledChange{
		Change: *s.Next, Tier: tier, On: s.PaidUntil, Dropped: droppedBy(s.renewing(owned), kept), FranchiseLimit: limit,
	}
}

// renewing returns the owned add-ons that the next renewal would include if nothing changed.
func (s Subscription) renewing(owned []AddOn) []AddOn {
	var list []AddOn
	for _, a := range owned {
		if a.Renews && (a.Once || a.PaidUntil >= s.PaidUntil) {
			list = append(list, a)
		}
	}
	return list
}

// cancelled returns the owned add-ons that run on that day and do not renew.
func cancelled(owned []AddOn, day Day) []AddOn {
	list := []AddOn{}
	for _, a := range owned {
		if !a.Renews && !a.Once && a.StartsOn <= day && a.PaidUntil > day {
			list = append(list, a)
		}
	}
	return list
}

// droppedBy returns the owned add-ons without a counterpart of the same kind in following. One-time add-ons stay.
func droppedBy(owned []AddOn, following []plan.AddOn) []AddOn {
	left := map[string]int{}
	for _, a := range following {
		left[a.Key]++
	}
	dropped := []AddOn{}
	for _, a := range owned {
		if a.Once {
			continue
		}
		if left[a.Key] > 0 {
			left[a.Key]--
			continue
		}
		dropped = append(dropped, a)
	}
	return dropped
}

// carriedOver returns the ids under which a tier sells the owned add-ons, one for each unit.
func carriedOver(tier plan.Tier, owned []AddOn) []string {
	ids := []string{}
	for _, a := range tier.AddOns {
		for _, o := range owned {
			if o.Key == a.Key {
				ids = append(ids, a.ID)
			}
		}
	}
	return ids
}

// ChangeOption is one plan to change to, priced with the add-ons that it keeps.
type ChangeOption struct {
	Quote
	// Current is the running plan, which has no quote; Scheduled is the plan scheduled for the renewal.
	Current, Scheduled bool
	// Dropped are the renewing add-ons that this plan does not sell.
	Dropped []AddOn
}

// Term is the price of a whole term of the option, with tax.
func (o ChangeOption) Term() Quote {
	if o.Then != nil {
		return *o.Then
	}
	return o.Quote
}

// Changes is the running plan and every plan to change to.
type Changes struct {
	Subscription Subscription
	Tier         plan.Tier
	// AddOns are the owned add-ons that renew. Cancelled are paid until a later day and do not renew.
	AddOns, Cancelled []AddOn
	FranchiseLimit    int
	Scheduled         *ScheduledChange
	Options           []ChangeOption
}

// Changes prices every plan as a change of the running one. It includes the owned add-ons except the ids in off, and the cancelled ones
// with ids in keep. It returns nil without a running paid plan: then a plan is bought, not changed.
func (s *Service) Changes(ctx context.Context, franchiserID string, off, keep []string) (*Changes, error) {
	var changes *Changes
	err := postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		now := s.clock.Now()
		b, err := s.buyerTx(ctx, tx, franchiserID, now)
		if err != nil || b.Subscription == nil || !b.Subscription.changeable() {
			return err
		}
		changes, err = s.changes(ctx, tx, franchiserID, b, off, keep, now)
		return err
	})
	return changes, err
}

// changeable reports whether a paid plan is active or in grace.
func (s Subscription) changeable() bool {
	return !s.Trial && (s.State == StateActive || s.State == StateGrace)
}

func (s *Service) changes(ctx context.Context, tx *sqlx.Tx, franchiserID string, b Buyer, off, keep []string, now time.Time) (*Changes, error) {
	sub := *b.Subscription
	p := Pricing{Today: DayOf(now), Regime: UnknownPlace, PGChargeBps: s.config.PGChargeBps}
	var err error
	if p.Catalogue, err = s.plans.RevisionTx(ctx, tx, b.Catalogue); err != nil {
		return nil, err
	}
	s.taxPlace(b, &p, &Offer{})
	running, err := s.plans.RevisionTx(ctx, tx, sub.CatalogueRevision)
	if err != nil {
		return nil, err
	}
	paid, err := s.paidAndKeptTx(ctx, tx, franchiserID, p.Today)
	if err != nil {
		return nil, err
	}
	view := viewOf(sub, running, b.AddOns, p.Today)
	out := &Changes{
		Subscription: sub, Tier: view.Tier, AddOns: sub.renewing(b.AddOns), Cancelled: cancelled(b.AddOns, p.Today), FranchiseLimit: view.FranchiseLimit,
		Scheduled: sub.scheduledChange(p.Catalogue, b.AddOns),
	}
	along := without(out.AddOns, off)
	for _, a := range out.Cancelled {
		if slices.Contains(keep, a.ID) {
			along = append(along, a)
		}
	}
	for _, sold := range p.Catalogue.Plans {
		for _, tier := range sold.Tiers {
			for _, t := range []plan.Type{plan.TypeMonthly, plan.TypeYearly} {
				o, err := p.changeOption(sub, tier, t, along, b.AddOns, paid)
				if err != nil {
					return nil, err
				}
				out.Options = append(out.Options, o)
			}
		}
	}
	return out, nil
}

func (p Pricing) changeOption(sub Subscription, tier plan.Tier, t plan.Type, along, owned []AddOn, paid []PaidLine) (ChangeOption, error) {
	o := ChangeOption{
		Quote:     Quote{Tier: tier, Type: t},
		Current:   sub.ServiceID == tier.ID && sub.Type == t,
		Scheduled: sub.Next != nil && sub.Next.ServiceID == tier.ID && sub.Next.Type == t,
	}
	if o.Current {
		return o, nil
	}
	sel := Selection{Type: t, ServiceID: tier.ID, AddOnIDs: carriedOver(tier, along)}.keeping(along)
	sel.running = owned
	q, err := QuotePlan(p, sel, &sub, paid)
	if err != nil {
		return o, err
	}
	o.Quote, o.Dropped = q, droppedBy(along, q.AddOns)
	return o, nil
}

// followChange removes a cancelled add-on from the scheduled change, or adds a reactivated one.
func (s *Service) followChange(ctx context.Context, tx *sqlx.Tx, sub Subscription, owned []AddOn, ownedID string, renews bool, now time.Time) error {
	at := slices.IndexFunc(owned, func(a AddOn) bool { return a.ID == ownedID && a.Renews != renews })
	if sub.Next == nil || at < 0 {
		return nil
	}
	c, err := s.plans.FreshTx(ctx, tx)
	if err != nil {
		return err
	}
	tier, _ := c.Tier(sub.Next.ServiceID)
	ids := carriedOver(tier, owned[at:at+1])
	if len(ids) == 0 {
		return nil // the other plan does not sell it
	}
	renewing := 0 // units of the add-on after this change
	for i, a := range owned {
		if a.Key == owned[at].Key && (i == at && renews || i != at && a.Renews) {
			renewing++
		}
	}
	next := *sub.Next
	next.AddOnIDs = slices.Clone(next.AddOnIDs)
	has := 0
	for _, id := range next.AddOnIDs {
		if id == ids[0] {
			has++
		}
	}
	switch {
	case renews && has < renewing:
		next.AddOnIDs = append(next.AddOnIDs, ids[0])
	case !renews && has > renewing:
		place := slices.Index(next.AddOnIDs, ids[0])
		next.AddOnIDs = slices.Delete(next.AddOnIDs, place, place+1)
	}
	sub.Next = &next
	return s.store.saveSubscription(ctx, tx, sub, now)
}

// CallOffChange cancels the change scheduled for the renewal, identified by its order; repeating it changes nothing. It returns
// errs.NotFound for another franchiser's change, and ErrChangeDone after the change took effect. It also cancels renewals requested with
// the change: a late payment for one of them is refunded.
func (s *Service) CallOffChange(ctx context.Context, franchiserID, orderID string) error {
	return InLockedTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		now := s.clock.Now()
		if err := s.store.advanceOne(ctx, tx, franchiserID, DayOf(now), now); err != nil {
			return err
		}
		o, err := s.store.order(ctx, tx, franchiserID, orderID)
		if err != nil {
			return err
		}
		switch {
		case o.Kind != KindDowngrade:
			return errs.NotFound()
		case o.State == OrderCancelled:
			return nil
		case o.State != OrderScheduled:
			return ErrChangeDone
		}
		return s.callOffTx(ctx, tx, o, now)
	})
}

func (s *Service) callOffTx(ctx context.Context, tx *sqlx.Tx, o Order, now time.Time) error {
	sub, err := s.store.lockedSubscription(ctx, tx, o.FranchiserID)
	if err != nil {
		return err
	}
	if sub == nil || sub.Next == nil || sub.Next.OrderID != o.ID {
		return errs.Internal(fmt.Errorf("order %s is scheduled and waits for nothing", o.ID))
	}
	sub.Next = nil
	if err := s.store.endChange(ctx, tx, o.FranchiserID, o.ID, OrderCancelled); err != nil {
		return err
	}
	if err := s.store.cancelRenewals(ctx, tx, o); err != nil {
		return err
	}
	if err := s.store.saveSubscription(ctx, tx, *sub, now); err != nil {
		return err
	}
	return s.store.insertEvent(ctx, tx, event{sub: *sub, kind: "change_called_off", from: sub.State, orderID: o.ID, at: now})
}

// currentChange is scheduledChange with the present catalogue, for readers outside a transaction.
func (s *Service) currentChange(ctx context.Context, sub Subscription, owned []AddOn) (*ScheduledChange, error) {
	if sub.Next == nil {
		return nil, nil // no scheduled change
	}
	c, err := s.plans.Current(ctx)
	if err != nil {
		return nil, err
	}
	return sub.scheduledChange(c, owned), nil
}
