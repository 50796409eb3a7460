package devclock

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// Effects returns previews of the development clock's jobs.
func Effects() queue.JobPreviews {
	l := queue.JobPreviews{}
	queue.AddPreview(l, func(_ context.Context, _ *sqlx.Tx, args TickArgs, _ time.Time) (queue.JobPreview, error) {
		return queue.JobPreview{
			Summary: fmt.Sprintf("Would run the sweeps that fell due when the clock moved from %d s to %d s.", args.FromSeconds, args.ToSeconds),
			Again:   "Sweeps take only what is due.",
		}, nil
	})
	return l
}
