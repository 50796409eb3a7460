package mandate

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Service sets mandates up, debits renewals by them, and ends them. Without a gateway it offers nothing.
type Service struct {
	db            *sqlx.DB
	clock         clock.Clock
	gateways      []paced
	payments      *payment.Service
	subscriptions *subscription.Service
	messages      *message.Enqueuer
	logger        *slog.Logger
	store         store
}

// NewService returns a service; new mandates go to the first gateway.
func NewService(db *sqlx.DB, jobs *queue.Inserter, clk clock.Clock, gateways []Gateway, payments *payment.Service,
	subscriptions *subscription.Service, email bool, logger *slog.Logger,
) *Service {
	s := wiring.Complete(&Service{
		db: db, clock: clk, gateways: []paced{}, payments: payments, subscriptions: subscriptions,
		messages: message.NewEnqueuer(jobs, email), logger: logger,
	})
	for _, g := range gateways {
		s.gateways = append(s.gateways, pace(g, MostASecond))
	}
	return s
}

// Asking sets how often a gateway is asked within a second at most, and returns s.
func (s *Service) Asking(aSecond int) *Service {
	for i, g := range s.gateways {
		s.gateways[i] = pace(g.Gateway, aSecond)
	}
	return s
}

// Offered reports whether any gateway debits by mandate.
func (s *Service) Offered() bool { return len(s.gateways) > 0 }

func (s *Service) gateway(name string) (paced, error) {
	for _, g := range s.gateways {
		if g.Name() == name {
			return g, nil
		}
	}
	return paced{}, payment.ErrGatewayMissing
}

// mandateYears is how long a mandate lasts that nobody ends.
const mandateYears = 10

// Input is what the customer chose and agreed to.
type Input struct {
	Method Method
	// Consented is the customer's own tick, Version that of the words beside it, Text those words.
	Consented     bool
	Version, Text string
}

// Terms is what the customer is asked to agree to for a method; OnLimit means that the method cannot debit this bill by itself.
type Terms struct {
	Method  Method
	Version string
	// Text and Hindi are the words, in English and in Hindi; the customer agrees to those that were shown.
	Text, Hindi string
	// Cap is the most that one debit may be.
	Cap     money.Paise
	OnLimit bool
}

func (s *Service) terms(bill *subscription.NextBill, m Method) Terms {
	r, amount := railOf(m), bill.Payable()
	until := subscription.DayOf(s.clock.Now().AddDate(mandateYears, 0, 0))
	words := consent{m, amount, r.capFor(amount), bill.Type == plan.TypeYearly, r.debitDay(bill.RenewOn), until}
	return Terms{
		Method: m, Version: ConsentVersion, Text: words.english(), Hindi: words.hindi(), Cap: words.limit, OnLimit: !r.withinLimit(amount),
	}
}

// Begun is a registration that the customer goes on with at the gateway.
type Begun struct {
	Session payment.Session
	Payment payment.Payment
}

// Register begins a mandate with the payment of the renewal that is open, and returns the gateway's session in which the customer
// authorises both. It returns ErrOff, ErrConsent, ErrLive, ErrAboveLimit, and what payment.FreezeTx does, among it
// subscription.ErrNothingToRenew before the renewal is open.
func (s *Service) Register(ctx context.Context, franchiserID string, in Input) (Begun, error) {
	if !s.Offered() {
		return Begun{}, ErrOff
	}
	bill, err := s.subscriptions.NextBill(ctx, franchiserID)
	if err != nil {
		return Begun{}, err
	}
	if bill == nil || !bill.CanRenew {
		return Begun{}, subscription.ErrNothingToRenew
	}
	if !slices.Contains(offered(), in.Method) {
		return Begun{}, ErrMethod
	}
	terms := s.terms(bill, in.Method)
	switch {
	case !in.Consented || in.Version != terms.Version || in.Text != terms.Text && in.Text != terms.Hindi:
		return Begun{}, ErrConsent
	case terms.OnLimit:
		return Begun{}, ErrAboveLimit
	}
	m, p, charge, err := s.request(ctx, franchiserID, in, bill)
	if err != nil {
		return Begun{}, err
	}
	session, err := s.gateways[0].Register(ctx, Registration{
		Charge: charge, Method: m.Method, Cap: m.Cap, Yearly: m.Yearly, Start: s.clock.Now(), End: m.EndsOn.Start(),
	})
	if err != nil {
		return Begun{}, err
	}
	if m.Reference, err = s.payments.KeepReference(ctx, p, session.Reference); err != nil {
		return Begun{}, err
	}
	return Begun{Session: session, Payment: p}, postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error { return s.store.saveMandate(ctx, tx, m) })
}

