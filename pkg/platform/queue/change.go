package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// LockTx locks the job until the transaction ends, so that later reads of it stay true, or returns KindNotFound.
func LockTx(ctx context.Context, tx *sqlx.Tx, jobID int64) error {
	var locked int64
	err := tx.GetContext(ctx, &locked, `SELECT id FROM river_job WHERE id = $1 FOR UPDATE`, jobID)
	if errors.Is(err, sql.ErrNoRows) {
		return errs.NotFound()
	}
	if err != nil {
		return fmt.Errorf("lock job: %w", err)
	}
	return nil
}

// Concurrent reruns of twins wait for each other. The index on the arguments' hash finds the few rows that are then
// compared for equality.
const (
	lockTwinsSQL = `SELECT pg_advisory_xact_lock(hashtextextended($1 || $2, 361))`
	twinSQL      = `
		SELECT coalesce(min(o.id), 0) FROM river_job o
		WHERE o.kind = $1 AND jsonb_hash_extended(o.args, 0) = jsonb_hash_extended($2::jsonb, 0) AND o.args = $2::jsonb AND o.id <> $3
		  AND o.state IN ('available', 'pending', 'retryable', 'running', 'scheduled')`
)

// TwinTx returns a live job with the same kind and arguments as the job, or 0.
func TwinTx(ctx context.Context, tx *sqlx.Tx, jobID int64, kind, args string) (int64, error) {
	if _, err := tx.ExecContext(ctx, lockTwinsSQL, kind, args); err != nil {
		return 0, fmt.Errorf("lock twins: %w", err)
	}
	var twin int64
	if err := tx.GetContext(ctx, &twin, twinSQL, kind, args, jobID); err != nil {
		return 0, fmt.Errorf("look for a twin: %w", err)
	}
	return twin, nil
}

const markRerunSQL = `
UPDATE river_job SET metadata = metadata - 'dismissed_at' - 'snoozed_at' || jsonb_build_object('rerun_at', clock_timestamp()) WHERE id = $1`

// MarkRerunTx marks that staff reran the job, and removes the marks of a dismissal or postponement.
func MarkRerunTx(ctx context.Context, tx *sqlx.Tx, jobID int64) error {
	if _, err := tx.ExecContext(ctx, markRerunSQL, jobID); err != nil {
		return fmt.Errorf("mark job as run again: %w", err)
	}
	return nil
}

// A discarded job becomes cancelled once it is dismissed, so that River deletes it in time; its outcome is kept.
const markDismissedSQL = `
UPDATE river_job SET state = CASE WHEN state = 'discarded' THEN 'cancelled' ELSE state END,
    finalized_at = CASE WHEN finalized_at IS NULL THEN NULL ELSE clock_timestamp() END,
    metadata = metadata || jsonb_build_object('dismissed_at', clock_timestamp())
WHERE id = $1`

// MarkDismissedTx marks the job as needing no more attention.
func MarkDismissedTx(ctx context.Context, tx *sqlx.Tx, jobID int64) error {
	if _, err := tx.ExecContext(ctx, markDismissedSQL, jobID); err != nil {
		return fmt.Errorf("dismiss job: %w", err)
	}
	return nil
}

const postponeSQL = `
UPDATE river_job SET state = 'scheduled', scheduled_at = clock_timestamp() + make_interval(secs => $2), finalized_at = NULL,
    max_attempts = greatest(max_attempts, attempt + 1),
    metadata = metadata - 'dismissed_at' || jsonb_build_object('snoozed_at', clock_timestamp())
WHERE id = $1`

// PostponeTx makes the job run after that time and marks it; a job without attempts left gets one more.
func PostponeTx(ctx context.Context, tx *sqlx.Tx, jobID int64, by time.Duration) error {
	if _, err := tx.ExecContext(ctx, postponeSQL, jobID, int64(by/time.Second)); err != nil {
		return fmt.Errorf("postpone job: %w", err)
	}
	return nil
}

const bringForwardSQL = `
UPDATE river_job SET scheduled_at = scheduled_at - make_interval(secs => $1) WHERE state IN ('scheduled', 'retryable')`

// BringForwardTx makes every scheduled job start earlier by the given seconds.
func BringForwardTx(ctx context.Context, tx *sqlx.Tx, seconds int64) error {
	if _, err := tx.ExecContext(ctx, bringForwardSQL, seconds); err != nil {
		return fmt.Errorf("bring jobs forward: %w", err)
	}
	return nil
}

// PausedTx reports whether the queue is paused, and locks it; KindNotFound if no worker knows it.
func PausedTx(ctx context.Context, tx *sqlx.Tx, name string) (bool, error) {
	var paused bool
	err := tx.GetContext(ctx, &paused, `SELECT paused_at IS NOT NULL FROM river_queue WHERE name = $1 FOR UPDATE`, name)
	if errors.Is(err, sql.ErrNoRows) {
		return false, errs.NotFound()
	}
	if err != nil {
		return false, fmt.Errorf("read queue: %w", err)
	}
	return paused, nil
}
