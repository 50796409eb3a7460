package main

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/api/handler"
	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/metrics"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/process"
	"github.com/franchise360/franchise360/pkg/platform/trace"
	"github.com/franchise360/franchise360/pkg/platform/version"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/contract"
)

// testApp is the process with its real wiring, its own database and a clock that stands still.
type testApp struct {
	db     *testkit.Database
	clock  *clock.Fake
	redis  *miniredis.Miniredis
	config config.Config
	server *httptest.Server
	ask    http.Handler      // the private port's handler that the proxy asks
	sent   []message.Message // messages that sms has sent so far
	meter  *metrics.Metrics
	tracer *trace.Tracer // nil records nothing

	replica *postgres.Replica // nil without a replica
}

func newTestApp(tb testing.TB) *testApp {
	tb.Helper()
	return newTestAppOn(tb, testkit.NewDatabase(tb))
}

func newTestAppOn(tb testing.TB, db *testkit.Database) *testApp {
	tb.Helper()
	a := &testApp{db: db, clock: testkit.NewClock(), redis: miniredis.RunT(tb), meter: metrics.New()}
	env := map[string]string{
		"APP_ENV": "development", "PUBLIC_URL": "http://localhost:8080",
		"DATABASE_URL": a.db.DSN(testkit.RoleAPI),
		"REDIS_URL":    testkit.RedisURL(a.redis),
		"S3_ENDPOINT":  "http://127.0.0.1:1", "S3_ACCESS_KEY": "test", "S3_SECRET_KEY": "test",
		"GATEWAY": "payu,razorpay", "PAYU_URL": "https://test.payu.in", "PAYU_API_URL": "http://127.0.0.1:1",
		"PAYU_KEY": "QyT13U", "PAYU_SALT": "UnJ0FGO0kt3dUgnHo9Xgwi0lpipBV0hB",
		"RAZORPAY_URL": "http://127.0.0.1:1", "RAZORPAY_KEY_ID": "rzp_test_key", "RAZORPAY_KEY_SECRET": "EnLs21M47BllR3X8PSFtjtbd",
		"RAZORPAY_WEBHOOK_SECRET": "123456",
		"SECRET_KEY":              strings.Repeat("ab", 32), "SMS_URL": "http://127.0.0.1:1", "EMAIL_FROM": "billing@franchise360.example", "SMTP_URL": "smtp://127.0.0.1:1",
		"SUPPLIER_ADDRESS": "360 Senapati Bapat Marg, Mumbai 400013", "SUPPLIER_GSTIN": "27AAPFU0939F1ZV",
		"BANK_ACCOUNT": "50200012345678|HDFC0000360|Franchise 360 Private Limited|HDFC Bank",
	}
	cfg, err := config.Load(func(name string) string { return env[name] }, app.Gateways().Kinds()...)
	require.NoError(tb, err)
	cfg.RequestTimeout = time.Minute // so that a busy machine does not cause timeouts
	a.config = cfg
	_, err = plan.Load(tb.Context(), a.db.Worker, a.clock, plan.DefaultCatalogue())
	require.NoError(tb, err)
	a.start(tb)
	return a
}

func (a *testApp) start(tb testing.TB) {
	tb.Helper()
	a.startLogging(tb, testkit.NewLogger(tb))
}

func (a *testApp) startLogging(tb testing.TB, logger *slog.Logger) {
	tb.Helper()
	c := a.connections(tb, a.db.API)
	c.Shifted = &clock.Shifted{}
	engine, ask, _, err := wire(tb.Context(), a.config, c, logger)
	require.NoError(tb, err)
	a.ask = ask
	a.server = httptest.NewServer(engine)
	tb.Cleanup(a.server.Close)
}

func (a *testApp) connections(tb testing.TB, db *sqlx.DB) *process.Connections {
	tb.Helper()
	return &process.Connections{DB: db, Jobs: testkit.NewInserter(tb, db), Clock: a.clock, Keys: a.config.Keys, Passwords: password.Cheap(2), Metrics: a.meter, Traces: a.tracer, Replica: a.replica}
}

