package secret

import (
	"context"
	"fmt"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// SealedColumn describes a column of sealed values, and how each value is bound to its row.
type SealedColumn struct {
	// Page selects rows with an id above $1 whose value lacks the prefix $2, ordered by id, as id and sealed.
	Page string
	// Update replaces value $2 with $3 in row $1.
	Update  string
	Purpose Purpose
	Binding func(id string) string
}

type sealedRow struct {
	ID     string `db:"id"`
	Sealed []byte `db:"sealed"`
}

// Reseal seals every value of the column under the current key. It returns how many it sealed, and how many it left because
// no key of the ring opens them. It fails for a role that cannot see every row because of row-level security.
func (c SealedColumn) Reseal(ctx context.Context, owner *sqlx.DB, k Keyring) (done, left int, err error) {
	for after := "00000000-0000-0000-0000-000000000000"; ; {
		var rows []sealedRow
		err := postgres.InTx(ctx, owner, func(tx *sqlx.Tx) error {
			if _, err := tx.ExecContext(ctx, `SET LOCAL row_security = off`); err != nil {
				return fmt.Errorf("ask for every row: %w", err)
			}
			if err := tx.SelectContext(ctx, &rows, c.Page, after, k.SealPrefix()); err != nil {
				return fmt.Errorf("read sealed values: %w", err)
			}
			for _, row := range rows {
				sealed, err := k.Reseal(c.Purpose, c.Binding(row.ID), row.Sealed)
				if err != nil {
					left++
					continue
				}
				if _, err := tx.ExecContext(ctx, c.Update, row.ID, row.Sealed, sealed); err != nil {
					return fmt.Errorf("seal again: %w", err)
				}
				done++
			}
			return nil
		})
		if err != nil || len(rows) == 0 {
			return done, left, err
		}
		after = rows[len(rows)-1].ID
	}
}
