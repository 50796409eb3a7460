package mandate

import (
	"context"
	"slices"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// View is the customer's page of automatic renewal.
type View struct {
	Mandate *Mandate
	// Replacement is the request for a mandate that replaces a live one, or nil.
	Replacement *Mandate
	// Paid means that the payment of the set-up has arrived but the bank has not confirmed the mandate yet.
	Paid    bool
	Next    *DebitRow
	History []DebitRow
	// Events are the events of the franchiser's mandates, newest first.
	Events []Event
	// SkippedOn is the next renewal if its debit was skipped, else zero. CanUnskip means that the skip can be undone.
	SkippedOn subscription.Day
	CanUnskip bool
	// Terms are the offered consents; empty while a mandate is live or without a bill. OpensOn is the first day on which one of them can be
	// set up, if later than today.
	Terms   []Terms
	OpensOn subscription.Day
	// WaitsUntil is the last day for the bank's confirmation of a request, zero if there is no such request.
	WaitsUntil subscription.Day
	// Bill is the next bill, nil if there is nothing to renew. DebitOn is when the mandate debits it, zero if it does not. Refused is why
	// the mandate does not allow the bill, CauseNone if it does.
	Bill    *subscription.NextBill
	DebitOn subscription.Day
	Refused Cause
	// PayToStart means that the plan of a live mandate has ended. Nothing is debited until the customer pays manually.
	PayToStart bool
}

// CanPause reports whether Pause has an effect.
func (m Mandate) CanPause() bool { return m.debits() }

// CanResume reports whether Resume has an effect.
func (m Mandate) CanResume() bool {
	return m.State == StateActive && m.StopAskedAt == nil && m.HeldAt != nil
}

// CanStop reports whether the mandate can be stopped.
func (m Mandate) CanStop() bool { return m.StopAskedAt == nil && !m.State.Ended() }

// Warning explains why the mandate does not allow the next bill, and the remedy; both are empty if it does.
func (v View) Warning() (why, advice string) {
	if v.Refused == CauseNone {
		return "", ""
	}
	r := remedyOf(v.Refused)
	return r.text, r.advice
}

const (
	// rejected is the text for a request that the bank refused, lateWord for one without a timely answer.
	rejected = "The bank has rejected the mandate."
	lateWord = "Your bank did not confirm it in time."
	// paidWithout is the adapters' text for a set-up that was paid without a mandate.
	paidWithout = "Paid, but without a mandate."
)

// NotSetUp explains in our own words why a request failed, empty if it did not fail. Reason may be the gateway's text.
func (m Mandate) NotSetUp() string {
	switch {
	case m.State != StateFailed || m.Reason == "":
		return ""
	case m.Reason == lateWord:
		return lateWord
	case m.Reason == paidWithout:
		return i18n.Mark("Your payment has arrived, but your bank does not allow debits.")
	case m.Method == MethodENACH:
		return rejected
	default:
		return i18n.Mark("The payment was not completed.")
	}
}

// Authorised reports whether the customer is known to have authorised it at the gateway.
func (m Mandate) Authorised() bool { return m.ProviderID != "" }

// CanSkip reports whether the debit can still be called off.
func (d DebitRow) CanSkip() bool { return d.State == DebitPlanned || d.State == DebitNoticed }

// Explanation is why a debit failed or was called off; empty for other debits.
func (d DebitRow) Explanation() string {
	switch d.State {
	case DebitFailed:
		return d.Cause.Text()
	case DebitCalledOff:
		return d.Reason
	case DebitPlanned, DebitNoticed, DebitAsked, DebitPaid:
	}
	return ""
}

// Follows returns the advice for a failed debit and the day of the retry, zero without one. It returns nothing if the debit's renewal is
// no longer the next bill.
func (v View) Follows(d DebitRow) (advice string, nextTry subscription.Day) {
	if d.State != DebitFailed || v.Bill == nil || v.renewal() != d.RenewOn {
		return "", 0
	}
	if v.Bill.Subscription.State.Ended() {
		return i18n.Mark("Pay manually to start your plan again."), 0
	}
	for _, other := range v.History {
		if other.RenewOn == d.RenewOn && other.CanSkip() {
			return d.Cause.Advice(true), subscription.DayOf(other.DebitAt)
		}
	}
	return d.Cause.Advice(false), 0
}

// renewal is the day of the next bill's renewal. For an ended plan, this is the unpaid renewal, although a payment would start the plan
// today.
func (v View) renewal() subscription.Day {
	if v.Bill.Subscription.State.Ended() {
		return v.Bill.Subscription.RenewOn
	}
	return v.Bill.RenewsOn
}

// View returns the franchiser's automatic renewal, or ErrOff.
func (s *Service) View(ctx context.Context, franchiserID string) (View, error) {
	if !s.Offered() {
		return View{}, ErrOff
	}
	var v View
	err := postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		var err error
		if v.Mandate, err = s.store.current(ctx, tx, franchiserID); err != nil {
			return err
		}
		if v.Mandate != nil {
			if v.Next, err = s.store.live(ctx, tx, *v.Mandate); err != nil {
				return err
			}
			if v.Replacement, err = s.store.requested(ctx, tx, franchiserID); err != nil {
				return err
			}
			if v.Replacement != nil {
				if v.Paid, err = (payment.Lookup{}).ReceivedTx(ctx, tx, franchiserID, v.Replacement.TransactionID); err != nil {
					return err
				}
				if v.Replacement.ID == v.Mandate.ID {
					v.Replacement = nil
				}
			}
		}
		if v.History, err = s.store.history(ctx, tx, franchiserID); err != nil {
			return err
		}
		if err = settledTx(ctx, tx, franchiserID, v.History); err != nil {
			return err
		}
		if v.Next != nil && slices.ContainsFunc(v.History, func(d DebitRow) bool { return d.ID == v.Next.ID && d.State == DebitPaid }) {
			v.Next = nil
		}
		v.Events, err = s.store.events(ctx, tx, franchiserID)
		return err
	})
	if err != nil {
		return v, err
	}
	request := v.Replacement
	if v.Mandate != nil && v.Mandate.State == StateRequested {
		request = v.Mandate
	}
	if request != nil {
		v.WaitsUntil = subscription.DayOf(request.CreatedAt.Add(s.rail(request.Method).requestLife))
	}
	bill, err := s.subscriptions.NextBill(ctx, franchiserID)
	if err != nil || bill == nil {
		return v, err
	}
	v.Bill = bill
	if err := v.dropOutdated(); err != nil {
		return v, err
	}
	if v.Mandate != nil {
		s.next(&v)
		if v.Mandate.debits() && v.Refused == CauseNone || v.Mandate.State == StatePaused || v.Mandate.CanResume() {
			return v, nil
		}
	}
	if request != nil && (request.Authorised() || request.StopAskedAt != nil) {
		return v, nil // the bank decides
	}
	for i, m := range s.offers(bill) {
		t := s.terms(bill, m)
		if i == 0 || t.OpensOn < v.OpensOn {
			v.OpensOn = t.OpensOn
		}
		v.Terms = append(v.Terms, t)
	}
	return v, nil
}

