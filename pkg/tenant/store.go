package tenant

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

const typesSQL = `SELECT id::text AS id, name FROM business_types ORDER BY position`

func types(ctx context.Context, db sqlx.QueryerContext) ([]Type, error) {
	list := []Type{}
	if err := sqlx.SelectContext(ctx, db, &list, typesSQL); err != nil {
		return nil, fmt.Errorf("list business types: %w", err)
	}
	return list, nil
}

const typeExistsSQL = `SELECT EXISTS (SELECT FROM business_types WHERE id::text = $1)`

func typeExists(ctx context.Context, tx *sqlx.Tx, typeID string) (bool, error) {
	var known bool
	if !text.Storable(typeID) {
		return false, nil
	}
	if err := tx.GetContext(ctx, &known, typeExistsSQL, typeID); err != nil {
		return false, fmt.Errorf("find business type: %w", err)
	}
	return known, nil
}

const ownerOfSQL = `SELECT mobile FROM person_overview WHERE franchiser_id = $1`

func ownerOf(ctx context.Context, tx *sqlx.Tx, franchiserID string) (Owner, error) {
	var o Owner
	if err := tx.GetContext(ctx, &o, ownerOfSQL, franchiserID); err != nil {
		return Owner{}, fmt.Errorf("read franchiser: %w", err)
	}
	return o, nil
}

const tenantOfSQL = `
SELECT id, franchiser_id, store_name, store_type_id::text AS type_id, store_username, slug
FROM tenants WHERE franchiser_id = $1 AND closed_at IS NULL`

// tenantOf returns the franchiser's tenant, nil if there is none.
func tenantOf(ctx context.Context, tx *sqlx.Tx, franchiserID string) (*Tenant, error) {
	var t Tenant
	err := tx.GetContext(ctx, &t, tenantOfSQL, franchiserID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil // having no store yet is not an error
	}
	if err != nil {
		return nil, fmt.Errorf("read store: %w", err)
	}
	return &t, nil
}

const storeOwnerSQL = `SELECT find_store($1)`

const insertTenantSQL = `
INSERT INTO tenants (id, franchiser_id, store_name, store_type_id, store_username, store_password_hash, slug, created_at, updated_at)
VALUES ($1, $2, $3, $4::int, $5, $6, $7, $8, $8) ON CONFLICT (slug) DO NOTHING`

