package queue

import (
	"context"
	"fmt"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// A job made or tried at a future time waits from now on, for its intended delay; a job that was due is due. A lead that lasts longer than
// any real one is removed: if the leader had ended, no worker would lead before its end.
const (
	untangleJobsSQL = `
UPDATE river_job SET
  scheduled_at = CASE WHEN state = 'available' THEN now()
    ELSE least(scheduled_at, now() + greatest(scheduled_at - greatest(created_at, attempted_at), interval '0')) END,
  created_at = least(created_at, now()),
  attempted_at = least(attempted_at, now())
WHERE state IN ('available', 'scheduled', 'retryable') AND greatest(created_at, attempted_at) > now() + interval '1 second'`
	untangleLeadSQL = `DELETE FROM river_leader WHERE expires_at > now() + interval '1 minute'`
)

// Untangle corrects jobs that were made or tried while the database's clock was ahead of its present time, and the workers' lead that was
// taken then. Otherwise they would wait for that time to come again. Running it twice changes nothing.
func Untangle(ctx context.Context, db *sqlx.DB) error {
	return postgres.InTx(ctx, db, func(tx *sqlx.Tx) error {
		for _, statement := range []string{untangleJobsSQL, untangleLeadSQL} {
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return postgres.Error(fmt.Errorf("put jobs right: %w", err))
			}
		}
		return nil
	})
}
