package job

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/payment"
)

// SweepPayments finds the payments whose check was lost.
type SweepPayments struct {
	river.WorkerDefaults[payment.SweepArgs]
	payments *payment.Service
}

// NewSweepPayments returns the worker over the service.
func NewSweepPayments(payments *payment.Service) *SweepPayments {
	return &SweepPayments{payments: payments}
}

// Timeout leaves room for a great many, one transaction per batch.
func (*SweepPayments) Timeout(*river.Job[payment.SweepArgs]) time.Duration { return time.Minute }

// Work enqueues a check for each of them.
func (w *SweepPayments) Work(ctx context.Context, _ *river.Job[payment.SweepArgs]) error {
	return w.payments.Sweep(ctx)
}
