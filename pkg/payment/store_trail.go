package payment

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

const findTransactionSQL = `SELECT id, franchiser_id FROM find_transaction($1)`

func (store) findTransaction(ctx context.Context, db *sqlx.DB, name string) (paymentID, franchiserID string, err error) {
	err = postgres.InTx(ctx, db, func(tx *sqlx.Tx) error {
		return tx.QueryRowxContext(ctx, findTransactionSQL, name).Scan(&paymentID, &franchiserID)
	})
	if errors.Is(err, sql.ErrNoRows) {
		return "", "", errs.NotFound()
	}
	if err != nil {
		return "", "", fmt.Errorf("find transaction: %w", err)
	}
	return paymentID, franchiserID, nil
}

// The gateway's fields come without its key and signatures.
const (
	trailEventsSQL = `
		SELECT id, received_at, source, kind, signed, status, coalesce(amount_paise, 0) AS amount_paise, external_id,
			fields - '{hash,key,cardhash,card_token,cardToken}'::text[] AS fields, applied_at
		FROM payment_events WHERE franchiser_id = $1 AND payment_id = $2 ORDER BY received_at, id`
	trailDocumentsSQL = `
		SELECT id, kind, number, total_paise, issued_at, coalesce(refund_id::text, '') AS refund_id,
			reverses_input_tax AS reverses,
			coalesce((SELECT jsonb_agg(jsonb_build_object('id', s.id, 'state', s.state, 'evidence', s.evidence,
				'staff_name', s.staff_name, 'recorded_at', s.recorded_at) ORDER BY s.sequence)
				FROM input_tax_states s WHERE s.invoice_id = d.id), '[]') AS input_tax
		FROM document_overview d WHERE franchiser_id = $1 AND payment_id = $2 ORDER BY issued_at, kind DESC, number`
	trailRefundsSQL = `
		SELECT ` + refundColumns + ` FROM refunds WHERE franchiser_id = $1 AND payment_id = $2 ORDER BY created_at, id`
	trailDisputesSQL = `
		SELECT ` + disputeColumns + ` FROM disputes WHERE franchiser_id = $1 AND payment_id = $2 ORDER BY opened_at, id`
	trailReversalsSQL = reversalSQL + ` WHERE r.franchiser_ref = $1 AND r.payment_id = $2 ORDER BY r.requested_at, r.id`
)

// trail reads what belongs to the payment, but for its order and the books.
func (store) trail(ctx context.Context, tx *sqlx.Tx, t *Trail) error {
	for _, part := range []struct {
		into  any
		query string
	}{
		{&t.Events, trailEventsSQL},
		{&t.Documents, trailDocumentsSQL},
		{&t.Refunds, trailRefundsSQL},
		{&t.Disputes, trailDisputesSQL},
		{&t.Reversals, trailReversalsSQL},
	} {
		if err := tx.SelectContext(ctx, part.into, part.query, t.Payment.FranchiserID, t.Payment.ID); err != nil {
			return fmt.Errorf("follow payment: %w", err)
		}
	}
	for i := range t.Documents {
		d := &t.Documents[i]
		if err := json.Unmarshal(d.InputTaxText, &d.InputTax); err != nil {
			return fmt.Errorf("read what is known of the input tax: %w", err)
		}
	}
	return nil
}
