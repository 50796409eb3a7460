package postgres_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/testkit"     //nolint:depguard // a real database under test
	"github.com/franchise360/franchise360/pkg/testkit/cut" //nolint:depguard // freezes a process
)

func TestPatience_StatementLockAndIdle_AreEndedByTheServer(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	short := postgres.Patience{Statement: 300 * time.Millisecond, Lock: 100 * time.Millisecond, Idle: 200 * time.Millisecond}
	pool, err := postgres.Open(t.Context(), short.With(db.DSN(testkit.RoleAPI)), 2)
	require.NoError(t, err)
	t.Cleanup(func() { _ = pool.Close() })

	for name, fn := range map[string]func(tx *sqlx.Tx) error{
		"a long statement": func(tx *sqlx.Tx) error {
			_, err := tx.ExecContext(t.Context(), `SELECT pg_sleep($1)`, 5)
			return err
		},
		"a held lock": func(tx *sqlx.Tx) error {
			return postgres.InTx(t.Context(), db.Owner, func(other *sqlx.Tx) error {
				if _, err := other.ExecContext(t.Context(), `SELECT pg_advisory_xact_lock($1)`, 7); err != nil {
					return err
				}
				_, err := tx.ExecContext(t.Context(), `SELECT pg_advisory_xact_lock($1)`, 7)
				return err
			})
		},
		"an idle transaction": func(tx *sqlx.Tx) error {
			time.Sleep(500 * time.Millisecond)
			_, err := tx.ExecContext(t.Context(), `SELECT $1::int`, 1)
			return err
		},
	} {
		err := postgres.InTx(t.Context(), pool, fn)
		require.Equal(t, errs.KindUnavailable, errs.KindOf(err), "%s: %v", name, err)
	}
}

func TestPatience_EachProcess_SetsItsTimeouts(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	for want, p := range map[string]postgres.Patience{"8s 5s 4s": postgres.Serving, "5min 20s 3s": postgres.Working} {
		const asked = `SELECT concat_ws(' ', current_setting('statement_timeout'), current_setting('lock_timeout'),
			current_setting('idle_in_transaction_session_timeout'))`
		dsn := p.With(db.DSN(testkit.RoleWorker))
		pool, err := postgres.Open(t.Context(), dsn, 1)
		require.NoError(t, err)
		t.Cleanup(func() { _ = pool.Close() })
		var got string
		require.NoError(t, pool.Get(&got, asked))
		require.Equal(t, want, got)
		conn, err := pgx.Connect(t.Context(), postgres.JobsURL(dsn))
		require.NoError(t, err)
		require.NoError(t, conn.QueryRow(t.Context(), asked).Scan(&got))
		require.NoError(t, conn.Close(t.Context()))
		require.Equal(t, want, got, "River's connections")
	}
}

// A worker freezes while it holds the invoice counter. The next caller gets the counter before its own timeout.
func TestPatience_WorkerFrozenOnTheCounter_OthersGetItInTime(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	proxy := cut.New(t, db.DSN(testkit.RoleWorker))
	open := func(dsn string) *sqlx.DB {
		pool, err := postgres.Open(t.Context(), postgres.Working.With(dsn), 2)
		require.NoError(t, err)
		t.Cleanup(func() { _ = pool.Close() })
		return pool
	}
	frozen, other := open(proxy.DSN(t, db.DSN(testkit.RoleWorker))), open(db.DSN(testkit.RoleWorker))
	const takeNumber = `INSERT INTO invoice_counters (series, financial_year, last, last_issued_at) VALUES ($1, '26-27', 1, now())
		ON CONFLICT (series, financial_year) DO UPDATE SET last = invoice_counters.last + 1`
	tx, err := frozen.BeginTxx(t.Context(), nil)
	require.NoError(t, err)
	_, err = tx.ExecContext(t.Context(), takeNumber, "FP")
	require.NoError(t, err)
	thaw := proxy.Freeze(t)
	require.NoError(t, postgres.InTx(t.Context(), other, func(tx *sqlx.Tx) error {
		_, err := tx.ExecContext(t.Context(), takeNumber, "FP")
		return err
	}))
	thaw()
	require.Error(t, tx.Commit(), "what was frozen is taken back")
	var last int
	require.NoError(t, db.Owner.Get(&last, `SELECT last FROM invoice_counters`))
	require.Equal(t, 1, last, "without a gap")
}
