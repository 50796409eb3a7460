package queue_test

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/testkit" //nolint:depguard // a real database under test
)

func TestTheJobsOfAWorkerThatIsGoneAreTakenOver(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	ctx := t.Context()
	quiet := slog.New(slog.DiscardHandler)

	alive, gone, rescuer := queue.NewPresence(db.Worker, quiet), queue.NewPresence(db.Worker, quiet), queue.NewPresence(db.Worker, quiet)
	life, die := context.WithCancel(ctx)
	for p, lives := range map[*queue.Presence]context.Context{alive: ctx, gone: life, rescuer: ctx} {
		require.NoError(t, p.Hold(ctx))
		go p.Keep(lives)
	}
	running := func(worker string, attempt int) (job int64) {
		t.Helper()
		require.NoError(t, db.Worker.GetContext(ctx, &job, `
			INSERT INTO river_job (kind, args, state, attempt, max_attempts, attempted_at, attempted_by)
			VALUES ('sweep', '{}', 'running', $1, 3, now(), ARRAY['worker-before', $2]) RETURNING id`, attempt, worker))
		return job
	}
	kept, own := running(alive.Worker(), 1), running(rescuer.Worker(), 1)
	lost, last := running(gone.Worker(), 1), running(gone.Worker(), 3)
	foreign := running("another client of River", 1)

	rescued, err := rescuer.Rescue(ctx)
	require.NoError(t, err)
	require.Zero(t, rescued, "all workers live")

	die()
	require.Eventually(t, func() bool {
		_, err = rescuer.Rescue(ctx)
		return err == nil && state(ctx, t, db, lost) == "available error 1"
	}, time.Minute, 50*time.Millisecond)
	for _, job := range []int64{kept, own, last, foreign} {
		require.Equal(t, "running error 0", state(ctx, t, db, job))
	}
}

func state(ctx context.Context, t *testing.T, db *testkit.Database, job int64) string {
	t.Helper()
	var row struct {
		State  string `db:"state"`
		Errors int    `db:"errors"`
	}
	require.NoError(t, db.Worker.GetContext(ctx, &row,
		`SELECT state, coalesce(array_length(errors, 1), 0) AS errors FROM river_job WHERE id = $1`, job))
	return fmt.Sprintf("%s error %d", row.State, row.Errors)
}

// Given a frozen worker, which holds its lock but does nothing, then only awaited jobs are taken over.
// A live worker keeps its jobs, and so does the thawed one with jobs it fetches from then on.
func TestWhatSomebodyWaitsForIsTakenFromAFrozenWorker(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	ctx := t.Context()
	quiet := slog.New(slog.DiscardHandler)
	join := func() *queue.Presence {
		p := queue.NewPresence(db.Worker, quiet, "activate")
		require.NoError(t, p.Hold(ctx))
		return p
	}
	alive, rescuer, frozen := join(), join(), join()
	go alive.Keep(ctx)
	go rescuer.Keep(ctx)
	running := func(worker, kind string) (job int64) {
		t.Helper()
		require.NoError(t, db.Worker.GetContext(ctx, &job, `
			INSERT INTO river_job (kind, args, state, attempt, max_attempts, attempted_at, attempted_by)
			VALUES ($1, '{}', 'running', 1, 3, now(), ARRAY[$2]) RETURNING id`, kind, worker))
		return job
	}
	kept, awaited, other := running(alive.Worker(), "activate"), running(frozen.Worker(), "activate"), running(frozen.Worker(), "sweep")
	require.Eventually(t, func() bool { return state(ctx, t, db, awaited) == "available error 1" }, time.Minute, 20*time.Millisecond)
	require.Equal(t, "running error 0", state(ctx, t, db, kept))
	require.Equal(t, "running error 0", state(ctx, t, db, other), "nobody waits for it")

	const beatSQL = `SELECT coalesce(max(application_name), '') FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE $1 || ' %'`
	beat := func() (last string) {
		require.NoError(t, db.Worker.GetContext(ctx, &last, beatSQL, frozen.Worker()))
		return last
	}
	before := beat()
	go frozen.Keep(ctx)
	require.Eventually(t, func() bool { return beat() != before }, time.Minute, 20*time.Millisecond, "it beats again")
	thawed := running(frozen.Worker(), "activate")
	time.Sleep(4 * time.Second) // longer than a frozen worker is tolerated
	require.Equal(t, "running error 0", state(ctx, t, db, thawed))
	require.Equal(t, "running error 0", state(ctx, t, db, other))
}
