package jobadmin

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/idempotency"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/staff"
)

// ChangeJobsArgs are the arguments of the job that continues a change of many jobs.
type ChangeJobsArgs struct {
	OperationID string `json:"operation_id"`
}

// Kind returns the job's kind.
func (ChangeJobsArgs) Kind() string { return "change_jobs" }

const (
	insertOperationSQL = `
		INSERT INTO job_operations (id, staff_id, action, reason, snooze_seconds, key, request, total, created_at)
		VALUES ($1, $2, $3, $4, nullif($5::int, 0), $6, $7, 0, $8)
		ON CONFLICT (staff_id, key) DO NOTHING`
	earlierSQL = `SELECT id, request FROM job_operations WHERE staff_id = $1 AND key = $2`
)

// insertOperationTx returns the id of an earlier operation with the same key, "" if this one is new.
func insertOperationTx(ctx context.Context, tx *sqlx.Tx, o Operation, staffID string, c JobChange, request idempotency.Fingerprint) (string, error) {
	done, err := tx.ExecContext(ctx, insertOperationSQL, o.ID, staffID, c.Action, c.Reason, int(c.Snooze/time.Second), c.Key, request[:], o.CreatedAt)
	if err != nil {
		return "", fmt.Errorf("insert job operation: %w", err)
	}
	if n, err := done.RowsAffected(); err != nil || n == 1 {
		return "", err
	}
	var earlier struct {
		ID      string `db:"id"`
		Request []byte `db:"request"`
	}
	if err := tx.GetContext(ctx, &earlier, earlierSQL, staffID, c.Key); err != nil {
		return "", fmt.Errorf("read earlier operation: %w", err)
	}
	return earlier.ID, request.Check(earlier.Request)
}

// fixItemsTx stores which jobs the operation covers and returns how many.
func fixItemsTx(ctx context.Context, tx *sqlx.Tx, operationID string, c JobChange) (int, error) {
	if c.DryRun != "" {
		if err := sameDryRunTx(ctx, tx, c); err != nil {
			return 0, err
		}
	}
	jobs, args := c.jobsQuery()
	query := fmt.Sprintf(`INSERT INTO job_operation_items (operation_id, job_id) SELECT $%d, x.id FROM (%s) x`, len(args)+1, jobs)
	args = append(args, operationID)
	done, err := tx.ExecContext(ctx, query, args...)
	if err != nil {
		return 0, fmt.Errorf("fix jobs of operation: %w", err)
	}
	n, err := done.RowsAffected()
	if err != nil {
		return 0, fmt.Errorf("fix jobs of operation: %w", err)
	}
	if _, err := tx.ExecContext(ctx, `UPDATE job_operations SET total = $2 WHERE id = $1`, operationID, n); err != nil {
		return 0, fmt.Errorf("fix jobs of operation: %w", err)
	}
	return int(n), nil
}

// sameDryRunTx refuses an unknown dry run, and one of another action.
func sameDryRunTx(ctx context.Context, tx *sqlx.Tx, c JobChange) error {
	var same bool
	err := tx.GetContext(ctx, &same, `SELECT coalesce((SELECT action = $2 FROM job_dry_runs WHERE id = $1), false)`, c.DryRun, c.Action)
	if err != nil {
		return fmt.Errorf("read dry run: %w", err)
	}
	if !same {
		return errs.New(errs.KindConflict, "dry_run_gone", "The preview of this change is too old. Open it again.")
	}
	return nil
}

// jobsQuery returns the statement that selects the ids of the jobs, with its arguments.
func (c *JobChange) jobsQuery() (query string, args []any) {
	switch {
	case c.Filter != nil:
		clause, args := c.Filter.where()
		return fmt.Sprintf(`SELECT j.id %s ORDER BY j.id LIMIT %d`, clause, maxMatching+1), args
	case c.DryRun != "":
		return `SELECT job_id AS id FROM job_dry_run_items WHERE dry_run_id = $1`, []any{c.DryRun}
	case c.FailedIn != "":
		return `SELECT job_id AS id FROM (` + aftermathSQL + `) a WHERE fate = 'failed'`, []any{c.FailedIn}
	default:
		return `SELECT unnest($1::bigint[]) AS id`, []any{pq.Array(c.IDs)}
	}
}

