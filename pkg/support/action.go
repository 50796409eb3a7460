package support

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/idempotency"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/tenant"
)

// Accounts unlocks people and ends their sessions; implemented by signin.Service. Each call may be repeated.
type Accounts interface {
	StaffUnlock(ctx context.Context, franchiserID string) error
	StaffUnlockMobile(ctx context.Context, mobile string) error
	StaffEndSessions(ctx context.Context, franchiserID string) (int, error)
}

// CustomerActions is what staff do for a customer. Each act has a reason, is noted in the audit trail, and is done once however often
// the same request comes.
type CustomerActions struct {
	db       *sqlx.DB
	jobs     *queue.Inserter
	clock    clock.Clock
	keys     secret.Keyring
	recorder Recorder
	accounts Accounts
}

// NewCustomerActions returns the actions over their parts.
func NewCustomerActions(db *sqlx.DB, jobs *queue.Inserter, clk clock.Clock, keys secret.Keyring, recorder Recorder,
	accounts Accounts,
) *CustomerActions {
	return wiring.Complete(&CustomerActions{db: db, jobs: jobs, clock: clk, keys: keys, recorder: recorder, accounts: accounts})
}

// Request is what every action needs: the customer, the reason, and the key that identifies a repeated request.
type Request struct{ FranchiserID, Reason, Key string }

func (r Request) validate() error {
	if _, err := staff.CleanReason(r.Reason); err != nil {
		return err
	}
	if !idempotency.Valid(r.Key) {
		return errs.Invalid("Please send the request again.").Field("idempotency_key", idempotency.Rule)
	}
	return nil
}

// Done is the outcome of an action, in words for staff; JobID is the job that continues it, if any.
type Done struct {
	Message string `json:"message"`
	JobID   *int64 `json:"job_id"`
}

// requestLife is how long a key identifies its request.
const requestLife = 24 * time.Hour

func fingerprint(action, target, reason string) idempotency.Fingerprint {
	return idempotency.Of(fmt.Appendf(nil, "%d:%s%d:%s%s", len(action), action, len(target), target, reason))
}

// once runs fn and records it in the same transaction; for a repeated key it returns the first answer.
func (h *CustomerActions) once(ctx context.Context, p staff.Principal, in Request, a staff.Action, fn func(tx *sqlx.Tx) (Done, error)) (Done, error) {
	return h.onceWith(ctx, p, in, a, "", fn)
}

// onceWith is once for a request whose content is more than its action, target and reason.
func (h *CustomerActions) onceWith(ctx context.Context, p staff.Principal, in Request, a staff.Action, content string, fn func(tx *sqlx.Tx) (Done, error)) (Done, error) {
	if err := in.validate(); err != nil {
		return Done{}, err
	}
	a.Reason = in.Reason
	if in.FranchiserID != "" {
		a.FranchiserRef = &in.FranchiserID
	}
	var done Done
	err := postgres.InTenantTx(ctx, h.db, in.FranchiserID, func(tx *sqlx.Tx) error {
		if in.FranchiserID != "" {
			if err := account.RequireLiveTx(ctx, tx, in.FranchiserID); err != nil {
				return err
			}
		}
		earlier, _, err := h.beginTx(ctx, tx, p, in.Key, fingerprint(a.Action, a.Target+content, in.Reason))
		if err != nil || earlier != nil {
			if earlier != nil {
				done = *earlier
			}
			return err
		}
		if done, err = fn(tx); err != nil {
			return err
		}
		a.After = staff.JSON(done)
		if err := h.recorder.RecordTx(ctx, tx, p, a); err != nil {
			return err
		}
		return finishTx(ctx, tx, p.StaffID, in.Key, staff.JSON(done))
	})
	return done, err
}

// AskGateway has a worker query the gateway about the payment now. KindConflict if the payment's state is final.
func (h *CustomerActions) AskGateway(ctx context.Context, p staff.Principal, in Request, paymentID string) (Done, error) {
	a := staff.Action{Action: "ask_gateway", Target: "payment:" + paymentID}
	return h.once(ctx, p, in, a, func(tx *sqlx.Tx) (Done, error) {
		state, err := payment.StateTx(ctx, tx, in.FranchiserID, paymentID)
		if err != nil {
			return Done{}, err
		}
		if state == payment.StatePaid || state == payment.StateRefunded {
			return Done{}, errs.New(errs.KindConflict, "payment_decided", "This payment is "+string(state)+"; there is nothing to ask any more.")
		}
		jobID, err := h.jobs.InsertTx(ctx, tx, payment.VerifyArgs{PaymentID: paymentID, Event: "staff"}, queue.Options{
			Queue: queue.QueuePayments, Unique: true, MaxAttempts: 5,
			Subject: queue.Subject{FranchiserID: in.FranchiserID, PaymentID: paymentID},
		})
		return Done{Message: "The gateway is being asked. Its answer will appear in the timeline.", JobID: &jobID}, err
	})
}

// RecheckDomain enqueues a check of the customer's domain; KindNotFound without a domain.
func (h *CustomerActions) RecheckDomain(ctx context.Context, p staff.Principal, in Request) (Done, error) {
	a := staff.Action{Action: "recheck_domain", Target: "customer:" + in.FranchiserID}
	return h.once(ctx, p, in, a, func(tx *sqlx.Tx) (Done, error) {
		domainID, domain, err := tenant.DomainTx(ctx, tx, in.FranchiserID)
		if err != nil {
			return Done{}, err
		}
		jobID, err := h.jobs.InsertTx(ctx, tx, tenant.VerifyDomainArgs{DomainID: domainID}, queue.Options{
			Unique: true, MaxAttempts: 3, Subject: queue.Subject{FranchiserID: in.FranchiserID},
		})
		return Done{Message: "DNS is being asked about " + domain + ". The answer will stand in the timeline.", JobID: &jobID}, err
	})
}

