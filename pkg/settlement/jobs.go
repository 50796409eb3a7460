package settlement

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// CompareArgs compares settlements with the books: of one day of a gateway, of everything due and open at a gateway if
// Day is 0, and of every gateway if both are empty.
type CompareArgs struct {
	Gateway string           `json:"gateway,omitempty"`
	Day     subscription.Day `json:"day,omitempty"`
}

// Kind returns the job's name.
func (CompareArgs) Kind() string { return "compare_settlements" }

// JobPreviews returns the previews of this domain's jobs.
func JobPreviews() queue.JobPreviews {
	l := queue.JobPreviews{}
	queue.AddPreview(l, func(_ context.Context, _ *sqlx.Tx, args CompareArgs, now time.Time) (queue.JobPreview, error) {
		what := "each day's up to " + (subscription.DayOf(now) - 1).Human()
		if args.Day != 0 {
			what = "that of " + args.Day.Human()
		}
		return queue.JobPreview{
			Summary: fmt.Sprintf("Would ask the gateway for its settlements, %s, and compare all that is open with the books.", what),
			Again:   "A line is stored and booked once, however often it is read; no money moves.",
		}, nil
	})
	return l
}
