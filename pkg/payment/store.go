package payment

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// store reads and writes the rows; providers word the customers' messages about refunds.
type store struct{ providers Providers }

const columns = `id, franchiser_id, order_id, transaction_id, gateway, coalesce(gateway_reference, '') AS gateway_reference,
	coalesce(gateway_payment_id, '') AS gateway_payment_id, state, amount_paise, coalesce(captured_paise, 0) AS captured_paise, method, slug, reason, surplus, by_mandate, checks,
	next_check_at, created_at, decided_at`

type row struct {
	ID               string       `db:"id"`
	FranchiserID     string       `db:"franchiser_id"`
	OrderID          string       `db:"order_id"`
	TransactionID    string       `db:"transaction_id"`
	Gateway          string       `db:"gateway"`
	GatewayReference string       `db:"gateway_reference"`
	GatewayPaymentID string       `db:"gateway_payment_id"`
	State            State        `db:"state"`
	Amount           money.Paise  `db:"amount_paise"`
	Captured         money.Paise  `db:"captured_paise"`
	Method           Method       `db:"method"`
	Slug             string       `db:"slug"`
	Reason           string       `db:"reason"`
	Surplus          bool         `db:"surplus"`
	ByMandate        bool         `db:"by_mandate"`
	Checks           int          `db:"checks"`
	NextCheckAt      sql.NullTime `db:"next_check_at"`
	CreatedAt        time.Time    `db:"created_at"`
	DecidedAt        sql.NullTime `db:"decided_at"`
}

