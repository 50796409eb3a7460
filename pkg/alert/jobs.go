package alert

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// DeliverArgs delivers one alert to one channel.
type DeliverArgs struct {
	DeliveryID string `json:"delivery_id"`
}

// Kind returns the job's kind.
func (DeliverArgs) Kind() string { return "deliver_alert" }

// PruneArgs deletes old alerts.
type PruneArgs struct{}

// Kind returns the job's kind.
func (PruneArgs) Kind() string { return "prune_alerts" }

// JobPreviews returns what this domain's jobs would do now.
func JobPreviews() queue.JobPreviews {
	l := queue.JobPreviews{}
	queue.AddPreview(l, func(context.Context, *sqlx.Tx, DeliverArgs, time.Time) (queue.JobPreview, error) {
		return queue.JobPreview{
			Summary: "Would deliver an alert to its channel, unless it is delivered already.",
			Again:   "Whoever delivers it notes that first, so that it is delivered once; a receiver knows a repeated one by its id.",
		}, nil
	})
	queue.AddPreview(l, func(context.Context, *sqlx.Tx, PruneArgs, time.Time) (queue.JobPreview, error) {
		return queue.JobPreview{
			Summary: "Would delete the alerts that were resolved more than 90 days ago.", Again: "A second run finds nothing left to do.",
		}, nil
	})
	return l
}
