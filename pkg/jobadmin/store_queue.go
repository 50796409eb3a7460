package jobadmin

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// A worker that has not reported for this long counts as gone.
const workerLives = `interval '45 seconds'`

// River uses the machine's time, so the ages of its jobs are computed from the database's clock.
const queuesSQL = `
WITH live AS (
    SELECT queue, count(*) FILTER (WHERE state = 'available') AS depth,
        extract(epoch FROM clock_timestamp() - min(scheduled_at) FILTER (WHERE state = 'available')) AS age,
        count(*) FILTER (WHERE state = 'running') AS running,
        count(*) FILTER (WHERE ` + failing + `) AS failed,
        sum((SELECT count(*) FROM unnest(errors) e WHERE (e ->> 'at')::timestamptz > clock_timestamp() - interval '1 hour')) AS failed_attempts
    FROM job_overview j WHERE state IN ('available', 'running', 'retryable', 'scheduled', 'discarded', 'cancelled') GROUP BY 1
), done AS (
    SELECT queue, count(*) AS completed,
        sum((SELECT count(*) FROM unnest(errors) e WHERE (e ->> 'at')::timestamptz > clock_timestamp() - interval '1 hour')) AS failed_attempts
    FROM job_overview WHERE state = 'completed' AND finalized_at > clock_timestamp() - interval '1 hour' GROUP BY 1
), capacity AS (
    SELECT q.key AS queue, sum(q.value::int) AS workers
    FROM worker_processes w, jsonb_each_text(w.queues) q WHERE w.seen_at > clock_timestamp() - ` + workerLives + ` GROUP BY 1
), names AS (
    SELECT name FROM queue_overview UNION SELECT queue FROM live UNION SELECT queue FROM done UNION SELECT queue FROM capacity
)
SELECT n.name, coalesce(l.depth, 0) AS depth, coalesce(greatest(l.age, 0), 0)::bigint AS oldest_age, coalesce(l.running, 0) AS running,
    coalesce(c.workers, 0) AS capacity, coalesce(l.failed, 0) AS failed, coalesce(d.completed, 0) AS completed,
    (coalesce(l.failed_attempts, 0) + coalesce(d.failed_attempts, 0))::bigint AS failed_attempts, r.paused_at
FROM names n LEFT JOIN live l ON l.queue = n.name LEFT JOIN done d ON d.queue = n.name
LEFT JOIN capacity c ON c.queue = n.name LEFT JOIN queue_overview r ON r.name = n.name
ORDER BY 1`

const runningSQL = `
SELECT j.id, j.kind, j.queue, j.attempt, j.max_attempts, coalesce(j.metadata ->> 'franchiser_id', '') AS franchiser_id,
    greatest(extract(epoch FROM clock_timestamp() - j.attempted_at), 0)::bigint AS age,
    coalesce(j.attempted_by[array_upper(j.attempted_by, 1)], '') AS worker,
    j.attempted_at < clock_timestamp() - make_interval(secs => $1) AS overdue
FROM job_overview j WHERE j.state = 'running' ORDER BY j.attempted_at LIMIT 100`

const workersSQL = `
SELECT w.id, w.started_at, w.seen_at, (SELECT coalesce(sum(q.value::int), 0) FROM jsonb_each_text(w.queues) q) AS capacity,
    (SELECT count(*) FROM job_overview j WHERE j.state = 'running' AND j.attempted_by[array_upper(j.attempted_by, 1)] = w.id) AS running
FROM worker_processes w WHERE w.seen_at > clock_timestamp() - ` + workerLives + ` ORDER BY w.started_at, w.id`

// A run is a job that a worker started, not one that was inserted; kept outcomes cover jobs that River deletes sooner.
const schedulesSQL = `
SELECT s.kind, s.queue, s.every_seconds, r.at AS last_run_at, coalesce(r.state, '') AS last_state,
    s.next_run_at
FROM job_schedules s LEFT JOIN LATERAL (
    SELECT x.at, x.state FROM (
        (SELECT attempted_at AS at, state::text FROM job_overview WHERE kind = s.kind AND attempted_at IS NOT NULL ORDER BY id DESC LIMIT 1)
        UNION ALL (SELECT attempted_at, state FROM job_outcomes WHERE kind = s.kind AND attempted_at IS NOT NULL
            ORDER BY created_at DESC LIMIT 1)
    ) x ORDER BY x.at DESC LIMIT 1
) r ON true
WHERE s.seen_at > clock_timestamp() - interval '1 day' ORDER BY s.every_seconds, s.kind`

func (b *Queues) read(ctx context.Context, tx *sqlx.Tx) error {
	*b = Queues{Queues: []Queue{}, Running: []RunningJob{}, Workers: []WorkerProcess{}, Schedules: []Schedule{}}
	if err := tx.SelectContext(ctx, &b.Queues, queuesSQL); err != nil {
		return fmt.Errorf("read queues: %w", err)
	}
	if err := tx.SelectContext(ctx, &b.Running, runningSQL, queue.RescueAfter.Seconds()); err != nil {
		return fmt.Errorf("read running jobs: %w", err)
	}
	if err := tx.SelectContext(ctx, &b.Workers, workersSQL); err != nil {
		return fmt.Errorf("read workers: %w", err)
	}
	if err := tx.SelectContext(ctx, &b.Schedules, schedulesSQL); err != nil {
		return fmt.Errorf("read schedules: %w", err)
	}
	for i := range b.Queues {
		q := &b.Queues[i]
		q.PausedAt, q.AgesAfter = inUTC(q.PausedAt), int64(queue.AgesAfter(q.Name)/time.Second)
	}
	for i := range b.Workers {
		b.Workers[i].StartedAt, b.Workers[i].SeenAt = b.Workers[i].StartedAt.UTC(), b.Workers[i].SeenAt.UTC()
	}
	for i := range b.Schedules {
		b.Schedules[i].LastRunAt, b.Schedules[i].NextRunAt = inUTC(b.Schedules[i].LastRunAt), inUTC(b.Schedules[i].NextRunAt)
	}
	return nil
}

// queueOfScheduleTx returns the queue of a scheduled job; KindNotFound if no worker has reported it for a day.
func queueOfScheduleTx(ctx context.Context, tx *sqlx.Tx, kind string) (name string, err error) {
	err = tx.GetContext(ctx, &name, `SELECT queue FROM job_schedules WHERE kind = $1 AND seen_at > clock_timestamp() - interval '1 day'`, kind)
	if errors.Is(err, sql.ErrNoRows) {
		return "", errs.NotFound()
	}
	if err != nil {
		return "", fmt.Errorf("read schedule: %w", err)
	}
	return name, nil
}
