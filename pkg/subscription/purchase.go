package subscription

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// QuoteTx prices the intent as of now. It returns errs.NotFound for another franchiser's subscription.
func (s *Service) QuoteTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, w PurchaseIntent, now time.Time) (Offer, error) {
	b, err := s.store.buyer(ctx, tx, franchiserID, DayOf(now))
	if err != nil {
		return Offer{}, err
	}
	return s.QuoteBuyerTx(ctx, tx, franchiserID, b, w, now)
}

// QuoteBuyerTx is QuoteTx for a buyer that the transaction has read.
func (s *Service) QuoteBuyerTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, b Buyer, w PurchaseIntent, now time.Time,
) (Offer, error) {
	p := Pricing{Today: DayOf(now), Regime: UnknownPlace, PGChargeBps: s.config.PGChargeBps}
	b, err := s.upToDateTx(ctx, tx, franchiserID, b, now)
	if err != nil {
		return Offer{}, err
	}
	if p.Catalogue, err = s.plans.RevisionTx(ctx, tx, b.Catalogue); err != nil {
		return Offer{}, err
	}
	offer := Offer{Subscription: b.Subscription, Person: b.Person, open: b.Open}
	s.taxPlace(b, &p, &offer)
	offer.Quote, err = s.quote(ctx, tx, p, w, b)
	return offer, err
}

// buyerTx reads everything that a quote needs, as upToDateTx leaves it.
func (s *Service) buyerTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, now time.Time) (Buyer, error) {
	b, err := s.store.buyer(ctx, tx, franchiserID, DayOf(now))
	if err != nil {
		return b, err
	}
	return s.upToDateTx(ctx, tx, franchiserID, b, now)
}

// upToDateTx advances a subscription that no sweep has advanced yet, and reads the buyer again, so that no past days are sold. It returns
// errs.NotFound for a deleted franchiser.
func (s *Service) upToDateTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, b Buyer, now time.Time) (Buyer, error) {
	if !b.known {
		return b, errs.NotFound()
	}
	today := DayOf(now)
	if b.Subscription == nil || !b.Subscription.overdue(today) {
		return b, nil
	}
	if err := s.store.advanceOne(ctx, tx, franchiserID, today, now); err != nil {
		return b, err
	}
	return s.store.buyer(ctx, tx, franchiserID, today)
}

// taxPlace sets the place of supply and the recipient if the address is known.
func (s *Service) taxPlace(b Buyer, p *Pricing, o *Offer) {
	billing := b.Billing
	if billing == nil {
		return
	}
	o.Recipient = invoice.Recipient{
		Name:      invoice.RecipientName(billing.LegalName, o.Person.FirstName, o.Person.LastName),
		Address:   billing.Lines,
		StateCode: billing.PlaceOfSupply,
		GSTIN:     billing.GSTIN,
		Also:      o.Person.DocumentLanguage,
	}
	p.Regime, p.PlaceKnown = invoice.RegimeOf(s.config.SupplierState, billing.PlaceOfSupply, false), true
}

func (s *Service) quote(ctx context.Context, tx *sqlx.Tx, p Pricing, w PurchaseIntent, b Buyer) (Quote, error) {
	if w.Plan != nil {
		paid := b.Paid
		if len(paid) > 0 { // refunded parts are not credited
			var err error
			if paid, err = s.paidAndKeptTx(ctx, tx, b.Subscription.FranchiserID, p.Today); err != nil {
				return Quote{}, err
			}
		}
		return QuotePlan(p, w.Plan.keeping(b.AddOns), b.Subscription, paid)
	}
	if b.Subscription == nil || b.Subscription.ID != w.SubscriptionID {
		return Quote{}, errs.NotFound()
	}
	sub := *b.Subscription
	if w.Renew {
		if w.Term != 0 && (sub.RenewOn != w.Term || sub.PaidUntil != w.Term) {
			return Quote{}, ErrPayLinkDone
		}
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
	p.Rates, p.Catalogue = p.Catalogue.GSTRates, c // prices of the term until the renewal, tax as of today
	next, err := s.nextTerm(ctx, tx, sub)
	if err != nil {
		return Quote{}, err
	}
	return QuoteAddOns(p, tier, next, w.AddOnIDs, sub, b.AddOns)
}

// PublicQuote prices a plan for anonymous visitors, with a single line of GST because the place of supply is unknown.
func (s *Service) PublicQuote(ctx context.Context, sel Selection) (Quote, error) {
	catalogue, err := s.plans.Current(ctx)
	if err != nil {
		return Quote{}, err
	}
	return QuotePlan(Pricing{
		Catalogue: catalogue, Today: DayOf(s.clock.Now()), Regime: UnknownPlace, PGChargeBps: s.config.PGChargeBps,
	}, sel, nil, nil)
}

// OrderTx returns the open order of the offer, or creates it in place of any other open order. A change that costs nothing is scheduled
// immediately. The caller must own LockTx.
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

// scheduleTx schedules a change for the next renewal and cancels the previously scheduled one.
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

// FindOrderTx returns an order of the franchiser with its lines, or errs.NotFound.
func (s *Service) FindOrderTx(ctx context.Context, tx *sqlx.Tx, franchiserID, orderID string) (Order, error) {
	return s.store.order(ctx, tx, franchiserID, orderID)
}
