package outlet

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/tenant"
)

func execute(ctx context.Context, tx *sqlx.Tx, what, query string, args ...any) error {
	if _, err := tx.ExecContext(ctx, query, args...); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

func get(ctx context.Context, tx *sqlx.Tx, into any, what, query string, args ...any) error {
	err := tx.GetContext(ctx, into, query, args...)
	if errors.Is(err, sql.ErrNoRows) {
		return errs.NotFound()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

const (
	partnerColumns = `p.id, p.name, p.mobile, p.role, p.state, p.invited_at, p.accepted_at`
	partnersSQL    = `SELECT ` + partnerColumns + `, (SELECT count(*) FROM franchises f
        WHERE f.franchiser_id = p.franchiser_id AND f.partner_id = p.id AND f.removed_at IS NULL) AS outlets
FROM outlet_partners p WHERE p.franchiser_id = $1 AND p.tenant_id = $2 AND p.state <> 'removed' ORDER BY lower(p.name), p.id`
	countPartnersSQL = `SELECT count(*) FROM outlet_partners WHERE franchiser_id = $1 AND tenant_id = $2 AND state <> 'removed'`
	partnerSQL       = `SELECT ` + partnerColumns + ` FROM outlet_partners p
WHERE p.franchiser_id = $1 AND p.tenant_id = $2 AND p.id = $3 AND p.state <> 'removed'`
	partnerByMobileSQL = `SELECT ` + partnerColumns + ` FROM outlet_partners p
WHERE p.franchiser_id = $1 AND p.tenant_id = $2 AND p.mobile = $3 AND p.state = $4`
	// newestOfKind keeps of a partner's messages m of a kind the newest: a new invitation, or code, ends the one before.
	newestOfKind = ` AND NOT EXISTS (SELECT FROM partner_messages n WHERE n.franchiser_id = m.franchiser_id AND n.partner_id = m.partner_id
    AND n.kind = m.kind AND (n.created_at, n.id) > (m.created_at, m.id))`
	partnerInvitedBySQL = `SELECT ` + partnerColumns + ` FROM partner_messages m
JOIN outlet_partners p ON p.franchiser_id = m.franchiser_id AND p.id = m.partner_id
WHERE m.franchiser_id = $1 AND m.tenant_id = $2 AND m.id = $3 AND m.kind = 'invitation' AND m.expires_at > $4 AND p.state = 'invited'` + newestOfKind
)

func partners(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref) ([]Partner, error) {
	list := []Partner{}
	if err := tx.SelectContext(ctx, &list, partnersSQL, ref.FranchiserID, ref.TenantID); err != nil {
		return nil, fmt.Errorf("list partners: %w", err)
	}
	return list, nil
}

func countPartners(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref) (n int, err error) {
	err = get(ctx, tx, &n, "count partners", countPartnersSQL, ref.FranchiserID, ref.TenantID)
	return n, err
}

func partnerByID(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref, partnerID string) (p Partner, err error) {
	err = get(ctx, tx, &p, "read partner", partnerSQL, ref.FranchiserID, ref.TenantID, partnerID)
	return p, err
}

func partnerByMobile(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref, mobile string, state PartnerState) (p Partner, err error) {
	if !mobileForm.MatchString(mobile) {
		return p, errs.NotFound()
	}
	err = get(ctx, tx, &p, "read partner", partnerByMobileSQL, ref.FranchiserID, ref.TenantID, mobile, state)
	return p, err
}

func partnerInvitedBy(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref, messageID string, now time.Time) (p Partner, err error) {
	err = get(ctx, tx, &p, "read invitation", partnerInvitedBySQL, ref.FranchiserID, ref.TenantID, messageID, now)
	return p, err
}

const insertPartnerSQL = `INSERT INTO outlet_partners (id, franchiser_id, tenant_id, name, mobile, role, state, invited_at, import_id)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, nullif($9, '')::uuid)`

func insertPartner(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref, p Partner, importID string) error {
	err := execute(ctx, tx, "insert partner", insertPartnerSQL, p.ID, ref.FranchiserID, ref.TenantID, p.Name, p.Mobile, p.Role, p.State,
		p.InvitedAt, importID)
	if postgres.Violates(err, postgres.UniqueViolation, "outlet_partners_mobile") {
		return ErrPartnerExists
	}
	return err
}

const acceptPartnerSQL = `UPDATE outlet_partners SET state = 'active', accepted_at = $4
WHERE franchiser_id = $1 AND tenant_id = $2 AND id = $3 AND state = 'invited'`

func acceptPartner(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref, partnerID string, now time.Time) error {
	return execute(ctx, tx, "accept invitation", acceptPartnerSQL, ref.FranchiserID, ref.TenantID, partnerID, now)
}

const (
	removePartnerSQL = `UPDATE outlet_partners SET state = 'removed', removed_at = $4
WHERE franchiser_id = $1 AND tenant_id = $2 AND id = $3 AND state <> 'removed'`
	endPartnerSessionsSQL = `DELETE FROM partner_sessions WHERE franchiser_id = $1 AND tenant_id = $2 AND partner_id = $3`
	unassignSQL           = `UPDATE franchises SET partner_id = NULL, revision = revision + 1, updated_at = $4
WHERE franchiser_id = $1 AND tenant_id = $2 AND partner_id = $3`
)

func removePartner(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref, partnerID string, now time.Time) error {
	return errors.Join(
		execute(ctx, tx, "remove partner", removePartnerSQL, ref.FranchiserID, ref.TenantID, partnerID, now),
		execute(ctx, tx, "end partner sessions", endPartnerSessionsSQL, ref.FranchiserID, ref.TenantID, partnerID),
		execute(ctx, tx, "take partner off outlets", unassignSQL, ref.FranchiserID, ref.TenantID, partnerID, now))
}

type messageKind string

const (
	messageInvitation messageKind = "invitation"
	messageCode       messageKind = "code"
)

// partnerMessage is a row of partner_messages.
type partnerMessage struct {
	ID           string      `db:"id"`
	FranchiserID string      `db:"franchiser_id"`
	PartnerID    string      `db:"partner_id"`
	Kind         messageKind `db:"kind"`
	CreatedAt    time.Time   `db:"created_at"`
	ExpiresAt    time.Time   `db:"expires_at"`
	Mobile       string      `db:"mobile"`
	StoreName    string      `db:"store_name"`
	// OwnerMobile is that of the franchiser.
	OwnerMobile string `db:"owner_mobile"`
	// Language is the language of the store's owner.
	Language i18n.Language `db:"language"`
}

const insertMessageSQL = `INSERT INTO partner_messages (id, franchiser_id, tenant_id, partner_id, kind, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7)`

func insertMessage(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref, m partnerMessage) error {
	return execute(ctx, tx, "insert message to a partner", insertMessageSQL, m.ID, ref.FranchiserID, ref.TenantID, m.PartnerID, m.Kind,
		m.CreatedAt, m.ExpiresAt)
}

const pruneMessagesSQL = `DELETE FROM partner_messages WHERE franchiser_id = $1 AND tenant_id = $2 AND created_at < $3`

func pruneMessages(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref, before time.Time) error {
	return execute(ctx, tx, "prune messages to partners", pruneMessagesSQL, ref.FranchiserID, ref.TenantID, before)
}

const sentBackSQL = `SELECT (SELECT created_at FROM partner_messages
WHERE franchiser_id = $1 AND tenant_id = $2 AND partner_id = $3 AND kind = $4 ORDER BY created_at DESC OFFSET $5 LIMIT 1)`

// sentBack returns the time of the partner's message of the kind that has back newer ones, or nil if there are fewer.
func sentBack(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref, partnerID string, k messageKind, back int) (at *time.Time, err error) {
	err = get(ctx, tx, &at, "read messages to a partner", sentBackSQL, ref.FranchiserID, ref.TenantID, partnerID, k, back)
	return at, err
}

const invitedBackSQL = `SELECT (SELECT m.created_at FROM partner_messages m
WHERE m.franchiser_id = $1 AND m.tenant_id = $2 AND m.kind = 'invitation' AND (m.created_at <= $4 OR EXISTS (
    SELECT FROM outlet_partners p WHERE p.franchiser_id = $1 AND p.id = m.partner_id AND p.state <> 'removed'))
ORDER BY m.created_at DESC OFFSET $3 LIMIT 1)`

// invitedBack returns the time of the store's invitation that has back newer ones, or nil if there are fewer. An invitation of a later day
// whose partner was removed is not sent and does not count.
func invitedBack(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref, back int, now time.Time) (at *time.Time, err error) {
	err = get(ctx, tx, &at, "read invitations", invitedBackSQL, ref.FranchiserID, ref.TenantID, back, now)
	return at, err
}

const hasPaidSQL = `SELECT has_paid($1)`

// inviteLimit is how many invitations the store sends in 24 hours at most.
func inviteLimit(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref) (int, error) {
	var paid bool
	if err := get(ctx, tx, &paid, "read whether a franchiser paid", hasPaidSQL, ref.FranchiserID); err != nil || paid {
		return maxOfStoreADay, err
	}
	return maxUnpaidADay, nil
}

// Only the newest code counts, and only while it has tries left.
const countTrySQL = `UPDATE partner_messages SET tries = tries + 1
WHERE franchiser_id = $1 AND tenant_id = $2 AND tries < 5 AND used_at IS NULL AND expires_at > $4 AND id = (
    SELECT m.id FROM partner_messages m WHERE m.franchiser_id = $1 AND m.tenant_id = $2 AND m.partner_id = $3 AND m.kind = 'code'
    ORDER BY m.created_at DESC, m.id DESC LIMIT 1)
RETURNING id`

func countTry(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref, partnerID string, now time.Time) (messageID string, err error) {
	err = get(ctx, tx, &messageID, "count a try", countTrySQL, ref.FranchiserID, ref.TenantID, partnerID, now)
	return messageID, err
}

const useCodeSQL = `UPDATE partner_messages SET used_at = $4 WHERE franchiser_id = $1 AND tenant_id = $2 AND id = $3 AND used_at IS NULL`

func useCode(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref, messageID string, now time.Time) (bool, error) {
	res, err := tx.ExecContext(ctx, useCodeSQL, ref.FranchiserID, ref.TenantID, messageID, now)
	if err != nil {
		return false, fmt.Errorf("use a code: %w", err)
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

const (
	purgePartnerSessionsSQL = `DELETE FROM partner_sessions WHERE franchiser_id = $1 AND tenant_id = $2 AND expires_at <= $3`
	insertPartnerSessionSQL = `INSERT INTO partner_sessions (id, franchiser_id, tenant_id, partner_id, token_hash, created_at, seen_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $6, $7)`
)

func insertPartnerSession(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref, partnerID string, hash []byte, now time.Time) error {
	return errors.Join(
		execute(ctx, tx, "purge partner sessions", purgePartnerSessionsSQL, ref.FranchiserID, ref.TenantID, now),
		execute(ctx, tx, "insert partner session", insertPartnerSessionSQL, id.New(), ref.FranchiserID, ref.TenantID, partnerID, hash, now,
			now.Add(tenant.SessionLife)))
}

const partnerOfSessionSQL = `SELECT ` + partnerColumns + `, s.seen_at FROM partner_sessions s
JOIN outlet_partners p ON p.franchiser_id = s.franchiser_id AND p.tenant_id = s.tenant_id AND p.id = s.partner_id AND p.state = 'active'
WHERE s.franchiser_id = $1 AND s.tenant_id = $2 AND s.token_hash = $3 AND s.expires_at > $4 AND s.seen_at > $5`

func partnerOfSession(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref, hash []byte, now time.Time) (Partner, time.Time, error) {
	var row struct {
		Partner
		SeenAt time.Time `db:"seen_at"`
	}
	err := get(ctx, tx, &row, "find partner session", partnerOfSessionSQL, ref.FranchiserID, ref.TenantID, hash, now, now.Add(-tenant.IdleLife))
	return row.Partner, row.SeenAt, err
}

const seePartnerSessionSQL = `UPDATE partner_sessions SET seen_at = $4 WHERE franchiser_id = $1 AND tenant_id = $2 AND token_hash = $3`

func seePartnerSession(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref, hash []byte, now time.Time) error {
	return execute(ctx, tx, "note use of a partner session", seePartnerSessionSQL, ref.FranchiserID, ref.TenantID, hash, now)
}

const deletePartnerSessionSQL = `DELETE FROM partner_sessions WHERE franchiser_id = $1 AND tenant_id = $2 AND token_hash = $3`

func deletePartnerSession(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref, hash []byte) error {
	return execute(ctx, tx, "end partner session", deletePartnerSessionSQL, ref.FranchiserID, ref.TenantID, hash)
}

const franchiserOfInvitationSQL = `SELECT franchiser_id FROM find_invitation($1)`

func franchiserOfInvitation(ctx context.Context, db *sqlx.DB, messageID string) (franchiserID string, err error) {
	err = db.GetContext(ctx, &franchiserID, franchiserOfInvitationSQL, messageID)
	if errors.Is(err, sql.ErrNoRows) {
		return "", ErrInvitation
	}
	if err != nil {
		return "", postgres.Error(fmt.Errorf("find invitation: %w", err))
	}
	return franchiserID, nil
}

// A waiting message is the newest, is not sent, its partner is not removed, and its invitation is not accepted.
const waitingMessageSQL = `SELECT m.id, m.franchiser_id, m.partner_id, m.kind, m.created_at, m.expires_at, p.mobile, t.store_name, l.language, o.mobile AS owner_mobile
FROM partner_messages m
JOIN language_overview l ON l.franchiser_id = m.franchiser_id
JOIN person_overview o ON o.franchiser_id = m.franchiser_id
JOIN outlet_partners p ON p.franchiser_id = m.franchiser_id AND p.id = m.partner_id AND p.state <> 'removed'
JOIN store_overview t ON t.franchiser_id = m.franchiser_id AND t.id = m.tenant_id AND t.closed_at IS NULL
WHERE m.id = $1 AND m.sent_at IS NULL AND m.used_at IS NULL AND (m.kind = 'code' OR p.state = 'invited')` + newestOfKind

func waitingMessage(ctx context.Context, tx *sqlx.Tx, messageID string) (m partnerMessage, err error) {
	err = get(ctx, tx, &m, "read message to a partner", waitingMessageSQL, messageID)
	return m, err
}

const (
	messageSentSQL   = `UPDATE partner_messages SET sent_at = $2, send_error = '' WHERE id = $1`
	messageFailedSQL = `UPDATE partner_messages SET send_error = $2 WHERE id = $1`
)

// Erasure leaves who was a partner as a row without name and mobile.
const (
	erasePartnersSQL        = `UPDATE outlet_partners SET name = 'Erased', mobile = '', state = 'removed', removed_at = coalesce(removed_at, $2) WHERE franchiser_id = $1`
	erasePartnerMessagesSQL = `DELETE FROM partner_messages WHERE franchiser_id = $1`
	erasePartnerSessionsSQL = `DELETE FROM partner_sessions WHERE franchiser_id = $1`
)

func erasePartners(ctx context.Context, tx *sqlx.Tx, franchiserID string, now time.Time) error {
	return errors.Join(
		execute(ctx, tx, "erase partners", erasePartnersSQL, franchiserID, now),
		execute(ctx, tx, "erase messages to partners", erasePartnerMessagesSQL, franchiserID),
		execute(ctx, tx, "erase partner sessions", erasePartnerSessionsSQL, franchiserID))
}

const exportedPartnersSQL = `SELECT name, mobile, role, state FROM outlet_partners WHERE franchiser_id = $1 AND mobile <> '' ORDER BY invited_at, id`

func exportedPartners(ctx context.Context, tx *sqlx.Tx, franchiserID string) ([]PartnerExport, error) {
	list := []PartnerExport{}
	if err := tx.SelectContext(ctx, &list, exportedPartnersSQL, franchiserID); err != nil {
		return nil, fmt.Errorf("export partners: %w", err)
	}
	return list, nil
}
