package job

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/payment"
)

// RefundPayment follows one refund at the gateway until it is finished.
type RefundPayment struct {
	river.WorkerDefaults[payment.RefundArgs]
	payments *payment.Service
}

// NewRefundPayment returns the worker over the service.
func NewRefundPayment(payments *payment.Service) *RefundPayment {
	return &RefundPayment{payments: payments}
}

// Timeout leaves room for a slow gateway and the transaction after it.
func (*RefundPayment) Timeout(*river.Job[payment.RefundArgs]) time.Duration { return 30 * time.Second }

// Work requests the refund once, whatever happens to this process, and later queries its progress.
func (w *RefundPayment) Work(ctx context.Context, j *river.Job[payment.RefundArgs]) error {
	return awaitGateway(w.payments.SendRefund(ctx, j.Args.RefundID))
}
