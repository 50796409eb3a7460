package main

import (
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/outlet"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/tenant"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// visitor is a browser on one store's host.
type visitor struct {
	app    *testApp
	host   string
	cookie string
	device string
	// partner is whether cookie is a partner's session.
	partner bool
}

func (v *visitor) send(t *testing.T, method, path string, form url.Values, header ...string) answer {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, v.app.server.URL+path, strings.NewReader(form.Encode()))
	require.NoError(t, err)
	r.Host = v.host
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	session := "store_session"
	if v.partner {
		session = "partner_session"
	}
	r.Header.Set("Cookie", session+"="+v.cookie+"; store_device="+v.device)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	plain := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := plain.Do(r)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	for _, c := range resp.Cookies() {
		require.True(t, c.HttpOnly)
		require.Equal(t, http.SameSiteLaxMode, c.SameSite)
		switch c.Name {
		case session:
			v.cookie = c.Value
		case "store_device":
			v.device = c.Value
		}
	}
	return answer{Status: resp.StatusCode, Header: resp.Header, Raw: raw}
}

func (v *visitor) get(t *testing.T, path string) answer {
	t.Helper()
	return v.send(t, http.MethodGet, path, nil)
}

func (v *visitor) signIn(t *testing.T, username, password string) answer {
	t.Helper()
	return v.send(t, http.MethodPost, "/dashboard/login", url.Values{"username": {username}, "password": {password}})
}

func TestStoreHost_PagesAndSignIn(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.client(t)
	c.signUpForTrial(t, asha)
	c.openStore(t, asha, "Asha Sweets")
	v := &visitor{app: app, host: "asha-sweets.franchise360.localhost:8080"}

	home := v.get(t, "/")
	require.Equal(t, 200, home.Status)
	require.Contains(t, string(home.Raw), "<h1>Asha Sweets</h1>")
	policy := home.Header.Get("Content-Security-Policy")
	require.Contains(t, policy, "default-src 'none'")
	require.NotContains(t, policy, "unsafe")
	require.NotContains(t, policy, "script-src")
	require.Equal(t, "DENY", home.Header.Get("X-Frame-Options"))
	style := regexp.MustCompile(`href="(/store\.css[^"]*)"`).FindSubmatch(home.Raw)
	require.Len(t, style, 2)
	require.Equal(t, 200, v.get(t, string(style[1])).Status)

	login := v.get(t, "/dashboard/login")
	require.Equal(t, 200, login.Status)
	require.Contains(t, string(login.Raw), `autocomplete="current-password"`)
	require.Equal(t, "/dashboard/login", v.get(t, "/dashboard").Header.Get("Location"))
	wrong := v.signIn(t, asha, "Wrong#2026")
	require.Equal(t, 401, wrong.Status)
	require.Contains(t, string(wrong.Raw), "Wrong username or password.")
	require.Contains(t, string(wrong.Raw), `value="`+asha+`"`, "what was typed is kept")
	require.NotContains(t, string(wrong.Raw), "Wrong#2026")

	in := v.signIn(t, "+91 98765 43210", goodPassword)
	require.Equal(t, 303, in.Status, "%s", in.Raw)
	require.Equal(t, "/dashboard", in.Header.Get("Location"))
	page := v.get(t, "/dashboard")
	require.Equal(t, 200, page.Status)
	for _, part := range []string{"Start up · Expansion", "<strong>0</strong> of 18 used", "No add-ons yet.", "Your free trial ends on"} {
		require.Contains(t, string(page.Raw), part)
	}
	require.Equal(t, "no-store", page.Header.Get("Cache-Control"))
	require.Equal(t, "/dashboard", v.get(t, "/dashboard/login").Header.Get("Location"))

	require.Equal(t, 303, v.send(t, http.MethodPost, "/dashboard/logout", url.Values{}).Status)
	require.Equal(t, "/dashboard/login", v.get(t, "/dashboard").Header.Get("Location"))
	for path, want := range map[string]int{"/nothing": 404, "/api/franchise/session": 404, "/dev/sms": 404, "/healthz": 200} {
		require.Equal(t, want, v.get(t, path).Status, path)
	}
	require.Equal(t, 405, v.send(t, http.MethodDelete, "/dashboard", nil).Status)
	require.Equal(t, 421, (&visitor{app: app, host: "nobody.franchise360.localhost"}).get(t, "/").Status)
	require.Equal(t, 421, (&visitor{app: app, host: "evil.example"}).get(t, "/api/franchise/country").Status)
}