// aftermathSQL is the fate of each job that the change $1 has started, from the job or its kept outcome. A job that came too late has not
// failed: it found nothing to do, as its dry run predicted, and another run would find nothing either.
const aftermathSQL = `
SELECT i.job_id, CASE
    WHEN f.state = 'completed' THEN 'completed'
    WHEN f.state IS NULL OR f.state = 'dismissed' OR f.state = 'cancelled' AND f.error LIKE 'JobCancelError: too\_late%' THEN 'other'
    WHEN f.failed_at > i.changed_at AND f.state <> 'running' THEN 'failed'
    WHEN f.state IN ('discarded', 'cancelled') THEN 'other'
    ELSE 'waiting' END AS fate
FROM job_operation_items i
LEFT JOIN LATERAL (
    SELECT CASE WHEN j.metadata ? 'dismissed_at' THEN 'dismissed' ELSE j.state::text END AS state, (j.errors[array_upper(j.errors, 1)] ->> 'at')::timestamptz AS failed_at,
        j.errors[array_upper(j.errors, 1)] ->> 'error' AS error
    FROM job_overview j WHERE j.id = i.job_id
    UNION ALL SELECT k.state, (k.errors -> -1 ->> 'at')::timestamptz, k.errors -> -1 ->> 'error' FROM job_outcomes k WHERE k.job_id = i.job_id
    LIMIT 1
) f ON true
WHERE i.operation_id = $1 AND i.done`

func aftermathTx(ctx context.Context, tx *sqlx.Tx, operationID string) (a Aftermath, err error) {
	err = tx.GetContext(ctx, &a, `SELECT count(*) FILTER (WHERE fate = 'completed') AS completed, count(*) FILTER (WHERE fate = 'failed') AS failed,
		count(*) FILTER (WHERE fate = 'waiting') AS waiting, count(*) FILTER (WHERE fate = 'other') AS other FROM (`+aftermathSQL+`) x`, operationID)
	if err != nil {
		return a, fmt.Errorf("read what became of the jobs: %w", err)
	}
	return a, nil
}

func refusalsTx(ctx context.Context, tx *sqlx.Tx, operationID string) ([]Refusal, error) {
	list := []Refusal{}
	err := tx.SelectContext(ctx, &list, `SELECT refusal AS code, min(message) AS message, count(*) AS count
		FROM job_operation_items WHERE operation_id = $1 AND NOT done GROUP BY 1 ORDER BY 3 DESC, 1`, operationID)
	if err != nil {
		return nil, fmt.Errorf("count refusals of operation: %w", err)
	}
	return list, nil
}

const operationColumns = `o.id, o.action, o.reason, o.total, o.created_at, o.finished_at,
    (SELECT count(*) FROM job_operation_items i WHERE i.operation_id = o.id AND i.done) AS done,
    (SELECT count(*) FROM job_operation_items i WHERE i.operation_id = o.id AND NOT i.done) AS refused`

func operationTx(ctx context.Context, tx *sqlx.Tx, operationID string) (Operation, error) {
	var o Operation
	err := tx.GetContext(ctx, &o, `SELECT `+operationColumns+`, `+staff.NameSQL("o.staff_id")+` AS staff_name
		FROM job_operations o WHERE o.id = $1`, operationID)
	if errors.Is(err, sql.ErrNoRows) {
		return o, errs.NotFound()
	}
	if err != nil {
		return o, fmt.Errorf("read job operation: %w", err)
	}
	return o.inUTC(), nil
}

func newestOperations(ctx context.Context, db *sqlx.DB) ([]Operation, error) {
	list := []Operation{}
	err := db.SelectContext(ctx, &list, `SELECT `+operationColumns+`, `+staff.NameSQL("o.staff_id")+` AS staff_name
		FROM job_operations o WHERE o.total > 1 ORDER BY o.created_at DESC, o.id DESC LIMIT 10`)
	if err != nil {
		return nil, postgres.Error(fmt.Errorf("list job operations: %w", err))
	}
	for i := range list {
		list[i] = list[i].inUTC()
	}
	return list, nil
}

func (o Operation) inUTC() Operation {
	o.CreatedAt, o.FinishedAt = o.CreatedAt.UTC(), inUTC(o.FinishedAt)
	return o
}

