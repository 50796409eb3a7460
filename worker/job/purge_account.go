package job

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/account/erasure"
)

// PurgeAccounts deletes codes, sign-ups, verifications, sessions and counts that ended long ago.
type PurgeAccounts struct {
	river.WorkerDefaults[erasure.PurgeArgs]
	janitor *erasure.Cleanup
}

// NewPurgeAccounts returns the worker over erasure.Cleanup.
func NewPurgeAccounts(janitor *erasure.Cleanup) *PurgeAccounts {
	return &PurgeAccounts{janitor: janitor}
}

// Timeout leaves room for a table that has not been purged for a while.
func (*PurgeAccounts) Timeout(*river.Job[erasure.PurgeArgs]) time.Duration { return time.Minute }

// Work purges the tables and is idempotent.
func (w *PurgeAccounts) Work(ctx context.Context, _ *river.Job[erasure.PurgeArgs]) error {
	return w.janitor.Purge(ctx)
}
