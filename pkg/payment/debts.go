package payment

import (
	"context"
	"fmt"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Debts tells what is owed to franchisers.
type Debts struct{}

const owedToSQL = `SELECT owed_to_franchiser($1)`

// OwedTx is what is on its way back to the franchiser or has to go back, in paise: held payments, refunds that are not done or failed
// for good, and what staff asked for and is not done.
func (Debts) OwedTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (money.Paise, error) {
	var owed money.Paise
	if err := tx.GetContext(ctx, &owed, owedToSQL, franchiserID); err != nil {
		return 0, fmt.Errorf("read what is owed to a franchiser: %w", err)
	}
	return owed, nil
}

// LockOwedTx is OwedTx, and none of the franchiser's money moves until the transaction ends.
func (d Debts) LockOwedTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (money.Paise, error) {
	if err := subscription.LockTx(ctx, tx, franchiserID); err != nil {
		return 0, err
	}
	return d.OwedTx(ctx, tx, franchiserID)
}
