package process

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/log"
)

const (
	// compareEvery is how often the machine's clock is compared with the database's.
	compareEvery = time.Second
	// lookEvery is how often a process checks whether its machine's clock was set, without a query. If so, it compares at once; before that
	// it uses the earlier comparison, which is wrong if all clocks were set.
	lookEvery = 100 * time.Millisecond
	// putRight is how many comparisons follow a set-back in which it is put right again: others may notice it later.
	putRight = 5
	// compareTimeout ends a comparison that would tell nothing.
	compareTimeout = clock.Tolerance
)

// compareClock compares the machine's clock with the database's, and returns the database's time.
func (c *Connections) compareClock(ctx context.Context) (database time.Time, ahead time.Duration, err error) {
	asked := time.Now() //nolint:forbidigo // the machine's clock itself is meant
	if err := c.DB.GetContext(ctx, &database, `SELECT clock_timestamp()`); err != nil {
		return database, 0, fmt.Errorf("compare the clock: %w", err)
	}
	return database, clock.Compare(database, asked, time.Now()), nil //nolint:forbidigo // as above
}

// keepComparing compares the clocks until the context ends. It logs when the machine's becomes wrong, and when it is right again.
// If the database's was set back, it puts right what would wait for the time to come again.
func (c *Connections) keepComparing(ctx context.Context, logger *slog.Logger) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	var was time.Duration
	var before comparison
	var tried time.Time
	left := 0 // of putRight
	for {
		select {
		case <-ctx.Done():
			return
		case at := <-tick.C:
			if at.Sub(tried) < compareEvery && (clock.Ahead()-was).Abs() <= clock.Tolerance {
				continue
			}
			tried = at
		}
		oneCtx, cancel := context.WithTimeout(ctx, compareTimeout)
		database, ahead, err := c.compareClock(oneCtx)
		cancel()
		if err != nil {
			continue // code that needs the database reports it
		}
		now := comparison{database: database, at: time.Now()} //nolint:forbidigo // elapsed time, not business time
		if now.setBackSince(before) {
			logger.ErrorContext(ctx, "the database's clock was set back", slog.Duration("by", now.backBy(before)))
			left = putRight
		}
		if left > 0 && c.SetBack != nil {
			if err := c.SetBack(ctx); err != nil {
				logger.WarnContext(ctx, "put right what the database's clock left behind", log.Error(err))
				left++
			}
		}
		left = max(left-1, 0)
		before = now
		switch {
		case ahead != 0 && was == 0:
			logger.ErrorContext(ctx, "the machine's clock differs from the database's, which is used instead", slog.Duration("ahead", ahead))
		case ahead == 0 && was != 0:
			logger.InfoContext(ctx, "the machine's clock agrees with the database's again")
		}
		was = ahead
	}
}

// comparison is the database's time at a moment of this machine.
type comparison struct{ database, at time.Time }

// backBy returns how much less time passed on the database's clock than has passed.
func (c comparison) backBy(before comparison) time.Duration {
	if before.at.IsZero() {
		return 0
	}
	return c.at.Sub(before.at) - c.database.Sub(before.database)
}

// setBackSince reports whether the database's clock was set back, by more than a slow answer explains.
func (c comparison) setBackSince(before comparison) bool {
	return c.backBy(before) > clock.Tolerance+compareTimeout
}
