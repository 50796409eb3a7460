package support

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/log"
)

// source is one table of which a timeline is made. Its statement yields at, id (text), title, status, reference, actor,
// request (text, or NULL) and details (jsonb) of the franchiser $1, whose mobile is $2; byMobile says that the mobile is
// enough. Where the actor is 'staff', entries name who of them acted in the same request.
type source struct {
	name, kind string
	byMobile   bool
	sql        string
}

// sources lists the parts of a timeline. One-time codes are told by what was sent for, never by what they say.
func sources() []source {
	return slices.Concat(personSources(), moneySources(), workSources())
}

// personSources tell who the customer is and how it signs in.
func personSources() []source {
	return []source{
		{name: "account", kind: "account", sql: `
			SELECT created_at AS at, id::text AS id, 'Account created' AS title, 'done' AS status, id::text AS reference,
				'customer' AS actor, request_id::text AS request, jsonb_build_object('terms', terms_version, 'terms_accepted_at', terms_accepted_at) AS details
			FROM franchisers WHERE id = $1`},
		{name: "authenticator", kind: "account", sql: `
			SELECT totp_enabled_at AS at, id::text AS id, 'Authenticator app turned on' AS title, 'done' AS status, '' AS reference,
				'customer' AS actor, totp_request_id::text AS request, '{}'::jsonb AS details FROM franchisers WHERE id = $1 AND totp_enabled_at IS NOT NULL`},
		{name: "erasure", kind: "account", sql: `
			SELECT erasure_requested_at AS at, id::text AS id, 'Erasure of the account asked for' AS title,
				CASE WHEN erased_at IS NULL THEN 'waiting' ELSE 'done' END AS status, '' AS reference,
				'customer' AS actor, erasure_request_id::text AS request, jsonb_build_object('erased_at', erased_at) AS details
			FROM franchisers WHERE id = $1 AND erasure_requested_at IS NOT NULL`},
		{name: "signup", kind: "account", byMobile: true, sql: `
			SELECT created_at AS at, id::text AS id, 'Sign-up begun' AS title, 'waiting' AS status, mobile AS reference,
				'visitor' AS actor, request_id::text AS request, jsonb_build_object('free_trial', free_trial, 'terms', terms_version, 'expires_at', expires_at) AS details
			FROM pending_sign_ups WHERE mobile = $2`},
		{name: "code", kind: "code", byMobile: true, sql: `
			SELECT created_at AS at, id::text AS id, CASE message WHEN 'code' THEN 'Code by SMS' WHEN 'none' THEN 'Code asked for, nothing sent'
				ELSE 'Notice by SMS' END || ': ' || replace(purpose, '_', ' ') AS title,
				CASE WHEN used_at IS NOT NULL THEN 'used' WHEN message = 'none' THEN 'not sent' ELSE ` + message.DeliveryStatus + ` END AS status, mobile AS reference,
				CASE WHEN message IN ('account_exists', 'mobile_changed') THEN 'system' WHEN purpose IN ('sign_up', 'password_reset') THEN 'visitor'
					ELSE 'customer' END AS actor, request_id::text AS request,
				jsonb_build_object('message', message, 'purpose', purpose, 'sent_at', sent_at, 'used_at', used_at,
					'expires_at', expires_at, 'error', send_error, 'before_the_account', franchiser_ref IS NULL) || ` + message.DeliveryDetails + ` AS details
			FROM one_time_codes m` + message.DeliveryJoin + ` WHERE mobile = $2`},
		{name: "message", kind: "message", sql: `
			SELECT m.created_at AS at, m.id::text AS id, CASE m.kind WHEN 'invoice_link' THEN 'Invoice by SMS: ' || i.number
				ELSE 'Consent code by SMS' END AS title,
				` + message.DeliveryStatus + ` AS status,
				coalesce(i.number, '') AS reference, 'staff' AS actor, m.request_id::text AS request,
				jsonb_build_object('sent_at', m.sent_at, 'expires_at', m.expires_at, 'error', m.send_error) || ` + message.DeliveryDetails + ` AS details
			FROM support_messages m LEFT JOIN invoices i ON i.id = m.invoice_id` + message.DeliveryJoin + ` WHERE m.franchiser_ref = $1`},
		{name: "reminder", kind: "message", sql: `
			SELECT created_at AS at, id::text AS id, 'Renewal reminder by SMS' AS title,
				CASE sms_state WHEN 'delivered' THEN 'delivered' WHEN 'undelivered' THEN 'not delivered' WHEN 'refused' THEN 'failed'
					ELSE CASE WHEN sent_at IS NULL THEN 'waiting' ELSE 'sent' END END AS status, '' AS reference, 'system' AS actor, NULL AS request,
				jsonb_build_object('renew_on', renew_on, 'days_before', days, 'sent_at', sent_at) || ` + message.DeliveryDetails + ` AS details
			FROM renewal_reminders m` + message.DeliveryJoin + ` WHERE franchiser_id = $1`},
		{name: "session", kind: "session", sql: `
			SELECT created_at AS at, id::text AS id, 'Signed in' AS title, CASE WHEN ended_at IS NULL THEN 'open' ELSE 'ended' END AS status,
				ip_address AS reference, 'customer' AS actor, request_id::text AS request,
				jsonb_build_object('ip', ip_address, 'browser', user_agent, 'remembered', remember,
					'last_seen_at', refreshed_at, 'ended_at', ended_at, 'end_reason', end_reason, 'expires_at', expires_at) AS details
			FROM sessions WHERE franchiser_id = $1`},
		{name: "sign-in-failed", kind: "session", sql: `
			SELECT at, id::text AS id, CASE reason WHEN 'wrong_password' THEN 'Sign-in failed: wrong password'
				WHEN 'wrong_code' THEN 'Sign-in failed: wrong authenticator code' ELSE 'Sign-in refused: too many tries' END AS title,
				'failed' AS status, '' AS reference, 'visitor' AS actor, request_id::text AS request, jsonb_build_object('reason', replace(reason, '_', ' ')) AS details
			FROM failed_sign_ins WHERE franchiser_id = $1`},
		{name: "session-end", kind: "session", sql: `
			SELECT ended_at AS at, id::text AS id, 'Signed out: ' || replace(coalesce(end_reason, 'ended'), '_', ' ') AS title, 'ended' AS status,
				ip_address AS reference, CASE end_reason WHEN 'staff' THEN 'staff' WHEN 'refresh_reuse' THEN 'system' WHEN 'erased' THEN 'system'
					ELSE 'customer' END AS actor, end_request_id::text AS request,
				jsonb_build_object('ip', ip_address, 'browser', user_agent, 'signed_in_at', created_at) AS details
			FROM sessions WHERE franchiser_id = $1 AND ended_at IS NOT NULL`},
	}
}

