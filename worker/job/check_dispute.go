package job

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/payment"
)

// CheckDispute asks the gateway how a dispute stands and books one that is lost.
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

// Work has the effect of once, however often it runs.
func (w *CheckDispute) Work(ctx context.Context, j *river.Job[payment.CheckDisputeArgs]) error {
	return awaitGateway(w.payments.CheckDispute(ctx, j.Args.DisputeID))
}
