package mandate

import (
	"context"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// locked runs fn in a transaction that holds the franchiser's lock, with the mandate as it is now.
func (s *Service) locked(ctx context.Context, m Mandate, fn func(tx *sqlx.Tx, m Mandate, now time.Time) error) error {
	return postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		if err := subscription.LockTx(ctx, tx, m.FranchiserID); err != nil {
			return err
		}
		m, err := s.store.mandate(ctx, tx, m.FranchiserID, m.ID)
		if err != nil {
			return err
		}
		return fn(tx, m, s.clock.Now())
	})
}

// poll asks for a mandate's state.
func (s *Service) poll(ctx context.Context, m Mandate) error {
	if m.State.Ended() {
		return s.watched(ctx, m)
	}
	_, err := s.refresh(ctx, m)
	return err
}

// refresh asks the gateway for the mandate's state, ends it there if the customer wants that, and returns it as it is now.
func (s *Service) refresh(ctx context.Context, m Mandate) (Mandate, error) {
	g, err := s.gateway(m.Gateway)
	if err != nil {
		return m, err
	}
	var d Details
	switch {
	case m.State == StateRequested && m.StopAskedAt != nil:
		return s.stopRequest(ctx, g, m)
	case m.State == StateRequested:
		d, err = g.Registered(ctx, m.TransactionID, m.Reference)
	case m.StopAskedAt != nil:
		return s.revoke(ctx, m)
	default:
		d, err = g.State(ctx, m.reference())
	}
	if err != nil {
		return m, err
	}
	return s.learn(ctx, m, d)
}

// stopRequest ends a mandate that the customer stopped before the bank had confirmed it. A gateway that ends only what is confirmed is
// asked again once that is so.
func (s *Service) stopRequest(ctx context.Context, g Gateway, m Mandate) (Mandate, error) {
	if ended, err := s.revoke(ctx, m); err == nil {
		return ended, nil
	}
	d, err := g.Registered(ctx, m.TransactionID, m.Reference)
	if err != nil {
		return m, err
	}
	if m, err = s.learn(ctx, m, d); err != nil || m.State != StateActive {
		return m, err
	}
	return s.revoke(ctx, m)
}

// learn stores what the gateway says of a mandate.
func (s *Service) learn(ctx context.Context, m Mandate, d Details) (known Mandate, err error) {
	err = s.locked(ctx, m, func(tx *sqlx.Tx, m Mandate, now time.Time) error {
		before, poll := m.State, m.nextPoll(now)
		if d.Reference.MandateID != "" && (m.ProviderID == "" || m.State == StateRequested) {
			m.ProviderID, m.CustomerID = d.Reference.MandateID, d.Reference.CustomerID
			if d.Reference.Method != "" {
				m.Method = d.Reference.Method
			}
		}
		if d.Masked != "" && m.StopAskedAt == nil {
			m.Masked = d.Masked
		}
		if d.Cap > 0 { // the bank may allow less than was agreed to, never more
			m.Cap = min(d.Cap, m.Agreed)
		}
		if !d.Until.IsZero() {
			m.EndsOn = subscription.DayOf(d.Until)
		}
		if !m.State.Ended() {
			m.PollAt = &poll
		}
		next := m.State.after(d.State)
		if m.State == StateRequested && next == StateActive && m.ProviderID == "" {
			next = m.State // nothing to debit by yet
		}
		late := m.State == StateRequested && next == m.State && now.Sub(m.CreatedAt) > s.rail(m.Method).requestLife
		if late {
			next, d.Reason = StateFailed, "Your bank has not confirmed it in time."
		}
		if err := m.become(next, d.Reason, now); err != nil {
			return err
		}
		if late || before == StateRequested && m.State == StateFailed && !s.rail(m.Method).withoutPayment {
			m.watch(now) // a payment that failed may still be made, and the mandate with it
		}
		if before == StateRequested && m.State == StateActive {
			if err := s.supersedeTx(ctx, tx, m, now); err != nil {
				return err
			}
		}
		if m.State.Ended() && m.StopAskedAt == nil || m.State == StatePaused {
			if err := s.callOffTx(ctx, tx, m, "The mandate is "+string(m.State)+" at your bank.", now); err != nil {
				return err
			}
		}
		known = m
		return s.store.saveMandate(ctx, tx, m)
	})
	return known, err
}

// nextPoll is when to ask about a mandate next: a request soon after it was begun, and more seldom the longer it takes.
func (m Mandate) nextPoll(now time.Time) time.Time {
	switch {
	case m.State == StateRequested:
		return now.Add(min(max(now.Sub(m.CreatedAt), firstLook), again))
	case m.StopAskedAt != nil:
		return now.Add(again)
	default:
		return now.Add(pollEvery)
	}
}

// supersedeTx stops the mandate that another one, which was just confirmed, takes the place of.
func (s *Service) supersedeTx(ctx context.Context, tx *sqlx.Tx, m Mandate, now time.Time) error {
	old, err := s.store.current(ctx, tx, m.FranchiserID)
	if err != nil || old == nil || old.ID == m.ID || old.State != StateActive && old.State != StatePaused || old.StopAskedAt != nil {
		return err
	}
	old.StopAskedAt, old.PollAt, old.PlanAt = &now, &now, nil
	if err := s.callOffTx(ctx, tx, *old, "Another mandate takes its place.", now); err != nil {
		return err
	}
	return s.store.saveMandate(ctx, tx, *old)
}

