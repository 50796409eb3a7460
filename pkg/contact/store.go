package contact

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/staff"
)

const decideSQL = `SELECT decide_newsletter($1, $2, $3, $4, $5)`

func decide(ctx context.Context, tx *sqlx.Tx, consentID, email string, given bool, version string, now time.Time) error {
	if _, err := tx.ExecContext(ctx, decideSQL, email, given, consentID, version, now); err != nil {
		return fmt.Errorf("save newsletter decision: %w", err)
	}
	return nil
}

const insertContactSQL = `
INSERT INTO contact_requests (id, name, email, mobile, topic, message, consent_version, consented_at, status, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $9, $8, $9, $9)`

func insertContact(ctx context.Context, tx *sqlx.Tx, c Request) error {
	_, err := tx.ExecContext(ctx, insertContactSQL, c.ID, c.Name, c.Email, c.Mobile, c.Topic, c.Message, c.ConsentVersion,
		c.Status, c.CreatedAt)
	if err != nil {
		return fmt.Errorf("insert contact request: %w", err)
	}
	return nil
}

const contactsWhere = ` FROM contact_requests c
WHERE ($1 = '' OR c.status = $1) AND ($2 = '' OR c.topic = $2)
  AND ($3 = '' OR starts_with(lower(c.name), $3) OR starts_with(lower(c.email), $3) OR starts_with(c.mobile, $3))`

func contactsSQL() string {
	return `
SELECT c.id, c.name, c.email, c.mobile, c.topic, c.message, c.consent_version, c.status, c.reply_note, coalesce(` + staff.NameSQL("c.handled_by") + `, '') AS handled_by,
    c.created_at, c.updated_at` + contactsWhere + ` ORDER BY c.created_at DESC, c.id DESC LIMIT $4 OFFSET $5`
}

const countContactsSQL = `SELECT count(*) FROM (SELECT` + contactsWhere + ` LIMIT 10001) AS counted`

const countOpenSQL = `SELECT count(*) FROM (SELECT FROM contact_requests WHERE status = 'open' LIMIT 10001) AS counted`

func contactsTx(ctx context.Context, tx *sqlx.Tx, f Filter, limit, offset int) (list []Request, total, open int, err error) {
	list = []Request{}
	if err := tx.SelectContext(ctx, &list, contactsSQL(), f.Status, f.Topic, f.Search, limit, offset); err != nil {
		return nil, 0, 0, fmt.Errorf("list contact requests: %w", err)
	}
	if err := tx.GetContext(ctx, &total, countContactsSQL, f.Status, f.Topic, f.Search); err != nil {
		return nil, 0, 0, fmt.Errorf("count contact requests: %w", err)
	}
	if err := tx.GetContext(ctx, &open, countOpenSQL); err != nil {
		return nil, 0, 0, fmt.Errorf("count open contact requests: %w", err)
	}
	return list, total, open, nil
}

const lockContactSQL = `SELECT status FROM contact_requests WHERE id = $1 FOR UPDATE`

const moveContactSQL = `
UPDATE contact_requests SET status = $2, reply_note = CASE WHEN $3 = '' THEN reply_note ELSE $3 END, handled_by = $4, updated_at = $5
WHERE id = $1`

func moveContact(ctx context.Context, tx *sqlx.Tx, contactID string, in Move, staffID string, now time.Time) (Status, error) {
	var before Status
	err := tx.GetContext(ctx, &before, lockContactSQL, contactID)
	if errors.Is(err, sql.ErrNoRows) {
		return "", errs.NotFound()
	}
	if err != nil {
		return "", fmt.Errorf("lock contact request: %w", err)
	}
	if _, err := tx.ExecContext(ctx, moveContactSQL, contactID, in.Status, in.Note, staffID, now); err != nil {
		return "", fmt.Errorf("move contact request: %w", err)
	}
	return before, nil
}
