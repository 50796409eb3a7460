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
	"github.com/franchise360/franchise360/pkg/platform/authz"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// authenticator returns the same result for every token.
type authenticator struct {
	principal account.Principal
	err       error
}

func (a authenticator) Authenticate(context.Context, string) (account.Principal, error) {
	return a.principal, a.err
}

// limiter refuses everything except hits under the spared rule, and records the last subject.
type limiter struct{ rule, subject, spared string }

func (l *limiter) Hit(_ context.Context, r ratelimit.Rule, subject string) error {
	l.rule, l.subject = r.Name, subject
	if l.spared == r.Name {
		return nil
	}
	return errs.RateLimited(time.Minute)
}

// run sends a request through the handlers and returns the error that stopped it.
func run(t *testing.T, method string, handlers ...gin.HandlerFunc) error {
	t.Helper()
	return runAt(t, method, "/api/franchise/thing", handlers...)
}

func runAt(t *testing.T, method, route string, handlers ...gin.HandlerFunc) error {
	t.Helper()
	gin.SetMode(gin.ReleaseMode)
	var got error
	e := gin.New()
	e.Use(func(c *gin.Context) {
		c.Next()
		if last := c.Errors.Last(); last != nil {
			got = last.Err
		}
	})
	e.Handle(method, route, append(handlers, func(c *gin.Context) { c.Status(http.StatusOK) })...)
	r := httptest.NewRequestWithContext(t.Context(), method, route, http.NoBody)
	r.AddCookie(&http.Cookie{Name: "__Host-" + middleware.CookieSession, Value: "token"})
	e.ServeHTTP(httptest.NewRecorder(), r)
	return got
}

func cookies(t *testing.T) middleware.Cookies {
	t.Helper()
	u, err := url.Parse("https://franchise360.example")
	require.NoError(t, err)
	return middleware.NewCookies(u, testkit.NewKeyring(t))
}

func TestRequireSession_DatabaseDown_Answers503(t *testing.T) {
	t.Parallel()
	k := cookies(t)
	down := middleware.Session(authenticator{err: errs.Unavailable(errors.New("connection refused"))}, k)
	require.Equal(t, errs.KindUnavailable, errs.KindOf(run(t, http.MethodGet, down, middleware.RequireSession)))
	require.NoError(t, run(t, http.MethodGet, down), "a public call goes on")

	gone := middleware.Session(authenticator{err: errs.Unauthenticated()}, k)
	require.Equal(t, errs.KindUnauthenticated, errs.KindOf(run(t, http.MethodGet, gone, middleware.RequireSession)))
	require.Equal(t, errs.KindUnauthenticated, errs.KindOf(run(t, http.MethodGet, middleware.RequireSession)))

	live := middleware.Session(authenticator{principal: account.Principal{FranchiserID: "f", SessionID: "s"}}, k)
	require.NoError(t, run(t, http.MethodGet, live, middleware.RequireSession))
}

func TestLimitWrites_CountsByFranchiserOrAddress(t *testing.T) {
	t.Parallel()
	var l limiter
	limit := middleware.LimitWrites(&l, cookies(t), middleware.WriteRules{
		Franchiser: ratelimit.Rule{Name: "franchiser"}, Address: ratelimit.Rule{Name: "address"},
	}, middleware.WriteRoutes{})
	require.Equal(t, errs.KindRateLimited, errs.KindOf(run(t, http.MethodPost, limit)))
	require.Equal(t, limiter{rule: "address", subject: "192.0.2.1"}, l)
	live := middleware.Session(authenticator{principal: account.Principal{FranchiserID: "f", SessionID: "s"}}, cookies(t))
	require.Equal(t, errs.KindRateLimited, errs.KindOf(run(t, http.MethodPost, live, limit)))
	require.Equal(t, limiter{rule: "franchiser", subject: "f"}, l)
	require.NoError(t, run(t, http.MethodGet, limit), "reads are not counted")
	const export = "/api/franchise/subscription/list/export"
	require.NoError(t, runAt(t, http.MethodGet, export, live, limit), "nor what the owner takes out")
	member := middleware.Session(authenticator{principal: account.Principal{FranchiserID: "f", SessionID: "s", PersonID: "p", MemberID: "m"}}, cookies(t))
	require.NoError(t, run(t, http.MethodGet, member, limit))
	require.Equal(t, errs.KindRateLimited, errs.KindOf(runAt(t, http.MethodGet, export, member, limit)), "a read of a member's that leaves a row")
	require.Equal(t, limiter{rule: "franchiser", subject: "p"}, l, "counted as the person's, so that the owner is not stopped")
}

