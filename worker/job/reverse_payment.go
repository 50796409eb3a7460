package job

import (
	"context"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/payment"
)

// ReversePayment executes a reversal requested by staff, once it needs no more approval.
type ReversePayment struct {
	river.WorkerDefaults[payment.ReverseArgs]
	payments *payment.Service
}

// NewReversePayment returns the worker over the service.
func NewReversePayment(payments *payment.Service) *ReversePayment {
	return &ReversePayment{payments: payments}
}

// Work executes the reversal once; anything for the gateway is another job.
func (w *ReversePayment) Work(ctx context.Context, j *river.Job[payment.ReverseArgs]) error {
	return w.payments.Reverse(ctx, j.Args.ReversalID)
}
