package support

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

func search(ctx context.Context, db *sqlx.DB, q string) ([]Hit, error) {
	hits := []Hit{}
	err := db.SelectContext(ctx, &hits, `SELECT franchiser_id, kind, label, exact FROM support_search($1)`, q)
	if err != nil {
		return nil, postgres.Error(fmt.Errorf("search customers: %w", err))
	}
	return hits, nil
}

const customerSQL = `
SELECT f.id, btrim(f.first_name || ' ' || f.last_name) AS name, f.mobile, f.email, f.created_at,
    f.erased_at IS NOT NULL AS erased, f.totp_enabled_at IS NOT NULL AS totp_enabled,
    coalesce(s.state, 'no plan') AS state, coalesce(o.plan_name || ' · ' || o.service_name, '') AS plan,
    coalesce(s.plan_type, '') AS plan_type, to_char(s.paid_until, 'YYYY-MM-DD') AS next_bill_on,
    coalesce(t.store_name, '') AS store_name, coalesce(t.slug, '') AS store_slug,
    coalesce(d.domain, '') AS domain, coalesce(d.state, '') AS domain_state,
    coalesce(a.address || ', ' || a.city || ' ' || a.zipcode, '') AS address,
    coalesce((SELECT p.state FROM payments p WHERE p.franchiser_id = f.id ORDER BY p.created_at DESC, p.id DESC LIMIT 1), '') AS payment_state,
    (SELECT count(*) FROM river_job j WHERE j.metadata ->> 'franchiser_id' = f.id::text
        AND (j.state IN ('discarded', 'cancelled') OR j.state = 'retryable' AND j.errors IS NOT NULL)) AS failed_jobs,
    (SELECT max(x.refreshed_at) FROM sessions x WHERE x.franchiser_id = f.id) AS last_seen_at
FROM franchisers f
LEFT JOIN subscriptions s ON s.franchiser_id = f.id
LEFT JOIN LATERAL (SELECT o.plan_name, o.service_name FROM orders o WHERE o.franchiser_id = f.id AND o.service_id = s.service_id
    ORDER BY o.created_at DESC LIMIT 1) o ON true
LEFT JOIN tenants t ON t.franchiser_id = f.id
LEFT JOIN custom_domains d ON d.franchiser_id = f.id
LEFT JOIN business_addresses a ON a.franchiser_id = f.id
WHERE f.id = $1`

func customerTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (Customer, error) {
	var c Customer
	err := tx.GetContext(ctx, &c, customerSQL, franchiserID)
	if errors.Is(err, sql.ErrNoRows) {
		return Customer{}, errs.NotFound()
	}
	if err != nil {
		return Customer{}, fmt.Errorf("read customer: %w", err)
	}
	return c, nil
}

