package message

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

const insertCustomerMessageSQL = `
INSERT INTO customer_messages (id, franchiser_ref, template, about, created_at, expires_at)
VALUES (:id, :franchiser_ref, :template, :about, :created_at, :expires_at) ON CONFLICT (template, about) DO NOTHING`

// insertCustomerMessageTx returns false if the message was stored before.
func insertCustomerMessageTx(ctx context.Context, tx *sqlx.Tx, m CustomerMessage) (fresh bool, err error) {
	done, err := tx.NamedExecContext(ctx, insertCustomerMessageSQL, m)
	if err != nil {
		return false, fmt.Errorf("insert message to a customer: %w", err)
	}
	n, err := done.RowsAffected()
	return n == 1, err
}

const unsentCustomerMessageSQL = `
SELECT id, franchiser_ref, template, about, created_at, expires_at FROM customer_messages WHERE id = $1 AND sent_at IS NULL`

// unsentCustomerMessageTx returns an unsent message, or nil.
func unsentCustomerMessageTx(ctx context.Context, tx *sqlx.Tx, messageID string) (*CustomerMessage, error) {
	var m CustomerMessage
	err := tx.GetContext(ctx, &m, unsentCustomerMessageSQL, messageID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil // nothing to send
	}
	if err != nil {
		return nil, fmt.Errorf("read message to a customer: %w", err)
	}
	return &m, nil
}

func customerMessageSentTx(ctx context.Context, tx *sqlx.Tx, messageID string, now time.Time) error {
	const sentSQL = `UPDATE customer_messages SET sent_at = $2, send_error = NULL WHERE id = $1`
	if _, err := tx.ExecContext(ctx, sentSQL, messageID, now); err != nil {
		return fmt.Errorf("mark message to a customer sent: %w", err)
	}
	return nil
}

func customerMessageFailedTx(ctx context.Context, tx *sqlx.Tx, messageID, code string) error {
	if _, err := tx.ExecContext(ctx, `UPDATE customer_messages SET send_error = $2 WHERE id = $1`, messageID, code); err != nil {
		return fmt.Errorf("mark message to a customer failed: %w", err)
	}
	return nil
}

const reviveCustomerMessageSQL = `
UPDATE customer_messages SET send_error = NULL, expires_at = $4
WHERE template = $1 AND about = $2 AND franchiser_ref = $3 AND sent_at IS NULL AND send_error = $5 RETURNING id`

// reviveCustomerMessageTx returns the id of a message that failed for want of an address and can be sent now, or "".
func reviveCustomerMessageTx(ctx context.Context, tx *sqlx.Tx, m CustomerMessage, expiresAt time.Time) (messageID string, err error) {
	err = tx.GetContext(ctx, &messageID, reviveCustomerMessageSQL, m.Template, m.About, m.FranchiserID, expiresAt, codeNoAddress)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("revive message to a customer: %w", err)
	}
	return messageID, nil
}

// keepCustomerMessages is how much longer than what became of them the messages to customers are kept: their dashboard
// lists them.
const keepCustomerMessages = 150 * 24 * time.Hour

const purgeCustomerMessagesSQL = `DELETE FROM customer_messages WHERE expires_at < $1`

func purgeCustomerMessages(ctx context.Context, db *sqlx.DB, before time.Time) error {
	_, err := postgres.DeleteInBatches(ctx, db, purgeCustomerMessagesSQL, before.Add(-keepCustomerMessages))
	return err
}
