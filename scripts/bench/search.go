package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/franchise360/franchise360/migrations"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/support"
)

const (
	searchDatabase = "bench_search"
	searchLimit    = 100 * time.Millisecond // at the 95th percentile
)

// search measures the console's search box among a million customers, one call per typed letter, in a separate database that is
// dropped afterwards. The baseline is the least any search could do: one look-up by a unique mobile.
func search(ctx context.Context, s stack) (result, error) {
	dsn, drop, err := throwAway(ctx, s.OwnerURL)
	if err != nil {
		return result{}, err
	}
	defer drop()
	db, err := postgres.Open(ctx, asAPI(dsn), connections)
	if err != nil {
		return result{}, err
	}
	defer func() { _ = db.Close() }()
	customers := support.NewCustomers(db, clock.System{}, staff.NewRecorder(clock.System{}), nil)
	typed, turn := keystrokes(), atomic.Int64{}
	var p95, slowest time.Duration
	ours := func(ctx context.Context) (float64, error) {
		rate, took, err := load(signedByStaff(ctx), connections, func(ctx context.Context, _ int) error {
			_, _, err := customers.Search(ctx, typed[int(turn.Add(1))%len(typed)], false)
			return err
		})
		p95, slowest = max(p95, quantile(took, 0.95)), max(slowest, quantile(took, 1))
		return rate, err
	}
	limit := func(ctx context.Context) (float64, error) {
		rate, _, err := load(ctx, connections, func(ctx context.Context, n int) error {
			var id string
			mobile := fmt.Sprint(6_000_000_000 + (turn.Add(1)*int64(n+7919))%1_000_000)
			return db.GetContext(ctx, &id, `SELECT id FROM find_franchiser_by_mobile($1)`, mobile)
		})
		return rate, err
	}
	a, b, err := alternate(ctx, ours, limit)
	if err != nil {
		return result{}, err
	}
	r := compare(a, b, 0)
	r.Wanted, r.Met = "p95 ≤ 100 ms", p95 <= searchLimit
	r.Note = fmt.Sprintf("(1,000,000 customers, worst p95 %.1f ms, slowest %.0f ms)", ms(p95), ms(slowest))
	return r, nil
}

// keystrokes returns the texts that the box sends while these queries are typed.
func keystrokes() []string {
	var typed []string
	for _, whole := range []string{
		"6000512345", "+91 60004 99", "asha kulkarni", "kulkarni", "p777777@example.in", "sharma sweets 4242", "sweets 99",
		"store-31337", "shop123456.example.in", "fp261121000000424242", "4039937155314242", "fp/26-27/424242", "8123",
	} {
		for n := 3; n <= len(whole); n++ {
			typed = append(typed, whole[:n])
		}
	}
	return typed
}

// throwAway creates a migrated database with a million customers, separate from the stack's own.
func throwAway(ctx context.Context, owner string) (dsn string, drop func(), err error) {
	admin, err := postgres.Open(ctx, owner, 1)
	if err != nil {
		return "", nil, err
	}
	drop = func() {
		_, _ = admin.ExecContext(context.WithoutCancel(ctx), "DROP DATABASE IF EXISTS "+searchDatabase+" WITH (FORCE)")
		_ = admin.Close()
	}
	for _, stmt := range []string{"DROP DATABASE IF EXISTS " + searchDatabase + " WITH (FORCE)", "CREATE DATABASE " + searchDatabase} {
		if _, err := admin.ExecContext(ctx, stmt); err != nil {
			drop()
			return "", nil, fmt.Errorf("make a database: %w", err)
		}
	}
	u, err := url.Parse(owner)
	if err != nil {
		drop()
		return "", nil, fmt.Errorf("read the database's URL: %w", err)
	}
	u.Path = "/" + searchDatabase
	dsn = u.String()
	if err := fill(ctx, dsn); err != nil {
		drop()
		return "", nil, err
	}
	return dsn, drop, nil
}

func fill(ctx context.Context, dsn string) error {
	if err := migrations.Apply(ctx, dsn); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	db, err := postgres.Open(ctx, dsn, 1)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	for stmt := range strings.SplitSeq(millionScript(), ";\n") {
		if _, err := db.ExecContext(ctx, stmt); err != nil {
			return fmt.Errorf("fill the database: %w", err)
		}
	}
	return nil
}

func asAPI(dsn string) string {
	u, err := url.Parse(dsn)
	if err != nil {
		return dsn
	}
	q := u.Query()
	q.Set("options", "-c role=franchise360_api")
	u.RawQuery = strings.ReplaceAll(q.Encode(), "+", "%20")
	return u.String()
}

