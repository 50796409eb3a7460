package queue

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// leftFor is how long a job rests that a worker could not know; the next worker that fetches it may be as old.
const leftFor = 10 * time.Second

// A job that runs no more is left alone by River when the attempt ends. The attempt is given back; staff find the job
// among the snoozed ones, with the reason once.
const leaveSQL = `
UPDATE river_job
SET state = 'scheduled', scheduled_at = now() + make_interval(secs => $3), attempt = attempt - 1,
    metadata = metadata || jsonb_build_object('snoozed_at', now()),
    errors = CASE WHEN errors[array_upper(errors, 1)] ->> 'error' = $4 THEN errors ELSE array_append(errors,
      jsonb_build_object('at', now(), 'attempt', attempt, 'error', $4::text, 'trace', '')) END
WHERE id = $1 AND state = 'running' AND attempt = $2`

// LeaveToNewer puts back a job, in this attempt, of a kind that only the workers of a newer release know.
func LeaveToNewer(ctx context.Context, db *sqlx.DB, jobID int64, attempt int) error {
	_, err := db.ExecContext(ctx, leaveSQL, jobID, attempt, leftFor.Seconds(), "no worker here knows this kind of job; it waits for a newer one")
	if err != nil {
		return postgres.Error(fmt.Errorf("leave job to a newer worker: %w", err))
	}
	return nil
}

// A job that snoozes keeps the reason, once for each time in a row that it is the same, and staff find it among the snoozed
// ones. River itself puts it back when the attempt ends.
const waitSQL = `
UPDATE river_job
SET metadata = metadata || jsonb_build_object('snoozed_at', now()),
    errors = CASE WHEN errors[array_upper(errors, 1)] ->> 'error' = $3 THEN errors ELSE array_append(errors,
      jsonb_build_object('at', now(), 'attempt', attempt, 'error', $3::text, 'trace', '')) END
WHERE id = $1 AND state = 'running' AND attempt = $2`

// Waits notes why jobs wait.
type Waits struct{ db *sqlx.DB }

// NewWaits returns it over the pool.
func NewWaits(db *sqlx.DB) *Waits { return wiring.Complete(&Waits{db: db}) }

// Note keeps, with a job in this attempt, why it is about to wait; the reason holds no secret and nothing personal.
func (w *Waits) Note(ctx context.Context, jobID int64, attempt int, reason string) error {
	if _, err := w.db.ExecContext(ctx, waitSQL, jobID, attempt, reason); err != nil {
		return postgres.Error(fmt.Errorf("note why a job waits: %w", err))
	}
	return nil
}
