package queue

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/jmoiron/sqlx"
)

// The lock prevents a worker from fetching the job before the transaction ends, so the job will see what the transaction
// stores.
const waitsSQL = `
	SELECT id FROM river_job
	WHERE jsonb_hash_extended(args, 0) = jsonb_hash_extended($2::jsonb, 0) AND args = $2::jsonb AND kind = $1
		AND state IN ('available', 'retryable', 'scheduled') AND ($3 OR state <> 'scheduled')
	LIMIT 1 FOR KEY SHARE SKIP LOCKED`

// WaitsTx reports whether a job with these arguments is about to start, and so will see what the transaction stores; with
// scheduled, jobs that start later count too. River's uniqueness also counts running jobs, which may have read already.
func WaitsTx(ctx context.Context, tx *sqlx.Tx, args Args, scheduled bool) (bool, error) {
	text, err := json.Marshal(args)
	if err != nil {
		return false, fmt.Errorf("encode job %s: %w", args.Kind(), err)
	}
	var job int64
	err = tx.GetContext(ctx, &job, waitsSQL, args.Kind(), string(text), scheduled)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look for job %s: %w", args.Kind(), err)
	}
	return true, nil
}
