package main

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/api/handler"
)

func TestCSRF_AnotherSite_CannotWrite(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.client(t)
	c.signUp(t, asha)
	body := map[string]any{"first_name": "Asha", "last_name": "Kulkarni"}
	write := func(header ...string) answer {
		return c.do(t, http.MethodPost, "/profile/update/profile", body, header...)
	}
	require.Equal(t, 200, write().Status)
	require.Equal(t, 200, write("Origin", "http://localhost:8080", "Sec-Fetch-Site", "same-origin").Status)
	for name, header := range map[string][]string{
		"foreign origin":         {"Origin", "https://evil.example"},
		"sandboxed frame":        {"Origin", "null"},
		"other port":             {"Origin", "http://localhost:9999"},
		"other scheme":           {"Origin", "https://localhost:8080"},
		"look-alike":             {"Origin", "http://localhost:8080.evil.example"},
		"cross-site":             {"Sec-Fetch-Site", "cross-site"},
		"a tenant's page":        {"Sec-Fetch-Site", "same-site", "Origin", "http://acme.localhost:8080"},
		"cross-site, our origin": {"Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example"},
	} {
		a := write(header...)
		require.Equal(t, 403, a.Status, name)
		require.Equal(t, "cross_site", a.Body["code"], name)
		for h := range a.Header {
			require.NotContains(t, h, "Access-Control-", name)
		}
	}
	// a sign-in is a write too: no site may sign a user in to someone else's account
	a := c.do(t, http.MethodPost, "/login", map[string]any{"username": asha, "password": goodPassword}, "Origin", "https://evil.example")
	require.Equal(t, 403, a.Status)
	a = c.do(t, http.MethodGet, "/session", nil, "Origin", "https://evil.example")
	require.Equal(t, 200, a.Status)
	require.Empty(t, a.Header.Get("Access-Control-Allow-Origin"), "read by nobody else")
	require.Empty(t, a.Header.Get("Access-Control-Allow-Credentials"))
}

func TestCSRF_TokenOfAnotherSession_IsRefused(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c, other := app.client(t), app.client(t)
	c.signUp(t, asha)
	other.signUp(t, ravi)
	session, token, foreign := c.cookie(t, "f360_session"), c.cookie(t, "XSRF-TOKEN"), other.cookie(t, "XSRF-TOKEN")
	require.NotEmpty(t, token)
	for name, tc := range map[string]struct {
		cookie, header string
		want           int
	}{
		"pair":                     {token, token, 200},
		"no header":                {token, "", 403},
		"no cookie":                {"", token, 403},
		"planted pair":             {"x", "x", 403},
		"another session's":        {foreign, foreign, 403},
		"header of another cookie": {token, foreign, 403},
	} {
		bare := app.client(t)
		a := bare.do(t, http.MethodPost, "/profile/update/profile", map[string]any{"first_name": "Asha", "last_name": "Kulkarni"},
			"Cookie", fmt.Sprintf("f360_session=%s; XSRF-TOKEN=%s", session, tc.cookie), "X-XSRF-TOKEN", tc.header)
		require.Equal(t, tc.want, a.Status, name)
		if tc.want == 403 {
			require.Equal(t, "xsrf_failed", a.Body["code"], name)
		}
	}
	// a client that lost the cookie gets it back with a read
	bare := app.client(t)
	a := bare.do(t, http.MethodGet, "/session", nil, "Cookie", "f360_session="+session)
	require.Equal(t, 200, a.Status)
	require.Equal(t, token, bare.cookie(t, "XSRF-TOKEN"))
}

func TestRateLimit_ForgedXForwardedFor_SharesTheBucket(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	app.config.Development = false // the limits of a live system
	app.start(t)
	for n := range 50 {
		a := app.client(t).do(t, http.MethodPost, "/login",
			map[string]any{"username": fmt.Sprintf("98765%05d", n), "password": "Wrong#2026"},
			"X-Forwarded-For", fmt.Sprintf("198.51.100.%d", n), "X-Real-Ip", fmt.Sprintf("198.51.100.%d", n),
			"Forwarded", fmt.Sprintf("for=198.51.100.%d", n))
		require.Equal(t, 400, a.Status, n)
	}
	a := app.client(t).do(t, http.MethodPost, "/login",
		map[string]any{"username": asha, "password": "Wrong#2026"}, "X-Forwarded-For", "203.0.113.99")
	require.Equal(t, 429, a.Status)
	require.NotEmpty(t, a.Header.Get("Retry-After"))
}

// Given a gateway that reports on many customers from one address, then no notification is rate limited.
func TestRateLimit_GatewayWebhooks_AreNotLimited(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	app.config.Development = false
	app.start(t)
	c := app.client(t)
	for n := range 310 {
		told := c.do(t, http.MethodPost, "/payments/webhook/payu", url.Values{"txnid": {"T1"}})
		require.Equal(t, http.StatusBadRequest, told.Status, "notice %d: %s", n, told.Raw)
	}
	require.Equal(t, http.StatusUnauthorized, c.post(t, "/logout", nil).Status, "nor are those of the address's visitors fewer")
}

