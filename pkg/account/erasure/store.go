package erasure

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/credential"
	"github.com/franchise360/franchise360/pkg/account/internal/store"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

const (
	requestErasureSQL = `
	UPDATE franchisers SET erasure_requested_at = $2, erasure_request_id = current_request()
	WHERE id = $1 AND erasure_requested_at IS NULL AND erased_at IS NULL`
	withdrawErasureSQL = `
	UPDATE franchisers SET erasure_requested_at = NULL
	WHERE id = $1 AND erasure_requested_at IS NOT NULL AND erased_at IS NULL`
)

// profileExport, sessionExport and failedExport are the account's own sections.
type profileExport struct {
	ID        string     `json:"id"`
	Mobile    string     `json:"mobile"`
	Email     string     `json:"email"`
	ProvedAt  *time.Time `json:"email_proved_at"`
	FirstName string     `json:"first_name"`
	LastName  string     `json:"last_name"`
	Language  string     `json:"language"`
	Documents string     `json:"document_language"`
	TOTP      bool       `json:"authenticator_app"`
	Terms     string     `json:"terms_version"`
	AgreedAt  time.Time  `json:"terms_accepted_at"`
	CreatedAt time.Time  `json:"created_at"`
}

type sessionExport struct {
	Device    string     `db:"-"          json:"device"`
	UserAgent string     `db:"user_agent" json:"user_agent"`
	IPAddress string     `db:"ip_address" json:"ip_address"`
	CreatedAt time.Time  `db:"created_at" json:"created_at"`
	EndedAt   *time.Time `db:"ended_at"   json:"ended_at"`
}

type failedExport struct {
	At     time.Time `json:"at"     db:"at"`
	Reason string    `json:"reason" db:"reason"`
}

const exportProfileSQL = `
	SELECT id, mobile, email, email_proved_at, first_name, last_name, language, document_language, totp_enabled_at IS NOT NULL, terms_version, terms_accepted_at, created_at
	FROM franchisers WHERE id = $1`

func exportProfileTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (profileExport, error) {
	var p profileExport
	err := tx.QueryRowContext(ctx, exportProfileSQL, franchiserID).Scan(&p.ID, &p.Mobile, &p.Email, &p.ProvedAt, &p.FirstName,
		&p.LastName, &p.Language, &p.Documents, &p.TOTP, &p.Terms, &p.AgreedAt, &p.CreatedAt)
	if err != nil {
		return profileExport{}, fmt.Errorf("export profile: %w", err)
	}
	return p, nil
}

const exportSessionsSQL = `
	SELECT user_agent, ip_address, created_at, ended_at FROM sessions WHERE franchiser_id = $1 ORDER BY created_at`

func exportSessionsTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) ([]sessionExport, error) {
	list := []sessionExport{}
	if err := tx.SelectContext(ctx, &list, exportSessionsSQL, franchiserID); err != nil {
		return nil, fmt.Errorf("export sessions: %w", err)
	}
	for i := range list {
		list[i].Device = account.Device(list[i].UserAgent)
	}
	return list, nil
}

const exportFailedSQL = `SELECT at, reason FROM failed_sign_ins WHERE franchiser_id = $1 ORDER BY at`

func exportFailedTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) ([]failedExport, error) {
	list := []failedExport{}
	if err := tx.SelectContext(ctx, &list, exportFailedSQL, franchiserID); err != nil {
		return nil, fmt.Errorf("export failed sign-ins: %w", err)
	}
	return list, nil
}

const dueErasuresSQL = `
	SELECT id FROM franchisers
	WHERE erasure_is_due(erasure_requested_at, erased_at, $1) AND ($2 = '' OR id > nullif($2, '')::uuid) ORDER BY id LIMIT $3`

// dueErasures returns the accounts to be erased, in order of id, after the given one; "" starts at the first.
func dueErasures(ctx context.Context, db *sqlx.DB, before time.Time, after string, limit int) ([]string, error) {
	var ids []string
	if err := db.SelectContext(ctx, &ids, dueErasuresSQL, before, after, limit); err != nil {
		return nil, postgres.Error(fmt.Errorf("find due erasures: %w", err))
	}
	return ids, nil
}

