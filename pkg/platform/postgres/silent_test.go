package postgres_test

import (
	"context"
	"database/sql"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/testkit"     //nolint:depguard // a real database under test
	"github.com/franchise360/franchise360/pkg/testkit/cut" //nolint:depguard // drops all traffic
)

const (
	// callerWaits is the timeout of callers in these tests. Whoever is held for atMost is held for ever.
	callerWaits = 300 * time.Millisecond
	atMost      = time.Minute
)

// silentPool returns a pool whose server can stop responding, as if frozen or behind a network that drops everything.
func silentPool(t *testing.T, patience postgres.Patience) (*sqlx.DB, *cut.Proxy) {
	t.Helper()
	dsn := testkit.NewDatabase(t).DSN(testkit.RoleAPI)
	proxy := cut.New(t, dsn)
	db, err := postgres.Open(t.Context(), patience.With(proxy.DSN(t, dsn)), 2)
	require.NoError(t, err)
	t.Cleanup(func() { _ = db.Close() })
	return db, proxy
}

// answered runs fn with the caller's timeout, and fails if it returns long after that.
func answered(t *testing.T, what string, fn func(ctx context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), callerWaits)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- fn(ctx) }()
	select {
	case err := <-ended:
		err = postgres.Error(err)
		if errs.KindOf(err) != errs.KindUnavailable {
			require.ErrorIs(t, err, context.DeadlineExceeded, what)
		}
	case <-time.After(atMost):
		require.FailNow(t, "nobody waits for ever", what)
	}
}

// Once the server stops responding, every kind of call ends soon after its caller's timeout.
func TestSilentServer_EachCall_EndsAfterTheCallersTimeout(t *testing.T) {
	t.Parallel()
	question := func(ctx context.Context, on sqlx.QueryerContext) error {
		var n int
		return sqlx.GetContext(ctx, on, &n, `SELECT $1::int`, 1)
	}
	for what, prepare := range map[string]func(t *testing.T, db *sqlx.DB) func(ctx context.Context) error{
		"a statement that is prepared already": func(t *testing.T, db *sqlx.DB) func(ctx context.Context) error {
			t.Helper()
			require.NoError(t, question(t.Context(), db))
			return func(ctx context.Context) error { return question(ctx, db) }
		},
		"a newly prepared statement": func(_ *testing.T, db *sqlx.DB) func(ctx context.Context) error {
			return func(ctx context.Context) error { return question(ctx, db) }
		},
		"a statement without parameters": func(_ *testing.T, db *sqlx.DB) func(ctx context.Context) error {
			return func(ctx context.Context) error {
				_, err := db.ExecContext(ctx, `SELECT 1`)
				return err
			}
		},
		"the beginning of a transaction": func(_ *testing.T, db *sqlx.DB) func(ctx context.Context) error {
			return func(ctx context.Context) error {
				return postgres.InTx(ctx, db, func(*sqlx.Tx) error { return nil })
			}
		},
		"a ping": func(_ *testing.T, db *sqlx.DB) func(ctx context.Context) error {
			return func(ctx context.Context) error { return db.PingContext(ctx) }
		},
		"a new connection": func(t *testing.T, db *sqlx.DB) func(ctx context.Context) error {
			t.Helper()
			held, err := db.Connx(t.Context())
			require.NoError(t, err)
			t.Cleanup(func() { _ = held.Close() })
			return func(ctx context.Context) error { return question(ctx, db) }
		},
		"a pool in which all are taken": func(t *testing.T, db *sqlx.DB) func(ctx context.Context) error {
			t.Helper()
			for range 2 {
				held, err := db.Connx(t.Context())
				require.NoError(t, err)
				t.Cleanup(func() { _ = held.Close() })
			}
			return func(ctx context.Context) error { return question(ctx, db) }
		},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			db, proxy := silentPool(t, postgres.Serving)
			ask := prepare(t, db)
			thaw := proxy.Freeze(t)
			answered(t, what, ask)
			thaw()
		})
	}
}

// If the server stops responding during a transaction or its rows, they end soon after the caller's timeout.
func TestSilentServer_DuringATransaction_EndsAfterTheCallersTimeout(t *testing.T) {
	t.Parallel()
	for what, use := range map[string]func(ctx context.Context, tx *sqlx.Tx, freeze func()) error{
		"a statement of a transaction": func(ctx context.Context, tx *sqlx.Tx, freeze func()) error {
			freeze()
			_, err := tx.ExecContext(ctx, `SELECT $1::int`, 1)
			return err
		},
		"the commit": func(_ context.Context, _ *sqlx.Tx, freeze func()) error {
			freeze()
			return nil
		},
		"the rows": func(ctx context.Context, tx *sqlx.Tx, freeze func()) error {
			rows, err := tx.QueryxContext(ctx, `SELECT repeat('x', 1000) FROM generate_series(1, $1)`, 200_000)
			if err != nil {
				return err
			}
			defer func() { _ = rows.Close() }()
			freeze()
			for rows.Next() {
			}
			return rows.Err()
		},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			db, proxy := silentPool(t, postgres.Serving)
			answered(t, what, func(ctx context.Context) error {
				return postgres.InTx(ctx, db, func(tx *sqlx.Tx) error {
					return use(ctx, tx, func() { proxy.Freeze(t) })
				})
			})
		})
	}
}

func TestSilentServer_CallerWithoutADeadline_EndsAfterTheStatementTimeout(t *testing.T) {
	t.Parallel()
	db, proxy := silentPool(t, postgres.Patience{Statement: callerWaits, Lock: callerWaits, Idle: time.Minute})
	proxy.Freeze(t)
	answered(t, "no deadline", func(ctx context.Context) error {
		_, err := db.ExecContext(context.WithoutCancel(ctx), `SELECT $1::int`, 1)
		return err
	})
}

// Once the server responds again, the pool recovers, and a connection that outlived its caller's timeout works.
func TestSilentServer_AnswersAgain_PoolRecovers(t *testing.T) {
	t.Parallel()
	db, proxy := silentPool(t, postgres.Serving)
	thaw := proxy.Freeze(t)
	answered(t, "while it lasts", func(ctx context.Context) error {
		_, err := db.ExecContext(ctx, `SELECT $1::int`, 1)
		return err
	})
	thaw()
	require.Eventually(t, func() bool { return db.PingContext(t.Context()) == nil }, time.Minute, 20*time.Millisecond)

	conn, err := db.Conn(t.Context())
	require.NoError(t, err)
	defer func() { _ = conn.Close() }()
	backend := func() (pid int) {
		require.NoError(t, conn.QueryRowContext(t.Context(), `SELECT pg_backend_pid() + $1`, 0).Scan(&pid))
		return pid
	}
	before := backend()
	for _, use := range []func(ctx context.Context) error{
		conn.PingContext,
		func(ctx context.Context) error {
			_, err := conn.ExecContext(ctx, `SELECT $1::int`, 1)
			return err
		},
		func(ctx context.Context) error {
			var n sql.NullInt64
			return conn.QueryRowContext(ctx, `SELECT $1::int`, 1).Scan(&n)
		},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		require.NoError(t, use(ctx))
		cancel()
	}
	time.Sleep(1500 * time.Millisecond) // longer than the server gets to cancel a statement
	require.Equal(t, before, backend(), "what was answered in time costs no connection")
}
