package mandate

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// mandateOf returns the debit's stored mandate.
func (s *Service) mandateOf(ctx context.Context, d DebitRow) (m Mandate, err error) {
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		m, err = s.store.mandate(ctx, tx, d.FranchiserID, d.MandateID)
		return err
	})
	return m, err
}

// current returns the debit's mandate after refreshing its state from the gateway.
func (s *Service) current(ctx context.Context, d DebitRow) (Mandate, error) {
	m, err := s.mandateOf(ctx, d)
	if err != nil || m.State.Ended() {
		return m, err
	}
	return s.refresh(ctx, m)
}

// withDebit runs fn under the franchiser's lock with the reloaded debit. It does nothing if the debit's state has changed.
func (s *Service) withDebit(ctx context.Context, m Mandate, d DebitRow, fn func(tx *sqlx.Tx, m Mandate, d DebitRow, now time.Time) error) error {
	return s.locked(ctx, m, func(tx *sqlx.Tx, m Mandate, now time.Time) error {
		fresh, err := s.store.debit(ctx, tx, d.FranchiserID, d.ID)
		if err != nil || fresh.State != d.State {
			return err
		}
		return fn(tx, m, fresh, now)
	})
}

// later schedules the debit's next step.
func (s *Service) later(ctx context.Context, tx *sqlx.Tx, d DebitRow, at time.Time) error {
	d.NextAt = &at
	return s.store.saveDebit(ctx, tx, d)
}

// stoppedTx ends a debit that its mandate does not allow now.
func (s *Service) stoppedTx(ctx context.Context, tx *sqlx.Tx, m Mandate, d DebitRow, now time.Time) error {
	if m.StopAskedAt != nil || m.HeldAt != nil {
		return s.callOffTx(ctx, tx, m, i18n.Mark("Automatic renewal is stopped."), now)
	}
	return s.failTx(ctx, tx, m, d, causeOf(CauseNone, m.State), "", now)
}

// submit fixes the price and submits the pre-debit notice.
func (s *Service) submit(ctx context.Context, d DebitRow) error {
	m, err := s.current(ctx, d)
	if err != nil {
		return err
	}
	ready := false
	err = s.withDebit(ctx, m, d, func(tx *sqlx.Tx, known Mandate, fresh DebitRow, now time.Time) error {
		m, d = known, fresh
		if !m.debits() {
			return s.stoppedTx(ctx, tx, m, d, now)
		}
		if ended, err := s.paidInPartTx(ctx, tx, d, now); err != nil || ended {
			return err
		}
		order, err := s.checkout.FreezeTx(ctx, tx, d.FranchiserID, d.intent())
		if err != nil {
			return s.unpriceable(ctx, tx, d, err, now)
		}
		d, ready, err = s.freezeTx(ctx, tx, m, d, order, now)
		return err
	})
	if err != nil || !ready {
		return err
	}
	g, err := s.gateway(m.Gateway)
	if err != nil {
		return err
	}
	out, err := g.Notify(ctx, m.reference(), d.notice())
	if err != nil {
		return err // the next attempt after the lease uses the same token
	}
	return s.noticed(ctx, g, m, d, out)
}

// freezeTx fixes the price of the order that the notice announces. If the price or the day differs from the announcement, it replaces the
// debit, because one notice token must never carry two contents. For eNACH, only our message names the day. A late worker also keeps to the
// rail's cycle.
func (s *Service) freezeTx(ctx context.Context, tx *sqlx.Tx, m Mandate, d DebitRow, order subscription.Order, now time.Time) (DebitRow, bool, error) {
	if order.EffectiveOn != d.RenewOn { // the plan ended, and this would start it again
		return d, false, s.store.callOffDebitTx(ctx, tx, d, endedBefore, now)
	}
	r, submitted, announced := s.rail(m.Method), d.OrderID != nil, d.Amount
	at := d.DebitAt
	if soonest := now.Add(noticeLead); at.Before(soonest) {
		at = r.opens(soonest)
	}
	moved := subscription.DayOf(at) != subscription.DayOf(d.DebitAt)
	amount := order.Payable()
	if cause := s.settings.Refuses(m, order.Type, amount, subscription.DayOf(at)); cause != CauseNone {
		d.Amount = amount
		return d, false, s.failTx(ctx, tx, m, d, cause, "", now)
	}
	if !at.Before(r.closes(d.RenewOn)) {
		return d, false, s.failTx(ctx, tx, m, d, CauseTechnical, "", now)
	}
	if amount != announced || moved {
		return d, false, s.anewTx(ctx, tx, m, d, anew{why: whyAnother, every: order.Type, amount: amount, withdraw: submitted}, now)
	}
	d.OrderID, d.DebitAt = &order.ID, at
	return d, true, s.store.saveDebit(ctx, tx, d)
}