// moneySources tell what was bought, paid and documented.
func moneySources() []source {
	return []source{
		{name: "order", kind: "order", sql: `
			SELECT created_at AS at, id::text AS id, 'Order, ' || replace(kind, '_', '-') || ': ' || plan_name || ' · ' || service_name AS title,
				state AS status, id::text AS reference, 'customer' AS actor, request_id::text AS request, jsonb_build_object('kind', kind, 'plan_type', plan_type, 'total_paise', total_paise,
					'add_ons', add_on_names, 'effective_on', effective_on, 'renew_on', renew_on, 'paid_at', paid_at) AS details
			FROM orders WHERE franchiser_id = $1`},
		{name: "payment", kind: "payment", sql: `
			SELECT created_at AS at, id::text AS id, 'Payment begun' AS title, state AS status, transaction_id AS reference,
				'customer' AS actor, request_id::text AS request,
				` + paymentDetails + ` || jsonb_build_object('order_id', order_id, 'gateway_reference', gateway_reference,
					'method', method, 'next_check_at', next_check_at,
					'decided_at', decided_at, 'gateway_events', (SELECT jsonb_agg(jsonb_build_object('received_at', e.received_at,
						'source', e.source, 'kind', e.kind, 'status', e.status, 'amount_paise', e.amount_paise,
						'external_id', nullif(e.external_id, ''), 'applied_at', e.applied_at, 'fields', e.fields) ORDER BY e.received_at, e.id)
						FROM payment_events e WHERE e.franchiser_id = p.franchiser_id AND e.payment_id = p.id)) AS details
			FROM payments p WHERE franchiser_id = $1`},
		{name: "payment-end", kind: "payment", sql: `
			SELECT decided_at AS at, id::text AS id, 'Payment ' || state AS title, state AS status, transaction_id AS reference,
				CASE WHEN state IN ('expired', 'held') THEN 'system' ELSE 'gateway' END AS actor, NULL AS request,
				` + paymentDetails + ` AS details
			FROM payments p WHERE franchiser_id = $1 AND decided_at IS NOT NULL`},
		{name: "gateway", kind: "gateway", sql: `
			SELECT e.received_at AS at, e.id::text AS id, CASE CASE WHEN NOT e.signed THEN 'hint' ELSE e.source END
				WHEN 'hint' THEN 'An unsigned notice, of which the gateway was asked: ' WHEN 'webhook' THEN 'The gateway told us: '
				WHEN 'callback' THEN 'The customer came back from the gateway: ' WHEN 'poll' THEN 'We asked the gateway: '
				ELSE 'Staff had the gateway asked: ' END || e.kind AS title, e.status AS status,
				p.transaction_id AS reference, CASE CASE WHEN NOT e.signed THEN 'hint' ELSE e.source END
					WHEN 'hint' THEN 'visitor' WHEN 'webhook' THEN 'gateway' WHEN 'callback' THEN 'customer' WHEN 'poll' THEN 'system'
					ELSE 'staff' END AS actor, e.request_id::text AS request, jsonb_build_object('payment_id', e.payment_id, 'amount_paise', e.amount_paise,
					'external_id', nullif(e.external_id, ''), 'applied_at', e.applied_at, 'fields', e.fields) AS details
			FROM payment_events e JOIN payments p ON p.id = e.payment_id AND p.franchiser_id = e.franchiser_id
			WHERE e.franchiser_id = $1`},
		{name: "dispute", kind: "refund", sql: `
			SELECT opened_at AS at, id::text AS id, CASE WHEN confirmed THEN 'Dispute at the customer’s bank'
				ELSE 'Dispute, unconfirmed: check at the gateway' END AS title, state AS status, gateway_dispute_id AS reference,
				CASE WHEN confirmed THEN 'gateway' ELSE 'visitor' END AS actor, NULL AS request,
				jsonb_build_object('payment_id', payment_id, 'amount_paise', amount_paise, 'confirmed', confirmed, 'refund_id', refund_id,
					'decided_at', decided_at) AS details
			FROM disputes WHERE franchiser_id = $1`},
		{name: "refund", kind: "refund", sql: `
			SELECT created_at AS at, id::text AS id, CASE reason WHEN 'staff' THEN 'Refund that staff asked for' WHEN 'surplus' THEN 'Refund of a surplus'
				WHEN 'dispute' THEN 'Refund of a lost dispute' ELSE 'Refund made at the gateway' END AS title, state AS status, coalesce(gateway_refund_id, '') AS reference,
				CASE reason WHEN 'staff' THEN coalesce((SELECT m.name FROM reversals v JOIN staff m ON m.id = v.requested_by
						WHERE v.franchiser_ref = f.franchiser_id AND v.refund_id = f.id LIMIT 1), 'staff')
					WHEN 'surplus' THEN 'system' ELSE 'gateway' END AS actor, NULL AS request,
				jsonb_build_object('amount_paise', amount_paise, 'payment_id', payment_id, 'note', note, 'failure', failure,
					'keep_plan', nullif(keep_plan, false), 'sent_at', sent_at, 'done_at', done_at) AS details
			FROM refunds f WHERE franchiser_id = $1`},
		{name: "invoice", kind: "document", sql: `
			SELECT i.issued_at AS at, i.id::text AS id, CASE i.kind WHEN 'invoice' THEN 'Invoice ' WHEN 'receipt_voucher' THEN 'Receipt voucher '
				WHEN 'refund_voucher' THEN 'Refund voucher ' ELSE 'Credit note ' END || i.number AS title,
				CASE WHEN d.invoice_id IS NULL THEN 'no PDF yet' ELSE 'ready' END AS status, i.number AS reference,
				'system' AS actor, NULL AS request, jsonb_build_object('invoice_id', i.id, 'document', i.kind, 'payment_id', i.payment_id, 'total_paise', i.total_paise,
					'reason', i.reason, 'rendered_at', d.rendered_at, 'size_bytes', d.size_bytes, 'sha256', d.sha256) AS details
			FROM invoices i LEFT JOIN invoice_documents d ON d.invoice_id = i.id AND d.franchiser_id = i.franchiser_id
			WHERE i.franchiser_id = $1`},
		{name: "ledger", kind: "ledger", sql: `
			SELECT j.posted_at AS at, j.id::text AS id, j.description AS title, j.kind AS status, j.reference AS reference,
				'system' AS actor, NULL AS request, jsonb_build_object('lines', (SELECT jsonb_agg(jsonb_build_object('account', l.account, 'debit_paise', l.debit_paise,
					'credit_paise', l.credit_paise) ORDER BY l.position) FROM ledger_lines l
					WHERE l.franchiser_id = j.franchiser_id AND l.journal_id = j.id)) AS details
			FROM ledger_journals j WHERE j.franchiser_id = $1`},
		{name: "subscription", kind: "subscription", sql: `
			SELECT at, id::text AS id, 'Plan: ' || replace(kind, '_', ' ') AS title, to_state AS status,
				coalesce(order_id::text, '') AS reference, CASE WHEN kind IN ('trial', 'change_scheduled', 'add_on_cancelled', 'add_on_reactivated') THEN 'customer'
					WHEN kind = 'grace_extended' THEN 'staff' ELSE 'system' END AS actor, request_id::text AS request, jsonb_build_object('from', from_state, 'to', to_state) AS details
			FROM subscription_events WHERE franchiser_id = $1`},
	}
}

