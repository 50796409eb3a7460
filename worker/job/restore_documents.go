package job

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/clock"
)

// RestoreDocuments renders the lost documents again, at the word of staff.
type RestoreDocuments struct {
	river.WorkerDefaults[invoice.RestoreDocumentsArgs]
	keeper *invoice.Keeper
	checks Checks
	clock  clock.Clock
}

// NewRestoreDocuments returns the worker over the keeper.
func NewRestoreDocuments(k *invoice.Keeper, checks Checks, clk clock.Clock) *RestoreDocuments {
	return &RestoreDocuments{keeper: k, checks: checks, clock: clk}
}

// Timeout is well above the slice, which ends between two documents.
func (*RestoreDocuments) Timeout(*river.Job[invoice.RestoreDocumentsArgs]) time.Duration {
	return 90 * time.Second
}

// Work restores documents; the rest is continued after each slice.
func (w *RestoreDocuments) Work(ctx context.Context, j *river.Job[invoice.RestoreDocumentsArgs]) error {
	finished, err := w.keeper.Restore(ctx, j.ID, sliceOf(ctx))
	if err != nil {
		return err
	}
	if !finished {
		return river.JobSnooze(time.Millisecond)
	}
	return tellLosses(ctx, w.keeper, w.checks, w.clock)
}
