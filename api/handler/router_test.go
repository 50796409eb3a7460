package handler_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/api/handler"
	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/metrics"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// doors has one call that succeeds and one that is refused.
type doors struct{}

func (doors) Register(r handler.Routes) {
	r.Public.GET("/open", handler.Handle(func(c *gin.Context) error { return handler.OK(c, "Fine.", nil) }))
	r.Public.GET("/named/:name", handler.Handle(func(c *gin.Context) error { return handler.OK(c, "Fine.", nil) }))
	r.Public.GET("/panics", handler.Handle(func(*gin.Context) error { panic("a fault") }))
	r.Public.GET("/full", handler.Handle(func(*gin.Context) error { return password.ErrBusy }))
	r.Public.GET("/away", handler.Handle(func(*gin.Context) error { return errs.Unavailable(errors.New("no database")) }))
	r.Public.POST("/shut", handler.Handle(func(*gin.Context) error { return errs.Forbidden() }))
}

type signedIn struct{}

func (signedIn) Authenticate(context.Context, string) (account.Principal, error) {
	return account.Principal{FranchiserID: "0193a0c0-0000-7000-8000-000000000001", SessionID: "s"}, nil
}

func newRouter(t *testing.T, log *bytes.Buffer) http.Handler {
	t.Helper()
	return newRouterAt(t, log, slog.LevelInfo)
}

func newRouterAt(t *testing.T, log *bytes.Buffer, level slog.Level) http.Handler {
	t.Helper()
	return newMeasuredRouter(t, log, level, nil)
}

func newMeasuredRouter(t *testing.T, log *bytes.Buffer, level slog.Level, measure handler.Measure) http.Handler {
	t.Helper()
	public, err := url.Parse("https://site.test")
	require.NoError(t, err)
	e, err := handler.NewRouter(handler.RouterOptions{
		Logger: slog.New(slog.NewJSONHandler(log, &slog.HandlerOptions{Level: level})), Public: public, Deadline: time.Minute, Areas: []handler.Area{doors{}},
		Measure: measure,
		Before:  []gin.HandlerFunc{middleware.Session(signedIn{}, middleware.NewCookies(public, testkit.NewKeyring(t)))},
	})
	require.NoError(t, err)
	handler.RegisterHealth(e, nil, nil)
	e.GET("/page", func(c *gin.Context) { c.String(http.StatusOK, "page") })
	return e
}

func ask(t *testing.T, h http.Handler, method, address, cookie string) http.Header {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, address, http.NoBody)
	r.RemoteAddr = "203.0.113.77:4711"
	if cookie != "" {
		r.AddCookie(&http.Cookie{Name: cookie, Value: "the-token"})
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	w.Header().Set("Status", http.StatusText(w.Code))
	return w.Header()
}

func TestResponses_HaveSecurityHeaders(t *testing.T) {
	t.Parallel()
	h := newRouter(t, &bytes.Buffer{})
	for _, address := range []string{"/page", "/api/franchise/open", "/api/nowhere", "/nowhere"} {
		header := ask(t, h, http.MethodGet, "https://site.test"+address, "")
		require.Equal(t, "max-age=31536000; includeSubDomains", header.Get("Strict-Transport-Security"), address)
		require.Equal(t, "nosniff", header.Get("X-Content-Type-Options"), address)
		require.Contains(t, header.Get("Content-Security-Policy"), "frame-ancestors 'none'", address)
	}
	require.Equal(t, "no-store", ask(t, h, http.MethodGet, "https://site.test/api/franchise/open", "").Get("Cache-Control"))
	policy := ask(t, h, http.MethodGet, "https://site.test/api/franchise/open", "").Get("Content-Security-Policy")
	for _, directive := range []string{"default-src 'none'", "object-src 'none'", "base-uri 'none'", "form-action 'none'", "sandbox"} {
		require.Contains(t, policy, directive, "data is no page")
	}
	require.Equal(t, "max-age=31536000", ask(t, h, http.MethodGet, "https://shop.example.in/page", "").Get("Strict-Transport-Security"),
		"the sub-domains of a customer's own domain are not ours to decide about")
	require.Equal(t, "Method Not Allowed", ask(t, h, http.MethodTrace, "https://site.test/api/franchise/open", "").Get("Status"))
}

