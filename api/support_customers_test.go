package main

import (
	"bufio"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// act sends a staff call with its own idempotency key.
func (c staffClient) act(t *testing.T, path string, body map[string]any) answer {
	t.Helper()
	reader, contentType := encode(t, body)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, c.app.server.URL+"/api/support"+path, reader)
	require.NoError(t, err)
	r.Header.Set("Content-Type", contentType)
	r.Header.Set("Idempotency-Key", id.New())
	for _, cookie := range c.http.Jar.Cookies(r.URL) {
		if cookie.Name == "STAFF-XSRF-TOKEN" {
			r.Header.Set("X-XSRF-TOKEN", cookie.Value)
		}
	}
	return c.send(t, r)
}

func (a *testApp) signedInAs(t *testing.T, email string, role staff.Role) staffClient {
	t.Helper()
	a.hire(t, email, role)
	c := staffClient{a.client(t)}
	got := c.call(t, http.MethodPost, "/login", map[string]any{"email": email, "password": staffPassword, "code": a.staffCode()})
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	return c
}

// consentCode returns the code that the worker would have sent for the view.
func (a *testApp) consentCode(t *testing.T, viewID any) string {
	t.Helper()
	box := &inbox{}
	outbox := message.NewStaffOutbox(a.db.Worker, a.clock,
		message.NewOutbox(message.OutboxOptions{
			SMS: box, Site: message.Site{URL: "http://localhost:8080"}, Clock: a.clock, Logger: testkit.NewLogger(t),
		}), app.StaffMessages(a.config.Keys))
	var messageID string
	require.NoError(t, a.db.Owner.Get(&messageID, `SELECT id FROM support_messages WHERE view_id = $1`, viewID))
	require.NoError(t, outbox.Send(t.Context(), messageID))
	return regexp.MustCompile(`^\d{6}`).FindString(box.messages[0].Text)
}

// forbidden reports whether a staff call is forbidden to the role. Whoever signed in looks after their own sign-in.
func forbidden(role staff.Role, method, path string) bool {
	path = strings.TrimPrefix(path, "/api/support")
	if path == "/me" || path == "/presence" || strings.HasPrefix(path, "/account") {
		return false
	}
	switch role {
	case staff.RoleAdmin:
		return false
	case staff.RoleAuditor:
		return method != http.MethodGet
	case staff.RoleFinance:
		return !slices.Contains(ofFinance(), method+" "+path)
	default:
		return strings.HasPrefix(path, "/staff") || ofTheHouse(path) || adminOnly(method, path)
	}
}

// ofFinance are the calls that finance may make; whatever is not here is refused, a new call too.
func ofFinance() []string {
	return []string{
		"GET /search", "GET /customers", "GET /customers/{id}", "GET /customers/{id}/timeline", "GET /customers/{id}/timeline/{entry}",
		"GET /customers/{id}/notes", "POST /customers/{id}/notes", "POST /customers/{id}/notes/{note}/pin", "POST /customers/{id}/notes/{note}/delete", "POST /customers/{id}/tags",
		"POST /customers/{id}/payments/{payment}/ask", "POST /customers/{id}/invoices/{invoice}/resend", "GET /customers/{id}/invoices/{invoice}", "GET /money",
		"GET /payments/{payment}/trail", "GET /reversals", "POST /reversals", "POST /disputes/{id}/close", "GET /settlements",
		"GET /settlements/{gateway}/{day}", "POST /settlements/{gateway}/compare", "POST /settlements/{gateway}/{day}/compare",
		"POST /settlement-differences/{id}/acknowledge", "GET /credit-notes", "GET /credit-notes/export", "POST /credit-notes/{id}/input-tax",
		"GET /catalogue", "GET /catalogue/changes", "GET /catalogue/changes/{id}", "GET /catalogue/changes/{id}/effect",
		"GET /gst-returns", "GET /gst-returns/{month}", "GET /gst-returns/{month}/documents", "GET /gst-returns/{month}/file",
		"GET /books/lock", "GET /books/deferred-revenue", "GET /books/trial-balance", "GET /books/profit-and-loss", "GET /books/files/{month}", "GET /books/files/{month}/{file}", "GET /customers/{id}/account", "GET /customers/{id}/account/file", "GET /figures", "GET /figures/{figure}/file", "GET /books/checks", "POST /books/checks/run", "GET /work", "POST /work/claim", "POST /work/release", "GET /e-invoices", "GET /e-invoices/counts", "GET /documents/lost", "POST /documents/restore",
		"GET /deliveries", "GET /deliveries/export", "GET /customers/{id}/deliveries/{delivery}", "GET /customers/{id}/deliveries/{delivery}/files/{file}", "GET /contacts", "GET /contacts/counts", "GET /contacts/{id}", "GET /contacts/{id}/files/{file}", "POST /contacts/{id}", "POST /contacts/{id}/owner", "POST /contacts/{id}/entries", "POST /contact-files",
		"GET /transfers", "POST /transfers/{id}/cancel", "GET /bank-credits", "POST /bank-credits", "POST /bank-credits/{id}/uses", "POST /bank-credit-uses/{id}/decision", "POST /bank-statements",
		"GET /tds", "GET /tds/export", "POST /tds/{id}",
		"GET /money/export", "GET /reversals/export", "GET /transfers/export", "GET /bank-credits/export", "GET /e-invoices/export",
	}
}

