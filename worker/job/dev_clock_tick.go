package job

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/platform/devclock"
)

// DevClockTick runs, in development, the jobs that fell due when the clock was moved: every scheduled sweep once, and all jobs that these
// enqueue.
type DevClockTick struct {
	river.WorkerDefaults[devclock.TickArgs]
	mover    *devclock.Mover
	schedule []Periodic
}

// NewDevClockTick returns the worker over the schedule.
func NewDevClockTick(mover *devclock.Mover, schedule []Periodic) *DevClockTick {
	return &DevClockTick{mover: mover, schedule: schedule}
}

// Timeout is slightly longer than the minute that the caller waits.
func (*DevClockTick) Timeout(*river.Job[devclock.TickArgs]) time.Duration { return 70 * time.Second }

// Work sets the clock, inserts the sweeps that fell due and waits until the queues are empty.
func (w *DevClockTick) Work(ctx context.Context, j *river.Job[devclock.TickArgs]) error {
	if err := w.mover.Load(ctx); err != nil {
		return err
	}
	client := river.ClientFromContext[pgx.Tx](ctx)
	for _, p := range w.schedule {
		if j.Args.ToSeconds/int64(p.Every/time.Second) == j.Args.FromSeconds/int64(p.Every/time.Second) {
			continue // no multiple of its interval has passed
		}
		if _, err := client.Insert(ctx, p.Args, &river.InsertOpts{Queue: p.Queue}); err != nil {
			return fmt.Errorf("insert %s: %w", p.Args.Kind(), err)
		}
	}
	tick := time.NewTicker(25 * time.Millisecond)
	defer tick.Stop()
	for {
		drained, err := w.mover.Drained(ctx, j.ID)
		if err != nil || drained {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for due jobs: %w", ctx.Err())
		case <-tick.C:
		}
	}
}
