package contact

import (
	"context"
	"fmt"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
)

const decisionsOfSQL = `
SELECT c.email, c.given, c.text_version, c.decided_at
FROM newsletter_consents c WHERE c.franchiser_ref = $1 ORDER BY c.decided_at, c.id`

func decisionsOf(ctx context.Context, tx *sqlx.Tx, franchiserID string) ([]decisionExport, error) {
	var rows []decisionExport
	if err := tx.SelectContext(ctx, &rows, decisionsOfSQL, franchiserID); err != nil {
		return nil, fmt.Errorf("export newsletter decisions: %w", err)
	}
	return rows, nil
}

const contactsOfSQL = `
SELECT c.created_at, c.status, c.topic, c.consent_version, c.name, c.email, c.mobile, c.message, c.reply_note
FROM contact_requests c WHERE c.mobile = $1 AND c.mobile <> '' ORDER BY c.created_at, c.id`

func contactsOf(ctx context.Context, tx *sqlx.Tx, mobile string) ([]contactExport, error) {
	var rows []contactExport
	if err := tx.SelectContext(ctx, &rows, contactsOfSQL, mobile); err != nil {
		return nil, fmt.Errorf("export contact requests: %w", err)
	}
	return rows, nil
}

// Unconfirmed subscriptions of the account's address are deleted too: anybody could withdraw them.
const eraseNewsletterSQL = `
WITH decided AS (DELETE FROM newsletter_consents c
    WHERE c.franchiser_ref = $1 OR c.franchiser_ref IS NULL AND c.email = $2 AND $2 <> '')
DELETE FROM newsletter_subscriptions n
WHERE n.franchiser_ref = $1 OR n.franchiser_ref IS NULL AND n.email = $2 AND $2 <> ''`

// Columns that may not be empty get a neutral word. A request that shares only the e-mail is kept: the e-mail
// is unverified, and nobody must be able to wipe out a stranger's request by typing the stranger's address.
const eraseContactsSQL = `
UPDATE contact_requests SET name = 'Erased', email = '', mobile = '', message = 'Erased on request', reply_note = ''
WHERE mobile = $1 AND mobile <> ''`

func eraseSite(ctx context.Context, tx *sqlx.Tx, franchiserID string, person account.Reach) error {
	if _, err := tx.ExecContext(ctx, eraseNewsletterSQL, franchiserID, person.Email); err != nil {
		return fmt.Errorf("erase newsletter decisions: %w", err)
	}
	if _, err := tx.ExecContext(ctx, eraseContactsSQL, person.Mobile); err != nil {
		return fmt.Errorf("erase contact requests: %w", err)
	}
	return nil
}
