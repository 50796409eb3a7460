package subscription

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// termFor returns the days that a paid order for a plan covers. An early renewal follows the present term; in grace it
// continues from the old end; an upgrade, and any purchase before the first plan, in a trial or after expiry, begins
// today.
func (o Order) termFor(sub *Subscription, today Day) (t term, anchor int) {
	t, anchor = term{From: today, Status: TermCurrent, Before: TermEnded}, today.DayOfMonth()
	switch {
	case sub == nil:
		t.Before = ""
	case o.Kind == KindUpgrade || sub.State == StateTrialing:
		t.Before = TermReplaced
	case sub.State == StateActive:
		t.From, t.Status, t.Before, anchor = sub.PaidUntil, TermScheduled, "", sub.AnchorDay
	case sub.State == StateGrace:
		t.From, anchor = sub.RenewOn, sub.AnchorDay
	}
	t.To = t.From.AddMonths(o.Type.Months(), anchor)
	return t, anchor
}

// applies reports whether the order was priced for the subscription as it is now; if not, its money must be refunded.
func (o Order) applies(sub *Subscription) bool {
	revision := 0
	if sub != nil {
		revision = sub.Revision
	}
	switch {
	case !orderStates().Allows(o.State, OrderPaid) || o.BaseRevision != revision:
		return false
	case o.Kind == KindAddOn:
		return sub != nil && sub.State == StateActive
	default:
		return true
	}
}

// with returns the subscription after the order's payment.
func (s Subscription) with(o Order, t term, anchor int) (Subscription, error) {
	s.Revision++
	s.PaidUntil, s.GraceExtra = t.To, 0
	if s.Next != nil && (t.Status == TermCurrent || s.Next.ServiceID == o.ServiceID && s.Next.Type == o.Type) {
		s.Next = nil
	}
	if t.Status == TermScheduled {
		return s, nil
	}
	s.ExpiredOn, s.Revoked, s.Trial = 0, false, o.Kind == KindTrial
	next := StateActive
	if s.Trial {
		next = StateTrialing
	}
	if err := states().Move(&s.State, next); err != nil {
		return s, err
	}
	s.CatalogueRevision, s.PlanID, s.ServiceID, s.Type = o.CatalogueRevision, o.PlanID, o.ServiceID, o.Type
	s.AnchorDay, s.StartsOn, s.RenewOn = anchor, t.From, t.To
	return s, nil
}

// settleAddOns returns the changes of the owned add-ons by a term with the ordered units. Reordered add-ons last to its end, the others
// end (with the present term, or immediately if that is cut short), and new ones begin. One-time add-ons stay.
func settleAddOns(owned []AddOn, ordered []plan.AddOn, o Order, t term) (changed []ownedUnit) {
	used := map[string]bool{}
	for _, a := range ordered {
		unit := ownedUnit{AddOn: AddOn{ID: id.New(), AddOnID: a.ID, StartsOn: t.From}}
		for _, old := range owned {
			if (old.AddOnID == a.ID || old.Once && old.Key == a.Key) && !used[old.ID] {
				unit = ownedUnit{AddOn: old}
				break
			}
		}
		used[unit.ID] = true
		unit.Key, unit.Name, unit.Limit, unit.Term = a.Key, a.Name, a.Limit, a.Price(o.Type)
		unit.PaidUntil, unit.Renews, unit.Once = t.To, true, a.OneTime() || unit.Once
		changed = append(changed, unit)
	}
	for _, old := range owned {
		if used[old.ID] {
			continue
		}
		unit := ownedUnit{AddOn: old}
		switch {
		case old.Once:
			unit.PaidUntil = t.To
		case t.Status == TermCurrent:
			unit.Renews, unit.EndedOn = false, t.From
		default:
			unit.Renews = false
		}
		changed = append(changed, unit)
	}
	return changed
}

// ApplyTx puts a paid order into effect once: the term or add-ons begin and the order becomes paid. The returned order has the price of
// the day of now, never more than the requested amount. ApplyTx returns applied false and changes nothing if the order was already paid,
// the subscription has changed since, or the price has risen; Refusal explains the last case. An upgrade paid within upgradePriceHolds of
// its order keeps that day's price and start, so that a payment across midnight is not refunded. The caller must own LockTx.
func (s *Service) ApplyTx(ctx context.Context, tx *sqlx.Tx, franchiserID, orderID string, now time.Time) (o Order, applied bool, err error) {
	return s.applyOrderTx(ctx, tx, franchiserID, orderID, terms{}, now)
}

