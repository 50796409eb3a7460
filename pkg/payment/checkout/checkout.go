package checkout

import (
	"context"
	"log/slog"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/address"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/internal/store"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Preview is a charge that has not been requested yet.
type Preview struct {
	subscription.Offer
	// Open is the session in which exactly this charge can already be paid, or nil.
	Open *payment.Session
	// Debit is an undecided debit that may also pay for this charge, or nil.
	Debit *payment.OpenDebit
	// UPILimit is the limit of one UPI payment if the charge exceeds it, else 0.
	UPILimit money.Paise
	// Franchises is how many outlets the franchiser has that count towards the plan's limit.
	Franchises int
}

// Preview prices a purchase line by line without creating anything; that a session is shown again is noted. It returns ErrHeld while money for the same need is held, and
// subscription.ErrErasureScheduled for an account scheduled for erasure: what cannot be bought is not offered.
func (s *Service) Preview(ctx context.Context, franchiserID string, w subscription.PurchaseIntent) (Preview, error) {
	var p Preview
	var open *payment.Payment
	err := postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		now := s.clock.Now()
		b, err := previewedTx(ctx, tx, franchiserID, now)
		if err != nil {
			return err
		}
		p.Franchises = b.franchises
		if p.Offer, p.Debit, err = s.priceTx(ctx, tx, franchiserID, b, w, now); err != nil {
			return err
		}
		p.UPILimit = payment.UPILimit(p.Payable(), now)
		if order := p.OpenOrderID(); order != "" {
			open, err = store.OpenOf(ctx, tx, franchiserID, order)
		}
		if err != nil || open == nil {
			return err
		}
		return goneOnTx(ctx, tx, *open, now)
	})
	if err != nil || open == nil {
		return p, err
	}
	session, err := s.session(ctx, *open, p.Person, subscription.Order{
		PlanName: p.Tier.PlanName, ServiceName: p.Tier.Name, Kind: p.Kind, Type: p.Type, Recipient: p.Recipient,
	})
	if err != nil { // the price can be shown without the gateway; paying reports that it is unreachable
		s.logger.WarnContext(ctx, "open payment cannot be resumed", slog.String("payment", open.ID), slog.String("error", err.Error()))
		return p, nil
	}
	p.Open = &session
	return p, nil
}

// Requested is the result of a request: the payment session, or nil if nothing is due now.
type Requested struct {
	Session       *payment.Session
	OrderID       string
	TransactionID string
	Amount        money.Paise
}

// Request opens the charge, or resumes an open one for the same purchase, and returns the gateway's session. The gateway's page opens on
// the method of this request, also if the open charge was begun with another: one transaction, so that it cannot be paid twice. PayU refuses
// a transaction only after it succeeded ("Additional Info for Payment APIs", txnid).
// It returns address.ErrMissing without a business address, address.ErrNameMissing without a name for the invoice,
// ErrHeld while money for the same need is held, ErrDebitUndecided while a debit is undecided and the customer does not pay despite
// it, subscription.ErrErasureScheduled for an account scheduled for erasure, ErrPriceChanged if the total differs from the expected one, ErrKeyReused if the key was used for a different request,
// ErrAlreadyPaid if the key's charge has since been paid, and any error of QuoteTx.
func (s *Service) Request(ctx context.Context, franchiserID string, in Input) (Requested, error) {
	if !in.Method.Valid() {
		return Requested{}, errs.Invalid("Choose card, UPI or net banking.").Field("payment_method", "Choose card, UPI or net banking.")
	}
	var c opened
	err := subscription.InLockedTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		var err error
		c, err = s.checkoutTx(ctx, tx, franchiserID, in, s.clock.Now())
		return err
	})
	if err != nil {
		return Requested{}, err
	}
	r := Requested{OrderID: c.order.ID, Amount: c.order.Payable()}
	if c.payment == nil {
		return r, nil
	}
	if in.bearer != nil {
		c.person = in.bearer.person(s.publicURL, c.person.Language)
	}
	session, err := s.sessionFor(ctx, *c.payment, c.person, c.order, in.bearer)
	if err != nil {
		return Requested{}, err
	}
	r.Session, r.TransactionID = &session, c.payment.TransactionID
	return r, nil
}

// opened is the outcome of a request.
type opened struct {
	order   subscription.Order
	payment *payment.Payment
	person  subscription.Person
}

