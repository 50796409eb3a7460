package job

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/settlement"
)

// CompareSettlements compares the gateways' payouts with the ledger, day by day.
type CompareSettlements struct {
	river.WorkerDefaults[settlement.CompareArgs]
	settlements *settlement.Service
	checks      Checks
	clock       clock.Clock
}

// NewCompareSettlements returns the worker over the service.
func NewCompareSettlements(settlements *settlement.Service, checks Checks, clk clock.Clock) *CompareSettlements {
	return &CompareSettlements{settlements: settlements, checks: checks, clock: clk}
}

// Timeout is long: there may be many days to catch up on. Finished days are kept, and the next try continues from
// there.
func (*CompareSettlements) Timeout(*river.Job[settlement.CompareArgs]) time.Duration {
	return 4 * time.Minute
}

// Work compares the days that the job names, or every due day if it names none. It stores the differences for staff, and counts the open
// ones for monitoring.
func (w *CompareSettlements) Work(ctx context.Context, j *river.Job[settlement.CompareArgs]) error {
	if err := w.settlements.Compare(ctx, j.Args); err != nil {
		return err
	}
	open, err := w.settlements.CountOpen(ctx)
	if err != nil {
		return err
	}
	w.checks.Checked("settlements", open, w.clock.Now())
	return nil
}
