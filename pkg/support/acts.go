package support

import (
	"context"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/payment/act"
	"github.com/franchise360/franchise360/pkg/payment/reversal"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/idempotency"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/staff/approval"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Acts are staff's requests that move money or identity of customers. A second person approves a request, and the worker executes it
// once. The API takes requests and decisions.
type Acts struct {
	db          *sqlx.DB
	jobs        *queue.Inserter
	clock       clock.Clock
	recorder    Recorder
	payments    *act.Service
	desk        Desk
	concessions *subscription.GraceExtensions
	// approveAbove is the limit in paise above which an act on money needs a second person.
	approveAbove money.Paise
}

// ActOptions are the parts and settings of Acts. NewActs panics if a part is nil.
type ActOptions struct {
	DB          *sqlx.DB
	Jobs        *queue.Inserter
	Clock       clock.Clock
	Recorder    Recorder
	Payments    *act.Service
	Desk        Desk
	Concessions *subscription.GraceExtensions
	// ApproveAbove is the limit above which an act needs a second person.
	ApproveAbove money.Paise
}

// NewActs returns acts on the pool of the process.
func NewActs(o ActOptions) *Acts {
	return wiring.Complete(&Acts{
		db: o.DB, jobs: o.Jobs, clock: o.Clock, recorder: o.Recorder, payments: o.Payments, desk: o.Desk, concessions: o.Concessions,
		approveAbove: o.ApproveAbove,
	})
}

// ActInput is staff's request. FranchiserID is empty for an act on many customers.
type ActInput struct {
	Kind         ActKind
	FranchiserID string
	Content      ActContent
	Reason, Key  string
}

// Preview is the effect that an act would have now.
type Preview struct {
	Facts         []ActFact
	Amount        money.Paise
	NeedsApproval bool
}

// Preview computes the effect of an act without changing anything. It fails as Ask does.
func (a *Acts) Preview(ctx context.Context, p staff.Principal, in ActInput) (Preview, error) {
	var out Preview
	err := postgres.InTenantTx(ctx, a.db, in.FranchiserID, func(tx *sqlx.Tx) error {
		act, err := a.newTx(ctx, tx, p, in)
		out = Preview{Facts: act.Facts, Amount: act.Amount, NeedsApproval: act.NeedsApproval}
		return err
	})
	return out, err
}

// newTx makes the act of a request.
func (a *Acts) newTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, in ActInput) (Act, error) {
	now := a.clock.Now()
	if in.FranchiserID != "" {
		if err := account.RequireLiveTx(ctx, tx, in.FranchiserID); err != nil {
			return Act{}, err
		}
	}
	if (in.FranchiserID != "") != in.Kind.ofCustomer() {
		return Act{}, errs.Invalid("Please check the marked fields.").Field("customer_id", "Choose a customer.")
	}
	if in.Kind == ActOpenBooks && p.Role != staff.RoleAdmin {
		return Act{}, errs.Forbidden()
	}
	d, err := a.draftTx(ctx, tx, in.Kind, in.FranchiserID, in.Content, now)
	if err != nil {
		return Act{}, err
	}
	act := Act{
		Request: approval.Request{
			ID: id.New(), Amount: d.Amount, Reason: in.Reason, Key: in.Key, RequestedBy: p.StaffID, RequestedByName: p.Name, RequestedAt: now,
		},
		Kind: in.Kind, FranchiserID: in.FranchiserID, Subject: d.Subject, Content: d.Content, Facts: d.Facts,
	}
	act.NeedsApproval = d.TwoNeed || p.Role != staff.RoleAdmin || d.Already+d.Amount > a.approveAbove
	if !act.NeedsApproval {
		alone, err := reversal.GivenBackAloneTx(ctx, tx, p.StaffID, subscription.DayOf(now))
		if err != nil {
			return Act{}, err
		}
		acts, err := AloneTx(ctx, tx, p.StaffID, subscription.DayOf(now))
		if err != nil {
			return Act{}, err
		}
		act.NeedsApproval = alone+acts+d.Amount > a.approveAbove
	}
	return act, nil
}

