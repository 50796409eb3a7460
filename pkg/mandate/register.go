package mandate

import (
	"context"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// mandateYears is the duration of a mandate.
const mandateYears = 10

// Input has the customer's choice and consent.
type Input struct {
	Method Method
	// Consented is the customer's tick. Version and Text are those of the text next to it.
	Consented     bool
	Version, Text string
}

// Terms are the terms of a method, to which the customer has to agree. OnLimit means that the method needs an approval for each debit of
// this bill.
type Terms struct {
	Method  Method
	Version string
	consent consent
	// Cap is the limit of one debit.
	Cap     money.Paise
	OnLimit bool
	// PaysNow is the amount paid during the set-up.
	PaysNow money.Paise
	// WithoutPayment means that nothing is paid during the set-up, and that the bank confirms it days later.
	WithoutPayment bool
	// OpensOn is the first day on which the method can be set up, if later than today.
	OpensOn subscription.Day
}

// Text returns the consent in a language. The customer agrees to the text on the screen.
func (t Terms) Text(l i18n.Language) string { return t.consent.in(l) }

// says reports whether the text is the consent in one of the languages.
func (t Terms) says(text string) bool {
	return slices.ContainsFunc(i18n.Languages(), func(l i18n.Language) bool { return t.Text(l) == text })
}

// offers returns the methods that can be set up for a bill. An ended plan must be renewed manually before any debit, so methods without a
// payment are not offered for it.
func (s *Service) offers(bill *subscription.NextBill) []Method {
	return slices.DeleteFunc(slices.Clone(s.settings.Methods), func(m Method) bool {
		return s.rail(m).withoutPayment && bill.Subscription.State.Ended()
	})
}

func (s *Service) terms(bill *subscription.NextBill, m Method) Terms {
	r, amount, now := s.rail(m), bill.Payable(), s.clock.Now()
	from := r.debitDay(bill.RenewOn)
	if r.withoutPayment { // debit the next renewal if the bank confirms in time
		from = max(r.debitDay(bill.RenewsOn), subscription.DayOf(now.Add(noticeLead)))
	}
	until := subscription.DayOf(now.AddDate(mandateYears, 0, 0))
	words := consent{m, amount, r.capFor(amount), bill.Type == plan.TypeYearly, from, until}
	t := Terms{
		Method: m, Version: ConsentVersion, consent: words, Cap: words.limit, OnLimit: !r.withinLimit(amount), WithoutPayment: r.withoutPayment,
	}
	if !r.withoutPayment {
		t.PaysNow = amount
	}
	if !r.withoutPayment && !bill.CanRenew {
		t.OpensOn = bill.Subscription.RenewableFrom()
	}
	return t
}

// Begun is a registration that the customer continues at the gateway. Payment is the renewal's, nil for a set-up without a payment.
type Begun struct {
	Session       payment.Session
	TransactionID string
	Payment       *payment.Payment
}

// Register begins a mandate and returns the gateway's session in which the customer authorises it. The session also pays the renewal that
// is due, unless the rail takes no payment. It returns ErrOff, ErrConsent, ErrLive, ErrWaiting, ErrAboveLimit, and the errors of
// payment.FreezeTx, such as subscription.ErrNothingToRenew before the renewal is due.
func (s *Service) Register(ctx context.Context, franchiserID string, in Input) (Begun, error) {
	if !s.Offered() {
		return Begun{}, ErrOff
	}
	bill, err := s.subscriptions.NextBill(ctx, franchiserID)
	if err != nil {
		return Begun{}, err
	}
	free := s.rail(in.Method).withoutPayment
	if bill == nil || !bill.CanRenew && !free {
		return Begun{}, subscription.ErrNothingToRenew
	}
	if !slices.Contains(s.offers(bill), in.Method) {
		return Begun{}, ErrMethod
	}
	terms := s.terms(bill, in.Method)
	switch {
	case !in.Consented || in.Version != terms.Version || !terms.says(in.Text):
		return Begun{}, ErrConsent
	case terms.OnLimit:
		return Begun{}, ErrAboveLimit
	}
	if free {
		return s.registerOnly(ctx, franchiserID, in, bill)
	}
	m, p, charge, err := s.request(ctx, franchiserID, in, bill)
	if err != nil {
		return Begun{}, err
	}
	session, err := s.gateways[0].Register(ctx, m.registration(charge, s.clock.Now()))
	if err != nil {
		return Begun{}, err
	}
	if m.Reference, err = s.checkout.KeepReference(ctx, p, session.Reference); err != nil {
		return Begun{}, err
	}
	return Begun{Session: session, TransactionID: p.TransactionID, Payment: &p}, s.save(ctx, m)
}

// registerOnly begins a mandate without a payment. The bank confirms it days later; until the confirmation renewals are paid manually.
func (s *Service) registerOnly(ctx context.Context, franchiserID string, in Input, bill *subscription.NextBill) (Begun, error) {
	m, charge, err := s.requestOnly(ctx, franchiserID, in, bill)
	if err != nil {
		return Begun{}, err
	}
	session, err := s.gateways[0].Register(ctx, m.registration(charge, s.clock.Now()))
	if err != nil {
		return Begun{}, err
	}
	if m.Reference == "" {
		m.Reference = session.Reference
	}
	return Begun{Session: session, TransactionID: m.TransactionID}, s.save(ctx, m)
}

func (m Mandate) registration(c payment.Charge, now time.Time) Registration {
	return Registration{Charge: c, Method: m.Method, Cap: m.Cap, Yearly: m.Yearly, Start: now, End: m.EndsOn.Start()}
}

// save stores the gateway's reference of a request, unless one is stored already.
func (s *Service) save(ctx context.Context, m Mandate) error {
	return postgres.InTenantTx(ctx, s.db, m.FranchiserID, func(tx *sqlx.Tx) error { return s.store.keepReference(ctx, tx, m) })
}

// agree copies the customer's consent into the mandate.
func (s *Service) agree(m *Mandate, in Input, bill *subscription.NextBill, now time.Time) {
	m.Method, m.Cap, m.Yearly = in.Method, s.rail(in.Method).capFor(bill.Payable()), bill.Type == plan.TypeYearly
	m.Agreed = m.Cap
	m.EndsOn = subscription.DayOf(now.AddDate(mandateYears, 0, 0))
	m.AgreedEnd = m.EndsOn
	m.ConsentVersion, m.ConsentText, m.ConsentedAt = in.Version, in.Text, now
}

// newRequest returns a mandate that the customer has agreed to but not yet authorised.
func (s *Service) newRequest(franchiserID, transactionID string, in Input, bill *subscription.NextBill, now time.Time) Mandate {
	poll := now.Add(firstLook)
	m := Mandate{
		ID: id.New(), FranchiserID: franchiserID, SubscriptionID: bill.Subscription.ID, Gateway: s.gateways[0].Name(),
		State: StateRequested, TransactionID: transactionID, PollAt: &poll, CreatedAt: now,
	}
	s.agree(&m, in, bill, now)
	return m
}

// pendingTx returns the franchiser's request that is not known to be authorised, or nil. It returns ErrLive if a live mandate can debit
// the bill. A live mandate that does not allow the bill is stopped when its replacement is confirmed.
func (s *Service) pendingTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, bill *subscription.NextBill) (*Mandate, error) {
	live, err := s.store.current(ctx, tx, franchiserID)
	if err != nil {
		return nil, err
	}
	if live != nil && !s.replaceable(*live, bill) {
		return nil, ErrLive
	}
	pending, err := s.store.requested(ctx, tx, franchiserID)
	if err == nil && pending != nil && (pending.ProviderID != "" || pending.StopAskedAt != nil) {
		return nil, ErrWaiting
	}
	return pending, err
}

