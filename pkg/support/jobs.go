package support

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq/pqerror"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/staff"
)

// JobFilter narrows the failed jobs; empty members narrow nothing. Error is a part of the last error.
type JobFilter struct{ State, Kind, Queue, Error, FranchiserID string }

// Job is a job as staff see it. Arguments hold identifiers only.
type Job struct {
	ID           int64           `json:"id"`
	Kind         string          `json:"kind"`
	Queue        string          `json:"queue"`
	State        string          `json:"state"`
	Attempt      int             `json:"attempt"`
	MaxAttempts  int             `json:"max_attempts"`
	CreatedAt    time.Time       `json:"created_at"`
	ScheduledAt  time.Time       `json:"scheduled_at"`
	AttemptedAt  *time.Time      `json:"attempted_at"`
	FinalizedAt  *time.Time      `json:"finalized_at"`
	FranchiserID string          `json:"customer_id"`
	Args         json.RawMessage `json:"args"`
	LastError    string          `json:"last_error"`
	Errors       []JobError      `json:"errors"`
	CanRerun     bool            `json:"can_rerun"`
	CanCancel    bool            `json:"can_cancel"`
}

// JobError is one failed attempt.
type JobError struct {
	At      time.Time `json:"at"`
	Attempt int       `json:"attempt"`
	Error   string    `json:"error"`
}

// JobGroup is how many failed jobs share a kind and a last error.
type JobGroup struct {
	Kind  string `json:"kind"  db:"kind"`
	Error string `json:"error" db:"error"`
	Count int    `json:"count" db:"count"`
}

// JobList is a page of failed jobs, with all that match counted and grouped by cause.
type JobList struct {
	Jobs   []Job
	Groups []JobGroup
	Total  int
}

// Queue is how a queue stands at this moment; OldestAge is in seconds, of the job that waits longest.
type Queue struct {
	Name      string `json:"name"       db:"name"`
	Depth     int    `json:"depth"      db:"depth"`
	OldestAge int64  `json:"oldest_age" db:"oldest_age"`
	Running   int    `json:"running"    db:"running"`
	Failed    int    `json:"failed"     db:"failed"`
}

// JobResult says what became of one job of a selection.
type JobResult struct {
	ID      int64  `json:"id"`
	Done    bool   `json:"done"`
	Message string `json:"message"`
}

const maxSelection = 100

func canRerun(state string) bool {
	return state == "discarded" || state == "cancelled" || state == "retryable" || state == "scheduled"
}

func canCancel(state string) bool {
	return state == "retryable" || state == "scheduled" || state == "available" || state == "pending" || state == "running"
}

// FailedJobs lists the jobs that were given up, cancelled, or wait for another attempt after an error, newest first.
func (d *Desk) FailedJobs(ctx context.Context, f JobFilter, limit, offset int) (JobList, error) {
	if f.State != "" && f.State != "discarded" && f.State != "cancelled" && f.State != "retryable" {
		return JobList{}, errs.Invalid("Unknown state").Field("state", "Kindly choose one")
	}
	if f.FranchiserID != "" && !id.Valid(f.FranchiserID) {
		return JobList{}, errs.Invalid("Unknown customer").Field("customer_id", "This is no customer's id.")
	}
	return failedJobs(ctx, d.db, f, limit, offset)
}

// Job returns one job with every failed attempt; KindNotFound where there is none.
func (d *Desk) Job(ctx context.Context, jobID int64) (Job, error) {
	var job Job
	err := postgres.InTx(ctx, d.db, func(tx *sqlx.Tx) error {
		var err error
		job, err = jobTx(ctx, tx, jobID, false)
		return err
	})
	return job, err
}

// Queues tells how the queues stand.
func (d *Desk) Queues(ctx context.Context) ([]Queue, error) { return queues(ctx, d.db) }

// Rerun makes each job run again and notes it with the reason, one transaction a job. A single job that may not run again
// fails with KindConflict; of a selection each has its own result.
func (d *Desk) Rerun(ctx context.Context, p staff.Principal, ids []int64, reason string) ([]JobResult, error) {
	return d.each(ctx, ids, reason, func(ctx context.Context, tx *sqlx.Tx, job Job) error {
		if !job.CanRerun {
			return errs.New(errs.KindConflict, "job_state", fmt.Sprintf("Job %d is %s; only a failed or waiting job can run again.", job.ID, job.State))
		}
		twin, err := twinTx(ctx, tx, job.ID)
		if err != nil {
			return err
		}
		if twin != 0 {
			return errs.New(errs.KindConflict, "job_twin", fmt.Sprintf("Job %d does the same and is on its way already.", twin))
		}
		err = d.jobs.RetryTx(ctx, tx, job.ID)
		if postgres.Violates(err, pqerror.UniqueViolation, "river_job_unique_idx") {
			return errs.New(errs.KindConflict, "job_twin", "Another job does the same and is on its way already.").Because(err)
		}
		if err != nil {
			return err
		}
		return d.record(ctx, tx, p, "rerun_job", job, reason, "available")
	})
}

// Cancel ends each job that is not finished and notes it with the reason, one transaction a job.
func (d *Desk) Cancel(ctx context.Context, p staff.Principal, ids []int64, reason string) ([]JobResult, error) {
	return d.each(ctx, ids, reason, func(ctx context.Context, tx *sqlx.Tx, job Job) error {
		if !job.CanCancel {
			return errs.New(errs.KindConflict, "job_state", fmt.Sprintf("Job %d is %s and cannot be cancelled.", job.ID, job.State))
		}
		if err := d.jobs.CancelTx(ctx, tx, job.ID); err != nil {
			return err
		}
		return d.record(ctx, tx, p, "cancel_job", job, reason, "cancelled")
	})
}

func (d *Desk) record(ctx context.Context, tx *sqlx.Tx, p staff.Principal, action string, job Job, reason, after string) error {
	a := staff.Action{
		Action: action, Target: fmt.Sprintf("job:%d", job.ID), Reason: reason,
		Before: text(map[string]any{"state": job.State, "attempt": job.Attempt}), After: text(map[string]any{"state": after}),
	}
	if id.Valid(job.FranchiserID) {
		a.FranchiserRef = &job.FranchiserID
	}
	return d.recorder.RecordTx(ctx, tx, p, a)
}

func (d *Desk) each(ctx context.Context, ids []int64, reason string, change func(ctx context.Context, tx *sqlx.Tx, job Job) error) ([]JobResult, error) {
	if _, err := staff.CleanReason(reason); err != nil {
		return nil, err
	}
	if len(ids) == 0 || len(ids) > maxSelection {
		return nil, errs.Invalid("Please check the marked fields.").Field("ids", "Choose 1 to 100 jobs.")
	}
	results := make([]JobResult, 0, len(ids))
	for _, jobID := range ids {
		err := postgres.InTx(ctx, d.db, func(tx *sqlx.Tx) error {
			job, err := jobTx(ctx, tx, jobID, true)
			if err != nil {
				return err
			}
			return change(ctx, tx, job)
		})
		kind := errs.KindOf(err)
		refused := err != nil && (kind == errs.KindConflict || kind == errs.KindNotFound)
		if err != nil && (len(ids) == 1 || !refused) {
			return nil, err
		}
		r := JobResult{ID: jobID, Done: err == nil}
		if err != nil {
			r.Message = errs.As(err).Message
		}
		results = append(results, r)
	}
	return results, nil
}