func TestDefaultDomain_OnceADomainIsLinked_RedirectsToIt(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.client(t)
	c.signUpForTrial(t, asha)
	c.openStore(t, asha, "Asha Sweets")
	v := &visitor{app: app, host: "asha-sweets.franchise360.localhost:8080"}
	_, err := app.db.Owner.Exec(`INSERT INTO custom_domains (id, franchiser_id, tenant_id, domain, display, token, state, verified_at, claimed_at, state_since)
		SELECT $1, franchiser_id, id, 'shop.asha.in', 'shop.asha.in', repeat('a', 32), 'pending', now(), now(), now() FROM tenants`, id.New())
	require.NoError(t, err)
	require.Equal(t, 200, v.get(t, "/").Status, "not in use yet")
	_, err = app.db.Owner.Exec(`UPDATE custom_domains SET state = 'active'`)
	require.NoError(t, err)
	moved := v.get(t, "/dashboard/login?next=outlets")
	require.Equal(t, 301, moved.Status)
	require.Equal(t, "http://shop.asha.in/dashboard/login?next=outlets", moved.Header.Get("Location"))
	require.Equal(t, 200, v.get(t, "/store.css").Status, "the answer to a form at the default domain needs it")
	require.Equal(t, 303, v.signIn(t, asha, goodPassword).Status, "a form that was open still signs in")
	require.Equal(t, 200, (&visitor{app: app, host: "shop.asha.in"}).get(t, "/dashboard/login").Status)
	_, err = app.db.Owner.Exec(`UPDATE custom_domains SET missing_since = now()`)
	require.NoError(t, err)
	require.Equal(t, 200, v.get(t, "/").Status, "while the domain's records are missing")
}

func TestLinkedDomain_WithWWWInFront_RedirectsToIt(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.client(t)
	c.signUpForTrial(t, asha)
	c.openStore(t, asha, "Asha Sweets")
	_, err := app.db.Owner.Exec(`INSERT INTO custom_domains (id, franchiser_id, tenant_id, domain, display, token, state, verified_at, claimed_at, state_since)
		SELECT $1, franchiser_id, id, 'asha.in', 'asha.in', repeat('a', 32), 'active', now(), now(), now() FROM tenants`, id.New())
	require.NoError(t, err)
	www := &visitor{app: app, host: "www.asha.in"}
	moved := www.get(t, "/dashboard/login?next=outlets")
	require.Equal(t, 301, moved.Status)
	require.Equal(t, "http://asha.in/dashboard/login?next=outlets", moved.Header.Get("Location"))
	require.Equal(t, "private, max-age=300", moved.Header.Get("Cache-Control"))
	require.Equal(t, 421, www.send(t, http.MethodPost, "/dashboard/login", url.Values{}).Status, "a form stays at its host")
	require.Equal(t, 421, (&visitor{app: app, host: "mail.asha.in"}).get(t, "/").Status)
}

func TestManager_ManagesOutletsWithoutTheStorePassword(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	owner, manager := app.client(t), app.client(t)
	owner.signUpForTrial(t, asha)
	owner.openStore(t, asha, "Asha Sweets")
	memberID := manager.joinTeam(t, owner, ravi, "manager")
	v := &visitor{app: app, host: "asha-sweets.franchise360.localhost:8080"}
	require.Contains(t, string(v.get(t, "/dashboard/login").Raw), "/open-store?at="+strings.ReplaceAll(v.host, ":", "%3a")+`"`)

	link := manager.post(t, "/profile/store/entry", nil)
	require.Equal(t, 200, link.Status, "%s", link.Raw)
	require.Equal(t, v.host, link.Data(t, "host"))
	at, err := url.Parse(link.Data(t, "url").(string)) //nolint:forcetypeassert // the contract holds it
	require.NoError(t, err)
	require.Equal(t, 200, v.send(t, http.MethodHead, at.RequestURI(), nil).Status, "a look uses nothing up")
	in := v.get(t, at.RequestURI())
	require.Equal(t, 303, in.Status, "%s", in.Raw)
	require.Equal(t, "/dashboard", in.Header.Get("Location"))
	again := (&visitor{app: app, host: v.host}).get(t, at.RequestURI())
	require.Equal(t, 401, again.Status)
	require.Contains(t, string(again.Raw), "This link was used already or has expired.")

	added := v.send(t, http.MethodPost, "/dashboard/outlets", url.Values{"name": {"Kothrud"}, "city": {"Pune"}, "status": {"open"}})
	require.Equal(t, 303, added.Status, "%s", added.Raw)
	require.Contains(t, string(v.get(t, added.Header.Get("Location")).Raw), "A manager of the team")

	require.Equal(t, 200, owner.do(t, http.MethodDelete, "/team/members/"+memberID, nil).Status)
	require.Equal(t, "/dashboard/login", v.get(t, "/dashboard").Header.Get("Location"), "a removed member is out at once")
}

