package main

import (
	"cmp"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/api/handler"
	"github.com/franchise360/franchise360/api/tenantsite"
	"github.com/franchise360/franchise360/pkg/staff"
)

// lastingAct is a call that gives access beyond the session. The path's parameters are names of the ids in the tests below.
type lastingAct struct {
	method, route string
	body          map[string]any
	// password is the field of the account's password, if it is another than "password".
	password string
}

// lastingOfStaff are the calls of admins. Each needs the password and an unused code.
func lastingOfStaff() []lastingAct {
	const why = "The new ERP goes live"
	because := map[string]any{"reason": why}
	system := map[string]any{
		"label": "Orders", "login_url": "https://erp.example.in/in", "redirect_uris": []string{"https://erp.example.in/back"}, "dashboard": false,
		"reason": why,
	}
	endpoint := map[string]any{"url": "https://erp.example.in/hooks", "description": "Orders and stock", "events": []string{}, "reason": why}
	invitation := map[string]any{"email": "priya@example.in", "name": "Priya", "role": "admin", "reason": "She joins the team"}
	return []lastingAct{
		{method: http.MethodPost, route: "/api-keys", body: map[string]any{"label": "ERP", "scopes": []string{"entitlements:read"}, "reason": why}},
		{method: http.MethodPost, route: "/sign-in-systems", body: system},
		{method: http.MethodPut, route: "/sign-in-systems/:system", body: system},
		{method: http.MethodPost, route: "/sign-in-systems/:system/rotate", body: because},
		{method: http.MethodPost, route: "/sign-in-systems/:system/state", body: map[string]any{"state": "enabled", "reason": why}},
		{method: http.MethodPost, route: "/webhooks", body: endpoint},
		{method: http.MethodPut, route: "/webhooks/:endpoint", body: endpoint},
		{method: http.MethodPost, route: "/webhooks/:endpoint/rotate", body: because},
		{method: http.MethodPost, route: "/webhooks/:endpoint/enable", body: because},
		{method: http.MethodPut, route: "/staff/:id", body: map[string]any{"role": "admin", "reason": why}},
		{method: http.MethodPost, route: "/staff/:id/enable", body: because},
		{method: http.MethodPost, route: "/staff-resets/:id/approve", body: because},
		{method: http.MethodPost, route: "/staff-invitations", body: invitation},
		{method: http.MethodPost, route: "/staff-invitations/:id/resend", body: because},
		{method: http.MethodPost, route: "/account/passkeys/begin", body: map[string]any{}},
	}
}

// lastingOfCustomers are the calls of owners. Each needs the password, and a code if an authenticator app is in use.
func lastingOfCustomers() []lastingAct {
	storePassword := map[string]any{"store_username": asha, "store_name": "Asha Sweets", "store_type": "4", "store_password": "Thief#20278"}
	return []lastingAct{
		{method: http.MethodPost, route: "/team/members", body: map[string]any{"name": "Ravi Rao", "mobile": ravi, "role": "manager"}},
		{method: http.MethodPut, route: "/team/members/:id", body: map[string]any{"role": "accountant"}},
		{method: http.MethodPost, route: "/team/members/:id/resend", body: map[string]any{}},
		{method: http.MethodPost, route: "/profile/email/otp", body: map[string]any{"email": "thief@example.in"}},
		{method: http.MethodPost, route: "/profile/mobile/otp", body: map[string]any{"mobile": "9833333333"}},
		{method: http.MethodPut, route: "/subscription/password/update/:id", body: map[string]any{"password": "Thief#20277"}, password: "current_password"},
		{method: http.MethodPost, route: "/profile/store/update", body: storePassword, password: "current_password"},
	}
}