func TestPermission_CallWithoutAPolicy_IsRefused(t *testing.T) {
	t.Parallel()
	e, err := authz.New()
	require.NoError(t, err)
	live := middleware.Session(authenticator{principal: account.Principal{FranchiserID: "f", SessionID: "s"}}, cookies(t))
	const allowed = "/api/franchise/profile/update/profile"
	require.NoError(t, runAt(t, http.MethodPost, allowed, live, middleware.Permission(e)))
	require.Equal(t, errs.KindForbidden, errs.KindOf(runAt(t, http.MethodPost, allowed, middleware.Permission(e))))
	require.Equal(t, errs.KindForbidden, errs.KindOf(run(t, http.MethodPost, live, middleware.Permission(e))), "no row names it")
}

func TestCookies_AreSecureExceptOnThisMachine(t *testing.T) {
	t.Parallel()
	for public, want := range map[string]bool{
		"https://franchise360.example": true, "http://franchise360.example": true, "https://localhost:8443": true,
		"http://localhost:8080": false, "http://127.0.0.1:8080": false, "http://[::1]:8080": false,
		"http://franchise360.localhost": false, "http://localhost.example": true,
	} {
		u, err := url.Parse(public)
		require.NoError(t, err)
		w := httptest.NewRecorder()
		c, _ := gin.CreateTestContext(w)
		c.Request = httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", http.NoBody)
		middleware.NewCookies(u, testkit.NewKeyring(t)).SetSession(c, session.Tokens{Access: "a", Refresh: "r", SessionID: "s"}, testkit.Start())
		set := (&http.Response{Header: w.Header()}).Cookies()
		require.Len(t, set, 3)
		for _, cookie := range set {
			require.Equal(t, want, cookie.Secure, "%s %s", public, cookie.Name)
		}
	}
}

func TestLimitWrites_SignInUnderAFlood_StaysOpen(t *testing.T) {
	t.Parallel()
	var l limiter
	const route = "/door"
	limit := middleware.LimitWrites(&l, cookies(t), middleware.WriteRules{
		Address: ratelimit.Rule{Name: "address"}, Doors: ratelimit.Rule{Name: "doors"}, Device: ratelimit.Rule{Name: "device"},
	}, middleware.WriteRoutes{Doors: []string{route}})
	pressed := false
	engine := gin.New()
	engine.POST(route, limit, func(c *gin.Context) { pressed = middleware.Pressed(c) })
	send := func(cookie string) {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, route, nil)
		r.AddCookie(&http.Cookie{Name: "__Host-" + middleware.CookieDevice, Value: cookie})
		pressed = false
		engine.ServeHTTP(httptest.NewRecorder(), r)
	}
	send("")
	require.True(t, pressed, "it is for the door to ask for work")
	require.Equal(t, limiter{rule: "doors", subject: "192.0.2.1"}, l)

	l.spared = "device"
	send(guard.ReadDevice(testkit.NewKeyring(t), "").Remember(guard.KindFranchiser, "9876543210", testkit.Start()))
	require.False(t, pressed, "a browser that signed in before has writes of its own")
	require.Equal(t, "device", l.rule)
}

func TestCookies_SetByAnotherHost_AreIgnored(t *testing.T) {
	t.Parallel()
	k := cookies(t)
	answer := func(sent string) (*gin.Context, map[string]*http.Cookie) {
		w := httptest.NewRecorder()
		c, _ := gin.CreateTestContext(w)
		c.Request = httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/franchise/refresh", http.NoBody)
		c.Request.Header.Set("Cookie", sent)
		k.SetSession(c, session.Tokens{Access: "a", Refresh: "r", SessionID: "s"}, testkit.Start())
		k.SetBrowser(c, "b")
		k.SetStaff(c, staff.Tokens{Token: "t", ExpiresAt: testkit.Start().Add(time.Hour)}, testkit.Start())
		set := map[string]*http.Cookie{}
		for _, cookie := range (&http.Response{Header: w.Header()}).Cookies() {
			set[cookie.Name] = cookie
		}
		return c, set
	}
	c, set := answer("f360_session=planted; f360_refresh=planted; XSRF-TOKEN=planted; f360_browser=planted; f360_staff=planted")
	require.Empty(t, k.Access(c), "a store's page may set it for the whole domain")
	require.Empty(t, k.Refresh(c))
	require.Empty(t, k.Browser(c))
	require.Empty(t, k.Staff(c))
	require.Len(t, set, 6)
	for name, cookie := range set {
		require.True(t, strings.HasPrefix(name, "__Host-"), name)
		require.True(t, cookie.Secure && cookie.Path == "/" && cookie.Domain == "", name)
	}
	c, set = answer("f360_session=planted; __Host-f360_session=own")
	require.Equal(t, "own", k.Access(c), "a planted one counts for nothing beside our own")
	require.Contains(t, set, "__Host-f360_session")
}
