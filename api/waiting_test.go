package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/cut"
)

// Given a database that stops responding, then every request is answered soon, by a 503 envelope, a page, or a redirect;
// and when the database recovers, so does the product.
func TestSilentDatabase_EachRequest_EndsInTime(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	dsn := app.db.DSN(testkit.RoleAPI)
	proxy := cut.New(t, dsn)
	owner := app.buyer(t, "9876500001")
	app.hasASecond(t, postgres.Serving.With(proxy.DSN(t, dsn)), 3)
	owner.http.Timeout = time.Minute // on a request that waits for the database's answer
	responds := func() bool { return owner.get(t, "/subscription/list").Status == http.StatusOK }
	require.Eventually(t, responds, time.Minute, 50*time.Millisecond)

	thaw := proxy.Freeze(t)
	type call struct {
		method, path string
		body         any
		status       int
	}
	for _, c := range []call{
		{http.MethodGet, "/subscription/list", nil, 503},
		{http.MethodPost, "/login", map[string]any{"username": "9876500001", "password": "Mangoes#2027"}, 503},
		{http.MethodPost, "/register", map[string]any{"mobile": "9876500002", "email": "a@franchise360.example", "password": "Mangoes#2027"}, 503},
		{http.MethodPost, "/payments/callback", url.Values{"txnid": {"T1"}, "status": {"success"}, "hash": {"x"}}, 0},
		{http.MethodPost, "/payments/webhook/payu", url.Values{"txnid": {"T1"}, "status": {"success"}}, 0},
	} {
		got := owner.do(t, c.method, c.path, c.body)
		if c.status != 0 {
			require.Equal(t, c.status, got.Status, "%s %s", c.path, got.Raw)
		}
		if got.Status >= 500 {
			require.Equal(t, "unavailable", got.Body["code"], c.path)
		}
	}
	thaw()
	require.Eventually(t, responds, time.Minute, 50*time.Millisecond)
}

// Given many more callers than connections while the database is unresponsive, then all get a response in time.
func TestSilentDatabase_MoreCallersThanConnections_EndInTime(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	dsn := app.db.DSN(testkit.RoleAPI)
	proxy := cut.New(t, dsn)
	owner := app.buyer(t, "9876500003")
	app.hasASecond(t, postgres.Serving.With(proxy.DSN(t, dsn)), 2)
	proxy.Freeze(t)
	owner.http.Timeout = time.Minute // one after the other on two connections, they would take longer
	var callers errgroup.Group
	for range 200 {
		callers.Go(func() error {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, app.server.URL+"/api/franchise/subscription/list", http.NoBody)
			if err != nil {
				return err
			}
			answer, err := owner.http.Do(r)
			if err != nil {
				return err
			}
			return answer.Body.Close()
		})
	}
	require.NoError(t, callers.Wait())
}

// hasASecond starts the process again with a pool of connections to the database at the URL, and a second for each request. What a test
// prepares on a busy machine is prepared before.
func (a *testApp) hasASecond(t *testing.T, dsn string, connections int) {
	t.Helper()
	pool, err := postgres.Open(t.Context(), dsn, connections)
	require.NoError(t, err)
	t.Cleanup(func() { _ = pool.Close() })
	a.db.API = pool
	a.config.RequestTimeout = time.Second
	a.start(t)
}

// Given a process that is shutting down, then its readiness check fails, but it still serves requests.
func TestShutdown_Process_IsNotReadyButServes(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	c := app.connections(t, app.db.API)
	c.Shifted = &clock.Shifted{}
	engine, _, _, err := wire(ctx, app.config, c, testkit.NewLogger(t))
	require.NoError(t, err)
	status := func(path string) int {
		recorder := httptest.NewRecorder()
		engine.ServeHTTP(recorder, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost:8080"+path, http.NoBody))
		return recorder.Code
	}
	require.Equal(t, http.StatusOK, status("/readyz"))
	stop()
	require.Equal(t, http.StatusServiceUnavailable, status("/readyz"))
	require.Equal(t, http.StatusOK, status("/healthz"))
	require.Equal(t, http.StatusOK, status("/api/franchise/subscription-plan/list"))
}