func TestClientAddress_TrustedProxy_IsBelieved(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	app.config.TrustedProxies = []string{"127.0.0.0/8", "::1/128"}
	app.start(t)
	c := app.client(t)
	c.signUp(t, asha)
	a := c.do(t, http.MethodPost, "/login", map[string]any{"username": asha, "password": goodPassword},
		"X-Forwarded-For", "198.51.100.66, 203.0.113.7")
	require.Equal(t, 200, a.Status)
	for _, s := range sessions(t, c) {
		if s["current"] == true {
			require.Equal(t, "203.0.113.7", s["ip_address"], "the last hop counts, not what the client wrote before it")
		}
	}
}

func TestTenant_ComesOnlyFromTheSession(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c, other := app.client(t), app.client(t)
	own, foreign := c.signUp(t, asha), other.signUp(t, ravi)
	for _, header := range [][]string{{"X-Tenant-ID", foreign}, {"X-Franchiser-ID", foreign}, {"X-Tenant", foreign}} {
		a := c.do(t, http.MethodGet, "/session?tenant_id="+foreign+"&franchiser_id="+foreign, nil, header...)
		require.Equal(t, own, a.user(t)["franchiser_id"])
		a = c.do(t, http.MethodPost, "/profile/update/profile?tenant_id="+foreign,
			map[string]any{"first_name": "Asha", "last_name": "Kulkarni"}, header...)
		require.Equal(t, 200, a.Status)
	}
	require.Empty(t, other.get(t, "/profile/details/profile").Data(t, "last_name"), "nothing was written elsewhere")
	a := c.post(t, "/profile/update/profile", map[string]any{"first_name": "Asha", "last_name": "Kulkarni", "franchiser_id": foreign})
	require.Equal(t, 400, a.Status)
}

// serves reports whether the router has the operation.
func (a *testApp) serves(t *testing.T, method, path string) bool {
	t.Helper()
	server, ok := a.server.Config.Handler.(handler.Server)
	require.True(t, ok)
	want := handler.Prefix + strings.NewReplacer("{", ":", "}", "").Replace(path)
	return slices.ContainsFunc(server.Engine.Routes(), func(r gin.RouteInfo) bool { return r.Method == method && r.Path == want })
}

// public reports whether the contract lets anyone call the operation.
func (n named) public() bool {
	if n.Security == nil {
		return false // the document's default requirement applies
	}
	return len(*n.Security) == 0 || slices.ContainsFunc(*n.Security, func(r openapi3.SecurityRequirement) bool { return len(r) == 0 })
}

func TestPrivateCalls_WithoutASession_AreRefused(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	_, all := operations(t)
	asked := 0
	for _, op := range all {
		path := op.path
		if op.public() || op.OperationID == "refreshSession" || !app.serves(t, op.method, path) {
			continue
		}
		var body any
		if op.RequestBody != nil {
			body = map[string]any{}
		}
		path = strings.NewReplacer("{id}", "019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50", "{transaction_id}", "019ae0c2").Replace(path)
		a := app.client(t).do(t, op.method, path, body)
		require.Equal(t, 401, a.Status, "%s %s: %s", op.method, path, a.Raw)
		a = app.client(t).do(t, op.method, path, body, "Cookie", "f360_session="+strings.Repeat("A", 43))
		require.Equal(t, 401, a.Status, "%s %s with a forged session", op.method, path)
		asked++
	}
	require.Greater(t, asked, 15)
}

func TestAccountCalls_HostileBodies_AreRefused(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	for name, body := range map[string]string{
		"broken":          `{"username":`,
		"array":           `[]`,
		"doubled":         `{"username":"9876543210","username":"9876543211","password":"x"}`,
		"unknown":         `{"username":"9876543210","password":"x","is_admin":true}`,
		"NUL":             `{"username":"9876543210","password":"x\u0000"}`,
		"lone surrogate":  `{"username":"9876543210","password":"\ud800"}`,
		"wrong type":      `{"username":9876543210,"password":"x"}`,
		"object":          `{"username":{"$ne":null},"password":{"$ne":null}}`,
		"deep":            `{"username":` + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + `}`,
		"ten megabytes":   `{"username":"9876543210","password":"` + strings.Repeat("x", 10<<20) + `"}`,
		"long password":   `{"username":"9876543210","password":"` + strings.Repeat("x", 60_000) + `"}`,
		"huge number":     `{"username":"9876543210","password":"x","remember":1e999}`,
		"mobile in words": `{"username":"nine eight seven","password":"x"}`,
	} {
		a := app.client(t).post(t, "/login", body)
		require.Contains(t, []int{400, 413, 422}, a.Status, "%s: %s", name, a.Raw)
		require.NotEmpty(t, a.Body["message"], name)
	}
	a := app.client(t).do(t, http.MethodPost, "/login", `{"username":"9876543210","password":"x"}`, "Content-Type", "text/plain")
	require.Equal(t, 400, a.Status, "what a form of another site could send is not taken")
}
