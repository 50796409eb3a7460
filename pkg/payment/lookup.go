package payment

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

const doubtfulSQL = `
	SELECT id FROM payments WHERE franchiser_id = $1 AND (by_mandate AND state IN ('failed', 'expired') AND created_at >= $2
		OR NOT by_mandate AND state = 'created') ORDER BY created_at, id`

// DoubtfulTx returns the franchiser's payments that may have been captured without a word: debits since then that failed, and payments by
// hand that were begun.
func (Lookup) DoubtfulTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, since time.Time) (ids []string, err error) {
	if err = tx.SelectContext(ctx, &ids, doubtfulSQL, franchiserID, since); err != nil {
		return nil, fmt.Errorf("look for payments to ask about: %w", err)
	}
	return ids, nil
}

// Standing is the state of a payment, for callers that wait for it.
type Standing struct {
	ID      string      `db:"id"`
	State   State       `db:"state"`
	Reason  string      `db:"reason"`
	Amount  money.Paise `db:"amount_paise"`
	Surplus bool        `db:"surplus"`
}

// Received reports whether money arrived.
func (s Standing) Received() bool { return s.State.Received() }

// Failed reports whether no money arrived, as far as the gateway has told.
func (s Standing) Failed() bool { return s.State == StateFailed || s.State == StateExpired }

const (
	standingSQL = `SELECT id, state, reason, amount_paise, surplus FROM payments WHERE franchiser_id = $1 AND id = ANY ($2::uuid[])`

	payingByHandSQL = `
		SELECT EXISTS (SELECT FROM payments p WHERE p.franchiser_id = $1 AND NOT p.by_mandate AND (p.state = 'pending'
			OR p.state = 'created' AND greatest(p.created_at, p.gone_on_at) > $2))`
)

// atCheckout is how long after a payment was begun, or gone on with, its customer is taken to be at the gateway's page.
const atCheckout = 30 * time.Minute

const transactionReceivedSQL = `SELECT EXISTS (SELECT FROM payments WHERE franchiser_id = $1 AND transaction_id = $2 AND state = 'paid')`

// ReceivedTx reports whether the franchiser's payment of a transaction has arrived.
func (Lookup) ReceivedTx(ctx context.Context, tx *sqlx.Tx, franchiserID, transactionID string) (paid bool, err error) {
	if err = tx.GetContext(ctx, &paid, transactionReceivedSQL, franchiserID, transactionID); err != nil {
		return false, fmt.Errorf("look at the payment of a transaction: %w", err)
	}
	return paid, nil
}

const transactionOpenSQL = `SELECT EXISTS (SELECT FROM payments WHERE franchiser_id = $1 AND transaction_id = $2 AND state IN ('created', 'pending'))`

// UndecidedTx reports whether the franchiser's payment of a transaction may still be paid.
func (Lookup) UndecidedTx(ctx context.Context, tx *sqlx.Tx, franchiserID, transactionID string) (open bool, err error) {
	if err = tx.GetContext(ctx, &open, transactionOpenSQL, franchiserID, transactionID); err != nil {
		return false, fmt.Errorf("look at the payment of a transaction: %w", err)
	}
	return open, nil
}

// StandingTx returns the state of the franchiser's payments, by id.
func (Lookup) StandingTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, ids []string) (map[string]Standing, error) {
	var rows []Standing
	if err := tx.SelectContext(ctx, &rows, standingSQL, franchiserID, pq.Array(ids)); err != nil {
		return nil, fmt.Errorf("read how payments stand: %w", err)
	}
	all := make(map[string]Standing, len(rows))
	for _, r := range rows {
		all[r.ID] = r
	}
	return all, nil
}

// PayingByHandTx reports whether the franchiser is paying anything manually, or has just begun to.
func (Lookup) PayingByHandTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, now time.Time) (paying bool, err error) {
	if err = tx.GetContext(ctx, &paying, payingByHandSQL, franchiserID, now.Add(-atCheckout)); err != nil {
		return false, fmt.Errorf("look for a manual payment: %w", err)
	}
	return paying, nil
}

// OpenDebit is a debit by mandate that the bank has not decided.
type OpenDebit struct {
	Amount  money.Paise
	AskedAt time.Time
}

// DecidedBy is when the debit counts as failed if the bank has not decided it.
func (d OpenDebit) DecidedBy() time.Time { return d.AskedAt.Add(DebitDecidedBy) }

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