// ofTheHouse reports whether a call shows the operator's own results, which support does not need.
func ofTheHouse(path string) bool {
	return slices.ContainsFunc([]string{"/figures", "/gst-returns", "/books/deferred-revenue", "/books/trial-balance", "/books/profit-and-loss", "/books/files"},
		func(area string) bool { return strings.HasPrefix(path, area) })
}

// adminOnly reports whether a staff call is forbidden to support, accounts of staff and the operator's own results aside.
func adminOnly(method, path string) bool {
	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
	area, action := parts[0], parts[len(parts)-1]
	switch {
	case action == "export":
		return slices.Contains([]string{"audit", "money", "reversals", "transfers", "bank-credits", "tds", "credit-notes", "e-invoices"}, area)
	case area == "acts":
		return action == "approve" || action == "decline"
	case strings.HasSuffix(path, "/account/file"):
		return true
	default:
		return method != http.MethodGet && slices.Contains(changedByAdmins(), area)
	}
}

// changedByAdmins are the areas in which support changes nothing.
func changedByAdmins() []string {
	return []string{
		"reversals", "queues", "schedules", "settlements", "settlement-differences", "disputes", "credit-notes", "e-invoices", "bank-credits",
		"bank-credit-uses", "bank-statements", "transfers", "tds", "books", "webhooks", "webhook-deliveries", "api-keys", "sign-in-systems",
		"contact-macros", "catalogue", "announcements",
	}
}

func TestStaffRoutes_EachCaller_HasOnlyTheirs(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	franchiser := staffClient{app.client(t)}
	franchiser.signUp(t, "9876543210")
	callers := map[string]staffClient{"anonymous": {app.client(t)}, "franchiser": franchiser}
	for _, role := range staff.Roles() {
		callers[string(role)] = app.signedInAs(t, string(role)+"@example.in", role)
	}
	raw := func(who, method, path string) int {
		c := callers[who]
		r, err := http.NewRequestWithContext(t.Context(), method, app.server.URL+path, strings.NewReader("{}"))
		require.NoError(t, err)
		r.Header.Set("Content-Type", "application/json")
		for _, cookie := range c.http.Jar.Cookies(r.URL) {
			if cookie.Name == "STAFF-XSRF-TOKEN" {
				r.Header.Set("X-XSRF-TOKEN", cookie.Value)
			}
		}
		resp, err := (&http.Client{Jar: c.http.Jar}).Do(r)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		return resp.StatusCode
	}
	_, all := operations(t)
	checked, seen := 0, []string{}
	for _, op := range all {
		if !strings.HasPrefix(op.path, "/api/support/") || op.public() || op.path == "/api/support/logout" {
			continue
		}
		checked++
		seen = append(seen, op.method+" "+strings.TrimPrefix(op.path, "/api/support"))
		at := op.method + " " + op.path
		path := strings.NewReplacer("{mobile}", "9123456789", "{job}", "1", "{entry}", "x.y").Replace(op.path)
		path = regexp.MustCompile(`\{[^}]+\}`).ReplaceAllString(path, "019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50")
		require.Equal(t, 401, raw("anonymous", op.method, path), at)
		require.Equal(t, 403, raw("franchiser", op.method, path), at)
		for _, role := range staff.Roles() {
			status := raw(string(role), op.method, path)
			if forbidden(role, op.method, op.path) {
				require.Equal(t, 403, status, "%s by %s", at, role)
			} else {
				require.NotContains(t, []int{401, 403}, status, "%s by %s", at, role)
			}
		}
	}
	for _, operation := range ofFinance() {
		require.Contains(t, seen, operation, "what finance may call is there")
	}
	require.Greater(t, checked, 20)

	_, err := app.db.Owner.Exec(`UPDATE staff SET role = 'support' WHERE email = 'admin@example.in'`)
	require.NoError(t, err)
	require.Equal(t, 403, raw("admin", http.MethodPost, "/api/support/reversals"), "a role that was taken away is gone on the next call")
	_, err = app.db.Owner.Exec(`UPDATE staff SET disabled_at = created_at`)
	require.NoError(t, err)
	require.Equal(t, 401, raw("admin", http.MethodGet, "/api/support/me"), "revoked is out on the next call")
}

