package support

import (
	"context"
	"fmt"

	"github.com/jmoiron/sqlx"
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
FROM franchisers f JOIN contact_requests c ON c.mobile = f.mobile
WHERE f.id = $1 ORDER BY c.created_at, c.id`

func contactsOf(ctx context.Context, tx *sqlx.Tx, franchiserID string) ([]contactExport, error) {
	var rows []contactExport
	if err := tx.SelectContext(ctx, &rows, contactsOfSQL, franchiserID); err != nil {
		return nil, fmt.Errorf("export contact requests: %w", err)
	}
	return rows, nil
}

// What nobody confirmed of the account's address goes too: anybody could withdraw it.
const eraseNewsletterSQL = `
WITH decided AS (DELETE FROM newsletter_consents c USING franchisers f
    WHERE f.id = $1 AND (c.franchiser_ref = f.id OR c.franchiser_ref IS NULL AND c.email = f.email))
DELETE FROM newsletter_subscriptions n USING franchisers f
WHERE f.id = $1 AND (n.franchiser_ref = f.id OR n.franchiser_ref IS NULL AND n.email = f.email)`

// The columns that may not be empty get a word that names nobody. A request that has the e-mail alone in common stays:
// nobody proved that e-mail, and who types a stranger's must not wipe out what the stranger asked.
const eraseContactsSQL = `
UPDATE contact_requests c SET name = 'Erased', email = '', mobile = '', message = 'Erased on request', reply_note = ''
FROM franchisers f WHERE f.id = $1 AND c.mobile = f.mobile`

func eraseSite(ctx context.Context, tx *sqlx.Tx, franchiserID string) error {
	if _, err := tx.ExecContext(ctx, eraseNewsletterSQL, franchiserID); err != nil {
		return fmt.Errorf("erase newsletter decisions: %w", err)
	}
	if _, err := tx.ExecContext(ctx, eraseContactsSQL, franchiserID); err != nil {
		return fmt.Errorf("erase contact requests: %w", err)
	}
	return nil
}
