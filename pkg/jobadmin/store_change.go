package jobadmin

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
)

// Two reruns of twins at the same moment wait for each other. The index on the arguments' hash finds the few rows that
// equality then judges.
const (
	lockTwinsSQL = `SELECT pg_advisory_xact_lock(hashtextextended($1 || $2, 361))`
	twinSQL      = `
		SELECT coalesce(min(o.id), 0) FROM river_job o
		WHERE o.kind = $1 AND jsonb_hash_extended(o.args, 0) = jsonb_hash_extended($2::jsonb, 0) AND o.args = $2::jsonb AND o.id <> $3
		  AND o.state IN ('available', 'pending', 'retryable', 'running', 'scheduled')`
)

// twinTx returns a live job with the same kind and arguments, 0 where there is none.
func twinTx(ctx context.Context, tx *sqlx.Tx, job Job) (int64, error) {
	if _, err := tx.ExecContext(ctx, lockTwinsSQL, job.Kind, string(job.rawArgs)); err != nil {
		return 0, fmt.Errorf("lock twins: %w", err)
	}
	var twin int64
	if err := tx.GetContext(ctx, &twin, twinSQL, job.Kind, string(job.rawArgs), job.ID); err != nil {
		return 0, fmt.Errorf("look for a twin: %w", err)
	}
	return twin, nil
}

const forgetMarksSQL = `UPDATE river_job SET metadata = metadata - 'dismissed_at' - 'snoozed_at' WHERE id = $1`

func forgetMarksTx(ctx context.Context, tx *sqlx.Tx, jobID int64) error {
	if _, err := tx.ExecContext(ctx, forgetMarksSQL, jobID); err != nil {
		return fmt.Errorf("forget marks of job: %w", err)
	}
	return nil
}

// What was given up counts as cancelled once it is dismissed, so that River deletes it in time; its outcome is kept.
const markDismissedSQL = `
UPDATE river_job SET state = CASE WHEN state = 'discarded' THEN 'cancelled' ELSE state END,
    finalized_at = CASE WHEN finalized_at IS NULL THEN NULL ELSE clock_timestamp() END,
    metadata = metadata || jsonb_build_object('dismissed_at', clock_timestamp())
WHERE id = $1`

func markDismissedTx(ctx context.Context, tx *sqlx.Tx, jobID int64) error {
	if _, err := tx.ExecContext(ctx, markDismissedSQL, jobID); err != nil {
		return fmt.Errorf("dismiss job: %w", err)
	}
	return nil
}

const putOffSQL = `
UPDATE river_job SET state = 'scheduled', scheduled_at = clock_timestamp() + make_interval(secs => $2), finalized_at = NULL,
    max_attempts = greatest(max_attempts, attempt + 1),
    metadata = metadata - 'dismissed_at' || jsonb_build_object('snoozed_at', clock_timestamp())
WHERE id = $1`

func putOffTx(ctx context.Context, tx *sqlx.Tx, jobID int64, by time.Duration) error {
	if _, err := tx.ExecContext(ctx, putOffSQL, jobID, int64(by/time.Second)); err != nil {
		return fmt.Errorf("put job off: %w", err)
	}
	return nil
}
