package transfer

import (
	"context"
	"fmt"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/platform/money"
)

// Deductions reports the tax deducted from payments, and reverses it when they are refunded.
type Deductions struct{}

// DeductedTx returns the deducted tax of payments by payment, without subtracting reversals.
func (Deductions) DeductedTx(ctx context.Context, tx *sqlx.Tx, paymentIDs []string) (map[string]money.Paise, error) {
	var rows []struct {
		PaymentID string      `db:"payment_id"`
		Amount    money.Paise `db:"amount_paise"`
	}
	if err := tx.SelectContext(ctx, &rows, `SELECT payment_id, amount_paise FROM tds_records WHERE payment_id = ANY ($1)`, pq.StringArray(paymentIDs)); err != nil {
		return nil, fmt.Errorf("read deducted tax of payments: %w", err)
	}
	all := map[string]money.Paise{}
	for _, r := range rows {
		all[r.PaymentID] += r.Amount
	}
	return all, nil
}

// ReverseTx reverses an amount of the tax deducted from a payment, from both taxes in proportion. It runs with the worker's role.
func (d Deductions) ReverseTx(ctx context.Context, tx *sqlx.Tx, paymentID string, amount money.Paise) (tds, gstTDS money.Paise, err error) {
	var rows []struct {
		ID   string      `db:"id"`
		Kind string      `db:"kind"`
		Left money.Paise `db:"left_paise"`
	}
	if err := tx.SelectContext(ctx, &rows, `SELECT id, kind, amount_paise - reversed_paise AS left_paise FROM tds_records
		WHERE payment_id = $1 AND amount_paise > reversed_paise ORDER BY kind DESC FOR UPDATE`, paymentID); err != nil {
		return 0, 0, fmt.Errorf("read deducted tax of a payment: %w", err)
	}
	var sum money.Paise
	for _, r := range rows {
		sum += r.Left
	}
	rest := min(amount, sum)
	for i, r := range rows {
		part := min(r.Left, rest, r.Left.Prorate(int64(amount), int64(sum)))
		if i == len(rows)-1 {
			part = min(r.Left, rest)
		}
		rest -= part
		if _, err := tx.ExecContext(ctx, `UPDATE tds_records SET reversed_paise = reversed_paise + $2 WHERE id = $1`, r.ID, part); err != nil {
			return 0, 0, fmt.Errorf("reverse deducted tax: %w", err)
		}
		if r.Kind == TaxGST {
			gstTDS += part
		} else {
			tds += part
		}
	}
	return tds, gstTDS, nil
}
