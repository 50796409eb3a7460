package migrations_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/testkit"
)

func TestReservedConnections_RolesOfTheProduct_MayUseThem(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	needsPostgres(t, db, 16)
	for role, may := range map[string]bool{"franchise360_api": true, "franchise360_worker": true, "franchise360_lookup": false} {
		var member bool
		require.NoError(t, db.Owner.Get(&member, `SELECT pg_has_role($1, 'pg_use_reserved_connections', 'USAGE')`, role))
		require.Equal(t, may, member, role)
	}
}