// replaceable reports whether the customer can set up a replacement for this mandate.
func (s *Service) replaceable(m Mandate, bill *subscription.NextBill) bool {
	lives := m.State == StateActive || m.State == StatePaused
	return !lives || m.StopAskedAt != nil || s.settings.Refuses(m, bill.Type, bill.Payable(), s.rail(m.Method).debitDay(bill.RenewsOn)) != CauseNone
}

// replaceTx ends a request that another one replaces.
func (s *Service) replaceTx(ctx context.Context, tx *sqlx.Tx, m Mandate, now time.Time) error {
	if err := m.become(StateFailed, "", now); err != nil {
		return err
	}
	m.watch(now)
	if err := s.store.saveMandate(ctx, tx, m); err != nil {
		return err
	}
	return s.store.noteTx(ctx, tx, m, Event{Kind: EventReplaced, Actor: ActorCustomer, At: now})
}

// insertTx stores a request with its first event.
func (s *Service) insertTx(ctx context.Context, tx *sqlx.Tx, m Mandate) error {
	if err := s.store.insertMandate(ctx, tx, m); err != nil {
		return err
	}
	return s.store.noteTx(ctx, tx, m, Event{Kind: EventRequested, Actor: ActorCustomer, At: m.CreatedAt, Amount: &m.Cap})
}