func TestStoreSession_AtAnotherStore_IsInvalid(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	first, second := app.client(t), app.client(t)
	first.signUpForTrial(t, asha)
	second.signUpForTrial(t, ravi)
	first.openStore(t, asha, "Asha Sweets")
	second.openStore(t, ravi, "Ravi Stores")
	v := &visitor{app: app, host: "asha-sweets.franchise360.localhost"}
	require.Equal(t, 303, v.signIn(t, asha, goodPassword).Status)
	require.Equal(t, 200, v.get(t, "/dashboard").Status)

	there := &visitor{app: app, host: "ravi-stores.franchise360.localhost", cookie: v.cookie}
	require.Equal(t, "/dashboard/login", there.get(t, "/dashboard").Header.Get("Location"))
	require.Equal(t, 401, there.signIn(t, asha, goodPassword).Status, "the right password at the wrong door")
	session := first.cookie(t, "f360_session")
	a := there.send(t, http.MethodGet, "/dashboard", nil, "Cookie", "store_session="+session+"; f360_session="+session)
	require.Equal(t, "/dashboard/login", a.Header.Get("Location"), "the product's session opens no store")
	a = first.do(t, http.MethodGet, "/session", nil, "Cookie", "f360_session="+v.cookie)
	require.Equal(t, 401, a.Status, "nor a store's the product")
}

