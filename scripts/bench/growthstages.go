package main

import (
	"context"
	"crypto/md5" //nolint:gosec // as Postgres makes the ids
	"encoding/hex"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/connect"
	"github.com/franchise360/franchise360/pkg/figures"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/support"
	"github.com/franchise360/franchise360/pkg/tenant"
	"github.com/franchise360/franchise360/pkg/worklist"
)

const (
	// growthLeast is the least number of customers.
	growthLeast = 1_000_000
	growthCalls = 1000
	// sweepSamples is how often the sweep is measured.
	sweepSamples = 5
	// growthDueEvery spreads the due rows of a sweep over fifty million.
	growthDueEvery = 50_000_000 / sweepDue
	// growthPayers are the customers of whom the payments are.
	growthPayers = 5_000_000
)

// anyone returns a number of a customer; the same ones in each run.
func anyone(g growth) func() int {
	random := rand.New(rand.NewPCG(7, 7)) //nolint:gosec // no secret
	return func() int { return random.IntN(g.customers) }
}

// nowhere is where no store is.
type nowhere struct{}

// Assemble is not called, because no customer has a store.
func (nowhere) Assemble(tenant.Tenant, *tenant.CustomDomain) tenant.Store { return tenant.Store{} }

func subscriptionsStage() growthStage {
	return growthStage{
		name: "subscriptions", table: "subscriptions",
		fill: strings.ReplaceAll(`
			INSERT INTO subscriptions (id, franchiser_id, state, revision, catalogue_revision, plan_id, service_id, plan_type, anchor_day,
				starts_on, renew_on, paid_until, due_on, created_at, updated_at)
			SELECT uuidv7(), uuidv7(), 'active', 1, 1, s.plan_id, s.id, 'monthly', 1, '2026-10-01', r, r, r, now(), now()
			FROM (SELECT id, plan_id FROM plan_services LIMIT 1) s, generate_series(%[1]d + 1, %[2]d + 1) n,
				LATERAL (SELECT CASE WHEN n %% EVERY = 0 THEN date '2026-11-01' ELSE date '2027-11-01' END AS r) x`,
			"EVERY", fmt.Sprint(growthDueEvery)),
		measure: measureSubscriptions,
	}
}

// sweeps prints how long the worker's sweep takes over rows that are made due again each time.
func (x *scratch) sweeps(ctx context.Context, g growth, r *readings) error {
	due := g.customers / growthDueEvery
	var took []time.Duration
	for range sweepSamples {
		one, err := x.sweep(ctx, due)
		if err != nil {
			return err
		}
		took = append(took, one)
	}
	slices.Sort(took)
	r.row(fmt.Sprintf("sweep of %d due subscriptions", due), took)
	return nil
}

func measureSubscriptions(ctx context.Context, g growth, x *scratch, r *readings) error {
	if err := x.sweeps(ctx, g, r); err != nil {
		return err
	}
	now := clock.NewFake(time.Date(2026, time.November, 2, 10, 0, 0, 0, clock.IST))
	logger := slog.New(slog.DiscardHandler)
	api, err := x.billing(x.API, now, logger)
	if err != nil {
		return err
	}
	worker, err := x.billing(x.Worker, now, logger)
	if err != nil {
		return err
	}
	var ids []string
	if err := x.Owner.SelectContext(ctx, &ids, `SELECT franchiser_id FROM subscriptions TABLESAMPLE SYSTEM (0.1) REPEATABLE (7)
		ORDER BY md5(id::text) LIMIT $1`, growthCalls); err != nil {
		return fmt.Errorf("choose customers: %w", err)
	}
	err = r.samples("dashboard of a customer", len(ids), func(n int) error {
		_, err := api.Subscriptions.Dashboard(ctx, ids[n], nowhere{}, connect.DashboardSQL)
		return err
	})
	if err != nil {
		return err
	}
	return r.samples("hourly look for prices that changed", 3, func(int) error {
		_, err := worker.Subscriptions.TellPrices(ctx)
		return err
	})
}

