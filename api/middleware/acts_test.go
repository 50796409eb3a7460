package middleware_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/connect"
	"github.com/franchise360/franchise360/pkg/platform/authz"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// acts stores the recorded actions of members.
type acts struct {
	begins, ends error
	began        []string
	ended        []bool
	alive        bool
}

func (a *acts) BeginAct(_ context.Context, p account.Principal, operation string) (string, error) {
	a.began = append(a.began, p.MemberID+" "+operation)
	return "act", a.begins
}

func (a *acts) EndAct(ctx context.Context, _ account.Principal, actID string, done bool) error {
	a.ended, a.alive = append(a.ended, done && actID == "act"), ctx.Err() == nil
	return a.ends
}

func asMember(role account.Role) gin.HandlerFunc {
	return func(c *gin.Context) {
		c.Set("principal", account.Principal{FranchiserID: "f", SessionID: "s", PersonID: "p", MemberID: "m", Role: role})
	}
}

// A member's changes and downloads in another person's account are recorded. Reads and calls about the person's own session are not.
func TestNoteActs_WritesAndDownloadsOfAMember_AreRecorded(t *testing.T) {
	t.Parallel()
	for route, noted := range map[string]bool{
		"POST /api/franchise/tenant/create": true, "PUT /api/franchise/message-preferences": true, "PATCH /api/franchise/thing": true, "DELETE /api/franchise/profile/erasure": true,
		"GET /api/franchise/subscription/list/export": true, "GET /api/franchise/subscription/payments/list/export": true, "HEAD /api/franchise/subscription/list/export": true,
		"GET /api/franchise/subscription/invoice/:id": true, "GET /api/franchise/subscription/list": false, "GET /api/franchise/subscription/invoices": false,
		"GET /api/franchise/export/list": false, "OPTIONS /api/franchise/thing": false,
		"POST /api/franchise/logout": false, "POST /api/franchise/accounts/switch": false, "DELETE /api/franchise/accounts/:id": false,
		"POST /api/franchise/team/invitations/:id/accept": false, "POST /api/franchise/team/members": true,
	} {
		method, path, _ := strings.Cut(route, " ")
		a := &acts{}
		got := call{route: path, method: method}.through(t, asMember("manager"), middleware.NoteActs(a))
		require.NoError(t, asError(got), route)
		if !noted {
			require.Empty(t, a.began, route)
			continue
		}
		require.Equal(t, []string{"m " + route}, a.began, "by its pattern, which names nobody")
		require.Equal(t, []bool{true}, a.ended, route)

		own := &acts{}
		call{route: path, method: method, cookies: map[string]string{"__Host-f360_session": "a"}}.through(t, signedIn(t, "s"), middleware.NoteActs(own))
		require.Empty(t, own.began, "%s: the owner's calls are left alone", route)
	}
}

// If the first record fails, the call does not run. The result is recorded even if the caller has gone, and a failed second record is
// logged.
func TestNoteActs_RecordFails_StopsTheCall(t *testing.T) {
	t.Parallel()
	away := errs.Unavailable(errors.New("EOF"))
	unnoted := &acts{begins: away}
	got := call{route: route, method: http.MethodPost}.through(t, asMember("manager"), middleware.NoteActs(unnoted))
	require.Equal(t, "unavailable", got.code)
	require.Empty(t, unnoted.ended)

	for name, c := range map[string]struct {
		handler, ends error
		done          bool
		want          errs.Kind
		told          int
	}{
		"done":                    {done: true},
		"refused":                 {handler: errs.Forbidden(), want: errs.KindForbidden, told: 1},
		"done, and not noted":     {ends: away, done: true, want: errs.KindUnavailable, told: 1},
		"refused, and not noted":  {handler: errs.Forbidden(), ends: away, want: errs.KindForbidden, told: 1},
		"a failure of the server": {handler: errors.New("EOF"), want: errs.KindInternal, told: 1},
	} {
		a := &acts{ends: c.ends}
		var told []*gin.Error
		e := gin.New()
		e.POST(route, func(c *gin.Context) { c.Next(); told = c.Errors }, asMember("manager"), middleware.NoteActs(a), func(g *gin.Context) {
			if c.handler != nil {
				_ = g.Error(c.handler)
			}
		})
		ctx, gone := context.WithCancel(t.Context())
		gone()
		e.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, http.MethodPost, route, http.NoBody))
		require.Equal(t, []bool{c.done}, a.ended, name)
		require.True(t, a.alive, "%s: noted although the caller has gone", name)
		require.Len(t, told, c.told, name)
		if c.told > 0 {
			require.Equal(t, c.want, errs.KindOf(told[0].Err), name)
		}
	}
}

