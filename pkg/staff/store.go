package staff

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

var errNoMember = errors.New("no such member of staff")

type member struct {
	ID           string     `db:"id"`
	Email        string     `db:"email"`
	Name         string     `db:"name"`
	Role         Role       `db:"role"`
	PasswordHash string     `db:"password_hash"`
	TOTPSecret   []byte     `db:"totp_secret"`
	TOTPLastStep int64      `db:"totp_last_step"`
	DisabledAt   *time.Time `db:"disabled_at"`
}

// saltOf returns how the account's password is hashed, empty if there is no such account.
func saltOf(ctx context.Context, db *sqlx.DB, email string) (string, error) {
	var salt string
	if err := db.GetContext(ctx, &salt, `SELECT coalesce(staff_salt($1), '')`, email); err != nil {
		return "", postgres.Error(fmt.Errorf("find staff: %w", err))
	}
	return salt, nil
}

const factorSQL = `SELECT id, email, name, role, totp_secret, totp_last_step FROM staff_factor($1, $2)`

// factorTx locks the account with the e-mail whose password has the hash, and returns its second factor.
func factorTx(ctx context.Context, tx *sqlx.Tx, email, hash string) (member, error) {
	var m member
	err := tx.GetContext(ctx, &m, factorSQL, email, hash)
	if errors.Is(err, sql.ErrNoRows) {
		return member{}, errSignIn()
	}
	if err != nil {
		return member{}, fmt.Errorf("lock staff: %w", err)
	}
	return m, nil
}

// noteFailure returns the id of the member of staff, empty for an unknown e-mail.
func noteFailure(ctx context.Context, db *sqlx.DB, email, why string, now time.Time) (string, error) {
	var staffID string
	err := db.GetContext(ctx, &staffID, `SELECT coalesce(note_failed_staff_sign_in($1, $2, $3, $4)::text, '')`, email, id.New(), why, now)
	if err != nil {
		return "", postgres.Error(fmt.Errorf("note failed sign-in: %w", err))
	}
	return staffID, nil
}

const lockMemberSQL = `
SELECT id, email, name, role, password_hash, totp_secret, totp_last_step, disabled_at FROM staff WHERE email = $1
FOR UPDATE`

func lockMember(ctx context.Context, tx *sqlx.Tx, email string) (member, error) {
	var m member
	err := tx.GetContext(ctx, &m, lockMemberSQL, email)
	if errors.Is(err, sql.ErrNoRows) {
		return member{}, errNoMember
	}
	if err != nil {
		return member{}, fmt.Errorf("lock staff: %w", err)
	}
	return m, nil
}

const openSessionSQL = `SELECT begin_staff_session($1, $2, $3, $4, $5, $6, $7) IS NOT NULL`

func openSession(ctx context.Context, tx *sqlx.Tx, t Tokens, hash string, step int64, ip string, now time.Time) error {
	var open bool
	if err := tx.GetContext(ctx, &open, openSessionSQL, t.Email, hash, t.SessionID, t.Proof, step, now, t.ExpiresAt); err != nil {
		return fmt.Errorf("open staff session: %w", err)
	}
	if !open {
		return errSignIn()
	}
	if _, err := tx.ExecContext(ctx, `SELECT note_staff_address($1, $2)`, t.Proof, ip); err != nil {
		return fmt.Errorf("note address of staff session: %w", err)
	}
	return nil
}

const findSessionSQL = `SELECT session_id, staff_id, email, name, role, seen_at FROM find_staff_session($1, $2, $3)`

// seenEvery is how often at most a session records that it is in use.
const seenEvery = time.Minute

