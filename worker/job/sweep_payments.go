package job

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/payment/capture"
)

// SweepPayments finds the payments whose check was lost.
type SweepPayments struct {
	river.WorkerDefaults[capture.SweepArgs]
	captures *capture.Service
}

// NewSweepPayments returns the worker over the service.
func NewSweepPayments(captures *capture.Service) *SweepPayments {
	return &SweepPayments{captures: captures}
}

// Timeout leaves room for a great many, one transaction per batch.
func (*SweepPayments) Timeout(*river.Job[capture.SweepArgs]) time.Duration { return time.Minute }

// Work enqueues a check for each of them.
func (w *SweepPayments) Work(ctx context.Context, _ *river.Job[capture.SweepArgs]) error {
	return w.captures.Sweep(ctx)
}
