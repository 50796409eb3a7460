package payment

import (
	"context"
	"fmt"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Debts reports what franchisers paid and are owed.
type Debts struct{}

const hasPaidSQL = `SELECT has_paid($1)`

// HasPaidTx reports whether the franchiser ever paid for anything, also if it was refunded since.
func (Debts) HasPaidTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (bool, error) {
	var paid bool
	if err := tx.GetContext(ctx, &paid, hasPaidSQL, franchiserID); err != nil {
		return false, fmt.Errorf("read whether a franchiser paid: %w", err)
	}
	return paid, nil
}

const owedToSQL = `SELECT owed_to_franchiser($1)`

// OwedTx returns the paise on their way back to the franchiser or still to be returned: held payments, refunds that are unfinished or
// failed permanently, and unfinished staff requests.
func (Debts) OwedTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (money.Paise, error) {
	var owed money.Paise
	if err := tx.GetContext(ctx, &owed, owedToSQL, franchiserID); err != nil {
		return 0, fmt.Errorf("read what is owed to a franchiser: %w", err)
	}
	return owed, nil
}

// LockOwedTx is like OwedTx and also blocks all movements of the franchiser's money until the transaction ends.
func (d Debts) LockOwedTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (money.Paise, error) {
	if err := subscription.LockTx(ctx, tx, franchiserID); err != nil {
		return 0, err
	}
	return d.OwedTx(ctx, tx, franchiserID)
}
