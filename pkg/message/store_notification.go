package message

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
)

type notificationRow struct {
	ID        string    `db:"id"`
	Template  string    `db:"template"`
	About     string    `db:"about"`
	CreatedAt time.Time `db:"created_at"`
	Read      bool      `db:"read"`
}

// What was overtaken before it was sent is not shown: another message tells of it.
const (
	notificationsSQL = `
		SELECT id, template, about, created_at, read_at IS NOT NULL AS read FROM customer_messages
		WHERE franchiser_ref = $1 AND template = ANY($2) AND send_error IS DISTINCT FROM 'not_needed'
			AND ($3::timestamptz IS NULL OR (created_at, id) < ($3, $4::uuid))
		ORDER BY created_at DESC, id DESC LIMIT $5`
	unreadSQL = `
		SELECT count(*) FROM (SELECT FROM customer_messages
			WHERE franchiser_ref = $1 AND read_at IS NULL AND template = ANY($2) AND send_error IS DISTINCT FROM 'not_needed' LIMIT $3) x`
	markReadSQL = `
		UPDATE customer_messages SET read_at = $2
		WHERE franchiser_ref = $1 AND read_at IS NULL
			AND (id = ANY($3::uuid[]) OR $4::timestamptz IS NOT NULL AND (created_at, id) <= ($4, $5::uuid))`
)

func (c *NotificationCursor) args() (at *time.Time, id *string) {
	if c == nil {
		return nil, nil
	}
	return &c.At, &c.ID
}

func notificationsTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, templates pq.StringArray, after *NotificationCursor, limit int) ([]notificationRow, error) {
	var rows []notificationRow
	at, last := after.args()
	if err := tx.SelectContext(ctx, &rows, notificationsSQL, franchiserID, templates, at, last, limit); err != nil {
		return nil, fmt.Errorf("list notifications: %w", err)
	}
	return rows, nil
}

func unreadTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, templates pq.StringArray, most int) (n int, err error) {
	if err := tx.GetContext(ctx, &n, unreadSQL, franchiserID, templates, most); err != nil {
		return 0, fmt.Errorf("count notifications: %w", err)
	}
	return n, nil
}

func markReadTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, ids []string, upTo *NotificationCursor, now time.Time) error {
	at, last := upTo.args()
	if ids == nil {
		ids = []string{}
	}
	if _, err := tx.ExecContext(ctx, markReadSQL, franchiserID, now, pq.Array(ids), at, last); err != nil {
		return fmt.Errorf("mark notifications read: %w", err)
	}
	return nil
}
