package tenantsite

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/tenant"
)

func newSite(t *testing.T, public string) *Site {
	t.Helper()
	u, err := url.Parse(public)
	require.NoError(t, err)
	gin.SetMode(gin.ReleaseMode)
	s, err := New(nil, nil, nil, Options{Public: u, BaseDomain: "stores.example"}, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	return s
}

// at is a request at a store's host, whose answer can be read.
func (s *Site) at(t *testing.T, method, path string) (*request, *httptest.ResponseRecorder) {
	t.Helper()
	w := httptest.NewRecorder()
	c, _ := gin.CreateTestContext(w)
	c.Request = httptest.NewRequestWithContext(t.Context(), method, path, http.NoBody)
	return &request{Site: s, c: c, ctx: t.Context(), store: tenant.Tenant{StoreName: "Chai Point"}}, w
}

func TestAHostIsReadHoweverItIsSpelt(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"Pune.Stores.Example:8443": "pune.stores.example", "pune.stores.example.": "pune.stores.example", "pune.stores.example.:80": "pune.stores.example",
		"PUNE.STORES.EXAMPLE": "pune.stores.example", "[::1]:8080": "::1", "": "", ".": "", ":80": "", "xn--11b4c3d.example": "xn--11b4c3d.example",
	} {
		require.Equal(t, want, hostOf(given), given)
	}
}

func TestTheProductAnswersAtItsOwnNamesOnly(t *testing.T) {
	t.Parallel()
	for public, hosts := range map[string]map[string]bool{
		"https://franchise360.example": {
			"franchise360.example": true, "www.franchise360.example": true, "stores.example": true, "127.0.0.1": true, "::1": true, "[::1]": true,
			"api": true, "localhost": true, "": true, "pune.stores.example": false, "evilfranchise360.example": false,
			"franchise360.example.evil.example": false, "www.www.franchise360.example": false, "www.stores.example": false, "shop.example.in": false,
			"1.2.3.4.example": false,
		},
		"https://www.franchise360.example": {"franchise360.example": true, "www.franchise360.example": true, "example": true},
	} {
		s := newSite(t, public)
		for host, want := range hosts {
			require.Equal(t, want, s.isProduct(host), "%s at %s", host, public)
		}
	}
	for path, want := range map[string]bool{"/healthz": true, "/readyz": true, "/healthz/": false, "/": false, "/metrics": false, "/HEALTHZ": false} {
		require.Equal(t, want, isOperational(path), path)
	}
}

func TestAMobileIsTakenAsPeopleTypeIt(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"9876543210": "9876543210", "+91 98765-43210": "9876543210", " +919876543210 ": "9876543210", "": "", "+91": "",
		"919876543210": "919876543210", "+92 9876543210": "+929876543210", "98765४३२१०": "98765४३२१०",
	} {
		require.Equal(t, want, digitsOnly(given), given)
	}
}

func TestAWaitIsToldAsPeopleSayIt(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		0: "1 second", time.Millisecond: "1 second", time.Second: "1 second", time.Second + 1: "2 seconds", 90 * time.Second: "90 seconds",
		90*time.Second + 1: "2 minutes", 15 * time.Minute: "15 minutes", 90 * time.Minute: "90 minutes", 90*time.Minute + 1: "2 hours", 24 * time.Hour: "24 hours",
	} {
		require.Equal(t, want, waitText(d), d)
	}
}

func TestAFormHoldsTextAndNoCard(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]bool{
		"Chai Point": true, "चाय": true, "": true, "a\x00b": false, "\xff": false, "4111 1111 1111 1111": false, "a\u202eb": false,
	} {
		require.Equal(t, want, clean(url.Values{"name": {"fine", value}}), "%q", value)
	}
	require.True(t, clean(nil))
}

// html is what the page shows of the view.
func (s *Site) html(t *testing.T, page string, v view) string {
	t.Helper()
	var body bytes.Buffer
	require.NoError(t, s.pages.byName[page].Execute(&body, v), page)
	return body.String()
}