// working returns the services shared by all processes, with the worker's rights.
func (a *testApp) working(t *testing.T, cfg config.Config) *app.App {
	t.Helper()
	shared, err := app.New(cfg, a.connections(t, a.db.Worker), testkit.NewLogger(t))
	require.NoError(t, err)
	return shared
}

// testClient is a browser: it keeps its cookies and sends the matching XSRF header.
type testClient struct {
	app  *testApp
	http *http.Client
}

func (a *testApp) client(t *testing.T) *testClient {
	t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	return &testClient{app: a, http: &http.Client{
		Transport:     contract.Transport(t, nil, "/docs", "/no-such-call"),
		Jar:           jar,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// answer is a response; Body holds the decoded JSON object, if it is one.
type answer struct {
	Status int
	Header http.Header
	Raw    []byte
	Body   map[string]any
}

// Data returns the member of data with the key.
func (a answer) Data(t *testing.T, key string) any {
	t.Helper()
	data, ok := a.Body["data"].(map[string]any)
	require.True(t, ok, "no data object in %s", a.Raw)
	return data[key]
}

// do sends a request below the prefix. A string body is sent verbatim, url.Values as a form, anything else as JSON; header
// alternates names and values.
func (c *testClient) do(t *testing.T, method, path string, body any, header ...string) answer {
	t.Helper()
	reader, contentType := encode(t, body)
	r, err := http.NewRequestWithContext(t.Context(), method, c.app.server.URL+handler.Prefix+path, reader)
	require.NoError(t, err)
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	for _, cookie := range c.http.Jar.Cookies(r.URL) {
		if cookie.Name == "XSRF-TOKEN" {
			r.Header.Set("X-XSRF-TOKEN", cookie.Value)
		}
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	return c.send(t, r)
}

func (c *testClient) send(t *testing.T, r *http.Request) answer {
	t.Helper()
	resp, err := c.http.Do(r)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	a := answer{Status: resp.StatusCode, Header: resp.Header}
	a.Raw, err = io.ReadAll(resp.Body)
	require.NoError(t, err)
	switch kind := resp.Header.Get("Content-Type"); {
	case strings.HasPrefix(kind, "application/json"):
		require.NoError(t, json.Unmarshal(a.Raw, &a.Body), "%s", a.Raw)
	case strings.HasPrefix(kind, "text/csv"):
		// Zoho Books wants no mark, and a customer's own file is returned as it was sent.
		unmarked := strings.HasPrefix(r.URL.Path, "/api/support/books/files/") || strings.Contains(r.URL.Path, "/deliveries/") && strings.Contains(r.URL.Path, "/files/")
		require.Equal(t, !unmarked, strings.HasPrefix(string(a.Raw), byteOrderMark), "%s: whether Excel reads it as UTF-8", r.URL.Path)
	}
	return a
}

func (c *testClient) get(t *testing.T, path string) answer {
	t.Helper()
	return c.do(t, http.MethodGet, path, nil)
}

func (c *testClient) post(t *testing.T, path string, body any) answer {
	t.Helper()
	return c.do(t, http.MethodPost, path, body)
}

func encode(t *testing.T, body any) (io.Reader, string) {
	t.Helper()
	switch b := body.(type) {
	case nil:
		return http.NoBody, ""
	case string:
		return strings.NewReader(b), "application/json"
	case []byte:
		return bytes.NewReader(b), "application/octet-stream"
	case url.Values:
		return strings.NewReader(b.Encode()), "application/x-www-form-urlencoded"
	default:
		raw, err := json.Marshal(b)
		require.NoError(t, err)
		return bytes.NewReader(raw), "application/json"
	}
}

func TestHealth_RunningProcess_AnswersOK(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	for path, want := range map[string]int{"/healthz": 200, "/readyz": 200, "/no-such-call": 404} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, app.server.URL+path, nil)
		require.NoError(t, err)
		a := app.client(t).send(t, r)
		require.Equal(t, want, a.Status, path)
		if path == "/healthz" {
			require.Equal(t, version.String(), a.Data(t, "version"))
		}
	}
}
