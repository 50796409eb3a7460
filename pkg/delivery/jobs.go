package delivery

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// KeepArgs finds proofs of the product's own deliveries, and rows that are missing.
type KeepArgs struct{}

// Kind returns the job's kind.
func (KeepArgs) Kind() string { return "keep_deliveries" }

// JobPreviews returns the previews of this domain's jobs.
func JobPreviews() queue.JobPreviews {
	l := queue.JobPreviews{}
	queue.AddPreview(l, func(context.Context, *sqlx.Tx, KeepArgs, time.Time) (queue.JobPreview, error) {
		return queue.JobPreview{
			Summary: "Would look for proof of what the product delivers itself, remind customers who did not answer, and tell customers what is needed, delivered or late.",
			Again:   "Customers get at most one message of each kind a day, however often this runs.",
		}, nil
	})
	return l
}
