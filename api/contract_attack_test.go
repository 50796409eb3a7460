package main

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/api/handler"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/staff"
)

// everyID fills any path parameter for which only the format matters.
const everyID = "019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50"

// hostileTexts are URL-escaped: NUL, invalid UTF-8, a lone surrogate, an emoji, out-of-range numbers, wildcards, excessive
// length.
//
//nolint:gochecknoglobals // a constant
var hostileTexts = []string{
	"%00", "%FF", "%ED%A0%80", "%F0%9F%98%80", "-1", "0", "99999999999999999999", "1e9", "%25_%5C", "%27%22%3B--",
	strings.Repeat("x", 5000),
}

func (n named) pathWith(value string) string {
	return strings.NewReplacer("{id}", value, "{file}", value, "{transaction_id}", value, "{gateway}", "payu").Replace(n.path)
}

// served returns the process's operations below the prefix, by operation id.
func (a *testApp) served(t *testing.T) map[string]named {
	t.Helper()
	_, all := operations(t)
	list := map[string]named{}
	for _, op := range all {
		if a.serves(t, op.method, op.path) {
			list[op.OperationID] = op
		}
	}
	require.Greater(t, len(list), 40)
	return list
}

func TestCalls_HostileBody_IsRefused(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.client(t)
	c.signUpForTrial(t, asha)
	bodies := map[string]string{
		"broken": `{"a":`, "a list": `[]`, "null": `null`, "a word": `"x"`, "two values": `{}{}`, "doubled": `{"mobile":"1","mobile":"2"}`,
		"unknown": `{"amount":1,"price":1,"is_admin":true}`, "NUL": `{"mobile":"a\u0000"}`, "lone surrogate": `{"mobile":"\ud800"}`,
		"no UTF-8": "{\"mobile\":\"\xff\"}", "infinity": `{"a":1e999}`, "1 MB": `{"mobile":"` + strings.Repeat("x", 1<<20) + `"}`,
		"deep": `{"a":` + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + `}`,
	}
	huge := `{"mobile":"` + strings.Repeat("x", 10<<20) + `"}`
	asked := 0
	for name, op := range app.served(t) {
		if op.RequestBody == nil || op.RequestBody.Value.Content.Get("application/json") == nil || name == "smsReceipt" || name == "whatsAppNotice" || name == "emailInbound" {
			continue // receipts are checked by signature or key first, and have their own tests
		}
		asked++
		for what, body := range bodies {
			a := c.do(t, op.method, op.pathWith(everyID), body)
			require.Contains(t, []int{400, 413, 422, 429}, a.Status, "%s with %s: %s", name, what, a.Raw)
			require.NotEmpty(t, a.Body["message"], "%s with %s", name, what)
		}
		require.Contains(t, []int{413, 429}, c.do(t, op.method, op.pathWith(everyID), huge).Status, "%s with 10 MB", name)
	}
	require.Greater(t, asked, 25)
	require.Equal(t, 200, c.get(t, "/session").Status, "the process and the session go on")
}

func TestLists_HostileQuery_IsRefused(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.client(t)
	c.signUpForTrial(t, asha)
	lists := 0
	for name, op := range app.served(t) {
		if op.Parameters.GetByInAndName("query", "page") == nil && op.Parameters.GetByInAndName("query", "search") == nil {
			continue
		}
		lists++
		for _, query := range []string{
			"page=-1", "page=0", "page=1e9", "page=99999999999999999999", "page=x", "per_page=-5", "per_page=100000", "page=%00",
			"search=%25_%5C", "search=%00", "search=%ED%A0%80", "search=%FF", "search=" + strings.Repeat("x", 100_000),
			"search=" + url.QueryEscape("'; DROP TABLE orders; --"), "search=a&search=b",
		} {
			a := c.get(t, op.pathWith(everyID)+"?"+query)
			require.Contains(t, []int{200, 400, 413, 414, 422, 429}, a.Status, "%s with %.40s: %s", name, query, a.Raw)
		}
	}
	require.GreaterOrEqual(t, lists, 2)
}

