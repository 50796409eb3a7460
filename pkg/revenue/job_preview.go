package revenue

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// JobPreviews returns what this domain's jobs would do now.
func JobPreviews() queue.JobPreviews {
	l := queue.JobPreviews{}
	queue.AddPreview(l, func(ctx context.Context, tx *sqlx.Tx, _ RecogniseArgs, now time.Time) (queue.JobPreview, error) {
		e := queue.JobPreview{Again: "Each day is booked once; a second run finds none that is open."}
		next, err := store{}.next(ctx, tx)
		if err != nil {
			return e, err
		}
		last := lastDay(now)
		if next == 0 || next > last {
			e.Nothing, e.Summary = true, "Would book the days that are over: all of them are booked → nothing."
			return e, nil
		}
		if next == last {
			e.Summary = fmt.Sprintf("Would book what was earned and deferred on %s.", last)
			return e, nil
		}
		e.Summary = fmt.Sprintf("Would book what was earned and deferred on %d days, from %s to %s.", last-next+1, next, last)
		return e, nil
	})
	return l
}
