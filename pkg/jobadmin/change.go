package jobadmin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq/pqerror"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/idempotency"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/staff"
)

// JobAction is an action of staff on jobs.
type JobAction string

// Rerun starts a job as soon as a worker is free; cancel ends an unfinished one; dismiss hides a finished one; snooze
// postpones it.
const (
	JobRerun   JobAction = "rerun"
	JobCancel  JobAction = "cancel"
	JobDismiss JobAction = "dismiss"
	JobSnooze  JobAction = "snooze"
)

// The shortest and longest time by which a job can be postponed.
const (
	minSnooze = time.Minute
	maxSnooze = 7 * 24 * time.Hour
)

// maxNamed is how many jobs can be listed individually.
const maxNamed = 5000

// JobChange is an action on jobs with its reason. The jobs are the IDs, all that match Filter, those of a dry run, or those that failed
// again.
type JobChange struct {
	Action JobAction  `json:"action"`
	IDs    []int64    `json:"ids,omitempty"`
	Filter *JobFilter `json:"filter,omitempty"`
	// DryRun names the jobs that a dry run looked at; FailedIn those of an earlier change that failed again after it.
	DryRun   string        `json:"dry_run,omitempty"`
	FailedIn string        `json:"failed_in,omitempty"`
	Reason   string        `json:"reason"`
	Snooze   time.Duration `json:"snooze,omitempty"`
	// Key makes a repeated request the same change; without a key every request is a new one.
	Key string `json:"-"`
}

func (c *JobChange) clean() error {
	reason, err := staff.CleanReason(c.Reason)
	if err != nil {
		return err
	}
	c.Reason = reason
	var v errs.Validation
	v.Check(slices.Contains([]JobAction{JobRerun, JobCancel, JobDismiss, JobSnooze}, c.Action), "action", "Kindly choose one")
	v.Check((c.Action == JobSnooze) == (c.Snooze != 0), "snooze_seconds", "Say for how long, and only to snooze.")
	v.Check(c.Snooze == 0 || c.Snooze >= minSnooze && c.Snooze <= maxSnooze, "snooze_seconds", "Snooze for 1 minute to 7 days.")
	ways := 0
	for _, given := range []bool{len(c.IDs) > 0, c.Filter != nil, c.DryRun != "", c.FailedIn != ""} {
		if given {
			ways++
		}
	}
	v.Check(ways == 1, "ids", "Name the jobs or give a filter.")
	v.Check(c.DryRun == "" || id.Valid(c.DryRun), "dry_run", "This is no dry run.")
	v.Check(c.FailedIn == "" || id.Valid(c.FailedIn), "failed_in", "This is no change of jobs.")
	v.Check(len(c.IDs) <= maxNamed, "ids", "Choose up to 5,000 jobs, or give a filter.")
	if err := v.Err(); err != nil {
		return err
	}
	slices.Sort(c.IDs)
	c.IDs = slices.Compact(c.IDs)
	if c.Filter != nil {
		return c.Filter.validate()
	}
	return nil
}

// fingerprint returns the same value for the same request.
func (c *JobChange) fingerprint() (request idempotency.Fingerprint, err error) {
	text, err := json.Marshal(c)
	if err != nil {
		return request, fmt.Errorf("write change: %w", err)
	}
	return idempotency.Of(text), nil
}

// changeTx applies the action to one job; KindConflict says why it is not allowed. A change of one job is recorded here, one of many
// when it begins.
func (s *Service) changeTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, jobID int64, c JobChange, record bool) error {
	job, err := jobTx(ctx, tx, jobID, true)
	if err != nil {
		return err
	}
	if err := allowed(ctx, tx, p, job, c.Action); err != nil {
		return err
	}
	var after string
	switch c.Action {
	case JobRerun:
		after, err = "available", s.rerunTx(ctx, tx, job)
	case JobCancel:
		after, err = "cancelled", s.cancelTx(ctx, tx, job)
	case JobDismiss:
		after, err = "dismissed", queue.MarkDismissedTx(ctx, tx, job.ID)
	case JobSnooze:
		after, err = "scheduled", queue.PostponeTx(ctx, tx, job.ID, c.Snooze)
	}
	if postgres.Violates(err, pqerror.UniqueViolation, "river_job_unique_idx") {
		return errs.New(errs.KindConflict, "job_twin", "Another job does the same and is on its way already.").Because(err)
	}
	if err != nil || !record {
		return err
	}
	return s.recordTx(ctx, tx, p, job, c, after)
}

func (s *Service) rerunTx(ctx context.Context, tx *sqlx.Tx, job Job) error {
	if err := s.jobs.RetryTx(ctx, tx, job.ID); err != nil {
		return err
	}
	return queue.MarkRerunTx(ctx, tx, job.ID)
}