// agree takes over what the customer agreed to.
func (m *Mandate) agree(in Input, bill *subscription.NextBill, now time.Time) {
	m.Method, m.Cap, m.Yearly = in.Method, railOf(in.Method).capFor(bill.Payable()), bill.Type == plan.TypeYearly
	m.EndsOn = subscription.DayOf(now.AddDate(mandateYears, 0, 0))
	m.ConsentVersion, m.ConsentText, m.ConsentedAt = in.Version, in.Text, now
}

// request stores the mandate and its payment, or finds those of a request that was not finished.
func (s *Service) request(ctx context.Context, franchiserID string, in Input, bill *subscription.NextBill) (m Mandate, p payment.Payment, c payment.Charge, err error) {
	now := s.clock.Now()
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		if err := subscription.LockTx(ctx, tx, franchiserID); err != nil {
			return err
		}
		live, err := s.store.newest(ctx, tx, franchiserID)
		if err != nil {
			return err
		}
		if live != nil && !live.State.Ended() && live.State != StateRequested {
			return ErrLive
		}
		p, c, err = s.payments.OpenAuthorisationTx(ctx, tx, franchiserID, s.gateways[0].Name(), subscription.PurchaseIntent{
			SubscriptionID: bill.Subscription.ID, Renew: true,
		})
		if err != nil {
			return err
		}
		if live != nil && live.State == StateRequested {
			if live.TransactionID == p.TransactionID { // begun, perhaps by another method, and not authorised yet
				m = *live
				m.agree(in, bill, now)
				return s.store.saveMandate(ctx, tx, m)
			}
			// Its payment was decided without a mandate.
			if err := live.become(StateFailed, "", now); err != nil {
				return err
			}
			if err := s.store.saveMandate(ctx, tx, *live); err != nil {
				return err
			}
		}
		poll := now.Add(resultAfter)
		m = Mandate{
			ID: id.New(), FranchiserID: franchiserID, SubscriptionID: bill.Subscription.ID, Gateway: s.gateways[0].Name(),
			State: StateRequested, TransactionID: p.TransactionID, PollAt: &poll, CreatedAt: now,
		}
		m.agree(in, bill, now)
		return s.store.insertMandate(ctx, tx, m)
	})
	return m, p, c, err
}

// Stop ends a mandate of the franchiser: no debit is asked for from now on, and the gateway is asked to end it. Confirmed reports that the
// gateway did; otherwise the worker goes on asking.
func (s *Service) Stop(ctx context.Context, franchiserID, mandateID string) (m Mandate, err error) {
	err = s.change(ctx, franchiserID, mandateID, func(ctx context.Context, tx *sqlx.Tx, now time.Time, live *Mandate) error {
		if live.ProviderID == "" { // nothing was authorised yet, and nothing will be without the customer
			return ErrNotPausable
		}
		if live.StopAskedAt == nil {
			live.StopAskedAt = &now
		}
		live.PollAt, live.PlanAt = &now, nil
		m = *live
		return s.callOffTx(ctx, tx, *live, "You stopped automatic renewal.", now)
	})
	if err != nil || m.State.Ended() {
		return m, err
	}
	if ended, err := s.revoke(ctx, m); err == nil {
		return ended, nil
	}
	s.logger.WarnContext(ctx, "mandate not ended at the gateway yet", slog.String("mandate", m.ID))
	return m, nil
}

// Pause has no debit asked for until Resume. The gateway is told nothing: none lets a merchant pause.
func (s *Service) Pause(ctx context.Context, franchiserID, mandateID string) error {
	return s.change(ctx, franchiserID, mandateID, func(ctx context.Context, tx *sqlx.Tx, now time.Time, live *Mandate) error {
		if !live.debits() {
			return ErrNotPausable
		}
		live.HeldAt, live.PlanAt = &now, nil
		return s.callOffTx(ctx, tx, *live, "You paused automatic renewal.", now)
	})
}

// Resume undoes Pause.
func (s *Service) Resume(ctx context.Context, franchiserID, mandateID string) error {
	return s.change(ctx, franchiserID, mandateID, func(_ context.Context, _ *sqlx.Tx, now time.Time, live *Mandate) error {
		if live.State != StateActive || live.StopAskedAt != nil || live.HeldAt == nil {
			return ErrNotPausable
		}
		live.HeldAt, live.PlanAt, live.PollAt = nil, &now, &now
		return nil
	})
}

