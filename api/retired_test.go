package main

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/plan"
)

// retire installs a revision of the catalogue without its last plan.
func (a *testApp) retire(t *testing.T) {
	t.Helper()
	var text map[string]any
	require.NoError(t, json.Unmarshal(plan.DefaultCatalogue(), &text))
	plans, _ := text["plans"].([]any)
	text["plans"] = plans[:len(plans)-1]
	rest, err := json.Marshal(text)
	require.NoError(t, err)
	_, err = plan.Load(t.Context(), a.db.Worker, a.clock, rest)
	require.NoError(t, err)
}

func (a *testApp) count(t *testing.T, query string) int {
	t.Helper()
	var n int
	require.NoError(t, a.db.Owner.Get(&n, query))
	return n
}

// paid makes the gateway capture a session, notify us and respond to our query.
func (a *testApp) paid(t *testing.T, gateway *payuServer, session answer) {
	t.Helper()
	form, _ := session.Data(t, "gateway_details").(map[string]any)
	txn, _ := form["txnid"].(string)
	amount, _ := form["amount"].(string)
	gateway.captured(txn, amount)
	require.Equal(t, 303, a.client(t).do(t, http.MethodPost, "/payments/callback", a.returned(form, "success")).Status)
	gateway.work(t, a)
}

// Given a plan that is no longer sold, when a customer tries to buy it through the API, then the call is refused and nothing is written.
// Existing customers keep it until their paid term ends, and a charge already open is honoured.
func TestRetiredPlan_IsNotSoldButKept(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	gateway := newPayuServer(t)
	plans := app.catalogue(t).Plans
	tier := plans[len(plans)-1].Tiers[0]
	const request, preview = "/subscription/payments/request", "/subscription/payments/details"

	owner, early, late := app.buyer(t, "9876500101"), app.buyer(t, "9876500102"), app.buyer(t, "9876500103")
	app.paid(t, gateway, owner.post(t, request, choice(tier, "monthly")))
	open := early.post(t, request, choice(tier, "yearly"))
	require.Equal(t, 200, open.Status, "%s", open.Raw)
	dashboard := owner.get(t, "/subscription/dashboard")
	before := app.count(t, `SELECT (SELECT count(*) FROM orders) + (SELECT count(*) FROM payments) + (SELECT count(*) FROM idempotency_keys)`)

	app.retire(t)
	for _, path := range []string{request, preview} {
		for who, c := range map[string]*testClient{"a new customer": late, "one who has it": owner} {
			refused := c.do(t, http.MethodPost, path, choice(tier, "yearly"), "Idempotency-Key", "0123456789-a")
			require.Equal(t, 422, refused.Status, "%s: %s", who, refused.Raw)
			require.Equal(t, map[string]any{"plan_services_id": []any{"Choose a plan that is on sale."}}, refused.Body["messages"], who)
		}
	}
	require.Equal(t, before, app.count(t,
		`SELECT (SELECT count(*) FROM orders) + (SELECT count(*) FROM payments) + (SELECT count(*) FROM idempotency_keys)`), "nothing is written")

	require.JSONEq(t, string(dashboard.Raw), string(owner.get(t, "/subscription/dashboard").Raw), "it is kept as it was")
	sub, _ := dashboard.Data(t, "subscription").(map[string]any)
	require.Equal(t, "active", sub["state"])
	app.paid(t, gateway, open)
	got, _ := early.get(t, "/subscription/dashboard").Data(t, "subscription").(map[string]any)
	require.Equal(t, "active", got["state"], "what was asked for while it was sold, and paid, is given")
	require.Equal(t, 2, app.count(t, `SELECT count(*) FROM invoices`))
	require.Zero(t, app.count(t, `SELECT count(*) FROM refunds`))

	app.clock.Advance(28 * 24 * time.Hour)
	require.Equal(t, 200, owner.login(t, "9876500101", goodPassword).Status)
	renewal := map[string]any{"subscription_id": sub["id"]}
	for _, path := range []string{"/renew-subscription/payments/details", "/renew-subscription/payments/request"} {
		refused := owner.post(t, path, renewal)
		require.Equal(t, 409, refused.Status, "%s", refused.Raw)
		require.Equal(t, "plan_retired", refused.Body["code"])
		require.NotEmpty(t, refused.Body["message"])
	}
	other := owner.post(t, request, choice(plans[0].Tiers[0], "monthly"))
	require.Equal(t, 200, other.Status, "another plan is open to them: %s", other.Raw)
}
