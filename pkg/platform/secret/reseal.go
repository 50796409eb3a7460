package secret

import (
	"context"
	"fmt"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// SealedColumn is where a domain keeps one sealed value for each row, and how the value is bound to its row.
type SealedColumn struct {
	// Page reads rows after the id $1 that do not begin with the prefix $2, in the order of their ids, as id and sealed.
	Page string
	// Update puts $3 in the place of $2 in the row $1.
	Update  string
	Purpose Purpose
	Binding func(id string) string
}

type sealedRow struct {
	ID     string `db:"id"`
	Sealed []byte `db:"sealed"`
}

// Reseal seals every value of the column under the key in use. It returns how many it sealed, and how many it had to leave
// because no key of the ring opens them. It fails for a role that row-level security keeps from seeing every row.
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
