package postgres_test

import (
	"context"
	"database/sql"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/testkit"     //nolint:depguard // a real database under test
	"github.com/franchise360/franchise360/pkg/testkit/cut" //nolint:depguard // counts the round trips
)

// oneConnection is a pool of one connection that no other test has used.
func oneConnection(t *testing.T) *sqlx.DB {
	t.Helper()
	db, err := postgres.Open(t.Context(), testkit.NewDatabase(t).DSN(""), 1)
	require.NoError(t, err)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func TestPrepare_Statement_OncePerConnection(t *testing.T) {
	t.Parallel()
	db := oneConnection(t)
	ctx := t.Context()
	for n := range 3 {
		var got int
		require.NoError(t, db.GetContext(ctx, &got, `SELECT $1::int + 1`, n))
		require.Equal(t, n+1, got)
	}
	var kept int
	require.NoError(t, db.GetContext(ctx, &kept, `SELECT count(*) FROM pg_prepared_statements`))
	require.Equal(t, 1, kept, "statements without parameters are not kept")
}

func TestPrepare_TableChanged_FailsOneCallOnly(t *testing.T) {
	t.Parallel()
	db := oneConnection(t)
	ctx := t.Context()
	_, err := db.ExecContext(ctx, `CREATE TABLE changing (a int); INSERT INTO changing VALUES (7)`)
	require.NoError(t, err)
	read := func() error {
		rows, err := db.QueryxContext(ctx, `SELECT * FROM changing WHERE a = $1`, 7) //nolint:unqueryvet // its columns change
		if err != nil {
			return err
		}
		defer func() { _ = rows.Close() }()
		require.True(t, rows.Next())
		return rows.Err()
	}
	require.NoError(t, read())
	_, err = db.ExecContext(ctx, `ALTER TABLE changing ADD COLUMN b int`)
	require.NoError(t, err)
	require.True(t, postgres.Violates(read(), "0A000", ""), "the kept plan is of the old table")
	require.NoError(t, read())
}

// A server demoted to standby refuses writes for as long as a connection to it is kept.
func TestConnection_ReadOnlyServer_IsClosed(t *testing.T) {
	t.Parallel()
	db := oneConnection(t)
	ctx := t.Context()
	_, err := db.ExecContext(ctx, `CREATE TABLE written (n int); SET default_transaction_read_only = on`)
	require.NoError(t, err)
	write := func() error {
		_, err := db.ExecContext(ctx, `INSERT INTO written VALUES ($1)`, 1)
		return postgres.Error(err)
	}
	require.Equal(t, errs.KindUnavailable, errs.KindOf(write()))
	require.NoError(t, write())
}

// A page whose length is a parameter looks expensive in a generic plan, so Postgres would replan it each time.
func TestPrepare_TenantQuery_IsPlannedOncePerConnection(t *testing.T) {
	t.Parallel()
	db := oneConnection(t)
	ctx := t.Context()
	_, err := db.ExecContext(ctx, `CREATE TABLE many AS SELECT a % 10 AS a, a AS b FROM generate_series(1, 100000) a; ANALYZE many;
		CREATE INDEX many_a ON many (a, b); SET plan_cache_mode = auto`)
	require.NoError(t, err)
	for range 10 {
		require.NoError(t, postgres.InTenantTx(ctx, db, id.New(), func(tx *sqlx.Tx) error {
			var page []int
			return tx.SelectContext(ctx, &page, `SELECT b FROM many WHERE a = $1 ORDER BY b LIMIT $2`, 3, 5)
		}))
	}
	var planned int
	require.NoError(t, db.GetContext(ctx, &planned,
		`SELECT sum(custom_plans) FROM pg_prepared_statements WHERE statement LIKE '%FROM many%'`))
	require.Zero(t, planned)
	var mode string
	require.NoError(t, db.GetContext(ctx, &mode, `SHOW plan_cache_mode`))
	require.Equal(t, "auto", mode, "the rest of the connection's life is Postgres' own choice")
}

func TestConnection_OfACancelledCaller_IsNotReused(t *testing.T) {
	t.Parallel()
	whole := testkit.NewDatabase(t)
	db := whole.Owner
	db.SetMaxOpenConns(1)
	witness, err := postgres.Open(t.Context(), whole.DSN(""), 1)
	require.NoError(t, err)
	t.Cleanup(func() { _ = witness.Close() })
	backend := func() (pid int) {
		require.NoError(t, db.GetContext(t.Context(), &pid, `SELECT pg_backend_pid() + $1`, 0))
		return pid
	}
	before := backend()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		var nothing string
		ended <- db.GetContext(ctx, &nothing, `SELECT pg_sleep($1)`, 600)
	}()
	require.Eventually(t, func() bool {
		var sleeps bool
		err := witness.GetContext(t.Context(), &sleeps, `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE pid = $1 AND wait_event = 'PgSleep')`, before)
		return err == nil && sleeps
	}, time.Minute, 10*time.Millisecond)
	cancel()
	require.Error(t, <-ended)
	require.NotEqual(t, before, backend())
}

