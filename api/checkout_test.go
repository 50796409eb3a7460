package main

import (
	"compress/gzip"
	"context"
	"crypto/sha512"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/api/handler"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// payuServer responds to verify_payment as the test decides.
type payuServer struct {
	mu      sync.Mutex
	details map[string]map[string]string
	url     string
}

func newPayuServer(t *testing.T) *payuServer {
	t.Helper()
	p := &payuServer{details: map[string]map[string]string{}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		defer p.mu.Unlock()
		txn := r.PostFormValue("var1")
		d, ok := p.details[txn]
		if !ok {
			d = map[string]string{"mihpayid": "Not Found", "status": "Not Found"}
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"status": 1, "msg": "", "transaction_details": map[string]any{txn: d}})
	}))
	t.Cleanup(server.Close)
	p.url = server.URL
	return p
}

func (p *payuServer) captured(txn, amount string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.details[txn] = map[string]string{
		"mihpayid": "4039" + txn[len(txn)-6:], "status": "success", "unmappedstatus": "captured", "transaction_amount": amount,
		"amt": amount, "mode": "UPI", "txnid": txn,
	}
}

// work runs the queued verifications with the worker's rights.
func (p *payuServer) work(t *testing.T, a *testApp) {
	t.Helper()
	cfg := a.config
	cfg.Gateways.Accounts = map[string]config.GatewayAccount{"payu": maps.Clone(a.config.Gateways.Accounts["payu"]), "razorpay": a.config.Gateways.Accounts["razorpay"]}
	cfg.Gateways.Accounts["payu"]["PAYU_API_URL"] = p.url
	payments := a.working(t, cfg).Payments
	var args []string
	require.NoError(t, a.db.Owner.Select(&args, `UPDATE river_job SET state = 'completed', finalized_at = now()
		WHERE kind = 'verify_payment' AND state = 'available' RETURNING args::text`))
	for _, text := range args {
		var v payment.VerifyArgs
		require.NoError(t, json.Unmarshal([]byte(text), &v))
		require.NoError(t, payments.Captures.Verify(context.Background(), v))
	}
}

// returned signs the form that PayU would post back for a session.
func (a *testApp) returned(form map[string]any, status string) url.Values {
	get := func(name string) string { s, _ := form[name].(string); return s }
	text := strings.Join([]string{
		a.config.Gateways.Accounts["payu"]["PAYU_SALT"], status, "", "", "", "", "", "", "", "", "", "", get("email"), get("firstname"), get("productinfo"),
		get("amount"), get("txnid"), a.config.Gateways.Accounts["payu"]["PAYU_KEY"],
	}, "|")
	sum := sha512.Sum512([]byte(text))
	v := url.Values{"status": {status}, "hash": {hex.EncodeToString(sum[:])}, "mihpayid": {"403993715"}}
	for _, name := range []string{"email", "firstname", "productinfo", "amount", "txnid", "key"} {
		v.Set(name, get(name))
	}
	return v
}

// buyer signs up and has an address in Karnataka by default.
func (a *testApp) buyer(t *testing.T, mobile string) *testClient {
	t.Helper()
	c := a.client(t)
	franchiser := c.signUp(t, mobile)
	_, err := a.db.Owner.Exec(`INSERT INTO business_addresses (id, franchiser_id, address, street, landmark, country_id, state_id,
		city, zipcode, location, legal_name, created_at, updated_at)
		VALUES ($1, $2, '12/4', 'MG Road', 'Mall', 'IN', '29', 'Bengaluru', '560001', 'Bengaluru', 'Asha Sweets', now(), now())`, id.New(), franchiser)
	require.NoError(t, err)
	return c
}

func (a *testApp) catalogue(t *testing.T) *plan.Catalogue {
	t.Helper()
	c, err := plan.NewService(a.db.API, testkit.NewLogger(t)).Fresh(t.Context())
	require.NoError(t, err)
	return c
}

func choice(tier plan.Tier, typ string, more ...any) map[string]any {
	m := map[string]any{"plan_type": typ, "plan_services_id": tier.ID, "add_ons_service_id": []string{}}
	for i := 0; i+1 < len(more); i += 2 {
		m[fmt.Sprint(more[i])] = more[i+1]
	}
	return m
}

