package main

import (
	"maps"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/api/handler"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/platform/totp"
	"github.com/franchise360/franchise360/pkg/staff"
)

const staffPassword = "Mango#2026#Tree"

var staffKey = []byte("12345678901234567890") //nolint:gochecknoglobals // the key of the RFC's vectors

// staffClient is a staff member's browser.
type staffClient struct{ *testClient }

func (c staffClient) call(t *testing.T, method, path string, body any) answer {
	t.Helper()
	return c.send(t, c.request(t, method, path, body))
}

func (c staffClient) request(t *testing.T, method, path string, body any) *http.Request {
	t.Helper()
	reader, contentType := encode(t, body)
	r, err := http.NewRequestWithContext(t.Context(), method, c.app.server.URL+"/api/support"+path, reader)
	require.NoError(t, err)
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	for _, cookie := range c.http.Jar.Cookies(r.URL) {
		if cookie.Name == "STAFF-XSRF-TOKEN" {
			r.Header.Set("X-XSRF-TOKEN", cookie.Value)
		}
	}
	return r
}

func (a *testApp) hire(t *testing.T, email string, role staff.Role) {
	t.Helper()
	err := staff.Ensure(t.Context(), a.db.Owner, password.Cheap(1), a.config.Keys, a.clock, staff.Account{
		Email: email, Name: "Sunita", Password: staffPassword, Role: role, TOTPKey: staffKey,
	})
	require.NoError(t, err)
}

func (a *testApp) staffCode() string { return totp.Code(staffKey, totp.StepAt(a.clock.Now())) }

// staffProof is the re-authentication before a change that outlives the session, with an unused code.
func (a *testApp) staffProof(password string) map[string]any {
	a.clock.Advance(time.Minute)
	return map[string]any{"current_password": password, "current_code": a.staffCode()}
}

// proved returns the body with the proof of a member who has the tests' password.
func (a *testApp) proved(body map[string]any) map[string]any {
	all := a.staffProof(staffPassword)
	maps.Copy(all, body)
	return all
}

func (a *testApp) signedInStaff(t *testing.T) staffClient {
	t.Helper()
	a.hire(t, "sunita@example.in", staff.RoleSupport)
	c := staffClient{a.client(t)}
	in := map[string]any{"email": "Sunita@example.in", "password": staffPassword, "code": a.staffCode()}
	got := c.call(t, http.MethodPost, "/login", in)
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	require.Equal(t, "support", got.Data(t, "role"))
	return c
}

func TestStaffSignIn_EndsTheEarlierSession(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.signedInStaff(t)
	token := func() string {
		for _, cookie := range c.http.Jar.Cookies(c.request(t, http.MethodGet, "/me", nil).URL) {
			if cookie.Name == "f360_staff" {
				return cookie.Value
			}
		}
		return ""
	}
	me := func(token string) int {
		other := staffClient{app.client(t)}
		r := other.request(t, http.MethodGet, "/me", nil)
		r.Header.Set("Cookie", "f360_staff="+token)
		return other.send(t, r).Status
	}
	before := token()
	require.Equal(t, 200, me(before))
	app.clock.Advance(totp.Step)
	in := map[string]any{"email": "sunita@example.in", "password": staffPassword, "code": app.staffCode()}
	require.Equal(t, 200, c.call(t, http.MethodPost, "/login", in).Status)
	require.NotEqual(t, before, token())
	require.Equal(t, 200, me(token()))
	require.Equal(t, 401, me(before))
}

func TestStaffSignIn_AnyWrongPart_HasTheSameError(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	app.hire(t, "sunita@example.in", staff.RoleSupport)
	c := staffClient{app.client(t)}
	good := map[string]any{"email": "sunita@example.in", "password": staffPassword, "code": app.staffCode()}
	var said string
	for field, wrong := range map[string]string{"email": "nobody@example.in", "password": "Mango#2026#Bush", "code": "000000"} {
		in := map[string]any{"email": good["email"], "password": good["password"], "code": good["code"]}
		in[field] = wrong
		got := c.call(t, http.MethodPost, "/login", in)
		require.Equal(t, 400, got.Status, "%s: %s", field, got.Raw)
		message, _ := got.Body["message"].(string)
		if said != "" {
			require.Equal(t, said, message)
		}
		said = message
	}
	require.Equal(t, 401, c.call(t, http.MethodGet, "/me", nil).Status)
	require.Equal(t, 200, c.call(t, http.MethodPost, "/login", good).Status)
	require.Equal(t, 200, c.call(t, http.MethodGet, "/me", nil).Status)
	require.Equal(t, 400, c.call(t, http.MethodPost, "/login", good).Status, "a code is taken once")
	require.Equal(t, 200, c.call(t, http.MethodPost, "/logout", nil).Status)
	require.Equal(t, 401, c.call(t, http.MethodGet, "/me", nil).Status)
}

