package queue_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/testkit" //nolint:depguard // a real database under test
)

// running adds a job that began to run that long ago, in this attempt of three.
func running(t *testing.T, db *testkit.Database, kind string, attempt int, ago time.Duration, metadata string) (job int64) {
	t.Helper()
	require.NoError(t, db.Worker.Get(&job, `
		INSERT INTO river_job (kind, args, state, attempt, max_attempts, attempted_at, attempted_by, metadata)
		VALUES ($1, '{}', 'running', $2, 3, now() - make_interval(secs => $3), ARRAY['worker-of-a-newer-release'], $4) RETURNING id`,
		kind, attempt, ago.Seconds(), metadata))
	return job
}

func TestPresence_StuckJobOfAnUnknownKind_IsNeverDiscarded(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	older := queue.NewPresence(queue.PresenceOptions{
		DB: db.Worker, Worker: queue.NewWorkerName(), Known: []string{"known"}, Logger: slog.New(slog.DiscardHandler),
	})
	const six = 6 * time.Minute
	for name, c := range map[string]struct {
		job  int64
		want string
	}{
		"unknown, attempts left":      {running(t, db, "new", 1, six, "{}"), "retryable error 1"},
		"unknown, no attempt left":    {running(t, db, "new", 3, six, "{}"), "running error 0"},
		"unknown, cancelled by staff": {running(t, db, "new", 1, six, `{"cancel_attempted_at": "2026-11-28"}`), "cancelled error 1"},
		"known, attempts left":        {running(t, db, "known", 2, six, "{}"), "retryable error 1"},
		"known, no attempt left":      {running(t, db, "known", 3, six, "{}"), "discarded error 1"},
		"known, not stuck yet":        {running(t, db, "known", 3, 4*time.Minute, "{}"), "running error 0"},
	} {
		_, err := older.RescueStuck(t.Context())
		require.NoError(t, err)
		require.Equal(t, c.want, state(t.Context(), t, db, c.job), name)
	}
}

// The leader may be a worker of a release whose own rescuer River still runs.
func TestRiversRescuer_JobOfAnUnknownKind_WaitsForANewerWorker(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	pool, err := pgxpool.New(t.Context(), db.DSN(testkit.RoleWorker))
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	river := riverpgxv5.New(pool).GetExecutor()
	discard := func(job int64, attempt int, failure string) string {
		t.Helper()
		now := clock.Real()
		text, err := json.Marshal(rivertype.AttemptError{At: now, Attempt: attempt, Error: failure})
		require.NoError(t, err)
		_, err = river.JobRescueMany(t.Context(), &riverdriver.JobRescueManyParams{
			ID: []int64{job}, Error: [][]byte{text}, FinalizedAt: []*time.Time{&now}, ScheduledAt: []time.Time{now},
			State: []string{string(rivertype.JobStateDiscarded)}, StuckHorizon: now,
		})
		require.NoError(t, err)
		return state(t.Context(), t, db, job)
	}
	const six, rescued = 6 * time.Minute, "Stuck job rescued by JobRescuer"
	unknown := &rivertype.UnknownJobKindError{Kind: "new"}
	require.Equal(t, "scheduled error 1", discard(running(t, db, "new", 1, six, "{}"), 1, rescued))
	require.Equal(t, "scheduled error 1", discard(running(t, db, "new", 3, six, "{}"), 3, unknown.Error()))
	require.Equal(t, "discarded error 1", discard(running(t, db, "known", 3, six, "{}"), 3, rescued))
	require.Equal(t, "discarded error 1", discard(running(t, db, "known", 3, six, "{}"), 3, "index out of range"))
}

func TestPresence_JobThatTheWorkerNeverGot_IsGivenBack(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	p := queue.NewPresence(queue.PresenceOptions{
		DB: db.Worker, Worker: "worker-of-a-newer-release", Logger: slog.New(slog.DiscardHandler),
	})
	middleware, ok := p.Middleware().(rivertype.WorkerMiddleware)
	require.True(t, ok)
	missed, last := running(t, db, "render", 1, 2*time.Minute, "{}"), running(t, db, "render", 3, 2*time.Minute, "{}")
	fresh, ended := running(t, db, "render", 1, 20*time.Second, "{}"), running(t, db, "render", 1, 2*time.Minute, "{}")
	require.NoError(t, middleware.Work(t.Context(), &rivertype.JobRow{ID: ended}, func(context.Context) error { return nil }))
	inHand := running(t, db, "render", 1, 2*time.Minute, "{}")
	require.NoError(t, middleware.Work(t.Context(), &rivertype.JobRow{ID: inHand}, func(ctx context.Context) error {
		_, err := p.RescueMissed(ctx)
		require.NoError(t, err)
		for job, want := range map[int64]string{
			missed: "available error 1", last: "running error 0", fresh: "running error 0", ended: "running error 0", inHand: "running error 0",
		} {
			require.Equal(t, want, state(ctx, t, db, job))
		}
		return nil
	}))
}
