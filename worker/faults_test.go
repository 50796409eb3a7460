package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jmoiron/sqlx"
	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/jobadmin"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/metrics"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/process"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// Jobs for tests: the first panics once, the second succeeds, and only a newer release knows the third.
type (
	brittleArgs struct {
		CustomerID string `json:"customer_id"`
	}
	soundArgs struct {
		N int `json:"n"`
	}
	newArgs struct{}
)

func (brittleArgs) Kind() string { return "test_brittle" }
func (soundArgs) Kind() string   { return "test_sound" }
func (newArgs) Kind() string     { return "test_of_a_newer_release" }

const (
	waitLimit = 2 * time.Minute
	card      = "4111 1111 1111 1111"
)

func askTheBank() { panic("bank said token=hush-hush for " + card) }

// house is a database with workers on their real client wiring, and their log.
type house struct {
	db      *testkit.Database
	jobs    *queue.Inserter
	admin   *jobadmin.Service
	meter   *metrics.Metrics
	mu      sync.Mutex
	written bytes.Buffer
}

func newHouse(t *testing.T) *house {
	t.Helper()
	h := &house{db: testkit.NewDatabase(t), meter: metrics.New()}
	h.jobs = testkit.NewInserter(t, h.db.API)
	clk := testkit.NewClock()
	h.admin = jobadmin.NewService(jobadmin.Options{
		DB: h.db.API, Jobs: h.jobs, Clock: clk, Recorder: staff.NewRecorder(clk), Previews: app.JobPreviews(),
		Failing: jobadmin.NothingFails,
	})
	return h
}

// Write records a line of the log.
func (h *house) Write(line []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.written.Write(line)
}

func (h *house) log() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.written.String()
}

// start runs the client of a worker process with these workers; the returned function stops it.
func (h *house) start(t *testing.T, add func(*river.Workers)) (stop func()) {
	t.Helper()
	pool, err := pgxpool.New(t.Context(), h.db.DSN(testkit.RoleWorker))
	require.NoError(t, err)
	logger := log.New(h, "worker", slog.LevelInfo)
	d := &deps{
		Connections: &process.Connections{DB: h.db.Worker, Jobs: testkit.NewInserter(t, h.db.Worker), Clock: testkit.NewClock(), Metrics: h.meter},
		pool:        pool, presence: queue.NewPresence(queue.PresenceOptions{
			DB: h.db.Worker, Worker: queue.NewWorkerName(), Logger: logger,
		}),
		table: newTimetable(),
	}
	workers := river.NewWorkers()
	add(workers)
	c, err := newClient(d, workers, logger)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- work(ctx, c, d.presence, logger) }()
	stop = sync.OnceFunc(func() {
		cancel()
		require.NoError(t, <-ended)
		pool.Close()
	})
	t.Cleanup(stop)
	return stop
}

func (h *house) insert(t *testing.T, args queue.Args, o queue.Options) (id int64) {
	t.Helper()
	require.NoError(t, postgres.InTx(t.Context(), h.db.API, func(tx *sqlx.Tx) error {
		var err error
		id, err = h.jobs.InsertTx(t.Context(), tx, args, o)
		return err
	}))
	return id
}

func (h *house) state(t *testing.T, job int64) string {
	t.Helper()
	var s string
	require.NoError(t, h.db.Owner.Get(&s, `SELECT state FROM river_job WHERE id = $1`, job))
	return s
}

func (h *house) await(t *testing.T, job int64, state string) {
	t.Helper()
	require.Eventually(t, func() bool { return h.state(t, job) == state }, waitLimit, 20*time.Millisecond, "job %d is not %s", job, state)
}

func sound(workers *river.Workers) {
	river.AddWorker(workers, river.WorkFunc(func(context.Context, *river.Job[soundArgs]) error { return nil }))
}

// Given a job that panics, when it is run, then support sees why, the log says where and contains no secrets, the other
// jobs continue in the same process, and the job is retried.
func TestJob_Panics_FailsAloneAndIsRetried(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	again := make(chan struct{})
	h.start(t, func(workers *river.Workers) {
		sound(workers)
		river.AddWorker(workers, river.WorkFunc(func(ctx context.Context, j *river.Job[brittleArgs]) error {
			if j.Attempt == 1 {
				askTheBank()
			}
			select {
			case <-again:
			case <-ctx.Done():
			}
			return ctx.Err()
		}))
	})
	brittle := h.insert(t, brittleArgs{CustomerID: "a-customer"}, queue.Options{MaxAttempts: 3})
	h.await(t, brittle, "running")
	require.Eventually(t, func() bool { return strings.Contains(h.log(), `"msg":"job panicked"`) }, waitLimit, 20*time.Millisecond)
	for n := range 8 {
		h.await(t, h.insert(t, soundArgs{N: n}, queue.Options{}), "completed")
	}
	require.Eventually(t, func() bool {
		j, err := h.admin.Job(t.Context(), brittle)
		require.NoError(t, err)
		return len(j.Errors) == 1 && j.Attempt == 2 && j.State == "running"
	}, waitLimit, 20*time.Millisecond, "it is tried again")
	j, err := h.admin.Job(t.Context(), brittle)
	require.NoError(t, err)
	require.Contains(t, j.LastError, "bank said token=")
	for name, text := range map[string]string{"support": j.LastError, "log": h.log()} {
		require.Contains(t, text, "bank said", name)
		require.NotContains(t, text, "hush-hush", name)
		require.NotContains(t, text, card, name)
	}
	require.Contains(t, h.log(), "askTheBank", "where it panicked")
	require.NotContains(t, h.log(), "a-customer", "the arguments are not logged")
	close(again)
	h.await(t, brittle, "completed")
}

