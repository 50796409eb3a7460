package mandate

import (
	"context"
	"log/slog"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/capture"
	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Service sets mandates up, debits renewals, and ends mandates. It offers nothing without a gateway.
type Service struct {
	db            *sqlx.DB
	clock         clock.Clock
	gateways      []Gateway
	checkout      *checkout.Service
	captures      *capture.Service
	subscriptions *subscription.Service
	messages      *message.Enqueuer
	settings      Settings
	logger        *slog.Logger
	store         store
}

// Options are the parts and settings of a Service. NewService panics if a part is nil.
type Options struct {
	DB    *sqlx.DB
	Jobs  *queue.Inserter
	Clock clock.Clock
	// Gateways debit by mandate; new mandates use the first. Without a gateway, automatic renewal is not offered.
	Gateways      []Gateway
	Checkout      *checkout.Service
	Captures      *capture.Service
	Subscriptions *subscription.Service
	Settings      Settings
	// Email means that the product sends e-mails.
	Email  bool
	Logger *slog.Logger
}

// NewService returns a service.
func NewService(o Options) *Service {
	held := make([]Gateway, 0, len(o.Gateways))
	for _, g := range o.Gateways {
		if g != nil {
			g = Paced(g, o.Settings.PerSecond[g.Name()])
		}
		held = append(held, g)
	}
	return wiring.Complete(&Service{
		db: o.DB, clock: o.Clock, gateways: held, checkout: o.Checkout, captures: o.Captures, subscriptions: o.Subscriptions, settings: o.Settings,
		messages: message.NewEnqueuer(message.EnqueuerOptions{Jobs: o.Jobs, Email: o.Email}), logger: o.Logger,
	})
}

func (s *Service) rail(m Method) rail { return s.settings.rail(m) }

// Offered reports whether any gateway debits by mandate.
func (s *Service) Offered() bool { return len(s.gateways) > 0 }

func (s *Service) gateway(name string) (Gateway, error) {
	for _, g := range s.gateways {
		if g.Name() == name {
			return g, nil
		}
	}
	return nil, payment.ErrGatewayMissing
}

// Stop ends a mandate of the franchiser: no more debits are requested, and the gateway is requested to end it. The returned mandate has
// ended if the gateway confirmed that; otherwise the worker retries. A request without an authorisation ends at once, and is watched,
// because the customer may authorise it in another window.
func (s *Service) Stop(ctx context.Context, franchiserID, mandateID string) (m Mandate, err error) {
	err = s.change(ctx, franchiserID, mandateID, func(ctx context.Context, tx *sqlx.Tx, now time.Time, live *Mandate) error {
		if live.State.Ended() || live.StopAskedAt != nil {
			m = *live
			return stopped(*live)
		}
		if err := s.store.stopTx(ctx, tx, live, i18n.Mark("You stopped automatic renewal."), now); err != nil {
			return err
		}
		m = *live
		return s.store.noteTx(ctx, tx, m, Event{Kind: EventStopped, Actor: ActorCustomer, At: now})
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

// stopped returns nil for a mandate that was stopped before, so that a second click succeeds.
func stopped(m Mandate) error {
	if m.StopAskedAt == nil {
		return ErrNotPausable
	}
	return nil
}

// stopTx stops a mandate. A request without an authorisation ends at once, and is watched.
func (s store) stopTx(ctx context.Context, tx *sqlx.Tx, m *Mandate, why string, now time.Time) error {
	m.StopAskedAt, m.PollAt, m.PlanAt = &now, &now, nil
	if m.State == StateRequested && m.ProviderID == "" {
		if err := m.become(StateFailed, i18n.Mark("You stopped it."), now); err != nil {
			return err
		}
		m.watch(now)
	}
	return s.callOffTx(ctx, tx, *m, why, now)
}

// Pause stops debits until Resume. It does not call the gateway: gateways do not let a merchant pause.
func (s *Service) Pause(ctx context.Context, franchiserID, mandateID string) error {
	return s.change(ctx, franchiserID, mandateID, func(ctx context.Context, tx *sqlx.Tx, now time.Time, live *Mandate) error {
		switch {
		case live.CanResume(): // already paused
			return nil
		case !live.debits():
			return ErrNotPausable
		}
		live.HeldAt, live.PlanAt = &now, nil
		if err := s.callOffTx(ctx, tx, *live, i18n.Mark("You paused automatic renewal."), now); err != nil {
			return err
		}
		return s.store.noteTx(ctx, tx, *live, Event{Kind: EventPaused, Actor: ActorCustomer, At: now})
	})
}

// Resume undoes Pause.
func (s *Service) Resume(ctx context.Context, franchiserID, mandateID string) error {
	return s.change(ctx, franchiserID, mandateID, func(ctx context.Context, tx *sqlx.Tx, now time.Time, live *Mandate) error {
		switch {
		case live.debits(): // already resumed
			return nil
		case !live.CanResume():
			return ErrNotPausable
		}
		live.HeldAt, live.PlanAt, live.PollAt = nil, &now, &now
		return s.store.noteTx(ctx, tx, *live, Event{Kind: EventResumed, Actor: ActorCustomer, At: now})
	})
}

// Skip calls off the next debit only. It returns ErrDebitUnderWay if that debit was requested already.
func (s *Service) Skip(ctx context.Context, franchiserID, mandateID string) error {
	return s.change(ctx, franchiserID, mandateID, func(ctx context.Context, tx *sqlx.Tx, now time.Time, live *Mandate) error {
		d, err := s.store.live(ctx, tx, *live)
		switch {
		case err != nil:
			return err
		case d == nil && live.SkippedOn != nil && *live.SkippedOn+subscription.GraceDays > subscription.DayOf(now): // already skipped
			return nil
		case d == nil:
			return ErrNotPausable
		case d.State == DebitAsked:
			return ErrDebitUnderWay
		}
		next := (d.RenewOn + subscription.GraceDays).Start().UTC()
		live.PlanAt, live.SkippedOn = &next, &d.RenewOn
		if err := s.callOffTx(ctx, tx, *live, i18n.Mark("You skipped this debit."), now); err != nil {
			return err
		}
		return s.store.noteTx(ctx, tx, *live, Event{Kind: EventSkipped, Actor: ActorCustomer, At: now, RenewOn: &d.RenewOn})
	})
}

// Unskip undoes a skip and plans the debit again. It returns ErrSkipStands if it is too late for the bank's notice.
func (s *Service) Unskip(ctx context.Context, franchiserID, mandateID string) error {
	return s.change(ctx, franchiserID, mandateID, func(ctx context.Context, tx *sqlx.Tx, now time.Time, live *Mandate) error {
		switch {
		case !live.debits():
			return ErrNotPausable
		case live.SkippedOn == nil: // already undone
			return nil
		}
		renewOn := *live.SkippedOn
		last, err := s.store.lastTry(ctx, tx, *live, renewOn)
		if err != nil {
			return err
		}
		if _, inTime := s.settings.Earliest(*live, renewOn, last, now); !inTime {
			return ErrSkipStands
		}
		live.SkippedOn, live.PlanAt = nil, &now
		return s.store.noteTx(ctx, tx, *live, Event{Kind: EventUnskipped, Actor: ActorCustomer, At: now, RenewOn: &renewOn})
	})
}

// change changes a mandate under the franchiser's lock.
func (s *Service) change(ctx context.Context, franchiserID, mandateID string,
	fn func(ctx context.Context, tx *sqlx.Tx, now time.Time, live *Mandate) error,
) error {
	return subscription.InLockedTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		m, err := s.store.mandate(ctx, tx, franchiserID, mandateID)
		if err != nil {
			return err
		}
		was := m
		if err := fn(ctx, tx, s.clock.Now(), &m); err != nil || m == was {
			return err
		}
		return s.store.saveMandate(ctx, tx, m)
	})
}

// callOffTx calls off the mandate's debit unless it was requested.
func (s *Service) callOffTx(ctx context.Context, tx *sqlx.Tx, m Mandate, why string, now time.Time) error {
	return s.store.callOffTx(ctx, tx, m, why, now)
}

func (s store) callOffTx(ctx context.Context, tx *sqlx.Tx, m Mandate, why string, now time.Time) error {
	d, err := s.live(ctx, tx, m)
	if err != nil || d == nil || d.State == DebitAsked {
		return err
	}
	return s.callOffDebitTx(ctx, tx, *d, why, now)
}

// callOffDebitTx calls off a debit that was not requested.
func (s store) callOffDebitTx(ctx context.Context, tx *sqlx.Tx, d DebitRow, why string, now time.Time) error {
	submitted := d.OrderID != nil // also if the gateway's answer to the notice was lost
	if err := d.end(DebitCalledOff, CauseNone, why, now); err != nil {
		return err
	}
	if submitted {
		d.NextAt = &now // to withdraw the notice
	}
	return s.saveDebit(ctx, tx, d)
}

// end moves a debit to a final state.
func (d *DebitRow) end(to DebitState, cause Cause, why string, now time.Time) error {
	if err := DebitStates().Move(&d.State, to); err != nil {
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
	if err := States().Move(&m.State, to); err != nil {
		return err
	}
	m.Reason = why
	switch {
	case to.Ended():
		m.EndedAt, m.PollAt, m.PlanAt = &now, nil, nil
	case to == StateActive:
		if m.StopAskedAt == nil {
			m.PlanAt = &now
		}
		if m.ActiveAt == nil {
			m.ActiveAt = &now
		}
	case to == StatePaused:
		m.PlanAt = nil
	}
	return nil
}

// Heard handles a webhook: it schedules a query of the mandate's state, whatever the webhook claims. It returns false if the webhook
// names no mandate of ours and no transaction that authorises one.
func (s *Service) Heard(ctx context.Context, gateway string, in payment.Incoming) (bool, error) {
	g, err := s.gateway(gateway)
	if err != nil {
		return false, nil //nolint:nilerr // the payments' own route answers
	}
	hint, err := g.ReadMandate(in)
	if err != nil {
		n, err := g.Read(in)
		if err != nil || n.TransactionID == "" {
			return false, nil //nolint:nilerr // not about a mandate
		}
		hint = Hint{Signed: n.Signed, TransactionID: n.TransactionID}
	}
	return s.askAbout(ctx, gateway, hint)
}

// Returned handles a browser that returns from a registration without a payment. It schedules a query of the mandate's state, and reports
// whether the transaction is ours.
func (s *Service) Returned(ctx context.Context, in payment.Incoming) (bool, error) {
	for _, g := range s.gateways {
		n, err := g.Read(in)
		if err != nil || !n.Signed || n.TransactionID == "" {
			continue // from another gateway, or forged
		}
		if found, err := s.askAbout(ctx, g.Name(), Hint{Signed: true, TransactionID: n.TransactionID}); err != nil || found {
			return found, err
		}
	}
	return false, nil
}

// askAbout schedules a query of the mandate that a hint names.
func (s *Service) askAbout(ctx context.Context, gateway string, h Hint) (bool, error) {
	mandateID, franchiserID, err := s.store.find(ctx, s.db, gateway, h)
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
