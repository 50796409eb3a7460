package contact

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/staff"
)

const insertContactSQL = `
INSERT INTO contact_requests (id, name, email, mobile, topic, message, consent_version, consented_at, state, created_at, updated_at, answer_by, settle_by)
VALUES ($1, $2, $3, $4, $5, $6, $7, $9, $8, $9, $9, $10, $11)`

func insertContact(ctx context.Context, tx *sqlx.Tx, c Request) error {
	_, err := tx.ExecContext(ctx, insertContactSQL, c.ID, c.Name, c.Email, c.Mobile, c.Topic, c.Message, c.ConsentVersion,
		c.State, c.CreatedAt, c.AnswerBy, c.SettleBy)
	if err != nil {
		return fmt.Errorf("insert contact request: %w", err)
	}
	return nil
}

// Late is an open request whose time is up at $1; each half has an index.
const lateSQL = `c.state = 'open' AND (c.answered_at IS NULL AND c.answer_by < $1 OR c.answered_at IS NOT NULL AND c.settle_by < $1)`

// visibleSQL limits finance to requests about billing and to requests that finance owns.
const visibleSQL = `(c.topic = 'billing' OR (SELECT acting_staff('help')) IS NOT NULL OR c.owner_id = (SELECT acting_staff('finance'))
    OR (SELECT acting_staff('auditor')) IS NOT NULL)`

const contactsWhere = ` FROM contact_requests c
WHERE ` + visibleSQL + ` AND ($2 = '' OR c.state = $2) AND ($3 = '' OR c.topic = $3)
  AND ($4 = '' OR starts_with(lower(c.name), $4) OR starts_with(lower(c.email), $4) OR starts_with(c.mobile, $4))
  AND ($5 = '' OR $5 = 'nobody' AND c.owner_id IS NULL OR $5 = 'me' AND c.owner_id = $6)
  AND (NOT $7 OR ` + lateSQL + `)`

// ofCustomerSQL narrows to the requests that name the customer $8. They are found by its mobile and its proved address, which have indexes.
const ofCustomerSQL = `
  AND (c.mobile <> '' AND c.mobile = (SELECT p.mobile FROM person_overview p WHERE p.franchiser_id = $8::uuid) OR c.email = (SELECT proved_email($8::uuid)))
  AND (SELECT u.franchiser_id FROM contact_customer(c.email, c.mobile) u) = $8::uuid`

func contactColumns() string {
	return `c.id, c.name, c.email, c.mobile, c.topic, c.message, c.consent_version, c.state, c.owner_id, coalesce(` + staff.NameSQL("c.owner_id") + `, '') AS owner,
    c.created_at, c.updated_at, c.answer_by, c.answered_at, c.settle_by, c.waiting_since, c.settled_at`
}

const customerColumns = `, u.franchiser_id AS customer_id, coalesce(u.name, '') AS customer, coalesce(u.by_email, false) AS by_email`

const customerJoin = ` LEFT JOIN LATERAL contact_customer(c.email, c.mobile) u ON true`

// contactsSQL returns the query for a page; where are the conditions, and the last two of n arguments are limit and offset.
func contactsSQL(where string, n int) string {
	return `SELECT c.id, c.name, c.email, c.mobile, c.topic, c.message, c.consent_version, c.state, c.owner_id, c.owner, c.created_at,
		c.updated_at, c.answer_by, c.answered_at, c.settle_by, c.waiting_since, c.settled_at` + customerColumns + ` FROM (SELECT ` + contactColumns() + where +
		fmt.Sprintf(` ORDER BY c.created_at DESC, c.id DESC LIMIT $%d OFFSET $%d) c`, n-1, n) +
		customerJoin + ` ORDER BY c.created_at DESC, c.id DESC`
}

func contactsTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, f Filter, now time.Time, limit, offset int) (list []Request, total int, err error) {
	list = []Request{}
	where, args := contactsWhere, []any{now, f.State, f.Topic, f.Search, f.Owner, p.StaffID, f.Overdue}
	if f.CustomerID != "" {
		where, args = where+ofCustomerSQL, append(args, f.CustomerID)
	}
	if err := tx.SelectContext(ctx, &list, contactsSQL(where, len(args)+2), append(slices.Clone(args), limit, offset)...); err != nil {
		return nil, 0, fmt.Errorf("list contact requests: %w", err)
	}
	if err := tx.GetContext(ctx, &total, `SELECT count(*) FROM (SELECT`+where+` LIMIT 10001) AS counted`, args...); err != nil {
		return nil, 0, fmt.Errorf("count contact requests: %w", err)
	}
	return list, total, nil
}

