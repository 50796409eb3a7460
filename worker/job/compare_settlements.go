package job

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/payment"
)

// CompareSettlements compares what the gateway paid out with the books, day by day.
type CompareSettlements struct {
	river.WorkerDefaults[payment.CompareArgs]
	payments *payment.Service
}

// NewCompareSettlements returns the worker over the service.
func NewCompareSettlements(payments *payment.Service) *CompareSettlements {
	return &CompareSettlements{payments: payments}
}

// Timeout is long: a month may be to be caught up.
func (*CompareSettlements) Timeout(*river.Job[payment.CompareArgs]) time.Duration {
	return 4 * time.Minute
}

// Work compares every day since the last comparison; its differences are kept for staff.
func (w *CompareSettlements) Work(ctx context.Context, _ *river.Job[payment.CompareArgs]) error {
	return w.payments.CompareSettlements(ctx)
}