func peopleStage() growthStage {
	return growthStage{
		name: "people", table: "franchisers", before: []string{staffSQL, staffSessionSQL},
		without: []string{"franchisers_email"},
		fill:    peopleSQL,
		measure: measurePeople,
	}
}

func measurePeople(ctx context.Context, g growth, x *scratch, r *readings) error {
	someone := anyone(g)
	err := r.samples("sign-in: the account of a mobile", growthCalls, func(int) error {
		var hash string
		return x.API.GetContext(ctx, &hash, `SELECT password_hash FROM find_login($1)`, fmt.Sprint(6_000_000_000+someone()))
	})
	if err != nil {
		return err
	}
	return x.searches(ctx, r, someone, []kindOfSearch{
		{"mobile", func(n int) string { return fmt.Sprint(6_000_000_000 + n) }},
		{"first five digits of a mobile", func(n int) string { return fmt.Sprint(6_000_000_000 + n)[:5] }},
		{"last four digits", func(n int) string { return fmt.Sprintf("…%04d", n%10_000) }},
		{"last six digits", func(n int) string { return fmt.Sprintf("…%06d", n%1_000_000) }},
		{"e-mail", func(n int) string { return fmt.Sprintf("p%d@example.in", n) }},
		{"first letters of an e-mail", func(n int) string { return fmt.Sprintf("p%d", n)[:3] }},
		{"name of many", func(n int) string {
			return []string{"asha", "kulkarni", "ravi sharma", "imran khan", "sin", "harpreet singh"}[n%6]
		}},
		{"name of one", func(n int) string { return fmt.Sprintf("%s %d", lastNames()[(n-n%3)%11], n-n%3) }},
		{"id", func(n int) string { return idOf("f", n) }},
	})
}

