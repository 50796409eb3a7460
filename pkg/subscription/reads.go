package subscription

import (
	"context"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/tenant"
)

// Stores returns the address of a store; pkg/tenant implements it.
type Stores interface {
	Assemble(t tenant.Tenant, custom *tenant.CustomDomain) tenant.Store
}

// Dashboard has the franchiser's plan, store, and number of franchises.
type Dashboard struct {
	View       *View
	Store      *tenant.Store
	Franchises int
	// Net is the plan's price of a term after discount, before tax; Charge includes tax.
	Net, Charge money.Paise
	// Held are payments that staff are handling. Confirming are payments without an outcome yet. Both are oldest first.
	Held       []HeldPayment
	Confirming []ConfirmingPayment
	// Beside is the result of the caller's extra expression, nil for NULL.
	Beside []byte
}

// Dashboard reads everything for the dashboard in one round trip; missing parts are nil. beside is an extra SQL expression that does not
// depend on the franchiser.
func (s *Service) Dashboard(ctx context.Context, franchiserID string, stores Stores, beside string) (Dashboard, error) {
	read, err := s.store.dashboard(ctx, franchiserID, beside)
	if err != nil {
		return Dashboard{}, postgres.Error(err)
	}
	d := Dashboard{Franchises: read.Franchises, Held: read.Held, Confirming: read.Confirming, Beside: read.Beside}
	if read.Store != nil {
		store := stores.Assemble(*read.Store, read.Custom)
		d.Store = &store
	}
	if read.Subscription == nil {
		return d, nil
	}
	c, err := s.plans.Revision(ctx, read.Subscription.CatalogueRevision)
	if err != nil {
		return Dashboard{}, err
	}
	d.View = viewOf(*read.Subscription, c, read.AddOns, DayOf(s.clock.Now()))
	if d.View.Change, err = s.currentChange(ctx, *read.Subscription, read.AddOns); err != nil || d.View.Trial {
		return d, err
	}
	now, err := s.plans.Current(ctx)
	if err != nil {
		return d, err
	}
	list, discount := d.View.Tier.Price(d.View.Type)
	d.Net = list - discount
	d.Charge = *s.withTax(&d.Net, now.GSTRates, DayOf(s.clock.Now()))
	return d, nil
}

// Billed is how the plan is billed, in the specification's words: monthly, annually or free trial.
func (s Subscription) Billed() string {
	switch {
	case s.Trial:
		return "free trial"
	case s.Type == plan.TypeYearly:
		return "annually"
	default:
		return "monthly"
	}
}

// AvailableAddOn is an add-on that a subscription can buy, with its price until the end of the paid period.
type AvailableAddOn struct {
	plan.AddOn
	Payable string
	// PayableValue is the payable amount in rupees, as a number.
	PayableValue any
	Owned        int
}

// BuyableAddOns lists the add-ons of the subscription's tier at the prices of its term, or errs.NotFound.
func (s *Service) BuyableAddOns(ctx context.Context, franchiserID, subscriptionID string) ([]AvailableAddOn, error) {
	list := []AvailableAddOn{}
	err := postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		now := s.clock.Now()
		p := Pricing{Today: DayOf(now)}
		view, err := s.ViewTx(ctx, tx, franchiserID)
		if err == nil && view != nil && view.overdue(p.Today) {
			if err = s.store.advanceOne(ctx, tx, franchiserID, p.Today, now); err == nil {
				view, err = s.ViewTx(ctx, tx, franchiserID)
			}
		}
		if err != nil {
			return err
		}
		if view == nil || view.ID != subscriptionID {
			return errs.NotFound()
		}
		next, err := s.nextTerm(ctx, tx, view.Subscription)
		if err != nil {
			return err
		}
		owned, err := s.store.addOns(ctx, tx, franchiserID, subscriptionID)
		if err != nil {
			return err
		}
		for _, a := range view.Tier.AddOns {
			payable := a.Price(view.Type)
			if view.State == StateActive {
				payable = p.PriceToEnd(a, next, view.Subscription, owned)
			}
			b := AvailableAddOn{AddOn: a, Payable: payable.Display(), PayableValue: payable.Rupees()}
			for _, o := range view.AddOns {
				if o.AddOnID == a.ID || o.Once && o.Key == a.Key {
					b.Owned++
				}
			}
			list = append(list, b)
		}
		return nil
	})
	return list, err
}