// Reasons for calling off a debit that another debit replaces.
const (
	whyAnother = "The bill or its day has changed since it was announced."
	whyChanged = "Your plan or add-ons were changed after the notice."
)

// anew describes why another debit replaces an announced one, and the new amount.
type anew struct {
	why      string
	every    plan.Type
	amount   money.Paise
	withdraw bool // the bank may have a notice
}

// anewTx calls a debit off and plans another in its place. The new notice is submitted after the old one is withdrawn.
func (s *Service) anewTx(ctx context.Context, tx *sqlx.Tx, m Mandate, d DebitRow, a anew, now time.Time) error {
	if err := d.end(DebitCalledOff, CauseNone, a.why, now); err != nil {
		return err
	}
	notice := now
	if a.withdraw {
		d.NextAt, notice = &now, now.Add(lease)
	}
	if err := s.store.saveDebit(ctx, tx, d); err != nil {
		return err
	}
	_, err := s.planTx(ctx, tx, m, planned{
		renewOn: d.RenewOn, number: d.Number, every: a.every, amount: a.amount, at: maxTime(d.DebitAt, notice.Add(noticeLead)), notice: notice, announce: true,
	}, now)
	return err
}

// unpriceable delays the debit if a payment is undecided, or ends it if the renewal is no longer payable.
func (s *Service) unpriceable(ctx context.Context, tx *sqlx.Tx, d DebitRow, cause error, now time.Time) error {
	switch {
	case errors.Is(cause, checkout.ErrHeld), errors.Is(cause, checkout.ErrDebitUndecided), errors.Is(cause, checkout.ErrPaymentUndecided):
		return s.later(ctx, tx, d, now.Add(again))
	case errs.KindOf(cause) != errs.KindConflict && errs.KindOf(cause) != errs.KindInvalid && errs.KindOf(cause) != errs.KindNotFound:
		return cause
	}
	why := errs.As(cause).Message
	if errors.Is(cause, subscription.ErrPayLinkDone) {
		why = settledOtherwise
	}
	return s.store.callOffDebitTx(ctx, tx, d, why, now)
}

func (s *Service) noticed(ctx context.Context, g Gateway, m Mandate, d DebitRow, out NoticeOutcome) error {
	kept := false
	err := s.withDebit(ctx, m, d, func(tx *sqlx.Tx, m Mandate, d DebitRow, now time.Time) error {
		kept = true
		if out.Reference != "" {
			d.NoticeReference = out.Reference
		}
		if out.Later {
			s.logger.WarnContext(ctx, "notice of a debit refused for now", slog.String("debit", d.ID), slog.String("reason", out.Reason))
			d.OrderID = nil // the gateway has no notice
			return s.later(ctx, tx, d, now.Add(again))
		}
		if !out.Accepted {
			return s.failTx(ctx, tx, m, d, causeOf(out.Cause, m.State), out.Reason, now)
		}
		if err := DebitStates().Move(&d.State, DebitNoticed); err != nil {
			return err
		}
		d.NoticedAt = &now
		return s.later(ctx, tx, d, minTime(d.DebitAt, now.Add(reviewEvery)))
	})
	if err != nil || kept || !out.Accepted {
		return err
	}
	d.NoticeReference = out.Reference
	return s.unneeded(ctx, g, m, d)
}

// unneeded withdraws the notice of a debit that was called off during the submission. It keeps a notice that another worker has
// submitted.
func (s *Service) unneeded(ctx context.Context, g Gateway, m Mandate, d DebitRow) error {
	var now DebitRow
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) (err error) {
		now, err = s.store.debit(ctx, tx, d.FranchiserID, d.ID)
		return err
	})
	if err != nil || now.State != DebitCalledOff && now.State != DebitFailed {
		return err
	}
	_, err = g.WithdrawNotice(ctx, m.reference(), d.notice())
	return err
}

// reviewEvery is how often the worker compares a noticed renewal with the customer's later changes.
const reviewEvery = 6 * time.Hour