// paymentDetails are what staff know a payment p by and what became of it. The reason of a held one is told in numbers, because
// its own is written for the customer.
const paymentDetails = `jsonb_build_object('payment_id', p.id, 'transaction_id', p.transaction_id,
	'bought', (SELECT o.plan_name || ' · ' || o.service_name FROM orders o WHERE o.franchiser_id = p.franchiser_id AND o.id = p.order_id),
	'invoice', (SELECT min(i.number) FROM invoices i WHERE i.franchiser_id = p.franchiser_id AND i.payment_id = p.id AND i.kind = 'invoice'),
	'gateway', p.gateway, 'gateway_payment_id', p.gateway_payment_id,
	'bank_reference', (SELECT coalesce(nullif(e.fields ->> 'bank_ref_num', ''), e.fields ->> 'bank_ref_no') FROM payment_events e
		WHERE e.franchiser_id = p.franchiser_id AND e.payment_id = p.id AND e.kind = 'payment' AND e.signed
			AND e.fields ?| '{bank_ref_num,bank_ref_no}' ORDER BY e.received_at DESC LIMIT 1),
	'due_paise', p.amount_paise, 'captured_paise', p.captured_paise,
	'missing_paise', CASE WHEN p.state = 'held' AND p.captured_paise < p.amount_paise THEN p.amount_paise - p.captured_paise END,
	'too_much_paise', CASE WHEN p.state = 'held' AND p.captured_paise > p.amount_paise THEN p.captured_paise - p.amount_paise END,
	'reason', CASE WHEN p.state <> 'held' THEN p.reason WHEN EXISTS (SELECT FROM owed_of_payment(p.id) o WHERE o.gateway_payment_id = p.gateway_payment_id) THEN 'Staff released it, but its refund failed.'
		WHEN p.surplus THEN 'Staff released it. It is on its way back to the customer.'
		WHEN p.captured_paise = p.amount_paise THEN 'It came in another currency. It is held until an admin gives it back.'
		ELSE 'What came is not what was due. It is held until an admin gives it back.' END,
	'going_back', nullif(p.surplus, false),
	'refund_failed', nullif(EXISTS (SELECT FROM owed_of_payment(p.id)), false), 'paid_with', p.slug)`

