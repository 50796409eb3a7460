package subscription

import (
	"fmt"

	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// NextTerm is the prepaid next term: its tier at the prices paid, and its billing period.
type NextTerm struct {
	Tier plan.Tier
	Type plan.Type
}

// QuoteAddOns prices add-ons for the rest of the paid period: the present term by day and, if paid, the next term by its own plan, type
// and catalogue. tier is the running plan's at the prices of its term; next is nil unless the subscription is Prepaid. An add-on is sold
// only until the end of the present term if the next plan does not sell it, or already includes a single-unit one. It returns
// ErrPlanExpired after the term, ErrTrialAddOns during the trial, and ErrAddOnOwned for a second unit of a single-unit add-on.
func QuoteAddOns(p Pricing, tier plan.Tier, next *NextTerm, ids []string, sub Subscription, owned []AddOn) (Quote, error) {
	if err := sub.takesAddOns(); err != nil {
		return Quote{}, err
	}
	var v errs.Validation
	v.Check(len(ids) > 0, "add_ons_service_id", "Choose at least one add-on.")
	addOns := resolveAddOns(&v, tier, ids, nil)
	if err := v.Err(); err != nil {
		return Quote{}, err
	}
	q := Quote{
		Kind: KindAddOn, Tier: tier, Type: sub.Type, AddOns: addOns, BaseRevision: sub.Revision,
		EffectiveOn: p.Today, RenewOn: sub.RenewOn,
	}
	for _, a := range addOns {
		if ownedOnce(owned)[a.Key] || a.SingleUnit() && ownedNow(owned, a, p.Today) {
			return Quote{}, ErrAddOnOwned
		}
		lines, units := p.restOf(a, next, sub, owned)
		q.Lines, q.units = append(q.Lines, lines...), append(q.units, units...)
		q.RenewOn = max(q.RenewOn, lines[len(lines)-1].To)
	}
	return p.finish(q)
}

// restOf returns the lines and units of one add-on from today on: one for the rest of the term, one for the next term. A one-time add-on
// is a single line at its whole price, with a permanent unit.
func (p Pricing) restOf(a plan.AddOn, next *NextTerm, sub Subscription, owned []AddOn) ([]Line, []AddOn) {
	if a.OneTime() {
		line := Line{Kind: LineAddOn, AddOnID: a.ID, SAC: a.SAC, Quantity: 1, From: p.Today, Label: a.Name, Amount: a.Once}
		line.chargeOnce()
		return []Line{line}, []AddOn{unitOf(a, sub.Type, p.Today, sub.PaidUntil)}
	}
	lines := []Line{{
		Kind: LineAddOn, AddOnID: a.ID, SAC: a.SAC, Quantity: 1, From: p.Today, To: sub.RenewOn,
		Label:  fmt.Sprintf("%s, %d of %d days", a.Name, sub.RenewOn-p.Today, sub.RenewOn-sub.StartsOn),
		Amount: a.Price(sub.Type).Prorate(int64(sub.RenewOn-p.Today), int64(sub.RenewOn-sub.StartsOn)),
	}}
	units := []AddOn{unitOf(a, sub.Type, p.Today, sub.RenewOn)}
	if !sub.Prepaid() {
		return lines, units
	}
	units[0].Renews = false // the next term has another unit, or no unit
	coming, sold := next.addOn(a)
	if !sold || coming.SingleUnit() && ownedNext(owned, coming, sub) {
		return lines, units
	}
	lines = append(lines, Line{
		Kind: LineAddOn, AddOnID: coming.ID, SAC: coming.SAC, Quantity: 1, From: sub.RenewOn, To: sub.PaidUntil,
		Label: coming.Name + ", next term", Amount: coming.Price(next.Type),
	})
	if coming.ID == a.ID && coming.Limit == a.Limit { // one unit that continues, as after a renewal
		return lines, []AddOn{unitOf(coming, next.Type, p.Today, sub.PaidUntil)}
	}
	return lines, append(units, unitOf(coming, next.Type, sub.RenewOn, sub.PaidUntil))
}

func unitOf(a plan.AddOn, t plan.Type, from, to Day) AddOn {
	return AddOn{
		AddOnID: a.ID, Key: a.Key, Name: a.Name, Limit: a.Limit, Term: a.Price(t), StartsOn: from, PaidUntil: to, Renews: true, Once: a.OneTime(),
	}
}

// addOn returns the same add-on as the next term's plan sells it, if it does.
func (n *NextTerm) addOn(a plan.AddOn) (plan.AddOn, bool) {
	if n == nil {
		return plan.AddOn{}, false
	}
	for _, coming := range n.Tier.AddOns {
		if coming.Key == a.Key {
			return coming, true
		}
	}
	return plan.AddOn{}, false
}

// PriceToEnd is the add-on's price from today to the end of the paid period, before tax. If the next term has the add-on or does not sell
// it, the price is for the present term.
func (p Pricing) PriceToEnd(a plan.AddOn, next *NextTerm, sub Subscription, owned []AddOn) money.Paise {
	lines, _ := p.restOf(a, next, sub, owned)
	var sum money.Paise
	for _, l := range lines {
		sum += l.Amount
	}
	return sum
}

func (s Subscription) takesAddOns() error {
	switch {
	case s.Trial, s.State == StateTrialing:
		return ErrTrialAddOns
	case s.State == StateActive:
		return nil
	default:
		return s.planExpired()
	}
}

// ownedNow reports whether a unit of the add-on is in force today, not only from the next term on.
func ownedNow(owned []AddOn, a plan.AddOn, today Day) bool {
	for _, o := range owned {
		if o.AddOnID == a.ID && o.StartsOn <= today {
			return true
		}
	}
	return false
}

// ownedNext reports whether the paid next term has the add-on.
func ownedNext(owned []AddOn, coming plan.AddOn, sub Subscription) bool {
	for _, o := range owned {
		if o.AddOnID == coming.ID && o.PaidUntil > sub.RenewOn {
			return true
		}
	}
	return false
}
