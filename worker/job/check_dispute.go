package job

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/payment"
)

// CheckDispute queries the gateway for the status of a dispute and books a lost one.
type CheckDispute struct {
	river.WorkerDefaults[payment.CheckDisputeArgs]
	payments *payment.Service
}

// NewCheckDispute returns the worker over the service.
func NewCheckDispute(payments *payment.Service) *CheckDispute {
	return &CheckDispute{payments: payments}
}

// Timeout leaves room for a slow gateway and the transaction after it.
func (*CheckDispute) Timeout(*river.Job[payment.CheckDisputeArgs]) time.Duration {
	return 30 * time.Second
}

// Work is idempotent.
func (w *CheckDispute) Work(ctx context.Context, j *river.Job[payment.CheckDisputeArgs]) error {
	return awaitGateway(w.payments.CheckDispute(ctx, j.Args.DisputeID))
}