const countsSQL = `
SELECT count(*) FILTER (WHERE c.state = 'open') AS open, count(*) FILTER (WHERE c.state = 'waiting') AS waiting,
    count(*) FILTER (WHERE c.state = 'answered') AS answered, count(*) FILTER (WHERE c.state = 'closed') AS closed,
    count(*) FILTER (WHERE c.state = 'open' AND c.owner_id IS NULL) AS unowned, count(*) FILTER (WHERE ` + lateSQL + `) AS overdue
FROM contact_requests c WHERE ` + visibleSQL

func countsTx(ctx context.Context, tx *sqlx.Tx, now time.Time) (c Counts, err error) {
	if err := tx.GetContext(ctx, &c, countsSQL, now); err != nil {
		return c, fmt.Errorf("count contact requests by state: %w", err)
	}
	return c, nil
}

func contactTx(ctx context.Context, tx *sqlx.Tx, contactID string) (Request, error) {
	return oneContact(ctx, tx, `SELECT `+contactColumns()+customerColumns+` FROM contact_requests c`+customerJoin+` WHERE c.id = $1 AND `+visibleSQL, contactID)
}

func lockContactTx(ctx context.Context, tx *sqlx.Tx, contactID string) (Request, error) {
	return oneContact(ctx, tx, `SELECT `+contactColumns()+` FROM contact_requests c WHERE c.id = $1 AND `+visibleSQL+` FOR UPDATE OF c`, contactID)
}

func oneContact(ctx context.Context, tx *sqlx.Tx, query, contactID string) (r Request, err error) {
	err = tx.GetContext(ctx, &r, query, contactID)
	if errors.Is(err, sql.ErrNoRows) {
		return r, errs.NotFound()
	}
	if err != nil {
		return r, fmt.Errorf("read contact request: %w", err)
	}
	return r, nil
}

const saveContactSQL = `
UPDATE contact_requests SET state = $2, owner_id = $3, owned_at = CASE WHEN $3::uuid IS NULL THEN NULL WHEN owner_id IS DISTINCT FROM $3 THEN $4 ELSE owned_at END,
    updated_at = $4, answered_at = $5, settle_by = $6, waiting_since = $7, settled_at = $8, handled_by = $9
WHERE id = $1`

func saveContactTx(ctx context.Context, tx *sqlx.Tx, r Request, staffID string) error {
	_, err := tx.ExecContext(ctx, saveContactSQL, r.ID, r.State, r.OwnerID, r.UpdatedAt, r.Answered, r.SettleBy, r.Waiting, r.Settled, staffID)
	if err != nil {
		return fmt.Errorf("save contact request: %w", err)
	}
	return nil
}

func entryColumns() string {
	return `e.id, e.contact_id, e.kind, e.text, e.key, e.written_by, coalesce(` + staff.NameSQL("e.written_by") + `, '') AS author, e.created_at, e.expires_at, e.sent_at, e.send_error`
}

// maxEntries is how many entries of one request are shown; no request has as many.
const maxEntries = 500

func entriesTx(ctx context.Context, tx *sqlx.Tx, contactID string) ([]Entry, error) {
	list := []Entry{}
	err := tx.SelectContext(ctx, &list, `SELECT `+entryColumns()+` FROM contact_entries e WHERE e.contact_id = $1 ORDER BY e.created_at, e.id LIMIT $2`,
		contactID, maxEntries)
	if err != nil {
		return nil, fmt.Errorf("list entries of a contact request: %w", err)
	}
	return list, nil
}

const insertEntrySQL = `
INSERT INTO contact_entries (id, contact_id, kind, text, key, written_by, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (contact_id, key) DO NOTHING`

// insertEntryTx reports whether the entry is new.
func insertEntryTx(ctx context.Context, tx *sqlx.Tx, e Entry) (bool, error) {
	done, err := tx.ExecContext(ctx, insertEntrySQL, e.ID, e.ContactID, e.Kind, e.Text, e.Key, e.WrittenBy, e.CreatedAt, e.ExpiresAt)
	if err != nil {
		return false, fmt.Errorf("insert entry of a contact request: %w", err)
	}
	n, err := done.RowsAffected()
	return n == 1, err
}

const sameEntrySQL = `SELECT EXISTS (SELECT FROM contact_entries WHERE contact_id = $1 AND key = $2 AND kind = $3 AND text = $4)`

// sameEntryTx reports whether the entry that has the key already is this one.
func sameEntryTx(ctx context.Context, tx *sqlx.Tx, e Entry) (same bool, err error) {
	if err := tx.GetContext(ctx, &same, sameEntrySQL, e.ContactID, e.Key, e.Kind, e.Text); err != nil {
		return false, fmt.Errorf("find entry of a contact request: %w", err)
	}
	return same, nil
}

func colleaguesTx(ctx context.Context, tx *sqlx.Tx) ([]Colleague, error) {
	list := []Colleague{}
	if err := tx.SelectContext(ctx, &list, `SELECT id, name, role FROM staff_who_answer()`); err != nil {
		return nil, fmt.Errorf("list who sees to contact requests: %w", err)
	}
	return list, nil
}
