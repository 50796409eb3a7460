package account

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/message"
)

// CustomerSQL is for other domains' statements: what staff see of the person $1, or no row. Its columns are id, name,
// mobile (empty once erased), email, created_at, erased, erasure_at, totp_enabled, open_sessions, last_seen_at,
// last_code_error (why the last SMS did not arrive), wrong_codes and last_wrong_at (of the browser with the most
// tries).
const CustomerSQL = `
SELECT f.id, btrim(f.first_name || ' ' || f.last_name) AS name, CASE WHEN f.erased_at IS NULL THEN f.mobile ELSE '' END AS mobile,
    f.email, f.created_at, f.erased_at IS NOT NULL AS erased, f.erasure_requested_at AS erasure_at,
    f.totp_enabled_at IS NOT NULL AS totp_enabled,
    (SELECT count(*) FROM sessions x WHERE x.franchiser_id = f.id AND x.ended_at IS NULL) AS open_sessions,
    (SELECT max(x.refreshed_at) FROM sessions x WHERE x.franchiser_id = f.id) AS last_seen_at,
    coalesce((SELECT CASE WHEN sms_state = 'delivered' THEN NULL WHEN sms_state = 'undelivered' THEN 'sms_undelivered'
            WHEN m.sent_at IS NULL THEN m.send_error END || coalesce(' (' || sms_provider || ' ' || nullif(sms_code, '') || ')', '')
        FROM one_time_codes m` + message.DeliveryJoin + `
        WHERE m.mobile = f.mobile ORDER BY m.created_at DESC LIMIT 1), '') AS last_code_error,
    coalesce(worst.tries, 0) AS wrong_codes, worst.last_try_at AS last_wrong_at
FROM franchisers f
LEFT JOIN LATERAL (SELECT x.tries, x.last_try_at FROM code_attempts x WHERE x.mobile = f.mobile
    ORDER BY x.tries DESC, x.last_try_at DESC LIMIT 1) worst ON true -- of the browsers that tried
WHERE f.id = $1`

// MobileState is the state of a number that began to sign up and may never have become a customer.
type MobileState struct {
	Mobile     string     `db:"mobile"`
	Pending    bool       `db:"pending"`
	WrongCodes int        `db:"wrong_codes"`
	LastWrong  *time.Time `db:"last_wrong_at"`
	Messages   int        `db:"messages"`
}

const mobileStateSQL = `
SELECT $1::text AS mobile, EXISTS (SELECT FROM pending_sign_ups WHERE mobile = $1) AS pending,
    coalesce((SELECT max(tries) FROM code_attempts WHERE mobile = $1), 0) AS wrong_codes,
    (SELECT last_try_at FROM code_attempts WHERE mobile = $1 ORDER BY tries DESC, last_try_at DESC LIMIT 1) AS last_wrong_at,
    (SELECT count(*) FROM one_time_codes WHERE mobile = $1) AS messages`

// MobileStateTx returns the state of a number, including an unknown one.
func MobileStateTx(ctx context.Context, tx *sqlx.Tx, mobile string) (MobileState, error) {
	var m MobileState
	if err := tx.GetContext(ctx, &m, mobileStateSQL, mobile); err != nil {
		return m, fmt.Errorf("read state of a mobile: %w", err)
	}
	return m, nil
}
