package migrations_test

import (
	"context"
	"io/fs"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/migrations"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// A migration that waits for a table lock gives up after a while, so that other statements do not queue behind it for long. It is applied
// once the table is free.
func TestApply_TableIsLocked_LetsOtherStatementsPassAndRetries(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	files := fstest.MapFS{"9999_waits.sql": {Data: []byte("-- +goose Up\nALTER TABLE staff ADD COLUMN waits int;\n")}}
	names, err := fs.Glob(migrations.Files(), "*.sql")
	require.NoError(t, err)
	for _, name := range names {
		text, err := fs.ReadFile(migrations.Files(), name)
		require.NoError(t, err)
		files[name] = &fstest.MapFile{Data: text}
	}

	const work = `LOCK TABLE staff IN ROW EXCLUSIVE MODE`
	long, err := db.Owner.Beginx()
	require.NoError(t, err)
	_, err = long.Exec(work)
	require.NoError(t, err)
	applied := make(chan error, 1)
	go func() { applied <- migrations.ApplyFiles(t.Context(), db.DSN(""), files) }()
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