func TestPlanList_IsCompressedAndRevalidated(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	plain := app.client(t).do(t, http.MethodGet, "/subscription-plan/list", nil, "Accept-Encoding", "identity")
	require.Equal(t, 200, plain.Status)
	require.Len(t, plain.Data(t, "subscription_plan"), 4)
	require.Nil(t, plain.Data(t, "subscription_message"))
	for encoding, reader := range map[string]func(io.Reader) (io.Reader, error){
		"zstd": func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r) },
		"gzip": func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, app.server.URL+handler.Prefix+"/subscription-plan/list", nil)
		require.NoError(t, err)
		r.Header.Set("Accept-Encoding", encoding)
		resp, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.Equal(t, encoding, resp.Header.Get("Content-Encoding"))
		unpacked, err := reader(resp.Body)
		require.NoError(t, err)
		body, err := io.ReadAll(unpacked)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, string(plain.Raw), string(body))
	}
	again := app.client(t).do(t, http.MethodGet, "/subscription-plan/list", nil, "If-None-Match", plain.Header.Get("ETag"))
	require.Equal(t, 304, again.Status)

	trial := app.client(t)
	trial.signUpForTrial(t, "9876500001")
	told := trial.do(t, http.MethodGet, "/subscription-plan/list", nil, "Accept-Encoding", "identity")
	require.Equal(t, "Your free trial ends on 15 Nov 2026.", told.Data(t, "subscription_message"))
	require.Equal(t, "info", told.Data(t, "subscription_message_tone"), "a trial that has just begun is no alarm")
	require.Equal(t, "info", trial.get(t, "/subscription/dashboard").Data(t, "subscription").(map[string]any)["notice_tone"])
	order := trial.get(t, "/subscription/list").Body["data"].([]any)[0].(map[string]any)
	require.Equal(t, []any{"2026-11-15", "-"}, []any{order["plan_end_date"], order["plan_renew_on"]}, "a trial ends and never renews")
	app.clock.Advance(11 * 24 * time.Hour)
	require.Equal(t, 200, trial.login(t, "9876500001", goodPassword).Status)
	told = trial.do(t, http.MethodGet, "/subscription-plan/list", nil, "Accept-Encoding", "identity")
	require.Equal(t, "danger", told.Data(t, "subscription_message_tone"), "its last days are")
	require.Equal(t, "danger", trial.get(t, "/subscription/dashboard").Data(t, "subscription").(map[string]any)["notice_tone"], "on the dashboard, too")
}

func TestPlanList_SubscriptionMessage_IsPerCustomerAndAtMostOneSecondOld(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	trial, other := app.client(t), app.client(t)
	trial.signUpForTrial(t, "9876500001")
	other.signUp(t, "9876500002")
	message := func(c *testClient) any {
		return c.do(t, http.MethodGet, "/subscription-plan/list", nil, "Accept-Encoding", "identity").Data(t, "subscription_message")
	}
	for range 2 { // from the database, then from the cache
		require.Equal(t, "Your free trial ends on 15 Nov 2026.", message(trial))
		require.Nil(t, message(other))
	}
	_, err := app.db.Owner.Exec(`UPDATE subscriptions SET renew_on = renew_on + 1, paid_until = paid_until + 1`)
	require.NoError(t, err)
	app.clock.Advance(time.Second)
	require.Equal(t, "Your free trial ends on 16 Nov 2026.", message(trial))
	require.Equal(t, 200, trial.post(t, "/logout", nil).Status)
	require.Nil(t, message(trial), "who signed out is nobody")
}

func TestCatalogue_PlansTiersAndAddOns(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c, cat := app.client(t), app.catalogue(t)
	require.Equal(t, 200, c.get(t, "/subscription-plan/details/"+cat.Plans[0].ID).Status)
	require.Equal(t, 404, c.get(t, "/subscription-plan/details/"+id.New()).Status)
	require.Equal(t, 404, c.get(t, "/subscription-plan/details/x").Status)
	byPlan := c.get(t, "/subscription-plan/add-ons-services/"+cat.Plans[0].ID)
	byTier := c.get(t, "/subscription-plan/add-ons-services/"+cat.Plans[0].Tiers[0].ID)
	require.Equal(t, string(byTier.Raw), string(byPlan.Raw))
	quote := c.post(t, "/subscription-plan/quote", choice(cat.Plans[0].Tiers[0], "yearly"))
	require.Equal(t, 200, quote.Status)
	require.Equal(t, "₹1,59,300", quote.Data(t, "total"))
	require.Equal(t, 422, c.post(t, "/subscription-plan/quote", choice(cat.Plans[0].Tiers[0], "weekly")).Status)
}

