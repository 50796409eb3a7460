package migrations_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/testkit"
)

// On a server older than 18 this tests the function of the migrations. Rows of one transaction are listed in the order of their ids.
func TestUUIDv7_InOrderOfTime(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	var made []uuid.UUID
	var begun time.Time
	require.NoError(t, db.Owner.Get(&begun, `SELECT clock_timestamp()`))
	require.NoError(t, db.Owner.Select(&made, `SELECT uuidv7() FROM generate_series(1, 2000)`))
	for i, id := range made {
		require.EqualValues(t, 7, id.Version())
		require.Equal(t, uuid.RFC4122, id.Variant())
		require.WithinDuration(t, begun, time.Unix(id.Time().UnixTime()), time.Minute)
		if i > 0 {
			require.Greater(t, id.String(), made[i-1].String())
		}
	}
}

// needsPostgres skips a test on an older server.
func needsPostgres(t *testing.T, db *testkit.Database, major int) {
	t.Helper()
	if version := db.Postgres(t); version < major {
		t.Skipf("Postgres %d lacks this", version)
	}
}
