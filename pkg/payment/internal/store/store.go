// Package store reads and writes the rows that all parts of payment share, and schedules checks.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

const paymentOfInvoiceSQL = `SELECT payment_id FROM document_overview WHERE franchiser_id = $1 AND id = $2`

// OfInvoice returns the payment of an invoice.
func OfInvoice(ctx context.Context, tx *sqlx.Tx, franchiserID, invoiceID string) (payment.Payment, error) {
	var paymentID string
	if err := tx.GetContext(ctx, &paymentID, paymentOfInvoiceSQL, franchiserID, invoiceID); err != nil {
		return payment.Payment{}, fmt.Errorf("find payment of invoice: %w", err)
	}
	return Find(ctx, tx, paymentID)
}

// KeyLife is how long an Idempotency-Key is remembered.
const KeyLife = 24 * time.Hour

const columns = `id, franchiser_id, order_id, transaction_id, gateway, coalesce(gateway_reference, '') AS gateway_reference,
	coalesce(gateway_payment_id, '') AS gateway_payment_id, state, amount_paise, coalesce(captured_paise, 0) AS captured_paise, method, slug, reason, surplus, by_mandate, checks,
	next_check_at, created_at, decided_at`

// Row is a payment as the database has it.
type Row struct {
	ID               string         `db:"id"`
	FranchiserID     string         `db:"franchiser_id"`
	OrderID          string         `db:"order_id"`
	TransactionID    string         `db:"transaction_id"`
	Gateway          string         `db:"gateway"`
	GatewayReference string         `db:"gateway_reference"`
	GatewayPaymentID string         `db:"gateway_payment_id"`
	State            payment.State  `db:"state"`
	Amount           money.Paise    `db:"amount_paise"`
	Captured         money.Paise    `db:"captured_paise"`
	Method           payment.Method `db:"method"`
	Slug             string         `db:"slug"`
	Reason           string         `db:"reason"`
	Surplus          bool           `db:"surplus"`
	ByMandate        bool           `db:"by_mandate"`
	Checks           int            `db:"checks"`
	NextCheckAt      sql.NullTime   `db:"next_check_at"`
	CreatedAt        time.Time      `db:"created_at"`
	DecidedAt        sql.NullTime   `db:"decided_at"`
}

// Payment returns the row as a payment.
func (r Row) Payment() payment.Payment {
	return payment.Payment{
		ID: r.ID, FranchiserID: r.FranchiserID, OrderID: r.OrderID, TransactionID: r.TransactionID, Gateway: r.Gateway,
		GatewayReference: r.GatewayReference, GatewayPaymentID: r.GatewayPaymentID, State: r.State, Amount: r.Amount, Captured: r.Captured,
		Method: r.Method, Slug: r.Slug, Reason: r.Reason, Surplus: r.Surplus, ByMandate: r.ByMandate, Checks: r.Checks,
		NextCheckAt: r.NextCheckAt.Time.UTC(), CreatedAt: r.CreatedAt.UTC(), DecidedAt: r.DecidedAt.Time.UTC(),
	}
}

// One statement inserts the payment and, if the request has one, its key.
const insertSQL = `
	WITH paid AS (
		INSERT INTO payments (id, franchiser_id, order_id, transaction_id, gateway, state, amount_paise, currency, method,
			next_check_at, search, created_at, by_mandate)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $15)
	)
	INSERT INTO idempotency_keys (franchiser_id, key, request, order_id, payment_id, created_at)
	SELECT $2, $13, $14, $3, $1, $12 WHERE $13 <> ''`

// Insert stores a payment and, if the key is not empty, the idempotency key of its request.
func Insert(ctx context.Context, tx *sqlx.Tx, p payment.Payment, key string, request []byte) error {
	_, err := tx.ExecContext(ctx, insertSQL, p.ID, p.FranchiserID, p.OrderID, p.TransactionID, p.Gateway, string(p.State), p.Amount,
		payment.Currency, string(p.Method), nullTime(p.NextCheckAt), strings.ToLower(p.TransactionID), p.CreatedAt, key, request, p.ByMandate)
	if err != nil {
		return fmt.Errorf("insert payment: %w", err)
	}
	return nil
}

const (
	findSQL   = `SELECT ` + columns + ` FROM payments WHERE id = $1`
	openOfSQL = `SELECT ` + columns + ` FROM payments WHERE franchiser_id = $1 AND order_id = $2 AND state IN ('created', 'pending') AND NOT by_mandate`
)