func TestStorePage_Outlets(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.client(t)
	c.signUpForTrial(t, asha)
	c.openStore(t, asha, "Asha Sweets")
	v := &visitor{app: app, host: "asha-sweets.franchise360.localhost"}
	require.Equal(t, 303, v.signIn(t, asha, goodPassword).Status)
	add := func(name, city string, header ...string) answer {
		return v.send(t, http.MethodPost, "/dashboard/outlets", url.Values{"name": {name}, "city": {city}}, header...)
	}
	var at string
	for i := range 18 {
		a := add(fmt.Sprintf("Outlet %d", i), "Pune")
		require.Equal(t, 303, a.Status)
		if at == "" {
			at, _, _ = strings.Cut(a.Header.Get("Location"), "?")
		}
	}
	require.Contains(t, string(v.get(t, at+"?done=added").Raw), "The outlet was added.")
	a := add("Outlet 99", "Pune", "Accept", "application/json")
	require.Equal(t, 402, a.Status)
	require.Regexp(t, `"current":18`, string(a.Raw))
	require.Regexp(t, `"limit":18`, string(a.Raw))
	a = add("Outlet 99", "Pune")
	require.Equal(t, 402, a.Status)
	require.Contains(t, string(a.Raw), "Choose a plan with more franchises.")
	require.Contains(t, string(a.Raw), `value="Outlet 99"`)
	require.Contains(t, string(v.get(t, "/dashboard").Raw), "<strong>18</strong> of 18 used")
	require.NotContains(t, string(v.get(t, "/dashboard/outlets").Raw), "/dashboard/outlets/new", "what is refused is not offered")

	move := func(to, revision string) answer {
		return v.send(t, http.MethodPost, at+"/status", url.Values{"status": {to}, "revision": {revision}})
	}
	require.Equal(t, 409, move("paused", "1").Status, "it was never open")
	require.Equal(t, at+"?done=moved", move("closed", "1").Header.Get("Location"))
	require.Contains(t, string(v.get(t, at+"?done=moved").Raw), "The status was changed.")
	require.Equal(t, 409, move("open", "1").Status, "from a page that is old")
	a = add("<img src=x onerror=alert(1)>", `"><script>`)
	require.Equal(t, 422, a.Status)
	require.NotContains(t, string(a.Raw), "<img")
	require.NotContains(t, string(a.Raw), "<script")
	require.Contains(t, string(a.Raw), `href="#name"`, "each fault leads to its field")
	require.Equal(t, 303, add("Chaat & Co", "Pune").Status)
	require.Equal(t, 402, move("open", "2").Status, "its place is taken")
	require.NotContains(t, string(v.get(t, at+"?done=<b>").Raw), "<b>")
	edit := func(form url.Values) answer { return v.send(t, http.MethodPost, at+"/edit", form) }
	a = edit(url.Values{"name": {"Outlet 0"}, "city": {"Pune"}, "pin": {"411001"}, "state_id": {"29"}, "revision": {"2"}})
	require.Equal(t, 422, a.Status)
	require.Contains(t, string(a.Raw), "This pincode is in a different State")
	require.Equal(t, 303, edit(url.Values{"name": {"Outlet 0"}, "city": {"Pune"}, "code": {"pn-1"}, "revision": {"2"}}).Status)
	require.Contains(t, string(v.get(t, at).Raw), "PN-1")
	for _, path := range []string{"/dashboard/outlets/" + id.New(), "/dashboard/outlets/x", at + "/remove"} {
		require.Equal(t, 404, v.get(t, path).Status, path)
	}
	for path, shown := range map[string]string{
		at + "/status": at, "/dashboard/partners/" + id.New() + "/resend": "/dashboard/partners", "/partner/code": "/partner/login",
	} {
		require.Equal(t, shown, v.get(t, path).Header.Get("Location"), "a choice of language after a refusal leads there")
	}

	list := string(v.get(t, "/dashboard/outlets?q=chaat").Raw)
	require.Contains(t, list, "1 outlet found.")
	require.Contains(t, list, "Chaat &amp; Co")
	require.Contains(t, string(v.get(t, "/dashboard/outlets?status=closed&city=pune").Raw), "1 outlet found.")
	file := v.get(t, "/dashboard/outlets.csv?sort=name")
	require.Contains(t, file.Header.Get("Content-Type"), "text/csv")
	require.True(t, strings.HasPrefix(string(file.Raw), byteOrderMark+"Name,"))
	require.Len(t, strings.Split(strings.TrimSpace(string(file.Raw)), "\n"), 1+19)

	_, err := app.db.Owner.Exec(`UPDATE subscriptions SET state = 'expired', expired_on = renew_on`)
	require.NoError(t, err)
	a = add("Outlet 100", "Pune")
	require.Equal(t, 402, a.Status)
	require.Contains(t, string(a.Raw), "Your plan is not active at the moment.")
	require.Contains(t, string(v.get(t, "/dashboard").Raw), "Plan Expired On:")
}

func TestStorePage_HostileForms_AreRefused(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.client(t)
	c.signUpForTrial(t, asha)
	c.openStore(t, asha, "Asha Sweets")
	v := &visitor{app: app, host: "asha-sweets.franchise360.localhost"}
	form := url.Values{"username": {asha}, "password": {goodPassword}}
	for name, header := range map[string][]string{
		"foreign origin": {"Origin", "https://evil.example"}, "cross-site": {"Sec-Fetch-Site", "cross-site"},
		"the product's own page": {"Sec-Fetch-Site", "same-site", "Origin", "http://localhost:8080"},
	} {
		require.Equal(t, 403, v.send(t, http.MethodPost, "/dashboard/login", form, header...).Status, name)
	}
	own := v.send(t, http.MethodPost, "/dashboard/login", form, "Origin", "http://asha-sweets.franchise360.localhost", "Sec-Fetch-Site", "same-origin")
	require.Equal(t, 303, own.Status)
	for name, bad := range map[string]url.Values{
		"NUL": {"name": {"a\x00b"}, "city": {"Pune"}}, "not UTF-8": {"name": {"a\xff"}, "city": {"Pune"}},
		"too large": {"name": {strings.Repeat("x", 10_000)}, "city": {"Pune"}}, "a card": {"name": {"4111 1111 1111 1111"}, "city": {"Pune"}},
	} {
		require.Equal(t, 400, v.send(t, http.MethodPost, "/dashboard/outlets", bad).Status, name)
	}

	guess := &visitor{app: app, host: v.host}
	judged := 0
	for guess.signIn(t, asha, "Wrong#2026").Status == 401 {
		judged++
	}
	require.GreaterOrEqual(t, judged, 20)
	require.LessOrEqual(t, judged, 20+3+7, "what is free, the reserve of the address, and a turn of each length")
	a := guess.signIn(t, asha, goodPassword)
	require.Equal(t, 429, a.Status)
	require.NotEmpty(t, a.Header.Get("Retry-After"))
	require.Regexp(t, `Please wait for \d+ (seconds|minutes), or sign in from a browser in which you did so before\.`, string(a.Raw))
	require.Equal(t, 303, v.signIn(t, asha, goodPassword).Status, "the owner's own browser, at the same address")
	require.Equal(t, 200, v.get(t, "/dashboard").Status, "who is signed in stays so")
	app.clock.Advance(tenant.SessionLife)
	require.Equal(t, "/dashboard/login", v.get(t, "/dashboard").Header.Get("Location"))
}