const lockErasureSQL = `
	SELECT mobile FROM franchisers WHERE id = $1 AND erasure_is_due(erasure_requested_at, erased_at, $2) FOR UPDATE`

// The mobile is freed for reuse; its replacement is unique and not a valid mobile.
const eraseSQL = `
	UPDATE franchisers SET mobile = 'erased ' || id, email = '', first_name = '', last_name = '', password_hash = '',
		erased_at = $2, email_proved_at = NULL, email_refused_at = NULL, language = '', document_language = ''
	WHERE id = $1`

const (
	eraseSessionsSQL      = `UPDATE sessions SET user_agent = '', ip_address = '' WHERE franchiser_id = $1`
	eraseProofsSQL        = `DELETE FROM email_proofs WHERE franchiser_id = $1`
	eraseFailedSQL        = `DELETE FROM failed_sign_ins WHERE franchiser_id = $1`
	eraseCodesSQL         = `DELETE FROM one_time_codes WHERE mobile = $1`
	eraseAttemptsSQL      = `DELETE FROM code_attempts WHERE mobile = $1`
	eraseVerificationsSQL = `DELETE FROM verifications WHERE mobile = $1`
)

// eraseTx blanks everything personal in the account.
func eraseTx(ctx context.Context, tx *sqlx.Tx, franchiserID, mobile string, now time.Time) error {
	for _, s := range []struct {
		query string
		args  []any
	}{
		{eraseSQL, []any{franchiserID, now}},
		{eraseSessionsSQL, []any{franchiserID}},
		{endTeamSessionsSQL, []any{franchiserID, now}},
		{eraseInvitationsSQL, []any{franchiserID}},
		{eraseMembersSQL, []any{franchiserID, now}},
		{eraseFailedSQL, []any{franchiserID}},
		{eraseProofsSQL, []any{franchiserID}},
		{eraseChangesSQL, []any{franchiserID}},
		{store.DeleteChallengesSQL, []any{franchiserID}},
		{eraseCodesSQL, []any{mobile}},
		{eraseAttemptsSQL, []any{mobile}},
		{eraseVerificationsSQL, []any{mobile}},
		{store.DeleteSignUpsSQL, []any{mobile}},
	} {
		if _, err := tx.ExecContext(ctx, s.query, s.args...); err != nil {
			return fmt.Errorf("erase account: %w", err)
		}
	}
	return credential.RemoveTOTPTx(ctx, tx, franchiserID)
}

// purges returns the statements that delete obsolete rows from growing tables; $1 is the moment before which they
// ended.
func purges() []string {
	return []string{
		`DELETE FROM pending_sign_ups WHERE expires_at < $1`,
		`DELETE FROM one_time_codes WHERE created_at < $1`,
		`DELETE FROM verifications WHERE expires_at < $1`,
		`DELETE FROM code_attempts WHERE last_try_at < $1`,
		`DELETE FROM totp_challenges WHERE expires_at < $1`,
		`DELETE FROM sessions WHERE expires_at < $1`,
		`DELETE FROM failed_sign_ins WHERE at < $1`,
		`DELETE FROM email_proofs WHERE expires_at < $1`,
	}
}

const purgeSendsSQL = `DELETE FROM code_sends WHERE day < $1`

// What an erasure takes of a team: the account's own members keep a row without name and mobile, and the person leaves others'.
const (
	eraseInvitationsSQL = `DELETE FROM team_invitations WHERE franchiser_id = $1
    OR member_id IN (SELECT id FROM team_members WHERE person_id = $1)`
	eraseMembersSQL = `UPDATE team_members SET name = 'Erased', mobile = '', state = 'removed', ended_at = coalesce(ended_at, $2)
WHERE franchiser_id = $1 OR person_id = $1`
	endTeamSessionsSQL = `UPDATE sessions SET ended_at = $2, end_reason = 'removed' WHERE account_id = $1 AND ended_at IS NULL`
)
