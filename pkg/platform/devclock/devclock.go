// Package devclock moves the business clock that both processes share in development, so that a year can be stepped through
// in a minute. It works only with APP_ENV=development: the development stack creates its table.
package devclock

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// maxAdvance is the furthest that one call may move the clock, in seconds: ten years.
const maxAdvance = 10 * 365 * 24 * 3600

// TickArgs are the arguments of the job that runs everything that fell due when the clock moved.
type TickArgs struct {
	// FromSeconds and ToSeconds are the clock's offsets before and after the move.
	FromSeconds int64 `json:"from_seconds"`
	ToSeconds   int64 `json:"to_seconds"`
}

// Kind returns the job's kind.
func (TickArgs) Kind() string { return "dev_clock_tick" }

const loadSQL = `SELECT offset_seconds FROM dev.clock`

// Load sets the clock to the offset stored in the database.
func Load(ctx context.Context, db *sqlx.DB, c *clock.Shifted) error {
	var seconds int64
	if err := db.GetContext(ctx, &seconds, loadSQL); err != nil {
		return fmt.Errorf("load clock: %w", err)
	}
	c.SetOffset(time.Duration(seconds) * time.Second)
	return nil
}

// Follow keeps the clock at the stored offset until the context ends, polling every quarter of a second.
func Follow(ctx context.Context, db *sqlx.DB, c *clock.Shifted, logger *slog.Logger) {
	tick := time.NewTicker(250 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if err := Load(ctx, db, c); err != nil && ctx.Err() == nil {
				logger.WarnContext(ctx, "clock not read", log.Error(err))
			}
		}
	}
}

// Mover moves the clock and waits for the jobs that fell due.
type Mover struct {
	db    *sqlx.DB
	jobs  *queue.Inserter
	clock *clock.Shifted
}

// NewMover returns a mover of the clock.
func NewMover(db *sqlx.DB, jobs *queue.Inserter, c *clock.Shifted) *Mover {
	return wiring.Complete(&Mover{db: db, jobs: jobs, clock: c})
}

// Now returns the current business time in UTC.
func (m *Mover) Now() time.Time { return m.clock.Now() }

// Offset returns how far business time runs ahead of the machine's.
func (m *Mover) Offset() time.Duration { return m.clock.Offset() }

// River runs on the machine's clock, so scheduled jobs are brought forward by the distance the clock moved.
const (
	advanceSQL   = `UPDATE dev.clock SET offset_seconds = offset_seconds + $1 RETURNING offset_seconds`
	tickStateSQL = `SELECT state::text FROM job_overview WHERE id = $1`
)

// Advance moves the clock forward and returns when the jobs that fell due have run; it fails after a minute and a half.
func (m *Mover) Advance(ctx context.Context, seconds int64) error {
	if seconds < 1 || seconds > maxAdvance {
		return errs.Invalid("The clock moves forward by 1 second to ten years.").
			Field("advance_seconds", "The clock moves forward by 1 second to ten years.")
	}
	var job int64
	err := postgres.InTx(ctx, m.db, func(tx *sqlx.Tx) error {
		var offset int64
		if err := tx.GetContext(ctx, &offset, advanceSQL, seconds); err != nil {
			return fmt.Errorf("advance clock: %w", err)
		}
		if err := queue.BringForwardTx(ctx, tx, seconds); err != nil {
			return err
		}
		var err error
		job, err = m.jobs.InsertTx(ctx, tx, TickArgs{FromSeconds: offset - seconds, ToSeconds: offset},
			queue.Options{Queue: queue.QueueClock, MaxAttempts: 3})
		return err
	})
	if err != nil {
		return err
	}
	if err := Load(ctx, m.db, m.clock); err != nil {
		return err
	}
	return m.wait(ctx, job)
}

func (m *Mover) wait(ctx context.Context, job int64) error {
	ctx, cancel := context.WithTimeout(ctx, 90*time.Second) // a response may take two minutes
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return errs.Unavailable(fmt.Errorf("wait for due jobs: %w", ctx.Err()))
		case <-tick.C:
		}
		var state string
		err := m.db.GetContext(ctx, &state, tickStateSQL, job)
		if ctx.Err() != nil {
			continue // timed out
		}
		if err != nil {
			return fmt.Errorf("read tick: %w", err)
		}
		switch state {
		case "completed":
			return nil
		case "cancelled", "discarded":
			return errs.Internal(fmt.Errorf("due jobs: tick %d is %s", job, state))
		}
	}
}

const pendingSQL = `
	SELECT count(*) FROM job_overview
	WHERE id <> $1 AND kind <> 'dev_clock_tick' AND (state = 'available'
		OR state = 'running' AND attempted_at >= (SELECT attempted_at FROM job_overview WHERE id = $1)
		OR state IN ('scheduled', 'retryable') AND scheduled_at <= clock_timestamp())`

// Load sets the clock to the offset stored in the database.
func (m *Mover) Load(ctx context.Context) error { return Load(ctx, m.db, m.clock) }

// Drained reports whether no due job other than the given one remains. Jobs that were running before that job began are
// ignored: their worker may have been killed.
func (m *Mover) Drained(ctx context.Context, except int64) (bool, error) {
	var n int
	if err := m.db.GetContext(ctx, &n, pendingSQL, except); err != nil {
		return false, fmt.Errorf("count due jobs: %w", err)
	}
	return n == 0, nil
}
