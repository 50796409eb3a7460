package subscription

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/address"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// Addresses gives the business address that decides the tax; pkg/address fills it.
type Addresses interface {
	BillingTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (address.BillingAddress, error)
}

// Payments says what came of the payments of orders; pkg/payment fills it.
type Payments interface {
	// PaidOrdersTx names the payment by which each of the orders was paid, by order.
	PaidOrdersTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, orderIDs []string) (map[string]string, error)
	// GivenBackTx are the refunds of the payments that are under way or were taken by a bank; the one with the id except counts as
	// not made.
	GivenBackTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, paymentIDs []string, except string) ([]invoice.GivenBack, error)
}

// Config is what the operator decides.
type Config struct {
	// SupplierState is the GST code of the operator's State.
	SupplierState invoice.StateCode
	// PGChargeBps is the surcharge for the gateway on the charge before tax, in basis points.
	PGChargeBps int64
}

// Service is what can be done with subscriptions.
type Service struct {
	db        *sqlx.DB
	jobs      *queue.Inserter
	clock     clock.Clock
	plans     *plan.Service
	addresses Addresses
	payments  Payments
	config    Config
	logger    *slog.Logger
	store     store
}

// NewService returns a service over the pool.
func NewService(db *sqlx.DB, jobs *queue.Inserter, clk clock.Clock, plans *plan.Service, addresses Addresses, payments Payments,
	config Config, logger *slog.Logger,
) *Service {
	return wiring.Complete(&Service{
		db: db, jobs: jobs, clock: clk, plans: plans, addresses: addresses, payments: payments, config: config,
		logger: logger, store: store{db: db},
	})
}

// PurchaseIntent is what somebody wants to buy: a plan, add-ons for a subscription, or its renewal; one of the three.
type PurchaseIntent struct {
	Plan           *Selection
	SubscriptionID string
	AddOnIDs       []string
	Renew          bool
}

// LockTx sets the franchiser of the transaction and makes all that moves its money take turns until the transaction
// ends: checkout, settlement and changes of a subscription never run twice at once for one franchiser.
func LockTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) error {
	if _, err := tx.ExecContext(ctx, lockSQL, franchiserID); err != nil {
		return fmt.Errorf("lock franchiser: %w", err)
	}
	return nil
}

// StaysTx returns ErrErasureScheduled where the franchiser's account is to be erased: nothing is sold to it then.
func (s *Service) StaysTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) error {
	return s.store.stays(ctx, tx, franchiserID)
}

// QuoteTx prices the wish as of now. Another franchiser's subscription does not exist: errs.NotFound.
func (s *Service) QuoteTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, w PurchaseIntent, now time.Time) (Offer, error) {
	p := Pricing{Today: DayOf(now), Regime: UnknownPlace, PGChargeBps: s.config.PGChargeBps}
	b, err := s.buyerTx(ctx, tx, franchiserID, now)
	if err != nil {
		return Offer{}, err
	}
	if p.Catalogue, err = s.plans.RevisionTx(ctx, tx, b.Catalogue); err != nil {
		return Offer{}, err
	}
	offer := Offer{Subscription: b.Subscription, Person: b.Person, open: b.Open}
	if err := s.taxPlaceTx(ctx, tx, franchiserID, &p, &offer); err != nil {
		return Offer{}, err
	}
	offer.Quote, err = s.quote(ctx, tx, p, w, b)
	return offer, err
}

// buyerTx reads all that a quote needs. A subscription that time has overtaken, because no sweep has run since, is brought
// to where it is today first: nothing is sold for days that are over.
func (s *Service) buyerTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, now time.Time) (buyer, error) {
	today := DayOf(now)
	b, err := s.store.buyer(ctx, tx, franchiserID, today)
	if err != nil || b.Subscription == nil || !b.Subscription.overdue(today) {
		return b, err
	}
	if err := s.store.advanceOne(ctx, tx, franchiserID, today, now); err != nil {
		return b, err
	}
	return s.store.buyer(ctx, tx, franchiserID, today)
}

// taxPlaceTx finds out where the recipient is, if that is known yet.
func (s *Service) taxPlaceTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, p *Pricing, o *Offer) error {
	billing, err := s.addresses.BillingTx(ctx, tx, franchiserID)
	if errors.Is(err, address.ErrMissing) {
		return nil
	}
	if err != nil {
		return err
	}
	o.Recipient = invoice.Recipient{
		Name:      invoice.RecipientName(billing.LegalName, o.Person.FirstName, o.Person.LastName),
		Address:   billing.Lines,
		StateCode: billing.PlaceOfSupply,
		GSTIN:     billing.GSTIN,
	}
	p.Regime, p.PlaceKnown = invoice.RegimeOf(s.config.SupplierState, billing.PlaceOfSupply, false), true
	return nil
}

