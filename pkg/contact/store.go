package contact

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/idempotency"
	"github.com/franchise360/franchise360/pkg/staff"
)

const insertContactSQL = `
INSERT INTO contact_requests (id, franchiser_ref, name, email, mobile, topic, consent_version, consented_at, state, created_at, updated_at, answer_by,
    settle_by, channel, wrote_at, whatsapp_at, priority)
VALUES ($1, $2, $3, $4, $5, $6, $7, CASE WHEN $7 <> '' THEN $9::timestamptz END, $8, $9, $9, $10, $11, $12, $9, $13, $14)`

func insertContact(ctx context.Context, tx *sqlx.Tx, c Request) error {
	_, err := tx.ExecContext(ctx, insertContactSQL, c.ID, c.FranchiserID, c.Name, c.Email, c.Mobile, c.Topic, c.ConsentVersion,
		c.State, c.CreatedAt, c.AnswerBy, c.SettleBy, c.Channel, c.WhatsAppAt, c.Priority)
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
  AND (c.mobile <> '' AND c.mobile = (SELECT p.mobile FROM person_overview p WHERE p.franchiser_id = $8::uuid) OR c.email = (SELECT proved_email($8::uuid))
    OR c.franchiser_ref = $8::uuid)
  AND (SELECT u.franchiser_id FROM contact_customer(c.email, c.mobile, c.franchiser_ref) u) = $8::uuid`

func contactColumns() string {
	return ownColumns + `, coalesce(` + staff.NameSQL("c.owner_id") + `, '') AS owner`
}

const ownColumns = `c.id, c.franchiser_ref, c.name, c.email, c.mobile, c.topic, c.consent_version, c.state, c.owner_id, c.created_at, c.updated_at,
    c.answer_by, c.answered_at, c.settle_by, c.waiting_since, c.settled_at, c.channel, c.wrote_at, c.whatsapp_at, c.priority, c.version`

// messageSQL is the beginning of the person's last message.
const messageSQL = `, coalesce((SELECT left(e.text, 300) FROM contact_entries e WHERE e.contact_id = c.id AND e.kind = 'answer'
    ORDER BY e.created_at DESC, e.id DESC LIMIT 1), '') AS message`

const customerColumns = `, u.franchiser_id AS customer_id, coalesce(u.name, '') AS customer, coalesce(u.by_email, false) AS by_email`

const customerJoin = ` LEFT JOIN LATERAL contact_customer(c.email, c.mobile, c.franchiser_ref) u ON true`

// contactsSQL returns the query for a page; where are the conditions, and the last two of n arguments are limit and offset.
func contactsSQL(where string, n int) string {
	return `SELECT ` + ownColumns + `, c.owner` + messageSQL + customerColumns + ` FROM (SELECT ` + contactColumns() + where + queueOrder +
		fmt.Sprintf(` LIMIT $%d OFFSET $%d) c`, n-1, n) + customerJoin + queueOrder
}

// queueOrder puts open requests first: those with priority support before the others, then by the deadline of their next step. It has an index.
const queueOrder = ` ORDER BY c.state <> 'open', c.state <> 'open' OR NOT c.priority,
    CASE WHEN c.state <> 'open' THEN NULL WHEN c.answered_at IS NULL THEN c.answer_by ELSE c.settle_by END, c.created_at DESC, c.id DESC`

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
	return oneContact(ctx, tx, `SELECT `+contactColumns()+messageSQL+customerColumns+` FROM contact_requests c`+customerJoin+` WHERE c.id = $1 AND `+visibleSQL, contactID)
}

func lockContactTx(ctx context.Context, tx *sqlx.Tx, contactID string) (Request, error) {
	return oneContact(ctx, tx, `SELECT `+contactColumns()+` FROM contact_requests c WHERE c.id = $1 AND `+visibleSQL+` FOR UPDATE OF c`, contactID)
}

func oneContact(ctx context.Context, tx *sqlx.Tx, query string, args ...any) (r Request, err error) {
	err = tx.GetContext(ctx, &r, query, args...)
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
    updated_at = $4, answered_at = $5, settle_by = $6, waiting_since = $7, settled_at = $8, handled_by = coalesce($9, handled_by),
    channel = $10, wrote_at = $11, whatsapp_at = $12, priority = $13, version = $14, franchiser_ref = $15, mobile = $16
WHERE id = $1`

// saveContactTx saves the request; staffID is nil if no member of staff changed it.
func saveContactTx(ctx context.Context, tx *sqlx.Tx, r Request, staffID *string) error {
	_, err := tx.ExecContext(ctx, saveContactSQL, r.ID, r.State, r.OwnerID, r.UpdatedAt, r.Answered, r.SettleBy, r.Waiting, r.Settled, staffID,
		r.Channel, r.WroteAt, r.WhatsAppAt, r.Priority, r.Version, r.FranchiserID, r.Mobile)
	if err != nil {
		return fmt.Errorf("save contact request: %w", err)
	}
	return nil
}

func entryColumns() string {
	return `e.id, e.contact_id, e.kind, e.channel, e.external_id, e.sender, e.text, e.quoted, e.key, e.written_by, coalesce(` + staff.NameSQL("e.written_by") + `, '') AS author,
    e.created_at, e.expires_at, e.sent_at, e.send_error, e.failed_at`
}

// maxEntries is how many entries of one request are shown: the newest.
const maxEntries = 500

// entriesTx returns the entries of the kinds in order; without kinds all.
func entriesTx(ctx context.Context, tx *sqlx.Tx, contactID string, kinds ...EntryKind) ([]Entry, error) {
	wanted := pq.StringArray{}
	for _, kind := range kinds {
		wanted = append(wanted, string(kind))
	}
	list := []Entry{}
	err := tx.SelectContext(ctx, &list, `SELECT `+entryColumns()+` FROM contact_entries e WHERE e.contact_id = $1 AND ($3::text[] = '{}' OR e.kind = ANY ($3))
		ORDER BY e.created_at DESC, e.id DESC LIMIT $2`, contactID, maxEntries, wanted)
	if err != nil {
		return nil, fmt.Errorf("list entries of a contact request: %w", err)
	}
	slices.Reverse(list)
	return list, withFilesTx(ctx, tx, list)
}

const insertEntrySQL = `
INSERT INTO contact_entries (id, contact_id, kind, channel, external_id, sender, text, quoted, key, written_by, created_at, expires_at, sent_at)
VALUES (:id, :contact_id, :kind, :channel, :external_id, :sender, :text, :quoted, :key, :written_by, :created_at, :expires_at, :sent_at)
ON CONFLICT DO NOTHING`

// insertEntryTx reports whether the entry is new.
func insertEntryTx(ctx context.Context, tx *sqlx.Tx, e Entry) (bool, error) {
	done, err := tx.NamedExecContext(ctx, insertEntrySQL, e)
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

// keyUsedTx reports whether the entry was written before; another text under its key is idempotency.ErrReused.
func keyUsedTx(ctx context.Context, tx *sqlx.Tx, e Entry) (bool, error) {
	var used bool
	if err := tx.GetContext(ctx, &used, `SELECT EXISTS (SELECT FROM contact_entries WHERE contact_id = $1 AND key = $2)`, e.ContactID, e.Key); err != nil {
		return false, fmt.Errorf("find entry of a contact request: %w", err)
	}
	if !used {
		return false, nil
	}
	same, err := sameEntryTx(ctx, tx, e)
	if err == nil && !same {
		err = idempotency.ErrReused()
	}
	return true, err
}

const prioritySQL = `
SELECT EXISTS (SELECT FROM held_overview h CROSS JOIN LATERAL plan_items(h.catalogue_revision, h.plan_id) i
    WHERE h.franchiser_id = $1 AND h.key IS NULL AND i.item = 'Priority support')`

// priorityTx reports whether the customer's plan has priority support.
func priorityTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (has bool, err error) {
	if err := tx.GetContext(ctx, &has, prioritySQL, franchiserID); err != nil {
		return false, fmt.Errorf("read whether a plan has priority support: %w", err)
	}
	return has, nil
}