// withoutProof explains why a call near those above needs no further proof. An empty reason stands for a call that ends or limits access.
func withoutProof() map[string]string {
	const (
		link     = "a link or code that was sent to the person is the proof"
		password = "the person's password is the proof"
		data     = "changes data, no access"
	)
	renewal, buys := "debits what the person agreed to, no access", "buys, no access"
	return map[string]string{
		"POST /subscription/automatic-renewal": renewal, "POST /subscription/automatic-renewal/:id/stop": "", "POST /subscription/automatic-renewal/:id/skip": "",
		"POST /subscription/automatic-renewal/:id/pause": "", "POST /subscription/automatic-renewal/:id/resume": renewal,
		"POST /subscription/automatic-renewal/:id/unskip": renewal, "POST /subscription/add-ons-services/payments/details": buys,
		"POST /subscription/add-ons-services/payments/request": buys, "POST /subscription/payments/details": buys, "POST /subscription/payments/request": buys,
		"PUT /subscription/add-ons-services/update/:id": buys, "DELETE /subscription/plan-change/:id": "",
		"POST /tenant/create": "sets the first password of a store that has no partners", "DELETE /subscription/custom-domain/:id": "",
		"PUT /subscription/custom-domain/:id": "names a host; the store's sign-in there asks for its password",

		"POST /api-keys/:key/revoke": "", "POST /webhooks/:endpoint/disable": "", "POST /webhooks/:endpoint/remove": "",
		"POST /webhooks/:endpoint/test": "sends to an endpoint that a proof made", "POST /webhooks/:endpoint/resend": "sends to an endpoint that a proof made",
		"POST /staff/:id/disable": "", "POST /staff/:id/reset": "another admin approves it with a proof", "POST /staff-resets/:id/decline": "",
		"POST /staff-invitations/:id/withdraw": "", "POST /staff-sessions/:id/end": "", "POST /enrolment/open": link, "POST /enrolment": link,
		"POST /account/password": password, "POST /account/authenticator": "keeps nothing",
		"PUT /account/authenticator": "its own test: TestStaff_ChangeTheirOwnSignIn", "POST /account/sessions/:id/end": "",
		"POST /account/passkeys": "the answer to a begin with a proof", "PUT /account/passkeys/:id": data, "POST /account/passkeys/:id/remove": "",
		"POST /login": password, "POST /login/passkey/begin": "keeps nothing", "POST /login/passkey": "the passkey is the proof", "POST /logout": "",

		"DELETE /team/members/:id": "", "POST /team/invitations/:code/accept": link, "POST /accounts/switch": "opens what an invitation gave",
		"DELETE /accounts/:id": "", "POST /profile/update/profile": data, "PUT /profile/language": data, "PUT /profile/document-language": data,
		"POST /profile/email": link, "POST /profile/email/proof": link, "POST /profile/email/prove": link,
		"POST /profile/mobile": "the codes that a proof sent", "DELETE /profile/sessions": "", "DELETE /profile/sessions/:id": "",
		"POST /profile/totp/enrol": password, "POST /profile/totp/confirm": "the answer to an enrolment with the password",
		"POST /profile/totp/disable": "its own test: password and code", "POST /profile/export": "its own test: password and code",
		"POST /profile/erasure": "its own test: password and code", "DELETE /profile/erasure": "", "POST /profile/search-address": data,
		"POST /profile/coordinates": data, "POST /profile/address": data,
		"POST /profile/store/entry":      "signs in to the store once, within a minute; \"everywhere else\" ends it",
		"POST /profile/staff-access/end": "", "POST /connected-systems/sign-in": "signs in to a system that a proof added",
		"POST /register": link, "POST /mobile/otp": link, "POST /mobile/validate-otp": link, "POST /otp/resend-otp": password,
		"POST /login/totp": password, "POST /refresh": "continues a session", "POST /password/reset-otp": link, "POST /password/validate-otp": link,
		"POST /password/reset": link, "POST /mobile-changes/:code/stop": "",
	}
}

// otherAreas are the first words of routes whose calls give nobody access.
func otherAreas() []string {
	return strings.Fields(`
		acts alerts announcements bank-credit-uses bank-credits bank-statements books catalogue contact-files contact-macros contacts credit-notes customers
		disputes documents e-invoices jobs mobiles presence queues reversals saved-views schedules settlement-differences settlements tds time-machine
		transfers views webhook-deliveries work
		business contact message-preferences newsletter whatsapp notifications pay-links payments reminders renew-subscription sms
		subscription-plan transfers requests request-files deliveries email`)
}

// lastingAtStore are the forms at a store's own host that give somebody access. Each needs the store's password.
func lastingAtStore() map[string]url.Values {
	partner := url.Values{"name": {"Ravi Rao"}, "mobile": {ravi}, "role": {"manager"}}
	return map[string]url.Values{
		"/dashboard/partners": partner, "/dashboard/partners/:id/resend": {},
		"/dashboard/outlets/import": {
			"invite": {"1"}, "count": {"1"}, "key": {"019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50"}, "0.use": {"1"}, "0.line": {"1"},
			"0.name": {"Camp"}, "0.city": {"Pune"}, "0.state": {"Maharashtra"}, "0.partner_name": {"Meera"}, "0.partner_mobile": {"9812312312"},
		},
	}
}

