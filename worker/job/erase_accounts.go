package job

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/account"
)

// EraseAccounts erases the accounts whose seven days are over.
type EraseAccounts struct {
	river.WorkerDefaults[account.EraseArgs]
	janitor *account.Cleanup
}

// NewEraseAccounts returns the worker over account.Cleanup.
func NewEraseAccounts(janitor *account.Cleanup) *EraseAccounts {
	return &EraseAccounts{janitor: janitor}
}

// Timeout leaves room for a day with many erasures.
func (*EraseAccounts) Timeout(*river.Job[account.EraseArgs]) time.Duration { return time.Minute }

// Work erases the due accounts and is idempotent.
func (w *EraseAccounts) Work(ctx context.Context, _ *river.Job[account.EraseArgs]) error {
	return w.janitor.EraseDue(ctx)
}
