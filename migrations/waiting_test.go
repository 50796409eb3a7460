package migrations_test

import (
	"context"
	"testing"
	"time"

	"github.com/pressly/goose/v3"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/migrations"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// Given a migration that needs a table locked for a long time, then other statements do not queue behind it for long, and
// it is applied once the table is free.
func TestAMigrationThatWaitsGivesWay(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	provider, err := goose.NewProvider(goose.DialectPostgres, db.Owner.DB, migrations.Files())
	require.NoError(t, err)
	_, err = provider.DownTo(t.Context(), 120) // the later ones refer to staff
	require.NoError(t, err)

	const work = `LOCK TABLE staff IN ROW EXCLUSIVE MODE`
	long, err := db.Owner.Beginx()
	require.NoError(t, err)
	_, err = long.Exec(work)
	require.NoError(t, err)
	applied := make(chan error, 1)
	go func() { applied <- migrations.Apply(t.Context(), db.DSN("")) }()
	require.Eventually(t, func() bool {
		var waits bool
		require.NoError(t, db.Owner.Get(&waits, `SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND relation = 'staff'::regclass)`))
		return waits
	}, time.Minute, 20*time.Millisecond, "the file waits")

	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	next, err := db.Owner.BeginTxx(ctx, nil)
	require.NoError(t, err)
	_, err = next.ExecContext(ctx, work)
	require.NoError(t, err, "while the first one still holds its lock")
	require.NoError(t, next.Rollback())
	require.NoError(t, long.Rollback())
	require.NoError(t, <-applied)
}
