package middleware_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/session"
	"github.com/franchise360/franchise360/pkg/consent"
	"github.com/franchise360/franchise360/pkg/platform/authz"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// call is one request through a route's handlers.
type call struct {
	route, method string
	headers       map[string]string
	cookies       map[string]string
}

// answer is the outcome: the error code, or empty, and the cookies that were set.
type answer struct {
	code   string
	kind   errs.Kind
	err    *errs.Error
	set    map[string]*http.Cookie
	passed *gin.Context
}

func (c call) through(t *testing.T, handlers ...gin.HandlerFunc) answer {
	t.Helper()
	a := answer{set: map[string]*http.Cookie{}}
	engine := gin.New()
	engine.Use(func(c *gin.Context) {
		c.Next()
		if last := c.Errors.Last(); last != nil {
			a.err = errs.As(last.Err)
			a.code, a.kind = a.err.Code, a.err.Kind
		}
	})
	engine.Handle(c.method, c.route, append(handlers, func(c *gin.Context) { a.passed = c.Copy() })...)
	r := httptest.NewRequestWithContext(t.Context(), c.method, strings.ReplaceAll(c.route, ":id", "1"), http.NoBody)
	for name, value := range c.headers {
		r.Header.Set(name, value)
	}
	for name, value := range c.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	w := httptest.NewRecorder()
	engine.ServeHTTP(w, r)
	for _, cookie := range (&http.Response{Header: w.Header()}).Cookies() {
		a.set[cookie.Name] = cookie
	}
	require.Equal(t, a.err == nil, a.passed != nil, "a call is refused or goes on, never both")
	return a
}

const route = "/api/franchise/thing"

func signedIn(t *testing.T, sessionID string) gin.HandlerFunc {
	t.Helper()
	return middleware.Session(authenticator{principal: account.Principal{FranchiserID: "f", SessionID: sessionID}}, cookies(t))
}

func TestOrigin_AnotherSite_IsRefused(t *testing.T) {
	t.Parallel()
	const ours = "https://franchise360.example"
	public, err := url.Parse(ours)
	require.NoError(t, err)
	guarded := middleware.Origin(public, "/api/franchise/payments/return")
	for name, c := range map[string]struct {
		site, origin string
		passes       bool
	}{
		"our page":                           {"same-origin", ours, true},
		"our page, without its origin":       {"same-origin", "", true},
		"our page in an old browser":         {"", ours, true},
		"a program":                          {"", "", true},
		"a store's page":                     {"same-site", "https://pune.franchise360.example", false},
		"a store's page, no origin":          {"same-site", "", false},
		"another site":                       {"cross-site", "https://evil.example", false},
		"another site in an old browser":     {"", "https://evil.example", false},
		"a page that hides its origin":       {"", "null", false},
		"a hidden origin, cross-site":        {"cross-site", "null", false},
		"without https":                      {"", "http://franchise360.example", false},
		"another port":                       {"", ours + ":8443", false},
		"a name that begins as ours":         {"", ours + ".evil.example", false},
		"a word that no browser sends":       {"sideways", "", false},
		"ours, called cross-site by a proxy": {"cross-site", ours, true},
	} {
		headers := map[string]string{}
		if c.site != "" {
			headers["Sec-Fetch-Site"] = c.site
		}
		if c.origin != "" {
			headers["Origin"] = c.origin
		}
		for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
			got := call{route: route, method: method, headers: headers}.through(t, guarded)
			require.Equal(t, c.passes, got.err == nil, "%s: %s", method, name)
			if !c.passes {
				require.Equal(t, errs.KindForbidden, got.kind, name)
			}
		}
		for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodOptions} {
			require.NoError(t, asError(call{route: route, method: method, headers: headers}.through(t, guarded)), name)
		}
		require.NoError(t, asError(call{route: "/api/franchise/payments/return", method: http.MethodPost, headers: headers}.through(t, guarded)),
			"the gateway's page posts across sites")
	}
}

func asError(a answer) error {
	if a.err == nil {
		return nil
	}
	return a.err
}