func TestStaffRoutes_OtherCallers_AreRefused(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	franchiser := staffClient{app.client(t)}
	franchiser.signUp(t, "9876543210")
	anonymous := staffClient{app.client(t)}
	people := app.signedInStaff(t)
	for _, route := range []string{"/me", "/search?q=987", "/jobs", "/jobs/1", "/queues", "/contacts", "/customers/019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50"} {
		require.Equal(t, 403, franchiser.call(t, http.MethodGet, route, nil).Status, route)
		require.Equal(t, 401, anonymous.call(t, http.MethodGet, route, nil).Status, route)
	}
	require.Equal(t, 403, franchiser.call(t, http.MethodPost, "/jobs/rerun", map[string]any{"ids": []int{1}, "reason": "because"}).Status)
	require.Equal(t, 200, people.call(t, http.MethodGet, "/me", nil).Status)
	_, err := app.db.Owner.Exec(`UPDATE staff SET disabled_at = created_at`)
	require.NoError(t, err)
	require.Equal(t, 401, people.call(t, http.MethodGet, "/me", nil).Status, "out on the next request")
}

func TestStaff_FindACustomerAndRerunAFailedJob(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	franchiserID := app.client(t).signUp(t, "9876543210")
	people := app.signedInStaff(t)

	for _, q := range []string{"9876543210", "98765", "asha@", "%2B919876543210"} {
		got := people.call(t, http.MethodGet, "/search?q="+q, nil)
		hits, _ := got.Data(t, "hits").([]any)
		require.NotEmpty(t, hits, "%s: %s", q, got.Raw)
		hit, _ := hits[0].(map[string]any)
		require.Equal(t, franchiserID, hit["customer_id"])
	}
	got := people.call(t, http.MethodGet, "/customers/"+franchiserID, nil)
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	require.NotContains(t, string(got.Raw), app.code(t, "9876543210"), "no code on any screen")
	require.Equal(t, 404, people.call(t, http.MethodGet, "/customers/019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50", nil).Status)

	var jobID int64
	require.NoError(t, app.db.Owner.Get(&jobID, `INSERT INTO river_job (kind, args, queue, state, attempt, max_attempts, finalized_at, errors, metadata)
		VALUES ('verify_payment', '{"payment_id":"x"}', 'payments', 'discarded', 3, 3, now(),
			ARRAY[jsonb_build_object('at', now(), 'attempt', 3, 'error', '<script>gateway away', 'trace', '')],
			jsonb_build_object('franchiser_id', $1::text)) RETURNING id`, franchiserID))
	got = people.call(t, http.MethodGet, "/jobs/summary?search=GATEWAY", nil)
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	require.InDelta(t, 1, got.Data(t, "total"), 0)

	body := map[string]any{"ids": []int64{jobID}, "reason": "   "}
	require.Equal(t, 422, people.call(t, http.MethodPost, "/jobs/rerun", body).Status, "spaces are no reason")
	body["reason"] = "The gateway is back"
	got = people.call(t, http.MethodPost, "/jobs/rerun", body)
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	var state string
	require.NoError(t, app.db.Owner.Get(&state, `SELECT state FROM river_job WHERE id = $1`, jobID))
	require.Equal(t, "available", state)
	require.Equal(t, 409, people.call(t, http.MethodPost, "/jobs/rerun", body).Status, "it is on its way")

	var twin int64
	require.NoError(t, app.db.Owner.Get(&twin, `INSERT INTO river_job (kind, args, queue, state, attempt, max_attempts, finalized_at, metadata)
		SELECT kind, args, queue, 'cancelled', 1, 3, now(), metadata FROM river_job WHERE id = $1 RETURNING id`, jobID))
	got = people.call(t, http.MethodPost, "/jobs/rerun", map[string]any{"ids": []int64{twin, jobID + 99}, "reason": "The gateway is back"})
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	require.Contains(t, string(got.Raw), "does the same and is on its way already", "a twin is in flight")
	require.NotContains(t, string(got.Raw), `"done":true`)

	var broken int
	require.NoError(t, app.db.Owner.Get(&broken, `SELECT count(*) FROM staff_actions WHERE hash <> staff_action_hash(staff_actions)
		OR action = 'rerun_job' AND reason <> 'The gateway is back'`))
	require.Zero(t, broken)
	_, err := app.db.Owner.Exec(`UPDATE staff_actions SET reason = 'another'`)
	require.ErrorContains(t, err, "append-only")
	got = people.call(t, http.MethodGet, "/customers/"+franchiserID+"/timeline", nil)
	require.Contains(t, string(got.Raw), "The gateway is back")

	body["reason"] = "Not needed"
	require.Equal(t, 200, people.call(t, http.MethodPost, "/jobs/cancel", body).Status)
	require.Equal(t, 200, people.call(t, http.MethodGet, "/queues", nil).Status)
	require.Equal(t, 200, people.call(t, http.MethodGet, "/contacts", nil).Status)
}

