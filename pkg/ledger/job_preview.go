package ledger

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// JobPreviews returns what this domain's jobs would do now.
func JobPreviews() queue.JobPreviews {
	l := queue.JobPreviews{}
	queue.AddPreview(l, func(context.Context, *sqlx.Tx, VerifyArgs, time.Time) (queue.JobPreview, error) {
		return queue.JobPreview{
			Summary: "Would check every journal, number, document, payment and refund, and fail again if the books are still out of order.",
			Nothing: true, Again: "It only reads.",
		}, nil
	})
	return l
}
