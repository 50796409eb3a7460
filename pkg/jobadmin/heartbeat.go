package jobadmin

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// ScheduleEntry is one line of the workers' schedule.
type ScheduleEntry struct {
	Kind, Queue string
	Every       time.Duration
}

// Heartbeat is the report of a worker process about itself.
type Heartbeat struct {
	// Worker is the name under which it fetches jobs; Queues gives its concurrency per queue.
	Worker    string
	Queues    map[string]int
	Schedules []ScheduleEntry
	// NextRuns are the runs that the process has planned since its last heartbeat, by kind; only the leader plans any.
	NextRuns map[string]time.Time
}

const (
	beatSQL = `
		INSERT INTO worker_processes (id, started_at, seen_at, queues) VALUES ($1, clock_timestamp(), clock_timestamp(), $2)
		ON CONFLICT (id) DO UPDATE SET seen_at = clock_timestamp(), queues = excluded.queues`
	forgetWorkersSQL = `DELETE FROM worker_processes WHERE seen_at < clock_timestamp() - interval '1 hour'`
	scheduleSQL      = `
		INSERT INTO job_schedules (kind, queue, every_seconds, seen_at) VALUES ($1, $2, $3, clock_timestamp())
		ON CONFLICT (kind) DO UPDATE SET queue = excluded.queue, every_seconds = excluded.every_seconds, seen_at = clock_timestamp()`
	nextRunSQL    = `UPDATE job_schedules SET next_run_at = $2 WHERE kind = $1`
	stopWorkerSQL = `DELETE FROM worker_processes WHERE id = $1`
)

// Beat records that the worker is alive, with its report; repeated calls update the console.
func Beat(ctx context.Context, db *sqlx.DB, h Heartbeat) error {
	queues, err := json.Marshal(h.Queues)
	if err != nil {
		return fmt.Errorf("write queues: %w", err)
	}
	return postgres.InTx(ctx, db, func(tx *sqlx.Tx) error {
		if _, err := tx.ExecContext(ctx, beatSQL, h.Worker, string(queues)); err != nil {
			return fmt.Errorf("tell that the worker lives: %w", err)
		}
		for _, s := range h.Schedules {
			if _, err := tx.ExecContext(ctx, scheduleSQL, s.Kind, s.Queue, int64(s.Every/time.Second)); err != nil {
				return fmt.Errorf("tell the schedule: %w", err)
			}
		}
		for kind, at := range h.NextRuns {
			if _, err := tx.ExecContext(ctx, nextRunSQL, kind, at); err != nil {
				return fmt.Errorf("tell the next run: %w", err)
			}
		}
		if _, err := tx.ExecContext(ctx, forgetWorkersSQL); err != nil {
			return fmt.Errorf("forget gone workers: %w", err)
		}
		return nil
	})
}

// Leave records that the worker has stopped.
func Leave(ctx context.Context, db *sqlx.DB, worker string) error {
	if _, err := db.ExecContext(ctx, stopWorkerSQL, worker); err != nil {
		return postgres.Error(fmt.Errorf("tell that the worker stopped: %w", err))
	}
	return nil
}
