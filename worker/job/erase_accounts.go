package job

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/account/erasure"
)

// EraseAccounts erases the accounts whose seven days are over.
type EraseAccounts struct {
	river.WorkerDefaults[erasure.EraseArgs]
	janitor *erasure.Cleanup
}

// NewEraseAccounts returns the worker over erasure.Cleanup.
func NewEraseAccounts(janitor *erasure.Cleanup) *EraseAccounts {
	return &EraseAccounts{janitor: janitor}
}

// Timeout leaves room for a day with many erasures.
func (*EraseAccounts) Timeout(*river.Job[erasure.EraseArgs]) time.Duration { return time.Minute }

// Work erases the due accounts and is idempotent.
func (w *EraseAccounts) Work(ctx context.Context, _ *river.Job[erasure.EraseArgs]) error {
	return w.janitor.EraseDue(ctx)
}
