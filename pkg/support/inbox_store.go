package support

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// A withdrawal by an address that never subscribed writes nothing.
const decideSQL = `
WITH newest AS (
    INSERT INTO newsletter_subscriptions (email, subscribed, updated_at) SELECT $1, $2, $3
    WHERE $2 OR EXISTS (SELECT FROM newsletter_subscriptions WHERE email = $1)
    ON CONFLICT (email) DO UPDATE SET subscribed = excluded.subscribed, updated_at = excluded.updated_at
    RETURNING email
)
SELECT count(*) FROM newest`

const noteConsentSQL = `
INSERT INTO newsletter_consents (id, email, given, text_version, decided_at) VALUES ($1, $2, $3, $4, $5)`

func decide(ctx context.Context, tx *sqlx.Tx, consentID, email string, given bool, version string, now time.Time) error {
	var known int
	err := tx.GetContext(ctx, &known, decideSQL, email, given, now)
	if err != nil {
		return fmt.Errorf("save newsletter decision: %w", err)
	}
	if known == 0 {
		return nil
	}
	if _, err := tx.ExecContext(ctx, noteConsentSQL, consentID, email, given, version, now); err != nil {
		return fmt.Errorf("note newsletter consent: %w", err)
	}
	return nil
}

const insertContactSQL = `
INSERT INTO contact_requests (id, name, email, mobile, topic, message, consent_version, consented_at, status, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $9, $8, $9, $9)`

func insertContact(ctx context.Context, tx *sqlx.Tx, c Contact) error {
	_, err := tx.ExecContext(ctx, insertContactSQL, c.ID, c.Name, c.Email, c.Mobile, c.Topic, c.Message, c.ConsentVersion,
		c.Status, c.CreatedAt)
	if err != nil {
		return fmt.Errorf("insert contact request: %w", err)
	}
	return nil
}

const contactsSQL = `
SELECT id, name, email, mobile, topic, message, consent_version, status, created_at, updated_at FROM contact_requests
WHERE $1 = '' OR status = $1 ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3`

const countContactsSQL = `
SELECT count(*) FROM (SELECT FROM contact_requests WHERE $1 = '' OR status = $1 LIMIT 10001) AS counted`

func contacts(ctx context.Context, db *sqlx.DB, status ContactStatus, limit, offset int) ([]Contact, int, error) {
	list, total := []Contact{}, 0
	if err := db.SelectContext(ctx, &list, contactsSQL, status, limit, offset); err != nil {
		return nil, 0, postgres.Error(fmt.Errorf("list contact requests: %w", err))
	}
	if err := db.GetContext(ctx, &total, countContactsSQL, status); err != nil {
		return nil, 0, postgres.Error(fmt.Errorf("count contact requests: %w", err))
	}
	return list, total, nil
}

const lockContactSQL = `SELECT status FROM contact_requests WHERE id = $1 FOR UPDATE`

const setContactStatusSQL = `UPDATE contact_requests SET status = $2, updated_at = $3 WHERE id = $1`

func setContactStatus(ctx context.Context, tx *sqlx.Tx, contactID string, status ContactStatus, now time.Time) (ContactStatus, error) {
	var before ContactStatus
	err := tx.GetContext(ctx, &before, lockContactSQL, contactID)
	if errors.Is(err, sql.ErrNoRows) {
		return "", errs.NotFound()
	}
	if err != nil {
		return "", fmt.Errorf("lock contact request: %w", err)
	}
	if _, err := tx.ExecContext(ctx, setContactStatusSQL, contactID, status, now); err != nil {
		return "", fmt.Errorf("set contact status: %w", err)
	}
	return before, nil
}
