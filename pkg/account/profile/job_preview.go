package profile

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// JobPreviews returns the previews of this package's jobs.
func JobPreviews() queue.JobPreviews {
	l := queue.JobPreviews{}
	queue.AddPreview(l, func(context.Context, *sqlx.Tx, MailDocumentsArgs, time.Time) (queue.JobPreview, error) {
		return queue.JobPreview{
			Summary: "Would have the documents of the last thirty days sent to the proved e-mail address.",
			Again:   "A document that was sent is never sent again.",
		}, nil
	})
	return l
}