// A malformed query is refused before anything else, so every call declares that response; the test client checks each
// response against the contract.
func TestCalls_MalformedQuery_HasADeclaredResponse(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.client(t)
	spec, all := operations(t)
	asked := 0
	for _, op := range all {
		path := op.pathWith(everyID)
		if len(spec.Paths.Value(op.path).Servers) == 0 {
			path = handler.Prefix + path
		}
		if !strings.HasPrefix(path, "/api/") {
			continue
		}
		asked++
		r, err := http.NewRequestWithContext(t.Context(), op.method, app.server.URL+memberOf(path, everyID), http.NoBody)
		require.NoError(t, err)
		r.URL.RawQuery = "a=%zz"
		require.Equal(t, 422, c.send(t, r).Status, op.OperationID)
	}
	require.Greater(t, asked, 100)
}

func TestBody_LongerThanTheContractsLimit_IsRefused(t *testing.T) {
	t.Parallel()
	c := newTestApp(t).client(t)
	const limit = 65_536
	require.Contains(t, string(openAPI), "64 KB (65,536 bytes)")
	for path, body := range map[string]string{
		"/newsletter": `{"email":"asha@example.in","consent":true,"consent_version":"2026-11"`, "/payments/webhook/razorpay": `{"event":"x"`,
	} {
		fill := func(n int) string { return body + strings.Repeat(" ", n-len(body)-1) + "}" }
		require.NotEqual(t, 413, c.post(t, path, fill(limit)).Status, path)
		require.Equal(t, "body_too_large", c.post(t, path, fill(limit+1)).Body["code"], path)
	}
}

// Staff input is trusted no more than anyone else's: text that Postgres cannot store is refused by all staff calls.
func TestStaffCalls_HostileText_IsRefused(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	admin := app.signedInAs(t, "arun@example.in", staff.RoleAdmin)
	_, all := operations(t)
	asked := 0
	for _, op := range all {
		path, ok := strings.CutPrefix(op.path, "/api/support")
		if !ok || path == "/login" || path == "/logout" {
			continue
		}
		asked++
		app.clock.Advance(time.Minute) // so that the limit on what staff may read is never reached
		for _, parameter := range op.Parameters {
			for _, value := range hostileTexts {
				if parameter.Value.In == "query" && op.method == http.MethodGet {
					a := admin.call(t, op.method, memberOf(path, everyID)+"?"+parameter.Value.Name+"="+value, nil)
					require.NotEqual(t, 429, a.Status, op.OperationID)
					require.Less(t, a.Status, 500, "%s %s, %s=%.20s: %s", op.method, op.path, parameter.Value.Name, value, a.Raw)
				}
			}
		}
		for _, member := range hostileTexts {
			var body any
			if op.method != http.MethodGet {
				body = map[string]any{"reason": "because a test asks"}
			}
			a := admin.call(t, op.method, memberOf(path, member), body)
			require.Less(t, a.Status, 500, "%s %s with %.20s: %s", op.method, op.path, member, a.Raw)
		}
	}
	require.Greater(t, asked, 30)
	require.Equal(t, 200, admin.call(t, http.MethodGet, "/me", nil).Status)
}

func TestCalls_HostilePathParameter_IsRefused(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.client(t)
	c.signUpForTrial(t, asha)
	for name, op := range app.served(t) {
		if op.pathWith("") == op.path {
			continue
		}
		for _, member := range hostileTexts {
			a := c.do(t, op.method, memberOf(op.path, member), map[string]any{})
			require.Contains(t, []int{400, 404, 422}, a.Status, "%s with %.20s: %s", name, member, a.Raw)
		}
	}
}

// memberOf replaces every path parameter with the value, which is already escaped.
func memberOf(path, value string) string {
	return regexp.MustCompile(`\{\w+\}`).ReplaceAllLiteralString(path, value)
}