func minTime(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// withdraw withdraws the notice of a called-off debit. The debit is not made even if the withdrawal fails.
func (s *Service) withdraw(ctx context.Context, d DebitRow) error {
	m, err := s.mandateOf(ctx, d)
	if err != nil {
		return err
	}
	if !m.State.Ended() {
		g, err := s.gateway(m.Gateway)
		if err != nil {
			return err
		}
		if _, err := g.WithdrawNotice(ctx, m.reference(), d.notice()); err != nil {
			return err
		}
	}
	return s.withDebit(ctx, m, d, func(tx *sqlx.Tx, _ Mandate, d DebitRow, _ time.Time) error {
		d.NextAt = nil
		return s.store.saveDebit(ctx, tx, d)
	})
}

// ask requests a noticed debit from the gateway if it is due and the renewal is unchanged.
func (s *Service) ask(ctx context.Context, d DebitRow) error {
	doubtful, err := s.askAgain(ctx, d)
	if err != nil {
		return err
	}
	m, err := s.current(ctx, d)
	if err != nil {
		return err
	}
	asked := false
	err = s.withDebit(ctx, m, d, func(tx *sqlx.Tx, m Mandate, fresh DebitRow, now time.Time) error {
		d = fresh
		if !m.debits() {
			return s.stoppedTx(ctx, tx, m, d, now)
		}
		if ended, err := s.paidInPartTx(ctx, tx, d, now); err != nil || ended {
			return err
		}
		order, waits, err := s.stillDueTx(ctx, tx, m, d, now)
		if err != nil || waits {
			return err
		}
		if at := s.mayAsk(m, d, now); now.Before(at) {
			return s.later(ctx, tx, d, at)
		}
		if !now.Before(s.rail(m.Method).closes(d.RenewOn)) || d.RefusedAt != nil && now.Sub(d.DebitAt) >= resendFor {
			return s.failTx(ctx, tx, m, d, CauseTechnical, "", now)
		}
		if doubtful {
			return s.later(ctx, tx, d, now.Add(again))
		}
		p, err := s.checkout.OpenDebitTx(ctx, tx, order, m.Gateway, d.NoticeReference)
		if err != nil {
			return s.unpriceable(ctx, tx, d, err, now)
		}
		if err := DebitStates().Move(&d.State, DebitAsked); err != nil {
			return err
		}
		d.PaymentID, d.AskedAt, asked = &p.ID, &now, true
		return s.later(ctx, tx, d, now.Add(s.rail(m.Method).result))
	})
	if err != nil || !asked {
		return err
	}
	return s.send(ctx, m, d)
}

// askAgain checks, before a debit, for payments that may have paid its renewal: failed earlier debits and manual payments in progress. It
// reports whether one of those debits is undecided.
func (s *Service) askAgain(ctx context.Context, d DebitRow) (undecided bool, err error) {
	now := s.clock.Now()
	if now.Before(d.DebitAt) {
		return false, nil
	}
	var ids []string
	var g Gateway
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		m, err := s.store.mandate(ctx, tx, d.FranchiserID, d.MandateID)
		if err != nil {
			return err
		}
		if g, err = s.gateway(m.Gateway); err != nil {
			return err
		}
		ids, err = payment.Lookup{}.DoubtfulTx(ctx, tx, d.FranchiserID, now.Add(-lateFor))
		return err
	})
	if err != nil {
		return false, err
	}
	for _, id := range ids {
		if _, err := turn(ctx, g); err != nil {
			return false, err
		}
		open, err := s.captures.AskAgain(ctx, id)
		if err != nil {
			return false, err
		}
		undecided = undecided || open
	}
	return undecided, nil
}

// takeBack reverts a debit to noticed if the gateway has no request for it. Its payment fails.
func (s *Service) takeBack(ctx context.Context, m Mandate, d DebitRow, why string, refused bool) error {
	if err := s.captures.DebitNotMade(ctx, *d.PaymentID, why); err != nil {
		return err
	}
	return s.noticedAgain(ctx, m, d, refused)
}

// noticedAgain returns a debit to noticed after its payment ended without the gateway. The retry is immediate, or later if the gateway
// rejected the request.
func (s *Service) noticedAgain(ctx context.Context, m Mandate, d DebitRow, refused bool) error {
	return s.withDebit(ctx, m, d, func(tx *sqlx.Tx, m Mandate, d DebitRow, now time.Time) error {
		if err := DebitStates().Move(&d.State, DebitNoticed); err != nil {
			return err
		}
		d.PaymentID, d.AskedAt, d.Unheard = nil, nil, false
		if !refused {
			return s.later(ctx, tx, d, now)
		}
		d.RefusedAt = &now
		return s.later(ctx, tx, d, now.Add(refusedAgain))
	})
}

// refusedAgain is the delay before retrying a debit request that the gateway did not accept.
const refusedAgain = 4 * time.Hour

// paidInPartTx calls a debit off if a bank transfer is paying its bill, as reported by the customer or the bank.
func (s *Service) paidInPartTx(ctx context.Context, tx *sqlx.Tx, d DebitRow, now time.Time) (bool, error) {
	part, err := s.store.paidInPart(ctx, tx, d.FranchiserID)
	if err != nil || !part {
		return false, err
	}
	return true, s.store.callOffDebitTx(ctx, tx, d, i18n.Mark("This bill is being paid by bank transfer. If a part is missing, please transfer it."), now)
}