// xsrfOf returns the token of a browser with the session.
func xsrfOf(t *testing.T, sessionID string) string {
	t.Helper()
	got := call{route: route, method: http.MethodGet, cookies: map[string]string{"__Host-f360_session": "a"}}.
		through(t, signedIn(t, sessionID), cookies(t).EnsureXSRF)
	require.Contains(t, got.set, "__Host-XSRF-TOKEN")
	require.False(t, got.set["__Host-XSRF-TOKEN"].HttpOnly, "the client reads it")
	return got.set["__Host-XSRF-TOKEN"].Value
}

func TestXSRF_WriteWithoutTheSessionsToken_IsRefused(t *testing.T) {
	t.Parallel()
	k := cookies(t)
	token, foreign := xsrfOf(t, "s"), xsrfOf(t, "another")
	require.NotEqual(t, token, foreign)
	for name, c := range map[string]struct {
		cookie, header string
		passes         bool
	}{
		"the session's":            {token, token, true},
		"no header":                {token, "", false},
		"no cookie":                {"", token, false},
		"neither":                  {"", "", false},
		"another session's":        {foreign, foreign, false},
		"a planted pair":           {"x", "x", false},
		"two that differ":          {token, foreign, false},
		"cut short":                {token[:10], token[:10], false},
		"with something behind it": {token + "A", token + "A", false},
	} {
		sent := call{
			route: route, method: http.MethodPost, headers: map[string]string{middleware.HeaderXSRF: c.header},
			cookies: map[string]string{"__Host-f360_session": "a", "__Host-XSRF-TOKEN": c.cookie},
		}
		got := sent.through(t, signedIn(t, "s"), middleware.XSRF(k))
		require.Equal(t, c.passes, got.err == nil, name)
		if !c.passes {
			require.Equal(t, "xsrf_failed", got.code, name)
		}
		require.NoError(t, asError(sent.through(t, signedIn(t, "s"), middleware.XSRF(k, route))), "an exempt route")
		sent.method = http.MethodGet
		require.NoError(t, asError(sent.through(t, signedIn(t, "s"), middleware.XSRF(k))))
	}
	require.NoError(t, asError(call{route: route, method: http.MethodPost}.through(t, middleware.XSRF(k))), "without a session there is nothing to misuse")

	refresh := call{route: "/api/franchise/refresh", method: http.MethodPost, cookies: map[string]string{"__Host-f360_refresh": "r", "__Host-XSRF-TOKEN": "x"}}
	require.Equal(t, "xsrf_failed", refresh.through(t, middleware.XSRF(k)).code, "a refresh token is as good as a session")
	refresh.headers = map[string]string{middleware.HeaderXSRF: "x"}
	require.NoError(t, asError(refresh.through(t, middleware.XSRF(k))), "whose session it was is found out later")
	delete(refresh.cookies, "__Host-f360_refresh")
	refresh.headers = nil
	require.NoError(t, asError(refresh.through(t, middleware.XSRF(k))))

	have := call{route: route, method: http.MethodGet, cookies: map[string]string{"__Host-f360_session": "a", "__Host-XSRF-TOKEN": token}}
	require.Empty(t, have.through(t, signedIn(t, "s"), k.EnsureXSRF).set, "who has it is given no other")
}

func TestIdempotencyKey_InvalidForm_IsRefused(t *testing.T) {
	t.Parallel()
	for key, code := range map[string]string{
		"":                                     "",
		"0192f3a4-5b6c-7d8e-9f01-23456789abcd": "",
		"x":                                    "idempotency_key_invalid",
		strings.Repeat("a", 1000):              "idempotency_key_invalid",
		"करकरकरकरकर":                           "idempotency_key_invalid",
		"'; DROP TABLE orders; --":             "idempotency_key_invalid",
		"4111-1111-1111-1111":                  "card_data",
	} {
		got := call{route: route, method: http.MethodPost, headers: map[string]string{"Idempotency-Key": key}}.through(t, middleware.Idempotency)
		require.Equal(t, code, got.code, key)
		if code == "" {
			require.Equal(t, key, middleware.IdempotencyKey(got.passed))
		}
	}
}

