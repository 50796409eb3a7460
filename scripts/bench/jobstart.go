package main

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// codeJob is a send_otp for a code that does not exist: the real worker fetches it, finds nothing and completes.
type codeJob struct {
	CodeID string `json:"code_id"`
}

// Kind returns the job's name.
func (codeJob) Kind() string { return "send_otp" }

const (
	jobSamples = 300
	jobPause   = 20 * time.Millisecond
)

// jobStart measures the time from committing the insert of a send_otp until the worker process has fetched it, on an idle
// queue. The limit is absolute: p50 10 ms and p99 50 ms.
func jobStart(ctx context.Context, s stack) (result, error) {
	db, err := postgres.Open(ctx, s.DatabaseURL, 2)
	if err != nil {
		return result{}, err
	}
	defer func() { _ = db.Close() }()
	jobs, err := queue.NewInserter(db, slog.New(slog.DiscardHandler))
	if err != nil {
		return result{}, err
	}
	took := make([]time.Duration, 0, jobSamples)
	for range jobSamples {
		d, err := startOne(ctx, db, jobs)
		if err != nil {
			return result{}, err
		}
		took = append(took, d)
		time.Sleep(jobPause)
	}
	slices.Sort(took)
	p50, p99 := quantile(took, 0.5), quantile(took, 0.99)
	return result{
		Ours: fmt.Sprintf("p50 %.1f ms, p99 %.1f ms", ms(p50), ms(p99)), Limit: "p50 10 ms, p99 50 ms",
		Ratio: fmt.Sprintf("%.2f", max(ms(p50)/10, ms(p99)/50)), Wanted: "≤ 1.0",
		Met: p50 <= 10*time.Millisecond && p99 <= 50*time.Millisecond,
	}, nil
}

const attemptedSQL = `SELECT attempted_at FROM river_job WHERE id = $1 AND attempted_at IS NOT NULL`

func startOne(ctx context.Context, db *sqlx.DB, jobs *queue.Inserter) (time.Duration, error) {
	var job int64
	err := postgres.InTx(ctx, db, func(tx *sqlx.Tx) error {
		var err error
		job, err = jobs.InsertTx(ctx, tx, codeJob{CodeID: id.New()}, queue.Options{Queue: queue.QueueOTP, MaxAttempts: 1})
		return err
	})
	committed := time.Now()
	if err != nil {
		return 0, err
	}
	for range 2000 {
		var attempted []time.Time
		if err := db.SelectContext(ctx, &attempted, attemptedSQL, job); err != nil {
			return 0, fmt.Errorf("read job: %w", err)
		}
		if len(attempted) == 1 {
			return max(0, attempted[0].Sub(committed)), nil
		}
		time.Sleep(time.Millisecond)
	}
	return 0, fmt.Errorf("job %d was not started in two seconds", job)
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