// withoutProofAtStore explains why the other forms at a store's host need no further proof.
func withoutProofAtStore() map[string]string {
	const data, link = "changes outlets, no access", "a link or code that was sent to the person is the proof"
	return map[string]string{
		"/dashboard/login": "the store's password is the proof", "/dashboard/logout": "", "/dashboard/outlets": data,
		"/dashboard/outlets/:id/edit": "gives an outlet to a partner whom a proof invited", "/dashboard/outlets/:id/status": data,
		"/dashboard/partners/:id/remove": "", "/dashboard/outlets/import/preview": "keeps nothing", "/dashboard/imports/:id/undo": data,
		"/join/:code": link, "/partner/login": link, "/partner/code": link, "/partner/logout": "", "/partner/outlets/:id": data,
	}
}

func TestLastingAccess_AtTheStore_EachFormNeedsAProofOrAReason(t *testing.T) {
	t.Parallel()
	known := slices.AppendSeq(slices.Collect(maps.Keys(lastingAtStore())), maps.Keys(withoutProofAtStore()))
	require.ElementsMatch(t, known, tenantsite.Posts())
}

// Given a session at the store that an entry link opened, when a partner is to be invited, then the store's password is needed.
func TestLastingAccess_AtTheStore_WithoutPassword_IsRefused(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	owner := app.client(t)
	owner.signUpForTrial(t, asha)
	owner.openStore(t, asha, "Asha Sweets")
	v := &visitor{app: app, host: "asha-sweets.franchise360.localhost"}
	link, err := url.Parse(owner.post(t, "/profile/store/entry", nil).Data(t, "url").(string))
	require.NoError(t, err)
	require.Equal(t, 303, v.get(t, link.RequestURI()).Status)
	forms := lastingAtStore()
	var partnerID string
	for _, route := range []string{"/dashboard/partners", "/dashboard/partners/:id/resend", "/dashboard/outlets/import"} {
		path, form := strings.Replace(route, ":id", partnerID, 1), forms[route]
		before := app.count(t, `SELECT count(*) FROM partner_messages WHERE kind = 'invitation'`)
		const isWrong = "The store password is wrong."
		for wrong, says := range map[string]string{"": "Enter the store password.", "Guava#2027": isWrong, strings.Repeat("x", 200): isWrong} {
			form.Set("store_password", wrong)
			got := v.send(t, http.MethodPost, path, form)
			require.Equal(t, 422, got.Status, "%s %q", path, wrong)
			require.Contains(t, string(got.Raw), says, path)
			require.Contains(t, string(got.Raw), `id="store_password`, path)
		}
		require.Equal(t, before, app.count(t, `SELECT count(*) FROM partner_messages WHERE kind = 'invitation'`), path)
		form.Set("store_password", goodPassword)
		app.clock.Advance(time.Minute)
		got := v.send(t, http.MethodPost, path, form)
		require.Equal(t, 303, got.Status, "%s: %s", path, got.Raw)
		require.Equal(t, before+1, app.count(t, `SELECT count(*) FROM partner_messages WHERE kind = 'invitation'`), path)
		if partnerID == "" {
			require.NoError(t, app.db.Owner.Get(&partnerID, `SELECT id FROM outlet_partners`))
		}
	}
	form := forms["/dashboard/partners/:id/resend"]
	form.Set("store_password", "Guava#2027")
	var last int
	for range 60 {
		last = v.send(t, http.MethodPost, "/dashboard/partners/"+partnerID+"/resend", form).Status
	}
	require.Equal(t, 429, last, "guesses are limited")
}

