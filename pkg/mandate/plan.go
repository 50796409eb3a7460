package mandate

import (
	"context"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// locked runs fn in a transaction under the franchiser's lock, with the reloaded mandate.
func (s *Service) locked(ctx context.Context, m Mandate, fn func(tx *sqlx.Tx, m Mandate, now time.Time) error) error {
	return subscription.InLockedTx(ctx, s.db, m.FranchiserID, func(tx *sqlx.Tx) error {
		m, err := s.store.mandate(ctx, tx, m.FranchiserID, m.ID)
		if err != nil {
			return err
		}
		return fn(tx, m, s.clock.Now())
	})
}

// poll refreshes a mandate's state. An ended mandate is checked by watched.
func (s *Service) poll(ctx context.Context, m Mandate) error {
	if m.State.Ended() {
		return s.watched(ctx, m)
	}
	_, err := s.refresh(ctx, m)
	return err
}

// refresh queries the mandate's state at the gateway, revokes it there if the customer stopped it, and returns the stored result.
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

// stopRequest ends a mandate that the customer stopped before the bank confirmed it. Some gateways revoke only confirmed mandates; there
// it revokes after the confirmation.
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

// learn stores the gateway's details of a mandate.
func (s *Service) learn(ctx context.Context, m Mandate, d Details) (known Mandate, err error) {
	err = s.locked(ctx, m, func(tx *sqlx.Tx, m Mandate, now time.Time) error {
		before, limit, poll := m.State, m.Cap, m.nextPoll(now)
		if d.Reference.MandateID != "" && (m.ProviderID == "" || m.State == StateRequested) {
			m.ProviderID, m.CustomerID = d.Reference.MandateID, d.Reference.CustomerID
			if d.Reference.Method != "" {
				m.Method = d.Reference.Method
			}
		}
		if d.Masked != "" && m.StopAskedAt == nil {
			m.Masked = d.Masked
		}
		if d.Cap > 0 { // the bank may lower the agreed limit, never raise it
			m.Cap = min(d.Cap, m.Agreed)
		}
		if !d.Until.IsZero() { // nor extend the agreed end
			m.EndsOn = min(m.AgreedEnd, subscription.DayOf(d.Until))
		}
		if !m.State.Ended() {
			m.PollAt = &poll
		}
		next := m.State.after(d.State)
		if m.State == StateRequested && next == StateActive && m.ProviderID == "" {
			next = m.State // a debit needs the provider's id
		}
		late := m.State == StateRequested && next == m.State && now.Sub(m.CreatedAt) > s.rail(m.Method).requestLife
		if late {
			next, d.Reason = StateFailed, lateWord
		}
		if err := m.become(next, d.Reason, now); err != nil {
			return err
		}
		if late || before == StateRequested && m.State == StateFailed && !s.rail(m.Method).withoutPayment {
			m.watch(now) // a failed payment may still be captured, and the mandate with it
		}
		if before != m.State && m.State == StateRevoked && m.StopAskedAt != nil {
			m.watch(now)
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
		if err := s.store.saveMandate(ctx, tx, m); err != nil {
			return err
		}
		if err := s.bankChangedTx(ctx, tx, m, before, limit, now); err != nil {
			return err
		}
		return s.paidAfterAllTx(ctx, tx, m, now)
	})
	return known, err
}

// paidAfterAllTx marks failed debits as paid if their payment was captured later. It calls off a retry that was planned in between.
func (s *Service) paidAfterAllTx(ctx context.Context, tx *sqlx.Tx, m Mandate, now time.Time) error {
	failed, err := s.store.failedSince(ctx, tx, m, now.Add(-lateFor))
	if err != nil || len(failed) == 0 {
		return err
	}
	ids := make([]string, 0, len(failed))
	for _, d := range failed {
		ids = append(ids, *d.PaymentID)
	}
	all, err := payment.Lookup{}.StandingTx(ctx, tx, m.FranchiserID, ids)
	if err != nil {
		return err
	}
	for _, d := range failed {
		if p := all[*d.PaymentID]; !p.Received() {
			continue
		}
		next, err := s.store.liveOf(ctx, tx, d)
		if err != nil {
			return err
		}
		if next != nil && next.State == DebitAsked { // its outcome comes first
			continue
		}
		if next != nil {
			if err := s.store.callOffDebitTx(ctx, tx, *next, i18n.Mark("An earlier debit of this renewal was paid after all."), now); err != nil {
				return err
			}
		}
		if err := d.end(DebitPaid, CauseNone, "", now); err != nil {
			return err
		}
		if err := s.store.saveDebit(ctx, tx, d); err != nil {
			return err
		}
	}
	return nil
}

// nextPoll is when to query the mandate next: a request at growing intervals up to again, a live mandate after pollEvery.
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

// supersedeTx stops the mandate that a newly confirmed one replaces.
func (s *Service) supersedeTx(ctx context.Context, tx *sqlx.Tx, m Mandate, now time.Time) error {
	old, err := s.store.current(ctx, tx, m.FranchiserID)
	if err != nil || old == nil || old.ID == m.ID || old.State != StateActive && old.State != StatePaused || old.StopAskedAt != nil {
		return err
	}
	old.StopAskedAt, old.PollAt, old.PlanAt = &now, &now, nil
	if err := s.callOffTx(ctx, tx, *old, i18n.Mark("Another mandate replaces it."), now); err != nil {
		return err
	}
	if err := s.store.saveMandate(ctx, tx, *old); err != nil {
		return err
	}
	return s.store.noteTx(ctx, tx, *old, Event{Kind: EventReplaced, Actor: ActorSystem, At: now})
}

// plan plans the debit of the mandate's next renewal, a week before it is due.
func (s *Service) plan(ctx context.Context, m Mandate) error {
	bill, err := s.subscriptions.NextBill(ctx, m.FranchiserID)
	if err != nil {
		return err
	}
	return s.locked(ctx, m, func(tx *sqlx.Tx, m Mandate, now time.Time) error {
		if !m.debits() { // Resume schedules the next look
			m.PlanAt = nil
			return s.store.saveMandate(ctx, tx, m)
		}
		paying, err := payment.Lookup{}.UndecidedTx(ctx, tx, m.FranchiserID, m.TransactionID)
		if err != nil {
			return err
		}
		if paying { // the renewal paid during the authorisation is not booked yet
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
		return s.planRenewalTx(ctx, tx, m, bill, now)
	})
}

// planRenewalTx plans the debit of the next bill when its announcement is due. Before that, it warns the customer if the mandate does not
// allow the bill.
func (s *Service) planRenewalTx(ctx context.Context, tx *sqlx.Tx, m Mandate, bill *subscription.NextBill, now time.Time) error {
	renewOn := bill.RenewsOn
	day := s.rail(m.Method).debitDay(renewOn)
	m.FixedDays = int(renewOn - noticeDay(day))
	morning := func(day subscription.Day) time.Time { return day.Start().Add(9 * time.Hour).UTC() }
	if warn := morning(day - warnDays); now.Before(warn) {
		return s.store.planAgain(ctx, tx, m, warn)
	}
	refused := s.settings.Refuses(m, bill.Type, bill.Payable(), day)
	if refused != CauseNone && !m.skipped(renewOn) {
		if err := s.refusedTx(ctx, tx, m, refusal{renewOn, bill.Payable(), refused}, now); err != nil {
			return err
		}
	}
	if announce := morning(day - announceDays); now.Before(announce) {
		return s.store.planAgain(ctx, tx, m, announce)
	}
	next := (renewOn + subscription.GraceDays).Start().UTC()
	if !next.After(now) { // staff extended the grace period, in which nothing is debited
		next = now.Add(pollEvery)
	}
	if err := s.store.planAgain(ctx, tx, m, next); err != nil {
		return err
	}
	last, err := s.store.lastTry(ctx, tx, m, renewOn)
	if err != nil || m.skipped(renewOn) || refused != CauseNone && last != nil && last.Cause == refused {
		return err
	}
	at, inTime := s.settings.Earliest(m, renewOn, last, now)
	if !inTime {
		return nil
	}
	p := planned{renewOn: renewOn, number: 1, every: bill.Type, amount: bill.Payable(), at: at, notice: noticeDay(day).Start().Add(debitHour).UTC(), announce: true}
	if last != nil {
		p.number = last.Number + 1
	}
	if p.notice.Before(now) {
		p.notice = now
	}
	_, err = s.planTx(ctx, tx, m, p, now)
	return err
}

// Earliest is when a mandate can debit a renewal. It is false if there is no time left or a retry cannot help. last is the renewal's
// newest debit that was not called off, or nil.
func (s Settings) Earliest(m Mandate, renewOn subscription.Day, last *DebitRow, now time.Time) (time.Time, bool) {
	r := s.railOf(m)
	at := maxTime(r.debitDay(renewOn).Start().Add(debitHour), now.Add(noticeLead))
	if last != nil {
		if !r.mayFollow(*last) {
			return at, false
		}
		at = maxTime(at, (subscription.DayOf(*last.DecidedAt) + r.retryAfter).Start().Add(debitHour))
	}
	at = r.opens(at.UTC()).UTC()
	return at, at.Before(r.closes(renewOn))
}

// skipped reports whether the customer has skipped the debit of a renewal.
func (m Mandate) skipped(renewOn subscription.Day) bool {
	return m.SkippedOn != nil && *m.SkippedOn == renewOn
}

// planned is a debit to be stored.
type planned struct {
	renewOn    subscription.Day
	number     int
	every      plan.Type // the term of the bill
	amount     money.Paise
	at, notice time.Time
	announce   bool // false for a retry: the message about the failure announces it
}

// planTx stores a debit, announces it, and reports whether the rail has time for it. A bill that the mandate does not allow fails
// immediately.
func (s *Service) planTx(ctx context.Context, tx *sqlx.Tx, m Mandate, p planned, now time.Time) (bool, error) {
	r := s.rail(m.Method)
	at := r.opens(p.at.UTC()).UTC()
	if !at.Before(r.closes(p.renewOn)) {
		return false, nil
	}
	d := DebitRow{
		ID: id.New(), FranchiserID: m.FranchiserID, MandateID: m.ID, SubscriptionID: m.SubscriptionID, RenewOn: p.renewOn, Number: p.number,
		State: DebitPlanned, Amount: p.amount, DebitAt: at, NextAt: &p.notice, NoticeToken: requestID(), CreatedAt: now,
	}
	fresh, err := s.store.insertDebit(ctx, tx, d)
	if err != nil || !fresh {
		return fresh, err
	}
	cause := s.settings.Refuses(m, p.every, p.amount, subscription.DayOf(at))
	if cause == CauseNone && s.settings.railOf(m).usedBy(m, at) {
		cause = CauseCycleUsed
	}
	if cause != CauseNone {
		return false, s.failTx(ctx, tx, m, d, cause, "", now)
	}
	if !p.announce {
		return true, nil
	}
	return true, s.tellTx(ctx, tx, d, now, message.TemplateDebitAnnounced, message.TemplateDebitAnnouncedEmail)
}

// Refuses is why the mandate does not allow a debit of a monthly or yearly bill on a day, CauseNone if it does.
func (s Settings) Refuses(m Mandate, every plan.Type, amount money.Paise, on subscription.Day) Cause {
	switch {
	case m.Yearly && every != plan.TypeYearly: // more debits a year than agreed
		return CauseFrequency
	case on > m.EndsOn:
		return CauseExpires
	case !s.rail(m.Method).withinLimit(amount): // a higher limit would not help
		return CauseAuthenticate
	case amount > m.Cap:
		return CauseAboveCap
	default:
		return CauseNone
	}
}

func (s *Service) tellTx(ctx context.Context, tx *sqlx.Tx, d DebitRow, now time.Time, templates ...string) error {
	return s.tellOfTx(ctx, tx, d.FranchiserID, d.ID, now, templates...)
}

func (s *Service) tellOfTx(ctx context.Context, tx *sqlx.Tx, franchiserID, about string, now time.Time, templates ...string) error {
	for _, template := range templates {
		m := message.CustomerMessage{FranchiserID: franchiserID, Template: template, About: about, CreatedAt: now}
		if err := s.messages.OnceTx(ctx, tx, m); err != nil {
			return err
		}
	}
	return nil
}
