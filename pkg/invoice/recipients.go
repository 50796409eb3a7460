package invoice

import (
	"context"
	"fmt"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/platform/i18n"
)

// Named is whom the newest document of a customer names.
type Named struct {
	FranchiserID string    `db:"franchiser_id"`
	Name         string    `db:"name"`
	GSTIN        string    `db:"gstin"`
	StateCode    StateCode `db:"state_code"`
	// Also is the second language of the document, beside English, or empty.
	Also i18n.Language `db:"also"`
}

// NamedTx returns the recipients of the customers' newest documents, by customer; customers without a document are omitted. The transaction
// has to carry the proof of a member of staff.
func NamedTx(ctx context.Context, tx *sqlx.Tx, franchiserIDs []string) (map[string]Named, error) {
	var list []Named
	err := tx.SelectContext(ctx, &list, `SELECT franchiser_id, name, gstin, state_code, also FROM latest_recipients($1)`, pq.Array(franchiserIDs))
	if err != nil {
		return nil, fmt.Errorf("read recipients of documents: %w", err)
	}
	named := make(map[string]Named, len(list))
	for _, one := range list {
		named[one.FranchiserID] = one
	}
	return named, nil
}

// NumbersTx returns the number of the newest invoice of each payment that has one, by payment. The transaction has to carry the proof of a
// member of staff.
func NumbersTx(ctx context.Context, tx *sqlx.Tx, paymentIDs []string) (map[string]string, error) {
	var list []struct {
		PaymentID string `db:"payment_id"`
		Number    string `db:"number"`
	}
	if err := tx.SelectContext(ctx, &list, `SELECT payment_id, number FROM numbers_of_payments($1)`, pq.Array(paymentIDs)); err != nil {
		return nil, fmt.Errorf("read numbers of invoices: %w", err)
	}
	numbers := make(map[string]string, len(list))
	for _, one := range list {
		numbers[one.PaymentID] = one.Number
	}
	return numbers, nil
}
