// Package approval has what every request of staff has that may need a second person: its states, who may decide, and its record. The
// database enforces the same rules on each table, by the policy another_decides and the trigger require_second_person.
package approval

import (
	"context"
	"fmt"
	"maps"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/lifecycle"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/staff"
)

// State is the state of a request.
type State string

// The states of a request. A waiting request needs a second person. Its requester withdrew a withdrawn request. A scheduled request is
// approved and waits for its time; a stopped one was ended before. A failed request was approved and no longer possible.
const (
	Waiting   State = "waiting"
	Approved  State = "approved"
	Declined  State = "declined"
	Withdrawn State = "withdrawn"
	Scheduled State = "scheduled"
	Done      State = "done"
	Failed    State = "failed"
	Stopped   State = "stopped"
)

// States returns the only allowed transitions of a request: the shared ones up to its approval, and those after.
func States(after lifecycle.Table[State]) lifecycle.Table[State] {
	table := lifecycle.Table[State]{
		"":      {Waiting, Approved},
		Waiting: {Approved, Declined, Withdrawn},
	}
	maps.Copy(table, after)
	return table
}

// Request is what the requests have in common; each row type embeds it.
type Request struct {
	ID     string      `db:"id"`
	Amount money.Paise `db:"amount_paise"`
	// Reason is for staff and the audit trail; the customer never sees it.
	Reason        string `db:"reason"`
	State         State  `db:"state"`
	NeedsApproval bool   `db:"needs_approval"`
	Key           string `db:"key"`
	// RequestedBy and DecidedBy are staff ids, the latter empty until decided; the names are for display.
	RequestedBy     string     `db:"requested_by"`
	RequestedByName string     `db:"requested_by_name"`
	RequestedAt     time.Time  `db:"requested_at"`
	DecidedBy       string     `db:"decided_by"`
	DecidedByName   string     `db:"decided_by_name"`
	DecidedAt       *time.Time `db:"decided_at"`
	DecisionReason  string     `db:"decision_reason"`
	FinishedAt      *time.Time `db:"finished_at"`
}

// The parts of a statement that read a Request from a table of requests, which the statement names r.
const (
	ColumnsSQL = `r.id, r.amount_paise, r.reason, r.state, r.needs_approval, r.key, r.requested_by, asker.name AS requested_by_name, r.requested_at,
		coalesce(r.decided_by::text, '') AS decided_by, coalesce(decider.name, '') AS decided_by_name, r.decided_at, r.decision_reason, r.finished_at`
	NamesSQL = ` JOIN staff_overview asker ON asker.id = r.requested_by LEFT JOIN staff_overview decider ON decider.id = r.decided_by`
)

// Errors of requests, safe to show.
var (
	// ErrOwnRequest refuses to let staff decide their own request.
	ErrOwnRequest = errs.New(errs.KindForbidden, "own_request", "Somebody else has to approve what you asked for.")
	// ErrDecided refuses a second decision.
	ErrDecided = errs.New(errs.KindConflict, "already_decided", "This request was decided already.")
	// ErrNotYours refuses to withdraw another member's request.
	ErrNotYours = errs.New(errs.KindForbidden, "not_your_request", "Only whoever asked for it can withdraw it. Decline it instead.")
)

// SecondPersonTx returns ErrOwnRequest if the member is the requester, and staff.ErrOnePerson while they may be.
func SecondPersonTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, requestedBy string, now time.Time) error {
	if requestedBy == p.StaffID {
		return ErrOwnRequest
	}
	return staff.SecondPersonTx(ctx, tx, requestedBy, now)
}

// Begin gives a new request its first state.
func (r *Request) Begin() error {
	first := Approved
	if r.NeedsApproval {
		first = Waiting
	}
	return States(nil).Move(&r.State, first)
}

// Decision is what a member of staff decides about a waiting request.
type Decision struct {
	// To is Approved, Declined or Withdrawn.
	To     State
	By     staff.Principal
	Reason string
	At     time.Time
}

// DecideTx decides the locked request and stores the decision by the statement, whose parameters are id, state, decider, time and reason.
// It returns ErrDecided unless the request waits, ErrNotYours if anybody but the requester withdraws it, and the errors of SecondPersonTx.
func (r *Request) DecideTx(ctx context.Context, tx *sqlx.Tx, d Decision, statement string) error {
	switch {
	case r.State != Waiting:
		return ErrDecided
	case d.To == Withdrawn && r.RequestedBy != d.By.StaffID:
		return ErrNotYours
	case d.To != Withdrawn:
		if err := SecondPersonTx(ctx, tx, d.By, r.RequestedBy, d.At); err != nil {
			return err
		}
		r.DecidedBy, r.DecidedByName, r.DecidedAt = d.By.StaffID, d.By.Name, &d.At
	}
	r.DecisionReason = d.Reason
	if err := States(nil).Move(&r.State, d.To); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, statement, r.ID, string(r.State), r.DecidedBy, r.DecidedAt, r.DecisionReason); err != nil {
		return fmt.Errorf("decide a request of staff: %w", err)
	}
	return nil
}

// Action returns the kind of the decision's record in the audit trail, for a request of that kind.
func (d Decision) Action(kind string) string {
	switch d.To {
	case Declined:
		return "decline_" + kind
	case Withdrawn:
		return "withdraw_request"
	default:
		return "approve_" + kind
	}
}