// plan looks at the mandate's next renewal: a week before its debit, it is announced.
func (s *Service) plan(ctx context.Context, m Mandate) error {
	if !m.debits() {
		return nil
	}
	bill, err := s.subscriptions.NextBill(ctx, m.FranchiserID)
	if err != nil {
		return err
	}
	return s.locked(ctx, m, func(tx *sqlx.Tx, m Mandate, now time.Time) error {
		if !m.debits() {
			return nil
		}
		paying, err := payment.Lookup{}.UndecidedTx(ctx, tx, m.FranchiserID, m.TransactionID)
		if err != nil {
			return err
		}
		if paying { // the renewal that was paid in the step of the authorisation is not booked yet
			return s.store.planAgain(ctx, tx, m, now.Add(again))
		}
		tomorrow := now.Add(pollEvery)
		if bill == nil || bill.Subscription.ID != m.SubscriptionID || bill.Subscription.State.Ended() {
			return s.store.planAgain(ctx, tx, m, tomorrow)
		}
		if err := s.subscriptions.RequireNoErasureTx(ctx, tx, m.FranchiserID); errors.Is(err, subscription.ErrErasureScheduled) {
			return s.store.planAgain(ctx, tx, m, tomorrow)
		} else if err != nil {
			return err
		}
		r, renewOn := s.rail(m.Method), bill.RenewsOn
		day := r.debitDay(renewOn)
		announce := (day - announceDays).Start().Add(9 * time.Hour).UTC()
		if now.Before(announce) {
			return s.store.planAgain(ctx, tx, m, announce)
		}
		if err := s.store.planAgain(ctx, tx, m, (renewOn + subscription.GraceDays).Start().UTC()); err != nil {
			return err
		}
		tried, err := s.store.attempts(ctx, tx, m, renewOn)
		if err != nil || tried >= mostAttempts || m.skipped(renewOn) {
			return err
		}
		at := day.Start().Add(debitHour)
		if soonest := now.Add(noticeLead); at.Before(soonest) {
			at = soonest
		}
		notice := (day - noticeDays).Start().Add(debitHour).UTC()
		if notice.Before(now) {
			notice = now
		}
		return s.planTx(ctx, tx, m, planned{renewOn: renewOn, number: tried + 1, amount: bill.Payable(), at: at, notice: notice, announce: true}, now)
	})
}

// skipped reports whether the customer has skipped the debit of a renewal.
func (m Mandate) skipped(renewOn subscription.Day) bool {
	return m.SkippedOn != nil && *m.SkippedOn == renewOn
}

// planned is a debit to come.
type planned struct {
	renewOn    subscription.Day
	number     int
	amount     money.Paise
	at, notice time.Time
	announce   bool // a retry is told with the failure before it
}

// planTx stores a debit that the rail still has time for, and announces it. A bill that the mandate does not allow
// is said to be so at once.
func (s *Service) planTx(ctx context.Context, tx *sqlx.Tx, m Mandate, p planned, now time.Time) error {
	r := s.rail(m.Method)
	at := r.opens(p.at.UTC()).UTC()
	if !at.Before(r.retryBefore(subscription.DayOf(at), p.renewOn)) {
		return nil
	}
	d := DebitRow{
		ID: id.New(), FranchiserID: m.FranchiserID, MandateID: m.ID, SubscriptionID: m.SubscriptionID, RenewOn: p.renewOn, Number: p.number,
		State: DebitPlanned, Amount: p.amount, DebitAt: at, NextAt: &p.notice, NoticeToken: requestID(), CreatedAt: now,
	}
	if err := s.store.insertDebit(ctx, tx, d); err != nil {
		return err
	}
	cause := s.refuses(m, p.amount)
	if cause == CauseNone && s.railOf(m).usedBy(m, at) {
		cause = CauseCycleUsed
	}
	if cause != CauseNone {
		return s.failTx(ctx, tx, m, d, cause, "", now)
	}
	if !p.announce {
		return nil
	}
	return s.tellTx(ctx, tx, d, now, message.TemplateDebitAnnounced, message.TemplateDebitAnnouncedEmail)
}

// refuses is why the mandate does not allow a debit of the amount, CauseNone if it does.
func (s *Service) refuses(m Mandate, amount money.Paise) Cause {
	switch {
	case amount > m.Cap:
		return CauseAboveCap
	case !s.rail(m.Method).withinLimit(amount):
		return CauseAuthenticate
	default:
		return CauseNone
	}
}

func (s *Service) tellTx(ctx context.Context, tx *sqlx.Tx, d DebitRow, now time.Time, templates ...string) error {
	for _, template := range templates {
		m := message.CustomerMessage{FranchiserID: d.FranchiserID, Template: template, About: d.ID, CreatedAt: now}
		if err := s.messages.OnceTx(ctx, tx, m); err != nil {
			return err
		}
	}
	return nil
}