// Unlock clears the wrong codes, wrong passwords and sent SMS that lock the customer out.
func (h *CustomerActions) Unlock(ctx context.Context, p staff.Principal, in Request) (Done, error) {
	a := staff.Action{Action: "unlock", Target: "customer:" + in.FranchiserID}
	return h.twoSteps(ctx, p, in, a, func() (Done, error) {
		return Done{Message: "Unlocked: the customer can ask for a code and sign in again."}, h.accounts.StaffUnlock(ctx, in.FranchiserID)
	})
}

// UnlockMobile does the same for a number that has no account yet; in.FranchiserID is empty.
func (h *CustomerActions) UnlockMobile(ctx context.Context, p staff.Principal, in Request, mobile string) (Done, error) {
	var v errs.Validation
	if account.CheckMobile(&v, "mobile", mobile); v.Err() != nil {
		return Done{}, errs.NotFound()
	}
	a := staff.Action{Action: "unlock", Target: "mobile:" + mobile[:2] + "••••" + mobile[6:]} // the trail keeps no stranger's number
	return h.twoSteps(ctx, p, in, a, func() (Done, error) {
		return Done{Message: "Unlocked: a code can be asked for again."}, h.accounts.StaffUnlockMobile(ctx, mobile)
	})
}

// EndSessions signs the customer out everywhere.
func (h *CustomerActions) EndSessions(ctx context.Context, p staff.Principal, in Request) (Done, error) {
	a := staff.Action{Action: "end_sessions", Target: "customer:" + in.FranchiserID}
	return h.twoSteps(ctx, p, in, a, func() (Done, error) {
		n, err := h.accounts.StaffEndSessions(ctx, in.FranchiserID)
		return Done{Message: counted(n, "session has ended.", "sessions have ended.")}, err
	})
}

// twoSteps is once for actions that another domain commits in separate transactions. It records the action first, so that every action
// is recorded. It then runs fn, which may be repeated, and stores its answer.
func (h *CustomerActions) twoSteps(ctx context.Context, p staff.Principal, in Request, a staff.Action, fn func() (Done, error)) (Done, error) {
	if err := in.validate(); err != nil {
		return Done{}, err
	}
	a.Reason = in.Reason
	if in.FranchiserID != "" {
		a.FranchiserRef = &in.FranchiserID
	}
	var earlier *Done
	err := postgres.InTenantTx(ctx, h.db, in.FranchiserID, func(tx *sqlx.Tx) error {
		if in.FranchiserID != "" {
			if err := account.RequireLiveTx(ctx, tx, in.FranchiserID); err != nil {
				return err
			}
		}
		var begun bool
		var err error
		earlier, begun, err = h.beginTx(ctx, tx, p, in.Key, fingerprint(a.Action, a.Target, in.Reason))
		if err != nil || !begun {
			return err
		}
		return h.recorder.RecordTx(ctx, tx, p, a)
	})
	if err != nil {
		return Done{}, err
	}
	if earlier != nil {
		return *earlier, nil
	}
	done, err := fn()
	if err != nil {
		return Done{}, err
	}
	return done, postgres.InTx(ctx, h.db, func(tx *sqlx.Tx) error { return finishTx(ctx, tx, p.StaffID, in.Key, staff.JSON(done)) })
}

// AtMostOnce runs fn, which records itself in the audit trail, unless the same request came before. If the answer of the earlier
// request was lost, it does not run fn again: KindConflict tells staff to check the timeline first. A failure frees the key.
func (h *CustomerActions) AtMostOnce(ctx context.Context, p staff.Principal, in Request, action string, what any, fn func() (Done, error)) (Done, error) {
	if err := in.validate(); err != nil {
		return Done{}, err
	}
	var earlier *Done
	err := postgres.InTenantTx(ctx, h.db, in.FranchiserID, func(tx *sqlx.Tx) error {
		if err := account.RequireLiveTx(ctx, tx, in.FranchiserID); err != nil {
			return err
		}
		var begun bool
		var err error
		earlier, begun, err = h.beginTx(ctx, tx, p, in.Key, fingerprint(action, in.FranchiserID+staff.JSON(what), in.Reason))
		if err == nil && !begun && earlier == nil {
			return errs.New(errs.KindConflict, "request_running", "This has already been requested. Check the timeline before you try again.")
		}
		return err
	})
	if err != nil {
		return Done{}, err
	}
	if earlier != nil {
		return *earlier, nil
	}
	done, failure := fn()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), noteWithin)
	defer cancel()
	err = postgres.InTx(ctx, h.db, func(tx *sqlx.Tx) error {
		if failure != nil {
			return freeKeyTx(ctx, tx, p.StaffID, in.Key)
		}
		return finishTx(ctx, tx, p.StaffID, in.Key, staff.JSON(done))
	})
	if failure != nil {
		return Done{}, failure
	}
	return done, err
}

// noteWithin is how long recording the outcome of an action may take once the request's time is up.
const noteWithin = 1500 * time.Millisecond

// beginTx claims the key. It returns the first answer if there is one; begun reports that this is the first request.
func (h *CustomerActions) beginTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, key string, request idempotency.Fingerprint) (earlier *Done, begun bool, err error) {
	now := h.clock.Now()
	if begun, err = takeKeyTx(ctx, tx, p.StaffID, key, request, now, now.Add(-requestLife)); err != nil || begun {
		return nil, begun, err
	}
	earlier, err = earlierTx(ctx, tx, p.StaffID, key, request)
	return earlier, false, err
}
