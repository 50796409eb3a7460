package job

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/webhook"
)

// DeliverWebhook sends one event to one endpoint of the operator's.
type DeliverWebhook struct {
	river.WorkerDefaults[webhook.DeliverArgs]
	deliverer *webhook.Deliverer
}

// NewDeliverWebhook returns the worker over the deliverer.
func NewDeliverWebhook(d *webhook.Deliverer) *DeliverWebhook { return &DeliverWebhook{deliverer: d} }

// Timeout allows one attempt, and storing its result.
func (*DeliverWebhook) Timeout(*river.Job[webhook.DeliverArgs]) time.Duration {
	return 20 * time.Second
}

// NextRetry follows the schedule of the domain, up to a tenth later, so that what failed together is not sent again together.
func (*DeliverWebhook) NextRetry(j *river.Job[webhook.DeliverArgs]) time.Time {
	pause := webhook.RetryAfter(j.Attempt)
	pause += rand.N(pause / 10) //nolint:gosec // no secret
	return clock.Real().Add(pause)
}

// Work sends the event. A job whose attempt disabled the endpoint ends, and staff see it among the failed jobs.
func (w *DeliverWebhook) Work(ctx context.Context, j *river.Job[webhook.DeliverArgs]) error {
	err := w.deliverer.Deliver(ctx, j.Args.DeliveryID, j.Attempt >= j.MaxAttempts)
	if errs.KindOf(err) == errs.KindInvalid {
		return river.JobCancel(err)
	}
	return err
}

// PruneWebhooks deletes old events.
type PruneWebhooks struct {
	river.WorkerDefaults[webhook.PruneArgs]
	deliverer *webhook.Deliverer
}

// NewPruneWebhooks returns the worker over the deliverer.
func NewPruneWebhooks(d *webhook.Deliverer) *PruneWebhooks { return &PruneWebhooks{deliverer: d} }

// Timeout leaves room for a table that has not been pruned for a while.
func (*PruneWebhooks) Timeout(*river.Job[webhook.PruneArgs]) time.Duration { return time.Minute }

// Work prunes the events and is idempotent.
func (w *PruneWebhooks) Work(ctx context.Context, _ *river.Job[webhook.PruneArgs]) error {
	return w.deliverer.Prune(ctx)
}
