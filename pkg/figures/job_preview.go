package figures

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// JobPreviews returns what this domain's jobs would do now.
func JobPreviews() queue.JobPreviews {
	l := queue.JobPreviews{}
	queue.AddPreview(l, func(context.Context, *sqlx.Tx, CountArgs, time.Time) (queue.JobPreview, error) {
		return queue.JobPreview{
			Summary: "Would count the months' figures anew that changed since the last count, and compare all of them with the rows.",
			Again:   "It counts the same rows again and comes to the same figures.",
		}, nil
	})
	return l
}