// resultsOf returns the existing results, by job; with an order, the refused ones come first.
func resultsOf(ctx context.Context, db *sqlx.DB, operationID, order string, limit int) ([]JobResult, error) {
	by := `job_id`
	if order != "" {
		by = `done, job_id`
	}
	list := []JobResult{}
	err := db.SelectContext(ctx, &list, `SELECT job_id, done, message FROM job_operation_items
		WHERE operation_id = $1 AND done IS NOT NULL ORDER BY `+by+` LIMIT $2`, operationID, limit)
	if err != nil {
		return nil, postgres.Error(fmt.Errorf("read results of operation: %w", err))
	}
	return list, nil
}

// staffOfOperation returns who requested the change; KindNotFound if there is no such change, or they have left the
// staff.
func staffOfOperation(ctx context.Context, db *sqlx.DB, operationID string) (p staff.Principal, err error) {
	return p, postgres.InTx(ctx, db, func(tx *sqlx.Tx) error {
		var staffID string
		err := tx.GetContext(ctx, &staffID, `SELECT staff_id FROM job_operations WHERE id = $1`, operationID)
		if errors.Is(err, sql.ErrNoRows) {
			return errs.NotFound()
		}
		if err != nil {
			return fmt.Errorf("find staff of operation: %w", err)
		}
		p, err = staff.ActiveTx(ctx, tx, staffID)
		return err
	})
}

const waitingItemsSQL = `
SELECT i.job_id, o.action, o.reason, coalesce(o.snooze_seconds, 0) AS snooze_seconds, o.total = 1 AS single
FROM job_operation_items i JOIN job_operations o ON o.id = i.operation_id
WHERE i.operation_id = $1 AND i.done IS NULL ORDER BY i.job_id LIMIT 200`

func waitingItems(ctx context.Context, db *sqlx.DB, operationID string) (ids []int64, c JobChange, single bool, err error) {
	var rows []struct {
		JobID  int64     `db:"job_id"`
		Action JobAction `db:"action"`
		Reason string    `db:"reason"`
		Snooze int64     `db:"snooze_seconds"`
		Single bool      `db:"single"`
	}
	if err := db.SelectContext(ctx, &rows, waitingItemsSQL, operationID); err != nil {
		return nil, JobChange{}, false, postgres.Error(fmt.Errorf("read waiting jobs of operation: %w", err))
	}
	ids = make([]int64, 0, len(rows))
	for _, r := range rows {
		ids, single = append(ids, r.JobID), r.Single
		c = JobChange{Action: r.Action, Reason: r.Reason, Snooze: time.Duration(r.Snooze) * time.Second}
	}
	return ids, c, single, nil
}

const takeItemSQL = `
UPDATE job_operation_items SET done = $3, refusal = $4, message = $5, changed_at = clock_timestamp() WHERE operation_id = $1 AND job_id = $2 AND done IS NULL`

// takeItemTx stores the result of a job; it returns false if another process already has.
func takeItemTx(ctx context.Context, tx *sqlx.Tx, operationID string, jobID int64, done bool, refusal, message string) (bool, error) {
	res, err := tx.ExecContext(ctx, takeItemSQL, operationID, jobID, done, refusal, message)
	if err != nil {
		return false, fmt.Errorf("note result of job: %w", err)
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

func finishOperation(ctx context.Context, db *sqlx.DB, operationID string, now time.Time) error {
	_, err := db.ExecContext(ctx, `UPDATE job_operations SET finished_at = $2 WHERE id = $1 AND finished_at IS NULL`, operationID, now)
	if err != nil {
		return postgres.Error(fmt.Errorf("finish job operation: %w", err))
	}
	return nil
}

const refuseRestSQL = `
UPDATE job_operation_items SET done = false, refusal = 'left_staff', message = 'The requester has left the staff.' WHERE operation_id = $1 AND done IS NULL`

func refuseRest(ctx context.Context, db *sqlx.DB, operationID string, now time.Time) error {
	if _, err := db.ExecContext(ctx, refuseRestSQL, operationID); err != nil {
		return postgres.Error(fmt.Errorf("refuse rest of operation: %w", err))
	}
	return finishOperation(ctx, db, operationID, now)
}
