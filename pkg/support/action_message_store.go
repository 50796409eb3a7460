package support

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

func invoiceNumberTx(ctx context.Context, tx *sqlx.Tx, franchiserID, invoiceID string) (string, error) {
	var number string
	err := tx.GetContext(ctx, &number, `SELECT number FROM invoices WHERE franchiser_id = $1 AND id = $2`, franchiserID, invoiceID)
	if errors.Is(err, sql.ErrNoRows) {
		return "", errs.NotFound()
	}
	if err != nil {
		return "", fmt.Errorf("read invoice: %w", err)
	}
	return number, nil
}

const lastMessageSQL = `
SELECT max(created_at) FROM support_messages
WHERE franchiser_ref = $1 AND kind = $2 AND ($3::uuid IS NULL OR invoice_id = $3)`

// lastMessageTx returns when such a message was asked for last, nil where none was.
func lastMessageTx(ctx context.Context, tx *sqlx.Tx, franchiserID, kind string, invoiceID *string) (*time.Time, error) {
	var last *time.Time
	if err := tx.GetContext(ctx, &last, lastMessageSQL, franchiserID, kind, invoiceID); err != nil {
		return nil, fmt.Errorf("read last message: %w", err)
	}
	return last, nil
}

const insertMessageSQL = `
INSERT INTO support_messages (id, franchiser_ref, kind, invoice_id, view_id, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`

func insertMessageTx(ctx context.Context, tx *sqlx.Tx, m message) error {
	_, err := tx.ExecContext(ctx, insertMessageSQL, m.ID, m.FranchiserID, m.Kind, m.InvoiceID, m.ViewID, m.CreatedAt, m.ExpiresAt)
	if err != nil {
		return fmt.Errorf("insert message: %w", err)
	}
	return nil
}

// outgoing is a message that waits to be sent, with what it speaks of.
type outgoing struct {
	message

	Mobile string `db:"mobile"`
	Number string `db:"number"`
}

const outgoingSQL = `
SELECT m.id, m.franchiser_ref, m.kind, m.invoice_id, m.view_id, m.created_at, m.expires_at, f.mobile, coalesce(i.number, '') AS number
FROM support_messages m
JOIN franchisers f ON f.id = m.franchiser_ref AND f.erased_at IS NULL
LEFT JOIN invoices i ON i.id = m.invoice_id
LEFT JOIN support_views v ON v.id = m.view_id
WHERE m.id = $1 AND m.sent_at IS NULL AND (v.id IS NULL OR v.begun_at IS NULL AND v.ended_at IS NULL)`

// outgoingTx reads what is still to be sent, nil where there is no need any more.
func outgoingTx(ctx context.Context, tx *sqlx.Tx, messageID string) (*outgoing, error) {
	var o outgoing
	err := tx.GetContext(ctx, &o, outgoingSQL, messageID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil // nothing to send
	}
	if err != nil {
		return nil, fmt.Errorf("read message: %w", err)
	}
	return &o, nil
}

func markSentTx(ctx context.Context, tx *sqlx.Tx, messageID string, now time.Time) error {
	_, err := tx.ExecContext(ctx, `UPDATE support_messages SET sent_at = $2, send_error = NULL WHERE id = $1`, messageID, now)
	if err != nil {
		return fmt.Errorf("mark sent: %w", err)
	}
	return nil
}

func markFailedTx(ctx context.Context, tx *sqlx.Tx, messageID, code string) error {
	_, err := tx.ExecContext(ctx, `UPDATE support_messages SET send_error = $2 WHERE id = $1`, messageID, code)
	if err != nil {
		return fmt.Errorf("mark failed: %w", err)
	}
	return nil
}