func (r row) payment() Payment {
	return Payment{
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

func (store) insert(ctx context.Context, tx *sqlx.Tx, p Payment, in RequestInput) error {
	_, err := tx.ExecContext(ctx, insertSQL, p.ID, p.FranchiserID, p.OrderID, p.TransactionID, p.Gateway, string(p.State), p.Amount,
		Currency, string(p.Method), nullTime(p.NextCheckAt), strings.ToLower(p.TransactionID), p.CreatedAt, in.Key, in.Request[:], p.ByMandate)
	if err != nil {
		return fmt.Errorf("insert payment: %w", err)
	}
	return nil
}

const resumeSQL = `
	UPDATE payments SET method = $3, gone_on_at = CASE WHEN state = 'created' AND created_at < $4 THEN $4 ELSE gone_on_at END
	WHERE franchiser_id = $1 AND id = $2 AND (method <> $3 OR state = 'created' AND created_at < $4)`

// resume is goneOn, and stores the method on which the gateway's page of the payment opens from now on.
func (store) resume(ctx context.Context, tx *sqlx.Tx, p Payment, m Method, now time.Time) error {
	if _, err := tx.ExecContext(ctx, resumeSQL, p.FranchiserID, p.ID, string(m), now); err != nil {
		return fmt.Errorf("resume a payment: %w", err)
	}
	return nil
}

const (
	saveKeySQL = `
		INSERT INTO idempotency_keys (franchiser_id, key, request, order_id, payment_id, created_at)
		VALUES ($1, $2, $3, $4, nullif($5, '')::uuid, $6)`
	pruneKeysSQL = `DELETE FROM idempotency_keys WHERE created_at < $1`
)

func (store) saveKey(ctx context.Context, tx *sqlx.Tx, franchiserID string, in RequestInput, orderID, paymentID string, now time.Time) error {
	if in.Key == "" {
		return nil
	}
	if _, err := tx.ExecContext(ctx, saveKeySQL, franchiserID, in.Key, in.Request[:], orderID, paymentID, now); err != nil {
		return fmt.Errorf("save idempotency key: %w", err)
	}
	return nil
}

func (store) pruneKeys(ctx context.Context, tx *sqlx.Tx, before time.Time) error {
	if _, err := tx.ExecContext(ctx, pruneKeysSQL, before); err != nil {
		return fmt.Errorf("prune idempotency keys: %w", err)
	}
	return nil
}

const (
	findSQL   = `SELECT ` + columns + ` FROM payments WHERE id = $1`
	openOfSQL = `SELECT ` + columns + ` FROM payments WHERE franchiser_id = $1 AND order_id = $2 AND state IN ('created', 'pending') AND NOT by_mandate`
)

// find returns a payment, or errs.NotFound.
func (store) find(ctx context.Context, tx *sqlx.Tx, paymentID string) (Payment, error) {
	p, err := get(ctx, tx, findSQL, paymentID)
	if err == nil && p == nil {
		return Payment{}, errs.NotFound()
	}
	if err != nil {
		return Payment{}, err
	}
	return *p, nil
}

// locked is like find and locks the row until the transaction ends.
func (store) locked(ctx context.Context, tx *sqlx.Tx, paymentID string) (Payment, error) {
	p, err := get(ctx, tx, findSQL+` FOR NO KEY UPDATE`, paymentID)
	if err == nil && p == nil {
		return Payment{}, errs.NotFound()
	}
	if err != nil {
		return Payment{}, err
	}
	return *p, nil
}

// openOf returns the order's payment that can still be paid, or nil.
func (store) openOf(ctx context.Context, tx *sqlx.Tx, franchiserID, orderID string) (*Payment, error) {
	return get(ctx, tx, openOfSQL, franchiserID, orderID)
}

func get(ctx context.Context, tx *sqlx.Tx, query string, args ...any) (*Payment, error) {
	var r row
	err := tx.GetContext(ctx, &r, query, args...)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil // the caller decides what this means
	}
	if err != nil {
		return nil, fmt.Errorf("read payment: %w", err)
	}
	p := r.payment()
	return &p, nil
}

// The first stored reference stays. Only a caller that finds neither a reference nor an active claim may create the order.
const (
	claimOrderSQL = `
		WITH claim AS (
			UPDATE payments SET order_claimed_at = $3
			WHERE franchiser_id = $1 AND id = $2 AND gateway_reference IS NULL AND (order_claimed_at IS NULL OR order_claimed_at < $4)
			RETURNING id
		)
		SELECT coalesce(gateway_reference, '') AS reference, EXISTS (SELECT FROM claim) AS claimed
		FROM payments WHERE franchiser_id = $1 AND id = $2`
	setReferenceSQL = `
		UPDATE payments SET gateway_reference = coalesce(gateway_reference, nullif($3, '')), order_claimed_at = NULL
		WHERE franchiser_id = $1 AND id = $2
		RETURNING coalesce(gateway_reference, '')`
)

func (store) claimOrder(ctx context.Context, tx *sqlx.Tx, p Payment, now, stale time.Time) (reference string, claimed bool, err error) {
	err = tx.QueryRowxContext(ctx, claimOrderSQL, p.FranchiserID, p.ID, now, stale).Scan(&reference, &claimed)
	if err != nil {
		return "", false, fmt.Errorf("claim gateway order: %w", err)
	}
	return reference, claimed, nil
}

// setReference releases the claim and returns the gateway's id that was stored first.
func (store) setReference(ctx context.Context, tx *sqlx.Tx, p Payment, reference string) (kept string, err error) {
	if err = tx.GetContext(ctx, &kept, setReferenceSQL, p.FranchiserID, p.ID, reference); err != nil {
		return "", fmt.Errorf("save gateway reference: %w", err)
	}
	return kept, nil
}

const wantedSQL = `
	SELECT EXISTS (SELECT FROM order_overview WHERE id = $1 AND state = 'open') AND NOT EXISTS (
		SELECT FROM payments WHERE order_id = $1 AND id <> $2 AND state IN ('paid', 'refunded', 'held'))`

// wanted reports whether the payment's order still awaits payment.
func (store) wanted(ctx context.Context, tx *sqlx.Tx, p Payment) (wanted bool, err error) {
	if err = tx.GetContext(ctx, &wanted, wantedSQL, p.OrderID, p.ID); err != nil {
		return false, fmt.Errorf("ask whether an order is wanted: %w", err)
	}
	return wanted, nil
}

const personSQL = `
	SELECT f.first_name, f.last_name, f.email, f.mobile, coalesce(t.store_name, '') AS store_name, l.language
	FROM person_overview f JOIN language_overview l ON l.franchiser_id = f.franchiser_id LEFT JOIN store_overview t ON t.franchiser_id = f.franchiser_id WHERE f.franchiser_id = $1`

func (store) person(ctx context.Context, tx *sqlx.Tx, franchiserID string) (subscription.Person, error) {
	var r struct {
		FirstName string `db:"first_name"`
		LastName  string `db:"last_name"`
		Email     string `db:"email"`
		Mobile    string `db:"mobile"`
		StoreName string `db:"store_name"`

		Language i18n.Language `db:"language"`
	}
	if err := tx.GetContext(ctx, &r, personSQL, franchiserID); err != nil {
		return subscription.Person{}, fmt.Errorf("read payer: %w", err)
	}
	return subscription.Person{
		FirstName: r.FirstName, LastName: r.LastName, Email: r.Email, Mobile: r.Mobile, StoreName: r.StoreName, Language: r.Language,
	}, nil
}

// The lookup runs before the franchiser is known, hence through a function with its own rights.
const lookUpSQL = `SELECT id, franchiser_id FROM find_payment($1, $2, $3, $4) LIMIT 1`

// lookUp finds the payment that a gateway refers to, or returns ErrUnknownTransaction.
func (store) lookUp(ctx context.Context, db *sqlx.DB, gateway string, n Notice) (paymentID, franchiserID string, err error) {
	err = db.QueryRowxContext(ctx, lookUpSQL, gateway, n.TransactionID, n.Reference, n.GatewayPaymentID).Scan(&paymentID, &franchiserID)
	if errors.Is(err, sql.ErrNoRows) {
		return "", "", ErrUnknownTransaction
	}
	if err != nil {
		return "", "", fmt.Errorf("look up transaction: %w", err)
	}
	return paymentID, franchiserID, nil
}

const saveSQL = `
	UPDATE payments SET state = $3, gateway_payment_id = nullif($4, ''), slug = $5, reason = $6, surplus = $7,
		captured_paise = CASE WHEN $8 > 0 THEN $8 ELSE captured_paise END, checks = $9, next_check_at = $10, decided_at = $11,
		search = $12, bank_reference = CASE WHEN $13 <> '' THEN $13 ELSE bank_reference END
	WHERE franchiser_id = $1 AND id = $2`

// save writes the mutable fields of a payment; captured is 0 if nothing was newly captured.
func (store) save(ctx context.Context, tx *sqlx.Tx, p Payment, captured money.Paise) error {
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

// A check this late has lost its job.
const overdueSQL = `
	SELECT id, franchiser_id, checks FROM payments
	WHERE payment_check_is_late(next_check_at, $1) AND id > $2 ORDER BY id LIMIT $3`

type overdueRow struct {
	ID           string `db:"id"`
	FranchiserID string `db:"franchiser_id"`
	Checks       int    `db:"checks"`
}

func (store) overdue(ctx context.Context, tx *sqlx.Tx, before time.Time, after string, limit int) ([]overdueRow, error) {
	var rows []overdueRow
	if err := tx.SelectContext(ctx, &rows, overdueSQL, before, after, limit); err != nil {
		return nil, fmt.Errorf("find overdue payments: %w", err)
	}
	return rows, nil
}