func TestStaffReads_AreRecordedOncePerVisitAndLimited(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	franchiserID := app.client(t).signUp(t, "9876543210")
	admin := app.signedInAs(t, "admin@example.in", staff.RoleAdmin)
	actions := func() (list []string) {
		require.NoError(t, app.db.Owner.Select(&list, `SELECT action FROM staff_actions WHERE action <> 'staff_created' ORDER BY sequence`))
		return list
	}
	read := func(path string) {
		for range 3 {
			got := admin.call(t, http.MethodGet, path, nil)
			require.Equal(t, 200, got.Status, "%s: %s", path, got.Raw)
		}
	}
	for _, path := range []string{"/search?q=9876543210", "/search?q=98765", "/customers/" + franchiserID + "/timeline", "/contacts", "/reversals"} {
		read(path)
	}
	want := []string{"sign_in", "search", "read_timeline", "read_list", "read_list"}
	require.Equal(t, want, actions())
	read("/customers/" + franchiserID)
	app.clock.Advance(20 * time.Minute)
	read("/me")
	app.clock.Advance(11 * time.Minute)
	read("/customers/" + franchiserID)
	read("/customers/" + franchiserID + "/timeline")
	read("/search?q=asha")
	want = append(want, "open_customer", "open_customer", "search")
	require.Equal(t, want, actions(), "the timeline is a part of the page")

	got := admin.call(t, http.MethodGet, "/audit?action=reads", nil)
	records, _ := got.Data(t, "records").([]any)
	require.Len(t, records, 7)
	newest, _ := records[0].(map[string]any)
	require.Regexp(t, `^search:[0-9a-f]{16}$`, newest["target"])
	require.Equal(t, `{"hits":1}`, newest["after"])
	require.NotContains(t, string(got.Raw), "9876543210")
	require.NotContains(t, string(got.Raw), "asha")
}