// insertTenant returns false if the slug is taken.
func insertTenant(ctx context.Context, tx *sqlx.Tx, t Tenant, hash string, now time.Time) (bool, error) {
	res, err := tx.ExecContext(ctx, insertTenantSQL, t.ID, t.FranchiserID, t.StoreName, t.TypeID, t.Username, hash, t.Slug, now)
	if postgres.Violates(err, postgres.UniqueViolation, "") {
		return false, ErrExists
	}
	if err != nil {
		return false, fmt.Errorf("insert store: %w", err)
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

const updateTenantSQL = `
UPDATE tenants SET store_name = $3, store_type_id = $4::int, updated_at = $5 WHERE franchiser_id = $1 AND id = $2`

func updateTenant(ctx context.Context, tx *sqlx.Tx, t Tenant, now time.Time) error {
	return exec(ctx, tx, "update store", updateTenantSQL, t.FranchiserID, t.ID, t.StoreName, t.TypeID, now)
}

const setPasswordSQL = `UPDATE tenants SET store_password_hash = $3, updated_at = $4 WHERE franchiser_id = $1 AND id = $2`

func setPassword(ctx context.Context, tx *sqlx.Tx, franchiserID, tenantID, hash string, now time.Time) error {
	return exec(ctx, tx, "set store password", setPasswordSQL, franchiserID, tenantID, hash, now)
}

const passwordHashSQL = `SELECT store_password_hash FROM tenants WHERE franchiser_id = $1 AND closed_at IS NULL`

func passwordHash(ctx context.Context, tx *sqlx.Tx, franchiserID string) (string, error) {
	var hash string
	err := tx.GetContext(ctx, &hash, passwordHashSQL, franchiserID)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("read store password: %w", err)
	}
	return hash, nil
}

func exec(ctx context.Context, tx *sqlx.Tx, what, query string, args ...any) error {
	if _, err := tx.ExecContext(ctx, query, args...); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

const (
	storeBySlugSQL   = `SELECT tenant_id, franchiser_id FROM find_store_by_slug($1)`
	storeByDomainSQL = `SELECT tenant_id, franchiser_id FROM find_store_by_domain($1)`
)

func storeBySlug(ctx context.Context, db sqlx.QueryerContext, slug string) (Ref, error) {
	return findRef(ctx, db, storeBySlugSQL, slug)
}

func storeByDomain(ctx context.Context, db sqlx.QueryerContext, domain string) (Ref, error) {
	return findRef(ctx, db, storeByDomainSQL, domain)
}

func findRef(ctx context.Context, db sqlx.QueryerContext, query, key string) (Ref, error) {
	var r Ref
	if !text.Storable(key) {
		return r, errs.NotFound()
	}
	err := sqlx.GetContext(ctx, db, &r, query, key)
	if errors.Is(err, sql.ErrNoRows) {
		return r, errs.NotFound()
	}
	if err != nil {
		return r, postgres.Error(fmt.Errorf("find store: %w", err))
	}
	return r, nil
}

const insertSessionSQL = `
INSERT INTO store_sessions (id, franchiser_id, tenant_id, member_id, token_hash, created_at, seen_at, expires_at)
VALUES ($1, $2, $3, nullif($4, '')::uuid, $5, $6, $6, $7)`

func insertSession(ctx context.Context, tx *sqlx.Tx, sessionID string, ref Ref, hash []byte, now, until time.Time) error {
	return exec(ctx, tx, "insert store session", insertSessionSQL, sessionID, ref.FranchiserID, ref.TenantID, ref.MemberID, hash, now, until)
}

const sessionLivesSQL = `SELECT seen_at, coalesce(member_id::text, '') AS member_id FROM store_sessions
WHERE franchiser_id = $1 AND tenant_id = $2 AND token_hash = $3 AND expires_at > $4 AND seen_at > $5`

// storeSession is when a session was last recorded as in use, and whose it is: a member's of the owner's team, or the owner's.
type storeSession struct {
	SeenAt   time.Time `db:"seen_at"`
	MemberID string    `db:"member_id"`
}

// sessionLives returns the session; false if its time is over, or nobody has used it for so long.
func sessionLives(ctx context.Context, tx *sqlx.Tx, ref Ref, hash []byte, now time.Time, idle time.Duration) (found storeSession, live bool, err error) {
	err = tx.GetContext(ctx, &found, sessionLivesSQL, ref.FranchiserID, ref.TenantID, hash, now, now.Add(-idle))
	if errors.Is(err, sql.ErrNoRows) {
		return storeSession{}, false, nil
	}
	if err != nil {
		return storeSession{}, false, fmt.Errorf("find store session: %w", err)
	}
	return found, true, nil
}

const insertEntrySQL = `
INSERT INTO store_entries (token_hash, franchiser_id, tenant_id, member_id, expires_at) VALUES ($1, $2, $3, nullif($4, '')::uuid, $5)`

func insertEntry(ctx context.Context, tx *sqlx.Tx, ref Ref, hash []byte, until time.Time) error {
	return exec(ctx, tx, "insert store entry", insertEntrySQL, hash, ref.FranchiserID, ref.TenantID, ref.MemberID, until)
}

const countEntriesSQL = `SELECT count(*) FROM store_entries WHERE franchiser_id = $1 AND tenant_id = $2 AND expires_at > $3`

func countEntries(ctx context.Context, tx *sqlx.Tx, ref Ref, now time.Time) (n int, err error) {
	if err := tx.GetContext(ctx, &n, countEntriesSQL, ref.FranchiserID, ref.TenantID, now); err != nil {
		return 0, fmt.Errorf("count store entries: %w", err)
	}
	return n, nil
}

const takeEntrySQL = `DELETE FROM store_entries WHERE franchiser_id = $1 AND tenant_id = $2 AND token_hash = $3 AND expires_at > $4
RETURNING coalesce(member_id::text, '')`

// takeEntry uses the link up and returns its member; false if no valid link matches.
func takeEntry(ctx context.Context, tx *sqlx.Tx, ref Ref, hash []byte, now time.Time) (memberID string, ok bool, err error) {
	err = tx.GetContext(ctx, &memberID, takeEntrySQL, ref.FranchiserID, ref.TenantID, hash, now)
	if errors.Is(err, sql.ErrNoRows) {
		return "", false, nil
	}
	if err != nil {
		return "", false, fmt.Errorf("take store entry: %w", err)
	}
	return memberID, true, nil
}

const seeSessionSQL = `UPDATE store_sessions SET seen_at = $4 WHERE franchiser_id = $1 AND tenant_id = $2 AND token_hash = $3`

func seeSession(ctx context.Context, tx *sqlx.Tx, ref Ref, hash []byte, now time.Time) error {
	return exec(ctx, tx, "note store session", seeSessionSQL, ref.FranchiserID, ref.TenantID, hash, now)
}

const deleteSessionSQL = `DELETE FROM store_sessions WHERE franchiser_id = $1 AND tenant_id = $2 AND token_hash = $3`

func deleteSession(ctx context.Context, tx *sqlx.Tx, ref Ref, hash []byte) error {
	return exec(ctx, tx, "end store session", deleteSessionSQL, ref.FranchiserID, ref.TenantID, hash)
}

const (
	endSessionsSQL = `DELETE FROM store_sessions WHERE franchiser_id = $1 AND tenant_id = $2`
	endEntriesSQL  = `DELETE FROM store_entries WHERE franchiser_id = $1 AND tenant_id = $2`
)

func endSessions(ctx context.Context, tx *sqlx.Tx, franchiserID, tenantID string) error {
	if err := exec(ctx, tx, "end store entries", endEntriesSQL, franchiserID, tenantID); err != nil {
		return err
	}
	return exec(ctx, tx, "end store sessions", endSessionsSQL, franchiserID, tenantID)
}

const (
	endOwnerSessionsSQL = `DELETE FROM store_sessions WHERE franchiser_id = $1 AND member_id IS NULL`
	endOwnerEntriesSQL  = `DELETE FROM store_entries WHERE franchiser_id = $1 AND member_id IS NULL`
)

func endOwnerSessions(ctx context.Context, tx *sqlx.Tx, franchiserID string) error {
	if err := exec(ctx, tx, "end the owner's store entries", endOwnerEntriesSQL, franchiserID); err != nil {
		return err
	}
	return exec(ctx, tx, "end the owner's store sessions", endOwnerSessionsSQL, franchiserID)
}

const (
	purgeSessionsSQL = `DELETE FROM store_sessions WHERE expires_at <= $1`
	purgeEntriesSQL  = `DELETE FROM store_entries WHERE expires_at <= $1`
)

func purgeSessions(ctx context.Context, tx *sqlx.Tx, now time.Time) error {
	if err := exec(ctx, tx, "purge store entries", purgeEntriesSQL, now); err != nil {
		return err
	}
	return exec(ctx, tx, "purge store sessions", purgeSessionsSQL, now)
}

const lockTenantSQL = `SELECT id FROM tenants WHERE franchiser_id = $1 AND id = $2 AND closed_at IS NULL FOR UPDATE`

// LockTx locks the store until the end of the transaction, so that what belongs to it changes one at a time; errs.NotFound if it
// is closed.
func LockTx(ctx context.Context, tx *sqlx.Tx, ref Ref) error {
	var found string
	err := tx.GetContext(ctx, &found, lockTenantSQL, ref.FranchiserID, ref.TenantID)
	if errors.Is(err, sql.ErrNoRows) {
		return errs.NotFound()
	}
	if err != nil {
		return fmt.Errorf("lock store: %w", err)
	}
	return nil
}

// Erasure keeps rows that others refer to and blanks their content.
const (
	eraseTenantSQL = `
UPDATE tenants SET store_name = 'Erased', store_username = 'erased-' || id, store_password_hash = '', slug = left('erased-' || id, 63),
    closed_at = $2, updated_at = $2 WHERE franchiser_id = $1 AND closed_at IS NULL`
	eraseSessionsSQL = `DELETE FROM store_sessions WHERE franchiser_id = $1`
	eraseEntriesSQL  = `DELETE FROM store_entries WHERE franchiser_id = $1`
)

func eraseStore(ctx context.Context, tx *sqlx.Tx, franchiserID string, now time.Time) error {
	if err := exec(ctx, tx, "erase store sessions", eraseSessionsSQL, franchiserID); err != nil {
		return err
	}
	if err := exec(ctx, tx, "erase store entries", eraseEntriesSQL, franchiserID); err != nil {
		return err
	}
	if err := deleteDomain(ctx, tx, franchiserID); err != nil {
		return err
	}
	return exec(ctx, tx, "erase store", eraseTenantSQL, franchiserID, now)
}

const moveTenantSQL = `UPDATE tenants SET store_username = $2, updated_at = $3 WHERE franchiser_id = $1 AND closed_at IS NULL`

func moveStore(ctx context.Context, tx *sqlx.Tx, franchiserID, mobile string, now time.Time) error {
	if err := exec(ctx, tx, "move store", moveTenantSQL, franchiserID, mobile, now); err != nil {
		return err
	}
	return exec(ctx, tx, "end store sessions", eraseSessionsSQL, franchiserID)
}
