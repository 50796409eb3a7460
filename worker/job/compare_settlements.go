package job

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/settlement"
)

// CompareSettlements compares what the gateway paid out with the books, day by day.
type CompareSettlements struct {
	river.WorkerDefaults[settlement.CompareArgs]
	settlements *settlement.Service
}

// NewCompareSettlements returns the worker over the service.
func NewCompareSettlements(settlements *settlement.Service) *CompareSettlements {
	return &CompareSettlements{settlements: settlements}
}

// Timeout is long: there may be many days to catch up on. Finished days are kept, and the next try continues from
// there.
func (*CompareSettlements) Timeout(*river.Job[settlement.CompareArgs]) time.Duration {
	return 4 * time.Minute
}

// Work compares the days that the job names, or every day that is due if it names none; the differences are kept for
// staff.
func (w *CompareSettlements) Work(ctx context.Context, j *river.Job[settlement.CompareArgs]) error {
	return w.settlements.Compare(ctx, j.Args)
}
