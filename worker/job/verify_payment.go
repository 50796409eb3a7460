package job

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/capture"
	"github.com/franchise360/franchise360/pkg/platform/clock"
)

// VerifyPayment queries the gateway for the outcome of a payment and settles it.
type VerifyPayment struct {
	river.WorkerDefaults[payment.VerifyArgs]
	captures *capture.Service
}

// NewVerifyPayment returns the worker over the service.
func NewVerifyPayment(captures *capture.Service) *VerifyPayment {
	return &VerifyPayment{captures: captures}
}

// Timeout leaves room for a slow gateway and the transaction after it.
func (*VerifyPayment) Timeout(*river.Job[payment.VerifyArgs]) time.Duration { return 30 * time.Second }

// NextRetry waits 1, 4, 16 and then 60 seconds: a customer may be looking at the result page.
func (*VerifyPayment) NextRetry(j *river.Job[payment.VerifyArgs]) time.Time {
	wait := time.Minute
	if j.Attempt <= 3 {
		wait = time.Second << (2 * (max(j.Attempt, 1) - 1))
	}
	return clock.Real().Add(wait)
}

// Work verifies the payment. It is idempotent, even if run concurrently.
func (w *VerifyPayment) Work(ctx context.Context, j *river.Job[payment.VerifyArgs]) error {
	return awaitGateway(w.captures.Verify(ctx, j.Args))
}
