package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/api/handler"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// budgetFile holds a row for each route: its name, then its cost in the order of budgetColumns.
const budgetFile = "budget.tsv"

// budgetColumns name the costs of one call. Trips are round trips to Postgres, statements are trips without BEGIN, COMMIT and ROLLBACK,
// rows are the rows that Postgres read, buffers the touched pages of tables and indexes, redis the commands, bytes the body, allocations
// those of the process.
func budgetColumns() []string {
	return []string{"trips", "statements", "rows", "buffers", "redis", "bytes", "allocations"}
}

// cost is the cost of one call, by column.
type cost []int

// slack is how far a cost may be from the budget. Random ids fill pages differently, times have more or fewer digits, and maps and pools
// allocate differently.
func slack(column string, budget int) int {
	switch column {
	case "bytes":
		return 16
	case "rows":
		return max(3, budget/10)
	case "buffers":
		return max(10, budget/5)
	case "allocations":
		if isRaced() {
			return 1 << 30 // the race detector empties pools at random
		}
		return max(10, budget/10)
	default:
		return 0
	}
}

func isRaced() bool {
	info, _ := debug.ReadBuildInfo()
	return info != nil && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

func (c cost) String() string {
	text := make([]string, len(c))
	for i, n := range c {
		text[i] = strconv.Itoa(n)
	}
	return strings.Join(text, "\t")
}

// exceeds returns the columns that are further from the budget than their slack. Rows and buffers may be lower: the server counts some of
// them later when other tests keep it busy.
func (c cost) exceeds(budget cost) (columns []string) {
	for i, name := range budgetColumns() {
		if len(budget) != len(c) || c[i]-budget[i] > slack(name, budget[i]) {
			columns = append(columns, name)
		} else if name != "rows" && name != "buffers" && budget[i]-c[i] > slack(name, budget[i]) {
			columns = append(columns, name)
		}
	}
	return columns
}

// budgets reads the file.
func budgets(t *testing.T) map[string]cost {
	t.Helper()
	text, err := os.ReadFile(budgetFile)
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	require.Equal(t, "route\t"+strings.Join(budgetColumns(), "\t"), lines[0])
	all := map[string]cost{}
	for _, line := range lines[1:] {
		parts := strings.Split(line, "\t")
		for _, number := range parts[1:] {
			n, err := strconv.Atoi(number)
			require.NoError(t, err, line)
			all[parts[0]] = append(all[parts[0]], n)
		}
	}
	return all
}

// accountant counts the costs of a process's calls.
type accountant struct {
	app  *testApp
	pool *sqlx.DB

	mu         sync.Mutex
	statements []string
}

// newAccountant starts the process again on a pool that reports its statements. Sequential scans are off, so that small tables are read
// as large ones are.
func newAccountant(t *testing.T, a *testApp) *accountant {
	t.Helper()
	k := &accountant{app: a}
	pool, err := postgres.OpenObserved(t.Context(), withoutSequentialScans(t, a.db.DSN(testkit.RoleAPI)), 4, k.note)
	require.NoError(t, err)
	t.Cleanup(func() { _ = pool.Close() })
	k.pool, a.db.API = pool, pool
	a.start(t)
	return k
}

func (k *accountant) note(statement string, _ time.Duration, _ error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.statements = append(k.statements, statement)
}

func withoutSequentialScans(t *testing.T, dsn string) string {
	t.Helper()
	u, err := url.Parse(dsn)
	require.NoError(t, err)
	q := u.Query()
	q.Set("options", q.Get("options")+" -c enable_seqscan=off")
	u.RawQuery = strings.ReplaceAll(q.Encode(), "+", "%20")
	return u.String()
}

const readSQL = `
	SELECT (SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint FROM pg_stat_user_tables) AS rows,
		(SELECT sum(heap_blks_read + heap_blks_hit + coalesce(idx_blks_read + idx_blks_hit, 0) + coalesce(toast_blks_read + toast_blks_hit, 0) +
			coalesce(tidx_blks_read + tidx_blks_hit, 0))::bigint FROM pg_statio_user_tables) AS buffers`

// read returns the rows and buffers that Postgres has read so far, after each connection has reported its own. It returns 0 on a server
// older than that of the budget: it plans the statements of functions at each call, which reads pages, and plans some differently.
func (k *accountant) read(t *testing.T) (rows, buffers int) {
	t.Helper()
	if k.app.db.Postgres(t) < 18 {
		return 0, 0
	}
	var all []*sqlx.Conn
	for range k.pool.Stats().OpenConnections {
		conn, err := k.pool.Connx(t.Context())
		require.NoError(t, err)
		all = append(all, conn)
		_, err = conn.ExecContext(t.Context(), `SELECT pg_stat_force_next_flush()`)
		require.NoError(t, err)
	}
	for _, conn := range all {
		require.NoError(t, conn.Close())
	}
	require.NoError(t, k.app.db.Owner.QueryRowContext(t.Context(), readSQL).Scan(&rows, &buffers))
	return rows, buffers
}

// serve returns the cost of one call, and its statements.
func (k *accountant) serve(t *testing.T, r *http.Request) (cost, []string) {
	t.Helper()
	rowsBefore, buffersBefore := k.read(t)
	k.mu.Lock()
	k.statements = nil
	k.mu.Unlock()
	redisBefore, w := k.app.redis.CommandCount(), httptest.NewRecorder()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	k.app.server.Config.Handler.ServeHTTP(w, r)
	runtime.ReadMemStats(&after)
	redis := k.app.redis.CommandCount() - redisBefore
	require.Less(t, w.Code, 300, "%s", w.Body)
	k.mu.Lock()
	statements := k.statements
	k.mu.Unlock()
	rows, buffers := k.read(t)
	asked := slices.DeleteFunc(slices.Clone(statements), func(s string) bool { return slices.Contains([]string{"BEGIN", "COMMIT", "ROLLBACK"}, s) })
	allocations := int(after.Mallocs - before.Mallocs)
	return cost{len(statements), len(asked), rows - rowsBefore, buffers - buffersBefore, redis, w.Body.Len(), allocations}, statements
}

// budgetRuns is how often each route is called: to prepare its statements on the connections, then to count.
const budgetRuns = 4

// costOf returns the least cost of a call in a warm process.
func (k *accountant) costOf(t *testing.T, request func(n int) *http.Request) (least cost, statements []string) {
	t.Helper()
	for n := range budgetRuns {
		got, asked := k.serve(t, request(n))
		if n < budgetRuns/2 {
			continue
		}
		if least == nil {
			least, statements = got, asked
		}
		for i := range got {
			least[i] = min(least[i], got[i])
		}
	}
	return least, statements
}

// ask returns a request with a browser's cookies.
func (c *testClient) ask(t *testing.T, method, path string, body any) *http.Request {
	t.Helper()
	reader, contentType := encode(t, body)
	r := httptest.NewRequestWithContext(t.Context(), method, c.app.config.PublicURL.String()+path, reader)
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	at, err := url.Parse(c.app.server.URL + path)
	require.NoError(t, err)
	for _, cookie := range c.http.Jar.Cookies(at) {
		r.AddCookie(cookie)
		if strings.HasSuffix(cookie.Name, "XSRF-TOKEN") && strings.HasPrefix(cookie.Name, "STAFF-") == strings.HasPrefix(path, handler.SupportPrefix) {
			r.Header.Set("X-XSRF-TOKEN", cookie.Value)
		}
	}
	return r
}

// route is a call with a budget.
type route struct {
	name    string
	request func(n int) *http.Request
}

// budgeted are the people and things that the budgeted routes need.
type budgeted struct {
	app      *testApp
	owner    *testClient // has a plan, a store, orders and payments
	id       string      // of the owner
	staff    staffClient
	buyers   []*testClient // have no plan
	mobiles  []string      // theirs
	visitors []*testClient // have no account
	txn      string
}

const ownersMobile = "9876500300"

func newBudgeted(t *testing.T, a *testApp) *budgeted {
	t.Helper()
	gateway := newPayuServer(t)
	b := &budgeted{app: a, owner: a.buyer(t, ownersMobile), staff: a.signedInStaff(t)}
	b.txn = a.bought(t, b.owner, gateway)
	b.id = a.text(t, `SELECT franchiser_id FROM subscriptions`)
	b.owner.openStore(t, ownersMobile, "Asha Sweets")
	for n := range 60 {
		_, err := testkit.PaidPayment(t.Context(), a.db.Owner, b.id, 100_000, false, a.clock.Now().Add(-time.Duration(n+1)*time.Hour))
		require.NoError(t, err)
	}
	for n := range budgetRuns {
		mobile := fmt.Sprintf("98765004%02d", n)
		b.mobiles, b.buyers, b.visitors = append(b.mobiles, mobile), append(b.buyers, a.buyer(t, mobile)), append(b.visitors, a.client(t))
	}
	_, err := a.db.Owner.ExecContext(t.Context(), `VACUUM (ANALYZE)`)
	require.NoError(t, err)
	return b
}

// routes are the calls that people make most. What can be done once only is done by another person each time.
func (b *budgeted) routes(t *testing.T) []route {
	t.Helper()
	get := func(path string) route {
		return route{"GET " + path, func(int) *http.Request { return b.owner.ask(t, http.MethodGet, handler.Prefix+path, nil) }}
	}
	staff := func(name, path string) route {
		return route{name, func(int) *http.Request { return b.staff.ask(t, http.MethodGet, handler.SupportPrefix+path, nil) }}
	}
	newcomer := func(n int) string { return fmt.Sprintf("98765005%02d", n) }
	tier := b.app.catalogue(t).Plans[0].Tiers[0]
	payment := choice(tier, "yearly", "expected_total", 15_930_000, "payment_method", "upi")
	return []route{
		{"GET /subscription-plan/list, visitor", func(int) *http.Request {
			return b.app.client(t).ask(t, http.MethodGet, handler.Prefix+"/subscription-plan/list", nil)
		}},
		get("/subscription-plan/list"),
		{"POST /register", func(n int) *http.Request {
			return b.visitors[n].ask(t, http.MethodPost, handler.Prefix+"/register",
				map[string]any{"mobile": newcomer(n), "email": "ravi@example.in", "password": goodPassword})
		}},
		{"POST /password/reset-otp", func(n int) *http.Request {
			return b.visitors[n].ask(t, http.MethodPost, handler.Prefix+"/password/reset-otp", map[string]any{"mobile": b.mobiles[n]})
		}},
		{"POST /mobile/validate-otp", func(n int) *http.Request {
			again := b.app.client(t)
			mobile := "98765006" + newcomer(n)[8:]
			asked := again.post(t, "/register", map[string]any{"mobile": mobile, "email": "ravi@example.in", "password": goodPassword})
			require.Equal(t, 200, asked.Status, "%s", asked.Raw)
			return again.ask(t, http.MethodPost, handler.Prefix+"/mobile/validate-otp", map[string]any{"mobile": mobile, "otp": b.app.code(t, mobile)})
		}},
		{"POST /login", func(n int) *http.Request {
			return b.app.client(t).ask(t, http.MethodPost, handler.Prefix+"/login", map[string]any{"username": b.mobiles[n], "password": goodPassword})
		}},
		get("/session"),
		get("/subscription/dashboard"),
		{"POST /subscription/payments/details", func(n int) *http.Request {
			return b.buyers[n].ask(t, http.MethodPost, handler.Prefix+"/subscription/payments/details", choice(tier, "yearly"))
		}},
		{"POST /subscription/payments/request", func(n int) *http.Request {
			r := b.buyers[n].ask(t, http.MethodPost, handler.Prefix+"/subscription/payments/request", payment)
			r.Header.Set("Idempotency-Key", "0123456789-budget")
			return r
		}},
		{"POST /subscription/payments/request, resumed", func(n int) *http.Request {
			return b.buyers[n].ask(t, http.MethodPost, handler.Prefix+"/subscription/payments/request", payment)
		}},
		{"GET /subscription/payments/status/{id}", func(int) *http.Request {
			return b.owner.ask(t, http.MethodGet, handler.Prefix+"/subscription/payments/status/"+b.txn, nil)
		}},
		get("/subscription/renewals"),
		get("/subscription/term-value"),
		get("/subscription/list"),
		get("/subscription/list?per_page=50"),
		get("/subscription/payments/list?per_page=50"),
		get("/notifications"),
		get("/notifications/unread"),
		get("/profile/details/profile"),
		get("/profile/store/details"),
		staff("GET /support/search, by mobile", "/search?q="+ownersMobile),
		staff("GET /support/search, by name", "/search?q=asha"),
		staff("GET /support/customers?sort=renewal", "/customers?sort=renewal"),
		staff("GET /support/customers/{id}", "/customers/"+b.id),
		staff("GET /support/customers/{id}/timeline", "/customers/"+b.id+"/timeline"),
		staff("GET /support/work", "/work"),
		staff("GET /support/money", "/money"),
	}
}

// Given a warm process, then each route costs what its row in the budget says. A change that makes a route cheaper changes its row, too,
// so that the next one keeps it. The test counts what the whole process allocates, so nothing may run beside it.
//
//nolint:paralleltest // see above
func TestRoutes_WarmProcess_CostTheirBudget(t *testing.T) {
	if os.Getenv("TEST_POOLER_URL") != "" {
		t.Skip("behind a pooler, connections and sessions of the server differ")
	}
	app := newTestAppOn(t, testkit.UnusedDatabase(t))
	b := newBudgeted(t, app)
	k := newAccountant(t, app)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection empties pools
	all, seen := budgets(t), map[string]bool{}
	var wrong bytes.Buffer
	for _, r := range b.routes(t) {
		seen[r.name] = true
		got, statements := k.costOf(t, r.request)
		if columns := got.exceeds(all[r.name]); len(columns) > 0 {
			fmt.Fprintf(&wrong, "%s\t%s\n", r.name, got)
			t.Logf("%s: %s differ, was %s, is %s; it asked:\n%s", r.name, strings.Join(columns, ", "), all[r.name], got, strings.Join(statements, "\n"))
		}
	}
	for name := range all {
		require.Contains(t, seen, name, "api/%s has a row for a route that is not measured", budgetFile)
	}
	require.Empty(t, wrong.String(), "These routes cost more or less than their rows in api/%s say. "+
		"If that is intended, replace the rows by these and say why in the commit.", budgetFile)
}