// Given a thief's session at the store, when the owner changes its password or signs out everywhere else, then the thief is out.
func TestLastingAccess_AtTheStore_OwnerEndsSessions(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	owner := app.client(t)
	owner.signUpForTrial(t, asha)
	tenantID := owner.openStore(t, asha, "Asha Sweets")
	for name, end := range map[string]func() answer{
		"everywhere else": func() answer { return owner.do(t, http.MethodDelete, "/profile/sessions", nil) },
		"password": func() answer {
			return owner.put(t, "/subscription/password/update/"+tenantID, map[string]any{"password": "Other#20278", "current_password": goodPassword})
		},
	} {
		v := &visitor{app: app, host: "asha-sweets.franchise360.localhost"}
		link, err := url.Parse(owner.post(t, "/profile/store/entry", nil).Data(t, "url").(string))
		require.NoError(t, err)
		v.get(t, link.RequestURI())
		require.Equal(t, 200, v.get(t, "/dashboard").Status, name)
		require.Equal(t, 200, end().Status, name)
		require.Equal(t, 303, v.get(t, "/dashboard").Status, name)
	}
	require.Equal(t, 1, app.count(t, `SELECT count(*) FROM customer_messages WHERE template = 'store_password_changed'`), "the owner is told")
}

// A new route is in one of the lists above, so that somebody has thought about whom it gives access.
func TestLastingAccess_EachRoute_NeedsAProofOrAReason(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	server, ok := app.server.Config.Handler.(handler.Server)
	require.True(t, ok)
	missing := func(prefix string, proved []lastingAct) []string {
		known := withoutProof()
		for _, act := range proved {
			known[act.method+" "+act.route] = "proved"
		}
		return unlisted(server.Engine.Routes(), prefix, known)
	}
	require.Empty(t, missing(handler.SupportPrefix, lastingOfStaff()))
	require.Empty(t, missing(handler.Prefix, lastingOfCustomers()))
	forgotten := unlisted(server.Engine.Routes(), handler.SupportPrefix, withoutProof())
	require.Len(t, forgotten, len(lastingOfStaff()), "a route without a proof or a reason is found: %v", forgotten)
}

func unlisted(routes gin.RoutesInfo, prefix string, known map[string]string) []string {
	var missing []string
	for _, route := range routes {
		path, below := strings.CutPrefix(route.Path, prefix+"/")
		if !below || route.Method == http.MethodGet || route.Method == http.MethodHead || route.Method == http.MethodOptions {
			continue
		}
		area, _, _ := strings.Cut(path, "/")
		if _, listed := known[route.Method+" /"+path]; !listed && !slices.Contains(otherAreas(), area) {
			missing = append(missing, route.Method+" /"+path)
		}
	}
	return missing
}

// with returns the body with more fields.
func (a lastingAct) with(more map[string]any) map[string]any {
	body := maps.Clone(a.body)
	maps.Copy(body, more)
	return body
}

