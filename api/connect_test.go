package main

import (
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/staff"
)

func (a *testApp) apiKey(t *testing.T, scopes ...string) (id, key string) {
	t.Helper()
	if len(scopes) == 0 {
		scopes = []string{"entitlements:read"}
	}
	admin := a.signedInAs(t, "ravi@example.in", staff.RoleAdmin)
	made := admin.call(t, http.MethodPost, "/api-keys", a.proved(map[string]any{
		"label": "ERP", "scopes": scopes, "reason": "The new ERP goes live",
	}))
	require.Equal(t, 200, made.Status, "%s", made.Raw)
	require.NotContains(t, string(admin.call(t, http.MethodGet, "/api-keys", nil).Raw), made.Data(t, "secret"), "shown once")
	return made.Data(t, "key").(map[string]any)["id"].(string), made.Data(t, "secret").(string)
}

// asked calls a path with a key, and with the client's cookies if c is not nil.
func asked(t *testing.T, c *testClient, method, url, key, tag string) (status int, header http.Header) {
	t.Helper()
	var body io.Reader
	if method != http.MethodGet {
		body = strings.NewReader("{}")
	}
	r, err := http.NewRequestWithContext(t.Context(), method, url, body)
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	if key != "" {
		if !strings.Contains(key, " ") {
			key = "Bearer " + key
		}
		r.Header.Set("Authorization", key)
	}
	if tag != "" {
		r.Header.Set("If-None-Match", tag)
	}
	resp, err := (&http.Client{Jar: c.http.Jar, Transport: c.http.Transport}).Do(r)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	return resp.StatusCode, resp.Header
}

func TestEntitlements_Unchanged_AnswersNotModified(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	keyID, key := app.apiKey(t)
	customer, stranger := app.client(t), app.client(t)
	customer.signUp(t, "9876543210")
	url := app.server.URL + "/api/v1/tenants/" + app.text(t, `SELECT id::text FROM franchisers`) + "/entitlements"
	status, header := asked(t, stranger, http.MethodGet, url, key, "")
	require.Equal(t, 200, status)
	require.Equal(t, "private, max-age=60, must-revalidate", header.Get("Cache-Control"))
	status, _ = asked(t, stranger, http.MethodGet, url, key, header.Get("ETag"))
	require.Equal(t, 304, status)
	status, _ = asked(t, stranger, http.MethodGet, url, key, "*")
	require.Equal(t, 304, status)
	for header, want := range map[string]int{"bearer " + key: 200, "BEARER  " + key: 200, "Basic " + key: 401, " " + key: 401, key + " ": 401} {
		status, answered := asked(t, stranger, http.MethodGet, url, header, "")
		require.Equal(t, want, status, "%.7q", header)
		require.Equal(t, want == 401, answered.Get("WWW-Authenticate") == "Bearer")
	}
	status, _ = asked(t, stranger, http.MethodGet, app.server.URL+"/api/v1/tenants/x/entitlements", key, "")
	require.Equal(t, 404, status)

	people := app.signedInAs(t, "priya@example.in", staff.RoleAdmin)
	require.Equal(t, 200, people.call(t, http.MethodPost, "/api-keys/"+keyID+"/revoke", map[string]any{"reason": "no longer used"}).Status)
	status, _ = asked(t, stranger, http.MethodGet, url, key, "")
	require.Equal(t, 401, status)
}

func TestAPIKeysAndSessions_AreNotInterchangeable(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	_, key := app.apiKey(t)
	customer, stranger := app.client(t), app.client(t)
	customer.signUp(t, "9876543210")
	member := app.signedInAs(t, "sunita@example.in", staff.RoleSupport)
	spec, all := operations(t)
	keyed, private := 0, 0
	for _, op := range all {
		security := spec.Security
		if op.Security != nil {
			security = *op.Security
		}
		if len(security) == 0 || len(security[0]) == 0 {
			continue // public
		}
		path := regexp.MustCompile(`\{[^}]+\}`).ReplaceAllString(op.path, "019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50")
		if !strings.HasPrefix(path, "/api/") {
			path = "/api/franchise" + path
		}
		at := op.method + " " + path
		if _, ok := security[0]["apiKey"]; ok {
			keyed++
			for _, c := range []*testClient{customer, member.testClient} {
				status, _ := asked(t, c, op.method, app.server.URL+path, "", "")
				require.Equal(t, 401, status, at)
			}
			if op.OperationID != "getEntitlements" {
				status, _ := asked(t, stranger, op.method, app.server.URL+path, key, "")
				require.Equal(t, 403, status, "%s: a key of another scope", at)
			}
			continue
		}
		private++
		status, _ := asked(t, stranger, op.method, app.server.URL+path, key, "")
		require.Contains(t, []int{401, 403}, status, at)
	}
	require.Equal(t, 4, keyed)
	require.Greater(t, private, 50)
}

