package support

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

const customerSQL = `
SELECT f.id, btrim(f.first_name || ' ' || f.last_name) AS name, CASE WHEN f.erased_at IS NULL THEN f.mobile ELSE '' END AS mobile, f.email, f.created_at,
    f.erased_at IS NOT NULL AS erased, f.erasure_requested_at AS erasure_at, f.totp_enabled_at IS NOT NULL AS totp_enabled,
    coalesce(s.state, 'no plan') AS state, coalesce(o.plan_name || ' · ' || o.service_name, '') AS plan,
    coalesce(s.plan_type, '') AS plan_type, to_char(s.paid_until, 'YYYY-MM-DD') AS renew_on,
    coalesce(t.store_name, '') AS store_name, coalesce(t.slug, '') AS store_slug,
    d.id AS domain_id, coalesce(d.domain, '') AS domain, coalesce(d.state, '') AS domain_state, coalesce(d.reason, '') AS domain_reason,
    coalesce(a.address || ', ' || a.city || ' ' || a.zipcode, '') AS address,
    p.id AS payment_id, coalesce(p.state, '') AS payment_state, coalesce(p.reason, '') AS payment_reason,
    (SELECT count(*) FROM payments x WHERE x.franchiser_id = f.id AND x.state IN ('created', 'pending')) AS open_payments,
    coalesce(a.legal_name, '') AS legal_name, coalesce(a.gstin, '') AS gstin,
    (SELECT coalesce(sum(r.amount_paise), 0)::bigint FROM refunds r WHERE r.franchiser_id = f.id AND r.state = 'done') AS refunded_paise,
    (SELECT count(*) FROM disputes x WHERE x.franchiser_id = f.id AND x.state = 'open') AS open_disputes,
    owed_to_franchiser(f.id) AS owed_paise,
    (SELECT count(*) FROM river_job j WHERE j.metadata ->> 'franchiser_id' = f.id::text
        AND (j.state = 'discarded' OR j.state = 'retryable' AND j.errors IS NOT NULL) AND NOT j.metadata ? 'dismissed_at') AS failed_jobs,
    (SELECT count(*) FROM invoices i WHERE i.franchiser_id = f.id
        AND NOT EXISTS (SELECT FROM invoice_documents x WHERE x.invoice_id = i.id)) AS missing_documents,
    (SELECT count(*) FROM sessions x WHERE x.franchiser_id = f.id AND x.ended_at IS NULL) AS open_sessions,
    (SELECT max(x.refreshed_at) FROM sessions x WHERE x.franchiser_id = f.id) AS last_seen_at,
    coalesce((SELECT CASE WHEN sms_state = 'delivered' THEN NULL WHEN sms_state = 'undelivered' THEN 'sms_undelivered'
            WHEN m.sent_at IS NULL THEN m.send_error END || coalesce(' (' || sms_provider || ' ' || nullif(sms_code, '') || ')', '')
        FROM one_time_codes m` + message.DeliveryJoin + `
        WHERE m.mobile = f.mobile ORDER BY m.created_at DESC LIMIT 1), '') AS last_code_error,
    coalesce(worst.tries, 0) AS wrong_codes, worst.last_try_at AS last_wrong_at
FROM franchisers f
LEFT JOIN subscriptions s ON s.franchiser_id = f.id
LEFT JOIN LATERAL (SELECT o.plan_name, o.service_name FROM orders o WHERE o.franchiser_id = f.id AND o.service_id = s.service_id
    ORDER BY o.created_at DESC LIMIT 1) o ON true
LEFT JOIN LATERAL (SELECT p.id, p.state, p.reason FROM payments p WHERE p.franchiser_id = f.id
    ORDER BY p.created_at DESC, p.id DESC LIMIT 1) p ON true
LEFT JOIN tenants t ON t.franchiser_id = f.id
LEFT JOIN custom_domains d ON d.franchiser_id = f.id
LEFT JOIN business_addresses a ON a.franchiser_id = f.id
LEFT JOIN LATERAL (SELECT x.tries, x.last_try_at FROM code_attempts x WHERE x.mobile = f.mobile
    ORDER BY x.tries DESC, x.last_try_at DESC LIMIT 1) worst ON true -- of the browsers that tried
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

const mobileSQL = `
SELECT $1::text AS mobile, EXISTS (SELECT FROM pending_sign_ups WHERE mobile = $1) AS pending,
    coalesce((SELECT max(tries) FROM code_attempts WHERE mobile = $1), 0) AS wrong_codes,
    (SELECT last_try_at FROM code_attempts WHERE mobile = $1 ORDER BY tries DESC, last_try_at DESC LIMIT 1) AS last_wrong_at,
    (SELECT count(*) FROM one_time_codes WHERE mobile = $1) AS messages`

func mobileTx(ctx context.Context, tx *sqlx.Tx, mobile string) (Mobile, error) {
	var m Mobile
	if err := tx.GetContext(ctx, &m, mobileSQL, mobile); err != nil {
		return Mobile{}, fmt.Errorf("read mobile: %w", err)
	}
	return m, nil
}
