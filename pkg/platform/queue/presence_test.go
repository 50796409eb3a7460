package queue_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/testkit" //nolint:depguard // a real database under test
)

func TestPresence_WorkerDied_JobsAreTakenOver(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	ctx := t.Context()
	quiet := slog.New(slog.DiscardHandler)

	join := func() *queue.Presence {
		return queue.NewPresence(queue.PresenceOptions{
			DB: db.Worker, Worker: queue.NewWorkerName(), Logger: quiet,
		})
	}
	alive, gone, rescuer := join(), join(), join()
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

// A frozen worker holds its lock but does nothing: only awaited jobs are taken over. A live worker keeps its jobs, and so does the thawed
// one with jobs it fetches from then on.
func TestPresence_WorkerFrozen_AwaitedJobsAreTakenOver(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	ctx := t.Context()
	quiet := slog.New(slog.DiscardHandler)
	join := func() *queue.Presence {
		p := queue.NewPresence(queue.PresenceOptions{
			DB: db.Worker, Worker: queue.NewWorkerName(), Awaited: []string{"activate"}, Logger: quiet,
		})
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

// loggedIn returns the presence, already held, and the pool of a worker that is logged in as the owner: a role set by SET ROLE can neither
// see nor end the transactions of logged-in users.
func loggedIn(t *testing.T, db *testkit.Database, name string) (*queue.Presence, *sqlx.DB) {
	t.Helper()
	pool, err := postgres.Open(t.Context(), postgres.Named(db.DSN(""), name), 3)
	require.NoError(t, err)
	t.Cleanup(func() { _ = pool.Close() })
	p := queue.NewPresence(queue.PresenceOptions{DB: pool, Worker: name, Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, p.Hold(t.Context()))
	return p, pool
}

// A worker freezes while one of its transactions holds a row and another waits for it. The row is free again before the server would end
// either transaction; a live worker keeps its transactions.
func TestPresence_WorkerFrozen_ItsTransactionsAreEnded(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	ctx := t.Context()
	join := func() (*queue.Presence, *sqlx.DB) { return loggedIn(t, db, queue.NewWorkerName()) }
	job := func() (job int64) {
		require.NoError(t, db.Worker.GetContext(ctx, &job, `INSERT INTO river_job (kind, args, max_attempts) VALUES ('sweep', '{}', 3) RETURNING id`))
		return job
	}
	const lockSQL = `UPDATE river_job SET priority = 2 WHERE id = $1`
	lock := func(pool *sqlx.DB, row int64) *sqlx.Tx {
		tx, err := pool.BeginTxx(ctx, nil)
		require.NoError(t, err)
		t.Cleanup(func() { _ = tx.Rollback() })
		_, err = tx.ExecContext(ctx, lockSQL, row)
		require.NoError(t, err)
		return tx
	}
	rescuer, _ := join()
	alive, ofAlive := join()
	_, ofFrozen := join()
	mine, fought := job(), job()
	kept := lock(ofAlive, mine)
	lock(ofFrozen, fought)
	waits := make(chan error, 1)
	go func() {
		tx, err := ofFrozen.BeginTxx(ctx, nil)
		if err == nil {
			_, err = tx.ExecContext(ctx, lockSQL, fought)
		}
		waits <- err
	}()
	require.Eventually(t, func() bool {
		var waiting int
		return db.Owner.GetContext(ctx, &waiting, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) == nil && waiting == 1
	}, time.Minute, 20*time.Millisecond)

	go alive.Keep(ctx)
	go rescuer.Keep(ctx)
	_, err := db.Worker.ExecContext(ctx, lockSQL, fought)
	require.NoError(t, err)
	require.Error(t, <-waits, "it does not get the lock in the name of a worker that stands still")
	require.NoError(t, kept.Commit())
}

// The server still has a worker's former connection, as after a network failure. The worker gets its lock on a new connection, and does not
// count as frozen.
func TestPresence_OldConnectionLingers_WorkerGetsItsLock(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	name := queue.NewWorkerName()
	loggedIn(t, db, name)
	loggedIn(t, db, name)
	require.Len(t, beats(t, db, name), 1, "the former connection is gone")
}

// beats returns the application names of the connections that tell the worker's beats.
func beats(t *testing.T, db *testkit.Database, worker string) (names []string) {
	t.Helper()
	require.NoError(t, db.Owner.SelectContext(t.Context(), &names,
		`SELECT application_name FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE $1 || ' %'`, worker))
	return names
}

// A worker whose statements wait, as for a lock on the jobs, must keep beating: others would consider it frozen.
func TestPresence_TakeOverWaitsForALock_KeepsBeating(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	ctx := t.Context()
	p := queue.NewPresence(queue.PresenceOptions{DB: db.Worker, Worker: queue.NewWorkerName(), Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, p.Hold(ctx))
	tx, err := db.Owner.BeginTxx(ctx, nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = tx.Rollback() })
	_, err = tx.ExecContext(ctx, `LOCK TABLE river_job`)
	require.NoError(t, err)
	go p.Keep(ctx)
	var last, soon int64 // the last beat seen, and how many came before a take-over would have given up after the one before
	require.Eventually(t, func() bool {
		for _, name := range beats(t, db, p.Worker()) {
			_, at, _ := strings.Cut(name, " ")
			beat, err := strconv.ParseInt(at, 10, 64)
			require.NoError(t, err)
			if beat > last && beat < last+4000 {
				soon++
			}
			last = beat
		}
		return soon >= 4 // the first comes before the first take-over
	}, time.Minute, 50*time.Millisecond)
}

// A stranger who is not logged in like a worker takes a live worker's name with an old heartbeat. That worker loses no jobs.
func TestPresence_NameTakenByAnotherRole_TakesNothingFromTheWorker(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	ctx := t.Context()
	role := "stranger_" + strings.ReplaceAll(id.New(), "-", "")
	_, err := db.Owner.ExecContext(ctx, `CREATE ROLE `+role+` LOGIN`)
	require.NoError(t, err)
	t.Cleanup(func() { _, _ = db.Owner.ExecContext(context.Background(), `DROP ROLE `+role) })
	alive := queue.NewPresence(queue.PresenceOptions{DB: db.Worker, Worker: queue.NewWorkerName(), Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, alive.Hold(ctx))
	frozen := queue.NewPresence(queue.PresenceOptions{
		DB: db.Worker, Worker: queue.NewWorkerName(), Logger: slog.New(slog.DiscardHandler),
	})
	require.NoError(t, frozen.Hold(ctx))

	address, err := url.Parse(db.DSN(""))
	require.NoError(t, err)
	address.User = url.User(role)
	stranger, err := postgres.Open(ctx, postgres.Named(address.String(), alive.Worker()+" 1"), 1)
	require.NoError(t, err)
	t.Cleanup(func() { _ = stranger.Close() })
	require.NoError(t, stranger.PingContext(ctx))
	require.Contains(t, beats(t, db, alive.Worker()), alive.Worker()+" 1")

	running := func(worker string) (job int64) {
		t.Helper()
		require.NoError(t, db.Worker.GetContext(ctx, &job, `
			INSERT INTO river_job (kind, args, state, attempt, max_attempts, attempted_at, attempted_by)
			VALUES ('activate', '{}', 'running', 1, 3, now(), ARRAY[$1]) RETURNING id`, worker))
		return job
	}
	kept, taken := running(alive.Worker()), running(frozen.Worker())
	rescuer := queue.NewPresence(queue.PresenceOptions{
		DB: db.Worker, Worker: queue.NewWorkerName(), Awaited: []string{"activate"}, Logger: slog.New(slog.DiscardHandler),
	})
	require.NoError(t, rescuer.Hold(ctx))
	go alive.Keep(ctx)
	go rescuer.Keep(ctx)
	require.Eventually(t, func() bool { return state(ctx, t, db, taken) == "available error 1" }, time.Minute, 20*time.Millisecond)
	require.Equal(t, "running error 0", state(ctx, t, db, kept))
}

// A frozen worker has not read the whole result of a statement. The locks of its transaction are released.
func TestPresence_FrozenWorkerWithUnreadResult_ReleasesItsLocks(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	ctx := t.Context()
	_, ofFrozen := loggedIn(t, db, queue.NewWorkerName())
	var fought int64
	require.NoError(t, db.Worker.GetContext(ctx, &fought, `INSERT INTO river_job (kind, args, max_attempts) VALUES ('sweep', '{}', 3) RETURNING id`))
	const lockSQL = `UPDATE river_job SET priority = 2 WHERE id = $1`
	tx, err := ofFrozen.BeginTxx(ctx, nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = tx.Rollback() })
	_, err = tx.ExecContext(ctx, lockSQL, fought)
	require.NoError(t, err)
	rows, err := tx.QueryxContext(ctx, `SELECT repeat('x', 10000) FROM generate_series(1, 10000)`) //nolint:sqlclosecheck // unread on purpose; closed below
	require.NoError(t, err)
	defer func() { _ = rows.Close() }()

	rescuer, _ := loggedIn(t, db, queue.NewWorkerName())
	go rescuer.Keep(ctx)
	free, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	_, err = db.Worker.ExecContext(free, lockSQL, fought)
	require.NoError(t, err)
}
