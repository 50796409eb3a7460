package subscription

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// repriced returns the order at its price on the day of capture: a shorter rest of the term gives an upgrade less credit. Catalogue,
// recipient and content stay those of the order's day; the tax rate is today's. If the price exceeds the requested amount, or the order
// can no longer be sold, Refusal explains this to the customer, and the order must have no effect.
func (s *Service) repriced(ctx context.Context, tx *sqlx.Tx, o Order, sub *Subscription, now time.Time) (Order, Quote, error) {
	q, err := s.requote(ctx, tx, o, sub, now)
	switch kind := errs.KindOf(err); {
	case err != nil && (kind == errs.KindConflict || kind == errs.KindInvalid):
		o.refuse(whyGone, allRefunded)
		return o, q, nil
	case err != nil:
		return o, q, err
	case len(q.Lines) != len(o.Lines) || q.Payable() < 1:
		o.refuse(whyGone, allRefunded)
		return o, q, nil
	case q.Payable() > o.Payable():
		o.refuse(fmt.Sprintf("On the day this payment arrived, %s was due instead of %s.", q.Payable().Display(), o.Payable().Display()),
			"Nothing was changed and all of it is being refunded. Please order again.")
		return o, q, nil
	}
	o.Lines, o.Totals, o.Total, o.PGCharge = q.Lines, q.Totals, q.Totals.Total, q.PGCharge()
	o.Credits, o.EffectiveOn, o.RenewOn = q.Credits, q.EffectiveOn, q.RenewOn
	return o, q, nil
}

// upgradePriceHolds is how long an upgrade keeps the price of its order. Only upgrades get dearer from day to day, because less of the
// present term is unused; all other prices fall or stay the same.
const upgradePriceHolds = time.Hour

// pricedOn returns the day whose prices apply to an order captured now.
func (o Order) pricedOn(now time.Time) Day {
	if o.Kind == KindUpgrade && (o.promised || now.Sub(o.CreatedAt) < upgradePriceHolds) {
		return DayOf(o.CreatedAt)
	}
	return DayOf(now)
}

// requote prices the content of an order at a given moment.
func (s *Service) requote(ctx context.Context, tx *sqlx.Tx, o Order, sub *Subscription, at time.Time) (Quote, error) {
	day := o.pricedOn(at)
	c, err := s.plans.RevisionTx(ctx, tx, o.CatalogueRevision)
	if err != nil {
		return Quote{}, err
	}
	tier, ok := c.Tier(o.ServiceID)
	if !ok {
		return Quote{}, errs.Internal(fmt.Errorf("order %s is for tier %s, which revision %d does not have", o.ID, o.ServiceID, c.Revision))
	}
	now, err := s.plans.FreshTx(ctx, tx)
	if err != nil {
		return Quote{}, err
	}
	p := Pricing{
		Catalogue: c, Rates: now.GSTRates, Today: day, Paid: DayOf(at), PlaceKnown: true, PGChargeBps: s.config.PGChargeBps,
		Regime: invoice.RegimeOf(s.config.SupplierState, o.Recipient.StateCode, o.Recipient.SEZ),
	}
	if o.Kind == KindAddOn {
		return s.requoteAddOns(ctx, tx, p, o, tier, *sub)
	}
	units, err := s.units(ctx, tx, o)
	if err != nil {
		return Quote{}, err
	}
	t, anchor := o.termFor(sub, day)
	q := Quote{Kind: o.Kind, Tier: tier, Type: o.Type, AddOns: units, EffectiveOn: t.From, BaseRevision: o.BaseRevision}
	if sub != nil {
		owned, err := s.store.addOns(ctx, tx, o.FranchiserID, sub.ID)
		if err != nil {
			return Quote{}, err
		}
		q.paidOnce = ownedOnce(owned)
	}
	if o.Kind != KindUpgrade {
		return p.whole(q, anchor)
	}
	if q.Credits, err = s.CreditsTx(ctx, tx, o.FranchiserID, day); err != nil {
		return Quote{}, err
	}
	return p.whole(q, anchor)
}

func (s *Service) requoteAddOns(ctx context.Context, tx *sqlx.Tx, p Pricing, o Order, tier plan.Tier, sub Subscription) (Quote, error) {
	next, err := s.nextTerm(ctx, tx, sub)
	if err != nil {
		return Quote{}, err
	}
	owned, err := s.store.addOns(ctx, tx, o.FranchiserID, sub.ID)
	if err != nil {
		return Quote{}, err
	}
	return QuoteAddOns(p, tier, next, o.AddOnIDs, sub, owned)
}

// tierOf returns the running plan with the prices and limits of its term.
func (s *Service) tierOf(ctx context.Context, tx *sqlx.Tx, sub Subscription) (plan.Tier, *plan.Catalogue, error) {
	c, err := s.plans.RevisionTx(ctx, tx, sub.CatalogueRevision)
	if err != nil {
		return plan.Tier{}, nil, err
	}
	tier, ok := c.Tier(sub.ServiceID)
	if !ok {
		return plan.Tier{}, nil, errs.Internal(fmt.Errorf("tier %s is not in catalogue revision %d", sub.ServiceID, c.Revision))
	}
	return tier, c, nil
}

// nextTerm returns the prepaid next term at the prices paid for it, or nil.
func (s *Service) nextTerm(ctx context.Context, tx *sqlx.Tx, sub Subscription) (*NextTerm, error) {
	if !sub.Prepaid() {
		return nil, nil // having no next term is not an error
	}
	t, err := s.store.scheduledTerm(ctx, tx, sub.FranchiserID, sub.ID)
	if err != nil {
		return nil, err
	}
	c, err := s.plans.RevisionTx(ctx, tx, t.CatalogueRevision)
	if err != nil {
		return nil, err
	}
	tier, ok := c.Tier(t.ServiceID)
	if !ok {
		return nil, errs.Internal(fmt.Errorf("tier %s is not in catalogue revision %d", t.ServiceID, c.Revision))
	}
	return &NextTerm{Tier: tier, Type: t.Type}, nil
}