// idOf returns the filling statements' md5(prefix || n)::uuid.
func idOf(prefix string, n int) string {
	h := hex.EncodeToString(md5Of(prefix + strconv.Itoa(n)))
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

func md5Of(text string) []byte {
	sum := md5.Sum([]byte(text)) //nolint:gosec // no secret
	return sum[:]
}

func lastNames() []string {
	return []string{"kulkarni", "sharma", "khan", "rao", "fernandes", "iyer", "singh", "patel", "das", "nair", "gupta"}
}

type kindOfSearch struct {
	name string
	text func(n int) string
}

// searches measures the console's search box, through the product's own code.
func (x *scratch) searches(ctx context.Context, r *readings, someone func() int, kinds []kindOfSearch) error {
	ctx = signedByStaff(ctx)
	customers := support.NewCustomers(x.API, clock.System{}, staff.NewRecorder(clock.System{}), nil)
	for _, kind := range kinds {
		err := r.samples("search: "+kind.name, growthCalls, func(int) error {
			text := kind.text(someone())
			hits, _, err := customers.Search(ctx, text, false)
			if err == nil && len(hits) == 0 {
				err = fmt.Errorf("nothing found for %q", text)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func paymentsStage() growthStage {
	return growthStage{
		name: "payments", table: "payments", before: []string{staffSQL, staffSessionSQL},
		without: []string{"payments_gateway_gateway_reference_key"},
		fill: strings.ReplaceAll(`
			INSERT INTO payments (id, franchiser_id, order_id, transaction_id, gateway, gateway_payment_id, bank_reference, state, amount_paise,
				captured_paise, currency, search, created_at, decided_at)
			SELECT md5('p' || n)::uuid, md5('f' || n %% PAYERS)::uuid, md5('o' || n)::uuid, 'FP261121' || lpad(n::text, 12, '0'), 'payu',
				(4039937155000000 + n)::text, (600000000000 + n)::text, 'paid', 15930000, 15930000, 'INR', '',
				timestamptz '2026-01-01' + n * interval '0.5 seconds', timestamptz '2026-01-01' + n * interval '0.5 seconds'
			FROM generate_series(%[1]d, %[2]d) n`, "PAYERS", strconv.Itoa(growthPayers)),
		measure: measurePayments,
	}
}

func measurePayments(ctx context.Context, g growth, x *scratch, r *readings) error {
	someone := anyone(g)
	err := x.searches(ctx, r, someone, []kindOfSearch{
		{"bank reference", func(n int) string { return fmt.Sprint(600_000_000_000 + n) }},
		{"transaction", func(n int) string { return fmt.Sprintf("fp261121%012d", n) }},
		{"first letters of a transaction", func(n int) string { return fmt.Sprintf("fp261121%012d", n)[:14] }},
		{"gateway's payment", func(n int) string { return fmt.Sprint(4_039_937_155_000_000 + n) }},
	})
	if err != nil {
		return err
	}
	now := clock.NewFake(time.Date(2026, time.November, 2, 10, 0, 0, 0, clock.IST))
	work := worklist.NewService(x.API, now, staff.NewRecorder(now), support.Subjects{}, app.WorkSources())
	admin := staff.Principal{Role: staff.RoleAdmin, Name: "Bench"}
	return r.samples("work list", growthCalls, func(int) error {
		_, err := work.List(signedByStaff(ctx), admin)
		return err
	})
}

// figuresStage has each customer with one order, a term and a line; the figures are counted from all of them, twice: as the first count
// does, and as each day's does. They take as much room again as the subscriptions.
func figuresStage() growthStage {
	const of = ` FROM (SELECT id, plan_id FROM plan_services LIMIT 1) s, generate_series(%[1]d, %[2]d) n`
	beside := strings.ReplaceAll(of, "%[1]d, %[2]d", "0, %[1]d")
	return growthStage{
		name: "figures", table: "subscriptions",
		fill: `
			INSERT INTO subscriptions (id, franchiser_id, state, revision, catalogue_revision, plan_id, service_id, plan_type, anchor_day,
				starts_on, renew_on, paid_until, due_on, created_at, updated_at)
			SELECT md5('s' || n)::uuid, md5('f' || n)::uuid, 'active', 1, 1, s.plan_id, s.id, 'monthly', 1, '2026-10-15', '2026-11-15', '2026-11-15',
				'2026-11-15', '2026-10-15', '2026-10-15'` + of,
		beside: []string{
			`INSERT INTO orders (id, franchiser_id, kind, state, fingerprint, subscription_id, base_revision, catalogue_revision, plan_id, service_id,
				plan_name, service_name, plan_type, add_on_ids, add_on_names, effective_on, renew_on, recipient, taxable_paise, cgst_paise,
				sgst_paise, utgst_paise, igst_paise, total_paise, pg_charge_paise, search, created_at, paid_at)
				SELECT md5('o' || n)::uuid, md5('f' || n)::uuid, 'new', 'paid', sha256('x'), md5('s' || n)::uuid, 0, 1, s.plan_id, s.id, 'Start up', 'Expansion',
				'monthly', '{}', '{}', '2026-10-15', '2026-11-15', '{"name":"Bench","state_code":"29"}', 1250000, 112500, 112500, 0, 0, 1475000, 0,
				'start up expansion new monthly', '2026-10-15', '2026-10-15'` + beside,
			`INSERT INTO order_lines (order_id, franchiser_id, position, kind, label, sac, rate_bps, quantity, amount_paise, discount_paise, tax_paise,
				period_from, period_to)
				SELECT md5('o' || n)::uuid, md5('f' || n)::uuid, 1, 'plan', 'Start up Expansion', '997331', 1800, 1, 1250000, 0, 225000, '2026-10-15',
				'2026-11-15'` + beside,
			`INSERT INTO terms (id, franchiser_id, subscription_id, order_id, catalogue_revision, plan_id, service_id, plan_type, starts_on, renew_on, status)
				SELECT md5('t' || n)::uuid, md5('f' || n)::uuid, md5('s' || n)::uuid, md5('o' || n)::uuid, 1, s.plan_id, s.id, 'monthly', '2026-10-15',
				'2026-11-15', 'current'` + beside,
		},
		measure: func(ctx context.Context, _ growth, x *scratch, r *readings) error {
			now := clock.NewFake(time.Date(2026, time.November, 2, 10, 0, 0, 0, clock.IST))
			counter := figures.NewCounter(x.Worker, now)
			return r.samples("count of the figures", 2, func(int) error {
				_, err := counter.Count(ctx)
				return err
			})
		},
	}
}