// Given a buyer who reads Hindi, then the gateway knows the name on the invoice and sends the browser back to pages in Hindi; a language that
// there is none of leads to those in English.
func TestPaymentReturn_LeadsToThePageInTheBuyersLanguage(t *testing.T) {
	t.Parallel()
	a := newTestApp(t)
	c := a.buyer(t, asha)
	require.Equal(t, 200, c.do(t, http.MethodPut, "/profile/language", map[string]any{"language": "hi"}).Status)
	body := choice(a.catalogue(t).Plans[0].Tiers[0], "yearly", "expected_total", 15_930_000)
	form, ok := c.post(t, "/subscription/payments/request", body).Data(t, "gateway_details").(map[string]any)
	require.True(t, ok)
	require.Equal(t, "Asha Sweets", form["firstname"], "nobody asked for a first name")
	back, err := url.Parse(form["surl"].(string))
	require.NoError(t, err)
	require.Equal(t, "language=hi", back.RawQuery)
	for query, page := range map[string]string{
		"language=hi": "/hi/checkout/result/success", "language=en": "/checkout/result/success", "": "/checkout/result/success",
		"language=" + url.QueryEscape("//evil.example"): "/checkout/result/success",
	} {
		came := a.client(t).do(t, http.MethodPost, "/payments/callback?"+query, a.returned(form, "success"), "Origin", "https://test.payu.in", "Sec-Fetch-Site", "cross-site")
		require.Equal(t, 303, came.Status, "%s", came.Raw)
		require.Equal(t, page+"?transaction_id="+form["txnid"].(string), came.Header.Get("Location"), query)
	}
	var fields string
	require.NoError(t, a.db.Owner.Get(&fields, `SELECT string_agg(fields::text, '') FROM payment_events`))
	require.NotContains(t, fields, "language")
}