// Given the open session of an admin, when something is made that outlives it, then the password and an unused code are needed.
func TestLastingAccess_WithoutPasswordAndCode_IsRefused(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	admin, meera := app.signedInAs(t, "ravi@example.in", staff.RoleAdmin), app.signedInAs(t, "meera@example.in", staff.RoleAdmin)
	app.hire(t, "kiran@example.in", staff.RoleSupport)
	app.hire(t, "divya@example.in", staff.RoleSupport)
	app.hire(t, "leela@example.in", staff.RoleSupport)
	do := func(c staffClient, path string, body map[string]any) answer {
		t.Helper()
		got := c.call(t, http.MethodPost, path, body)
		require.Equal(t, 200, got.Status, "%s: %s", path, got.Raw)
		return got
	}
	of := func(email string) (staffID string) {
		t.Helper()
		require.NoError(t, app.db.Owner.Get(&staffID, `SELECT id FROM staff WHERE email = $1`, email))
		return staffID
	}
	because := map[string]any{"reason": "The new ERP goes live"}
	made := map[string]lastingAct{}
	for _, act := range lastingOfStaff() {
		made[act.method+" "+act.route] = act
	}
	idOf := func(got answer, field string) string { return got.Data(t, field).(map[string]any)["id"].(string) }
	system := idOf(do(admin, "/sign-in-systems", app.proved(made["POST /sign-in-systems"].body)), "system")
	do(admin, "/sign-in-systems/"+system+"/state", map[string]any{"state": "disabled", "reason": "It is replaced"})
	endpoint := idOf(do(admin, "/webhooks", app.proved(made["POST /webhooks"].body)), "endpoint")
	do(admin, "/webhooks/"+endpoint+"/disable", because)
	do(admin, "/staff/"+of("divya@example.in")+"/disable", because)
	do(meera, "/staff/"+of("leela@example.in")+"/reset", because)
	do(admin, "/staff-invitations", app.proved(map[string]any{"email": "first@example.in", "name": "First", "role": "admin", "reason": "She joins the team"}))
	listed := admin.call(t, http.MethodGet, "/staff", nil)
	ids := map[string]string{
		":system": system, ":endpoint": endpoint, "/staff/:id": of("kiran@example.in"), "/staff/:id/enable": of("divya@example.in"),
		"/staff-resets/:id/approve":     listed.Data(t, "resets").([]any)[0].(map[string]any)["id"].(string),
		"/staff-invitations/:id/resend": listed.Data(t, "invitations").([]any)[0].(map[string]any)["id"].(string),
	}
	for n, act := range lastingOfStaff() {
		path := strings.NewReplacer(":system", system, ":endpoint", endpoint, ":id", ids[act.route]).Replace(act.route)
		refused := func(body map[string]any, fields ...string) {
			t.Helper()
			got := admin.call(t, act.method, path, body)
			require.Equal(t, 422, got.Status, "%s %s: %s", act.method, path, got.Raw)
			said, _ := got.Body["messages"].(map[string]any)
			require.Equal(t, fields, slices.Sorted(maps.Keys(said)), path)
		}
		refused(act.body, "current_code", "current_password")
		app.clock.Advance(time.Minute)
		proof := map[string]any{"current_password": staffPassword, "current_code": app.staffCode()}
		if n == 0 {
			refused(act.with(map[string]any{"current_password": "Mango#2026#Bush", "current_code": app.staffCode()}), "current_password")
		}
		refused(act.with(map[string]any{"current_password": staffPassword, "current_code": "000000"}), "current_code")
		got := admin.call(t, act.method, path, act.with(proof))
		require.Equal(t, 200, got.Status, "%s %s: %s", act.method, path, got.Raw)
		if n == 0 {
			refused(act.with(proof), "current_code")
		}
	}
	require.Equal(t, 2, app.count(t, `SELECT count(*) FROM sign_in_systems`))
	require.Equal(t, 2, app.count(t, `SELECT count(*) FROM webhook_endpoints`))
	require.Equal(t, 1, app.count(t, `SELECT count(*) FROM api_keys`))
}

// Given the open session of an owner, when somebody gets access that outlives it, then the password is needed.
func TestLastingAccess_OfACustomer_WithoutPassword_IsRefused(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	owner := app.client(t)
	owner.signUpForTrial(t, asha)
	tenantID := owner.openStore(t, asha, "Asha Sweets")
	var member string
	for _, act := range lastingOfCustomers() {
		of := member
		if strings.HasPrefix(act.route, "/subscription/") {
			of = tenantID
		}
		path := strings.Replace(act.route, ":id", of, 1)
		field := cmp.Or(act.password, "password")
		require.Equal(t, 422, owner.do(t, act.method, path, act.with(map[string]any{field: ""})).Status, path)
		got := owner.do(t, act.method, path, act.with(map[string]any{field: "Guava#2027"}))
		require.Equal(t, []any{400, "invalid_credentials"}, []any{got.Status, got.Body["code"]}, path)
		app.clock.Advance(2 * time.Minute)
		got = owner.do(t, act.method, path, act.with(map[string]any{field: goodPassword}))
		require.Equal(t, 200, got.Status, "%s: %s", path, got.Raw)
		if member == "" {
			member = got.Data(t, "id").(string)
		}
	}
}

// Given a thief with the open session of an admin, when codes are tried at what outlives the session, then the tries are limited.
func TestLastingAccess_ManyWrongCodes_AreLimited(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	admin := app.signedInAs(t, "ravi@example.in", staff.RoleAdmin)
	body := map[string]any{
		"label": "ERP", "scopes": []string{"entitlements:read"}, "reason": "The new ERP goes live",
		"current_password": staffPassword, "current_code": "000000",
	}
	var statuses []int
	for range 31 {
		statuses = append(statuses, admin.call(t, http.MethodPost, "/api-keys", body).Status)
	}
	require.Equal(t, 422, statuses[0])
	require.Equal(t, 429, statuses[30])
	require.Zero(t, app.count(t, `SELECT count(*) FROM api_keys`))
}