func TestAStoresNameIsTextOnEveryPage(t *testing.T) {
	t.Parallel()
	s := newSite(t, "https://franchise360.example")
	for _, name := range []string{
		`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `{{.ProductURL}}`, `javascript:alert(1)`, "पुणे चाय", "🍵 Chai", "é", "",
		strings.Repeat("क", 10_000),
	} {
		for page := range s.pages.byName {
			v := view{
				Title: name, StoreName: name, Heading: name, Text: name, Problem: name, Username: name, Name: name, City: name, Blocked: name,
				Fields: map[string][]string{"name": {name}, "city": {name}}, Plan: tenant.Entitlement{PlanName: name, Notice: name, AddOns: []tenant.AddOn{{Name: name, Count: 2}}},
				Franchises: []franchiseRow{{ID: name, Name: name, City: name}}, ProductURL: "https://franchise360.example",
			}
			shown := s.html(t, page, v)
			require.NotContains(t, shown, "<script", "%s: %s", page, name)
			require.NotContains(t, shown, "<img", "%s: %s", page, name)
			require.True(t, utf8.ValidString(shown), "%s: %s", page, name)
			require.NotContains(t, shown, "\ufffd", "%s: a letter was cut in two: %s", page, name)
		}
	}
	require.Contains(t, s.html(t, "home", view{StoreName: "पुणे चाय"}), `aria-hidden="true">प<`, "the mark is the first letter")
	require.Contains(t, s.html(t, "home", view{StoreName: "Chai"}), `aria-hidden="true">C<`)
}

func TestAMeterStaysWithinItsRange(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ limit, used, most, shown, high int }{
		"no plan":            {0, 0, 1, 0, 0},
		"none, but used":     {0, 3, 1, 1, 0},
		"all used":           {10, 10, 10, 10, 9},
		"more than the plan": {5, 9, 5, 5, 4},
		"some":               {100, 40, 100, 40, 90},
	} {
		v := view{Plan: tenant.Entitlement{FranchiseLimit: c.limit}, Used: c.used}
		require.Equal(t, [3]int{c.most, c.shown, c.high}, [3]int{v.MeterMax(), v.MeterUsed(), v.MeterHigh()}, name)
	}
	require.Empty(t, view{}.NameError())
	require.Equal(t, "first", view{Fields: map[string][]string{"city": {"first", "second"}}}.CityError())
}

func TestARefusalHasItsStatusForPeopleAndPrograms(t *testing.T) {
	t.Parallel()
	s := newSite(t, "https://franchise360.example")
	limited := errs.RateLimited(1500 * time.Millisecond)
	for name, c := range map[string]struct {
		err    error
		status int
	}{
		"a wrong password": {tenant.ErrWrongLogin, errStatus(tenant.ErrWrongLogin)},
		"no session":       {errs.Unauthenticated(), http.StatusUnauthorized},
		"the plan's limit": {errs.New(errs.KindLimit, "limit", "No more.").With("limit", 5), http.StatusPaymentRequired},
		"gone":             {errs.NotFound(), http.StatusNotFound},
		"too often":        {limited, http.StatusTooManyRequests},
		"not filled in":    {errs.Invalid("Look again.").Field("name", "Too short."), http.StatusUnprocessableEntity},
		"no database":      {errs.Unavailable(errors.New("dial tcp 10.0.0.7")), http.StatusServiceUnavailable},
		"a fault":          {errors.New("dial tcp 10.0.0.7"), http.StatusInternalServerError},
	} {
		for _, accept := range []string{"text/html", "application/json"} {
			r, w := s.at(t, http.MethodPost, pathLogin)
			r.c.Request.Header.Set("Accept", accept)
			r.refuse(c.err, "login", view{Username: "9876543210"})
			require.Equal(t, c.status, w.Code, "%s: %s", accept, name)
			require.Equal(t, contentPolicy, w.Header().Get("Content-Security-Policy"), name)
			require.Equal(t, "no-store", w.Header().Get("Cache-Control"), name)
			require.NotEmpty(t, w.Header().Get("Strict-Transport-Security"), name)
			require.NotContains(t, w.Body.String(), "10.0.0.7", "a cause is only logged")
			fault := c.status >= 500
			if accept == "text/html" || fault {
				require.Contains(t, w.Header().Get("Content-Type"), "text/html", name)
				continue
			}
			var body map[string]any
			require.NoError(t, json.Unmarshal(w.Body.Bytes(), &body), name)
			require.Equal(t, false, body["status"], name)
			require.Equal(t, errs.As(c.err).Code, body["code"], name)
		}
	}
	r, w := s.at(t, http.MethodPost, pathLogin)
	r.refuse(limited, "login", view{})
	require.Equal(t, "2", w.Header().Get("Retry-After"), "rounded up, so that who waits comes late enough")
	require.Contains(t, w.Body.String(), "wait for 2 seconds")
}

func errStatus(err error) int {
	if errs.KindOf(err) == errs.KindUnauthenticated {
		return http.StatusUnauthorized
	}
	return http.StatusUnprocessableEntity
}

func TestAStoresCookiesAreItsVeryHosts(t *testing.T) {
	t.Parallel()
	for public, want := range map[string]string{
		"https://franchise360.example": "__Host-store_session=token; Path=/; Max-Age=60; HttpOnly; Secure; SameSite=Lax",
		"http://localhost:8080":        "store_session=token; Path=/; Max-Age=60; HttpOnly; SameSite=Lax",
	} {
		r, w := newSite(t, public).at(t, http.MethodGet, "/")
		r.setToken("token", 60)
		require.Equal(t, want, w.Header().Get("Set-Cookie"))
		require.Empty(t, r.token())
		r.c.Request.Header.Set("Cookie", strings.SplitN(want, ";", 2)[0])
		require.Equal(t, "token", r.token())
		r.headers()
		require.Equal(t, strings.HasPrefix(public, "https"), w.Header().Get("Strict-Transport-Security") != "")
	}
	r, _ := newSite(t, "https://franchise360.example").at(t, http.MethodGet, "/")
	r.c.Request.Header.Set("Cookie", "store_session=planted")
	require.Empty(t, r.token(), "one that another host of the domain has set")
}

func TestTheStyleIsKeptUntilItChanges(t *testing.T) {
	t.Parallel()
	s := newSite(t, "https://franchise360.example")
	r, w := s.at(t, http.MethodGet, pathStyle)
	r.style()
	require.Contains(t, w.Header().Get("Cache-Control"), "immutable")
	require.Equal(t, "text/css; charset=utf-8", w.Header().Get("Content-Type"))
	require.NotEmpty(t, w.Body.Bytes())
	r, w = s.at(t, http.MethodGet, "/nowhere")
	r.message(http.StatusNotFound, "Page not found", "This store has no page at this address.")
	require.Contains(t, w.Body.String(), "/store.css?v="+s.pages.version)
	require.Len(t, s.pages.version, 12)
}
