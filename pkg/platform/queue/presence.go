package queue

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"log/slog"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

const (
	// presenceInterval is how often a worker sees to its own lock and to the jobs of workers that are gone.
	presenceInterval = 3 * time.Second
	presenceTimeout  = 5 * time.Second
)

// Presence shows the other workers that this one lives, and takes over the jobs of those that do not.
//
// River judges a running job by its age alone, which leaves the jobs of a killed worker untouched for minutes. Here
// each worker holds an advisory lock of its own name for as long as its connection lives; Postgres lets go of it in the
// moment the process ends, however it ends. A worker whose lock breaks while it lives may see one of its jobs run
// twice, which every job must bear anyway.
type Presence struct {
	db     *sqlx.DB
	worker string
	logger *slog.Logger
	conn   *sql.Conn `wiring:"later"`
}

// NewPresence returns the presence of a new worker; hold it before the first job is fetched.
func NewPresence(db *sqlx.DB, logger *slog.Logger) *Presence {
	return wiring.Complete(&Presence{db: db, worker: "worker-" + id.New(), logger: logger})
}

// Worker is the name under which the worker must fetch its jobs.
func (p *Presence) Worker() string { return p.worker }

// Hold takes the lock; it fails where the database does not answer.
func (p *Presence) Hold(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, presenceTimeout)
	defer cancel()
	conn, err := p.db.Conn(ctx)
	if err != nil {
		return fmt.Errorf("connect presence: %w", err)
	}
	if _, err := conn.ExecContext(ctx, `SELECT pg_advisory_lock(hashtextextended($1, 0))`, p.worker); err != nil {
		_ = conn.Close()
		return fmt.Errorf("lock presence: %w", err)
	}
	p.conn = conn
	return nil
}

// Keep renews the lock after a lost connection and rescues abandoned jobs, until the context ends. It lets go of the
// lock then, so end it after the last job.
func (p *Presence) Keep(ctx context.Context) {
	tick := time.NewTicker(presenceInterval)
	defer tick.Stop()
	defer p.release()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if err := p.renew(ctx); err != nil {
			p.logger.WarnContext(ctx, "presence", log.Error(err))
			continue
		}
		rescued, err := p.Rescue(ctx)
		if err != nil {
			p.logger.WarnContext(ctx, "rescue jobs", log.Error(err))
		}
		if rescued > 0 {
			p.logger.WarnContext(ctx, "took over the jobs of a worker that is gone", slog.Int64("jobs", rescued))
		}
	}
}

func (p *Presence) renew(ctx context.Context) error {
	if p.conn != nil {
		pingCtx, cancel := context.WithTimeout(ctx, presenceTimeout)
		defer cancel()
		if p.conn.PingContext(pingCtx) == nil {
			return nil
		}
		p.release()
	}
	return p.Hold(ctx)
}

// release drops the connection instead of giving it back, so that the pool does not keep the lock.
func (p *Presence) release() {
	if p.conn == nil {
		return
	}
	_ = p.conn.Raw(func(any) error { return driver.ErrBadConn }) // this error makes the pool close it
	_ = p.conn.Close()
	p.conn = nil
}

// The one job of a gone worker that has no attempt left stays to River's rescuer, which discards it: it may be what
// kills its workers.
const rescueSQL = `
WITH gone AS (
  SELECT worker FROM (
    SELECT DISTINCT attempted_by[array_upper(attempted_by, 1)] AS worker FROM river_job WHERE state = 'running'
  ) AS running
  WHERE worker LIKE 'worker-%' AND worker <> $1 AND pg_try_advisory_xact_lock(hashtextextended(worker, 0))
)
UPDATE river_job
SET state = 'available', scheduled_at = now(),
    errors = array_append(errors, jsonb_build_object(
      'at', now(), 'attempt', attempt, 'error', 'the worker ended in the middle of this attempt', 'trace', ''))
FROM gone
WHERE river_job.state = 'running' AND attempted_by[array_upper(attempted_by, 1)] = gone.worker AND attempt < max_attempts`

// Rescue makes the jobs of workers that are gone available at once and returns how many there were.
func (p *Presence) Rescue(ctx context.Context) (int64, error) {
	ctx, cancel := context.WithTimeout(ctx, presenceTimeout)
	defer cancel()
	var rescued int64
	err := postgres.InTx(ctx, p.db, func(tx *sqlx.Tx) error {
		res, err := tx.ExecContext(ctx, rescueSQL, p.worker)
		if err != nil {
			return fmt.Errorf("rescue jobs: %w", err)
		}
		rescued, err = res.RowsAffected()
		return err
	})
	return rescued, err
}