func TestRequireStaff_RoleThatMayNot_NamesTheRolesThatMay(t *testing.T) {
	t.Parallel()
	k := cookies(t)
	policies, err := authz.New()
	require.NoError(t, err)
	for route, want := range map[string]string{
		"/api/support/alerts":      "Your role may not see this. It is for support, auditors and admins.",
		"/api/support/staff":       "Your role may not see this. It is for auditors and admins.",
		"/api/support/gst-returns": "",
	} {
		finance := staffOf{principal: staff.Principal{StaffID: "m", SessionID: "s", Role: staff.RoleFinance}}
		sent := call{route: route, method: http.MethodGet, cookies: map[string]string{"__Host-f360_staff": "t"}}
		got := sent.through(t, middleware.RequireStaff(finance, k, policies))
		if want == "" {
			require.Nil(t, got.err, route)
			continue
		}
		require.Equal(t, want, got.err.Message, route)
	}
}

func TestSessionCookies_LastAsLongAsTheSession(t *testing.T) {
	t.Parallel()
	now := testkit.Start()
	set := func(tokens session.Tokens) map[string]*http.Cookie {
		return call{route: route, method: http.MethodPost}.through(t, func(c *gin.Context) { cookies(t).SetSession(c, tokens, now) }).set
	}
	forgotten := set(session.Tokens{Access: "a", Refresh: "r", SessionID: "s", ExpiresAt: now.Add(time.Hour)})
	for name, cookie := range forgotten {
		require.Zero(t, cookie.MaxAge, "%s ends with the browser", name)
		require.Equal(t, http.SameSiteLaxMode, cookie.SameSite, name)
		require.Equal(t, name != "__Host-XSRF-TOKEN", cookie.HttpOnly, name)
	}
	kept := set(session.Tokens{Access: "a", Refresh: "r", SessionID: "s", ExpiresAt: now.Add(30 * 24 * time.Hour), Remember: true})
	require.Equal(t, int(account.AccessLife.Seconds()), kept["__Host-f360_session"].MaxAge)
	require.Equal(t, 30*24*3600, kept["__Host-f360_refresh"].MaxAge)
	short := set(session.Tokens{Access: "a", Refresh: "r", SessionID: "s", ExpiresAt: now.Add(time.Minute), Remember: true})
	require.Equal(t, 60, short["__Host-f360_session"].MaxAge, "no cookie outlives its session")

	cleared := call{route: route, method: http.MethodPost}.through(t, func(c *gin.Context) {
		cookies(t).ClearSession(c)
		cookies(t).ClearStaff(c)
		cookies(t).ClearView(c)
	}).set
	require.Len(t, cleared, 7)
	for name, cookie := range cleared {
		require.Negative(t, cookie.MaxAge, name)
		require.Empty(t, cookie.Value, name)
		require.True(t, cookie.Secure, "browsers take a __Host- cookie away over https alone: %s", name)
	}
}

// staffOf returns the same result for every token.
type staffOf struct {
	principal staff.Principal
	err       error
}

func (s staffOf) Authenticate(context.Context, string) (staff.Principal, error) {
	return s.principal, s.err
}

