package transfer

import (
	"context"
	"fmt"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// Settled resolves the entries of a settlement: payments, and the credits that a collector settles with them.
type Settled struct{ payment.Lookup }

const collectedSQL = `
	SELECT external_id, franchiser_ref, amount_paise FROM bank_credits WHERE source = $1 AND external_id = ANY ($2) AND state <> 'dismissed'`

// SettledTx adds the provider's collected credits to the payments of a settlement. Such credits have no order at the provider.
func (s Settled) SettledTx(ctx context.Context, tx *sqlx.Tx, gateway string, names payment.SettledNames) ([]payment.Settled, []payment.SettledRefund, error) {
	list, refunds, err := s.Lookup.SettledTx(ctx, tx, gateway, names)
	if err != nil {
		return nil, nil, err
	}
	var rows []struct {
		ID           string      `db:"external_id"`
		FranchiserID string      `db:"franchiser_ref"`
		Amount       money.Paise `db:"amount_paise"`
	}
	if err := tx.SelectContext(ctx, &rows, collectedSQL, gateway, pq.Array(names.Captures)); err != nil {
		return nil, nil, fmt.Errorf("read collected transfers: %w", err)
	}
	for _, r := range rows {
		list = append(list, payment.Settled{
			FranchiserID: r.FranchiserID, TransactionID: r.ID, GatewayPaymentID: r.ID, State: payment.StatePaid, Captured: r.Amount,
		})
	}
	return list, refunds, nil
}