// billed gives the franchiser a proforma and a mandate.
func (a *testApp) billed(t *testing.T, franchiser string) {
	t.Helper()
	for _, insert := range []string{
		`INSERT INTO proformas (id, franchiser_id, order_id, number, state, amount_paise, taxable_paise, title, document, account, valid_until, created_at)
			SELECT gen_random_uuid(), franchiser_id, id, 'PF/26-27/900001', 'open', 118, 100, 'Start up', '{}',
				'{"number": "50200012345678", "ifsc": "HDFC0000001", "beneficiary": "Franchise 360"}', created_at + interval '15 days', created_at
			FROM orders WHERE franchiser_id = $1 ORDER BY id LIMIT 1`,
		`INSERT INTO mandates (id, franchiser_id, subscription_id, gateway, method, state, transaction_id, provider_mandate_id, cap_paise, agreed_cap_paise, yearly, ends_on,
				agreed_ends_on, consent_version, consent_text, consented_at, created_at, active_at)
			SELECT gen_random_uuid(), franchiser_id, id, 'payu', 'upi', 'active', 'FM1', 'M1', 1500000, 1500000, false, '2036-12-15', '2036-12-15', '1', 'Pay', created_at, created_at, created_at
			FROM subscriptions WHERE franchiser_id = $1 ORDER BY id LIMIT 1`,
	} {
		done, err := a.db.Owner.Exec(insert, franchiser)
		require.NoError(t, err)
		rows, err := done.RowsAffected()
		require.NoError(t, err)
		require.Equal(t, int64(1), rows)
	}
}

// belongings returns the ids of the franchiser's resources, by the operations that take them.
func (a *testApp) belongings(t *testing.T, franchiser string) map[string]string {
	t.Helper()
	a.billed(t, franchiser)
	one := func(query string) string {
		var found string
		require.NoError(t, a.db.Owner.Get(&found, query, franchiser), query)
		return found
	}
	tenant := one(`SELECT id FROM tenants WHERE franchiser_id = $1`)
	member := one(`SELECT id FROM team_members WHERE franchiser_id = $1`)
	proforma, mandate := one(`SELECT id FROM proformas WHERE franchiser_id = $1`), one(`SELECT id FROM mandates WHERE franchiser_id = $1`)
	request := one(`INSERT INTO contact_requests (id, franchiser_ref, name, email, topic, created_at, updated_at)
		VALUES (uuidv7(), $1, 'Asha', '', 'other', now(), now()) RETURNING id`)
	// A file with the id of its delivery, because a path gets one id.
	delivery := one(`SELECT id FROM deliveries WHERE franchiser_id = $1 AND item = 'Reward programme'`)
	_, err := a.db.Owner.Exec(`INSERT INTO delivery_files (id, franchiser_id, delivery_id, name, content_type, content, created_at)
		VALUES ($1, $2, $1, 'logo.png', 'image/png', 'x', now())`, delivery, franchiser)
	require.NoError(t, err)
	return map[string]string{
		"getRequest":             request,
		"replyToRequest":         request,
		"addDeliveryFile":        delivery,
		"getDeliveryFile":        delivery,
		"provideForDelivery":     delivery,
		"revokeSession":          one(`SELECT id FROM sessions WHERE franchiser_id = $1`),
		"callOffPlanChange":      one(`SELECT id FROM orders WHERE franchiser_id = $1 ORDER BY id LIMIT 1`),
		"getAddress":             franchiser,
		"updateStorePassword":    tenant,
		"getCustomDomain":        tenant,
		"updateCustomDomain":     tenant,
		"removeCustomDomain":     tenant,
		"getPaymentStatus":       one(`SELECT transaction_id FROM payments WHERE franchiser_id = $1 ORDER BY id LIMIT 1`),
		"listSubscriptionAddOns": one(`SELECT id FROM subscriptions WHERE franchiser_id = $1`),
		"updateAddOn":            one(`SELECT id FROM subscription_add_ons WHERE franchiser_id = $1`),
		"leaveAccount":           franchiser,
		"changeMemberRole":       member,
		"removeMember":           member,
		"resendInvitation":       member,
		"acceptTeamInvitation":   one(`SELECT id FROM team_invitations WHERE franchiser_id = $1`),
		"getInvoice":             one(`SELECT id FROM invoices WHERE franchiser_id = $1 ORDER BY id LIMIT 1`),
		"showTransfer":           proforma,
		"cancelTransfer":         proforma,
		"tellTransferUtr":        proforma,
		"linkTransferProforma":   proforma,
		"pauseAutomaticRenewal":  mandate,
		"resumeAutomaticRenewal": mandate,
		"stopAutomaticRenewal":   mandate,
		"skipDebit":              mandate,
		"unskipDebit":            mandate,
	}
}

