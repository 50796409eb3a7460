package jobadmin

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// PruneOutcomesArgs asks a worker to delete the outcomes of jobs that are too old to be kept.
type PruneOutcomesArgs struct{}

// Kind names the job.
func (PruneOutcomesArgs) Kind() string { return "prune_outcomes" }

// How long outcomes are kept: those of customers two years, what only the house itself had done a month.
const (
	keepOutcomes    = 2 * 365 * 24 * time.Hour
	keepOwnOutcomes = 31 * 24 * time.Hour
)

const outcomeSQL = `
SELECT o.job_id AS id, o.kind, o.queue, o.state, o.attempt, o.max_attempts, o.created_at, o.scheduled_at, o.attempted_at, o.finalized_at,
    coalesce(o.franchiser_ref, '') AS franchiser_id, coalesce(o.payment_ref, '') AS payment_id,
    coalesce(o.request_ref, '') AS request_id, o.args, o.errors, true AS dismissed
FROM job_outcomes o WHERE o.job_id = $1`

// outcomeTx reads what is kept of a job that River has deleted; it can be looked at and no more.
func outcomeTx(ctx context.Context, tx *sqlx.Tx, jobID int64) (Job, error) {
	job, err := oneJob(ctx, tx, outcomeSQL, jobID)
	job.Kept, job.CanRerun, job.CanCancel, job.CanDismiss = true, false, false, false
	return job, err
}

const pruneOutcomesSQL = `
DELETE FROM job_outcomes WHERE created_at < clock_timestamp() - make_interval(secs => $1)
    OR franchiser_ref IS NULL AND created_at < clock_timestamp() - make_interval(secs => $2)`

// PruneOutcomes deletes outcomes that are too old, and returns how many.
func (s *Service) PruneOutcomes(ctx context.Context) (int64, error) {
	done, err := s.db.ExecContext(ctx, pruneOutcomesSQL, int64(keepOutcomes/time.Second), int64(keepOwnOutcomes/time.Second))
	if err != nil {
		return 0, postgres.Error(fmt.Errorf("prune outcomes of jobs: %w", err))
	}
	return done.RowsAffected()
}
