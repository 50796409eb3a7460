package jobadmin

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// PruneOutcomesArgs are the arguments of the job that deletes old outcomes of jobs.
type PruneOutcomesArgs struct{}

// Kind names the job.
func (PruneOutcomesArgs) Kind() string { return "prune_outcomes" }

// How long outcomes are kept: two years for customers' jobs, a month for the product's own. Changes of jobs are kept as long as
// the outcomes that they explain.
const (
	keepOutcomes    = 2 * 365 * 24 * time.Hour
	keepOwnOutcomes = 31 * 24 * time.Hour
)

const outcomeSQL = `
SELECT o.job_id AS id, o.kind, o.queue, o.state, o.attempt, o.max_attempts, o.created_at, o.scheduled_at, o.attempted_at, o.finalized_at,
    coalesce(o.franchiser_ref, '') AS franchiser_id, coalesce(o.payment_ref, '') AS payment_id,
    coalesce(o.request_ref, '') AS request_id, o.args, o.errors, true AS dismissed
FROM job_outcomes o WHERE o.job_id = $1`

// outcomeTx reads the outcome of a job that River has deleted; it can only be viewed.
func outcomeTx(ctx context.Context, tx *sqlx.Tx, jobID int64) (Job, error) {
	job, err := oneJob(ctx, tx, outcomeSQL, jobID)
	job.Kept, job.CanRerun, job.CanCancel, job.CanDismiss = true, false, false, false
	return job, err
}

const (
	pruneOutcomesSQL    = `DELETE FROM job_outcomes WHERE created_at < now() - make_interval(secs => $1)`
	pruneOwnOutcomesSQL = pruneOutcomesSQL + ` AND franchiser_ref IS NULL`

	pruneItemsSQL = `DELETE FROM job_operation_items WHERE operation_id IN (
		SELECT id FROM job_operations WHERE created_at < now() - make_interval(secs => $1))`
	pruneOperationsSQL = `DELETE FROM job_operations WHERE created_at < now() - make_interval(secs => $1)`
)

// PruneOutcomes deletes outcomes and changes of jobs that are too old, and returns how many rows.
func (s *Service) PruneOutcomes(ctx context.Context) (int64, error) {
	own, err := postgres.DeleteInBatches(ctx, s.db, pruneOwnOutcomesSQL, int64(keepOwnOutcomes/time.Second))
	if err != nil {
		return own, err
	}
	tried, err := postgres.DeleteInBatches(ctx, s.db, pruneDryRunsSQL, int64(keepDryRuns/time.Second))
	gone := own + tried
	if err != nil {
		return gone, err
	}
	for _, query := range []string{pruneOutcomesSQL, pruneItemsSQL, pruneOperationsSQL} {
		some, err := postgres.DeleteInBatches(ctx, s.db, query, int64(keepOutcomes/time.Second))
		if gone += some; err != nil {
			return gone, err
		}
	}
	return gone, nil
}