func TestPermission_RoleWithoutTheRight_NamesTheRoles(t *testing.T) {
	t.Parallel()
	policies, err := authz.New()
	require.NoError(t, err)
	for role, want := range map[account.Role]map[string]string{
		"accountant": {"GET /api/franchise/subscription/invoice/:id": "", "POST /api/franchise/tenant/create": "role_forbidden", "POST /api/franchise/profile/erasure": "role_forbidden"},
		"manager":    {"POST /api/franchise/profile/store/update": "", "GET /api/franchise/subscription/invoice/:id": "role_forbidden", "POST /api/franchise/team/members": "role_forbidden"},
		"owner":      {"GET /api/franchise/session": "role_forbidden"},
		"":           {"GET /api/franchise/session": "role_forbidden"},
	} {
		for route, code := range want {
			method, path, _ := strings.Cut(route, " ")
			require.Equal(t, code, call{route: path, method: method}.through(t, asMember(role), middleware.Permission(policies)).code, "%s: %s", role, route)
		}
	}
	got := call{route: route, method: http.MethodGet}.through(t, asMember("manager"))
	require.Empty(t, middleware.Owner(got.passed), "public calls tell a member nothing of the account's plan")
	got = call{route: route, method: http.MethodGet, cookies: map[string]string{"__Host-f360_session": "a"}}.through(t, signedIn(t, "s"))
	require.Equal(t, "f", middleware.Owner(got.passed))
}

// keys knows one key.
type keys struct {
	key   connect.Key
	err   error
	asked []string
}

func (k *keys) Authenticate(_ context.Context, text string) (connect.Key, error) {
	k.asked = append(k.asked, text)
	return k.key, k.err
}

// hits refuses by the rule's name, and keeps what was counted.
type hits struct {
	refuses map[string]error
	counted []string
}

func (h *hits) Hit(_ context.Context, r ratelimit.Rule, subject string) error {
	h.counted = append(h.counted, r.Name+" "+subject)
	return h.refuses[r.Name]
}

// A wrong key counts against its address, a right one against itself; a database that is down counts against nobody.
func TestKeyLimit_CountsByKeyOrAddress(t *testing.T) {
	t.Parallel()
	rules := middleware.KeyRules{Key: ratelimit.Rule{Name: "key"}, Wrong: ratelimit.Rule{Name: "wrong"}}
	right := connect.Key{ID: "k", Scopes: []connect.Scope{connect.ScopeEntitlements}}
	for name, c := range map[string]struct {
		key     connect.Key
		err     error
		refuses map[string]error
		want    errs.Kind
		counted []string
	}{
		"a right key":           {key: right, counted: []string{"key k"}},
		"too often":             {key: right, refuses: map[string]error{"key": errs.RateLimited(time.Minute)}, want: errs.KindRateLimited, counted: []string{"key k"}},
		"of another scope":      {key: connect.Key{ID: "k", Scopes: []connect.Scope{"webhooks:read"}}, want: errs.KindForbidden, counted: []string{"key k"}},
		"of no customer":        {key: connect.Key{ID: "k"}, want: errs.KindForbidden, counted: []string{"key k"}},
		"a wrong key":           {err: errs.Unauthenticated(), want: errs.KindUnauthenticated, counted: []string{"wrong 192.0.2.1"}},
		"wrong keys, too often": {err: errs.Unauthenticated(), refuses: map[string]error{"wrong": errs.RateLimited(time.Minute)}, want: errs.KindRateLimited, counted: []string{"wrong 192.0.2.1"}},
		"no database":           {err: errs.Unavailable(errors.New("EOF")), want: errs.KindUnavailable},
		"a fault":               {err: errors.New("EOF"), want: errs.KindInternal},
	} {
		a, l := &keys{key: c.key, err: c.err}, &hits{refuses: c.refuses}
		got := call{route: route, method: http.MethodGet, headers: map[string]string{"Authorization": "Bearer f360_x"}}.
			through(t, middleware.RequireKey(a, l, rules, connect.ScopeEntitlements))
		require.Equal(t, c.want, got.kind, name)
		require.Equal(t, c.counted, l.counted, name)
	}
	// Schemes are of no case, and several spaces may follow (RFC 9110, sections 11.1 and 11.4).
	for header, want := range map[string]string{
		"Bearer f360_x": "f360_x", "bearer f360_x": "f360_x", "BEARER   f360_x": "f360_x", "Basic f360_x": "", "Bearer": "", "Bearer ": "", "Bearerf360_x": "", "": "", "f360_x": "",
	} {
		a := &keys{key: right}
		call{route: route, method: http.MethodGet, headers: map[string]string{"Authorization": header}}.through(t, middleware.RequireKey(a, &hits{}, rules, connect.ScopeEntitlements))
		require.Equal(t, []string{want}, a.asked, "%q", header)
	}
}

