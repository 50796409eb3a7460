package job

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/payment/dispute"
)

// CheckDispute queries the gateway for the status of a dispute and books a lost one.
type CheckDispute struct {
	river.WorkerDefaults[dispute.CheckArgs]
	disputes *dispute.Service
}

// NewCheckDispute returns the worker over the service.
func NewCheckDispute(disputes *dispute.Service) *CheckDispute {
	return &CheckDispute{disputes: disputes}
}

// Timeout leaves room for a slow gateway and the transaction after it.
func (*CheckDispute) Timeout(*river.Job[dispute.CheckArgs]) time.Duration {
	return 30 * time.Second
}

// Work is idempotent.
func (w *CheckDispute) Work(ctx context.Context, j *river.Job[dispute.CheckArgs]) error {
	return awaitGateway(w.disputes.Check(ctx, j.Args.DisputeID))
}