func TestInTenantTx_SetsRequestAndFranchiserWithoutARoundTrip(t *testing.T) {
	t.Parallel()
	dsn := testkit.NewDatabase(t).DSN(testkit.RoleAPI)
	proxy := cut.New(t, dsn)
	db, err := postgres.Open(t.Context(), proxy.DSN(t, dsn), 1)
	require.NoError(t, err)
	t.Cleanup(func() { _ = db.Close() })
	transaction := func(ctx context.Context) (requestID *string, trips int) {
		before, franchiser := proxy.Trips(), id.New()
		var seen struct {
			Request    *string
			Franchiser string
		}
		require.NoError(t, postgres.InTenantTx(ctx, db, franchiser, func(tx *sqlx.Tx) error {
			return tx.GetContext(ctx, &seen, `SELECT current_request() AS request, current_setting('app.franchiser_id') AS franchiser WHERE $1`, true)
		}))
		require.Equal(t, franchiser, seen.Franchiser)
		return seen.Request, proxy.Trips() - before
	}
	transaction(t.Context()) // prepares the statements
	none, trips := transaction(t.Context())
	require.Nil(t, none)
	require.Equal(t, 3, trips, "begin, the question, commit")

	asked := id.New()
	got, trips := transaction(id.WithRequest(t.Context(), asked))
	require.Equal(t, asked, *got)
	require.Equal(t, 3, trips)
	none, _ = transaction(t.Context())
	require.Nil(t, none, "the connection's next transaction is of no request")
	got, _ = transaction(id.WithRequest(t.Context(), asked))
	require.Equal(t, asked, *got)
}

