package payment

import (
	"context"
	"fmt"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/invoice"
)

// Lookup answers other domains' questions about payments, in the caller's transaction, which has the franchiser set.
type Lookup struct{}

const paidOrdersSQL = `
	SELECT order_id, id FROM payments
	WHERE franchiser_id = $1 AND order_id = ANY ($2::uuid[]) AND state IN ('paid', 'refunded') AND NOT surplus`

// PaidOrdersTx returns, by order, the payment that paid it; unpaid orders are omitted.
func (Lookup) PaidOrdersTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, orderIDs []string) (map[string]string, error) {
	var rows []struct {
		OrderID string `db:"order_id"`
		ID      string `db:"id"`
	}
	if err := tx.SelectContext(ctx, &rows, paidOrdersSQL, franchiserID, pq.Array(orderIDs)); err != nil {
		return nil, fmt.Errorf("find payments of orders: %w", err)
	}
	paid := make(map[string]string, len(rows))
	for _, r := range rows {
		paid[r.OrderID] = r.ID
	}
	return paid, nil
}

const givenBackSQL = `
	SELECT id, coalesce(credits_payment_id, payment_id) AS payment_id, amount_paise, reason = 'dispute' AS dispute FROM refunds
	WHERE franchiser_id = $1 AND coalesce(credits_payment_id, payment_id) = ANY ($2::uuid[]) AND id::text <> $3
		AND (reason = 'dispute' AND state = 'done' OR reason <> 'surplus' AND state IN ('requested', 'sent'))`

// GivenBackTx returns the refunds of the payments' invoices that are under way or were taken by a bank, ignoring the one with the id except.
func (Lookup) GivenBackTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, paymentIDs []string, except string) ([]invoice.GivenBack, error) {
	var rows []invoice.GivenBack
	if err := tx.SelectContext(ctx, &rows, givenBackSQL, franchiserID, pq.Array(paymentIDs), except); err != nil {
		return nil, fmt.Errorf("read what is given back: %w", err)
	}
	return rows, nil
}

const knownSQL = `SELECT EXISTS (SELECT FROM payments WHERE franchiser_id = $1 AND id = $2)`

// KnownTx reports whether the franchiser has a payment with that id.
func (Lookup) KnownTx(ctx context.Context, tx *sqlx.Tx, franchiserID, paymentID string) (bool, error) {
	var known bool
	if err := tx.GetContext(ctx, &known, knownSQL, franchiserID, paymentID); err != nil {
		return false, fmt.Errorf("look for the payment: %w", err)
	}
	return known, nil
}

// Transaction identifies a payment as its gateway does.
type Transaction struct {
	Gateway string `db:"gateway"`
	ID      string `db:"transaction_id"`
}

const transactionsSQL = `SELECT gateway, transaction_id FROM payments WHERE franchiser_id = $1`

// TransactionsTx returns the identifiers of all the franchiser's payments.
func (Lookup) TransactionsTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) ([]Transaction, error) {
	var list []Transaction
	if err := tx.SelectContext(ctx, &list, transactionsSQL, franchiserID); err != nil {
		return nil, fmt.Errorf("list transactions: %w", err)
	}
	return list, nil
}