func (s *Service) checkoutTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, in Input, now time.Time) (opened, error) {
	b, err := requestedTx(ctx, tx, franchiserID, in.Key, now)
	if err == nil {
		err = b.buyer.RequireNoErasure()
	}
	if err != nil {
		return opened{}, err
	}
	if b.earlier != nil {
		return s.repeatTx(ctx, tx, franchiserID, in, b, now)
	}
	offer, err := s.offerTx(ctx, tx, franchiserID, in, b, now)
	if err != nil {
		return opened{}, err
	}
	resumed := offer.OpenOrderID()
	c := opened{person: offer.Person}
	if c.order, err = s.subscriptions.OrderTx(ctx, tx, franchiserID, offer, now); err != nil {
		return c, err
	}
	if c.order.Total == 0 {
		return c, saveKeyTx(ctx, tx, franchiserID, in, c.order.ID, "", now)
	}
	if resumed != "" {
		if c.payment, err = store.OpenOf(ctx, tx, franchiserID, resumed); err != nil {
			return c, err
		}
	}
	if c.payment != nil {
		c.payment.Method = in.Method.Within(c.payment.Amount, now)
		if err := resumeTx(ctx, tx, *c.payment, c.payment.Method, now); err != nil {
			return c, err
		}
		return c, saveKeyTx(ctx, tx, franchiserID, in, c.order.ID, c.payment.ID, now)
	}
	c.payment, err = s.beginTx(ctx, tx, c.order, in, now)
	return c, err
}

// offerTx prices the requested purchase, and refuses a purchase that cannot be charged.
func (s *Service) offerTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, in Input, b basis, now time.Time) (subscription.Offer, error) {
	offer, debit, err := s.priceTx(ctx, tx, franchiserID, b, in.Intent, now)
	if err == nil {
		err = refuse(debit, in.DespiteDebit)
	}
	if err != nil {
		return offer, err
	}
	switch {
	case !offer.PlaceKnown() && offer.Totals.Total > 0:
		return offer, address.ErrMissing
	case offer.Recipient.Name == "" && offer.Totals.Total > 0:
		return offer, address.ErrNameMissing
	case in.ExpectedTotal != nil && *in.ExpectedTotal != offer.Payable():
		return offer, ErrPriceChanged.With("expected_total", int64(offer.Payable()))
	}
	return offer, nil
}

// repeatTx returns the outcome of the earlier request with the same key.
func (s *Service) repeatTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, in Input, b basis, now time.Time) (c opened, err error) {
	earlier := b.earlier
	if string(earlier.Request) != string(in.Request[:]) {
		return c, payment.ErrKeyReused
	}
	if c.order, err = s.subscriptions.FindOrderTx(ctx, tx, franchiserID, earlier.OrderID.String); err != nil {
		return c, err
	}
	if !earlier.PaymentID.Valid {
		return c, nil
	}
	p, err := store.Find(ctx, tx, earlier.PaymentID.String)
	if err != nil {
		return c, err
	}
	if !p.State.Received() {
		var debit *payment.OpenDebit
		if debit, err = b.refuseWhileHeld(c.order.Kind); err == nil {
			err = refuse(debit, in.DespiteDebit)
		}
	} else if p.State == payment.StateHeld && !p.Surplus {
		err = held{TransactionID: p.TransactionID, Captured: p.Captured}.err()
	} else {
		err = ErrAlreadyPaid.With("redirect_to", resultPath(p.TransactionID))
	}
	if err != nil {
		return c, err
	}
	p.Method = in.Method.Within(p.Amount, now)
	c.payment, c.person = &p, b.buyer.Person
	return c, goneOnTx(ctx, tx, p, now)
}

// beginTx creates a payment for the order and enqueues its first check.
func (s *Service) beginTx(ctx context.Context, tx *sqlx.Tx, o subscription.Order, in Input, now time.Time) (*payment.Payment, error) {
	p := payment.Payment{
		ID: id.New(), FranchiserID: o.FranchiserID, OrderID: o.ID, TransactionID: payment.NewTransactionID(now),
		Gateway: s.gateways[0].Name(), State: payment.StateCreated, Amount: o.Payable(), Method: in.Method.Within(o.Payable(), now), CreatedAt: now,
	}
	p.NextCheckAt, _ = payment.NextCheck(now, now)
	if err := store.Insert(ctx, tx, p, in.Key, in.Request[:]); err != nil {
		return nil, err
	}
	return &p, store.Schedule(ctx, tx, s.jobs, p, 1, now)
}

var (
	// ErrPriceChanged refuses a request whose expected total is outdated.
	ErrPriceChanged = errs.New(errs.KindConflict, "price_changed",
		"The price has changed since you saw it. Please check the details again.")
	// ErrAlreadyPaid refuses a key whose charge has since been captured: there is nothing left to pay in its session.
	ErrAlreadyPaid = errs.New(errs.KindConflict, "already_paid", "This has already been paid. See your payments for the result.")
)

// Input requests a charge.
type Input struct {
	Intent subscription.PurchaseIntent
	// ExpectedTotal is the total shown to the user, nil if the caller does not send it.
	ExpectedTotal *money.Paise
	Method        payment.Method
	// DespiteDebit is the customer's own confirmation to pay while a debit is undecided.
	DespiteDebit bool
	// Key is the Idempotency-Key, or empty, and Request the SHA-256 of the call and its body.
	Key     string
	Request [32]byte
	// bearer is set for a payment by a pay link.
	bearer *bearer
}