// Skip calls off the debit that comes next, and only that. It returns ErrDebitUnderWay once it was asked for.
func (s *Service) Skip(ctx context.Context, franchiserID, mandateID string) error {
	return s.change(ctx, franchiserID, mandateID, func(ctx context.Context, tx *sqlx.Tx, now time.Time, live *Mandate) error {
		d, err := s.store.live(ctx, tx, *live)
		switch {
		case err != nil:
			return err
		case d == nil:
			return ErrNotPausable
		case d.State == DebitAsked:
			return ErrDebitUnderWay
		}
		next := (d.RenewOn + subscription.GraceDays).Start().UTC()
		live.PlanAt = &next
		return s.callOffTx(ctx, tx, *live, "You skipped this debit.", now)
	})
}

// change changes a mandate of the franchiser that has not ended, under the lock.
func (s *Service) change(ctx context.Context, franchiserID, mandateID string,
	fn func(ctx context.Context, tx *sqlx.Tx, now time.Time, live *Mandate) error,
) error {
	return postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		if err := subscription.LockTx(ctx, tx, franchiserID); err != nil {
			return err
		}
		m, err := s.store.mandate(ctx, tx, franchiserID, mandateID)
		if err != nil {
			return err
		}
		if m.State.Ended() {
			return ErrNotPausable
		}
		if err := fn(ctx, tx, s.clock.Now(), &m); err != nil {
			return err
		}
		return s.store.saveMandate(ctx, tx, m)
	})
}

// callOffTx ends the mandate's debit unless it was asked for.
func (s *Service) callOffTx(ctx context.Context, tx *sqlx.Tx, m Mandate, why string, now time.Time) error {
	d, err := s.store.live(ctx, tx, m)
	if err != nil || d == nil || d.State == DebitAsked {
		return err
	}
	noticed := d.State == DebitNoticed
	if err := d.end(DebitCalledOff, CauseNone, why, now); err != nil {
		return err
	}
	if noticed {
		d.NextAt = &now // to withdraw the notice
	}
	return s.store.saveDebit(ctx, tx, *d)
}

// end decides a debit.
func (d *DebitRow) end(to DebitState, cause Cause, why string, now time.Time) error {
	if err := debitStates().Move(&d.State, to); err != nil {
		return err
	}
	d.Cause, d.Reason, d.DecidedAt, d.NextAt = cause, why, &now, nil
	return nil
}

// become moves a mandate to another state.
func (m *Mandate) become(to State, why string, now time.Time) error {
	if m.State == to {
		return nil
	}
	if err := states().Move(&m.State, to); err != nil {
		return err
	}
	m.Reason = why
	switch {
	case to.Ended():
		m.EndedAt, m.PollAt, m.PlanAt = &now, nil, nil
	case to == StateActive:
		m.PlanAt = &now
		if m.ActiveAt == nil {
			m.ActiveAt = &now
		}
	case to == StatePaused:
		m.PlanAt = nil
	}
	return nil
}

// Heard handles a gateway's notice: whatever it says, the mandate's state is asked for. False means that it is no notice of a mandate
// of ours.
func (s *Service) Heard(ctx context.Context, gateway string, in payment.Incoming) (bool, error) {
	g, err := s.gateway(gateway)
	if err != nil {
		return false, nil //nolint:nilerr // the payments' own route answers
	}
	hint, err := g.ReadMandate(in)
	if err != nil {
		return false, nil //nolint:nilerr // not about a mandate
	}
	mandateID, franchiserID, err := s.store.find(ctx, s.db, gateway, hint)
	if err != nil || mandateID == "" {
		return false, err
	}
	return true, postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		return s.store.pollNow(ctx, tx, franchiserID, mandateID, s.clock.Now())
	})
}

// revoke ends the mandate at the gateway.
func (s *Service) revoke(ctx context.Context, m Mandate) (Mandate, error) {
	g, err := s.gateway(m.Gateway)
	if err != nil {
		return m, err
	}
	d, err := g.Revoke(ctx, m.reference())
	if err != nil {
		s.logger.WarnContext(ctx, "gateway did not end a mandate", slog.String("mandate", m.ID), log.Error(err))
		return m, err
	}
	return s.learn(ctx, m, d)
}