// workSources tell what machines and staff did.
func workSources() []source {
	return []source{
		{name: "domain", kind: "domain", sql: `
			SELECT first_at AS at, id::text AS id, 'Domain checked: ' || domain AS title, state AS status, domain AS reference,
				'system' AS actor, NULL AS request, jsonb_build_object('reason', reason, 'found_txt', found_txt, 'found_ips', found_ips, 'checks', checks,
					'last_checked_at', last_at) AS details
			FROM domain_checks WHERE franchiser_id = $1`},
		{name: "claim", kind: "domain", sql: `
			SELECT claimed_at AS at, id::text AS id, 'Domain claimed: ' || domain AS title, state AS status, domain AS reference,
				'customer' AS actor, request_id::text AS request, jsonb_build_object('domain_id', id, 'next_check_at', next_check_at, 'verified_at', verified_at) AS details
			FROM custom_domains WHERE franchiser_id = $1`},
		{name: "job", kind: "job", byMobile: true, sql: `
			SELECT created_at AS at, id::text AS id, 'Job ' || kind AS title, state::text AS status, id::text AS reference, 'system' AS actor, metadata ->> 'request_id' AS request,
				jsonb_build_object('job_id', id, 'queue', queue, 'attempt', attempt, 'max_attempts', max_attempts, 'arguments', args,
					'scheduled_at', scheduled_at, 'finalized_at', finalized_at,
					'errors', (SELECT jsonb_agg(jsonb_build_object('at', x ->> 'at', 'attempt', x -> 'attempt', 'error', x ->> 'error'))
						FROM unnest(errors) x)) AS details
			FROM river_job WHERE metadata ->> 'franchiser_id' = $1::text
				OR id = ANY (ARRAY(SELECT j.id FROM one_time_codes c JOIN river_job j ON j.args ->> 'code_id' = c.id::text
					WHERE c.mobile = $2 AND c.franchiser_ref IS NULL))
			UNION ALL SELECT created_at, job_id::text, 'Job ' || kind, state, job_id::text, 'system', request_ref,
				jsonb_build_object('job_id', job_id, 'queue', queue, 'attempt', attempt, 'max_attempts', max_attempts, 'arguments', args,
					'scheduled_at', scheduled_at, 'finalized_at', finalized_at, 'errors', errors)
			FROM job_outcomes WHERE franchiser_ref = $1::text`},
		{name: "staff", kind: "staff", sql: `
			SELECT a.at AS at, a.sequence::text AS id, a.action AS title, 'done' AS status, a.target AS reference,
				m.name AS actor, a.request_id::text AS request, jsonb_build_object('role', m.role, 'reason', a.reason, 'before', nullif(a.before, ''), 'after', nullif(a.after, '')) AS details
			FROM staff_actions a JOIN staff m ON m.id = a.staff_id WHERE a.franchiser_ref = $1`},
	}
}

