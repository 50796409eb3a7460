package main

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/tenant"
)

// visitor is a browser at one store's host.
type visitor struct {
	app    *testApp
	host   string
	cookie string
	device string
}

func (v *visitor) send(t *testing.T, method, path string, form url.Values, header ...string) answer {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, v.app.server.URL+path, strings.NewReader(form.Encode()))
	require.NoError(t, err)
	r.Host = v.host
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	r.Header.Set("Cookie", "store_session="+v.cookie+"; store_device="+v.device)
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
		case "store_session":
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

func TestAStoresOwnHost(t *testing.T) {
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

func TestOneStoresSessionMeansNothingAtAnother(t *testing.T) {
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

func TestFranchisesAtTheStoresPage(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.client(t)
	c.signUpForTrial(t, asha)
	c.openStore(t, asha, "Asha Sweets")
	v := &visitor{app: app, host: "asha-sweets.franchise360.localhost"}
	require.Equal(t, 303, v.signIn(t, asha, goodPassword).Status)
	add := func(name, city string, header ...string) answer {
		return v.send(t, http.MethodPost, "/dashboard/franchises", url.Values{"name": {name}, "city": {city}}, header...)
	}
	for i := range 18 {
		require.Equal(t, 303, add(fmt.Sprintf("Outlet %d", i), "Pune").Status)
	}
	a := add("Outlet 99", "Pune", "Accept", "application/json")
	require.Equal(t, 402, a.Status)
	require.Regexp(t, `"current":18`, string(a.Raw))
	require.Regexp(t, `"limit":18`, string(a.Raw))
	a = add("Outlet 99", "Pune")
	require.Equal(t, 402, a.Status)
	require.Contains(t, string(a.Raw), "Buy a franchise extension")
	require.Contains(t, string(a.Raw), `value="Outlet 99"`)
	require.Contains(t, string(a.Raw), "<strong>18</strong> of 18 used")

	id := regexp.MustCompile(`name="id" value="([0-9a-f-]{36})"`).FindStringSubmatch(string(a.Raw))
	require.Len(t, id, 2)
	remove := func() int {
		return v.send(t, http.MethodPost, "/dashboard/franchises/remove", url.Values{"id": {id[1]}}).Status
	}
	require.Equal(t, 303, remove())
	require.Equal(t, 404, remove())
	a = add("<img src=x onerror=alert(1)>", `"><script>`)
	require.Equal(t, 422, a.Status)
	require.NotContains(t, string(a.Raw), "<img")
	require.NotContains(t, string(a.Raw), "<script")
	require.Equal(t, 303, add("Chaat & Co", "Pune").Status)
	require.Contains(t, string(v.get(t, "/dashboard?done=added").Raw), "The franchise was added.")
	require.NotContains(t, string(v.get(t, "/dashboard?done=<b>").Raw), "<b>")

	_, err := app.db.Owner.Exec(`UPDATE subscriptions SET state = 'expired', expired_on = renew_on`)
	require.NoError(t, err)
	a = add("Outlet 100", "Pune")
	require.Equal(t, 402, a.Status)
	require.Contains(t, string(a.Raw), "Your plan does not run just now.")
	require.Contains(t, string(a.Raw), "Plan Expired On:")
}

func TestHostileFormsAtAStoresPage(t *testing.T) {
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
		require.Equal(t, 400, v.send(t, http.MethodPost, "/dashboard/franchises", bad).Status, name)
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