// AcceptTx is ApplyTx for an underpaid order: the rest is a discount on its lines, known before the invoice. Its Payable is the paid
// amount, or a paisa or two more if tax by line does not add up to it.
func (s *Service) AcceptTx(ctx context.Context, tx *sqlx.Tx, franchiserID, orderID string, paid money.Paise, now time.Time) (o Order, applied bool, err error) {
	return s.applyOrderTx(ctx, tx, franchiserID, orderID, terms{paid: paid}, now)
}

// ApplyPromisedTx is ApplyTx for an order with a longer price promise in writing: an upgrade keeps the price, credits and start of the
// day of its order.
func (s *Service) ApplyPromisedTx(ctx context.Context, tx *sqlx.Tx, franchiserID, orderID string, now time.Time) (o Order, applied bool, err error) {
	return s.applyOrderTx(ctx, tx, franchiserID, orderID, terms{promised: true}, now)
}

// ApplyDebitTx is ApplyTx for a renewal debited as announced to the customer. Add-ons bought since then do not cause a refund: they last
// to the end of their paid term, and the renewal covers the other add-ons.
func (s *Service) ApplyDebitTx(ctx context.Context, tx *sqlx.Tx, franchiserID, orderID string, now time.Time) (o Order, applied bool, err error) {
	return s.applyOrderTx(ctx, tx, franchiserID, orderID, terms{told: true}, now)
}

// WouldApplyTx reports whether an order paid at now would apply. ApplyTx refuses it if the subscription has changed since, or if its
// price has risen. The caller must own LockTx.
func (s *Service) WouldApplyTx(ctx context.Context, tx *sqlx.Tx, o Order, now time.Time) (bool, error) {
	sub, err := s.store.lockedSubscription(ctx, tx, o.FranchiserID)
	if err != nil || !o.applies(sub) {
		return false, err
	}
	o, _, err = s.repriced(ctx, tx, o, sub, now)
	return err == nil && o.Refusal == "", err
}

// terms are the conditions of applying an order. paid, unless 0, is the whole payment; promised keeps the price of the order's day; told
// applies a renewal although add-ons were bought since.
type terms struct {
	paid           money.Paise
	promised, told bool
}

// applyOrderTx applies an order on the given terms.
func (s *Service) applyOrderTx(ctx context.Context, tx *sqlx.Tx, franchiserID, orderID string, on terms, now time.Time) (o Order, applied bool, err error) {
	if o, err = s.store.order(ctx, tx, franchiserID, orderID); err != nil {
		return o, false, err
	}
	o.promised = on.promised
	if err := s.store.stays(ctx, tx, franchiserID); err != nil {
		if errors.Is(err, ErrErasureScheduled) {
			o.refuse(whyErased, allRefunded)
			err = nil
		}
		return o, false, err
	}
	today := DayOf(now)
	if err := s.store.advanceOne(ctx, tx, franchiserID, today, now); err != nil {
		return o, false, err
	}
	sub, err := s.store.lockedSubscription(ctx, tx, franchiserID)
	if err == nil && on.told && sub != nil {
		o.BaseRevision, err = s.store.withAddOns(ctx, tx, o, *sub)
	}
	if err != nil || !o.applies(sub) {
		return o, false, err
	}
	o, q, err := s.repriced(ctx, tx, o, sub, now)
	if err != nil || o.Refusal != "" {
		return o, false, err
	}
	if on.paid > 0 {
		if o, err = o.discounted(invoice.RegimeOf(s.config.SupplierState, o.Recipient.StateCode, o.Recipient.SEZ), on.paid); err != nil {
			return o, false, err
		}
	}
	if o.Kind == KindAddOn {
		err = s.applyAddOns(ctx, tx, o, *sub, q.units, now)
	} else {
		err = s.applyTerm(ctx, tx, o, sub, q.AddOns, now)
	}
	return o, err == nil, err
}

func (s *Service) applyAddOns(ctx context.Context, tx *sqlx.Tx, o Order, sub Subscription, bought []AddOn, now time.Time) error {
	units := make([]ownedUnit, 0, len(bought))
	for _, a := range bought {
		a.ID = id.New()
		units = append(units, ownedUnit{AddOn: a})
	}
	from := sub.State
	sub.Revision++
	return s.write(ctx, tx, o, sub, from, units, now)
}

