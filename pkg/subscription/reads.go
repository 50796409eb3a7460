package subscription

import (
	"context"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/tenant"
)

// View is a subscription with what it contains today.
type View struct {
	Subscription
	Tier     plan.Tier
	Features []plan.Feature
	// AddOns are those that are in force today, FranchiseLimit is the tier's with the extensions among them.
	AddOns         []AddOn
	FranchiseLimit int
}

// ViewTx reads the franchiser's subscription with what it contains today, nil before the first plan.
func (s *Service) ViewTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (*View, error) {
	sub, err := s.store.subscription(ctx, tx, franchiserID)
	if err != nil || sub == nil {
		return nil, err
	}
	owned, err := s.store.addOns(ctx, tx, franchiserID, sub.ID)
	if err != nil {
		return nil, err
	}
	c, err := s.plans.RevisionTx(ctx, tx, sub.CatalogueRevision)
	if err != nil {
		return nil, err
	}
	return viewOf(*sub, c, owned, DayOf(s.clock.Now())), nil
}

func viewOf(sub Subscription, c *plan.Catalogue, owned []AddOn, today Day) *View {
	tier, _ := c.Tier(sub.ServiceID)
	bought, _ := c.Plan(sub.PlanID)
	v := &View{
		Subscription: sub, Tier: tier, Features: bought.Features, FranchiseLimit: tier.FranchiseLimit, AddOns: []AddOn{},
	}
	for _, a := range owned {
		if a.StartsOn > today {
			continue // begins with the prepaid next term
		}
		v.AddOns = append(v.AddOns, a)
		if a.Key == plan.KeyFranchiseExtension {
			v.FranchiseLimit += a.Limit
		}
	}
	return v
}

// Stores says where a store is reached; pkg/tenant fills it.
type Stores interface {
	Assemble(t tenant.Tenant, custom *tenant.CustomDomain) tenant.Store
}

// Dashboard is what a franchiser has: the plan, the store, and how many franchises that counts.
type Dashboard struct {
	View       *View
	Store      *tenant.Store
	Franchises int
	// Held are payments that staff look at, oldest first.
	Held []HeldPayment
}

// Dashboard reads everything of the dashboard in one round trip; what there is not yet is nil.
func (s *Service) Dashboard(ctx context.Context, franchiserID string, stores Stores) (Dashboard, error) {
	read, err := s.store.dashboard(ctx, franchiserID)
	if err != nil {
		return Dashboard{}, postgres.Error(err)
	}
	d := Dashboard{Franchises: read.Franchises, Held: read.Held}
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
	return d, nil
}

// Now is the present business time, for names of files and the like.
func (s *Service) Now() time.Time { return s.clock.Now() }

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

// AvailableAddOn is an add-on that a subscription can buy, with its price up to the end of what is paid.
type AvailableAddOn struct {
	plan.AddOn
	Payable string
	// PayableValue is the same in rupees, as a number.
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
				if o.AddOnID == a.ID {
					b.Owned++
				}
			}
			list = append(list, b)
		}
		return nil
	})
	return list, err
}

// SetAddOn cancels (renews false) or reactivates an owned add-on from the next billing cycle on, and returns all that
// are owned. It returns errs.NotFound for another's, ErrPlanExpired once the plan is over, ErrAddOnNotRenewed where the
// next term is paid without it.
func (s *Service) SetAddOn(ctx context.Context, franchiserID, ownedID string, renews bool) ([]AddOn, error) {
	var owned []AddOn
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		if err := LockTx(ctx, tx, franchiserID); err != nil {
			return err
		}
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

// mayChange says whether an owned add-on can be cancelled or reactivated today.
func (s Subscription) mayChange(owned []AddOn, ownedID string, renews bool, today Day) error {
	for _, a := range owned {
		if a.ID != ownedID || a.StartsOn > today {
			continue
		}
		switch {
		case s.State.Ended():
			return s.planExpired()
		case renews && !a.Renews && s.Prepaid() && a.PaidUntil < s.PaidUntil:
			return ErrAddOnNotRenewed
		default:
			return nil
		}
	}
	return errs.NotFound()
}

// NextBill is what the coming cycle will contain and cost, as of now.
type NextBill struct {
	Quote
	Subscription Subscription
	// RenewOn is the first day of the coming cycle, PayBy the last day of grace.
	RenewsOn, PayBy Day
	CanRenew        bool
	// ScheduledPlan names the change that is priced in, empty without one.
	ScheduledPlan string
	// Dropped names the cancelled add-ons that end with this cycle.
	Dropped []string
}

// NextBill answers exactly what the renewal will charge, nil where there is nothing to renew: no trial, also one that
// ended, and not what went back.
func (s *Service) NextBill(ctx context.Context, franchiserID string) (*NextBill, error) {
	var bill *NextBill
	err := postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		now := s.clock.Now()
		b, err := s.buyerTx(ctx, tx, franchiserID, now)
		if err != nil || b.Subscription == nil || b.Subscription.Trial ||
			b.Subscription.Revoked && b.Subscription.State.Ended() {
			return err
		}
		bill, err = s.nextBill(ctx, tx, franchiserID, b, now)
		return err
	})
	return bill, err
}

func (s *Service) nextBill(ctx context.Context, tx *sqlx.Tx, franchiserID string, b buyer, now time.Time) (*NextBill, error) {
	c, err := s.plans.FreshTx(ctx, tx)
	if err != nil {
		return nil, err
	}
	sub := *b.Subscription
	p := Pricing{Catalogue: c, Today: DayOf(now), Regime: UnknownPlace, PGChargeBps: s.config.PGChargeBps}
	offer := Offer{Person: b.Person}
	if err := s.taxPlaceTx(ctx, tx, franchiserID, &p, &offer); err != nil {
		return nil, err
	}
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
	bill.Quote, err = QuoteRenewal(p, coming, owned)
	if errors.Is(err, ErrPlanRetired) {
		return nil, nil // what is sold no more has no next bill
	}
	if err != nil {
		return nil, err
	}
	bill.RenewsOn = bill.EffectiveOn
	if sub.changesPlan() {
		bill.ScheduledPlan = bill.Tier.Title()
	}
	return bill, nil
}

// afterPrepaid is the subscription as it will be at the end of the term that is paid ahead.
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

// StandingTx says where the franchiser stands.
func (s *Service) StandingTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (Summary, error) {
	sub, err := s.store.subscription(ctx, tx, franchiserID)
	if err != nil || sub == nil {
		return Summary{}, err
	}
	return Summary{State: sub.State, PaymentStatus: sub.PaymentStatus(), Active: sub.State != StateLapsed}, nil
}

// Message is what a signed-in person is told above the plans, empty for nothing, and whether it is urgent: an end that has come
// or is days away, that of a trial from its first reminder on, not one that was only just begun with.
func (s *Service) Message(ctx context.Context, franchiserID string) (text string, urgent bool, err error) {
	var sub *Subscription
	err = postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		var err error
		sub, err = s.store.subscription(ctx, tx, franchiserID)
		return err
	})
	if err != nil || sub == nil {
		return "", false, err
	}
	if expired := sub.ExpiredMessage(); expired != "" {
		return expired, true, nil
	}
	trialEnds := sub.State == StateTrialing && sub.LastDay()-DayOf(s.clock.Now()) <= firstTrialReminder
	return sub.Notice(), trialEnds || sub.State == StateGrace, nil
}