func (s *Service) quote(ctx context.Context, tx *sqlx.Tx, p Pricing, w PurchaseIntent, b buyer) (Quote, error) {
	if w.Plan != nil {
		paid := b.Paid
		if len(paid) > 0 { // of what was given back nothing is credited
			var err error
			if paid, err = s.paidAndKeptTx(ctx, tx, b.Subscription.FranchiserID, p.Today); err != nil {
				return Quote{}, err
			}
		}
		return QuotePlan(p, *w.Plan, b.Subscription, paid)
	}
	if b.Subscription == nil || b.Subscription.ID != w.SubscriptionID {
		return Quote{}, errs.NotFound()
	}
	sub := *b.Subscription
	if w.Renew {
		if sub.Trial {
			return Quote{}, ErrTrialRenewal
		}
		if !sub.CanRenew(p.Today) {
			return Quote{}, ErrNothingToRenew
		}
		return QuoteRenewal(p, sub, b.AddOns)
	}
	tier, c, err := s.tierOf(ctx, tx, sub)
	if err != nil {
		return Quote{}, err
	}
	p.Rates, p.Catalogue = p.Catalogue.GSTRates, c // prices of the term until the renewal, tax as it is now
	next, err := s.nextTerm(ctx, tx, sub)
	if err != nil {
		return Quote{}, err
	}
	return QuoteAddOns(p, tier, next, w.AddOnIDs, sub, b.AddOns)
}

// PublicQuote prices a plan for anybody, with one line of GST because the place of supply is open.
func (s *Service) PublicQuote(ctx context.Context, sel Selection) (Quote, error) {
	catalogue, err := s.plans.Current(ctx)
	if err != nil {
		return Quote{}, err
	}
	return QuotePlan(Pricing{
		Catalogue: catalogue, Today: DayOf(s.clock.Now()), Regime: UnknownPlace, PGChargeBps: s.config.PGChargeBps,
	}, sel, nil, nil)
}

// OrderTx returns the open order of the offer, a fresh one in place of any other where there is none. A change that
// costs nothing is scheduled at once. The caller holds LockTx.
func (s *Service) OrderTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, offer Offer, now time.Time) (Order, error) {
	if offer.Kind == KindDowngrade {
		return s.scheduleTx(ctx, tx, franchiserID, offer, now)
	}
	if existing := offer.OpenOrderID(); existing != "" {
		return s.store.order(ctx, tx, franchiserID, existing)
	}
	o := orderOf(offer, franchiserID, OrderOpen, now)
	return o, s.store.insertOrder(ctx, tx, o, offer)
}

// scheduleTx notes a change for the coming renewal; the one that was noted before is cancelled.
func (s *Service) scheduleTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, offer Offer, now time.Time) (Order, error) {
	sub := *offer.Subscription
	if sub.Next != nil {
		if err := s.store.endChange(ctx, tx, franchiserID, sub.Next.OrderID, OrderCancelled); err != nil {
			return Order{}, err
		}
	}
	o := orderOf(offer, franchiserID, OrderScheduled, now)
	if err := s.store.insertOrder(ctx, tx, o, offer); err != nil {
		return Order{}, err
	}
	sub.Next = &Change{ServiceID: o.ServiceID, Type: o.Type, AddOnIDs: o.AddOnIDs, OrderID: o.ID}
	if err := s.store.saveSubscription(ctx, tx, sub, now); err != nil {
		return Order{}, err
	}
	return o, s.store.insertEvent(ctx, tx, event{sub: sub, kind: "change_scheduled", from: sub.State, orderID: o.ID, at: now})
}

func orderOf(offer Offer, franchiserID string, state OrderState, now time.Time) Order {
	o := Order{
		ID: id.New(), FranchiserID: franchiserID, Kind: offer.Kind, State: state, BaseRevision: offer.BaseRevision,
		CatalogueRevision: offer.CatalogueRevision, PlanID: offer.Tier.PlanID, ServiceID: offer.Tier.ID,
		PlanName: offer.Tier.PlanName, ServiceName: offer.Tier.Name, Type: offer.Type, AddOnIDs: offer.AddOnIDs(),
		EffectiveOn: offer.EffectiveOn, RenewOn: offer.RenewOn, Recipient: offer.Recipient, Total: offer.Totals.Total, Totals: offer.Totals,
		PGCharge: offer.PGCharge(), CreatedAt: now, Lines: offer.Lines, Credits: offer.Credits,
	}
	if offer.Subscription != nil {
		o.SubscriptionID = offer.Subscription.ID
	}
	return o
}

// FindOrderTx returns an order of the franchiser with its lines, or errs.NotFound.
func (s *Service) FindOrderTx(ctx context.Context, tx *sqlx.Tx, franchiserID, orderID string) (Order, error) {
	return s.store.order(ctx, tx, franchiserID, orderID)
}

// StandingTx says where the franchiser stands.
func (s *Service) StandingTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (Summary, error) {
	sub, err := s.store.subscription(ctx, tx, franchiserID)
	if err != nil || sub == nil {
		return Summary{}, err
	}
	return Summary{State: sub.State, PaymentStatus: sub.PaymentStatus(), Active: sub.State != StateLapsed}, nil
}

// urgentTrialDays is from how many days before its end on that of a trial is urgent; the first reminder goes out then.
const urgentTrialDays = 3

// Message is what a signed-in person is told above the plans, empty for nothing, and whether it is urgent: an end that has come
// or is days away, not one that was only just begun with.
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
	trialEnds := sub.State == StateTrialing && sub.PaidUntil-DayOf(s.clock.Now()) <= urgentTrialDays
	return sub.Notice(), trialEnds || sub.State == StateGrace, nil
}
