package postgres_test

import (
	"context"
	"errors"
	"testing"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/testkit" //nolint:depguard // a real database under test
)

// If the caller disconnects, the transaction's error says so, whichever step notices it.
func TestInTx_CallerCancels_ErrorSaysSo(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	for name, after := range map[string]func(tx *sqlx.Tx) error{
		"at the next statement": func(tx *sqlx.Tx) error {
			for {
				if _, err := tx.ExecContext(t.Context(), `SELECT 1`); err != nil {
					return errors.Join(errors.New("read"), err)
				}
			}
		},
		"at the commit": func(tx *sqlx.Tx) error {
			for {
				if _, err := tx.ExecContext(t.Context(), `SELECT 1`); err != nil {
					return nil //nolint:nilerr // the commit must notice it
				}
			}
		},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		err := postgres.InTx(ctx, db.Owner, func(tx *sqlx.Tx) error {
			cancel()
			return after(tx)
		})
		require.ErrorIs(t, err, context.Canceled, name)
	}
}
