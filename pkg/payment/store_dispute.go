package payment

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
)

const (
	disputeColumns = `id, franchiser_id, payment_id, gateway_dispute_id, state, amount_paise,
		coalesce(refund_id::text, '') AS refund_id, opened_at, decided_at`
	disputeSQL     = `SELECT ` + disputeColumns + ` FROM disputes WHERE id = $1`
	openDisputeSQL = `
		INSERT INTO disputes (id, franchiser_id, payment_id, gateway_dispute_id, state, amount_paise, opened_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (payment_id, gateway_dispute_id) DO UPDATE SET state = disputes.state
		RETURNING ` + disputeColumns
	saveDisputeSQL = `
		UPDATE disputes SET state = $2, amount_paise = $3, refund_id = nullif($4, '')::uuid, decided_at = $5 WHERE id = $1`
)

// openDispute stores a dispute, or returns the one that is known by the gateway's name for it.
func (store) openDispute(ctx context.Context, tx *sqlx.Tx, d Dispute) (Dispute, error) {
	var stored Dispute
	err := tx.GetContext(ctx, &stored, openDisputeSQL, d.ID, d.FranchiserID, d.PaymentID, d.GatewayDisputeID, string(d.State),
		d.Amount, d.OpenedAt)
	if err != nil {
		return Dispute{}, fmt.Errorf("open dispute: %w", err)
	}
	return stored, nil
}

func (store) dispute(ctx context.Context, tx *sqlx.Tx, disputeID string) (Dispute, error) {
	var d Dispute
	if err := tx.GetContext(ctx, &d, disputeSQL, disputeID); err != nil {
		return Dispute{}, fmt.Errorf("read dispute: %w", err)
	}
	return d, nil
}

func (store) saveDispute(ctx context.Context, tx *sqlx.Tx, d Dispute, now time.Time) error {
	if _, err := tx.ExecContext(ctx, saveDisputeSQL, d.ID, string(d.State), d.Amount, d.RefundID, now); err != nil {
		return fmt.Errorf("save dispute: %w", err)
	}
	return nil
}