// SetAddOn cancels (renews false) or reactivates an owned add-on from the next billing cycle on, and returns all owned add-ons. It
// returns errs.NotFound for another franchiser's, ErrPlanExpired after the plan ended, and ErrAddOnNotRenewed if the next term is paid
// without it.
func (s *Service) SetAddOn(ctx context.Context, franchiserID, ownedID string, renews bool) ([]AddOn, error) {
	var owned []AddOn
	err := InLockedTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		now := s.clock.Now()
		today := DayOf(now)
		if err := s.store.advanceOne(ctx, tx, franchiserID, today, now); err != nil {
			return err
		}
		sub, err := s.store.lockedSubscription(ctx, tx, franchiserID)
		if err != nil {
			return err
		}
		if sub == nil {
			return errs.NotFound()
		}
		if owned, err = s.store.addOns(ctx, tx, franchiserID, sub.ID); err != nil {
			return err
		}
		if err := sub.mayChange(owned, ownedID, renews, today); err != nil {
			return err
		}
		if err := s.store.setAddOn(ctx, tx, franchiserID, ownedID, renews); err != nil {
			return err
		}
		if err := s.followChange(ctx, tx, *sub, owned, ownedID, renews, now); err != nil {
			return err
		}
		view, err := s.ViewTx(ctx, tx, franchiserID)
		if err != nil {
			return err
		}
		owned = view.AddOns
		kind := "add_on_reactivated"
		if !renews {
			kind = "add_on_cancelled"
		}
		return s.store.insertEvent(ctx, tx, event{sub: *sub, kind: kind, from: sub.State, at: now})
	})
	return owned, err
}

// mayChange reports whether an owned add-on can be cancelled or reactivated today.
func (s Subscription) mayChange(owned []AddOn, ownedID string, renews bool, today Day) error {
	for _, a := range owned {
		if a.ID != ownedID || a.StartsOn > today {
			continue
		}
		switch {
		case s.State.Ended():
			return s.planExpired()
		case a.Once:
			return ErrChargedOnce
		case renews && !a.Renews && s.Prepaid() && a.PaidUntil < s.PaidUntil:
			return ErrAddOnNotRenewed
		default:
			return nil
		}
	}
	return errs.NotFound()
}

// NextBill is the content and price of the next cycle, as of now.
type NextBill struct {
	Quote
	Subscription Subscription
	// RenewOn is the first day of the next cycle, PayBy the last day of grace.
	RenewsOn, PayBy Day
	CanRenew        bool
	// ScheduledPlan is the name of the scheduled plan included in the price, or empty.
	ScheduledPlan string
	// Dropped names the add-ons that end with this cycle: cancelled ones, and those that the scheduled change drops.
	Dropped []string
}

// NextBill returns the exact charge of the renewal, or nil: for a trial, even an ended one, and for a refunded plan.
func (s *Service) NextBill(ctx context.Context, franchiserID string) (*NextBill, error) {
	var bill *NextBill
	err := postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		var err error
		bill, err = s.nextBillTx(ctx, tx, franchiserID)
		return err
	})
	return bill, err
}

func (s *Service) nextBillTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (*NextBill, error) {
	now := s.clock.Now()
	b, err := s.buyerTx(ctx, tx, franchiserID, now)
	if err != nil || b.Subscription == nil || b.Subscription.Trial ||
		b.Subscription.Revoked && b.Subscription.State.Ended() {
		return nil, err
	}
	return s.nextBill(ctx, tx, b, now)
}

