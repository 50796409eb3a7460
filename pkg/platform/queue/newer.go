package queue

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// leftFor is how long to defer a job of an unknown kind; the next worker that fetches it may be just as old.
const leftFor = 10 * time.Second

// River leaves alone a job that is no longer running when the attempt ends. The attempt is refunded; staff find the job
// among the snoozed ones, with the reason listed once.
const leaveSQL = `
UPDATE river_job
SET state = 'scheduled', scheduled_at = now() + make_interval(secs => $3), attempt = attempt - 1,
    metadata = metadata || jsonb_build_object('snoozed_at', now()),
    errors = CASE WHEN errors[array_upper(errors, 1)] ->> 'error' = $4 THEN errors ELSE array_append(errors,
      jsonb_build_object('at', now(), 'attempt', attempt, 'error', $4::text, 'trace', '')) END
WHERE id = $1 AND state = 'running' AND attempt = $2`

// LeaveToNewer puts back a job, in this attempt, of a kind known only to workers of a newer release.
func LeaveToNewer(ctx context.Context, db *sqlx.DB, jobID int64, attempt int) error {
	_, err := db.ExecContext(ctx, leaveSQL, jobID, attempt, leftFor.Seconds(), "no worker here knows this kind of job; it waits for a newer one")
	if err != nil {
		return postgres.Error(fmt.Errorf("leave job to a newer worker: %w", err))
	}
	return nil
}

// A snoozed job keeps the reason, once per run of identical reasons, and staff find it among the snoozed ones. River itself
// puts the job back when the attempt ends.
const waitSQL = `
UPDATE river_job
SET metadata = metadata || jsonb_build_object('snoozed_at', now()),
    errors = CASE WHEN errors[array_upper(errors, 1)] ->> 'error' = $3 THEN errors ELSE array_append(errors,
      jsonb_build_object('at', now(), 'attempt', attempt, 'error', $3::text, 'trace', '')) END
WHERE id = $1 AND state = 'running' AND attempt = $2`

// Waits records why jobs wait.
type Waits struct{ db *sqlx.DB }

// NewWaits returns a Waits that uses the pool.
func NewWaits(db *sqlx.DB) *Waits { return wiring.Complete(&Waits{db: db}) }

// Note records, for a job in this attempt, why it is about to wait; the reason must contain no secrets or personal data.
func (w *Waits) Note(ctx context.Context, jobID int64, attempt int, reason string) error {
	if _, err := w.db.ExecContext(ctx, waitSQL, jobID, attempt, reason); err != nil {
		return postgres.Error(fmt.Errorf("note why a job waits: %w", err))
	}
	return nil
}
