package account

import (
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/timeline"
)

// TimelineSources describe the customer's identity and sign-ins. One-time codes are described by their purpose, never by their digits.
func TimelineSources() []timeline.Source {
	return []timeline.Source{
		{Name: "account", Kind: timeline.KindAccount, SQL: `
			SELECT created_at AS at, id::text AS id, 'Account created' AS title, 'done' AS status, id::text AS reference,
				'customer' AS actor, request_id::text AS request, jsonb_build_object('terms', terms_version, 'terms_accepted_at', terms_accepted_at) AS details
			FROM franchisers WHERE id = $1`},
		{Name: "authenticator", Kind: timeline.KindAccount, SQL: `
			SELECT totp_enabled_at AS at, id::text AS id, 'Authenticator app turned on' AS title, 'done' AS status, '' AS reference,
				'customer' AS actor, totp_request_id::text AS request, '{}'::jsonb AS details FROM franchisers WHERE id = $1 AND totp_enabled_at IS NOT NULL`},
		{Name: "erasure", Kind: timeline.KindAccount, SQL: `
			SELECT erasure_requested_at AS at, id::text AS id, 'Erasure of the account asked for' AS title,
				CASE WHEN erased_at IS NULL THEN 'waiting' ELSE 'done' END AS status, '' AS reference,
				'customer' AS actor, erasure_request_id::text AS request, jsonb_build_object('erased_at', erased_at) AS details
			FROM franchisers WHERE id = $1 AND erasure_requested_at IS NOT NULL`},
		{Name: "email-entered", Kind: timeline.KindAccount, SQL: `
			SELECT created_at AS at, id::text AS id, CASE WHEN replaces = '' THEN 'E-mail address to be proved' ELSE 'E-mail address changed' END AS title,
				CASE WHEN used_at IS NULL THEN 'waiting' ELSE 'done' END AS status, '' AS reference,
				'customer' AS actor, request_id::text AS request, jsonb_build_object('expires_at', expires_at, 'proved_at', used_at) AS details
			FROM email_proofs WHERE franchiser_id = $1`},
		{Name: "email-proved", Kind: timeline.KindAccount, SQL: `
			SELECT used_at AS at, id::text AS id, 'E-mail address proved' AS title, 'done' AS status, '' AS reference,
				'customer' AS actor, use_request_id::text AS request, '{}'::jsonb AS details
			FROM email_proofs WHERE franchiser_id = $1 AND used_at IS NOT NULL AND use_request_id IS NOT NULL`},
		{Name: "mobile-change", Kind: timeline.KindAccount, SQL: `
			SELECT created_at AS at, id::text AS id, 'Change of a lost mobile decided' AS title,
				CASE state WHEN 'applied' THEN 'done' ELSE state END AS status, right(mobile, 4) AS reference, 'staff' AS actor, NULL::text AS request,
				jsonb_build_object('due_at', due_at, 'ended_at', ended_at, 'stopped_by', stopped_by) AS details
			FROM mobile_changes WHERE franchiser_id = $1`},
		{Name: "team", Kind: timeline.KindAccount, SQL: `
			SELECT e.at, e.id::text AS id, CASE e.kind WHEN 'invited' THEN 'Invited to the team' WHEN 'resent' THEN 'Invitation sent again'
				WHEN 'withdrawn' THEN 'Invitation withdrawn' WHEN 'accepted' THEN 'Invitation accepted' WHEN 'role_changed' THEN 'Role changed'
				WHEN 'removed' THEN 'Removed from the team' WHEN 'left' THEN 'Left the team' ELSE 'Done by a member: ' || e.operation END AS title,
				CASE WHEN e.kind = 'act' THEN coalesce(e.outcome, 'not known') ELSE 'done' END AS status, e.member_id::text AS reference,
				CASE WHEN e.actor = 'owner' THEN 'customer' ELSE m.name || ' (' || e.role || ')' END AS actor, e.request_id::text AS request,
				jsonb_build_object('name', m.name, 'role', e.role) AS details
			FROM team_events e JOIN team_members m ON m.franchiser_id = e.franchiser_id AND m.id = e.member_id WHERE e.franchiser_id = $1`},
		{Name: "signup", Kind: timeline.KindAccount, ByMobile: true, SQL: `
			SELECT created_at AS at, id::text AS id, 'Sign-up begun' AS title, 'waiting' AS status, mobile AS reference,
				'visitor' AS actor, request_id::text AS request, jsonb_build_object('free_trial', free_trial, 'terms', terms_version, 'expires_at', expires_at) AS details
			FROM pending_sign_ups WHERE mobile = $2`},
		{Name: "code", Kind: timeline.KindCode, ByMobile: true, SQL: `
			SELECT created_at AS at, id::text AS id, CASE message WHEN 'code' THEN 'Code by SMS' WHEN 'none' THEN 'Code asked for, nothing sent'
				ELSE 'Notice by SMS' END || ': ' || replace(purpose, '_', ' ') AS title,
				CASE WHEN used_at IS NOT NULL THEN 'used' WHEN message = 'none' THEN 'not sent' ELSE ` + message.DeliveryStatus + ` END AS status, mobile AS reference,
				CASE WHEN message IN ('account_exists', 'mobile_changed', 'erasure_asked') THEN 'system' WHEN purpose IN ('sign_up', 'password_reset') THEN 'visitor'
					ELSE 'customer' END AS actor, request_id::text AS request,
				jsonb_build_object('message', message, 'purpose', purpose, 'sent_at', sent_at, 'used_at', used_at,
					'expires_at', expires_at, 'error', send_error, 'before_the_account', franchiser_ref IS NULL) || ` + message.DeliveryDetails + ` AS details
			FROM one_time_codes m` + message.DeliveryJoin + ` WHERE mobile = $2`},
		{Name: "session", Kind: timeline.KindSession, SQL: `
			SELECT created_at AS at, id::text AS id, 'Signed in' AS title, CASE WHEN ended_at IS NULL THEN 'open' ELSE 'ended' END AS status,
				ip_address AS reference, 'customer' AS actor, request_id::text AS request,
				jsonb_build_object('ip', ip_address, 'browser', user_agent, 'remembered', remember,
					'last_seen_at', refreshed_at, 'ended_at', ended_at, 'end_reason', end_reason, 'expires_at', expires_at) AS details
			FROM sessions WHERE franchiser_id = $1`},
		{Name: "sign-in-failed", Kind: timeline.KindSession, SQL: `
			SELECT at, id::text AS id, CASE reason WHEN 'wrong_password' THEN 'Sign-in failed: wrong password'
				WHEN 'wrong_code' THEN 'Sign-in failed: wrong authenticator code' ELSE 'Sign-in refused: too many tries' END AS title,
				'failed' AS status, '' AS reference, 'visitor' AS actor, request_id::text AS request, jsonb_build_object('reason', replace(reason, '_', ' ')) AS details
			FROM failed_sign_ins WHERE franchiser_id = $1`},
		{Name: "session-end", Kind: timeline.KindSession, SQL: `
			SELECT ended_at AS at, id::text AS id, 'Signed out: ' || replace(coalesce(end_reason, 'ended'), '_', ' ') AS title, 'ended' AS status,
				ip_address AS reference, CASE end_reason WHEN 'staff' THEN 'staff' WHEN 'refresh_reuse' THEN 'system' WHEN 'erased' THEN 'system'
					ELSE 'customer' END AS actor, end_request_id::text AS request,
				jsonb_build_object('ip', ip_address, 'browser', user_agent, 'signed_in_at', created_at) AS details
			FROM sessions WHERE franchiser_id = $1 AND ended_at IS NOT NULL`},
	}
}

// MemberOfRequestSQL returns an expression for other domains' statements: the member of the franchiser's team, with the role, who
// acted in the request, NULL if it was the owner.
func MemberOfRequestSQL(franchiser, request string) string {
	return `(SELECT m.name || ' (' || e.role || ')' FROM team_events e
		JOIN team_members m ON m.franchiser_id = e.franchiser_id AND m.id = e.member_id
		WHERE e.kind = 'act' AND e.franchiser_id = ` + franchiser + ` AND e.request_id::text = ` + request + ` LIMIT 1)`
}

// CodesOfMobileSQL is for other domains' statements: the ids of the codes sent to the mobile $2 while it had no
// account.
const CodesOfMobileSQL = `SELECT id FROM one_time_codes WHERE mobile = $2 AND franchiser_ref IS NULL`

// UnfinishedMobileSQL is for other domains' statements: the mobile to which the code with that id was sent while it had no account;
// code is an expression.
func UnfinishedMobileSQL(code string) string {
	return `SELECT mobile FROM one_time_codes WHERE id = CASE WHEN ` + code + ` ~ '^[0-9a-f-]{36}$' THEN (` + code + `)::uuid END AND franchiser_ref IS NULL`
}