// Gateways have their own limit for all their customers. The sign-in calls stay open under a flood, and close only if the database is down.
func TestLimitWrites_EachRoute_HasItsRule(t *testing.T) {
	t.Parallel()
	rules := middleware.WriteRules{
		Franchiser: ratelimit.Rule{Name: "franchiser"}, Device: ratelimit.Rule{Name: "device"}, Address: ratelimit.Rule{Name: "address"},
		Doors: ratelimit.Rule{Name: "doors"}, Gateway: ratelimit.Rule{Name: "gateway"},
	}
	routes := middleware.WriteRoutes{Gateway: []string{"/gateway"}, Doors: []string{"/door"}}
	limited, away := errs.RateLimited(time.Minute), errs.Unavailable(errors.New("EOF"))
	known := guard.ReadDevice(testkit.NewKeyring(t), "").Remember(guard.KindFranchiser, "9876543210", testkit.Start())
	device := guard.ReadDevice(testkit.NewKeyring(t), known).ID()
	for name, c := range map[string]struct {
		route, device string
		signedIn      bool
		refuses       map[string]error
		want          errs.Kind
		counted       []string
		pressed       bool
	}{
		"a gateway":                      {route: "/gateway", counted: []string{"gateway 192.0.2.1"}},
		"a gateway, too often":           {route: "/gateway", refuses: map[string]error{"gateway": limited}, want: errs.KindRateLimited, counted: []string{"gateway 192.0.2.1"}},
		"a gateway in a session":         {route: "/gateway", signedIn: true, counted: []string{"gateway 192.0.2.1"}},
		"a customer":                     {route: "/thing", signedIn: true, device: known, counted: []string{"franchiser f"}},
		"a customer at a door":           {route: "/door", signedIn: true, refuses: map[string]error{"franchiser": limited}, want: errs.KindRateLimited, counted: []string{"franchiser f"}},
		"a stranger":                     {route: "/thing", counted: []string{"address 192.0.2.1"}},
		"a known device":                 {route: "/thing", device: known, counted: []string{"device " + device}},
		"a known device, used up":        {route: "/thing", device: known, refuses: map[string]error{"device": limited}, counted: []string{"device " + device, "address 192.0.2.1"}},
		"a known device, nothing known":  {route: "/thing", device: known, refuses: map[string]error{"device": away}, want: errs.KindUnavailable, counted: []string{"device " + device}},
		"a device of another's making":   {route: "/thing", device: "x" + known, counted: []string{"address 192.0.2.1"}},
		"a door":                         {route: "/door", counted: []string{"doors 192.0.2.1"}},
		"a door under a flood":           {route: "/door", refuses: map[string]error{"doors": limited}, counted: []string{"doors 192.0.2.1"}, pressed: true},
		"a door that nobody can judge":   {route: "/door", refuses: map[string]error{"doors": away}, want: errs.KindUnavailable, counted: []string{"doors 192.0.2.1"}},
		"a known device at a door":       {route: "/door", device: known, refuses: map[string]error{"doors": limited}, counted: []string{"device " + device}},
		"a used up device at a door":     {route: "/door", device: known, refuses: map[string]error{"device": limited, "doors": limited}, counted: []string{"device " + device, "doors 192.0.2.1"}, pressed: true},
		"any other route under the same": {route: "/doors", refuses: map[string]error{"address": limited}, want: errs.KindRateLimited, counted: []string{"address 192.0.2.1"}},
	} {
		l := &hits{refuses: c.refuses}
		handlers := []gin.HandlerFunc{middleware.LimitWrites(l, cookies(t), rules, routes)}
		sent := call{route: c.route, method: http.MethodPost, cookies: map[string]string{"__Host-f360_device": c.device}}
		if c.signedIn {
			sent.cookies["__Host-f360_session"] = "a"
			handlers = append([]gin.HandlerFunc{signedIn(t, "s")}, handlers...)
		}
		got := sent.through(t, handlers...)
		require.Equal(t, c.want, got.kind, name)
		require.Equal(t, c.counted, l.counted, name)
		if got.passed != nil {
			require.Equal(t, c.pressed, middleware.Pressed(got.passed), name)
		}
	}
}