// state returns every row of the tables that calls with an id could write to.
func (a *testApp) state(t *testing.T) string {
	t.Helper()
	var all []string
	for _, table := range []string{
		"sessions", "tenants", "custom_domains", "subscriptions", "subscription_add_ons", "orders", "payments", "invoices",
		"business_addresses", "franchisers", "team_members", "team_invitations", "proformas", "mandates",
		"deliveries", "delivery_files",
	} {
		var rows []string
		require.NoError(t, a.db.Owner.Select(&rows, `SELECT row_to_json(t)::text FROM `+table+` t ORDER BY 1`))
		all = append(all, rows...)
	}
	return strings.Join(all, "\n")
}

func TestCalls_IDOfAnotherTenant_IsNotFound(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	gateway := newPayuServer(t)
	owner := app.buyer(t, "9876500009")
	gateway.sell(t, app, owner)
	owner.openStore(t, "9876500009", "Asha Sweets")
	var franchiser string
	require.NoError(t, app.db.Owner.Get(&franchiser, `SELECT id FROM franchisers WHERE mobile = '9876500009'`))

	require.Equal(t, 200, owner.post(t, "/team/members", map[string]any{"name": "Meera", "mobile": meera, "role": "manager", "password": goodPassword}).Status)
	thief := app.client(t)
	thief.signUpForTrial(t, ravi)
	thief.openStore(t, ravi, "Ravi Stores")
	bodies := map[string]any{
		"updateStorePassword": map[string]any{"password": "Papaya#2027"},
		"updateCustomDomain":  map[string]any{"custom_domain": "shop.example.in"},
		"updateAddOn":         map[string]any{"status": 0},
		"changeMemberRole":    map[string]any{"role": "accountant", "password": goodPassword},
		"resendInvitation":    map[string]any{"password": goodPassword},
		"replyToRequest":      map[string]any{"message": "Mine?"},
		"tellTransferUtr":     map[string]any{"utr": "HDFCR52026112500001"},
		"provideForDelivery":  map[string]any{"note": "One point for each rupee."},
	}
	foreign := app.belongings(t, franchiser)
	before := app.state(t)
	said := func(a answer) string {
		delete(a.Body, "request_id")
		raw, err := json.Marshal(a.Body)
		require.NoError(t, err)
		return string(raw)
	}
	for name, op := range app.served(t) {
		if op.public() || op.pathWith("") == op.path || name == "getRequestFile" { // a file of no request is tested in pkg/contact
			continue
		}
		require.Contains(t, foreign, name, "a call with an id that this test does not know")
		if op.method == http.MethodGet {
			require.NotEqual(t, 404, owner.get(t, op.pathWith(foreign[name])).Status, "%s: the id is a real one", name)
		}
		theirs := thief.do(t, op.method, op.pathWith(foreign[name]), bodies[name])
		nobodys := id.New()
		if strings.Contains(op.path, "{transaction_id}") {
			nobodys = "FP26110100009999"
		}
		unknown := thief.do(t, op.method, op.pathWith(nobodys), bodies[name])
		require.Equal(t, 404, theirs.Status, "%s: %s", name, theirs.Raw)
		require.Equal(t, 404, unknown.Status, "%s: %s", name, unknown.Raw)
		require.Equal(t, said(unknown), said(theirs), name)
	}
	require.Equal(t, before, app.state(t), "nothing was written")
	require.Equal(t, 200, owner.get(t, "/session").Status)
}