// Given a job that fails, or of an unknown kind, then it is logged once per attempt.
func TestJob_Failure_IsLoggedOncePerAttempt(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.start(t, func(workers *river.Workers) {
		river.AddWorker(workers, river.WorkFunc(func(context.Context, *river.Job[brittleArgs]) error {
			return errors.New("the bank is closed")
		}))
	})
	h.await(t, h.insert(t, brittleArgs{}, queue.Options{MaxAttempts: 1}), "discarded")
	unknown := h.insert(t, newArgs{}, queue.Options{MaxAttempts: 2})
	require.Eventually(t, func() bool { return h.left(unknown) == 1 }, waitLimit, 20*time.Millisecond)
	require.Equal(t, 1, strings.Count(h.log(), "the bank is closed"), h.log())
	require.Equal(t, 1, strings.Count(h.log(), "test_of_a_newer_release"), h.log())
}

// Given attempts that end in every possible way, then each is counted by kind and outcome, and timed.
func TestAttempts_EachOutcome_IsCountedAndTimed(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.start(t, func(workers *river.Workers) {
		sound(workers)
		river.AddWorker(workers, river.WorkFunc(func(_ context.Context, j *river.Job[brittleArgs]) error {
			switch j.Args.CustomerID {
			case "cancelled":
				return river.JobCancel(errors.New("of no use"))
			case "waits":
				return river.JobSnooze(time.Hour)
			case "panicked":
				panic("a fault")
			}
			return errors.New("the bank is closed")
		}))
	})
	h.await(t, h.insert(t, soundArgs{}, queue.Options{}), "completed")
	for outcome, state := range map[string]string{"cancelled": "cancelled", "waits": "scheduled", "panicked": "discarded", "failed": "discarded"} {
		h.await(t, h.insert(t, brittleArgs{CustomerID: outcome}, queue.Options{MaxAttempts: 1}), state)
	}
	families, err := h.meter.Registry().Gather()
	require.NoError(t, err)
	counted := map[string]uint64{}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if f.GetName() == "franchise360_job_seconds" {
				counted[m.GetLabel()[0].GetValue()+" "+m.GetLabel()[1].GetValue()] = m.GetHistogram().GetSampleCount()
			}
		}
	}
	require.Equal(t, map[string]uint64{
		"test_sound done": 1, "test_brittle cancelled": 1, "test_brittle waits": 1, "test_brittle panicked": 1, "test_brittle failed": 1,
	}, counted)
}

// Given an old worker and a job of a newer release, when the worker fetches the job again and again, then the job keeps
// its attempts and pauses in between, the others continue, and a newer worker runs it.
func TestUnknownJobKind_IsLeftToANewerWorker(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	stop := h.start(t, sound)
	unknown := h.insert(t, newArgs{}, queue.Options{MaxAttempts: 2})
	for n := range 2 {
		h.await(t, unknown, "scheduled")
		h.await(t, h.insert(t, soundArgs{N: n}, queue.Options{}), "completed")
		require.Equal(t, n+1, h.left(unknown), "it rests before it is looked at again")
		h.later(t, unknown)
		require.Eventually(t, func() bool { return h.left(unknown) == n+2 }, waitLimit, 20*time.Millisecond)
	}
	h.await(t, unknown, "scheduled")
	j, err := h.admin.Job(t.Context(), unknown)
	require.NoError(t, err)
	require.Zero(t, j.Attempt)
	require.Len(t, j.Errors, 1, "the reason is told once")
	require.Contains(t, j.LastError, "newer one")
	page, err := h.admin.FailedJobs(t.Context(), jobadmin.JobFilter{State: "snoozed"}, jobadmin.JobCursor{}, 100)
	require.NoError(t, err)
	require.True(t, slices.ContainsFunc(page.Jobs, func(j jobadmin.FailedJob) bool { return j.ID == unknown }), "staff find it")

	stop()
	h.start(t, func(workers *river.Workers) {
		sound(workers)
		river.AddWorker(workers, river.WorkFunc(func(context.Context, *river.Job[newArgs]) error { return nil }))
	})
	h.later(t, unknown)
	h.await(t, unknown, "completed")
}

// left returns how often the worker skipped the newer release's job.
func (h *house) left(job int64) int {
	return strings.Count(h.log(), fmt.Sprintf(`"msg":"job left to a newer worker","process":"worker","job":%d,`, job))
}

// later makes the job due.
func (h *house) later(t *testing.T, job int64) {
	t.Helper()
	_, err := h.db.Owner.ExecContext(t.Context(), `UPDATE river_job SET scheduled_at = now(), state = 'available' WHERE id = $1`, job)
	require.NoError(t, err)
}
