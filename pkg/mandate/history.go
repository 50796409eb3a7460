package mandate

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/subscription"
)

// History is a mandate with its debits, newest first.
type History struct {
	Mandate
	Debits []DebitRow
	Events []Event
}

const (
	mandatesSQL = `SELECT ` + mandateColumns + ` FROM mandates WHERE franchiser_id = $1 ORDER BY created_at DESC, id DESC LIMIT 12`
	debitsSQL   = `SELECT ` + debitColumns + ` FROM mandate_debits WHERE franchiser_id = $1 ORDER BY created_at DESC, number DESC LIMIT 60`
)

// HistoryTx returns the franchiser's newest mandates with their newest debits and events, for staff.
func HistoryTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) ([]History, error) {
	var mandates []Mandate
	if err := tx.SelectContext(ctx, &mandates, mandatesSQL, franchiserID); err != nil {
		return nil, fmt.Errorf("list mandates: %w", err)
	}
	var debits []DebitRow
	if err := tx.SelectContext(ctx, &debits, debitsSQL, franchiserID); err != nil {
		return nil, fmt.Errorf("list debits: %w", err)
	}
	if err := settledTx(ctx, tx, franchiserID, debits); err != nil {
		return nil, err
	}
	of := map[string][]DebitRow{}
	for _, d := range debits {
		of[d.MandateID] = append(of[d.MandateID], d)
	}
	events, err := store{}.events(ctx, tx, franchiserID)
	if err != nil {
		return nil, err
	}
	with := map[string][]Event{}
	for _, e := range events {
		with[e.MandateID] = append(with[e.MandateID], e)
	}
	all := make([]History, 0, len(mandates))
	for _, m := range mandates {
		all = append(all, History{Mandate: m, Debits: of[m.ID], Events: with[m.ID]})
	}
	return all, nil
}

// Problem says why a renewal is not debited. Bad means that staff or the customer must act.
type Problem struct {
	Bad  bool
	Text string
}

// endedFor is how long staff see that a mandate ended while the plan is paid. The next renewal may be far away.
const endedFor = 31 * 24 * time.Hour

// Problems returns the problems of a franchiser's automatic renewal. RenewOn is the first unpaid day, zero without a plan; overdue means
// that this day has come.
func Problems(all []History, renewOn subscription.Day, overdue bool, now time.Time) []Problem {
	var found []Problem
	for _, h := range all {
		if h.StopAskedAt != nil && !h.State.Ended() && now.Sub(*h.StopAskedAt) >= stopAfter {
			found = append(found, Problem{true, "The customer stopped automatic renewal, and " + h.Gateway + " has not ended the mandate " +
				h.ProviderID + " for more than a day. Nothing is debited."})
		}
	}
	if len(all) == 0 || renewOn == 0 {
		return found
	}
	present := presentOf(all)
	if p := present.undebited(renewOn); p.Text != "" {
		found = append(found, p)
	}
	if text := present.rests(overdue, now); text != "" {
		found = append(found, Problem{false, text})
	}
	return found
}

// presentOf returns the mandate that debits, or else the newest one. A request for another mandate may be newer than the live one.
func presentOf(all []History) History {
	for _, h := range all {
		if (h.State == StateActive || h.State == StatePaused) && h.StopAskedAt == nil {
			return h
		}
	}
	return all[0]
}

// undebited says why the renewal was not debited. It is empty if the debit is still to come or was never planned.
func (h History) undebited(renewOn subscription.Day) Problem {
	if len(h.Debits) == 0 || h.Debits[0].RenewOn != renewOn {
		return Problem{}
	}
	newest := h.Debits[0]
	what := fmt.Sprintf("The debit of %s for the renewal on %s ", newest.Amount.Display(), renewOn.Human())
	switch newest.State {
	case DebitFailed:
		return Problem{true, what + "failed: " + newest.Cause.Text() + ". It is not tried again."}
	case DebitCalledOff:
		return Problem{false, what + "was called off: " + newest.Reason}
	case DebitPlanned, DebitNoticed, DebitAsked:
		if len(h.Debits) > 1 && h.Debits[1].RenewOn == renewOn && h.Debits[1].State == DebitFailed {
			return Problem{false, what + "failed: " + h.Debits[1].Cause.Text() + ". It is tried again on " +
				subscription.DayOf(newest.DebitAt).Human() + "."}
		}
	case DebitPaid:
	}
	return Problem{}
}

// rests says why the mandate makes no debit, empty if it does.
func (h History) rests(overdue bool, now time.Time) string {
	switch {
	case h.State.Ended():
		if h.ActiveAt == nil || !overdue && (h.StopAskedAt != nil || now.Sub(*h.EndedAt) > endedFor) {
			return ""
		}
		on := subscription.DayOf(*h.EndedAt).Human()
		if h.StopAskedAt != nil {
			return "The customer stopped automatic renewal on " + on + "; renewals are paid manually."
		}
		return "The bank ended the mandate of automatic renewal on " + on + " (" + string(h.State) + "); renewals are paid manually."
	case h.State == StatePaused:
		return "The mandate of automatic renewal is paused at the bank: nothing is debited until the customer resumes it there."
	case h.HeldAt != nil:
		return "The customer has paused automatic renewal: nothing is debited until it is resumed."
	}
	return ""
}