// given tells the types of the first two parameters, whichever sources use them.
const given = `WITH given AS (SELECT $1::uuid AS franchiser, $2::text AS mobile)
`

// shown is what an entry shows of a source's row.
const shown = `SELECT u.at, u.id, u.kind, u.title, u.status, u.reference, coalesce(u.request, '') AS request_id, u.details,
	coalesce((SELECT m.name FROM staff_actions a JOIN staff m ON m.id = a.staff_id JOIN given ON a.franchiser_ref = given.franchiser
		WHERE u.actor = 'staff' AND a.request_id::text = u.request LIMIT 1), u.actor) AS actor
FROM `

// rows gives the source's rows the names by which they are told from those of others.
func (s source) rows() string {
	return `SELECT e.at, '` + s.name + `.' || e.id AS id, '` + s.kind + `' AS kind, e.title, e.status, e.reference, e.actor, e.request, e.details
		FROM (` + s.sql + `) e`
}

// page narrows a source to what comes before the time $3 and the entry $4, at most $5 of it.
func (s source) page() string {
	return `(` + s.rows() + `
		WHERE $3::timestamptz IS NULL OR e.at < $3 OR e.at = $3 AND ('` + s.name + `.' || e.id) COLLATE "C" < $4
		ORDER BY e.at DESC, e.id COLLATE "C" DESC LIMIT $5)`
}