func TestInTenantTx_NextTransaction_HasNoFranchiser(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t).API
	db.SetMaxOpenConns(1)
	hostile := `x'; RESET app.franchiser_id; --\`
	require.NoError(t, postgres.InTenantTx(t.Context(), db, hostile, func(tx *sqlx.Tx) error {
		var kept string
		if err := tx.GetContext(t.Context(), &kept, `SELECT current_setting('app.franchiser_id')`); err != nil {
			return err
		}
		require.Equal(t, hostile, kept, "a text and nothing else")
		return nil
	}))
	require.NoError(t, postgres.InTx(t.Context(), db, func(tx *sqlx.Tx) error {
		var kept string
		if err := tx.GetContext(t.Context(), &kept, `SELECT coalesce(current_setting('app.franchiser_id', true), '')`); err != nil {
			return err
		}
		require.Empty(t, kept)
		return nil
	}))
	require.NoError(t, postgres.InTenantTx(t.Context(), db, "", func(tx *sqlx.Tx) error {
		var kept string
		if err := tx.GetContext(t.Context(), &kept, `SELECT current_setting('app.franchiser_id')`); err != nil {
			return err
		}
		require.Empty(t, kept, "nobody is no other's")
		return nil
	}))
}

func TestInTx_InvalidRequestID_BeginsNothing(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t).API
	db.SetMaxOpenConns(1)
	hostile := id.WithRequest(t.Context(), `x'; DROP TABLE franchisers; --\`)
	var kept string
	require.NoError(t, postgres.InTx(hostile, db, func(tx *sqlx.Tx) error {
		return tx.GetContext(hostile, &kept, `SELECT current_setting('app.request_id')`)
	}))
	require.Equal(t, `x'; DROP TABLE franchisers; --\`, kept, "a text and nothing else")
	nul := id.WithRequest(t.Context(), "a\xff")
	require.Error(t, postgres.InTx(nul, db, func(*sqlx.Tx) error { return nil }))
	require.NoError(t, postgres.InTx(t.Context(), db, func(*sqlx.Tx) error { return nil }), "no connection is lost or stuck")
	_, err := db.BeginTxx(t.Context(), &sql.TxOptions{ReadOnly: true})
	require.Error(t, err, "never a transaction that is not what was asked for")
}

func TestInSnapshot_SeesOneMomentAndRefusesWrites(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t).Owner
	ctx := postgres.WithProof(t.Context(), []byte("somebody"))
	_, err := db.ExecContext(ctx, `CREATE TABLE growing (a int)`)
	require.NoError(t, err)
	var before, after int
	require.NoError(t, postgres.InSnapshot(ctx, db, func(tx *sqlx.Tx) error {
		if err := tx.GetContext(ctx, &before, `SELECT count(*) FROM growing`); err != nil {
			return err
		}
		if _, err := db.ExecContext(ctx, `INSERT INTO growing VALUES (1)`); err != nil {
			return err
		}
		return tx.GetContext(ctx, &after, `SELECT count(*) FROM growing`)
	}))
	require.Equal(t, []int{0, 0}, []int{before, after})
	err = postgres.InSnapshot(ctx, db, func(tx *sqlx.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO growing VALUES (2)`)
		return err
	})
	require.True(t, postgres.Violates(err, "25006", ""), "%v", err)
	_, err = db.BeginTxx(ctx, &sql.TxOptions{Isolation: sql.LevelSerializable})
	require.Error(t, err)
}

func TestInLockedTenantTx_LockIsHeld_WaitsThenReadsWhatItsHolderCommitted(t *testing.T) {
	t.Parallel()
	whole := testkit.NewDatabase(t)
	proxy := cut.New(t, whole.DSN(""))
	db, err := postgres.Open(t.Context(), proxy.DSN(t, whole.DSN("")), 1)
	require.NoError(t, err)
	t.Cleanup(func() { _ = db.Close() })
	_, err = db.ExecContext(t.Context(), `CREATE TABLE moved (a int)`)
	require.NoError(t, err)
	franchiser := `x'; --\`
	locked := func() (rows, trips int) {
		before := proxy.Trips()
		require.NoError(t, postgres.InLockedTenantTx(t.Context(), db, franchiser, 360, func(tx *sqlx.Tx) error {
			return tx.GetContext(t.Context(), &rows, `SELECT count(*) FROM moved`)
		}))
		return rows, proxy.Trips() - before
	}
	holder, err := whole.Owner.BeginTxx(t.Context(), nil)
	require.NoError(t, err)
	_, err = holder.ExecContext(t.Context(), `SELECT pg_advisory_xact_lock(hashtextextended($1, 360))`, franchiser)
	require.NoError(t, err)
	_, err = holder.ExecContext(t.Context(), `INSERT INTO moved VALUES (1)`)
	require.NoError(t, err)
	seen := make(chan int, 1)
	go func() {
		rows, _ := locked()
		seen <- rows
	}()
	require.Eventually(t, func() bool {
		var waits bool
		err := whole.Owner.GetContext(t.Context(), &waits, `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory')`)
		return err == nil && waits
	}, time.Minute, 10*time.Millisecond)
	require.Empty(t, seen)
	require.NoError(t, holder.Commit())
	require.Equal(t, 1, <-seen)
	_, trips := locked()
	require.Equal(t, 3, trips, "begin with the lock, the question, commit")
}