func TestRefusal_IsLoggedWithActorRouteAndCode(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	h := newRouter(t, &log)
	ask(t, h, http.MethodPost, "https://site.test/api/franchise/shut?mobile=9876543210", "__Host-"+middleware.CookieSession)
	var line map[string]any
	refusal, _, _ := bytes.Cut(log.Bytes(), []byte("\n")) // the request's own line follows it
	require.NoError(t, json.Unmarshal(refusal, &line), log.String())
	require.Equal(t, "POST", line["method"])
	require.Equal(t, "/api/franchise/shut", line["route"])
	require.Equal(t, "forbidden", line["code"])
	require.InDelta(t, 403, line["status"], 0)
	require.Equal(t, "franchiser:0193a0c0-0000-7000-8000-000000000001", line["actor"])
	require.Equal(t, "203.0.113.0/24", line["network"], "an address is personal data; its network is enough to see a pattern")
	require.NotEmpty(t, line["request_id"])
	for _, personal := range []string{"9876543210", "203.0.113.77", "the-token"} {
		require.NotContains(t, log.String(), personal)
	}

	log.Reset()
	ask(t, h, http.MethodPost, "https://site.test/api/franchise/shut", "")
	line = map[string]any{}
	refusal, _, _ = bytes.Cut(log.Bytes(), []byte("\n"))
	require.NoError(t, json.Unmarshal(refusal, &line), log.String())
	require.Equal(t, "nobody", line["actor"])
}

// Given a server at capacity, then its refusals are counted apart from faults, which alert people.
func TestRefusal_ServerAtCapacity_IsCountedSeparately(t *testing.T) {
	t.Parallel()
	meter := metrics.New()
	h := newMeasuredRouter(t, &bytes.Buffer{}, slog.LevelInfo, meter)
	for _, door := range []string{"full", "full", "away", "panics"} {
		ask(t, h, http.MethodGet, "https://site.test/api/franchise/"+door, "")
	}
	families, err := meter.Registry().Gather()
	require.NoError(t, err)
	counted := map[string]uint64{}
	for _, family := range families {
		for _, series := range family.GetMetric() {
			if family.GetName() != "franchise360_http_request_seconds" {
				continue
			}
			labels := map[string]string{}
			for _, l := range series.GetLabel() {
				labels[l.GetName()] = l.GetValue()
			}
			counted[labels["route"]+" "+labels["status"]] = series.GetHistogram().GetSampleCount()
		}
	}
	require.Equal(t, map[string]uint64{
		"/api/franchise/full busy": 2, "/api/franchise/away 5xx": 1, "/api/franchise/panics 5xx": 1,
	}, counted)
}

// Given a path with other methods, then a wrong method gets 405 with them, in the common envelope; an unknown path gets 404.
func TestRouter_WrongMethod_Answers405(t *testing.T) {
	t.Parallel()
	h := newRouter(t, &bytes.Buffer{})
	for path, want := range map[string]int{"/api/franchise/open": http.StatusMethodNotAllowed, "/api/franchise/nothing": http.StatusNotFound} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodDelete, path, http.NoBody))
		require.Equal(t, want, w.Code, path)
		if want == http.StatusMethodNotAllowed {
			require.Equal(t, "GET, HEAD", w.Header().Get("Allow"))
			var body map[string]any
			require.NoError(t, json.Unmarshal(w.Body.Bytes(), &body))
			require.Equal(t, false, body["status"])
			require.NotEmpty(t, body["request_id"])
		}
	}
}
