package mandate

import (
	"context"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// settle applies the outcome of a debit's payment. An undecided debit stays asked until its payment has an outcome or expires after
// payment.DebitDecidedBy.
func (s *Service) settle(ctx context.Context, d DebitRow) error {
	var m Mandate
	var p payment.Standing
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		var err error
		if m, err = s.store.mandate(ctx, tx, d.FranchiserID, d.MandateID); err != nil {
			return err
		}
		all, err := payment.Lookup{}.StandingTx(ctx, tx, d.FranchiserID, []string{*d.PaymentID})
		p = all[*d.PaymentID]
		return err
	})
	if err != nil {
		return err
	}
	failed := p.Failed()
	if failed && !m.State.Ended() {
		if m, err = s.refresh(ctx, m); err != nil {
			return err
		}
	}
	told := d.Cause
	if p.State == payment.StateFailed && told == CauseNone && !m.State.Ended() {
		known, err := s.captures.DebitKnown(ctx, *d.PaymentID)
		if err != nil {
			return err
		}
		if !known { // the payment was failed here, and the gateway never had it
			return s.unsent(ctx, m, d)
		}
		if told, err = s.whyFailed(ctx, m, d); err != nil {
			return err
		}
	}
	if p.State == payment.StateCreated && s.clock.Now().Sub(*d.AskedAt) >= lostAfter {
		return s.giveUp(ctx, m, d)
	}
	lost := false
	err = s.withDebit(ctx, m, d, func(tx *sqlx.Tx, m Mandate, d DebitRow, now time.Time) error {
		switch {
		case p.Received():
			if err := d.end(DebitPaid, CauseNone, p.Reason, now); err != nil {
				return err
			}
			d.Unheard = false
			if err := s.store.saveDebit(ctx, tx, d); err != nil {
				return err
			}
			return s.store.planAgain(ctx, tx, m, now)
		case failed:
			return s.failTx(ctx, tx, m, d, failureOf(p, told, m.State), p.Reason, now)
		}
		r := s.rail(m.Method)
		d.Unheard = p.State == payment.StateCreated
		waited := now.Sub(*d.AskedAt)
		lost = d.Unheard && m.debits() && !now.Before(r.opens(now)) && now.Before(r.closes(d.RenewOn)) && waited >= r.result && waited < resendFor
		if lost { // no debit after the customer requested deletion
			if err := s.subscriptions.RequireNoErasureTx(ctx, tx, d.FranchiserID); errors.Is(err, subscription.ErrErasureScheduled) {
				lost = false
			} else if err != nil {
				return err
			}
		}
		if lost { // nor for a renewal that is paid, or being paid, manually
			if lost, err = s.unpaidTx(ctx, tx, d, now); err != nil {
				return err
			}
		}
		return s.later(ctx, tx, d, now.Add(r.result))
	})
	if err != nil || !lost {
		return err
	}
	d.Unheard = true
	return s.send(ctx, m, d) // the request never reached the gateway
}

// unpaidTx reports whether the debit's renewal is unpaid and no manual payment is in progress.
func (s *Service) unpaidTx(ctx context.Context, tx *sqlx.Tx, d DebitRow, now time.Time) (bool, error) {
	paying, err := payment.Lookup{}.PayingByHandTx(ctx, tx, d.FranchiserID, now)
	if err != nil || paying {
		return false, err
	}
	o, err := s.subscriptions.FindOrderTx(ctx, tx, d.FranchiserID, *d.OrderID)
	if err != nil {
		return false, err
	}
	return s.subscriptions.WouldApplyTx(ctx, tx, o, now)
}

// failureOf is the cause of a debit whose payment failed or expired. Only an undecided debit expires.
func failureOf(p payment.Standing, told Cause, m State) Cause {
	if p.State == payment.StateExpired {
		return CauseUndecided
	}
	return causeOf(told, m)
}

// giveUp fails a debit after the gateway reports that it does not know it. If its payment is captured later, the money pays the renewal
// if that is open, and is refunded otherwise.
func (s *Service) giveUp(ctx context.Context, m Mandate, d DebitRow) error {
	known, err := s.captures.DebitKnown(ctx, *d.PaymentID)
	if err == nil && !known {
		err = s.captures.DebitHeard(ctx, *d.PaymentID, "", payment.StatusFailed, "The bank never had the request.")
	}
	return errors.Join(err, s.withDebit(ctx, m, d, func(tx *sqlx.Tx, m Mandate, d DebitRow, now time.Time) error {
		if err != nil || known {
			return s.later(ctx, tx, d, now.Add(again))
		}
		return s.failTx(ctx, tx, m, d, CauseLost, "", now)
	}))
}

