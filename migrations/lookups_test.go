package migrations_test

import (
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// one returns the query's result as text, or "" without a row, with the api's rights.
func one(t *testing.T, db *testkit.Database, query string, args ...any) string {
	t.Helper()
	var list []string
	require.NoError(t, db.API.Select(&list, query, args...), query)
	require.LessOrEqual(t, len(list), 1, query)
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

// A host leads to the store that proved it, not to a store that only claims it, or to a closed store.
func TestHostLookup_LeadsToTheVerifiedStore(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	store := func(owner, slug string) string {
		t.Helper()
		tenant := id.New()
		db.Owner.MustExec(`INSERT INTO tenants (id, franchiser_id, store_name, store_type_id, store_username, store_password_hash, slug, created_at, updated_at)
			SELECT $1, f.id, 'Asha Sweets', (SELECT min(id) FROM business_types), f.mobile, 'x', $3, now(), now() FROM franchisers f WHERE f.id = $2`, tenant, owner, slug)
		return tenant
	}
	asha, ravi := franchiser(t, db, "9876543210", "asha@example.in"), franchiser(t, db, "9876543211", "ravi@example.in")
	ashas, ravis := store(asha, "asha"), store(ravi, "ravi")
	const claim = `INSERT INTO custom_domains (id, franchiser_id, tenant_id, domain, display, token, state, verified_at, claimed_at, state_since)
		VALUES ($1, $2, $3, 'shop.example.in', 'shop.example.in', repeat('0', 32), $4, $5, now(), now())`
	db.Owner.MustExec(claim, id.New(), ravi, ravis, "pending", nil)
	const byDomain, bySlug, byID = `SELECT tenant_id FROM find_store_by_domain($1)`, `SELECT tenant_id FROM find_store_by_slug($1)`, `SELECT coalesce(find_store($1)::text, '')`
	require.Empty(t, one(t, db, byDomain, "shop.example.in"), "claimed, and not proved")
	db.Owner.MustExec(claim, id.New(), asha, ashas, "active", time.Now()) //nolint:forbidigo // any time will do
	require.Equal(t, ashas, one(t, db, byDomain, "shop.example.in"))
	_, err := db.Owner.Exec(`UPDATE custom_domains SET verified_at = now() WHERE tenant_id = $1`, ravis)
	require.ErrorContains(t, err, "custom_domains_verified", "no two stores prove the same")
	db.Owner.MustExec(`UPDATE custom_domains SET state = 'broken' WHERE tenant_id = $1`, ashas)
	require.Equal(t, ashas, one(t, db, byDomain, "shop.example.in"), "a check that failed turns nobody away")
	for _, other := range []string{"", "example.in", "www.shop.example.in", "SHOP.example.in", "shop.example.in."} {
		require.Empty(t, one(t, db, byDomain, other), other)
	}
	require.Equal(t, ashas, one(t, db, bySlug, "asha"))
	require.Equal(t, asha, one(t, db, byID, ashas))
	db.Owner.MustExec(`UPDATE tenants SET closed_at = now() WHERE id = $1`, ashas)
	for query, of := range map[string]string{byDomain: "shop.example.in", bySlug: "asha", byID: ashas} {
		require.Empty(t, one(t, db, query, of), "a store that is closed")
	}
}

// A key, a session of staff and a secret that was replaced count up to their last moment, and a key that was revoked not at all.
func TestExpiry_CountsUpToTheLastMoment(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	until := time.Date(2026, time.November, 25, 10, 0, 0, 0, time.UTC)
	before := until.Add(-time.Microsecond)
	for label, expires := range map[string]any{"ends": until, "stays": nil} {
		db.Owner.MustExec(`INSERT INTO api_keys (id, label, hint, hash, scopes, created_at, expires_at)
			VALUES ($1, $2, 'f360_abc123', sha256($2::text::bytea), '{entitlements:read}', now(), $3)`, id.New(), label, expires)
	}
	key := func(label string, at time.Time) bool {
		return one(t, db, `SELECT id FROM find_api_key(sha256($1::text::bytea), $2)`, label, at) != ""
	}
	require.Equal(t, []bool{true, false, true, true, false}, []bool{
		key("ends", before), key("ends", until), key("stays", before), key("stays", until.AddDate(10, 0, 0)), key("other", before),
	})
	db.Owner.MustExec(`UPDATE api_keys SET revoked_at = $1 WHERE label = 'stays'`, until.AddDate(1, 0, 0))
	require.False(t, key("stays", before), "revoked is revoked, whatever the clock of the process says")

	staff := id.New()
	db.Owner.MustExec(`INSERT INTO staff (id, email, name, role, password_hash, totp_secret, created_at)
		VALUES ($1, 'asha@example.in', 'Asha', 'support', 'x', 'x', now())`, staff)
	db.Owner.MustExec(`INSERT INTO staff_sessions (id, staff_id, token_hash, created_at, expires_at, seen_at) VALUES ($1, $2, sha256('asha'), now(), $3, $4)`,
		id.New(), staff, until, before)
	session := func(at, used time.Time) bool {
		return one(t, db, `SELECT staff_id FROM find_staff_session(sha256('asha'), $1, $2)`, at, used) == staff
	}
	idle := before.Add(-time.Hour)
	require.Equal(t, []bool{true, false, false, true}, []bool{
		session(before, idle), session(until, idle), session(before, before), session(before, before.Add(-time.Microsecond)),
	})
	db.Owner.MustExec(`UPDATE staff SET disabled_at = now()`)
	require.False(t, session(before, idle), "an account that is switched off")

	system := id.New()
	db.Owner.MustExec(`INSERT INTO sign_in_systems (id, label, login_url, redirect_uris, dashboard, state, secret_hash, old_secret_hash, old_secret_until, created_at, updated_at)
		VALUES ($1, 'Shop', 'https://shop.example/login', '{https://shop.example/back}', false, 'enabled', sha256('new'), sha256('old'), $2, now(), now())`, system, until)
	secrets := func(at time.Time) string {
		return one(t, db, `SELECT array_length(secret_hashes, 1) FROM find_sign_in_system($1, $2)`, system, at)
	}
	require.Equal(t, []string{"2", "1"}, []string{secrets(before), secrets(until)})
	db.Owner.MustExec(`UPDATE sign_in_systems SET old_secret_hash = NULL, old_secret_until = NULL`)
	require.Equal(t, "1", secrets(before), "none was replaced")
	db.Owner.MustExec(`UPDATE sign_in_systems SET state = 'disabled'`)
	require.Empty(t, secrets(before))
}

// A writer is known by an address that exactly one account verified, or else by the number of exactly one account.
func TestReachedBy_WriterIsKnownByVerifiedEMailOrNumber(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	asha, ravi := franchiser(t, db, "9876543210", "asha@example.in"), franchiser(t, db, "9876543211", "both@example.in")
	meera, gone := franchiser(t, db, "9876543212", "both@example.in"), franchiser(t, db, "9876543213", "gone@example.in")
	proved := `UPDATE franchisers SET email_proved_at = now() WHERE id = $1`
	reached := func(address, number string) string {
		t.Helper()
		var who []string
		require.NoError(t, db.Owner.Select(&who, `SELECT franchiser_id || CASE WHEN by_email THEN ' by e-mail' ELSE '' END FROM reached_by($1, $2)`, address, number))
		require.LessOrEqual(t, len(who), 1)
		if len(who) == 0 {
			return ""
		}
		return who[0]
	}
	var none []string
	require.ErrorContains(t, db.API.Select(&none, `SELECT name FROM contact_customer('asha@example.in', '', NULL)`), "staff")
	db.Owner.MustExec(proved, asha)
	require.NoError(t, db.API.Select(&none, `SELECT coalesce(customer_address($1), 'hidden')`, asha))
	require.Equal(t, []string{"hidden"}, none)
	db.Owner.MustExec(`UPDATE franchisers SET email_proved_at = NULL`)
	staff := id.New()
	db.Owner.MustExec(`INSERT INTO staff (id, email, name, role, password_hash, totp_secret, created_at) VALUES ($1, 'desk@example.in', 'Desk', 'support', 'x', 'x', now())`, staff)
	db.Owner.MustExec(`INSERT INTO staff_sessions (id, staff_id, token_hash, created_at, expires_at) VALUES ($1, $2, sha256('desk'), now(), now() + interval '1 hour')`, id.New(), staff)
	db.Owner.SetMaxOpenConns(1) // one connection, which keeps the proof
	db.Owner.MustExec(`SELECT set_config('app.proof', encode(sha256('desk'), 'hex'), false)`)

	require.Empty(t, reached("asha@example.in", ""), "an address that nobody proved is anybody's")
	require.Equal(t, asha, reached("asha@example.in", "9876543210"), "the number is")
	db.Owner.MustExec(proved, asha)
	require.Equal(t, asha+" by e-mail", reached("asha@example.in", ""))
	require.Equal(t, asha+" by e-mail", reached("asha@example.in", "9876543211"), "the address comes first")
	require.Empty(t, reached("", ""))
	require.Empty(t, reached("nobody@example.in", "9876543299"))

	db.Owner.MustExec(proved, ravi)
	require.Equal(t, ravi+" by e-mail", reached("both@example.in", ""))
	db.Owner.MustExec(proved, meera)
	require.Empty(t, reached("both@example.in", ""), "of two accounts it is neither's")
	require.Equal(t, meera, reached("both@example.in", "9876543212"), "which the number decides")

	db.Owner.MustExec(proved, gone)
	db.Owner.MustExec(`UPDATE franchisers SET erased_at = now() WHERE id = $1`, gone)
	require.Empty(t, reached("gone@example.in", "9876543213"), "an erased account is nobody's")
}

// The most specific number finds the payment. If it belongs to another payment or to none, the less specific numbers do not count.
func TestPaymentLookup_MostSpecificNumber_Decides(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	owner := franchiser(t, db, "9876543210", "asha@example.in")
	at := testkit.NewClock().Now()
	first, err := testkit.PaidPayment(t.Context(), db.Owner, owner, 9_00_000, false, at)
	require.NoError(t, err)
	second, err := testkit.PaidPayment(t.Context(), db.Owner, owner, 8_00_000, false, at)
	require.NoError(t, err)
	tx := db.Owner.MustBegin()
	tx.MustExec(`SET LOCAL session_replication_role = replica`) // what a payment is for does not change
	for name, payment := range map[string]string{"1": first, "2": second} {
		tx.MustExec(`UPDATE payments SET transaction_id = 'T' || $2::text, gateway = 'payu', gateway_reference = 'R' || $2::text, gateway_payment_id = 'C' || $2::text
			WHERE id = $1`, payment, name)
	}
	require.NoError(t, tx.Commit())
	for asked, want := range map[[4]string]string{
		{"payu", "T1", "", ""}: first, {"payu", "T1", "R2", "C2"}: first, {"payu", "", "R2", "C1"}: second, {"payu", "", "", "C1"}: first,
		{"payu", "T9", "R1", "C1"}: "", {"payu", "", "R9", "C1"}: "", {"payu", "", "", ""}: "", {"razorpay", "T1", "R1", "C1"}: "", {"", "T1", "", ""}: "",
		{"payu", "t1", "", ""}: "",
	} {
		require.Equal(t, want, one(t, db, `SELECT id FROM find_payment($1, $2, $3, $4)`, asked[0], asked[1], asked[2], asked[3]), asked)
	}
	var rows []struct{ ID, FranchiserID string }
	require.NoError(t, sqlx.Select(db.API, &rows, `SELECT id AS "id", franchiser_id AS "franchiserid" FROM find_payment('payu', 'T2', '', '')`))
	require.Equal(t, owner, rows[0].FranchiserID)
}
