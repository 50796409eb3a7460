package invoice

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

const numberOfSQL = `SELECT number FROM invoices WHERE franchiser_id = $1 AND id = $2`

// NumberTx returns the number of the franchiser's document, or KindNotFound.
func NumberTx(ctx context.Context, tx *sqlx.Tx, franchiserID, invoiceID string) (string, error) {
	var number string
	err := tx.GetContext(ctx, &number, numberOfSQL, franchiserID, invoiceID)
	if errors.Is(err, sql.ErrNoRows) {
		return "", errs.NotFound()
	}
	if err != nil {
		return "", fmt.Errorf("read number of a document: %w", err)
	}
	return number, nil
}

// NumberSQL returns an expression for another domain's query: the number of the franchiser's document, or NULL.
func NumberSQL(franchiser, document string) string {
	return `(SELECT i.number FROM invoices i WHERE i.franchiser_id = ` + franchiser + ` AND i.id = ` + document + `)`
}

// NumberOfPaymentSQL returns an expression for another domain's query: the number of the payment's invoice, or NULL.
func NumberOfPaymentSQL(franchiser, payment string) string {
	return `(SELECT min(i.number) FROM invoices i WHERE i.franchiser_id = ` + franchiser + ` AND i.payment_id = ` + payment + ` AND i.kind = 'invoice' AND NOT i.replaced)`
}
