package job

import (
	"context"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/payment"
)

// ReversePayment does what staff asked for in money matters and what was approved.
type ReversePayment struct {
	river.WorkerDefaults[payment.ReverseArgs]
	payments *payment.Service
}

// NewReversePayment returns the worker over the service.
func NewReversePayment(payments *payment.Service) *ReversePayment {
	return &ReversePayment{payments: payments}
}

// Work gives the reversal its one effect; what goes to the gateway is another job.
func (w *ReversePayment) Work(ctx context.Context, j *river.Job[payment.ReverseArgs]) error {
	return w.payments.Reverse(ctx, j.Args.ReversalID)
}
