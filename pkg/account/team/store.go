package team

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/internal/store"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

const (
	memberColumns = `m.id, m.name, m.mobile, m.role, m.state, m.person_id, m.invited_at, m.accepted_at, m.seen_at`
	newestInvite  = `LEFT JOIN LATERAL (SELECT i.id AS invitation_id, i.expires_at, i.sent_at, i.send_error FROM team_invitations i
		WHERE i.franchiser_id = m.franchiser_id AND i.member_id = m.id ORDER BY i.created_at DESC, i.id DESC LIMIT 1) i ON true`
	membersSQL = `SELECT ` + memberColumns + `, i.expires_at, i.sent_at, coalesce(i.send_error, '') AS send_error
FROM team_members m ` + newestInvite + `
WHERE m.franchiser_id = $1 AND m.state <> 'removed' ORDER BY m.state, lower(m.name), m.id`
	countMembersSQL = `SELECT count(*) FROM team_members WHERE franchiser_id = $1 AND state <> 'removed'`
	lockMemberSQL   = `SELECT ` + memberColumns + ` FROM team_members m
WHERE m.franchiser_id = $1 AND m.id = $2 AND m.state <> 'removed' FOR UPDATE`
	lockInvitedSQL = `SELECT ` + memberColumns + ` FROM team_members m
WHERE m.franchiser_id = $1 AND m.mobile = $2 AND m.state = 'invited' FOR UPDATE`
	// Of a member's invitations only the newest counts. The row is locked: who accepts waits for who removes.
	invitedBySQL = `SELECT ` + memberColumns + `, i.expires_at FROM team_members m ` + newestInvite + `
WHERE m.franchiser_id = $1 AND i.invitation_id = $2 AND i.expires_at > $3 AND m.state <> 'removed' FOR UPDATE OF m`
)

// MembersTx returns the members of an account and the invited ones.
func MembersTx(ctx context.Context, tx *sqlx.Tx, accountID string) ([]Member, error) {
	list := []Member{}
	if err := tx.SelectContext(ctx, &list, membersSQL, accountID); err != nil {
		return nil, fmt.Errorf("list members: %w", err)
	}
	return list, nil
}

func countMembersTx(ctx context.Context, tx *sqlx.Tx, accountID string) (n int, err error) {
	_, err = store.Found(ctx, tx, &n, "count members", countMembersSQL, accountID)
	return n, err
}

func lockMemberTx(ctx context.Context, tx *sqlx.Tx, accountID, memberID string) (m Member, ok bool, err error) {
	ok, err = store.Found(ctx, tx, &m, "lock member", lockMemberSQL, accountID, memberID)
	return m, ok, err
}

func lockInvitedTx(ctx context.Context, tx *sqlx.Tx, accountID, mobile string) (m Member, ok bool, err error) {
	ok, err = store.Found(ctx, tx, &m, "lock invited member", lockInvitedSQL, accountID, mobile)
	return m, ok, err
}

func invitedByTx(ctx context.Context, tx *sqlx.Tx, accountID, invitationID string, now time.Time) (m Member, ok bool, err error) {
	ok, err = store.Found(ctx, tx, &m, "read invitation", invitedBySQL, accountID, invitationID, now)
	return m, ok, err
}

const insertMemberSQL = `INSERT INTO team_members (id, franchiser_id, name, mobile, role, state, invited_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`

func insertMemberTx(ctx context.Context, tx *sqlx.Tx, accountID string, m Member) error {
	_, err := store.Changed(ctx, tx, "insert member", insertMemberSQL, m.ID, accountID, m.Name, m.Mobile, m.Role, m.State, m.InvitedAt)
	if postgres.Violates(err, postgres.UniqueViolation, "team_members_mobile") {
		return ErrMemberExists
	}
	return err
}

const (
	acceptMemberSQL = `UPDATE team_members SET state = 'active', person_id = $3, accepted_at = $4, seen_at = $4
WHERE franchiser_id = $1 AND id = $2 AND state = 'invited'`
	changeRoleSQL        = `UPDATE team_members SET role = $3 WHERE franchiser_id = $1 AND id = $2 AND state <> 'removed'`
	removeMemberSQL      = `UPDATE team_members SET state = 'removed', ended_at = $3 WHERE franchiser_id = $1 AND id = $2 AND state <> 'removed'`
	endMemberSessionsSQL = `SELECT end_sessions_of_member($1, $2, $3)`
)

const (
	findTeamInvitationSQL = `SELECT franchiser_id FROM find_team_invitation($1)`

	insertTeamInvitationSQL = `INSERT INTO team_invitations (id, franchiser_id, member_id, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)`
	teamInviteBackSQL       = `SELECT (SELECT created_at FROM team_invitations WHERE franchiser_id = $1
ORDER BY created_at DESC OFFSET $2 LIMIT 1)`
	memberInviteBackSQL = `SELECT (SELECT created_at FROM team_invitations WHERE franchiser_id = $1 AND member_id = $3
ORDER BY created_at DESC OFFSET $2 LIMIT 1)`
)