// partnerSMS does the worker's job for messages to partners, and returns the newest text to the mobile.
func (a *testApp) partnerSMS(t *testing.T, mobile string) string {
	t.Helper()
	var waiting []string
	require.NoError(t, a.db.Owner.Select(&waiting, `SELECT id FROM partner_messages WHERE sent_at IS NULL ORDER BY created_at, id`))
	box := &inbox{}
	site := message.Site{Host: "localhost", URL: "http://localhost:8080"}
	sender := outlet.NewPartnerSender(a.db.Worker, message.NewOutbox(message.OutboxOptions{
		SMS: box, Site: site, Clock: a.clock, Logger: testkit.NewLogger(t),
	}), a.clock, a.config.Keys)
	for _, one := range waiting {
		require.NoError(t, sender.Send(t.Context(), one))
	}
	require.NotEmpty(t, box.messages)
	last := box.messages[len(box.messages)-1]
	require.Equal(t, mobile, last.Mobile)
	return last.Text
}

func TestPartner_FromInvitationSMSToSignOut(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	first, second := app.client(t), app.client(t)
	first.signUpForTrial(t, asha)
	second.signUpForTrial(t, ravi)
	first.openStore(t, asha, "Asha Sweets")
	second.openStore(t, ravi, "Ravi Stores")
	const mobile = "9123456789"
	owner := &visitor{app: app, host: "asha-sweets.franchise360.localhost"}
	require.Equal(t, 401, owner.send(t, http.MethodPost, "/dashboard/partners", url.Values{}).Status, "nobody invites unless signed in")
	require.Equal(t, "/dashboard/login?next=%2Fdashboard%2Fpartners", owner.get(t, "/dashboard/partners").Header.Get("Location"))
	require.Equal(t, 303, owner.signIn(t, asha, goodPassword).Status)
	invite := func() answer {
		return owner.send(t, http.MethodPost, "/dashboard/partners", url.Values{
			"name": {"Ravi Kumar"}, "mobile": {mobile}, "role": {"manager"}, "store_password": {goodPassword},
		})
	}
	require.Equal(t, "/dashboard/partners?done=invited", invite().Header.Get("Location"))
	require.Equal(t, 422, invite().Status, "once a mobile")
	code := regexp.MustCompile(`http://localhost:8080(/i/\S{38})$`).FindStringSubmatch(app.partnerSMS(t, mobile))
	require.Len(t, code, 2)

	product := &visitor{app: app, host: "localhost:8080"}
	led := product.get(t, code[1])
	require.Equal(t, 303, led.Status)
	join, err := url.Parse(led.Header.Get("Location"))
	require.NoError(t, err)
	require.Equal(t, "asha-sweets.franchise360.localhost:8080", join.Host)
	require.Equal(t, 404, product.get(t, code[1][:40]+"x").Status)
	require.Equal(t, 404, (&visitor{app: app, host: "ravi-stores.franchise360.localhost"}).get(t, join.Path).Status)

	partner := &visitor{app: app, host: owner.host, partner: true}
	page := partner.get(t, join.Path)
	require.Contains(t, string(page.Raw), "•••••• 6789")
	require.NotContains(t, string(page.Raw), mobile, "a link that is passed on tells no number")
	require.Contains(t, string(partner.send(t, http.MethodPost, join.Path, url.Values{}).Raw), "We sent a code")
	otp := regexp.MustCompile(`^\d{6}`).FindString(app.partnerSMS(t, mobile))
	require.Equal(t, 401, partner.send(t, http.MethodPost, join.Path, url.Values{"otp": {"12345"}}).Status)
	require.Equal(t, "/partner", partner.send(t, http.MethodPost, join.Path, url.Values{"otp": {otp}}).Header.Get("Location"))
	require.Contains(t, string(partner.get(t, "/partner").Raw), "No outlet is assigned to you yet.")

	partnerID := regexp.MustCompile(`partners/([0-9a-f-]{36})/remove`).FindSubmatch(owner.get(t, "/dashboard/partners").Raw)
	require.Len(t, partnerID, 2)
	added := owner.send(t, http.MethodPost, "/dashboard/outlets", url.Values{"name": {"Camp"}, "city": {"Pune"}, "partner_id": {string(partnerID[1])}})
	at := "/partner" + strings.TrimSuffix(strings.TrimPrefix(added.Header.Get("Location"), "/dashboard"), "?done=added")
	other := owner.send(t, http.MethodPost, "/dashboard/outlets", url.Values{"name": {"Baner"}, "city": {"Pune"}})
	hidden := "/partner" + strings.TrimSuffix(strings.TrimPrefix(other.Header.Get("Location"), "/dashboard"), "?done=added")
	require.Contains(t, string(partner.get(t, "/partner").Raw), "Camp")
	require.NotContains(t, string(partner.get(t, "/partner").Raw), "Baner")
	save := func(path string) answer {
		return partner.send(t, http.MethodPost, path, url.Values{"phone": {"98765 00000"}, "name": {"Mine"}, "revision": {"1"}})
	}
	require.Equal(t, at+"?done=saved", save(at).Header.Get("Location"))
	require.Contains(t, string(partner.get(t, at).Raw), "<h1>Camp</h1>", "more than phone and hours is not theirs")
	require.Equal(t, 404, save(hidden).Status)
	require.Equal(t, 404, partner.get(t, hidden).Status)
	require.Equal(t, "/dashboard/login", (&visitor{app: app, host: owner.host, cookie: partner.cookie}).get(t, "/dashboard").Header.Get("Location"),
		"a partner's session is no owner's")
	there := &visitor{app: app, host: "ravi-stores.franchise360.localhost", partner: true, cookie: partner.cookie}
	require.Equal(t, "/partner/login", there.get(t, "/partner").Header.Get("Location"))
	require.Equal(t, 403, partner.send(t, http.MethodPost, at, url.Values{"phone": {"9876500001"}}, "Sec-Fetch-Site", "cross-site").Status)

	remove := url.Values{}
	require.Equal(t, 303, owner.send(t, http.MethodPost, "/dashboard/partners/"+string(partnerID[1])+"/remove", remove).Status)
	require.Equal(t, "/partner/login", partner.get(t, "/partner").Header.Get("Location"), "out at once")
	require.Equal(t, 401, save(at).Status)
	app.clock.Advance(time.Minute)
	known := partner.send(t, http.MethodPost, "/partner/login", url.Values{"mobile": {mobile}})
	unknown := partner.send(t, http.MethodPost, "/partner/login", url.Values{"mobile": {"9000000000"}})
	require.Equal(t, known.Status, unknown.Status)
	require.Equal(t, strings.ReplaceAll(string(known.Raw), mobile, ""), strings.ReplaceAll(string(unknown.Raw), "9000000000", ""))
	typo := partner.send(t, http.MethodPost, "/partner/login", url.Values{"mobile": {"91234 5678"}})
	require.Equal(t, 422, typo.Status)
	require.Contains(t, string(typo.Raw), "Please enter a mobile number of 10 digits")
	require.Contains(t, string(typo.Raw), `value="91234 5678"`)
}

