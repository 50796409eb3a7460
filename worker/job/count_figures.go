package job

import (
	"context"
	"fmt"
	"time"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/figures"
	"github.com/franchise360/franchise360/pkg/platform/clock"
)

// CountFigures counts the figures every night and checks them. Figures that differed from the rows fail the job, although they are right
// again: whatever changed them must be found.
type CountFigures struct {
	river.WorkerDefaults[figures.CountArgs]
	counter *figures.Counter
	checks  Checks
	clock   clock.Clock
}

// NewCountFigures returns the worker over the counter.
func NewCountFigures(c *figures.Counter, checks Checks, clk clock.Clock) *CountFigures {
	return &CountFigures{counter: c, checks: checks, clock: clk}
}

// Timeout is long: the check reads every term.
func (*CountFigures) Timeout(*river.Job[figures.CountArgs]) time.Duration { return 4 * time.Minute }

// Work counts and checks; counting again would find nothing, so the job is not retried.
func (w *CountFigures) Work(ctx context.Context, _ *river.Job[figures.CountArgs]) error {
	run, err := w.counter.Count(ctx)
	if err != nil {
		return err
	}
	w.checks.Checked("figures", len(run.Findings), w.clock.Now())
	if len(run.Findings) == 0 {
		return nil
	}
	first := run.Findings[0]
	return river.JobCancel(fmt.Errorf("%d kept figures differed from the rows and were counted anew: %s (%s)",
		len(run.Findings), first.Subject, first.Detail))
}