func TestPurchase_FromPlanToDashboard(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	gateway := newPayuServer(t)
	c := app.buyer(t, "9876500002")
	tier := app.catalogue(t).Plans[0].Tiers[0]
	preview := c.post(t, "/subscription/payments/details", choice(tier, "yearly"))
	require.Equal(t, 200, preview.Status)
	require.Equal(t, "₹1,59,300", preview.Data(t, "total"))
	require.Nil(t, preview.Data(t, "gateway_details"))

	body := choice(tier, "yearly", "expected_total", preview.Data(t, "expected_total"), "payment_method", "upi")
	session := c.do(t, http.MethodPost, "/subscription/payments/request", body, "Idempotency-Key", "0123456789-a")
	require.Equal(t, 200, session.Status, "%s", session.Raw)
	again := c.do(t, http.MethodPost, "/subscription/payments/request", body, "Idempotency-Key", "0123456789-a")
	require.Equal(t, string(session.Raw), string(again.Raw))
	resumed := c.post(t, "/subscription/payments/details", choice(tier, "yearly"))
	require.Equal(t, session.Data(t, "gateway_details"), resumed.Data(t, "gateway_details"))

	form := session.Data(t, "gateway_details").(map[string]any)
	require.Equal(t, "https://test.payu.in/_payment", form["payment_url"])
	require.Equal(t, "159300.00", form["amount"])
	txn := form["txnid"].(string)
	status := c.get(t, "/subscription/payments/status/"+txn)
	require.Equal(t, "confirming", status.Data(t, "state"))

	gateway.captured(txn, "159300.00")
	back := app.client(t).do(t, http.MethodPost, "/payments/callback", app.returned(form, "success"),
		"Origin", "https://test.payu.in", "Sec-Fetch-Site", "cross-site")
	require.Equal(t, 303, back.Status, "%s", back.Raw)
	require.Equal(t, "/checkout/result/success?transaction_id="+txn, back.Header.Get("Location"))
	require.Equal(t, "confirming", c.get(t, "/subscription/payments/status/"+txn).Data(t, "state"), "a return alone proves nothing")
	require.Equal(t, 200, app.client(t).do(t, http.MethodPost, "/payments/webhook/payu", app.returned(form, "success")).Status)
	gateway.work(t, app)

	status = c.get(t, "/subscription/payments/status/"+txn)
	require.Equal(t, "paid", status.Data(t, "state"), "%s", status.Raw)
	require.Equal(t, "FP/26-27/000001", status.Data(t, "invoice_number"))
	dashboard := c.get(t, "/subscription/dashboard")
	require.Equal(t, 200, dashboard.Status)
	sub := dashboard.Data(t, "subscription").(map[string]any)
	require.Equal(t, "active", sub["state"])
	require.Equal(t, "2027-11-02", sub["plan_renew_on"])
	require.Contains(t, sub["plan_features"], map[string]any{
		"features": "Custom domain", "desc": "Your store answers under your own address, proven by DNS and checked again every day.",
	})

	orders := c.get(t, "/subscription/list?search=fp/26-27")
	require.Len(t, orders.Body["data"], 1)
	require.Equal(t, "Active", orders.Body["data"].([]any)[0].(map[string]any)["subscription_status_value"])
	payments := c.get(t, "/subscription/payments/list?search="+strings.ToLower(txn))
	require.Len(t, payments.Body["data"], 1)
	require.Empty(t, c.get(t, "/subscription/payments/list?search=%25").Body["data"], "a sign stands for itself")
	export := c.get(t, "/subscription/list/export")
	require.Equal(t, 200, export.Status)
	require.Contains(t, string(export.Raw), "\nFP/26-27/000001,2026-11-", "the invoice before all else")
	require.Contains(t, string(export.Raw), ",135000.00,0.00,0.00,0.00,24300.00,159300.00,", "its taxable value and tax by head")
	require.Contains(t, string(c.get(t, "/subscription/payments/list/export").Raw), txn)
	bill := c.get(t, "/subscription/renewals")
	require.Equal(t, "₹1,59,300", bill.Data(t, "total"))
	require.Equal(t, false, bill.Data(t, "can_renew"))

	smaller := c.post(t, "/subscription/payments/details", choice(tier, "monthly"))
	require.Equal(t, "downgrade", smaller.Data(t, "kind"))
	then := smaller.Data(t, "renewal_details").([]any)
	require.Equal(t, map[string]any{"label": "Total", "type": "total", "value": "₹14,750"}, then[len(then)-1])
	require.Equal(t, map[string]any{"current": float64(0), "limit": float64(tier.FranchiseLimit)}, smaller.Data(t, "franchises"))

	subID := sub["id"].(string)
	addOns := c.get(t, "/subscription/add-ons-services/"+subID)
	require.Len(t, addOns.Body["data"], 4)
	extension := map[string]any{"subscription_id": subID, "add_ons_service_id": []string{tier.AddOns[2].ID}}
	rest := c.post(t, "/subscription/add-ons-services/payments/details", extension)
	require.Equal(t, "add_on", rest.Data(t, "kind"))
	require.Nil(t, rest.Data(t, "franchises"))
	bought := c.post(t, "/subscription/add-ons-services/payments/request", extension)
	require.Equal(t, 200, bought.Status)
	form = bought.Data(t, "gateway_details").(map[string]any)
	gateway.captured(form["txnid"].(string), form["amount"].(string))
	require.Equal(t, 200, app.client(t).do(t, http.MethodPost, "/payments/webhook/payu", app.returned(form, "success")).Status)
	gateway.work(t, app)
	owned := c.get(t, "/subscription/dashboard").Data(t, "add_ons_services").([]any)
	require.Len(t, owned, 1)
	changed := c.do(t, http.MethodPut, "/subscription/add-ons-services/update/"+owned[0].(map[string]any)["id"].(string), map[string]any{"status": 0})
	require.Equal(t, 200, changed.Status, "%s", changed.Raw)
	require.InDelta(t, 0, changed.Body["data"].([]any)[0].(map[string]any)["next_billing_cycle_status"], 0)
	require.Equal(t, 409, c.post(t, "/renew-subscription/payments/details", map[string]any{"subscription_id": subID}).Status)
}

