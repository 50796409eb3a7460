package postgres_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/testkit" //nolint:depguard // a real database under test
)

// If a later batch cannot be deleted, the earlier ones stay deleted, and the next run continues.
func TestDeleteInBatches_LaterBatchFails_EarlierOnesStayDeleted(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t).Owner
	ctx := t.Context()
	_, err := db.ExecContext(ctx, `CREATE TABLE outlived AS SELECT n, n > 24000 AS fresh FROM generate_series(1, 25000) n;
		CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
			IF (SELECT count(*) FROM outlived) < 5000 THEN RAISE EXCEPTION 'not now'; END IF; RETURN NULL; END $$;
		CREATE TRIGGER refuse AFTER DELETE ON outlived EXECUTE FUNCTION refuse()`)
	require.NoError(t, err)
	const old = `DELETE FROM outlived WHERE n <= $1 AND NOT fresh`
	left := func() (n int) {
		require.NoError(t, db.GetContext(ctx, &n, `SELECT count(*) FROM outlived`))
		return n
	}
	gone, err := postgres.DeleteInBatches(ctx, db, old, 25_000)
	require.ErrorContains(t, err, "not now")
	require.EqualValues(t, 20_000, gone)
	require.Equal(t, 5_000, left())
	_, err = db.ExecContext(ctx, `DROP TRIGGER refuse ON outlived`)
	require.NoError(t, err)
	gone, err = postgres.DeleteInBatches(ctx, db, old, 25_000)
	require.NoError(t, err)
	require.EqualValues(t, 4_000, gone)
	require.Equal(t, 1_000, left(), "what the condition spares stays")
	_, err = postgres.DeleteInBatches(ctx, db, `TRUNCATE outlived`)
	require.Error(t, err)
}
