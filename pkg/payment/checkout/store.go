package checkout

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/subscription"
)

const resumeSQL = `
	UPDATE payments SET method = $3, gone_on_at = CASE WHEN state = 'created' AND created_at < $4 THEN $4 ELSE gone_on_at END
	WHERE franchiser_id = $1 AND id = $2 AND (method <> $3 OR state = 'created' AND created_at < $4)`

// resumeTx is goneOnTx, and stores the method on which the gateway's page of the payment opens from now on.
func resumeTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment, m payment.Method, now time.Time) error {
	if _, err := tx.ExecContext(ctx, resumeSQL, p.FranchiserID, p.ID, string(m), now); err != nil {
		return fmt.Errorf("resume a payment: %w", err)
	}
	return nil
}

const (
	saveKeySQL = `
		INSERT INTO idempotency_keys (franchiser_id, key, request, order_id, payment_id, created_at)
		VALUES ($1, $2, $3, $4, nullif($5, '')::uuid, $6)`
)

func saveKeyTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, in Input, orderID, paymentID string, now time.Time) error {
	if in.Key == "" {
		return nil
	}
	if _, err := tx.ExecContext(ctx, saveKeySQL, franchiserID, in.Key, in.Request[:], orderID, paymentID, now); err != nil {
		return fmt.Errorf("save idempotency key: %w", err)
	}
	return nil
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
)

func claimOrderTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment, now, stale time.Time) (reference string, claimed bool, err error) {
	err = tx.QueryRowxContext(ctx, claimOrderSQL, p.FranchiserID, p.ID, now, stale).Scan(&reference, &claimed)
	if err != nil {
		return "", false, fmt.Errorf("claim gateway order: %w", err)
	}
	return reference, claimed, nil
}

const personSQL = `
	SELECT f.first_name, f.last_name, f.email, f.mobile, coalesce(t.store_name, '') AS store_name, l.language
	FROM person_overview f JOIN language_overview l ON l.franchiser_id = f.franchiser_id LEFT JOIN store_overview t ON t.franchiser_id = f.franchiser_id WHERE f.franchiser_id = $1`

func personTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (subscription.Person, error) {
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
