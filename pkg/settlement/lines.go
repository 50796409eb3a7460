package settlement

import (
	"context"
	"fmt"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/payment"
)

// Lines answers other domains' questions about lines and differences, in the caller's transaction.
type Lines struct{}

const unbookedCapturesSQL = `
	SELECT gateway_payment_id, seen_at FROM settlement_lines
	WHERE gateway = $1 AND kind = 'capture' AND transaction_id = $2 AND booked_at IS NULL`

// UnbookedCapturesTx lists the captures of a transaction that settlements name but that are not booked.
func (Lines) UnbookedCapturesTx(ctx context.Context, tx *sqlx.Tx, gateway, transactionID string) ([]payment.SettledCapture, error) {
	var list []payment.SettledCapture
	if err := tx.SelectContext(ctx, &list, unbookedCapturesSQL, gateway, transactionID); err != nil {
		return nil, fmt.Errorf("find captures that settlements name: %w", err)
	}
	return list, nil
}

// Counts counts the differences that await staff.
type Counts struct {
	Differences int `db:"differences" json:"settlement_differences"`
	// Acknowledged counts the permanent differences that an admin has acknowledged; they need no action.
	Acknowledged int `db:"acknowledged" json:"acknowledged_differences"`
}

const countsSQL = `
	SELECT (SELECT count(*) FROM settlement_differences WHERE cleared_at IS NULL AND acknowledged_at IS NULL) AS differences,
		(SELECT count(*) FROM settlement_differences WHERE cleared_at IS NULL AND acknowledged_at IS NOT NULL) AS acknowledged`

// CountsTx counts the differences of all gateways.
func (Lines) CountsTx(ctx context.Context, tx *sqlx.Tx) (Counts, error) {
	var c Counts
	if err := tx.GetContext(ctx, &c, countsSQL); err != nil {
		return c, fmt.Errorf("count differences: %w", err)
	}
	return c, nil
}

const openAboutSQL = `
	SELECT ` + differenceColumns + ` FROM settlement_differences
	WHERE (gateway, transaction_id) IN (SELECT g, t FROM unnest($1::text[], $2::text[]) AS n (g, t))
		AND cleared_at IS NULL AND acknowledged_at IS NULL
	ORDER BY opened_at, line_id`

// OpenTx lists the open differences about the transactions, oldest first.
func (Lines) OpenTx(ctx context.Context, tx *sqlx.Tx, about []payment.Transaction) ([]Difference, error) {
	gateways, transactions := make([]string, 0, len(about)), make([]string, 0, len(about))
	for _, t := range about {
		gateways, transactions = append(gateways, t.Gateway), append(transactions, t.ID)
	}
	var list []Difference
	if err := tx.SelectContext(ctx, &list, openAboutSQL, pq.Array(gateways), pq.Array(transactions)); err != nil {
		return nil, fmt.Errorf("list differences of transactions: %w", err)
	}
	return list, nil
}
