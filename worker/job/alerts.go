package job

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/alert"
)

// DeliverAlert delivers one alert to one channel.
type DeliverAlert struct {
	river.WorkerDefaults[alert.DeliverArgs]
	deliverer *alert.Deliverer
}

// NewDeliverAlert returns the worker over the deliverer.
func NewDeliverAlert(d *alert.Deliverer) *DeliverAlert { return &DeliverAlert{deliverer: d} }

// Timeout allows one attempt, and storing its result.
func (*DeliverAlert) Timeout(*river.Job[alert.DeliverArgs]) time.Duration { return 25 * time.Second }

// Work delivers the alert.
func (w *DeliverAlert) Work(ctx context.Context, j *river.Job[alert.DeliverArgs]) error {
	return w.deliverer.Deliver(ctx, j.Args.DeliveryID, j.Attempt >= j.MaxAttempts)
}

// PruneAlerts deletes old alerts.
type PruneAlerts struct {
	river.WorkerDefaults[alert.PruneArgs]
	deliverer *alert.Deliverer
}

// NewPruneAlerts returns the worker over the deliverer.
func NewPruneAlerts(d *alert.Deliverer) *PruneAlerts { return &PruneAlerts{deliverer: d} }

// Work prunes the alerts and is idempotent.
func (w *PruneAlerts) Work(ctx context.Context, _ *river.Job[alert.PruneArgs]) error {
	return w.deliverer.Prune(ctx)
}