// Ask stores a request with its audit record, and enqueues the job if it needs no approval. A repeated key returns the same act, or
// idempotency.ErrReused if the request differs. It returns ErrActOpen while the same act is unfinished, and the errors of the kind.
func (a *Acts) Ask(ctx context.Context, p staff.Principal, in ActInput) (Act, error) {
	request := Request{FranchiserID: in.FranchiserID, Reason: in.Reason, Key: in.Key}
	if err := request.validate(); err != nil {
		return Act{}, err
	}
	var act Act
	err := postgres.InTenantTx(ctx, a.db, in.FranchiserID, func(tx *sqlx.Tx) error {
		if err := lockActKeyTx(ctx, tx, p.StaffID, in.Key); err != nil {
			return err
		}
		earlier, err := actByKeyTx(ctx, tx, p.StaffID, in.Key)
		if err != nil {
			return err
		}
		if earlier != nil {
			act = *earlier
			if !act.sameAs(in) {
				return idempotency.ErrReused()
			}
			return nil
		}
		if act, err = a.newTx(ctx, tx, p, in); err != nil {
			return err
		}
		if err := act.Begin(); err != nil {
			return err
		}
		if err := insertActTx(ctx, tx, act); err != nil {
			return err
		}
		if err := a.recordTx(ctx, tx, p, act, "request_"+string(act.Kind), act.Reason); err != nil {
			return err
		}
		return a.startTx(ctx, tx, act)
	})
	return act, err
}

// sameAs reports whether a repeated request has the same content.
func (a Act) sameAs(in ActInput) bool {
	c := a.Content
	if in.Content.Day == 0 {
		c.Day = 0 // computed, not part of the request
	}
	return a.Kind == in.Kind && a.FranchiserID == in.FranchiserID && c == in.Content && a.Reason == in.Reason
}

// Approve approves a waiting act. It returns errs.NotFound, approval.ErrDecided, approval.ErrOwnRequest for the requester, or staff.ErrOnePerson for a
// possible second account of the requester.
func (a *Acts) Approve(ctx context.Context, p staff.Principal, actID, reason string) (Act, error) {
	return a.decide(ctx, p, actID, reason, approval.Approved)
}

// Decline ends a waiting act without effect; it fails as Approve does.
func (a *Acts) Decline(ctx context.Context, p staff.Principal, actID, reason string) (Act, error) {
	return a.decide(ctx, p, actID, reason, approval.Declined)
}

// Withdraw ends a waiting act. It returns approval.ErrNotYours unless the requester calls it.
func (a *Acts) Withdraw(ctx context.Context, p staff.Principal, actID, reason string) (Act, error) {
	return a.decide(ctx, p, actID, reason, approval.Withdrawn)
}

func (a *Acts) decide(ctx context.Context, p staff.Principal, actID, reason string, to approval.State) (Act, error) {
	reason, err := staff.CleanReason(reason)
	if err != nil {
		return Act{}, err
	}
	if !id.Valid(actID) {
		return Act{}, errs.NotFound()
	}
	var act Act
	err = postgres.InTx(ctx, a.db, func(tx *sqlx.Tx) error {
		if act, err = lockedActTx(ctx, tx, actID); err != nil {
			return err
		}
		d := approval.Decision{To: to, By: p, Reason: reason, At: a.clock.Now()}
		if err := act.DecideTx(ctx, tx, d, decideActSQL); err != nil {
			return err
		}
		if err := a.recordTx(ctx, tx, p, act, d.Action(string(act.Kind)), reason); err != nil {
			return err
		}
		return a.startTx(ctx, tx, act)
	})
	return act, err
}

// PerformArgs has a worker do an approved act.
type PerformArgs struct {
	ActID string `json:"act_id"`
}

// Kind returns the job's kind.
func (PerformArgs) Kind() string { return "perform_act" }

func (a *Acts) startTx(ctx context.Context, tx *sqlx.Tx, act Act) error {
	if act.State != approval.Approved {
		return nil
	}
	_, err := a.jobs.InsertTx(ctx, tx, PerformArgs{ActID: act.ID}, queue.Options{
		Queue: queue.QueuePayments, Subject: queue.Subject{FranchiserID: act.FranchiserID, PaymentID: act.Content.PaymentID},
	})
	return err
}

