package session

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/internal/store"
)

const findByAccessSQL = `SELECT id, person_id, access_expires_at, account_id, member_id, role, seen_at FROM find_session($1, $2)`

// foundSession is a session with the account in which it acts; nothing of that is set in the person's own.
type foundSession struct {
	ID              string        `db:"id"`
	PersonID        string        `db:"person_id"`
	AccessExpiresAt time.Time     `db:"access_expires_at"`
	AccountID       *string       `db:"account_id"`
	MemberID        *string       `db:"member_id"`
	Role            *account.Role `db:"role"`
	SeenAt          *time.Time    `db:"seen_at"`
}

// acting returns the membership by which the session acts in another account; nil in the person's own.
func (f foundSession) acting() *account.Membership {
	if f.AccountID == nil || f.MemberID == nil || f.Role == nil {
		return nil
	}
	return &account.Membership{MemberID: *f.MemberID, AccountID: *f.AccountID, Role: *f.Role}
}

func findByAccess(ctx context.Context, q sqlx.QueryerContext, accessHash []byte, now time.Time) (liveSession, bool, error) {
	var f foundSession
	ok, err := store.Found(ctx, q, &f, "find session", findByAccessSQL, accessHash, now)
	s := liveSession{ID: f.ID, FranchiserID: f.PersonID, AccessExpiresAt: f.AccessExpiresAt}
	if m := f.acting(); m != nil {
		s.FranchiserID, s.PersonID, s.MemberID, s.Role, s.SeenAt = m.AccountID, f.PersonID, m.MemberID, m.Role, f.SeenAt
	}
	return s, ok, err
}

const findByRefreshSQL = `SELECT id, person_id, account_id, member_id, role FROM find_renewed_session($1)`

// findByRefresh returns the person's session, and the membership by which it acts in another account, if it does.
func findByRefresh(ctx context.Context, q sqlx.QueryerContext, refreshHash []byte) (account.Principal, *account.Membership, bool, error) {
	var f foundSession
	ok, err := store.Found(ctx, q, &f, "find session", findByRefreshSQL, refreshHash)
	return account.Principal{FranchiserID: f.PersonID, SessionID: f.ID}, f.acting(), ok, err
}

const insertSessionSQL = `
	WITH s AS (
		INSERT INTO sessions (id, franchiser_id, access_hash, access_expires_at, refreshed_at, expires_at, remember,
		                      user_agent, ip_address, created_at, account_id, member_id)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $5, $11, $12)
		RETURNING franchiser_id, id, created_at)
	INSERT INTO refresh_tokens (token_hash, franchiser_id, session_id, issued_at)
	SELECT $10, franchiser_id, id, created_at FROM s`

// insertSessionTx stores a session that begins now, with its first refresh token.
func insertSessionTx(ctx context.Context, tx *sqlx.Tx, s Row, refreshHash []byte) error {
	_, err := tx.ExecContext(ctx, insertSessionSQL, s.ID, s.FranchiserID, s.AccessHash, s.AccessExpiresAt, s.RefreshedAt,
		s.ExpiresAt, s.Remember, s.UserAgent, s.IPAddress, refreshHash, s.AccountID, s.MemberID)
	if err != nil {
		return fmt.Errorf("insert session: %w", err)
	}
	return nil
}

const lockSessionSQL = `
	SELECT id, franchiser_id, access_hash, access_expires_at, refreshed_at, expires_at, remember, user_agent, ip_address,
	       created_at, ended_at
	FROM sessions WHERE id = $1 AND franchiser_id = $2 FOR UPDATE`

func lockSessionTx(ctx context.Context, tx *sqlx.Tx, p account.Principal) (Row, bool, error) {
	var s Row
	ok, err := store.Found(ctx, tx, &s, "lock session", lockSessionSQL, p.SessionID, p.FranchiserID)
	return s, ok, err
}

const insertRefreshSQL = `
	INSERT INTO refresh_tokens (token_hash, franchiser_id, session_id, issued_at) VALUES ($1, $2, $3, $4)`

func insertRefreshTx(ctx context.Context, tx *sqlx.Tx, refreshHash []byte, s Row, now time.Time) error {
	if _, err := tx.ExecContext(ctx, insertRefreshSQL, refreshHash, s.FranchiserID, s.ID, now); err != nil {
		return fmt.Errorf("insert refresh token: %w", err)
	}
	return nil
}

const refreshSpentSQL = `SELECT spent_at FROM refresh_tokens WHERE token_hash = $1 AND franchiser_id = $2`

// refreshSpentTx returns when the token was spent; nil if it was not.
func refreshSpentTx(ctx context.Context, tx *sqlx.Tx, refreshHash []byte, franchiserID string) (*time.Time, bool, error) {
	var at *time.Time
	ok, err := store.Found(ctx, tx, &at, "read refresh token", refreshSpentSQL, refreshHash, franchiserID)
	return at, ok, err
}

const (
	spendRefreshSQL = `UPDATE refresh_tokens SET spent_at = $3 WHERE token_hash = $1 AND franchiser_id = $2`
	rotateSQL       = `
	UPDATE sessions SET access_hash = $3, access_expires_at = $4, refreshed_at = $5, user_agent = $6, ip_address = $7
	WHERE id = $1 AND franchiser_id = $2`
)

func rotateSessionTx(ctx context.Context, tx *sqlx.Tx, s Row, spent []byte) error {
	if _, err := store.Changed(ctx, tx, "spend refresh token", spendRefreshSQL, spent, s.FranchiserID, s.RefreshedAt); err != nil {
		return err
	}
	_, err := store.Changed(ctx, tx, "rotate session", rotateSQL, s.ID, s.FranchiserID, s.AccessHash, s.AccessExpiresAt,
		s.RefreshedAt, s.UserAgent, s.IPAddress)
	return err
}

const endSessionsSQL = `
	UPDATE sessions SET ended_at = $2, end_reason = $3, end_request_id = current_request()
	WHERE franchiser_id = $1 AND ended_at IS NULL AND ($4::uuid IS NULL OR id = $4) AND ($5::uuid IS NULL OR id <> $5)
	RETURNING access_hash`

// EndSessionsTx ends one session, all of the franchiser's except one, or all, and returns the hashes of their access
// tokens.
func EndSessionsTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, why EndReason, only, except *string, now time.Time) ([][]byte, error) {
	var hashes [][]byte
	err := tx.SelectContext(ctx, &hashes, endSessionsSQL, franchiserID, now, why, only, except)
	if err != nil {
		return nil, fmt.Errorf("end sessions: %w", err)
	}
	return hashes, nil
}

const listSessionsSQL = `
	SELECT id, franchiser_id, refreshed_at, expires_at, remember, user_agent, ip_address, created_at
	FROM sessions WHERE franchiser_id = $1 AND ended_at IS NULL AND expires_at > $2
	ORDER BY refreshed_at DESC, id LIMIT 100`

func listSessionsTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, now time.Time) ([]Row, error) {
	var rows []Row
	if err := tx.SelectContext(ctx, &rows, listSessionsSQL, franchiserID, now); err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	return rows, nil
}

const seeMemberSQL = `UPDATE team_members SET seen_at = $3 WHERE franchiser_id = $1 AND id = $2 AND state = 'active'`