func TestRequireStaff_EachRole_HasItsRoutes(t *testing.T) {
	t.Parallel()
	k := cookies(t)
	policies, err := authz.New()
	require.NoError(t, err)
	member := staff.Principal{StaffID: "m", SessionID: "s", Role: staff.RoleSupport, Proof: []byte{1}}
	xsrf := call{route: route, method: http.MethodPost}.through(t, func(c *gin.Context) {
		k.SetStaff(c, staff.Tokens{Principal: member, Token: "t", ExpiresAt: testkit.Start().Add(time.Hour)}, testkit.Start())
	}).set
	require.Equal(t, 3600, xsrf["__Host-f360_staff"].MaxAge)
	require.Equal(t, http.SameSiteStrictMode, xsrf["__Host-f360_staff"].SameSite)
	token := xsrf["__Host-STAFF-XSRF-TOKEN"].Value
	require.NotEqual(t, xsrfOf(t, "s"), token, "a customer's token of the same session is none of staff's")

	admin := member
	admin.Role = staff.RoleAdmin
	broken := member
	broken.Role = "owner"
	for name, c := range map[string]struct {
		who           staffOf
		method, route string
		token, cookie string
		customer      bool
		want          string
	}{
		"support reads":               {who: staffOf{principal: member}, method: "GET", route: "/api/support/search"},
		"support writes":              {who: staffOf{principal: member}, method: "POST", route: "/api/support/jobs/:id/rerun", token: token, cookie: token},
		"without the token":           {who: staffOf{principal: member}, method: "POST", route: "/api/support/jobs/:id/rerun", cookie: token, want: "xsrf_failed"},
		"without the cookie":          {who: staffOf{principal: member}, method: "POST", route: "/api/support/jobs/:id/rerun", token: token, want: "xsrf_failed"},
		"with a customer's":           {who: staffOf{principal: member}, method: "POST", route: "/api/support/jobs/:id/rerun", token: xsrfOf(t, "s"), cookie: xsrfOf(t, "s"), want: "xsrf_failed"},
		"support asks for a reversal": {who: staffOf{principal: member}, method: "POST", route: "/api/support/reversals/:id/approve", token: token, cookie: token, want: "staff_role"},
		"an admin approves":           {who: staffOf{principal: admin}, method: "POST", route: "/api/support/reversals/:id/approve", token: token, cookie: token},
		"an unknown role":             {who: staffOf{principal: broken}, method: "GET", route: "/api/support/search", want: "staff_role"},
		"an admin at a customer's":    {who: staffOf{principal: admin}, method: "GET", route: "/api/franchise/session", want: "forbidden"},
		"not signed in":               {who: staffOf{err: errs.Unauthenticated()}, method: "GET", route: "/api/support/search", want: "unauthorized"},
		"a customer":                  {who: staffOf{err: errs.Unauthenticated()}, method: "GET", route: "/api/support/search", customer: true, want: "forbidden"},
		"while the database is down":  {who: staffOf{err: errs.Unavailable(errors.New("EOF"))}, method: "GET", route: "/api/support/search", customer: true, want: "unavailable"},
		"an unexpected failure":       {who: staffOf{err: errors.New("EOF")}, method: "GET", route: "/api/support/search", want: "internal"},
	} {
		sent := call{
			route: c.route, method: c.method, headers: map[string]string{middleware.HeaderXSRF: c.token},
			cookies: map[string]string{"__Host-f360_staff": "t", "__Host-STAFF-XSRF-TOKEN": c.cookie},
		}
		handlers := []gin.HandlerFunc{middleware.RequireStaff(c.who, k, policies)}
		if c.customer {
			sent.cookies["__Host-f360_session"] = "a"
			handlers = append([]gin.HandlerFunc{signedIn(t, "s")}, handlers...)
		}
		got := sent.through(t, handlers...)
		require.Equal(t, c.want, got.code, name)
		if c.want == "" {
			require.Equal(t, "m", middleware.Staff(got.passed).StaffID, name)
		}
	}
	got := call{route: "/api/support/search", method: http.MethodGet}.through(t, middleware.RequireStaff(staffOf{principal: admin}, k, policies))
	require.Equal(t, errs.KindUnauthenticated, got.kind, "without a cookie nobody is asked")
}

// viewOf returns the same result for every token.
type viewOf struct {
	view consent.View
	err  error
}

func (v viewOf) Find(context.Context, string) (consent.View, error) { return v.view, v.err }

