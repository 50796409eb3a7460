package staff

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq/pqerror"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

const accountColumns = `id, email, name, role, created_at, disabled_at, enrolled, last_sign_in, sessions`

func accountsTx(ctx context.Context, tx *sqlx.Tx, now time.Time) (list []ConsoleAccount, err error) {
	if err = tx.SelectContext(ctx, &list, `SELECT `+accountColumns+` FROM staff_accounts($1, $2)`, now.Add(-IdleLife), now); err != nil {
		return nil, fmt.Errorf("list accounts of staff: %w", err)
	}
	return list, nil
}

func accountTx(ctx context.Context, tx *sqlx.Tx, staffID string, now time.Time) (m ConsoleAccount, err error) {
	err = tx.GetContext(ctx, &m, `SELECT `+accountColumns+` FROM staff_accounts($1, $2) WHERE id = $3`, now.Add(-IdleLife), now, staffID)
	if errors.Is(err, sql.ErrNoRows) {
		return m, errs.NotFound()
	}
	if err != nil {
		return m, fmt.Errorf("read account of staff: %w", err)
	}
	return m, nil
}

const openInvitationsSQL = `
SELECT i.id, i.staff_id, i.email, i.name, i.role, i.enrols, m.name AS invited_by_name, i.created_at, i.expires_at, i.sent_at, i.send_error
FROM staff_invitations i JOIN staff m ON m.id = i.invited_by
WHERE i.used_at IS NULL AND i.withdrawn_at IS NULL ORDER BY i.created_at DESC, i.id DESC`

func openInvitationsTx(ctx context.Context, tx *sqlx.Tx) (list []Invitation, err error) {
	if err = tx.SelectContext(ctx, &list, openInvitationsSQL); err != nil {
		return nil, fmt.Errorf("list invitations of staff: %w", err)
	}
	return list, nil
}

const waitingResetsSQL = `
SELECT r.id, r.staff_id, r.requested_by, m.name AS requested_by_name, r.reason, r.requested_at
FROM staff_resets r JOIN staff m ON m.id = r.requested_by WHERE r.state = 'waiting' ORDER BY r.requested_at, r.id`

func waitingResetsTx(ctx context.Context, tx *sqlx.Tx) (list []Reset, err error) {
	if err = tx.SelectContext(ctx, &list, waitingResetsSQL); err != nil {
		return nil, fmt.Errorf("list resets of staff: %w", err)
	}
	return list, nil
}

const (
	inviteSQL   = `SELECT invite_staff($1, $2, $3, $4, $5, $6, $7, $8)`
	renewSQL    = `SELECT renew_staff_invitation($1, $2, $3, $4, $5)`
	withdrawSQL = `SELECT withdraw_staff_invitation($1, $2)`
	acceptSQL   = `SELECT accept_staff_invitation($1, $2, $3, $4, $5, $6, $7, make_interval(secs => $8))`
	passwordSQL = `SELECT change_staff_password($1, $2, $3)`
	replaceSQL  = `SELECT change_staff_authenticator($1, $2, $3, $4)`
)

// yesTx returns the answer of a function that says whether it did anything.
func yesTx(ctx context.Context, tx *sqlx.Tx, what, statement string, args ...any) (yes bool, err error) {
	if err = tx.GetContext(ctx, &yes, statement, args...); err != nil {
		return false, fmt.Errorf("%s: %w", what, err)
	}
	return yes, nil
}

func inviteTx(ctx context.Context, tx *sqlx.Tx, l newLink, staffID string, in InvitationInput) (bool, error) {
	return yesTx(ctx, tx, "invite staff", inviteSQL, l.ID, staffID, in.Email, in.Name, in.Role, l.Hash, l.Now, l.Until)
}

const changeAccountSQL = `SELECT outcome, role_before FROM change_staff_account($1, $2, $3, $4, make_interval(secs => $5))`