func (s *Service) applyTerm(ctx context.Context, tx *sqlx.Tx, o Order, sub *Subscription, ordered []plan.AddOn, now time.Time) error {
	t, anchor := o.termFor(sub, o.pricedOn(now))
	before := Subscription{ID: id.New(), FranchiserID: o.FranchiserID}
	var owned []AddOn
	if sub != nil {
		before = *sub
		var err error
		if owned, err = s.store.addOns(ctx, tx, o.FranchiserID, sub.ID); err != nil {
			return err
		}
	}
	after, err := before.with(o, t, anchor)
	if err != nil {
		return err
	}
	if err := s.write(ctx, tx, o, after, before.State, settleAddOns(owned, ordered, o, t), now); err != nil {
		return err
	}
	if err := s.store.insertTerm(ctx, tx, o, after.ID, t); err != nil {
		return err
	}
	if o.Kind == KindUpgrade {
		if err := s.store.creditOrders(ctx, tx, o); err != nil {
			return err
		}
	}
	if before.Next != nil && after.Next == nil {
		state := OrderCancelled
		if before.Next.ServiceID == o.ServiceID && before.Next.Type == o.Type {
			state = OrderDone
		}
		return s.store.endChange(ctx, tx, o.FranchiserID, before.Next.OrderID, state)
	}
	return nil
}

// write saves the subscription, the paid order, the add-ons and the history event.
func (s *Service) write(ctx context.Context, tx *sqlx.Tx, o Order, sub Subscription, from State, units []ownedUnit, now time.Time) error {
	if err := orderStates().Move(&o.State, OrderPaid); err != nil {
		return err
	}
	if err := s.store.saveSubscription(ctx, tx, sub, now); err != nil {
		return err
	}
	if err := s.store.payOrder(ctx, tx, o, sub.ID, now); err != nil {
		return err
	}
	if err := s.store.saveAddOns(ctx, tx, o, sub.ID, units, now); err != nil {
		return err
	}
	return s.store.insertEvent(ctx, tx, event{sub: sub, kind: string(o.Kind), from: from, orderID: o.ID, at: now})
}

// units returns the order's add-ons, one per unit, as priced.
func (s *Service) units(ctx context.Context, tx *sqlx.Tx, o Order) ([]plan.AddOn, error) {
	if len(o.AddOnIDs) == 0 {
		return nil, nil
	}
	c, err := s.plans.RevisionTx(ctx, tx, o.CatalogueRevision)
	if err != nil {
		return nil, err
	}
	tier, _ := c.Tier(o.ServiceID)
	units := make([]plan.AddOn, 0, len(o.AddOnIDs))
	for _, addOnID := range o.AddOnIDs {
		a, ok := tier.AddOn(addOnID)
		if !ok {
			return nil, errs.Internal(fmt.Errorf("order %s has add-on %s of another tier", o.ID, addOnID))
		}
		units = append(units, a)
	}
	return units, nil
}

// StartTrialTx begins the free trial of a franchiser without a plan: the catalogue's first tier for 14 days. It returns ErrTrialUsed if
// there is or was a plan.
func (s *Service) StartTrialTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) error {
	if err := LockTx(ctx, tx, franchiserID); err != nil {
		return err
	}
	if err := s.RequireNoErasureTx(ctx, tx, franchiserID); err != nil {
		return err
	}
	now := s.clock.Now()
	sub, err := s.store.subscription(ctx, tx, franchiserID)
	if err != nil {
		return err
	}
	if sub != nil {
		return ErrTrialUsed
	}
	c, err := s.plans.FreshTx(ctx, tx)
	if err != nil {
		return err
	}
	today := DayOf(now)
	t := term{From: today, To: today + TrialDays, Status: TermCurrent}
	offer := Offer{Quote: Quote{
		Kind: KindTrial, Tier: c.Plans[0].Tiers[0], Type: plan.TypeMonthly, EffectiveOn: t.From, RenewOn: t.To,
		CatalogueRevision: c.Revision,
	}}
	o := orderOf(offer, franchiserID, OrderScheduled, now)
	if err := s.store.insertOrder(ctx, tx, o, offer); err != nil {
		return err
	}
	after, err := Subscription{ID: id.New(), FranchiserID: franchiserID}.with(o, t, today.DayOfMonth())
	if err != nil {
		return err
	}
	if err := s.write(ctx, tx, o, after, "", nil, now); err != nil {
		return err
	}
	return s.store.insertTerm(ctx, tx, o, after.ID, t)
}

// The customer's texts for a captured payment that bought nothing.
const (
	whyErased   = "This account was to be erased when this payment arrived, so nothing was bought."
	whyGone     = "What this payment was for could not be bought any more when it arrived."
	allRefunded = "All of it is being refunded."
)
