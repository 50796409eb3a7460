package message

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
)

// lockStaffMessagesTx serialises requests for messages of one kind to a franchiser.
func lockStaffMessagesTx(ctx context.Context, tx *sqlx.Tx, m StaffMessage) error {
	const lockSQL = `SELECT pg_advisory_xact_lock(hashtextextended('staff message ' || $1 || ' ' || $2, 0))`
	if _, err := tx.ExecContext(ctx, lockSQL, m.FranchiserID, m.Template); err != nil {
		return fmt.Errorf("lock messages of staff: %w", err)
	}
	return nil
}

const lastStaffMessageSQL = `
SELECT max(created_at) FROM support_messages
WHERE franchiser_ref = $1 AND kind = $2 AND ($3::uuid IS NULL OR invoice_id = $3)`

// lastStaffMessageTx returns when such a message was last requested, nil if never.
func lastStaffMessageTx(ctx context.Context, tx *sqlx.Tx, m StaffMessage) (*time.Time, error) {
	var last *time.Time
	if err := tx.GetContext(ctx, &last, lastStaffMessageSQL, m.FranchiserID, m.Template, m.InvoiceID); err != nil {
		return nil, fmt.Errorf("read last message: %w", err)
	}
	return last, nil
}

const insertStaffMessageSQL = `
INSERT INTO support_messages (id, franchiser_ref, kind, invoice_id, view_id, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`

func insertStaffMessageTx(ctx context.Context, tx *sqlx.Tx, m StaffMessage) error {
	_, err := tx.ExecContext(ctx, insertStaffMessageSQL, m.ID, m.FranchiserID, m.Template, m.InvoiceID, m.ViewID, m.CreatedAt, m.ExpiresAt)
	if err != nil {
		return fmt.Errorf("insert message: %w", err)
	}
	return nil
}

const unsentSQL = `
SELECT id, franchiser_ref, kind, invoice_id, view_id, created_at, expires_at FROM support_messages WHERE id = $1 AND sent_at IS NULL`

// unsentTx returns an unsent message, or nil.
func unsentTx(ctx context.Context, tx *sqlx.Tx, messageID string) (*StaffMessage, error) {
	var m StaffMessage
	err := tx.GetContext(ctx, &m, unsentSQL, messageID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil // nothing to send
	}
	if err != nil {
		return nil, fmt.Errorf("read message: %w", err)
	}
	return &m, nil
}
