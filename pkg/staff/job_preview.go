package staff

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// JobPreviews returns the previews of this domain's jobs.
func JobPreviews() queue.JobPreviews {
	l := queue.JobPreviews{}
	queue.AddPreview(l, func(context.Context, *sqlx.Tx, VerifyArgs, time.Time) (queue.JobPreview, error) {
		return queue.JobPreview{
			Summary: "Would check the chain of the audit trail, and fail again if a record is still out of place.",
			Nothing: true, Again: "It only reads.",
		}, nil
	})
	queue.AddPreview(l, previewInvitation)
	queue.AddPreview(l, previewNotice)
	return l
}