func TestStaffView_OfAnAccount_ChangesNothing(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	owner := app.client(t)
	asha := owner.signUpForTrial(t, "9876543210")
	people := app.signedInAs(t, "sunita@example.in", staff.RoleSupport)
	got := people.call(t, http.MethodPost, "/customers/"+asha+"/views", map[string]any{"reason": "She cannot find her invoice"})
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	viewID := got.Data(t, "id")
	code := app.consentCode(t, viewID)
	require.NotContains(t, string(got.Raw), code)
	require.Equal(t, 422, people.call(t, http.MethodPost, "/views/"+viewID.(string)+"/begin", map[string]any{"code": "12345x"}).Status)
	require.Equal(t, 401, people.get(t, "/session").Status, "nothing is seen before the consent")
	got = people.call(t, http.MethodPost, "/views/"+viewID.(string)+"/begin", map[string]any{"code": code})
	require.Equal(t, 200, got.Status, "%s", got.Raw)

	user, _ := people.get(t, "/session").Data(t, "franchiser-user").(map[string]any)
	require.Equal(t, "9876543210", user["mobile"])
	require.Equal(t, 200, people.get(t, "/profile/details/profile").Status)
	looking := http.Client{Jar: people.http.Jar}
	_, all := operations(t)
	for _, op := range all {
		if op.method == http.MethodGet || strings.HasPrefix(op.path, "/api/") || strings.HasPrefix(op.path, "/dev") {
			continue
		}
		path := regexp.MustCompile(`\{[^}]+\}`).ReplaceAllString(op.path, "019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50")
		if strings.Contains(path, "/payments/webhook/") || path == "/payments/callback" {
			continue // called by the gateway, never with a cookie
		}
		r, err := http.NewRequestWithContext(t.Context(), op.method, app.server.URL+"/api/franchise"+path, strings.NewReader("{}"))
		require.NoError(t, err)
		r.Header.Set("Content-Type", "application/json")
		resp, err := looking.Do(r)
		require.NoError(t, err)
		var body struct{ Code string }
		require.NoError(t, json.NewDecoder(resp.Body).Decode(&body), op.path)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, 403, resp.StatusCode, "%s %s", op.method, op.path)
		require.Equal(t, "view_only", body.Code, "%s %s", op.method, op.path)
	}

	got = owner.get(t, "/profile/staff-access")
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	require.Len(t, got.Data(t, "open"), 1, "the customer sees who looks")
	got = owner.post(t, "/profile/staff-access/end", nil)
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	ended, err := looking.Do(getRequest(t, app.server.URL+"/api/franchise/session"))
	require.NoError(t, err)
	require.NoError(t, ended.Body.Close())
	require.Equal(t, 403, ended.StatusCode, "and can end it")
	require.Equal(t, 401, people.get(t, "/session").Status, "the cookie is gone")
	require.Equal(t, 200, people.call(t, http.MethodGet, "/me", nil).Status, "the console goes on")
}

