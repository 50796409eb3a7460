package job

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/payment/refund"
)

// RefundPayment follows one refund at the gateway until it is finished.
type RefundPayment struct {
	river.WorkerDefaults[refund.Args]
	refunds *refund.Service
}

// NewRefundPayment returns the worker over the service.
func NewRefundPayment(refunds *refund.Service) *RefundPayment {
	return &RefundPayment{refunds: refunds}
}

// Timeout leaves room for a slow gateway and the transaction after it.
func (*RefundPayment) Timeout(*river.Job[refund.Args]) time.Duration { return 30 * time.Second }

// Work requests the refund once, whatever happens to this process, and later queries its progress.
func (w *RefundPayment) Work(ctx context.Context, j *river.Job[refund.Args]) error {
	return awaitGateway(w.refunds.Send(ctx, j.Args.RefundID))
}
