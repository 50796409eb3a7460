package main

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// nothing is a no-op job.
type nothing struct{}

// Kind returns the job's name.
func (nothing) Kind() string { return "bench_nothing" }

type idler struct {
	river.WorkerDefaults[nothing]
	done atomic.Int64
}

// Work counts the job.
func (w *idler) Work(context.Context, *river.Job[nothing]) error {
	w.done.Add(1)
	return nil
}

const (
	noopJobs    = 20_000
	noopWorkers = 100
	// wantedJobs is the number of jobs two cores should work through per second.
	wantedJobs = 8000
)

// noopRate measures how many no-op jobs one worker process completes per second. The limit is what fetching allows: one job per
// worker in each cooldown.
func noopRate(ctx context.Context, s stack) (result, error) {
	x, err := openScratch(ctx, s)
	if err != nil {
		return result{}, err
	}
	defer x.end()
	pool, err := pgxpool.New(ctx, x.WorkerDSN)
	if err != nil {
		return result{}, fmt.Errorf("open pool: %w", err)
	}
	defer pool.Close()
	var all []float64
	for range 3 {
		rate, err := x.workThrough(ctx, pool)
		if err != nil {
			return result{}, err
		}
		all = append(all, rate)
	}
	limit := float64(noopWorkers) / queue.FetchCooldown.Seconds()
	return result{
		Ours: rates(all), Limit: fmt.Sprintf("%.0f/s by fetches", limit), Ratio: fmt.Sprintf("%.2f", median(all)/limit),
		Wanted: fmt.Sprintf("≥ %d/s", wantedJobs), Met: median(all) >= wantedJobs,
	}, nil
}

const insertNothingSQL = `
	INSERT INTO river_job (args, kind, max_attempts, metadata, queue, state, priority, tags)
	SELECT '{}', 'bench_nothing', 1, '{}', 'default', 'available', 1, '{}' FROM generate_series(1, %d)`

func (x *scratch) workThrough(ctx context.Context, pool *pgxpool.Pool) (float64, error) {
	for _, sql := range []string{"TRUNCATE river_job", fmt.Sprintf(insertNothingSQL, noopJobs), "VACUUM (ANALYZE) river_job"} {
		if _, err := x.Owner.ExecContext(ctx, sql); err != nil {
			return 0, fmt.Errorf("queue jobs: %w", err)
		}
	}
	worker, workers := &idler{}, river.NewWorkers()
	river.AddWorker(workers, worker)
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{
		Queues:        map[string]river.QueueConfig{queue.QueueDefault: {MaxWorkers: noopWorkers}},
		Workers:       workers,
		FetchCooldown: queue.FetchCooldown, FetchPollInterval: queue.FetchCooldown,
		Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return 0, fmt.Errorf("make job client: %w", err)
	}
	begun := time.Now()
	if err := client.Start(ctx); err != nil {
		return 0, fmt.Errorf("start jobs: %w", err)
	}
	for worker.done.Load() < noopJobs && ctx.Err() == nil {
		time.Sleep(2 * time.Millisecond)
	}
	took := time.Since(begun)
	if err := client.Stop(context.WithoutCancel(ctx)); err != nil {
		return 0, fmt.Errorf("stop jobs: %w", err)
	}
	return noopJobs / took.Seconds(), ctx.Err()
}

const backlog = 10_000

// The worker looks up each of these messages, does not find it and completes the job.
const insertBacklogSQL = `
	INSERT INTO river_job (args, kind, max_attempts, metadata, queue, state, priority, tags)
	SELECT jsonb_build_object('message_id', uuidv7()), 'send_customer_message', 1, '{"bench":true}', 'default', 'available', 1, '{}'
	FROM generate_series(1, $1::int)`

// otpBeside compares, in alternation, the start latency of one-time codes with and without a backlog in another queue.
func otpBeside(ctx context.Context, s stack) (result, error) {
	db, err := postgres.Open(ctx, s.DatabaseURL, 4)
	if err != nil {
		return result{}, err
	}
	defer func() { _ = db.Close() }()
	jobs, err := queue.NewInserter(db, slog.New(slog.DiscardHandler))
	if err != nil {
		return result{}, err
	}
	p95 := func(beside int) (float64, error) {
		if beside > 0 {
			if _, err := db.ExecContext(ctx, insertBacklogSQL, beside); err != nil {
				return 0, fmt.Errorf("queue the backlog: %w", err)
			}
		}
		var took []time.Duration
		for range jobSamples / rounds {
			d, err := startOne(ctx, db, jobs)
			if err != nil {
				return 0, err
			}
			took = append(took, d)
			time.Sleep(jobPause)
		}
		if beside > 0 {
			if _, err := db.ExecContext(ctx, `UPDATE river_job SET state = 'cancelled', finalized_at = now()
				WHERE kind = 'send_customer_message' AND state = 'available' AND metadata @> '{"bench":true}'::jsonb`); err != nil {
				return 0, fmt.Errorf("drop the backlog: %w", err)
			}
		}
		slices.Sort(took)
		return ms(quantile(took, 0.95)), nil
	}
	busy, idle, err := alternate(ctx, func(context.Context) (float64, error) { return p95(backlog) },
		func(context.Context) (float64, error) { return p95(0) })
	if err != nil {
		return result{}, err
	}
	return atMost(busy, idle, 1.3, fmt.Sprintf("p95 beside %d waiting jobs", backlog)), nil
}