// staffSQL is a member of staff with a session, whose proof is that of bench.
const staffSQL = `INSERT INTO staff (id, email, name, role, password_hash, totp_secret, created_at)
	VALUES (md5('staff')::uuid, 'bench@example.in', 'Bench', 'admin', 'x', 'x', now()) ON CONFLICT DO NOTHING`

const staffSessionSQL = `INSERT INTO staff_sessions (id, staff_id, token_hash, created_at, expires_at)
	VALUES (md5('staff')::uuid, md5('staff')::uuid, sha256('bench'), now(), now() + interval '1 year') ON CONFLICT DO NOTHING`

func signedByStaff(ctx context.Context) context.Context {
	proof := sha256.Sum256([]byte("bench"))
	return postgres.WithProof(ctx, proof[:])
}

// peopleSQL inserts the franchisers %[1]d to %[2]d.
const peopleSQL = `
	INSERT INTO franchisers (id, mobile, email, first_name, last_name, password_hash, terms_version, terms_accepted_at, created_at)
	SELECT md5('f' || n)::uuid, (6000000000 + n)::text, 'p' || n || '@example.in',
	(ARRAY['Asha','Ravi','Sunita','Imran','Meera','Joseph','Lakshmi','Arjun','Fatima','Harpreet','Kiran','Devika','Suresh'])[1 + n %% 13],
	(ARRAY['Kulkarni','Sharma','Khan','Rao','Fernandes','Iyer','Singh','Patel','Das','Nair','Gupta'])[1 + n %% 11]
	|| CASE WHEN n %% 3 = 0 THEN ' ' || n ELSE '' END,
	'x', '1', now(), now() FROM generate_series(%[1]d, %[2]d) n`

// millionScript creates a million customers, each with a store, a payment and an invoice, and a domain for every tenth. Foreign
// keys are off: the search reads none of the rows they would refer to.
func millionScript() string {
	return strings.Join([]string{
		"SET session_replication_role = replica", "SET synchronous_commit = off",
		fmt.Sprintf(peopleSQL, 0, 999_999), staffSQL, staffSessionSQL, ownedSQL,
	}, ";\n")
}

// ownedSQL inserts the million franchisers' rows, and analyses them for the planner.
const ownedSQL = `INSERT INTO tenants (id, franchiser_id, store_name, store_type_id, store_username, store_password_hash, slug, created_at, updated_at)
  SELECT md5('t' || n)::uuid, md5('f' || n)::uuid, (ARRAY['Sharma','Royal','New','Asha','Metro','City'])[1 + n % 6] || ' ' ||
    (ARRAY['Sweets','Books','Motors','Mobiles','Foods'])[1 + n % 5] || ' ' || n, 1, (6000000000 + n)::text, 'x', 'store-' || n, now(), now()
  FROM generate_series(0, 999999) n;
INSERT INTO custom_domains (id, franchiser_id, tenant_id, domain, display, token, state, claimed_at, state_since)
  SELECT md5('d' || n)::uuid, md5('f' || n)::uuid, md5('t' || n)::uuid, 'shop' || n || '.example.in', 'shop' || n || '.example.in', md5('d' || n),
    'pending', now(), now() FROM generate_series(0, 999999, 10) n;
INSERT INTO payments (id, franchiser_id, order_id, transaction_id, gateway, gateway_payment_id, state, amount_paise, captured_paise, currency, search, created_at)
  SELECT md5('p' || n)::uuid, md5('f' || n)::uuid, md5('o' || n)::uuid, 'FP261121' || lpad(n::text, 12, '0'), 'payu',
    (4039937155000000 + n)::text, 'paid', 15930000, 15930000, 'INR', '', now() FROM generate_series(0, 999999) n;
INSERT INTO invoices (id, franchiser_id, kind, payment_id, series, financial_year, sequence, number, issued_at, supplier, recipient, receipt,
    place_of_supply, regime, amount_paise, discount_paise, taxable_paise, cgst_paise, sgst_paise, utgst_paise, igst_paise, total_paise)
  SELECT md5('i' || n)::uuid, md5('f' || n)::uuid, 'invoice', md5('p' || n)::uuid, 'FP', '26-27', n + 1, 'FP/26-27/' || lpad((n + 1)::text, 6, '0'),
    now(), '{}', '{}', '{}', '27', 'cgst_sgst', 13500000, 0, 13500000, 1215000, 1215000, 0, 0, 15930000 FROM generate_series(0, 999998) n;
ANALYZE`