func TestStaffActions_AreShownToTheCustomer(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	owner := app.client(t)
	asha := owner.signUpForTrial(t, "9876543210")
	people := app.signedInAs(t, "sunita@example.in", staff.RoleSupport)
	require.Equal(t, 400, app.client(t).login(t, "9876543210", "Wrong#2026").Status)
	require.Eventually(t, func() bool {
		page := people.call(t, http.MethodGet, "/customers/"+asha+"/timeline?kind=session", nil)
		require.NotContains(t, string(page.Raw), "Wrong#2026")
		return strings.Contains(string(page.Raw), "Sign-in failed: wrong password")
	}, time.Minute, 20*time.Millisecond)
	got := people.call(t, http.MethodGet, "/customers/"+asha, nil)
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	require.Equal(t, "trialing", got.Data(t, "state"))
	got = people.call(t, http.MethodGet, "/customers/"+asha+"/timeline?limit=100", nil)
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	require.NotContains(t, string(got.Raw), app.code(t, "9876543210"), "no code on any screen")
	for _, told := range []string{"Account created", "Code by SMS: sign up", "Signed in", "Plan: trial", "open_customer"} {
		require.Contains(t, string(got.Raw), told)
	}
	entries, _ := got.Data(t, "entries").([]any)
	first, _ := entries[0].(map[string]any)
	require.Equal(t, 200, people.call(t, http.MethodGet, "/customers/"+asha+"/timeline/"+first["id"].(string), nil).Status)
	require.Equal(t, 422, people.call(t, http.MethodGet, "/customers/"+asha+"/timeline?kind=gossip", nil).Status)

	for range 6 {
		owner.post(t, "/mobile/validate-otp", map[string]any{"mobile": "9876543210", "otp": "000000"})
	}
	got = people.call(t, http.MethodGet, "/customers/"+asha, nil)
	require.Contains(t, string(got.Raw), "Too many wrong codes")
	require.Equal(t, 422, people.act(t, "/customers/"+asha+"/unlock", map[string]any{"reason": "  "}).Status)
	require.Equal(t, 422, people.call(t, http.MethodPost, "/customers/"+asha+"/unlock", map[string]any{"reason": "Locked out"}).Status, "no key")
	require.Equal(t, 200, people.act(t, "/customers/"+asha+"/unlock", map[string]any{"reason": "Locked out"}).Status)
	require.NotContains(t, string(people.call(t, http.MethodGet, "/customers/"+asha, nil).Raw), "Too many wrong codes")
	require.Equal(t, 200, owner.get(t, "/session").Status)
	require.Equal(t, 200, people.act(t, "/customers/"+asha+"/sessions/end", map[string]any{"reason": "Lost phone"}).Status)
	require.Equal(t, 401, owner.get(t, "/session").Status)
	require.Equal(t, 404, people.act(t, "/customers/"+asha+"/domain/recheck", map[string]any{"reason": "Set now"}).Status)
	require.Equal(t, 404, people.act(t, "/customers/"+asha+"/payments/"+id.New()+"/ask", map[string]any{"reason": "Has paid"}).Status)
	require.Equal(t, 404, people.act(t, "/customers/"+asha+"/invoices/"+id.New()+"/resend", map[string]any{"reason": "Lost it"}).Status)
	require.Equal(t, 409, people.act(t, "/customers/"+asha+"/grace", map[string]any{"days": 3, "reason": "On holiday"}).Status, "a trial has no grace")

	other := app.client(t)
	other.post(t, "/register", map[string]any{"mobile": "9123456789", "email": "r@example.in", "password": goodPassword})
	got = people.call(t, http.MethodGet, "/mobiles/9123456789", nil)
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	require.Equal(t, true, got.Data(t, "pending"))
	require.Equal(t, 404, people.call(t, http.MethodGet, "/mobiles/9123456780", nil).Status)
	require.Equal(t, 200, people.act(t, "/mobiles/9123456789/unlock", map[string]any{"reason": "No SMS came"}).Status)

	app.login(t, owner)
	got = owner.get(t, "/profile/staff-access?per_page=50")
	told := []string{}
	entries, _ = got.Data(t, "entries").([]any)
	for _, e := range entries {
		entry, _ := e.(map[string]any)
		told = append(told, entry["what"].(string))
	}
	require.Equal(t, []string{"Signed you out on all devices", "Unlocked your sign-in", "Looked at your account's details", "Looked at your account's history"}, told)
	require.NotContains(t, string(got.Raw), "Lost phone", "reasons are the staff's own")
}