func (s *Service) nextBill(ctx context.Context, tx *sqlx.Tx, b Buyer, now time.Time) (*NextBill, error) {
	c, err := s.plans.FreshTx(ctx, tx)
	if err != nil {
		return nil, err
	}
	sub := *b.Subscription
	p := Pricing{Catalogue: c, Today: DayOf(now), Regime: UnknownPlace, PGChargeBps: s.config.PGChargeBps}
	offer := Offer{Person: b.Person}
	s.taxPlace(b, &p, &offer)
	bill := &NextBill{Subscription: sub, PayBy: sub.PayBy(), CanRenew: sub.CanRenew(p.Today), Dropped: []string{}}
	coming, owned := sub, b.AddOns
	if sub.Prepaid() {
		if coming, owned, err = s.afterPrepaid(ctx, tx, sub, owned); err != nil {
			return nil, err
		}
	}
	for _, a := range owned {
		if !a.Renews {
			bill.Dropped = append(bill.Dropped, a.Name)
		}
	}
	if !bill.CanRenew { // it is paid and invoiced on the first day of its window at the earliest
		p.Paid = max(p.Today, coming.RenewableFrom())
	}
	bill.Quote, err = QuoteRenewal(p, coming, owned)
	if errors.Is(err, ErrPlanRetired) {
		return nil, nil // a plan that is no longer sold has no next bill
	}
	if err != nil {
		return nil, err
	}
	bill.RenewsOn = bill.EffectiveOn
	if sub.changesPlan() {
		bill.ScheduledPlan = bill.Tier.Title()
	}
	if change := sub.scheduledChange(c, owned); change != nil {
		for _, a := range change.Dropped {
			bill.Dropped = append(bill.Dropped, a.Name)
		}
	}
	return bill, nil
}

// afterPrepaid returns the subscription as it will be at the end of the prepaid next term.
func (s *Service) afterPrepaid(ctx context.Context, tx *sqlx.Tx, sub Subscription, owned []AddOn) (Subscription, []AddOn, error) {
	next, err := s.store.scheduledTerm(ctx, tx, sub.FranchiserID, sub.ID)
	if err != nil {
		return sub, nil, err
	}
	sub.ServiceID, sub.Type = next.ServiceID, next.Type
	var kept []AddOn
	for _, a := range owned {
		if a.PaidUntil == sub.PaidUntil {
			kept = append(kept, a)
		}
	}
	return sub, kept, nil
}

// SummaryTx returns the franchiser's subscription for other domains, zero before the first plan.
func (s *Service) SummaryTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (Summary, error) {
	sub, err := s.store.subscription(ctx, tx, franchiserID)
	if err != nil || sub == nil {
		return Summary{}, err
	}
	return Summary{State: sub.State, PaymentStatus: sub.PaymentStatus(), Active: sub.State != StateLapsed}, nil
}

// Message is the message above the plans for a signed-in user, or empty, and its tone.
func (s *Service) Message(ctx context.Context, franchiserID string) (text string, tone Tone, err error) {
	var sub *Subscription
	err = postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		var err error
		sub, err = s.store.subscription(ctx, tx, franchiserID)
		return err
	})
	if err != nil || sub == nil {
		return "", ToneInfo, err
	}
	tone = sub.Tone(DayOf(s.clock.Now()))
	if expired := sub.ExpiredMessage(); expired != "" {
		return expired, tone, nil
	}
	if sub.State == StateActive && sub.changesPlan() {
		change, err := s.currentChange(ctx, *sub, nil)
		if err != nil || change == nil {
			return sub.Notice(), tone, err
		}
		return "Your plan changes to " + change.Tier.Title() + " on " + change.On.Human() + ".", tone, nil
	}
	return sub.Notice(), tone, nil
}