// LiveDebit returns the debit announced for a renewal, or any requested debit, by any mandate; or nil.
func (s *Service) LiveDebit(ctx context.Context, franchiserID string, renewOn subscription.Day) (d *DebitRow, err error) {
	err = postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		if d, err = one[DebitRow](ctx, tx, "debit", liveOfRenewalSQL, franchiserID, renewOn); err != nil || d == nil {
			return err
		}
		rows := []DebitRow{*d}
		if err = settledTx(ctx, tx, franchiserID, rows); err == nil && rows[0].State == DebitPaid {
			d = nil
		}
		return err
	})
	return d, err
}

// Due reports whether the time of a debit has come.
func (s *Service) Due(d DebitRow) bool { return !s.clock.Now().Before(d.DebitAt) }

// settledTx shows requested debits as paid once their money has arrived. The worker stores that at its next look, up to an hour later.
func settledTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, rows []DebitRow) error {
	var ids []string
	for _, d := range rows {
		if d.State == DebitAsked {
			ids = append(ids, *d.PaymentID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	payments, err := payment.Lookup{}.StandingTx(ctx, tx, franchiserID, ids)
	if err != nil {
		return err
	}
	for i, d := range rows {
		if d.State != DebitAsked || !payments[*d.PaymentID].Received() {
			continue
		}
		if err := DebitStates().Move(&rows[i].State, DebitPaid); err != nil {
			return err
		}
	}
	return nil
}

const (
	// settledOtherwise is the reason if the renewal was paid or replaced; endedBefore if the plan ended before the debit.
	settledOtherwise = "This renewal was paid in another way, or your plan was changed."
	endedBefore      = "Your plan ended before your bank was asked. Pay manually to start it again."
)

// outdated is why a debit must be called off, given the present subscription; empty if it is still due.
func outdated(d DebitRow, sub subscription.Subscription, next subscription.Day) string {
	switch {
	case sub.State.Ended() && sub.RenewOn == d.RenewOn && sub.PaidUntil == d.RenewOn:
		return endedBefore
	case next != d.RenewOn:
		return settledOtherwise
	default:
		return ""
	}
}

// dropOutdated shows a debit as called off if its renewal is no longer the next bill. The worker stores that at its next look, hours
// later, and never requests the debit.
func (v *View) dropOutdated() error {
	for i, d := range v.History {
		if !d.CanSkip() || d.SubscriptionID != v.Bill.Subscription.ID {
			continue
		}
		why := outdated(d, v.Bill.Subscription, v.Bill.RenewsOn)
		if why == "" {
			continue
		}
		if err := DebitStates().Move(&v.History[i].State, DebitCalledOff); err != nil {
			return err
		}
		v.History[i].Reason = why
		if v.Next != nil && v.Next.ID == d.ID {
			v.Next = nil
		}
	}
	return nil
}

// next sets when the mandate debits the next bill, or why it does not. After an attempt or a skip, only the planned debit counts.
func (s *Service) next(v *View) {
	m, renewOn := *v.Mandate, v.Bill.RenewsOn
	if m.SubscriptionID != v.Bill.Subscription.ID || !m.debits() {
		return
	}
	v.PayToStart = v.Bill.Subscription.State.Ended()
	day := s.rail(m.Method).debitDay(renewOn)
	v.Refused = s.settings.Refuses(m, v.Bill.Type, v.Bill.Payable(), day)
	if v.Refused != CauseNone || v.Next != nil || v.PayToStart {
		return
	}
	at, inTime := s.settings.Earliest(m, renewOn, lastOf(v.History, m, renewOn), s.clock.Now())
	switch {
	case m.skipped(renewOn):
		v.SkippedOn, v.CanUnskip = renewOn, inTime
	case inTime:
		v.DebitOn = subscription.DayOf(at)
	}
}

// lastOf returns the mandate's newest debit of a renewal that was not called off, or nil.
func lastOf(all []DebitRow, m Mandate, renewOn subscription.Day) *DebitRow {
	var last *DebitRow
	for i, d := range all {
		if d.MandateID == m.ID && d.RenewOn == renewOn && d.State != DebitCalledOff && (last == nil || d.Number > last.Number) {
			last = &all[i]
		}
	}
	return last
}

// NoteTexts are what a mandate or a debit says about itself, as in the translation catalogues.
func NoteTexts() []string {
	return []string{
		i18n.Mark(rejected), i18n.Mark(lateWord), i18n.Mark(whyChanged), i18n.Mark(whyAnother), i18n.Mark(settledOtherwise), i18n.Mark(endedBefore),
		i18n.Mark("The mandate is paused at your bank."), i18n.Mark("The mandate was revoked at your bank."),
		i18n.Mark("The mandate has expired at your bank."), i18n.Mark("The mandate failed at your bank."),
	}
}