func TestView_OfAnAccount_OnlyReads(t *testing.T) {
	t.Parallel()
	k := cookies(t)
	ends := testkit.Start().Add(30 * time.Minute)
	live := viewOf{view: consent.View{ID: "v", FranchiserID: "asha", EndsAt: &ends}}
	looking := map[string]string{"__Host-f360_view": "secret", "f360_session": "of the member's own account"}
	own := signedIn(t, "own")

	got := call{route: route, method: http.MethodGet, cookies: looking}.through(t, middleware.View(live, k), own)
	require.Equal(t, account.Principal{FranchiserID: "asha", SessionID: "v"}, middleware.Principal(got.passed), "never as the browser's own account")
	require.True(t, middleware.Viewing(got.passed))
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions} {
		require.Equal(t, "view_only", call{route: route, method: method, cookies: looking}.through(t, middleware.View(live, k), own).code, method)
	}
	over := call{route: route, method: http.MethodGet, cookies: looking}.through(t, middleware.View(viewOf{err: errs.Unauthenticated()}, k), own)
	require.Equal(t, "view_ended", over.code, "what was asked for as one person is not answered as another")
	require.Negative(t, over.set["__Host-f360_view"].MaxAge)
	down := call{route: route, method: http.MethodGet, cookies: looking}.through(t, middleware.View(viewOf{err: errs.Unavailable(errors.New("EOF"))}, k), own)
	require.Equal(t, "unavailable", down.code)
	require.Empty(t, down.set, "a view is not forgotten because nobody could ask")
	none := call{route: route, method: http.MethodPost, cookies: map[string]string{"__Host-f360_session": "a"}}.through(t, middleware.View(viewOf{err: errs.Unauthenticated()}, k), own)
	require.False(t, middleware.Viewing(none.passed))
	require.Equal(t, "f", middleware.Principal(none.passed).FranchiserID)

	given := call{route: route, method: http.MethodPost}.through(t, func(c *gin.Context) { k.SetView(c, live.view, "secret", testkit.Start()) }).set
	require.Equal(t, 1800, given["__Host-f360_view"].MaxAge)
	require.NotContains(t, given["__Host-F360-VIEWING"].Value, "secret", "pages may read this one")
	require.True(t, given["__Host-f360_view"].HttpOnly)

	policies, err := authz.New()
	require.NoError(t, err)
	reads := call{route: "/api/franchise/session", method: http.MethodGet, cookies: looking}
	require.NoError(t, asError(reads.through(t, middleware.View(live, k), middleware.Permission(policies))))
}

func TestLimitStaffReads_BulkReading_IsRefused(t *testing.T) {
	t.Parallel()
	var l limiter
	limit := middleware.LimitStaffReads(&l, ratelimit.Rule{Name: "reads"}, map[string]string{"/api/support/session": "it is asked for by every page"})
	as := func(c *gin.Context) { c.Set("staff", staff.Principal{StaffID: "m"}) }
	got := call{route: "/api/support/search", method: http.MethodGet}.through(t, as, limit)
	require.Equal(t, errs.KindRateLimited, got.kind)
	require.Equal(t, time.Minute, got.err.RetryAfter)
	require.Contains(t, got.err.Message, "too many customers")
	require.Equal(t, limiter{rule: "reads", subject: "m"}, l)
	require.NoError(t, asError(call{route: "/api/support/session", method: http.MethodGet}.through(t, as, limit)))
	require.NoError(t, asError(call{route: "/api/support/search", method: http.MethodPost}.through(t, as, limit)), "writes have a limit of their own")
	l.spared = "reads"
	require.NoError(t, asError(call{route: "/api/support/search", method: http.MethodGet}.through(t, as, limit)))
}

func TestDeviceCookie_OfAnotherAccountOrKey_IsIgnored(t *testing.T) {
	t.Parallel()
	k, now := cookies(t), testkit.Start()
	set := call{route: route, method: http.MethodPost}.through(t, func(c *gin.Context) {
		k.Remember(c, guard.KindFranchiser, "9876543210", now)
		k.SetBrowser(c, "b")
	}).set
	device := set["__Host-f360_device"]
	require.Equal(t, int(guard.DeviceLife.Seconds()), device.MaxAge)
	require.NotContains(t, device.Value, "9876543210")
	require.Equal(t, 3600, set["__Host-f360_browser"].MaxAge)
	knows := func(value string, kind guard.Kind, account string, at time.Time) (does bool) {
		call{route: route, method: http.MethodPost, cookies: map[string]string{"__Host-f360_device": value}}.through(t, func(c *gin.Context) {
			does = k.Device(c).Knows(kind, account, at)
		})
		return does
	}
	require.True(t, knows(device.Value, guard.KindFranchiser, "9876543210", now.Add(guard.DeviceLife)))
	require.False(t, knows(device.Value, guard.KindFranchiser, "9876543210", now.Add(guard.DeviceLife+24*time.Hour)))
	require.False(t, knows(device.Value, guard.KindStaff, "9876543210", now), "as a customer, not as staff")
	require.False(t, knows(device.Value, guard.KindFranchiser, "9876543211", now))
	for _, broken := range []string{"", ".", device.Value[1:], device.Value + "A", strings.Repeat("A", 1000)} {
		require.False(t, knows(broken, guard.KindFranchiser, "9876543210", now))
	}
}
