package payment

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// CustomerSQL summarises the money of the franchiser $1 in one row, for use in another domain's query. Its columns are payment_id,
// payment_transaction, payment_gateway, payment_state, payment_reason, payment_paise and payment_at (decision, or else request) of the
// last payment, open_payments, open_disputes, refunded_paise (by refund or through a bank)
// and owed_paise, the amount still to be returned.
const CustomerSQL = `
SELECT p.id AS payment_id, coalesce(p.transaction_id, '') AS payment_transaction, coalesce(p.gateway, '') AS payment_gateway,
    coalesce(p.state, '') AS payment_state, coalesce(p.reason, '') AS payment_reason, coalesce(p.amount_paise, 0) AS payment_paise,
    coalesce(p.decided_at, p.created_at) AS payment_at,
    (SELECT count(*) FROM payments x WHERE x.franchiser_id = f.id AND x.state IN ('created', 'pending')) AS open_payments,
    (SELECT coalesce(sum(r.amount_paise), 0)::bigint FROM refunds r WHERE r.franchiser_id = f.id AND r.state = 'done') AS refunded_paise,
    (SELECT count(*) FROM disputes x WHERE x.franchiser_id = f.id AND x.state = 'open') AS open_disputes,
    owed_to_franchiser(f.id) AS owed_paise
FROM (VALUES ($1::uuid)) f (id)
LEFT JOIN LATERAL (SELECT p.* FROM payments p WHERE p.franchiser_id = f.id
    ORDER BY p.created_at DESC, p.id DESC LIMIT 1) p ON true`

// StateTx returns the state of the franchiser's payment, or KindNotFound.
func StateTx(ctx context.Context, tx *sqlx.Tx, franchiserID, paymentID string) (State, error) {
	var state State
	err := tx.GetContext(ctx, &state, `SELECT state FROM payments WHERE franchiser_id = $1 AND id = $2`, franchiserID, paymentID)
	if errors.Is(err, sql.ErrNoRows) {
		return "", errs.NotFound()
	}
	if err != nil {
		return "", fmt.Errorf("read state of a payment: %w", err)
	}
	return state, nil
}