func TestPurchase_ManipulatedRequests_AreRefused(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	cat := app.catalogue(t)
	tier, other := cat.Plans[0].Tiers[0], cat.Plans[0].Tiers[1]
	c := app.buyer(t, "9876500003")
	const request = "/subscription/payments/request"
	many := make([]string, 1000)
	for i := range many {
		many[i] = tier.AddOns[0].ID
	}
	for name, tc := range map[string]struct {
		body   any
		status int
	}{
		"amount":            {choice(tier, "yearly", "amount", 1), 400},
		"price":             {choice(tier, "yearly", "price", 1), 400},
		"card number":       {choice(tier, "yearly", "card_number", "4111111111111111"), 400},
		"cvv":               {choice(tier, "yearly", "cvv", "123"), 400},
		"plan type":         {choice(tier, "weekly"), 422},
		"unknown plan":      {choice(plan.Tier{ID: id.New()}, "yearly"), 422},
		"another's add-on":  {choice(tier, "yearly", "add_ons_service_id", []string{other.AddOns[0].ID}), 422},
		"add-on twice":      {choice(tier, "yearly", "add_ons_service_id", []string{tier.AddOns[0].ID, tier.AddOns[0].ID}), 422},
		"negative add-on":   {choice(tier, "yearly", "add_ons_service_id", []string{"-1"}), 422},
		"a thousand":        {choice(tier, "yearly", "add_ons_service_id", many), 422},
		"numbers as ids":    {choice(tier, "yearly", "add_ons_service_id", []int{1}), 400},
		"nothing":           {map[string]any{}, 422},
		"another total":     {choice(tier, "yearly", "expected_total", 1), 409},
		"method":            {choice(tier, "yearly", "payment_method", "cash"), 422},
		"negative total":    {choice(tier, "yearly", "expected_total", -1), 422},
		"fractional amount": {choice(tier, "yearly", "expected_total", 1.5), 400},
	} {
		require.Equal(t, tc.status, c.post(t, request, tc.body).Status, name)
	}
	require.Equal(t, 422, c.do(t, http.MethodPost, request, choice(tier, "yearly"), "Idempotency-Key", "short").Status)
	require.Equal(t, 401, app.client(t).post(t, request, choice(tier, "yearly")).Status)

	homeless := app.client(t)
	homeless.signUp(t, "9876500004")
	refused := homeless.post(t, request, choice(tier, "yearly"))
	require.Equal(t, 422, refused.Status)
	require.Equal(t, "address_required", refused.Body["code"])
	require.Equal(t, "/store-details/address", refused.Body["redirect_to"])
	require.Equal(t, 200, homeless.post(t, "/profile/address", office()).Status)
	refused = homeless.post(t, request, choice(tier, "yearly"))
	require.Equal(t, 422, refused.Status, "an address without a name: %s", refused.Raw)
	require.Equal(t, "name_required", refused.Body["code"])
	require.Equal(t, "/store-details/address", refused.Body["redirect_to"])
	require.Contains(t, refused.Body["messages"], "legal_name")

	session := c.post(t, request, choice(tier, "yearly"))
	form := session.Data(t, "gateway_details").(map[string]any)
	txn := form["txnid"].(string)
	require.Equal(t, 404, homeless.get(t, "/subscription/payments/status/"+txn).Status, "another's transaction")
	forged := app.returned(form, "success")
	forged.Set("hash", strings.Repeat("0", 128))
	absent := app.returned(form, "success")
	absent.Del("hash")
	foreign := app.returned(form, "success")
	foreign.Set("txnid", "FP000000ABCDEF")
	bar := app.returned(form, "success")
	bar.Set("firstname", "Asha|x")
	for name, v := range map[string]url.Values{"forged": forged, "absent": absent, "foreign": foreign, "separator": bar} {
		require.Equal(t, 400, app.client(t).do(t, http.MethodPost, "/payments/callback", v).Status, name)
		require.Equal(t, 400, app.client(t).do(t, http.MethodPost, "/payments/webhook/payu", v).Status, name)
	}
	require.Equal(t, 404, app.client(t).do(t, http.MethodPost, "/payments/webhook/nobody", forged).Status)
	var events int
	require.NoError(t, app.db.Owner.Get(&events, `SELECT count(*) FROM payment_events`))
	require.Zero(t, events)
	failed := app.client(t).do(t, http.MethodPost, "/payments/callback", app.returned(form, "failure"))
	require.Equal(t, "/checkout/result/failed?transaction_id="+txn, failed.Header.Get("Location"))
	require.Nil(t, c.get(t, "/subscription/dashboard").Data(t, "subscription"), "nothing was paid")
}

// sell makes the customer buy a year with an add-on, and pay.
func (p *payuServer) sell(t *testing.T, app *testApp, owner *testClient) {
	t.Helper()
	tier := app.catalogue(t).Plans[0].Tiers[0]
	bought := owner.post(t, "/subscription/payments/request", choice(tier, "yearly", "add_ons_service_id", []string{tier.AddOns[2].ID}))
	require.Equal(t, 200, bought.Status, "%s", bought.Raw)
	form, ok := bought.Data(t, "gateway_details").(map[string]any)
	require.True(t, ok)
	p.captured(form["txnid"].(string), form["amount"].(string))
	require.Equal(t, 200, app.client(t).do(t, http.MethodPost, "/payments/webhook/payu", app.returned(form, "success")).Status)
	p.work(t, app)
}
