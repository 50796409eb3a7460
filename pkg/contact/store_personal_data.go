package contact

import (
	"context"
	"fmt"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
)

const decisionsOfSQL = `
SELECT c.email, c.given, c.text_version, c.decided_at, c.confirmed_at
FROM newsletter_consents c WHERE c.franchiser_ref = $1 OR c.franchiser_ref IS NULL AND c.email = $2 AND $2 <> '' ORDER BY c.decided_at, c.id`

func decisionsOf(ctx context.Context, tx *sqlx.Tx, franchiserID string, person account.Reach) ([]decisionExport, error) {
	var rows []decisionExport
	if err := tx.SelectContext(ctx, &rows, decisionsOfSQL, franchiserID, proved(person)); err != nil {
		return nil, fmt.Errorf("export newsletter decisions: %w", err)
	}
	return rows, nil
}

// theirs are the requests with the mobile $1, with the proved e-mail address $2, or of the franchiser $3.
const theirs = `(mobile = $1 AND mobile <> '' OR email = $2 AND $2 <> '' OR franchiser_ref = $3)`

const contactsOfSQL = `
SELECT id, created_at, state, topic, consent_version, name, email, mobile FROM contact_requests WHERE ` + theirs + ` ORDER BY created_at, id`

const entriesOfSQL = `
SELECT e.contact_id, e.created_at, e.kind, e.channel, e.text, e.quoted, e.id,
    coalesce((SELECT array_agg(f.name ORDER BY f.created_at, f.id) FROM contact_files f WHERE f.entry_id = e.id), '{}') AS files
FROM contact_entries e
WHERE e.contact_id IN (SELECT id FROM contact_requests WHERE ` + theirs + `) ORDER BY e.created_at, e.id`

// proved returns the person's e-mail address, empty unless it was proved.
func proved(person account.Reach) string {
	if !person.Proved {
		return ""
	}
	return person.Email
}

func contactsOf(ctx context.Context, tx *sqlx.Tx, franchiserID string, person account.Reach) ([]contactExport, error) {
	var rows []contactExport
	if err := tx.SelectContext(ctx, &rows, contactsOfSQL, person.Mobile, proved(person), franchiserID); err != nil {
		return nil, fmt.Errorf("export contact requests: %w", err)
	}
	var entries []entryExport
	if err := tx.SelectContext(ctx, &entries, entriesOfSQL, person.Mobile, proved(person), franchiserID); err != nil {
		return nil, fmt.Errorf("export entries of contact requests: %w", err)
	}
	for i, row := range rows {
		for _, e := range entries {
			if e.ContactID == row.ID {
				rows[i].Thread = append(rows[i].Thread, e)
			}
		}
	}
	return rows, nil
}

// Unconfirmed records of the account's address are deleted too. Confirmed records go only with the account that proved the address ($3):
// typing a stranger's address must not end the stranger's subscription.
const (
	eraseNewsletterSQL = `
WITH theirs AS (SELECT n.id, n.email, n.franchiser_ref FROM newsletter_subscriptions n
    WHERE n.franchiser_ref = $1 OR n.franchiser_ref IS NULL AND n.email = $2 AND $2 <> '' AND ($3 OR n.confirmed_at IS NULL)),
decided AS (DELETE FROM newsletter_consents c USING theirs t
    WHERE c.email = t.email AND c.franchiser_ref IS NOT DISTINCT FROM t.franchiser_ref)
DELETE FROM newsletter_subscriptions n USING theirs t WHERE n.id = t.id`
	eraseLettersSQL = `DELETE FROM newsletter_letters WHERE email = $1`
)

// Columns that may not be empty get a neutral word. A request that shares only an unproved e-mail address is kept: typing a stranger's
// address must not delete the stranger's request. The thread goes first: it is found by its request.
const (
	eraseFilesSQL = `
DELETE FROM contact_files WHERE franchiser_ref = $3
    OR entry_id IN (SELECT e.id FROM contact_entries e WHERE e.contact_id IN (SELECT id FROM contact_requests WHERE ` + theirs + `))`
	// What has arrived and waits is found by its sender.
	eraseInboundSQL = `
DELETE FROM contact_inbound WHERE channel = 'whatsapp' AND sender = $1 OR channel = 'email' AND sender = $2 AND $2 <> '' AND $3::uuid IS NOT NULL`
	eraseEntriesSQL = `
UPDATE contact_entries SET text = 'Erased on request', quoted = '', sender = '', key = id::text,
    external_id = CASE WHEN external_id IS NOT NULL THEN 'erased:' || id END
WHERE contact_id IN (SELECT id FROM contact_requests WHERE ` + theirs + `)`
	// Nobody waits for an answer any more.
	eraseContactsSQL = `
UPDATE contact_requests SET name = 'Erased', email = '', mobile = '', franchiser_ref = NULL, waiting_since = NULL,
    state = CASE WHEN state IN ('open', 'waiting') THEN 'closed' ELSE state END, settled_at = coalesce(settled_at, updated_at)
WHERE ` + theirs
)

func eraseSite(ctx context.Context, tx *sqlx.Tx, franchiserID string, person account.Reach) error {
	if _, err := tx.ExecContext(ctx, eraseNewsletterSQL, franchiserID, person.Email, person.Proved); err != nil {
		return fmt.Errorf("erase newsletter decisions: %w", err)
	}
	if _, err := tx.ExecContext(ctx, eraseLettersSQL, person.Email); err != nil {
		return fmt.Errorf("erase e-mails about the newsletter: %w", err)
	}
	for _, statement := range []struct{ what, sql string }{
		{"files of contact requests", eraseFilesSQL},
		{"arrived messages", eraseInboundSQL},
		{"entries of contact requests", eraseEntriesSQL},
		{"contact requests", eraseContactsSQL},
	} {
		if _, err := tx.ExecContext(ctx, statement.sql, person.Mobile, proved(person), franchiserID); err != nil {
			return fmt.Errorf("erase %s: %w", statement.what, err)
		}
	}
	return nil
}
