package dispute

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// Dispute is a chargeback: a customer's bank reclaiming the money.
type Dispute struct {
	ID               string               `db:"id"`
	FranchiserID     string               `db:"franchiser_id"`
	PaymentID        string               `db:"payment_id"`
	GatewayDisputeID string               `db:"gateway_dispute_id"`
	State            payment.DisputeState `db:"state"`
	// Confirmed reports whether the gateway signed or confirmed it, or staff read it there; otherwise it rests only on a
	// notice that anybody may have written.
	Confirmed bool `db:"confirmed"`
	// Amount is the disputed amount or, once it is lost, the amount taken, in paise.
	Amount    money.Paise `db:"amount_paise"`
	RefundID  string      `db:"refund_id"`
	OpenedAt  time.Time   `db:"opened_at"`
	DecidedAt *time.Time  `db:"decided_at"`
}

// MaxUnconfirmed limits a payment's disputes that rest on hints alone.
const MaxUnconfirmed = 5

const (
	// Columns are those of a Dispute.
	Columns = `id, franchiser_id, payment_id, gateway_dispute_id, state, confirmed, amount_paise,
		coalesce(refund_id::text, '') AS refund_id, opened_at, decided_at`
	disputeSQL     = `SELECT ` + Columns + ` FROM disputes WHERE id = $1`
	disputesOfSQL  = `SELECT ` + Columns + ` FROM disputes WHERE payment_id = $1 ORDER BY opened_at, id`
	openDisputeSQL = `
		INSERT INTO disputes (id, franchiser_id, payment_id, gateway_dispute_id, state, amount_paise, opened_at, confirmed)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT (payment_id, gateway_dispute_id) DO UPDATE SET confirmed = disputes.confirmed OR EXCLUDED.confirmed,
			amount_paise = CASE WHEN EXCLUDED.confirmed AND NOT disputes.confirmed THEN EXCLUDED.amount_paise ELSE disputes.amount_paise END,
			state = CASE WHEN EXCLUDED.confirmed AND disputes.state = 'dismissed' THEN 'open' ELSE disputes.state END,
			decided_at = CASE WHEN EXCLUDED.confirmed AND disputes.state = 'dismissed' THEN NULL ELSE disputes.decided_at END
		RETURNING ` + Columns
	saveDisputeSQL = `
		UPDATE disputes SET state = $2, amount_paise = $3, refund_id = nullif($4, '')::uuid, confirmed = $6,
			decided_at = CASE WHEN $2 <> 'open' THEN $5::timestamptz END
		WHERE id = $1`
	disputeConfirmedSQL = `SELECT EXISTS (SELECT FROM disputes WHERE payment_id = $1 AND gateway_dispute_id = $2 AND confirmed)`

	closeDisputeSQL = `UPDATE disputes SET state = $2, confirmed = $3, decided_at = $4 WHERE id = $1`
	disputeHeardSQL = `
		SELECT EXISTS (SELECT FROM disputes WHERE payment_id = $1 AND gateway_dispute_id = $2) AS is_ours,
			EXISTS (SELECT FROM disputes d JOIN payments p ON p.id = d.payment_id
				WHERE d.gateway_dispute_id = $2 AND d.payment_id <> $1 AND d.confirmed AND p.gateway = $3) AS is_foreign,
			(SELECT count(*) FROM disputes WHERE payment_id = $1 AND NOT confirmed AND state = 'open') AS unconfirmed`
)

// heardDispute is what we know of a gateway's dispute id: whether it is this payment's, whether the gateway confirmed
// it as another payment's, and how many open disputes of this payment are unconfirmed.
type heardDispute struct {
	Ours        bool `db:"is_ours"`
	Foreign     bool `db:"is_foreign"`
	Unconfirmed int  `db:"unconfirmed"`
}

func disputeHeardTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment, gatewayDisputeID string) (heardDispute, error) {
	var heard heardDispute
	if err := tx.GetContext(ctx, &heard, disputeHeardSQL, p.ID, gatewayDisputeID, p.Gateway); err != nil {
		return heard, fmt.Errorf("find dispute: %w", err)
	}
	return heard, nil
}

// OpenTx stores a dispute, or returns the existing one with the gateway's id.
func OpenTx(ctx context.Context, tx *sqlx.Tx, d Dispute) (Dispute, error) {
	var stored Dispute
	err := tx.GetContext(ctx, &stored, openDisputeSQL, d.ID, d.FranchiserID, d.PaymentID, d.GatewayDisputeID, string(d.State),
		d.Amount, d.OpenedAt, d.Confirmed)
	if err != nil {
		return Dispute{}, fmt.Errorf("open dispute: %w", err)
	}
	return stored, nil
}

func disputeTx(ctx context.Context, tx *sqlx.Tx, disputeID string) (Dispute, error) {
	var d Dispute
	err := tx.GetContext(ctx, &d, disputeSQL, disputeID)
	if errors.Is(err, sql.ErrNoRows) {
		return Dispute{}, errs.NotFound()
	}
	if err != nil {
		return Dispute{}, fmt.Errorf("read dispute: %w", err)
	}
	return d, nil
}

// closeDisputeTx writes the fields of a dispute that the API's role may write.
func closeDisputeTx(ctx context.Context, tx *sqlx.Tx, d Dispute) error {
	if _, err := tx.ExecContext(ctx, closeDisputeSQL, d.ID, string(d.State), d.Confirmed, d.DecidedAt); err != nil {
		return fmt.Errorf("close dispute: %w", err)
	}
	return nil
}

func saveDisputeTx(ctx context.Context, tx *sqlx.Tx, d Dispute, now time.Time) error {
	if _, err := tx.ExecContext(ctx, saveDisputeSQL, d.ID, string(d.State), d.Amount, d.RefundID, now, d.Confirmed); err != nil {
		return fmt.Errorf("save dispute: %w", err)
	}
	return nil
}

// ConfirmedTx reports whether the gateway itself confirmed the dispute, rather than only a notice or a letter.
func ConfirmedTx(ctx context.Context, tx *sqlx.Tx, paymentID, gatewayDisputeID string) (bool, error) {
	var confirmed bool
	if err := tx.GetContext(ctx, &confirmed, disputeConfirmedSQL, paymentID, gatewayDisputeID); err != nil {
		return false, fmt.Errorf("look for a confirmed dispute: %w", err)
	}
	return confirmed, nil
}

// OfTx returns the known disputes of a payment, the first one first.
func OfTx(ctx context.Context, tx *sqlx.Tx, paymentID string) ([]Dispute, error) {
	var known []Dispute
	if err := tx.SelectContext(ctx, &known, disputesOfSQL, paymentID); err != nil {
		return nil, fmt.Errorf("read disputes of a payment: %w", err)
	}
	return known, nil
}