// Each part of the timeline yields at, type, title, status, reference and details for the franchiser $1, whose mobile is
// $2. One-time codes are told by what was sent for, never by what
// they say; the gateway's fields come without its key and signatures.
const timelineSQL = `
(SELECT created_at AS at, 'account' AS type, 'Account created' AS title, 'done' AS status, id::text AS reference,
    jsonb_build_object('terms', terms_version) AS details FROM franchisers WHERE id = $1)
UNION ALL (SELECT created_at, 'code', 'Code by SMS: ' || purpose,
    CASE WHEN send_error IS NOT NULL THEN 'failed' WHEN used_at IS NOT NULL THEN 'used' WHEN sent_at IS NOT NULL THEN 'sent' ELSE 'waiting' END,
    id::text, jsonb_build_object('message', message, 'sent_at', sent_at, 'used_at', used_at, 'expires_at', expires_at)
    FROM one_time_codes WHERE mobile = $2 ORDER BY created_at DESC LIMIT $3)
UNION ALL (SELECT created_at, 'session', 'Signed in',
    CASE WHEN ended_at IS NULL THEN 'open' ELSE 'ended' END, id::text,
    jsonb_build_object('ip', ip_address, 'browser', user_agent, 'ended_at', ended_at, 'end_reason', end_reason, 'expires_at', expires_at)
    FROM sessions WHERE franchiser_id = $1 ORDER BY created_at DESC LIMIT $3)
UNION ALL (SELECT created_at, 'order', 'Order: ' || plan_name || ' · ' || service_name, state, id::text,
    jsonb_build_object('kind', kind, 'plan_type', plan_type, 'total_paise', total_paise, 'add_ons', add_on_names, 'paid_at', paid_at)
    FROM orders WHERE franchiser_id = $1 ORDER BY created_at DESC LIMIT $3)
UNION ALL (SELECT created_at, 'payment', 'Payment begun', state, transaction_id,
    jsonb_build_object('payment_id', id, 'order_id', order_id, 'gateway', gateway, 'gateway_payment_id', gateway_payment_id,
        'amount_paise', amount_paise, 'captured_paise', captured_paise, 'method', method, 'reason', reason, 'checks', checks,
        'next_check_at', next_check_at, 'decided_at', decided_at)
    FROM payments WHERE franchiser_id = $1 ORDER BY created_at DESC LIMIT $3)
UNION ALL (SELECT e.received_at, 'gateway', 'Gateway ' || e.source || ': ' || e.kind, e.status, p.transaction_id,
    jsonb_build_object('payment_id', e.payment_id, 'amount_paise', e.amount_paise, 'applied_at', e.applied_at, 'fields', e.fields - '{hash,key,cardhash,card_token,cardToken}'::text[])
    FROM payment_events e JOIN payments p ON p.id = e.payment_id AND p.franchiser_id = e.franchiser_id
    WHERE e.franchiser_id = $1 ORDER BY e.received_at DESC LIMIT $3)
UNION ALL (SELECT issued_at, 'invoice', CASE kind WHEN 'invoice' THEN 'Invoice ' ELSE 'Credit note ' END || number,
    CASE WHEN d.invoice_id IS NULL THEN 'no document yet' ELSE 'document ready' END, number,
    jsonb_build_object('id', i.id, 'payment_id', payment_id, 'total_paise', total_paise, 'rendered_at', d.rendered_at)
    FROM invoices i LEFT JOIN invoice_documents d ON d.invoice_id = i.id AND d.franchiser_id = i.franchiser_id
    WHERE i.franchiser_id = $1 ORDER BY issued_at DESC LIMIT $3)
UNION ALL (SELECT j.posted_at, 'ledger', j.description, j.kind, j.reference,
    jsonb_build_object('lines', (SELECT jsonb_agg(jsonb_build_object('account', l.account, 'debit_paise', l.debit_paise,
        'credit_paise', l.credit_paise) ORDER BY l.position) FROM ledger_lines l WHERE l.franchiser_id = j.franchiser_id AND l.journal_id = j.id))
    FROM ledger_journals j WHERE j.franchiser_id = $1 ORDER BY j.posted_at DESC LIMIT $3)
UNION ALL (SELECT at, 'subscription', kind, to_state, coalesce(order_id::text, ''), jsonb_build_object('from', from_state)
    FROM subscription_events WHERE franchiser_id = $1 ORDER BY at DESC LIMIT $3)
UNION ALL (SELECT created_at, 'refund', 'Refund: ' || reason, state, id::text,
    jsonb_build_object('amount_paise', amount_paise, 'payment_id', payment_id, 'failure', failure, 'done_at', done_at)
    FROM refunds WHERE franchiser_id = $1 ORDER BY created_at DESC LIMIT $3)
UNION ALL (SELECT coalesce(checked_at, claimed_at), 'domain', 'Domain ' || domain, state, domain,
    jsonb_build_object('reason', reason, 'found_txt', found_txt, 'found_ips', found_ips, 'next_check_at', next_check_at)
    FROM custom_domains WHERE franchiser_id = $1)
UNION ALL (SELECT created_at, 'job', 'Job ' || kind, state::text, id::text,
    jsonb_build_object('queue', queue, 'attempt', attempt, 'max_attempts', max_attempts, 'scheduled_at', scheduled_at,
        'finalized_at', finalized_at, 'errors', (SELECT jsonb_agg(x ->> 'error') FROM unnest(errors) x))
    FROM river_job WHERE metadata ->> 'franchiser_id' = $1::text ORDER BY id DESC LIMIT $3)
ORDER BY at DESC`

func timelineTx(ctx context.Context, tx *sqlx.Tx, franchiserID, mobile string) ([]Event, error) {
	var rows []struct {
		At        time.Time `db:"at"`
		Type      string    `db:"type"`
		Title     string    `db:"title"`
		Status    string    `db:"status"`
		Reference string    `db:"reference"`
		Details   []byte    `db:"details"`
	}
	if err := tx.SelectContext(ctx, &rows, timelineSQL, franchiserID, mobile, TimelineLimit); err != nil {
		return nil, fmt.Errorf("read timeline: %w", err)
	}
	events := make([]Event, 0, len(rows))
	for _, r := range rows {
		e := Event{At: r.At, Type: r.Type, Title: r.Title, Status: r.Status, Reference: r.Reference}
		if err := json.Unmarshal(r.Details, &e.Details); err != nil {
			return nil, fmt.Errorf("read timeline: %w", err)
		}
		events = append(events, e)
	}
	return events, nil
}
