package erasure

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// JobPreviews returns the previews of this package's jobs.
func JobPreviews() queue.JobPreviews {
	l := queue.JobPreviews{}
	queue.AddSweepPreview[EraseArgs](l, "erase", "accounts whose seven days are over", `SELECT count_due_erasures($1)`, account.ErasureDelay)
	queue.AddPreview(l, func(context.Context, *sqlx.Tx, PurgeArgs, time.Time) (queue.JobPreview, error) {
		return queue.JobPreview{
			Summary: "Would delete codes, sign-ups, sessions and counts that ended thirty days ago, and what visitors and staff left years ago.",
			Again:   "It takes only what is old enough, so that a second run finds nothing left to do.",
		}, nil
	})
	return l
}
