package main

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/staff"
)

// logged captures a process's log.
type logged struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// holding returns the tables with a row that contains the text.
func (a *testApp) holding(t *testing.T, text string) []string {
	t.Helper()
	var tables []string
	require.NoError(t, a.db.Owner.Select(&tables, `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'`))
	require.NotEmpty(t, tables)
	found := []string{}
	for _, table := range tables {
		var n int
		require.NoError(t, a.db.Owner.Get(&n, fmt.Sprintf(`SELECT count(*) FROM %q x WHERE strpos(x::text, $1) > 0`, table), text))
		if n > 0 {
			found = append(found, table)
		}
	}
	return found
}

// Given a card number in any payment call, as JSON or as a form apparently signed by the gateway, then it is refused as a
// bad request and stored nowhere.
func TestPaymentCalls_CardNumber_IsRefusedAndNotStored(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	out := &logged{}
	app.startLogging(t, log.New(out, "api", slog.LevelDebug))
	c := app.buyer(t, "9876500090")
	tier := app.catalogue(t).Plans[0].Tiers[0]
	const number, spaced, cvv = "4111111111111111", "4111 1111 1111 1111", "cvv-of-the-card"
	bodies := map[string]map[string]any{
		"/subscription/payments/details":                  choice(tier, "yearly"),
		"/subscription/payments/request":                  choice(tier, "yearly"),
		"/subscription/add-ons-services/payments/details": {"subscription_id": tier.ID, "add_ons_service_id": []string{tier.AddOns[0].ID}},
		"/subscription/add-ons-services/payments/request": {"subscription_id": tier.ID, "add_ons_service_id": []string{tier.AddOns[0].ID}},
		"/renew-subscription/payments/details":            {"subscription_id": tier.ID},
		"/renew-subscription/payments/request":            {"subscription_id": tier.ID},
	}
	for path, body := range bodies {
		for field, value := range map[string]string{"card_number": number, "number": spaced, "cvv": cvv} {
			body[field] = value
			got := c.post(t, path, body)
			delete(body, field)
			require.Equal(t, http.StatusBadRequest, got.Status, "%s %s: %s", path, field, got.Raw)
			require.NotContains(t, string(got.Raw), value)
		}
	}

	session := c.post(t, "/subscription/payments/request", choice(tier, "yearly"))
	form, _ := session.Data(t, "gateway_details").(map[string]any)
	for _, path := range []string{"/payments/callback", "/payments/webhook/payu"} {
		for _, value := range []string{number, spaced, strings.ReplaceAll(spaced, " ", "-")} {
			notice := app.returned(form, "success")
			notice.Set("cardnum", value)
			require.Equal(t, http.StatusBadRequest, app.client(t).do(t, http.MethodPost, path, notice).Status, "%s %s", path, value)
		}
		notice := app.returned(form, "success")
		notice.Set("CVV", cvv)
		require.Equal(t, http.StatusBadRequest, app.client(t).do(t, http.MethodPost, path, notice).Status, path)
	}
	masked := app.returned(form, "success")
	masked.Set("field9", "411111XXXXXX1111")
	require.Equal(t, http.StatusSeeOther, app.client(t).do(t, http.MethodPost, "/payments/callback", masked).Status, "as the gateway shows it")
	require.Equal(t, []string{"payment_events"}, app.holding(t, "411111XXXXXX1111"), "the search finds what is there")

	require.NotEmpty(t, out.String())
	for _, secret := range []string{number, spaced, url.QueryEscape(spaced), cvv} {
		require.Empty(t, app.holding(t, secret), secret)
		require.NotContains(t, out.String(), secret)
	}
}

// texts returns the names of a body's string fields.
func texts(schema *openapi3.Schema) []string {
	var names []string
	for name, property := range schema.Properties {
		if property.Value.Type.Includes(openapi3.TypeString) {
			names = append(names, name)
		}
	}
	for _, parts := range []openapi3.SchemaRefs{schema.AllOf, schema.OneOf, schema.AnyOf} {
		for _, part := range parts {
			names = append(names, texts(part.Value)...)
		}
	}
	return names
}

// Given a card number in any text of any call by a customer or staff, then it is refused as a bad request and stored
// nowhere.
func TestCalls_CardNumberInAnyText_IsRefused(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	out := &logged{}
	app.startLogging(t, log.New(out, "api", slog.LevelDebug))
	const mobile = "9876500091"
	c := app.buyer(t, mobile)
	admin := app.signedInAs(t, "arun@example.in", staff.RoleAdmin)
	const number = "4111 1111 1111 1111"
	_, all := operations(t)
	asked := 0
	for _, op := range all {
		if op.RequestBody == nil || op.RequestBody.Value.Content.Get("application/json") == nil || op.OperationID == "emailInbound" {
			continue // which checks the signature first
		}
		for _, name := range texts(op.RequestBody.Value.Content.Get("application/json").Schema.Value) {
			var got answer
			target := memberOf(strings.NewReplacer("{mobile}", mobile, "{day}", "2026-11-02").Replace(op.path), everyID)
			body := map[string]string{name: "Mine is " + number + "."}
			if path, ok := strings.CutPrefix(target, "/api/support"); ok {
				got = admin.call(t, op.method, path, body)
			} else if app.serves(t, op.method, op.path) {
				got = c.do(t, op.method, target, body)
			} else {
				continue
			}
			asked++
			require.Equal(t, http.StatusBadRequest, got.Status, "%s %s, %s: %s", op.method, op.path, name, got.Raw)
			require.Equal(t, "card_data", got.Body["code"], "%s %s, %s", op.method, op.path, name)
		}
	}
	require.Greater(t, asked, 80)
	tier := app.catalogue(t).Plans[0].Tiers[0]
	const key = "4111-1111-1111-1111"
	keyed := c.do(t, http.MethodPost, "/subscription/payments/request", choice(tier, "yearly"), "Idempotency-Key", key)
	require.Equal(t, http.StatusBadRequest, keyed.Status, "%s", keyed.Raw)
	for _, secret := range []string{number, key} {
		require.Empty(t, app.holding(t, secret))
		require.NotContains(t, out.String(), secret)
	}
}
