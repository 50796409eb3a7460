package webhook

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// MaxAttempts is how often an event is sent to an endpoint that does not take it; tell_webhooks in SQL has the same number.
const MaxAttempts = 10

// DeliverArgs sends one event to one endpoint.
type DeliverArgs struct {
	DeliveryID string `json:"delivery_id"`
}

// Kind returns the job's kind; tell_webhooks in SQL inserts it too.
func (DeliverArgs) Kind() string { return "deliver_webhook" }

// PruneArgs deletes events that are too old to be kept, with their deliveries, and finds deliveries that lost their job.
type PruneArgs struct{}

// Kind returns the job's kind.
func (PruneArgs) Kind() string { return "prune_webhooks" }

// RetryAfter returns the pause after the given attempt, which counts from 1: the schedule that Standard Webhooks recommends, three days
// in all.
func RetryAfter(attempt int) time.Duration {
	pauses := []time.Duration{
		5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 14 * time.Hour, 20 * time.Hour,
		24 * time.Hour,
	}
	return pauses[min(max(attempt, 1), len(pauses))-1]
}

// JobPreviews returns the previews of this domain's jobs.
func JobPreviews() queue.JobPreviews {
	l := queue.JobPreviews{}
	queue.AddPreview(l, func(ctx context.Context, tx *sqlx.Tx, args DeliverArgs, _ time.Time) (queue.JobPreview, error) {
		p := queue.JobPreview{Again: "A receiver knows an event that comes twice by its id."}
		d, err := deliveryByID(ctx, tx, args.DeliveryID, false)
		switch {
		case errors.Is(err, errs.NotFound()):
			p.Nothing, p.Summary = true, "Would look for the delivery: it is too old and gone → nothing."
		case err != nil:
			return p, err
		case d.State == DeliveryDelivered:
			p.Nothing, p.Summary = true, fmt.Sprintf("Would look at the event %s: the endpoint has taken it → nothing.", d.Kind)
		case d.EndpointState != StateEnabled:
			p.Nothing, p.Summary = true, fmt.Sprintf("Would hold the event %s: its endpoint is %s → nothing is sent.", d.Kind, d.EndpointState)
		default:
			p.Summary = fmt.Sprintf("Would send the event %s to %s.", d.Kind, d.URL)
		}
		return p, nil
	})
	queue.AddPreview(l, func(context.Context, *sqlx.Tx, PruneArgs, time.Time) (queue.JobPreview, error) {
		return queue.JobPreview{
			Summary: "Would delete the events that connected systems were told more than 90 days ago, and mark as failed what waits without a job.",
			Again:   "A second run finds nothing left to do.",
		}, nil
	})
	return l
}
