package alert

import (
	"testing"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/testkit"
)

func TestWAL_RolesOfBothProcesses_ReadItsState(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	for name, role := range map[string]*sqlx.DB{"api": db.API, "worker": db.Worker} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.NoError(t, postgres.InTx(t.Context(), role, func(tx *sqlx.Tx) error {
				w, err := walTx(t.Context(), tx)
				require.Zero(t, w.Unarchived, "nothing is archived here")
				return err
			}))
		})
	}
}