// unanchored is a store that keeps no anchors.
type unanchored struct{}

func (unanchored) Put(context.Context, string, string, []byte) error { return nil }

func (unanchored) Find(context.Context, string) ([]byte, error) { return nil, nil }

func (a *testApp) login(t *testing.T, c *testClient) {
	t.Helper()
	got := c.login(t, "9876543210", goodPassword)
	require.Equal(t, 200, got.Status, "%s", got.Raw)
}

func TestAuditTrail_IsReadAndExported(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	asha := app.client(t).signUp(t, "9876543210")
	people := app.signedInAs(t, "sunita@example.in", staff.RoleSupport)
	require.Equal(t, 200, people.act(t, "/customers/"+asha+"/unlock", map[string]any{"reason": "=HYPERLINK(\"x\")"}).Status)
	app.clock.Advance(time.Minute)
	_, err := staff.NewAuditor(app.db.Worker, app.clock, unanchored{}).Check(t.Context())
	require.NoError(t, err)
	got := people.call(t, http.MethodGet, "/audit?action=unlock&customer_id="+asha, nil)
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	records, _ := got.Data(t, "records").([]any)
	require.Len(t, records, 1)
	row, _ := records[0].(map[string]any)
	require.Equal(t, []any{"", "98••••3210"}, []any{row["subject"], row["customer_name"]}, "a customer without a name")
	_, err = app.db.Owner.Exec(`UPDATE franchisers SET first_name = 'Asha', last_name = 'Kulkarni' WHERE id = $1`, asha)
	require.NoError(t, err)
	records, _ = people.call(t, http.MethodGet, "/audit?customer_id="+asha, nil).Data(t, "records").([]any)
	row, _ = records[0].(map[string]any)
	require.Equal(t, "Asha Kulkarni", row["customer_name"])
	check, _ := got.Data(t, "check").(map[string]any)
	require.Equal(t, true, check["whole"])
	require.Equal(t, 422, people.call(t, http.MethodGet, "/audit?from=yesterday", nil).Status)

	require.Equal(t, 403, people.call(t, http.MethodGet, "/audit/export?format=csv", nil).Status, "the whole trail is for admins")
	require.Equal(t, 200, people.call(t, http.MethodGet, "/audit/export?format=csv&customer_id="+asha, nil).Status)
	people = app.signedInAs(t, "arun@example.in", staff.RoleAdmin)
	csv := people.call(t, http.MethodGet, "/audit/export?format=csv", nil)
	require.Equal(t, 200, csv.Status)
	require.Contains(t, csv.Header.Get("Content-Disposition"), `.csv"`)
	require.Contains(t, string(csv.Raw), `'=HYPERLINK`, "no formula")
	jsonl, err := (&http.Client{Jar: people.http.Jar}).Do(getRequest(t, app.server.URL+"/api/support/audit/export?format=jsonl"))
	require.NoError(t, err)
	defer func() { _ = jsonl.Body.Close() }()
	require.Equal(t, 200, jsonl.StatusCode)
	var hashes, previous []string
	lines := bufio.NewScanner(jsonl.Body)
	for lines.Scan() {
		var record struct{ Hash, Previous string }
		require.NoError(t, json.Unmarshal(lines.Bytes(), &record))
		hashes, previous = append(hashes, record.Hash), append(previous, record.Previous)
	}
	require.Len(t, hashes, 9, "three exports, a look at the page, the unlocking, and two accounts with their sign-ins")
	require.Equal(t, hashes[1:], previous[:8])
	require.Equal(t, 422, people.call(t, http.MethodGet, "/audit/export?format=xml", nil).Status)
}

