package consent

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// keepViewsYears is how long views are kept: what staff did stays in the audit trail for ever.
const keepViewsYears = 2

// Purge deletes views two years after they were requested. The messages with their codes refer to them, and message.PurgeStaffMessages must
// delete those first; the day more makes sure that it has.
func Purge(ctx context.Context, db *sqlx.DB, now time.Time) error {
	_, err := postgres.DeleteInBatches(ctx, db, `DELETE FROM support_views WHERE requested_at < $1`, now.AddDate(-keepViewsYears, 0, -1))
	return err
}