// Find returns a payment, or errs.NotFound.
func Find(ctx context.Context, tx *sqlx.Tx, paymentID string) (payment.Payment, error) {
	p, err := get(ctx, tx, findSQL, paymentID)
	if err == nil && p == nil {
		return payment.Payment{}, errs.NotFound()
	}
	if err != nil {
		return payment.Payment{}, err
	}
	return *p, nil
}

// Locked is like find and locks the row until the transaction ends.
func Locked(ctx context.Context, tx *sqlx.Tx, paymentID string) (payment.Payment, error) {
	p, err := get(ctx, tx, findSQL+` FOR NO KEY UPDATE`, paymentID)
	if err == nil && p == nil {
		return payment.Payment{}, errs.NotFound()
	}
	if err != nil {
		return payment.Payment{}, err
	}
	return *p, nil
}

// OpenOf returns the order's payment that can still be paid, or nil.
func OpenOf(ctx context.Context, tx *sqlx.Tx, franchiserID, orderID string) (*payment.Payment, error) {
	return get(ctx, tx, openOfSQL, franchiserID, orderID)
}

func get(ctx context.Context, tx *sqlx.Tx, query string, args ...any) (*payment.Payment, error) {
	var r Row
	err := tx.GetContext(ctx, &r, query, args...)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil // the caller decides what this means
	}
	if err != nil {
		return nil, fmt.Errorf("read payment: %w", err)
	}
	p := r.Payment()
	return &p, nil
}

const (
	setReferenceSQL = `
		UPDATE payments SET gateway_reference = coalesce(gateway_reference, nullif($3, '')), order_claimed_at = NULL
		WHERE franchiser_id = $1 AND id = $2
		RETURNING coalesce(gateway_reference, '')`
)

// SetReference releases the claim and returns the gateway's id that was stored first.
func SetReference(ctx context.Context, tx *sqlx.Tx, p payment.Payment, reference string) (kept string, err error) {
	if err = tx.GetContext(ctx, &kept, setReferenceSQL, p.FranchiserID, p.ID, reference); err != nil {
		return "", fmt.Errorf("save gateway reference: %w", err)
	}
	return kept, nil
}

const saveSQL = `
	UPDATE payments SET state = $3, gateway_payment_id = nullif($4, ''), slug = $5, reason = $6, surplus = $7,
		captured_paise = CASE WHEN $8 > 0 THEN $8 ELSE captured_paise END, checks = $9, next_check_at = $10, decided_at = $11,
		search = $12, bank_reference = CASE WHEN $13 <> '' THEN $13 ELSE bank_reference END
	WHERE franchiser_id = $1 AND id = $2`

// Save writes the mutable fields of a payment; captured is 0 if nothing was newly captured.
func Save(ctx context.Context, tx *sqlx.Tx, p payment.Payment, captured money.Paise) error {
	search := strings.ToLower(p.TransactionID + " " + p.GatewayPaymentID + " " + p.Slug)
	_, err := tx.ExecContext(ctx, saveSQL, p.FranchiserID, p.ID, string(p.State), p.GatewayPaymentID, p.Slug, p.Reason, p.Surplus,
		int64(captured), p.Checks, nullTime(p.NextCheckAt), nullTime(p.DecidedAt), search, searchableReference(p.BankReference))
	if err != nil {
		return fmt.Errorf("save payment: %w", err)
	}
	return nil
}

// maxReference is more than any bank's number of a payment has, in bytes.
const maxReference = 50

// searchableReference returns the letters and digits of a bank's number, in lower case, for the search; empty for a text that is no
// bank's number.
func searchableReference(reference string) string {
	kept := strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' || 'a' <= r && r <= 'z' {
			return r
		}
		return -1
	}, strings.ToLower(reference))
	if len(kept) > maxReference {
		return ""
	}
	return kept
}

func nullTime(t time.Time) sql.NullTime { return sql.NullTime{Time: t, Valid: !t.IsZero()} }

// EndOpen ends the order's open payment at a gateway. If it is captured nevertheless, it is refunded as a second payment.
func EndOpen(ctx context.Context, tx *sqlx.Tx, franchiserID, orderID, why string, now time.Time) error {
	open, err := OpenOf(ctx, tx, franchiserID, orderID)
	if err != nil || open == nil {
		return err
	}
	p, err := Locked(ctx, tx, open.ID)
	if err != nil {
		return err
	}
	if err := p.Fail(payment.Outcome{Reason: why, Slug: p.Slug}, now); err != nil {
		return err
	}
	return Save(ctx, tx, p, 0)
}