func TestReversals_NeedAnAdminAndASecondPerson(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	asha, paid := app.paidBy(t, app.bought(t, app.buyer(t, "9876543210"), newPayuServer(t)))
	sunita := app.signedInAs(t, "sunita@example.in", staff.RoleSupport)
	ravi, meera := app.signedInAs(t, "ravi@example.in", staff.RoleAdmin), app.signedInAs(t, "meera@example.in", staff.RoleAdmin)
	ask := map[string]any{"customer_id": asha, "payment_id": paid, "kind": "refund", "all": true, "reason": "Bought by mistake"}
	release := map[string]any{"customer_id": asha, "payment_id": paid, "kind": "release", "keep_plan": true, "reason": "Held by mistake"}
	require.Equal(t, 422, ravi.act(t, "/reversals", release).Status, "a held payment bought nothing that could go on")
	require.Equal(t, 403, sunita.act(t, "/reversals", ask).Status)
	for _, amount := range []any{0, nil} { // an empty form field must not refund anything
		nothing := map[string]any{"customer_id": asha, "payment_id": paid, "kind": "refund", "reason": "Bought by mistake"}
		if amount != nil {
			nothing["amount"] = amount
		}
		refused := ravi.act(t, "/reversals", nothing)
		require.Equal(t, 422, refused.Status, "%s", refused.Raw)
		require.Contains(t, refused.Body["messages"], "amount")
	}
	got := ravi.act(t, "/reversals", ask)
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	require.Equal(t, "waiting", got.Data(t, "state"))
	path := "/reversals/" + got.Data(t, "id").(string)
	require.Equal(t, 409, meera.act(t, "/reversals", ask).Status, "one request at a time")
	require.Equal(t, 403, sunita.act(t, path+"/approve", map[string]any{"reason": "Fine"}).Status)
	require.Equal(t, 403, ravi.act(t, path+"/approve", map[string]any{"reason": "Mine is fine"}).Status, "nobody approves his own")
	require.Equal(t, 422, meera.act(t, path+"/approve", map[string]any{"reason": " "}).Status)
	list := sunita.call(t, http.MethodGet, "/reversals?state=waiting", nil)
	require.Equal(t, 200, list.Status, "%s", list.Raw)
	require.Len(t, list.Body["data"], 1)
	require.Equal(t, false, got.Data(t, "keep_plan"))
	got = meera.act(t, path+"/approve", map[string]any{"reason": "The customer called me"})
	require.Equal(t, "approved", got.Data(t, "state"))
	_, err := testkit.DoneRefund(t.Context(), app.db.Owner, asha, paid, 500_00, app.clock.Now())
	require.NoError(t, err)
	_, err = app.db.Owner.Exec(`INSERT INTO disputes (id, franchiser_id, payment_id, gateway_dispute_id, state, amount_paise, opened_at)
		VALUES ($1, $2, $3, 'CB-1', 'open', 0, now())`, id.New(), asha, paid)
	require.NoError(t, err)
	page := sunita.call(t, http.MethodGet, "/customers/"+asha, nil)
	require.Equal(t, "₹500", page.Data(t, "refunded"))
	require.InDelta(t, 1, page.Data(t, "open_disputes"), 0)
	require.Equal(t, 409, meera.act(t, path+"/decline", map[string]any{"reason": "Too late"}).Status)
}

func getRequest(t *testing.T, url string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	require.NoError(t, err)
	return r
}

func TestStaffCustomer_EndedPlan_HasNoNextBill(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.client(t)
	c.signUpForTrial(t, asha)
	var owner string
	require.NoError(t, app.db.Owner.Get(&owner, `UPDATE subscriptions SET state = 'expired', trial = false, expired_on = renew_on
		RETURNING franchiser_id`))
	got := app.signedInStaff(t).call(t, http.MethodGet, "/customers/"+owner, nil)
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	require.Equal(t, "expired", got.Data(t, "state"))
	require.Nil(t, got.Data(t, "next_bill"))
}

func TestCalls_InvisibleText_IsRefused(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.client(t)
	in := map[string]any{
		"name": "Asha", "email": "asha@example.in", "topic": "other", "message": "Please call me back", "consent": true, "consent_version": "2026-11",
	}
	for field, value := range map[string]string{"email": "a\ufe0fb@example.in", "message": "Please \u202ecall me back", "name": "\u3164\u3164"} {
		bad := map[string]any{}
		maps.Copy(bad, in)
		bad[field] = value
		require.Equal(t, 400, c.post(t, "/contact", bad).Status, field)
	}
	in["message"] = "कृपया मुझे क्\u200dषमा करें 👨\u200d👩"
	require.Equal(t, 200, c.post(t, "/contact", in).Status)
}
