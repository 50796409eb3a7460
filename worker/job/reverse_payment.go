package job

import (
	"context"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/payment/reversal"
)

// ReversePayment executes a reversal requested by staff, once it needs no more approval.
type ReversePayment struct {
	river.WorkerDefaults[reversal.Args]
	reversals *reversal.Service
}

// NewReversePayment returns the worker over the service.
func NewReversePayment(reversals *reversal.Service) *ReversePayment {
	return &ReversePayment{reversals: reversals}
}

// Work executes the reversal once; anything for the gateway is another job.
func (w *ReversePayment) Work(ctx context.Context, j *river.Job[reversal.Args]) error {
	return w.reversals.Reverse(ctx, j.Args.ReversalID)
}
