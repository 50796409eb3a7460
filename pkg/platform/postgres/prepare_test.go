package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/testkit" //nolint:depguard // a real database under test
)

func TestAStatementIsPreparedOnceAConnection(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t).Owner
	db.SetMaxOpenConns(1)
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

func TestAChangedTableCostsOneCallAndNoMore(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t).Owner
	db.SetMaxOpenConns(1)
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

func TestACancelledCallersConnectionServesNobodyElse(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t).Owner
	db.SetMaxOpenConns(1)
	backend := func() (pid int) {
		require.NoError(t, db.GetContext(t.Context(), &pid, `SELECT pg_backend_pid() + $1`, 0))
		return pid
	}
	before := backend()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	var nothing string
	require.Error(t, db.GetContext(ctx, &nothing, `SELECT pg_sleep($1)`, 10))
	require.NotEqual(t, before, backend())
}