func findSession(ctx context.Context, db *sqlx.DB, hash []byte, now time.Time) (Principal, error) {
	var s struct {
		Principal
		SeenAt time.Time `db:"seen_at"`
	}
	err := db.GetContext(ctx, &s, findSessionSQL, hash, now, now.Add(-IdleLife))
	if errors.Is(err, sql.ErrNoRows) {
		return Principal{}, errs.Unauthenticated()
	}
	if err != nil {
		return Principal{}, postgres.Error(fmt.Errorf("find staff session: %w", err))
	}
	if now.Sub(s.SeenAt) >= seenEvery {
		// While the database is read-only staff can still read, until the session seems idle.
		_, _ = db.ExecContext(ctx, `SELECT see_staff_session($1, $2)`, hash, now)
	}
	s.Proof = hash
	return s.Principal, nil
}

func endSession(ctx context.Context, db *sqlx.DB, proof []byte, now time.Time) error {
	if _, err := db.ExecContext(ctx, `SELECT end_staff_session($1, $2)`, proof, now); err != nil {
		return postgres.Error(fmt.Errorf("end staff session: %w", err))
	}
	return nil
}

// purgeBatch is how many sessions are deleted at once.
const purgeBatch = 10_000

// What Purge deletes, by the moment before which it ended and how many rows at once.
const (
	purgeSessionsSQL   = `SELECT purge_staff_sessions($1, $2)`
	purgeChallengesSQL = `
	WITH gone AS (DELETE FROM staff_passkey_challenges WHERE holder = ANY (ARRAY(
		SELECT c.holder FROM staff_passkey_challenges c WHERE c.expires_at < $1 LIMIT $2)) RETURNING holder)
	SELECT count(*) FROM gone`
	purgeNoticesSQL = `
	WITH gone AS (DELETE FROM staff_notices WHERE id = ANY (ARRAY(
		SELECT n.id FROM staff_notices n WHERE n.created_at < $1 LIMIT $2)) RETURNING id)
	SELECT count(*) FROM gone`
)

// Purge deletes sessions that expired before a moment, except sessions in a customer's history. It also deletes passkey challenges and
// notices to staff from before it.
func Purge(ctx context.Context, db *sqlx.DB, before time.Time) error {
	for _, statement := range []string{purgeSessionsSQL, purgeChallengesSQL, purgeNoticesSQL} {
		for gone := int64(purgeBatch); gone == purgeBatch; {
			if err := db.GetContext(ctx, &gone, statement, before, purgeBatch); err != nil {
				return postgres.Error(fmt.Errorf("delete what staff left: %w", err))
			}
		}
	}
	return nil
}

// Sequence, previous and hash are the chain's, which the table's trigger makes.
const insertActionSQL = `
INSERT INTO staff_actions (id, staff_id, action, target, franchiser_ref, reason, before, after, at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`

func insertAction(ctx context.Context, tx *sqlx.Tx, a Action) error {
	if err := knownKind(a.Action); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, insertActionSQL, a.ID, a.StaffID, a.Action, a.Target, a.FranchiserRef, a.Reason, a.Before, a.After, a.At)
	if err != nil {
		return fmt.Errorf("record staff action: %w", err)
	}
	return nil
}

const actionsOfSQL = `
SELECT a.id, a.staff_id, m.name AS staff_name, a.action, a.target, a.franchiser_ref, a.reason, a.before, a.after, a.at
FROM staff_actions a JOIN staff m ON m.id = a.staff_id
WHERE a.franchiser_ref = $1 ORDER BY a.at DESC, a.sequence DESC LIMIT $2`

func actionsOf(ctx context.Context, tx *sqlx.Tx, franchiserID string, limit int) ([]Action, error) {
	list := []Action{}
	if err := tx.SelectContext(ctx, &list, actionsOfSQL, franchiserID, limit); err != nil {
		return nil, postgres.Error(fmt.Errorf("list staff actions: %w", err))
	}
	return list, nil
}