// request stores the mandate and its payment, or returns those of an unfinished request.
func (s *Service) request(ctx context.Context, franchiserID string, in Input, bill *subscription.NextBill) (m Mandate, p payment.Payment, c payment.Charge, err error) {
	now := s.clock.Now()
	err = subscription.InLockedTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		pending, err := s.pendingTx(ctx, tx, franchiserID, bill)
		if err != nil {
			return err
		}
		goesOn := ""
		if pending != nil {
			goesOn = pending.TransactionID
		}
		p, c, err = s.checkout.OpenAuthorisationTx(ctx, tx, franchiserID, s.gateways[0].Name(), goesOn, subscription.PurchaseIntent{
			SubscriptionID: bill.Subscription.ID, Renew: true,
		})
		if err != nil {
			return err
		}
		if pending != nil && pending.TransactionID == p.TransactionID { // begun, perhaps with another method, and not authorised yet
			m = *pending
			s.agree(&m, in, bill, now)
			return s.store.saveMandate(ctx, tx, m)
		}
		if pending != nil { // its payment ended without a mandate, or it had no payment
			if err := s.replaceTx(ctx, tx, *pending, now); err != nil {
				return err
			}
		}
		m = s.newRequest(franchiserID, p.TransactionID, in, bill, now)
		return s.insertTx(ctx, tx, m)
	})
	return m, p, c, err
}

// requestOnly stores a mandate without a payment, or returns today's unfinished one with the same terms. Razorpay requires the order and
// the authorisation on the same day, and the terms sent to it must equal those agreed to.
func (s *Service) requestOnly(ctx context.Context, franchiserID string, in Input, bill *subscription.NextBill) (m Mandate, c payment.Charge, err error) {
	now := s.clock.Now()
	err = subscription.InLockedTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		pending, err := s.pendingTx(ctx, tx, franchiserID, bill)
		if err != nil {
			return err
		}
		m = s.newRequest(franchiserID, payment.NewTransactionID(now), in, bill, now)
		switch {
		case pending != nil && pending.sameAs(m):
			m.ID, m.TransactionID, m.Reference, m.CreatedAt = pending.ID, pending.TransactionID, pending.Reference, pending.CreatedAt
			err = s.store.saveMandate(ctx, tx, m)
		case pending != nil:
			if err = s.replaceTx(ctx, tx, *pending, now); err == nil {
				err = s.insertTx(ctx, tx, m)
			}
		default:
			err = s.insertTx(ctx, tx, m)
		}
		if err != nil {
			return err
		}
		c, err = s.checkout.RegistrationTx(ctx, tx, franchiserID, m.TransactionID, m.Reference)
		return err
	})
	return m, c, err
}

// sameAs reports whether two requests send the gateway the same terms on the same day.
func (m Mandate) sameAs(other Mandate) bool {
	day := func(t time.Time) string { return t.In(clock.IST).Format(time.DateOnly) }
	return m.Method == other.Method && m.Gateway == other.Gateway && m.SubscriptionID == other.SubscriptionID && m.Cap == other.Cap &&
		m.Yearly == other.Yearly && day(m.CreatedAt) == day(other.CreatedAt)
}

// watch schedules another check of a request that ended here, so that a late confirmation is revoked.
func (m *Mandate) watch(now time.Time) {
	at := now.Add(again)
	m.PollAt = &at
}

// watched checks an ended request, or a mandate that the customer stopped, and revokes it if it is live at the gateway. The bank may have
// confirmed the request late, or failed to carry out the revocation. Checks end after the rail's requestLife.
func (s *Service) watched(ctx context.Context, m Mandate) error {
	g, err := s.gateway(m.Gateway)
	if err != nil {
		return err
	}
	d, err := g.Registered(ctx, m.TransactionID, m.Reference)
	if err != nil {
		return err
	}
	lives := d.State == ProviderActive || d.State == ProviderPaused
	if lives {
		d.Reference.RequestID = requestID()
		if _, err := g.Revoke(ctx, d.Reference); err != nil {
			return err
		}
	}
	return s.locked(ctx, m, func(tx *sqlx.Tx, m Mandate, now time.Time) error {
		next := now.Add(pollEvery)
		m.PollAt = &next
		if d.Reference.MandateID != "" && m.ProviderID == "" {
			m.ProviderID, m.CustomerID = d.Reference.MandateID, d.Reference.CustomerID
		}
		final := d.State == ProviderFailed && s.rail(m.Method).withoutPayment // a failed payment may still be captured
		settled := lives || final || d.State == ProviderRevoked
		stopped := m.StopAskedAt != nil && m.ActiveAt != nil // the bank may still process the revocation, which can fail
		if settled && !stopped || now.Sub(*m.EndedAt) > s.rail(m.Method).requestLife {
			m.PollAt = nil
		}
		return s.store.saveMandate(ctx, tx, m)
	})
}