func (s *Service) cancelTx(ctx context.Context, tx *sqlx.Tx, job Job) error {
	if err := s.jobs.CancelTx(ctx, tx, job.ID); err != nil {
		return err
	}
	return queue.MarkDismissedTx(ctx, tx, job.ID) // it was cancelled on purpose, so staff need not look at it
}

// allowed refuses actions that the job's state does not permit; a dry run and the change itself both call it.
func allowed(ctx context.Context, tx *sqlx.Tx, p staff.Principal, job Job, action JobAction) error {
	if action != JobRerun && job.Kind == (staff.VerifyArgs{}).Kind() && p.Role != staff.RoleAdmin {
		return errs.New(errs.KindConflict, "job_admins_alone", fmt.Sprintf("Job %d checks the record of what staff do: only an admin may cancel, dismiss or postpone it.", job.ID))
	}
	switch action {
	case JobRerun, JobSnooze:
		return mayStart(ctx, tx, job)
	case JobCancel:
		if !job.CanCancel {
			return inState(job, "and cannot be cancelled.")
		}
	case JobDismiss:
		if !job.CanDismiss {
			return inState(job, "; only a job that was given up or cancelled can be dismissed.")
		}
	}
	return nil
}

// mayStart refuses a job that is neither waiting nor finished, and one with a twin in flight.
func mayStart(ctx context.Context, tx *sqlx.Tx, job Job) error {
	if job.State == "completed" {
		return inState(job, "; what is done is not run again.")
	}
	if !job.CanRerun {
		return inState(job, "; only a job that failed or waits for later can run again.")
	}
	twin, err := queue.TwinTx(ctx, tx, job.ID, job.Kind, string(job.rawArgs))
	if err == nil && twin != 0 {
		err = twinOf(twin)
	}
	return err
}

// stateError is the state for which a job is refused.
type stateError string

func (e stateError) Error() string { return "job is " + string(e) }

func inState(job Job, but string) error {
	if !strings.HasPrefix(but, ";") {
		but = " " + but
	}
	return errs.New(errs.KindConflict, "job_state", fmt.Sprintf("Job %d %s%s", job.ID, stateWords(job.State), but)).Because(stateError(job.State))
}

func twinOf(jobID int64) error {
	return errs.New(errs.KindConflict, "job_twin", fmt.Sprintf("Job %d does the same and is on its way already.", jobID))
}

// stateWords says in plain words in which of River's states a job is.
func stateWords(state string) string {
	switch state {
	case "available":
		return "waits for a worker and runs next"
	case "running":
		return "is running now"
	case "retryable":
		return "will try again by itself"
	case "scheduled", "pending":
		return "is planned for later"
	case "discarded":
		return "was given up"
	default:
		return "is " + state
	}
}

// refusalOf returns the kind and the text of one job's refusal; refused is false for another error or nil.
func refusalOf(err error, jobID int64) (code, message string, refused bool) {
	if err == nil {
		return "", "", false
	}
	switch errs.KindOf(err) {
	case errs.KindConflict:
		if state := stateError(""); errors.As(err, &state) {
			return "job_" + string(state), errs.As(err).Message, true
		}
		return errs.As(err).Code, errs.As(err).Message, true
	case errs.KindNotFound:
		return "job_gone", fmt.Sprintf("Job %d is no longer there.", jobID), true
	default:
		return "", "", false
	}
}

func (s *Service) recordTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, job Job, c JobChange, after string) error {
	to := map[string]any{"state": after}
	if c.Action == JobSnooze {
		to["snooze_seconds"] = int(c.Snooze / time.Second)
	}
	a := staff.Action{
		Action: string(c.Action) + "_job", Target: fmt.Sprintf("job:%d", job.ID), Reason: c.Reason,
		Before: staff.JSON(map[string]any{"state": job.State, "attempt": job.Attempt}), After: staff.JSON(to),
	}
	if id.Valid(job.FranchiserID) {
		a.FranchiserRef = &job.FranchiserID
	}
	return s.recorder.RecordTx(ctx, tx, p, a)
}

// recordManyTx records a change of many jobs as one act, which names the jobs by how they were chosen; what became of each is kept with
// the change.
func (s *Service) recordManyTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, o Operation, c JobChange) error {
	chosen := map[string]any{"jobs": o.Total}
	switch {
	case c.Filter != nil:
		chosen["filter"] = c.Filter
	case c.DryRun != "":
		chosen["dry_run"] = c.DryRun
	case c.FailedIn != "":
		chosen["failed_again_in"] = c.FailedIn
	default:
		chosen["ids"] = c.IDs[:min(len(c.IDs), maxAtOnce)]
	}
	to := map[string]any{"jobs": o.Total}
	if c.Action == JobSnooze {
		to["snooze_seconds"] = int(c.Snooze / time.Second)
	}
	return s.recorder.RecordTx(ctx, tx, p, staff.Action{
		Action: string(c.Action) + "_job", Target: "jobs:" + o.ID, Reason: c.Reason, Before: staff.JSON(chosen), After: staff.JSON(to),
	})
}
