package jobadmin

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

type dryRunItem struct {
	JobID   int64
	Outcome string
	Message string
	Twin    int64
}

func insertDryRunTx(ctx context.Context, tx *sqlx.Tx, d DryRun, staffID string, now time.Time) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO job_dry_runs (id, staff_id, action, total, created_at) VALUES ($1, $2, $3, 0, $4)`,
		d.ID, staffID, d.Action, now)
	if err != nil {
		return fmt.Errorf("insert dry run: %w", err)
	}
	return nil
}

func fixDryRunTx(ctx context.Context, tx *sqlx.Tx, dryRunID string, c JobChange) (int, error) {
	query, args := c.jobsQuery()
	done, err := tx.ExecContext(ctx, fmt.Sprintf(`INSERT INTO job_dry_run_items (dry_run_id, job_id) SELECT $%d, x.id FROM (%s) x`, len(args)+1, query),
		append(args, dryRunID)...)
	if err != nil {
		return 0, fmt.Errorf("fix jobs of dry run: %w", err)
	}
	n, err := done.RowsAffected()
	if err != nil {
		return 0, fmt.Errorf("fix jobs of dry run: %w", err)
	}
	if _, err := tx.ExecContext(ctx, `UPDATE job_dry_runs SET total = $2 WHERE id = $1`, dryRunID, n); err != nil {
		return 0, fmt.Errorf("fix jobs of dry run: %w", err)
	}
	return int(n), nil
}

const dryRunSQL = `
SELECT d.id, d.action, d.total, count(*) FILTER (WHERE i.outcome = 'acts') AS acts, count(*) FILTER (WHERE i.outcome = 'nothing') AS nothing,
    count(*) FILTER (WHERE i.outcome = 'refused') AS refused, count(*) FILTER (WHERE i.outcome IS NULL) AS waiting
FROM job_dry_runs d JOIN job_dry_run_items i ON i.dry_run_id = d.id WHERE d.id = $1 GROUP BY d.id`

const dryRunReasonsSQL = `
SELECT split_part(message, ':', 1) AS code, min(regexp_replace(message, '^[a-z_]+:', '')) AS message, count(*) AS count
FROM job_dry_run_items WHERE dry_run_id = $1 AND outcome = 'refused' GROUP BY 1 ORDER BY 3 DESC, 1`

func readDryRun(ctx context.Context, db *sqlx.DB, dryRunID string) (d DryRun, err error) {
	return d, postgres.InTx(ctx, db, func(tx *sqlx.Tx) error {
		err := tx.GetContext(ctx, &d, dryRunSQL, dryRunID)
		if errors.Is(err, sql.ErrNoRows) {
			return errs.NotFound()
		}
		if err != nil {
			return fmt.Errorf("read dry run: %w", err)
		}
		d.Reasons, d.Failing = []Refusal{}, []FailingProvider{}
		if err := tx.SelectContext(ctx, &d.Reasons, dryRunReasonsSQL, dryRunID); err != nil {
			return fmt.Errorf("read refusals of dry run: %w", err)
		}
		return nil
	})
}

// actingKindsTx counts the jobs of a dry run that would have an effect, by kind.
func actingKindsTx(ctx context.Context, tx *sqlx.Tx, dryRunID string) (map[string]int, error) {
	var rows []struct {
		Kind  string `db:"kind"`
		Count int    `db:"count"`
	}
	err := tx.SelectContext(ctx, &rows, `SELECT j.kind, count(*) AS count FROM job_dry_run_items i JOIN job_overview j ON j.id = i.job_id
		WHERE i.dry_run_id = $1 AND i.outcome = 'acts' GROUP BY 1`, dryRunID)
	if err != nil {
		return nil, fmt.Errorf("count kinds of dry run: %w", err)
	}
	counts := map[string]int{}
	for _, r := range rows {
		counts[r.Kind] = r.Count
	}
	return counts, nil
}

func waitingDryRunItems(ctx context.Context, db *sqlx.DB, dryRunID string) (ids []int64, err error) {
	return ids, postgres.InTx(ctx, db, func(tx *sqlx.Tx) error {
		err := tx.SelectContext(ctx, &ids, fmt.Sprintf(`SELECT job_id FROM job_dry_run_items WHERE dry_run_id = $1 AND outcome IS NULL
			ORDER BY job_id LIMIT %d`, dryRunBatch), dryRunID)
		if err != nil {
			return fmt.Errorf("read jobs of dry run: %w", err)
		}
		return nil
	})
}

// firstTwinTx returns the dry run's job that would run before this one and do the same, or 0.
func firstTwinTx(ctx context.Context, tx *sqlx.Tx, dryRunID string, item dryRunItem) (int64, error) {
	var first int64
	err := tx.GetContext(ctx, &first, `SELECT coalesce(min(job_id), 0) FROM job_dry_run_items
		WHERE dry_run_id = $1 AND job_id < $2 AND twin = $3`, dryRunID, item.JobID, item.Twin)
	if err != nil {
		return 0, fmt.Errorf("look for a twin in the dry run: %w", err)
	}
	return first, nil
}

func noteForeseenTx(ctx context.Context, tx *sqlx.Tx, dryRunID string, item dryRunItem) error {
	_, err := tx.ExecContext(ctx, `UPDATE job_dry_run_items SET outcome = $3, message = $4, twin = nullif($5::bigint, 0)
		WHERE dry_run_id = $1 AND job_id = $2`, dryRunID, item.JobID, item.Outcome, item.Message, item.Twin)
	if err != nil {
		return fmt.Errorf("note what a change would do: %w", err)
	}
	return nil
}

// pruneDryRunsSQL also deletes the items, by the key's ON DELETE CASCADE.
const pruneDryRunsSQL = `DELETE FROM job_dry_runs WHERE created_at < now() - make_interval(secs => $1)`