// unsent handles a debit whose payment was failed here by a worker that then stopped. It reverts the debit to noticed, or fails it as
// lost after lostAfter.
func (s *Service) unsent(ctx context.Context, m Mandate, d DebitRow) error {
	if s.clock.Now().Sub(*d.AskedAt) < lostAfter {
		return s.noticedAgain(ctx, m, d, false)
	}
	return s.withDebit(ctx, m, d, func(tx *sqlx.Tx, m Mandate, d DebitRow, now time.Time) error {
		return s.failTx(ctx, tx, m, d, CauseLost, "", now)
	})
}

// whyFailed queries the cause of a failed debit, because gateways report none for a debit that was pending first. Repeating the
// transaction makes no second debit.
func (s *Service) whyFailed(ctx context.Context, m Mandate, d DebitRow) (Cause, error) {
	g, err := s.gateway(m.Gateway)
	if err != nil {
		return CauseNone, err
	}
	charge, _, err := s.checkout.DebitCharge(ctx, *d.PaymentID)
	if err != nil {
		return CauseNone, err
	}
	out, err := g.Debit(ctx, m.reference(), Debit{Charge: charge, Notice: d.notice()})
	return out.Cause, err
}

// failTx fails a debit, plans a retry if the cause and the rail allow one, and informs the customer once.
func (s *Service) failTx(ctx context.Context, tx *sqlx.Tx, m Mandate, d DebitRow, cause Cause, why string, now time.Time) error {
	if err := d.end(DebitFailed, cause, why, now); err != nil {
		return err
	}
	d.Unheard = false
	if err := s.store.saveDebit(ctx, tx, d); err != nil {
		return err
	}
	if err := subscription.NotePayLinkTx(ctx, tx, d.FranchiserID, d.SubscriptionID, d.RenewOn, now); err != nil {
		return err
	}
	retried, err := s.retryTx(ctx, tx, m, d, now)
	if err != nil {
		return err
	}
	switch {
	case retried:
		return s.tellTx(ctx, tx, d, now, message.TemplateDebitRetried, message.TemplateDebitRetriedEmail)
	case d.NoticedAt == nil && cause.ours():
		return s.refusedTx(ctx, tx, m, refusal{d.RenewOn, d.Amount, cause}, now)
	}
	return s.tellTx(ctx, tx, d, now, message.TemplateDebitFailed, message.TemplateDebitFailedEmail)
}

// retryTx plans the retry of a failed debit, if the cause and the rail allow one.
func (s *Service) retryTx(ctx context.Context, tx *sqlx.Tx, m Mandate, d DebitRow, now time.Time) (bool, error) {
	r := s.settings.railOf(m)
	if !remedyOf(d.Cause).retry || d.Number >= mostAttempts || r.oneACycle || m.StopAskedAt != nil || m.HeldAt != nil || m.State.Ended() {
		return false, nil
	}
	at := max(subscription.DayOf(now.Add(noticeLead))+1, subscription.DayOf(now)+r.retryAfter).Start().Add(debitHour)
	return s.planTx(ctx, tx, m, planned{renewOn: d.RenewOn, number: d.Number + 1, every: m.every(), amount: d.Amount, at: at, notice: now}, now)
}

// overdueAfter is how long a failing step of a debit is retried before the debit fails.
const overdueAfter = 24 * time.Hour

// overdue fails a debit whose step keeps failing long after its time, and returns that step's error. Customers get no payment reminder
// for an announced debit, so they need this message. A requested debit stays undecided until its payment has failed.
func (s *Service) overdue(ctx context.Context, d DebitRow, failed error) error {
	since := d.DebitAt
	if d.AskedAt != nil {
		since = *d.AskedAt
	}
	if failed == nil || s.clock.Now().Sub(since) < overdueAfter {
		return failed
	}
	m, err := s.mandateOf(ctx, d)
	if err == nil {
		err = s.withDebit(ctx, m, d, func(tx *sqlx.Tx, m Mandate, d DebitRow, now time.Time) error {
			if d.State == DebitAsked {
				all, err := payment.Lookup{}.StandingTx(ctx, tx, d.FranchiserID, []string{*d.PaymentID})
				p := all[*d.PaymentID]
				if err != nil || !p.Failed() {
					return err
				}
				return s.failTx(ctx, tx, m, d, failureOf(p, d.Cause, m.State), p.Reason, now)
			}
			return s.failTx(ctx, tx, m, d, causeOf(d.Cause, m.State), "", now)
		})
	}
	return errors.Join(failed, err)
}