func changeAccountTx(ctx context.Context, tx *sqlx.Tx, staffID string, role Role, off bool, now time.Time, apart time.Duration) (outcome string, before Role, err error) {
	var row struct {
		Outcome string  `db:"outcome"`
		Before  *string `db:"role_before"`
	}
	if err = tx.GetContext(ctx, &row, changeAccountSQL, staffID, role, off, now, int64(apart.Seconds())); err != nil {
		return "", "", fmt.Errorf("change account of staff: %w", err)
	}
	if row.Before != nil {
		before = Role(*row.Before)
	}
	return row.Outcome, before, nil
}

const requestResetSQL = `INSERT INTO staff_resets (id, staff_id, requested_by, reason, requested_at) VALUES ($1, $2, $3, $4, $5)`

func requestResetTx(ctx context.Context, tx *sqlx.Tx, resetID, staffID, by, reason string, now time.Time) error {
	_, err := tx.ExecContext(ctx, requestResetSQL, resetID, staffID, by, reason, now)
	if postgres.Violates(err, pqerror.UniqueViolation, "staff_resets_waiting") {
		return errs.New(errs.KindConflict, "reset_waits", "A reset of this account waits for another admin already.")
	}
	if err != nil {
		return fmt.Errorf("request reset of staff: %w", err)
	}
	return nil
}

// decideResetTx needs a link for an approval only.
func decideResetTx(ctx context.Context, tx *sqlx.Tx, resetID string, approve bool, l newLink) error {
	var linkID any
	if approve {
		linkID = l.ID
	}
	var said string
	err := tx.GetContext(ctx, &said, `SELECT outcome FROM decide_staff_reset($1, $2, $3, $4, $5, $6)`,
		resetID, approve, linkID, l.Hash, l.Now, l.Until)
	if err != nil {
		return fmt.Errorf("decide reset of staff: %w", err)
	}
	return outcomeError(said)
}

const liveSessionsSQL = `SELECT id, address, created_at, seen_at, expires_at FROM live_sessions_of($1, $2, $3)`

func liveSessionsTx(ctx context.Context, tx *sqlx.Tx, staffID string, now time.Time) (list []LiveSession, err error) {
	if err = tx.SelectContext(ctx, &list, liveSessionsSQL, staffID, now.Add(-IdleLife), now); err != nil {
		return nil, fmt.Errorf("list sessions of staff: %w", err)
	}
	return list, nil
}

const signInsSQL = `
SELECT at, action = 'sign_in_failed' AS failed, reason FROM staff_actions
WHERE staff_id = $1 AND action IN ('sign_in', 'sign_in_failed') ORDER BY at DESC, sequence DESC LIMIT 20`

func signInsTx(ctx context.Context, tx *sqlx.Tx, staffID string) (list []SignInRecord, err error) {
	if err = tx.SelectContext(ctx, &list, signInsSQL, staffID); err != nil {
		return nil, fmt.Errorf("list sign-ins of staff: %w", err)
	}
	return list, nil
}

func ownerOfSessionTx(ctx context.Context, tx *sqlx.Tx, sessionID string) (owner string, err error) {
	err = tx.GetContext(ctx, &owner, `SELECT coalesce(owner_of_staff_session($1)::text, '')`, sessionID)
	if err != nil {
		return "", fmt.Errorf("find session of staff: %w", err)
	}
	if owner == "" {
		return "", errs.NotFound()
	}
	return owner, nil
}

func endSessionTx(ctx context.Context, tx *sqlx.Tx, sessionID string, now time.Time) error {
	if _, err := tx.ExecContext(ctx, `SELECT end_staff_session_of($1, $2)`, sessionID, now); err != nil {
		return fmt.Errorf("end session of staff: %w", err)
	}
	return nil
}

func findInvitation(ctx context.Context, db *sqlx.DB, hash []byte, now time.Time) (i Invitation, err error) {
	err = db.GetContext(ctx, &i, `SELECT id, staff_id, email, name, role, enrols, expires_at FROM find_staff_invitation($1, $2)`, hash, now)
	if errors.Is(err, sql.ErrNoRows) {
		return i, errInvitation()
	}
	if err != nil {
		return i, postgres.Error(fmt.Errorf("find invitation of staff: %w", err))
	}
	return i, nil
}