// mayAsk is the first moment at which the debit may be requested.
func (s *Service) mayAsk(m Mandate, d DebitRow, now time.Time) time.Time {
	at := now
	if d.DebitAt.After(at) {
		at = d.DebitAt
	}
	if least := d.NoticedAt.Add(leastNotice); least.After(at) {
		at = least
	}
	return s.rail(m.Method).opens(at)
}

// stillDueTx compares the renewal with the noticed order. If the customer changed the plan or add-ons, it withdraws the notice while
// there is time for another; otherwise the change waits for the next renewal. It never debits an order that no longer applies, or applies
// at another price.
func (s *Service) stillDueTx(ctx context.Context, tx *sqlx.Tx, m Mandate, d DebitRow, now time.Time) (o subscription.Order, ended bool, err error) {
	offer, err := s.subscriptions.QuoteTx(ctx, tx, d.FranchiserID, d.intent(), now)
	if err != nil {
		return o, true, s.unpriceable(ctx, tx, d, err, now)
	}
	if offer.EffectiveOn != d.RenewOn { // the plan ended, and this would start it again
		return o, true, s.store.callOffDebitTx(ctx, tx, d, endedBefore, now)
	}
	if o, err = s.subscriptions.FindOrderTx(ctx, tx, d.FranchiserID, *d.OrderID); err != nil {
		return o, false, err
	}
	would, err := s.subscriptions.WouldApplyTx(ctx, tx, o, now)
	if err != nil {
		return o, false, err
	}
	same := o.ServiceID == offer.Tier.ID && o.Type == offer.Type && slices.Equal(sorted(o.AddOnIDs), sorted(offer.AddOnIDs()))
	inTime := d.DebitAt.Sub(now) >= noticeLead
	if would && (same || !inTime) {
		if now.Before(d.DebitAt) {
			return o, true, s.later(ctx, tx, d, minTime(d.DebitAt, now.Add(reviewEvery)))
		}
		return o, false, nil
	}
	why := whyChanged
	if same && o.BaseRevision == offer.BaseRevision { // it costs more: another rate of tax is in force
		why = whyAnother
	}
	return o, true, s.anewTx(ctx, tx, m, d, anew{why: why, every: offer.Type, amount: offer.Payable(), withdraw: true}, now)
}

func maxTime(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

func sorted(ids []string) []string { return slices.Sorted(slices.Values(ids)) }

// send requests the debit of an open payment from the gateway, after its rate limit. It sends nothing if the mandate was stopped or the
// rail has closed. A repeated request is for the same debit.
func (s *Service) send(ctx context.Context, m Mandate, d DebitRow) error {
	g, err := s.gateway(m.Gateway)
	if err != nil {
		return err
	}
	charge, p, err := s.checkout.DebitCharge(ctx, *d.PaymentID)
	if err != nil || !p.State.Open() {
		return err
	}
	asked, err := turn(ctx, g)
	if err != nil {
		return err
	}
	m, why, err := s.rests(ctx, d)
	switch {
	case err != nil, why != "" && d.Unheard: // the request that was made may yet turn up
		return err
	case why != "":
		return s.takeBack(ctx, m, d, why, false)
	}
	out, err := asked.Debit(ctx, m.reference(), Debit{Charge: charge, Notice: d.notice()})
	if errors.Is(err, ErrNotAccepted) && !d.Unheard { // an earlier request without an answer may still arrive
		s.logger.ErrorContext(ctx, "the gateway did not accept a debit", slog.String("debit", d.ID), log.Error(err))
		return s.takeBack(ctx, m, d, "The bank was not asked: the payment provider did not accept the request.", true)
	}
	if err != nil {
		return err // the debit may exist; a later step checks the payment
	}
	if out.Status == payment.StatusFailed {
		err = s.withDebit(ctx, m, d, func(tx *sqlx.Tx, _ Mandate, d DebitRow, _ time.Time) error {
			d.Cause, d.Reason = out.Cause, out.Reason
			return s.store.saveDebit(ctx, tx, d)
		})
		if err != nil {
			return err
		}
	}
	if err := s.heard(ctx, g, p.ID, out); err != nil {
		return err
	}
	return s.settle(ctx, d)
}

// rests returns the debit's stored mandate and why it allows no request now. The reason is empty if it does.
func (s *Service) rests(ctx context.Context, d DebitRow) (m Mandate, why string, err error) {
	m, err = s.mandateOf(ctx, d)
	now := s.clock.Now()
	switch {
	case err != nil:
	case !m.debits():
		why = "Automatic renewal was stopped."
	case now.Before(s.rail(m.Method).opens(now)):
		why = "The bank takes no debit at this time."
	}
	return m, why, err
}