// entriesTx reads one entry more than asked for, which tells whether there is a next page.
func entriesTx(ctx context.Context, tx *sqlx.Tx, chosen []source, q TimelineQuery, at *time.Time, entryID string) ([]Entry, error) {
	parts := make([]string, 0, len(chosen))
	for _, s := range chosen {
		parts = append(parts, s.page())
	}
	if len(parts) == 0 {
		return []Entry{}, nil
	}
	query := given + shown + "(" + strings.Join(parts, "\nUNION ALL ") + ") u\nORDER BY u.at DESC, u.id COLLATE \"C\" DESC LIMIT $5"
	return selectEntries(ctx, tx, query, franchiserOrNone(q.FranchiserID), q.Mobile, at, entryID, q.Limit+1)
}

func franchiserOrNone(franchiserID string) *string {
	if franchiserID == "" {
		return nil
	}
	return &franchiserID
}

func entryTx(ctx context.Context, tx *sqlx.Tx, s source, franchiserID, mobile, entryID string) ([]Entry, error) {
	query := given + shown + "(" + s.rows() + ") u WHERE u.id = $3"
	return selectEntries(ctx, tx, query, franchiserID, mobile, entryID)
}

func selectEntries(ctx context.Context, tx *sqlx.Tx, query string, args ...any) ([]Entry, error) {
	var rows []struct {
		At        time.Time `db:"at"`
		ID        string    `db:"id"`
		Kind      string    `db:"kind"`
		Title     string    `db:"title"`
		Status    string    `db:"status"`
		Reference string    `db:"reference"`
		Actor     string    `db:"actor"`
		RequestID string    `db:"request_id"`
		Details   []byte    `db:"details"`
	}
	if err := tx.SelectContext(ctx, &rows, query, args...); err != nil {
		return nil, fmt.Errorf("read timeline: %w", err)
	}
	entries := make([]Entry, 0, len(rows))
	for _, r := range rows {
		e := Entry{ID: r.ID, At: r.At.UTC(), Kind: r.Kind, Title: r.Title, Status: r.Status, Reference: r.Reference, Actor: r.Actor, RequestID: r.RequestID}
		if err := json.Unmarshal(r.Details, &e.Details); err != nil {
			return nil, fmt.Errorf("read timeline: %w", err)
		}
		if reason, ok := e.Details["error"].(string); ok {
			e.Details["error"] = message.FailureText(reason)
		}
		e.Details, _ = log.MaskValue(e.Details).(map[string]any)
		entries = append(entries, e)
	}
	return entries, nil
}