func (a *Acts) recordTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, act Act, kind, reason string) error {
	record := staff.Action{
		Action: kind, Target: "customer:" + act.FranchiserID, FranchiserRef: &act.FranchiserID, Reason: reason,
		After: staff.JSON(map[string]any{"act": act.ID, "state": act.State, "content": act.Content.recorded(), "amount_paise": act.Amount}),
	}
	if act.FranchiserID == "" {
		record.Target, record.FranchiserRef = "customers:many", nil
		if act.Kind == ActOpenBooks {
			record.Target = "books"
		}
	}
	return a.recorder.RecordTx(ctx, tx, p, record)
}

// List returns acts, newest first, with the names of their customers; state and franchiserID, unless empty, narrow it.
func (a *Acts) List(ctx context.Context, state approval.State, franchiserID string, limit, offset int) ([]Act, int, error) {
	if franchiserID != "" && !id.Valid(franchiserID) {
		return nil, 0, errs.NotFound()
	}
	if state != "" && !slices.Contains(ActStates().States(), state) {
		return nil, 0, errs.Invalid("Unknown state").Field("state", "Kindly choose one")
	}
	var list []Act
	var total int
	err := postgres.InTx(ctx, a.db, func(tx *sqlx.Tx) error {
		var err error
		if list, total, err = actsTx(ctx, tx, state, franchiserID, limit, offset); err != nil {
			return err
		}
		targets := make([]string, 0, len(list))
		for _, act := range list {
			targets = append(targets, "customer:"+act.FranchiserID)
		}
		names, err := Subjects{}.NamesTx(ctx, tx, targets)
		for i := range list {
			list[i].CustomerName = names[targets[i]]
		}
		return err
	})
	return list, total, err
}

// Perform does an approved act, once however often it is called. What cannot be done any more fails with a reason for staff, which is no
// error. An act on many is done in transactions of some customers each, and continues where it was interrupted. It runs with the
// worker's role.
func (a *Acts) Perform(ctx context.Context, actID string) error {
	for {
		more, after, err := a.performOnce(ctx, actID)
		if err != nil {
			return err
		}
		if after != nil {
			after(ctx)
		}
		if !more {
			return nil
		}
	}
}

func (a *Acts) performOnce(ctx context.Context, actID string) (more bool, after func(context.Context), err error) {
	now := a.clock.Now()
	err = postgres.InTx(ctx, a.db, func(tx *sqlx.Tx) error {
		act, err := lockedActTx(ctx, tx, actID)
		if err != nil || act.State != approval.Approved {
			return err
		}
		s, refused, err := a.tryTx(ctx, tx, act, now)
		if err != nil {
			return err
		}
		if refused == nil && s.More {
			more = true
			return progressActTx(ctx, tx, act.ID, s.Progress, s.Handled)
		}
		if refused == nil && s.Later {
			if err := ActStates().Move(&act.State, approval.Scheduled); err != nil {
				return err
			}
			return scheduleActTx(ctx, tx, act, s.Outcome)
		}
		end := approval.Done
		if refused != nil {
			end, s.Outcome = approval.Failed, errs.As(refused).Message
		}
		if err := ActStates().Move(&act.State, end); err != nil {
			return err
		}
		after = s.After
		return finishActTx(ctx, tx, act, s, now)
	})
	return more, after, err
}

// tryTx does performTx or undoes all of it: refused is why it cannot be done.
func (a *Acts) tryTx(ctx context.Context, tx *sqlx.Tx, act Act, now time.Time) (s step, refused, err error) {
	return undoneTx(ctx, tx, func() (step, error) { return a.performTx(ctx, tx, act, now) })
}

// undoneTx undoes all that do did where it returns an error that says why it cannot be done.
func undoneTx(ctx context.Context, tx *sqlx.Tx, do func() (step, error)) (s step, refused, err error) {
	if err := savepointTx(ctx, tx, "SAVEPOINT act"); err != nil {
		return s, nil, err
	}
	s, err = do()
	if err == nil {
		return s, nil, nil
	}
	switch errs.KindOf(err) {
	case errs.KindConflict, errs.KindInvalid, errs.KindNotFound:
		return step{}, err, savepointTx(ctx, tx, "ROLLBACK TO SAVEPOINT act")
	default:
		return s, nil, err
	}
}
