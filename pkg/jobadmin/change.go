package jobadmin

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
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

// JobChange is what to do to which jobs, and why: those in IDs, or all that match Filter.
type JobChange struct {
	Action JobAction     `json:"action"`
	IDs    []int64       `json:"ids,omitempty"`
	Filter *JobFilter    `json:"filter,omitempty"`
	Reason string        `json:"reason"`
	Snooze time.Duration `json:"snooze,omitempty"`
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
	v.Check((c.Filter == nil) == (len(c.IDs) > 0), "ids", "Name the jobs or give a filter.")
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

// changeTx applies the action to one job and records it with the reason; KindConflict says why it is not allowed.
func (s *Service) changeTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, jobID int64, c JobChange) error {
	job, err := jobTx(ctx, tx, jobID, true)
	if err != nil {
		return err
	}
	var after string
	switch c.Action {
	case JobRerun:
		after, err = "available", s.rerunTx(ctx, tx, job)
	case JobCancel:
		after, err = "cancelled", s.cancelTx(ctx, tx, job)
	case JobDismiss:
		after, err = "dismissed", dismissTx(ctx, tx, job)
	case JobSnooze:
		after, err = "scheduled", snoozeTx(ctx, tx, job, c.Snooze)
	}
	if postgres.Violates(err, pqerror.UniqueViolation, "river_job_unique_idx") {
		return errs.New(errs.KindConflict, "job_twin", "Another job does the same and is on its way already.").Because(err)
	}
	if err != nil {
		return err
	}
	return s.recordTx(ctx, tx, p, job, c, after)
}

func (s *Service) rerunTx(ctx context.Context, tx *sqlx.Tx, job Job) error {
	if err := mayStart(ctx, tx, job); err != nil {
		return err
	}
	if err := s.jobs.RetryTx(ctx, tx, job.ID); err != nil {
		return err
	}
	return queue.MarkRerunTx(ctx, tx, job.ID)
}

// mayStart refuses a job that is neither waiting nor finished, and one with a twin in flight.
func mayStart(ctx context.Context, tx *sqlx.Tx, job Job) error {
	if job.State == "completed" {
		return errs.New(errs.KindConflict, "job_state", fmt.Sprintf("Job %d is completed; what is done is not run again.", job.ID))
	}
	if job.State == "available" && job.LastError != "" {
		return errs.New(errs.KindConflict, "job_state", fmt.Sprintf("Job %d is about to run again by itself.", job.ID))
	}
	if !job.CanRerun {
		return errs.New(errs.KindConflict, "job_state", fmt.Sprintf("Job %d is %s; only a failed or waiting job can run again.", job.ID, job.State))
	}
	twin, err := queue.TwinTx(ctx, tx, job.ID, job.Kind, string(job.rawArgs))
	if err != nil {
		return err
	}
	if twin != 0 {
		return errs.New(errs.KindConflict, "job_twin", fmt.Sprintf("Job %d does the same and is on its way already.", twin))
	}
	return nil
}

func (s *Service) cancelTx(ctx context.Context, tx *sqlx.Tx, job Job) error {
	if !job.CanCancel {
		return errs.New(errs.KindConflict, "job_state", fmt.Sprintf("Job %d is %s and cannot be cancelled.", job.ID, job.State))
	}
	if err := s.jobs.CancelTx(ctx, tx, job.ID); err != nil {
		return err
	}
	return queue.MarkDismissedTx(ctx, tx, job.ID) // it was cancelled on purpose, so nobody needs to look at it
}

func dismissTx(ctx context.Context, tx *sqlx.Tx, job Job) error {
	if !job.CanDismiss {
		return errs.New(errs.KindConflict, "job_state",
			fmt.Sprintf("Job %d is %s; only a job that was given up or cancelled can be dismissed.", job.ID, job.State))
	}
	return queue.MarkDismissedTx(ctx, tx, job.ID)
}

func snoozeTx(ctx context.Context, tx *sqlx.Tx, job Job, by time.Duration) error {
	if err := mayStart(ctx, tx, job); err != nil {
		return err
	}
	return queue.PostponeTx(ctx, tx, job.ID, by)
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
