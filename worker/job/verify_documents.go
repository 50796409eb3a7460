package job

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/clock"
)

// keepSlice is how long one run checks or renders before it yields to other jobs.
const keepSlice = 40 * time.Second

// VerifyDocuments looks whether the object store has the documents that it should have.
type VerifyDocuments struct {
	river.WorkerDefaults[invoice.VerifyDocumentsArgs]
	keeper *invoice.Keeper
	checks Checks
	clock  clock.Clock
}

// NewVerifyDocuments returns the worker over the keeper.
func NewVerifyDocuments(k *invoice.Keeper, checks Checks, clk clock.Clock) *VerifyDocuments {
	return &VerifyDocuments{keeper: k, checks: checks, clock: clk}
}

// Timeout is well above the slice, which ends between two pages.
func (*VerifyDocuments) Timeout(*river.Job[invoice.VerifyDocumentsArgs]) time.Duration {
	return 90 * time.Second
}

// Work checks the next documents and reports how many are lost in total.
func (w *VerifyDocuments) Work(ctx context.Context, _ *river.Job[invoice.VerifyDocumentsArgs]) error {
	if err := w.keeper.Check(ctx, sliceOf(ctx)); err != nil {
		return err
	}
	return tellLosses(ctx, w.keeper, w.checks, w.clock)
}

// sliceOf returns a function that reports whether the run's time is up.
func sliceOf(ctx context.Context) (enough func() bool) {
	began := time.Now() //nolint:forbidigo // how long a run takes is no business time
	return func() bool { return ctx.Err() != nil || time.Since(began) > keepSlice }
}

func tellLosses(ctx context.Context, k *invoice.Keeper, checks Checks, clk clock.Clock) error {
	lost, err := k.Losses(ctx)
	if err == nil {
		checks.Checked("documents", int(lost.Count), clk.Now())
	}
	return err
}