const firstBrokenSQL = `
SELECT coalesce(min(a.sequence), 0) FROM staff_actions a LEFT JOIN staff_actions p ON p.sequence = a.sequence - 1
WHERE a.hash <> staff_action_hash(a) OR a.previous <> coalesce(p.hash, decode(repeat('00', 32), 'hex'))
   OR p.sequence IS NULL AND a.sequence <> 1`

func firstBroken(ctx context.Context, q sqlx.QueryerContext) (int64, error) {
	var sequence int64
	if err := sqlx.GetContext(ctx, q, &sequence, firstBrokenSQL); err != nil {
		return 0, postgres.Error(fmt.Errorf("verify staff actions: %w", err))
	}
	return sequence, nil
}

// memberTx locks the account with the e-mail.
func memberTx(ctx context.Context, tx *sqlx.Tx, email string) (m member, found bool, err error) {
	m, err = lockMember(ctx, tx, email)
	if errors.Is(err, errNoMember) {
		return member{}, false, nil
	}
	return m, err == nil, err
}

const listedSQL = `
SELECT m.email, m.name, m.role, m.created_at, m.disabled_at, (SELECT max(s.created_at) FROM staff_sessions s WHERE s.staff_id = m.id) AS last_sign_in
FROM staff m ORDER BY m.email`

func listed(ctx context.Context, owner *sqlx.DB) ([]ListedMember, error) {
	var list []ListedMember
	if err := owner.SelectContext(ctx, &list, listedSQL); err != nil {
		return nil, postgres.Error(fmt.Errorf("list staff: %w", err))
	}
	return list, nil
}

func setDisabled(ctx context.Context, tx *sqlx.Tx, staffID string, at *time.Time) error {
	if _, err := tx.ExecContext(ctx, `UPDATE staff SET disabled_at = $2 WHERE id = $1`, staffID, at); err != nil {
		return fmt.Errorf("disable or enable staff: %w", err)
	}
	return nil
}

func removePasskeysOf(ctx context.Context, tx *sqlx.Tx, staffID string) error {
	if _, err := tx.ExecContext(ctx, `DELETE FROM staff_passkeys WHERE staff_id = $1`, staffID); err != nil {
		return fmt.Errorf("remove passkeys of staff: %w", err)
	}
	return nil
}

func endSessionsOf(ctx context.Context, tx *sqlx.Tx, staffID string, now time.Time) error {
	if _, err := tx.ExecContext(ctx, `UPDATE staff_sessions SET ended_at = $2 WHERE staff_id = $1 AND ended_at IS NULL`, staffID, now); err != nil {
		return fmt.Errorf("end sessions of staff: %w", err)
	}
	return nil
}

const upsertMemberSQL = `
INSERT INTO staff (id, email, name, role, password_hash, totp_secret, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (email) DO UPDATE SET name = excluded.name, role = excluded.role, password_hash = excluded.password_hash,
    totp_secret = excluded.totp_secret`

func upsertMember(ctx context.Context, tx *sqlx.Tx, staffID string, a Account, hash string, sealed []byte, now time.Time) error {
	_, err := tx.ExecContext(ctx, upsertMemberSQL, staffID, a.Email, a.Name, a.Role, hash, sealed, now)
	if err != nil {
		return fmt.Errorf("save staff: %w", err)
	}
	return nil
}

// nobodyYet fails if there is an account of staff; a concurrent caller waits until this one has finished.
func nobodyYet(ctx context.Context, tx *sqlx.Tx) error {
	if _, err := tx.ExecContext(ctx, `LOCK TABLE staff IN SHARE ROW EXCLUSIVE MODE`); err != nil {
		return fmt.Errorf("look for accounts of staff: %w", err)
	}
	var some bool
	if err := tx.GetContext(ctx, &some, `SELECT EXISTS (SELECT FROM staff)`); err != nil {
		return fmt.Errorf("look for accounts of staff: %w", err)
	}
	if some {
		return errs.New(errs.KindConflict, "staff_exists", "There are staff accounts already: name the role to make or change one.")
	}
	return nil
}
