package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/scripts/customer"
)

// ordersEach is the number of orders per caller; a page of fifty is about 20 KB.
const ordersEach = 200

const giveOrdersSQL = `
	INSERT INTO orders (id, franchiser_id, kind, state, fingerprint, base_revision, catalogue_revision, plan_id, service_id,
		plan_name, service_name, plan_type, add_on_ids, add_on_names, effective_on, renew_on, recipient, taxable_paise, cgst_paise,
		sgst_paise, utgst_paise, igst_paise, total_paise, pg_charge_paise, search, created_at)
	SELECT uuidv7(), $1, 'new', 'superseded', sha256('x'), n, 1, s.plan_id, s.id, 'Start up', 'Expansion', 'monthly', '{}', '{}',
		'2026-11-21', '2026-12-21', '{"name":"Bench"}', 1250000, 112500, 112500, 0, 0, 1475000, 0, 'start up expansion new monthly',
		now() - n * interval '1 minute'
	FROM (SELECT id, plan_id FROM plan_services LIMIT 1) s, generate_series(1, $2::int) n
	WHERE (SELECT count(*) FROM orders WHERE franchiser_id = $1) < $2`

// orderListScript runs the statements that one page of fifty orders needs.
const orderListScript = `BEGIN;
SELECT set_config('app.franchiser_id', 'FRANCHISER', true);
SELECT id, access_expires_at, expires_at FROM sessions WHERE franchiser_id = 'FRANCHISER' AND ended_at IS NULL LIMIT 1;
SELECT count(*) FROM (SELECT FROM orders WHERE franchiser_id = 'FRANCHISER' LIMIT 10001) capped;
SELECT o.*, t.status, s.state, p.transaction_id, i.number
  FROM (SELECT id FROM orders WHERE franchiser_id = 'FRANCHISER' ORDER BY created_at DESC, id DESC LIMIT 50) page
  JOIN orders o ON o.id = page.id LEFT JOIN terms t ON t.order_id = o.id LEFT JOIN subscriptions s ON s.id = o.subscription_id
  LEFT JOIN LATERAL (SELECT p.id, p.transaction_id FROM payments p WHERE p.order_id = o.id ORDER BY p.created_at DESC LIMIT 1) p ON true
  LEFT JOIN invoices i ON i.payment_id = p.id AND i.kind = 'invoice' ORDER BY o.created_at DESC, o.id DESC;
COMMIT;
`

// orderPage is the number of orders per page.
const (
	orderPage     = 50
	orderPagePath = "/subscription/list?per_page=50"
)

// orderPages holds signed-in callers, each with their own orders.
type orderPages struct {
	people      []*customer.Customer
	franchisers []string
}

func openOrderPages(ctx context.Context, s stack) (*orderPages, error) {
	people, ids, err := signUpAll(ctx, s, 200)
	if err != nil {
		return nil, err
	}
	db, err := postgres.Open(ctx, s.OwnerURL, 1)
	if err != nil {
		return nil, err
	}
	defer func() { _ = db.Close() }()
	for _, franchiser := range ids {
		if _, err := db.ExecContext(ctx, giveOrdersSQL, franchiser, ordersEach); err != nil {
			return nil, fmt.Errorf("give orders: %w", err)
		}
	}
	return &orderPages{people: people, franchisers: ids}, nil
}

// read is the side that reads one page per caller.
func (o *orderPages) read(ctx context.Context) (float64, error) {
	rate, _, err := load(ctx, connections, func(ctx context.Context, n int) error {
		return o.people[n].Call(ctx, http.MethodGet, orderPagePath, nil, nil)
	})
	return rate, err
}

// rows returns the orders of a page.
func (o *orderPages) rows(ctx context.Context) (rows []json.RawMessage, err error) {
	err = o.people[0].Call(ctx, http.MethodGet, orderPagePath, nil, &rows)
	return rows, err
}

// orderList compares a page of fifty orders, session and row-level security included, with pgbench running the statements for
// the same rows.
func orderList(ctx context.Context, s stack) (result, error) {
	o, err := openOrderPages(ctx, s)
	if err != nil {
		return result{}, err
	}
	a, b, err := alternate(ctx, o.read, pgbench(s.DatabaseURL, o.franchisers, orderListScript))
	if err != nil {
		return result{}, err
	}
	return compare(a, b, 0.85), nil
}
