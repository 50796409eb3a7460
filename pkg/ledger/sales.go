package ledger

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/money"
)

// Sales is the total of the journals of invoices and credit notes in a period on the accounts of a return of outward supplies, in paise.
// SGST includes UTGST, as in the return.
type Sales struct {
	Journals int         `db:"journals"`
	Value    money.Paise `db:"value_paise"`
	CGST     money.Paise `db:"cgst_paise"`
	SGST     money.Paise `db:"sgst_paise"`
	IGST     money.Paise `db:"igst_paise"`
}

// SalesTx returns the sales that are dated in [after, before). The transaction has to carry the proof of a member of staff.
func SalesTx(ctx context.Context, tx *sqlx.Tx, after, before time.Time) (s Sales, err error) {
	if err := tx.GetContext(ctx, &s, `SELECT journals, value_paise, cgst_paise, sgst_paise, igst_paise FROM books_of_sales($1, $2)`, after, before); err != nil {
		return s, fmt.Errorf("read the books of sales: %w", err)
	}
	return s, nil
}