func TestStaffReads_EachRoute_IsRecordedOrExempt(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	asha := app.client(t).signUp(t, "9876543210")
	app.client(t).post(t, "/register", map[string]any{"mobile": "9123456789", "email": "r@example.in", "password": goodPassword})
	admin := app.signedInAs(t, "admin@example.in", staff.RoleAdmin)
	// These are recorded only if there is a payment or a request to show.
	recorded := map[string]bool{
		"/api/support/customers/{id}/timeline/{entry}": true, "/api/support/payments/{payment}/trail": true,
		"/api/support/contacts/{id}": true, "/api/support/contacts/{id}/files/{file}": true, "/api/support/catalogue/changes/{id}/effect": true, "/api/support/money": true, "/api/support/customers/{id}/invoices/{invoice}": true,
	}
	for _, read := range [][2]string{
		{"/search?q=as", "search"},
		{"/contacts", "read_list"},
		{"/customers", "read_list"},
		{"/reversals", "read_list"},
		{"/acts", "read_list"},
		{"/work", "read_list"},
		{"/credit-notes", "read_list"},
		{"/transfers", "read_list"},
		{"/bank-credits", "read_list"},
		{"/tds", "read_list"},
		{"/tds/export", "read_list"},
		{"/e-invoices", "read_list"},
		{"/deliveries", "read_list"},
		{"/audit", "read_list"},
		{"/gst-returns/{month}/documents?table=b2b", "read_list"},
		{"/gst-returns/{month}/file", "take_gst_return"},
		{"/books/files/{month}/{file}", "take_books"},
		{"/credit-notes/export", "export_credit_notes"},
		{"/audit/export", "export_audit"},
		{"/money/export", "export_list"},
		{"/reversals/export", "export_list"},
		{"/acts/export", "export_list"},
		{"/jobs/export", "export_list"},
		{"/transfers/export", "export_list"},
		{"/bank-credits/export", "export_list"},
		{"/e-invoices/export", "export_list"},
		{"/deliveries/export", "export_list"},
		{"/mobiles/{mobile}", "read_mobile"},
		{"/customers/{id}/account", "read_account"},
		{"/customers/{id}/account/file", "take_statement"},
		{"/customers/{id}/timeline", "read_timeline"},
		{"/customers/{id}/notes", "read_timeline"},
		{"/customers/{id}/deliveries/{delivery}", "read_timeline"},
		{"/customers/{id}/deliveries/{delivery}/files/{file}", "read_timeline"},
		{"/customers/{id}", "open_customer"},
	} {
		path, _, _ := strings.Cut(read[0], "?")
		recorded[handler.SupportPrefix+path] = true
		admin.call(t, http.MethodGet, strings.NewReplacer("{id}", asha, "{mobile}", "9123456789", "{month}", "2026-10", "{file}", "tally_vouchers").Replace(read[0]), nil)
		var last string
		require.NoError(t, app.db.Owner.Get(&last, `SELECT action || ' ' || target FROM staff_actions ORDER BY sequence DESC LIMIT 1`))
		require.Regexp(t, "^"+read[1]+" ", last, path)
		if read[1] == "read_list" || read[1] == "export_list" {
			list, _, _ := strings.Cut(path[1:], "/")
			require.Equal(t, read[1]+" list:"+strings.ReplaceAll(list, "-", " "), last)
		}
	}
	free := handler.StaffReadsOfNobody()
	_, all := operations(t)
	for _, op := range all {
		if op.method != http.MethodGet || !strings.HasPrefix(op.path, handler.SupportPrefix+"/") {
			continue
		}
		route := regexp.MustCompile(`\{([^}]+)\}`).ReplaceAllString(op.path, ":$1")
		reason, isFree := free[route]
		require.NotEqual(t, recorded[op.path], isFree, "%s is recorded, or StaffReadsOfNobody says why not", op.path)
		require.True(t, !isFree || len(reason) > 5, op.path)
		require.True(t, isFree || op.Responses.Status(429) != nil, "%s is limited and does not say so", op.path)
		delete(free, route)
	}
	require.Empty(t, free, "no such calls")
}

func TestStaffReads_InBulk_AreRefused(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	app.config.LiveLimits = true
	app.start(t)
	people := app.signedInStaff(t)
	last := answer{}
	for range 601 {
		last = people.call(t, http.MethodGet, "/search?q=as", nil)
	}
	require.Equal(t, 429, last.Status)
	require.Contains(t, string(last.Raw), "too many customers in a short time")
	require.NotEmpty(t, last.Header.Get("Retry-After"))
	require.Equal(t, 429, people.call(t, http.MethodGet, "/credit-notes", nil).Status)
	require.Equal(t, 200, people.call(t, http.MethodGet, "/me", nil).Status)
	app.clock.Advance(5 * time.Minute)
	require.Equal(t, 200, people.call(t, http.MethodGet, "/search?q=as", nil).Status)
}

// Given staff actions, then the contract lists every kind, because the console's names and filter are generated from it.
func TestContract_NamesEachStaffAction(t *testing.T) {
	t.Parallel()
	doc, _ := operations(t)
	var named []string
	for _, kind := range doc.Components.Schemas["AuditAction"].Value.Enum {
		named = append(named, kind.(string)) //nolint:forcetypeassert // the schema is of strings
	}
	require.ElementsMatch(t, staff.ActionKinds(), named)
	admin := newTestApp(t).signedInAs(t, "admin@example.in", staff.RoleAdmin)
	for _, kind := range append(named, staff.ActionReads) {
		require.Equal(t, 200, admin.call(t, http.MethodGet, "/audit?action="+kind, nil).Status, kind)
	}
	require.Equal(t, 422, admin.call(t, http.MethodGet, "/audit?action=unheard_of", nil).Status)
	require.Equal(t, 422, admin.call(t, http.MethodGet, "/audit/export?action=unheard_of", nil).Status)
}
