package support

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

type jobRow struct {
	ID           int64      `db:"id"`
	Kind         string     `db:"kind"`
	Queue        string     `db:"queue"`
	State        string     `db:"state"`
	Attempt      int        `db:"attempt"`
	MaxAttempts  int        `db:"max_attempts"`
	CreatedAt    time.Time  `db:"created_at"`
	ScheduledAt  time.Time  `db:"scheduled_at"`
	AttemptedAt  *time.Time `db:"attempted_at"`
	FinalizedAt  *time.Time `db:"finalized_at"`
	FranchiserID string     `db:"franchiser_id"`
	Args         []byte     `db:"args"`
	Errors       []byte     `db:"errors"`
}

const jobColumns = `j.id, j.kind, j.queue, j.state::text AS state, j.attempt, j.max_attempts, j.created_at, j.scheduled_at,
    j.attempted_at, j.finalized_at, coalesce(j.metadata ->> 'franchiser_id', '') AS franchiser_id, j.args,
    coalesce(to_jsonb(j.errors), '[]') AS errors`

func (r jobRow) job() (Job, error) {
	job := Job{
		ID: r.ID, Kind: r.Kind, Queue: r.Queue, State: r.State, Attempt: r.Attempt, MaxAttempts: r.MaxAttempts,
		CreatedAt: r.CreatedAt.UTC(), ScheduledAt: r.ScheduledAt.UTC(), AttemptedAt: inUTC(r.AttemptedAt),
		FinalizedAt: inUTC(r.FinalizedAt), FranchiserID: r.FranchiserID, Args: r.Args, Errors: []JobError{},
		CanRerun: canRerun(r.State), CanCancel: canCancel(r.State),
	}
	if err := json.Unmarshal(r.Errors, &job.Errors); err != nil {
		return Job{}, fmt.Errorf("read errors of job: %w", err)
	}
	for i := range job.Errors {
		job.Errors[i].At = job.Errors[i].At.UTC()
	}
	if n := len(job.Errors); n > 0 {
		job.LastError = job.Errors[n-1].Error
	}
	return job, nil
}

func inUTC(at *time.Time) *time.Time {
	if at == nil {
		return nil
	}
	utc := at.UTC()
	return &utc
}

// The last error of a job, by which causes are told apart.
const lastError = `coalesce(j.errors[array_upper(j.errors, 1)] ->> 'error', '')`

const failedWhere = ` FROM river_job j
WHERE (j.state IN ('discarded', 'cancelled') OR j.state = 'retryable' AND j.errors IS NOT NULL)
  AND ($1 = '' OR j.state::text = $1) AND ($2 = '' OR j.kind = $2) AND ($3 = '' OR j.queue = $3)
  AND ($4 = '' OR position(lower($4) IN lower(` + lastError + `)) > 0)
  AND ($5 = '' OR j.metadata ->> 'franchiser_id' = $5)`

const failedJobsSQL = `SELECT ` + jobColumns + failedWhere + ` ORDER BY j.id DESC LIMIT $6 OFFSET $7`

const failedGroupsSQL = `SELECT j.kind, ` + lastError + ` AS error, count(*) AS count` + failedWhere + `
GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT 50`

func failedJobs(ctx context.Context, db *sqlx.DB, f JobFilter, limit, offset int) (JobList, error) {
	list := JobList{Jobs: []Job{}, Groups: []JobGroup{}}
	var rows []jobRow
	if err := db.SelectContext(ctx, &rows, failedJobsSQL, f.State, f.Kind, f.Queue, f.Error, f.FranchiserID, limit, offset); err != nil {
		return JobList{}, postgres.Error(fmt.Errorf("list failed jobs: %w", err))
	}
	for _, r := range rows {
		job, err := r.job()
		if err != nil {
			return JobList{}, err
		}
		list.Jobs = append(list.Jobs, job)
	}
	if err := db.SelectContext(ctx, &list.Groups, failedGroupsSQL, f.State, f.Kind, f.Queue, f.Error, f.FranchiserID); err != nil {
		return JobList{}, postgres.Error(fmt.Errorf("group failed jobs: %w", err))
	}
	err := db.GetContext(ctx, &list.Total, `SELECT count(*)`+failedWhere, f.State, f.Kind, f.Queue, f.Error, f.FranchiserID)
	if err != nil {
		return JobList{}, postgres.Error(fmt.Errorf("count failed jobs: %w", err))
	}
	return list, nil
}

func jobTx(ctx context.Context, tx *sqlx.Tx, jobID int64, lock bool) (Job, error) {
	query := `SELECT ` + jobColumns + ` FROM river_job j WHERE j.id = $1`
	if lock {
		query += ` FOR UPDATE`
	}
	var r jobRow
	err := tx.GetContext(ctx, &r, query, jobID)
	if errors.Is(err, sql.ErrNoRows) {
		return Job{}, errs.NotFound()
	}
	if err != nil {
		return Job{}, fmt.Errorf("read job: %w", err)
	}
	return r.job()
}

const twinSQL = `
SELECT coalesce(min(o.id), 0) FROM river_job j JOIN river_job o ON o.kind = j.kind AND o.args = j.args AND o.id <> j.id
WHERE j.id = $1 AND o.state IN ('available', 'pending', 'retryable', 'running', 'scheduled')`

// twinTx returns a live job with the same kind and arguments, 0 where there is none.
func twinTx(ctx context.Context, tx *sqlx.Tx, jobID int64) (int64, error) {
	var twin int64
	if err := tx.GetContext(ctx, &twin, twinSQL, jobID); err != nil {
		return 0, fmt.Errorf("look for a twin: %w", err)
	}
	return twin, nil
}

// River works on the machine's time, so that the ages of its jobs are taken from the database's.
const queuesSQL = `
SELECT j.queue AS name, count(*) FILTER (WHERE j.state = 'available') AS depth,
    coalesce(greatest(extract(epoch FROM clock_timestamp() - min(j.scheduled_at) FILTER (WHERE j.state = 'available')), 0), 0)::bigint AS oldest_age,
    count(*) FILTER (WHERE j.state = 'running') AS running,
    count(*) FILTER (WHERE j.state = 'discarded' OR j.state = 'retryable' AND j.errors IS NOT NULL) AS failed
FROM river_job j WHERE j.state <> 'completed' GROUP BY 1 ORDER BY 1`

func queues(ctx context.Context, db *sqlx.DB) ([]Queue, error) {
	list := []Queue{}
	if err := db.SelectContext(ctx, &list, queuesSQL); err != nil {
		return nil, postgres.Error(fmt.Errorf("read queues: %w", err))
	}
	return list, nil
}
