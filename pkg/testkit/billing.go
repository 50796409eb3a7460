package testkit

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/id"
)

// Rows that invoices and books refer to, without the purchase behind them. The payment package's tests make the real
// purchase, from plan to payment; tests of invoices and books only need something to refer to.
const (
	orderSQL = `
		INSERT INTO orders (id, franchiser_id, kind, state, fingerprint, base_revision, catalogue_revision, plan_id, service_id,
			plan_name, service_name, plan_type, add_on_ids, add_on_names, effective_on, renew_on, taxable_paise, cgst_paise,
			sgst_paise, utgst_paise, igst_paise, total_paise, pg_charge_paise, search, created_at, paid_at)
		VALUES ($1, $2, 'new', 'paid', sha256($1::uuid::text::bytea), 0, 1, $1, $1, 'Start up', 'Expansion', 'yearly', '{}', '{}',
			$4::timestamptz::date, $4::timestamptz::date + 365, $3, 0, 0, 0, 0, $3, 0, '', $4, $4)`
	paymentSQL = `
		INSERT INTO payments (id, franchiser_id, order_id, transaction_id, gateway, gateway_payment_id, state, amount_paise,
			currency, surplus, captured_paise, search, created_at, decided_at)
		VALUES ($1, $2, $3, right(replace($1::uuid::text, '-', ''), 25), 'payu', $1::uuid::text, 'paid', $4, 'INR', $6, $4, '', $5, $5)`
	refundSQL = `
		INSERT INTO refunds (id, franchiser_id, payment_id, gateway_payment_id, amount_paise, reason, state, token, created_at, done_at)
		VALUES ($1, $2, $3, $3::uuid::text, $4, 'staff', 'done', $1::uuid::text, $5, $5)`
)

// PaidPayment inserts a paid order and its payment and returns the payment's id. A surplus payment was captured but
// bought nothing.
func PaidPayment(ctx context.Context, owner *sqlx.DB, franchiserID string, paise int64, surplus bool, at time.Time) (string, error) {
	orderID, paymentID := id.New(), id.New()
	err := pastForeignKeys(ctx, owner, func(tx *sqlx.Tx) error {
		if !surplus {
			if _, err := tx.ExecContext(ctx, orderSQL, orderID, franchiserID, paise, at); err != nil {
				return fmt.Errorf("insert order: %w", err)
			}
		}
		_, err := tx.ExecContext(ctx, paymentSQL, paymentID, franchiserID, orderID, paise, at, surplus)
		return err
	})
	return paymentID, err
}

// DoneRefund inserts a refund of a payment that the gateway has paid out and returns its id.
func DoneRefund(ctx context.Context, owner *sqlx.DB, franchiserID, paymentID string, paise int64, at time.Time) (string, error) {
	refundID := id.New()
	err := pastForeignKeys(ctx, owner, func(tx *sqlx.Tx) error {
		_, err := tx.ExecContext(ctx, refundSQL, refundID, franchiserID, paymentID, paise, at)
		return err
	})
	return refundID, err
}

func pastForeignKeys(ctx context.Context, owner *sqlx.DB, fn func(tx *sqlx.Tx) error) error {
	tx, err := owner.BeginTxx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(ctx, `SET LOCAL session_replication_role = replica`); err != nil {
		return fmt.Errorf("switch off foreign keys: %w", err)
	}
	if err := fn(tx); err != nil {
		return err
	}
	return tx.Commit()
}