// hiddenFields returns the hidden fields of a page's form.
func hiddenFields(a answer) url.Values {
	form := url.Values{}
	for _, f := range regexp.MustCompile(`<input type="hidden" name="([^"]+)" value="([^"]*)">`).FindAllStringSubmatch(string(a.Raw), -1) {
		form.Set(f[1], html.UnescapeString(f[2]))
	}
	return form
}

// Given a session that ends while the owner types, then the next sign-in shows the form with all typed values, and nothing was saved
// before. A requested page follows the sign-in; another address does not.
func TestStorePage_SignInEndsWhileTyping_KeepsTheForm(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.client(t)
	c.signUpForTrial(t, asha)
	c.openStore(t, asha, "Asha Sweets")
	v := &visitor{app: app, host: "asha-sweets.franchise360.localhost"}
	typed := url.Values{"name": {"Chaat & Co"}, "city": {"Pune"}, "pin": {"411001"}, "hours": {"9–21"}, "status": {"open"}, "key": {id.New()}}
	ended := v.send(t, http.MethodPost, "/dashboard/outlets", typed)
	require.Equal(t, 401, ended.Status)
	require.Contains(t, string(ended.Raw), "what you typed is kept")
	form := hiddenFields(ended)
	form.Set("username", asha)
	form.Set("password", "Wrong#2026")
	wrong := v.send(t, http.MethodPost, "/dashboard/login", form)
	require.Equal(t, 401, wrong.Status)
	form = hiddenFields(wrong)
	form.Set("username", asha)
	form.Set("password", goodPassword)
	again := v.send(t, http.MethodPost, "/dashboard/login", form)
	require.Equal(t, 200, again.Status)
	require.NotContains(t, string(again.Raw), goodPassword)
	for _, shown := range []string{"Nothing was saved yet", `value="Chaat &amp; Co"`, `value="411001"`, `value="9–21"`, `value="open" selected`, typed.Get("key")} {
		require.Contains(t, string(again.Raw), shown)
	}
	require.Contains(t, string(v.get(t, "/dashboard/outlets").Raw), "No outlets yet")
	added := v.send(t, http.MethodPost, "/dashboard/outlets", typed)
	require.Equal(t, 303, added.Status)
	at, _, _ := strings.Cut(added.Header.Get("Location"), "?")

	app.clock.Advance(tenant.SessionLife)
	asked := v.get(t, at+"?x=1")
	require.Equal(t, "/dashboard/login?next="+url.QueryEscape(at+"?x=1"), asked.Header.Get("Location"))
	next := hiddenFields(v.get(t, asked.Header.Get("Location")))
	require.Equal(t, url.Values{"next": {at + "?x=1"}}, next)
	for wanted, led := range map[string]string{
		at: at, "https://evil.example/dashboard/x": "/dashboard", "//evil.example/dashboard/x": "/dashboard", "/dashboard/../partner": "/dashboard",
		"/dashboard//evil.example": "/dashboard", "javascript:alert(1)": "/dashboard", "/dashboard/login": "/dashboard", "": "/dashboard",
	} {
		a := v.send(t, http.MethodPost, "/dashboard/login", url.Values{"username": {asha}, "password": {goodPassword}, "next": {wanted}})
		require.Equal(t, led, a.Header.Get("Location"), wanted)
	}

	app.clock.Advance(tenant.SessionLife)
	for page, typed := range map[string]url.Values{
		at + "/edit":          {"name": {"Chaat Two"}, "city": {"Nashik"}, "revision": {"1"}},
		"/dashboard/partners": {"name": {"Ravi Kumar"}, "mobile": {"91234"}, "role": {"viewer"}},
	} {
		v.cookie = ""
		form := hiddenFields(v.send(t, http.MethodPost, page, typed))
		form.Set("username", asha)
		form.Set("password", goodPassword)
		again := v.send(t, http.MethodPost, "/dashboard/login", form)
		require.Equal(t, 200, again.Status, page)
		require.Contains(t, string(again.Raw), `value="`+typed.Get("name")+`"`, page)
	}
	v.cookie = ""
	require.Equal(t, "/dashboard/login?next="+url.QueryEscape(at), v.send(t, http.MethodPost, at+"/status", url.Values{"status": {"closed"}}).Header.Get("Location"))
}

// Given a reader of Hindi, then the titles of the dashboard's pages are in Hindi too.
func TestStoreDashboard_Titles_AreInTheReadersLanguage(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.client(t)
	c.signUpForTrial(t, asha)
	c.openStore(t, asha, "Asha Sweets")
	v := &visitor{app: app, host: "asha-sweets.franchise360.localhost"}
	require.Equal(t, 303, v.signIn(t, asha, goodPassword).Status)
	for _, page := range []string{"/dashboard", "/dashboard/outlets", "/dashboard/outlets/new", "/dashboard/partners", "/dashboard/partners/new"} {
		a := v.send(t, http.MethodGet, page, nil, "Cookie", "store_session="+v.cookie+"; language=hi")
		require.Regexp(t, `<title>[^<A-Za-z]+ – Asha Sweets</title>`, string(a.Raw), page)
	}
}