// teamInviteBackTx returns the time of the account's invitation at the offset back, newest first, or nil.
func teamInviteBackTx(ctx context.Context, tx *sqlx.Tx, accountID string, back int) (at *time.Time, err error) {
	_, err = store.Found(ctx, tx, &at, "read invitations", teamInviteBackSQL, accountID, back)
	return at, err
}

// memberInviteBackTx is teamInviteBackTx for the invitations of one member.
func memberInviteBackTx(ctx context.Context, tx *sqlx.Tx, accountID, memberID string, back int) (at *time.Time, err error) {
	_, err = store.Found(ctx, tx, &at, "read invitations", memberInviteBackSQL, accountID, back, memberID)
	return at, err
}

const (
	actorOwner  = "owner"
	actorMember = "member"
)

// teamEvent is a row of team_events to be written.
type teamEvent struct {
	ID, AccountID, MemberID, Actor, Kind string
	Role                                 account.Role
	Operation                            string
	At                                   time.Time
}

const (
	insertTeamEventSQL = `INSERT INTO team_events (id, franchiser_id, member_id, actor, kind, role, operation, at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`
	endActSQL          = `UPDATE team_events SET outcome = $3 WHERE franchiser_id = $1 AND id = $2 AND outcome IS NULL`
	teamEventsSQL      = `SELECT e.id, m.name, e.actor, e.kind, e.role, e.operation, e.outcome, e.at FROM team_events e
JOIN team_members m ON m.franchiser_id = e.franchiser_id AND m.id = e.member_id
WHERE e.franchiser_id = $1 ORDER BY e.at DESC, e.id DESC LIMIT $2`
)

func insertTeamEventTx(ctx context.Context, tx *sqlx.Tx, e teamEvent) error {
	if e.ID == "" {
		e.ID = id.New()
	}
	_, err := store.Changed(ctx, tx, "insert team event", insertTeamEventSQL, e.ID, e.AccountID, e.MemberID, e.Actor, e.Kind, e.Role, e.Operation, e.At)
	return err
}

func teamEventsTx(ctx context.Context, tx *sqlx.Tx, accountID string, limit int) ([]Event, error) {
	list := []Event{}
	if err := tx.SelectContext(ctx, &list, teamEventsSQL, accountID, limit); err != nil {
		return nil, fmt.Errorf("list team events: %w", err)
	}
	return list, nil
}

// An invitation that waits: not sent, the newest of a member who was not removed and has not accepted.
const waitingInvitationSQL = `SELECT i.id, i.franchiser_id, i.expires_at, m.mobile, m.role, f.mobile AS owner_mobile FROM team_invitations i
JOIN franchisers f ON f.id = i.franchiser_id
JOIN team_members m ON m.franchiser_id = i.franchiser_id AND m.id = i.member_id AND m.state = 'invited'
WHERE i.id = $1 AND i.sent_at IS NULL AND NOT EXISTS (SELECT FROM team_invitations n WHERE n.franchiser_id = i.franchiser_id
    AND n.member_id = i.member_id AND (n.created_at, n.id) > (i.created_at, i.id))`

// waitingInvitation is an invitation whose SMS is to be sent.
type waitingInvitation struct {
	ID        string       `db:"id"`
	AccountID string       `db:"franchiser_id"`
	ExpiresAt time.Time    `db:"expires_at"`
	Mobile    string       `db:"mobile"`
	Role      account.Role `db:"role"`
	// OwnerMobile is that of the account's owner.
	OwnerMobile string `db:"owner_mobile"`
	// Language is the language of the account's owner.
	Language i18n.Language `db:"-"`
}

// waitingInvitationTx sets the franchiser for the rest of tx.
func waitingInvitationTx(ctx context.Context, tx *sqlx.Tx, invitationID string) (w waitingInvitation, ok bool, err error) {
	if ok, err = store.Found(ctx, tx, &w, "read invitation", waitingInvitationSQL, invitationID); err != nil || !ok {
		return w, ok, err
	}
	if err := postgres.SetFranchiser(ctx, tx, w.AccountID); err != nil {
		return w, false, err
	}
	w.Language, err = account.LanguageTx(ctx, tx, w.AccountID)
	return w, true, err
}

const (
	invitationSentSQL   = `UPDATE team_invitations SET sent_at = $2, send_error = '' WHERE id = $1`
	invitationFailedSQL = `UPDATE team_invitations SET send_error = $2 WHERE id = $1`
)

const managesSQL = `SELECT EXISTS (SELECT FROM team_members WHERE franchiser_id = $1 AND id = $2 AND state = 'active' AND role = 'manager')`

// ManagesTx reports whether the member of the account's team keeps its store at this moment.
func ManagesTx(ctx context.Context, tx *sqlx.Tx, accountID, memberID string) (manages bool, err error) {
	if err := tx.GetContext(ctx, &manages, managesSQL, accountID, memberID); err != nil {
		return false, fmt.Errorf("find manager: %w", err)
	}
	return manages, nil
}