func TestReportDelivery_KeyOfItsScope_MovesConnectedRowsOnce(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	gateway := newPayuServer(t)
	buyer := app.buyer(t, "9876500206")
	app.paid(t, gateway, buyer.post(t, "/subscription/payments/request", choice(app.catalogue(t).Plans[0].Tiers[0], "yearly")))
	_, key := app.apiKey(t, "deliveries:write")
	of := app.server.URL + "/api/v1/tenants/" + app.text(t, `SELECT franchiser_id::text FROM deliveries LIMIT 1`) + "/deliveries"
	item := func(name string) string {
		return of + "/" + app.text(t, `SELECT id::text FROM deliveries WHERE item = '`+name+`'`)
	}
	report := func(url, once, body string) int {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
		require.NoError(t, err)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+key)
		r.Header.Set("Idempotency-Key", once)
		resp, err := app.client(t).http.Do(r)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		return resp.StatusCode
	}
	status, _ := asked(t, app.client(t), http.MethodGet, of, key, "")
	require.Equal(t, 200, status)
	const done = `{"state":"delivered","proof":"https://example.in/rewards"}`
	require.Equal(t, 422, report(item("Reward programme"), "short", done))
	for range 2 {
		require.Equal(t, 200, report(item("Reward programme"), "report-0001", done))
	}
	require.Equal(t, 422, report(item("Reward programme"), "report-0001", `{"state":"in_progress"}`), "another report with the same key")
	require.Equal(t, 409, report(item("Custom domain"), "report-0002", done), "the product delivers it")
	require.Equal(t, "delivered ERP 1", app.text(t, `SELECT d.state || ' ' || d.system || ' ' || (SELECT count(*) FROM delivery_events e WHERE e.actor = 'system')
		FROM deliveries d WHERE d.item = 'Reward programme'`))
}

func TestFigures_KeyAndScope_DecideAndTheCustomerSeesThem(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	_, key := app.apiKey(t, "entitlements:read", "figures:write")
	c := app.client(t)
	c.signUp(t, "9876543210")
	require.Equal(t, "null", string(c.get(t, "/subscription/term-value").Raw)[len(`{"status":true,"message":"Your term in figures.","data":`):][:4])
	account := app.text(t, `SELECT id::text FROM franchisers`)
	put := func(path, key, body string) (int, string) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPut, app.server.URL+"/api/v1/tenants/"+account+"/figures/"+path, strings.NewReader(body))
		require.NoError(t, err)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+key)
		resp, err := app.client(t).http.Do(r)
		require.NoError(t, err)
		raw, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		return resp.StatusCode, string(raw)
	}
	today := app.clock.Now().Format("2006-01-02")
	for range 2 {
		status, raw := put(today, key, `{"sales_paise": 1250000}`)
		require.Equal(t, 200, status, raw)
	}
	for _, wrong := range []struct {
		day, key, body string
		status         int
	}{
		{today, "", `{"points": 1}`, 401},
		{"today", key, `{"points": 1}`, 422},
		{"-", key, `{"points": 1}`, 422},
		{today, key, `{}`, 422},
		{today, key, `{"points": -1}`, 422},
		{today, key, `{"points": 1.5}`, 400},
		{today, key, `{"points": "1"}`, 400},
	} {
		status, raw := put(wrong.day, wrong.key, wrong.body)
		require.Equal(t, wrong.status, status, "%+v %s", wrong, raw)
	}
	app.db.Owner.MustExec(`UPDATE api_keys SET scopes = '{entitlements:read}'`)
	status, _ := put(today, key, `{"points": 1}`)
	require.Equal(t, 403, status)
	require.Equal(t, "ERP sales_paise 1250000", app.text(t, `SELECT string_agg(concat_ws(' ', key_label, name, value), ', ') FROM reported_figures`))
}
