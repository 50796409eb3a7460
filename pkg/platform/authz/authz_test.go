package authz_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/authz"
)

func TestEnforce_EachRoleRouteAndTenant(t *testing.T) {
	t.Parallel()
	e, err := authz.New()
	require.NoError(t, err)

	const own, foreign = "own", "foreign"
	franchiser := []struct{ route, method string }{
		{"/api/franchise/session", "GET"},
		{"/api/franchise/logout", "POST"},
		{"/api/franchise/profile/sessions/:id", "DELETE"},
		{"/api/franchise/profile/address/:id", "GET"},
		{"/api/franchise/tenant/create", "POST"},
		{"/api/franchise/subscription/payments/request", "POST"},
		{"/api/franchise/subscription/custom-domain/:id", "PUT"},
	}
	support := []struct{ route, method string }{
		{"/api/support/search", "GET"},
		{"/api/support/customers/:id/timeline", "GET"},
		{"/api/support/jobs/:id/rerun", "POST"},
		{"/api/support/jobs/:id/cancel", "POST"},
		{"/api/support/customers/:id/invoices/:invoice/resend", "POST"},
		{"/api/support/mobiles/:mobile/unlock", "POST"},
		{"/api/support/views/:id/begin", "POST"},
	}
	admin := []struct{ route, method string }{
		{"/api/support/queues/:name/pause", "POST"},
		{"/api/support/reversals", "POST"},
		{"/api/support/settlement-differences/:id/acknowledge", "POST"},
		{"/api/support/reversals/:id/approve", "POST"},
		{"/api/support/staff/:id", "PUT"},
		{"/api/support/staff/:id", "DELETE"},
		{"/api/support/catalogue", "PUT"},
	}
	check := func(want bool, r authz.Request) {
		t.Helper()
		ok, err := e.Allowed(r)
		require.NoError(t, err)
		require.Equal(t, want, ok, "%+v", r)
	}
	for _, c := range franchiser {
		check(true, authz.Request{Role: authz.RoleFranchiser, Tenant: own, Owner: own, Route: c.route, Method: c.method})
		check(false, authz.Request{Role: authz.RoleFranchiser, Tenant: own, Owner: foreign, Route: c.route, Method: c.method})
		check(false, authz.Request{Role: authz.RoleFranchiser, Route: c.route, Method: c.method})
		looked := authz.Request{Role: authz.RoleViewer, Tenant: own, Owner: own, Route: c.route, Method: c.method}
		check(c.method == "GET", looked)
		looked.Owner = foreign
		check(false, looked)
		for _, staff := range []authz.Role{authz.RoleSupport, authz.RoleFinance, authz.RoleAuditor, authz.RoleAdmin} {
			check(false, authz.Request{Role: staff, Owner: own, Route: c.route, Method: c.method})
		}
	}
	for _, c := range support {
		check(false, authz.Request{Role: authz.RoleFranchiser, Tenant: own, Owner: own, Route: c.route, Method: c.method})
		check(true, authz.Request{Role: authz.RoleSupport, Owner: own, Route: c.route, Method: c.method})
		check(true, authz.Request{Role: authz.RoleAdmin, Owner: foreign, Route: c.route, Method: c.method})
	}
	for _, c := range admin {
		check(false, authz.Request{Role: authz.RoleFranchiser, Tenant: own, Owner: own, Route: c.route, Method: c.method})
		check(false, authz.Request{Role: authz.RoleSupport, Owner: own, Route: c.route, Method: c.method})
		check(true, authz.Request{Role: authz.RoleAdmin, Owner: own, Route: c.route, Method: c.method})
	}
	for role, allowed := range map[authz.Role][]string{
		authz.RoleSupport: nil, authz.RoleFinance: nil, authz.RoleAuditor: {"GET"}, authz.RoleAdmin: {"GET", "POST", "PUT", "DELETE"},
	} {
		for _, method := range []string{"GET", "POST", "PUT", "DELETE"} {
			for _, route := range []string{"/api/support/staff", "/api/support/staff/:id", "/api/support/staff-resets/:id/approve"} {
				check(slices.Contains(allowed, method), authz.Request{Role: role, Owner: own, Route: route, Method: method})
			}
			check(true, authz.Request{Role: role, Owner: own, Route: "/api/support/account/sessions", Method: method})
			check(role == authz.RoleAdmin || role == authz.RoleSupport && method == "POST" || role != authz.RoleFinance && method == "GET",
				authz.Request{Role: role, Owner: own, Route: "/api/support/jobs/:id", Method: method})
			check(role == authz.RoleAdmin || role == authz.RoleFinance && method == "POST" || method == "GET",
				authz.Request{Role: role, Owner: own, Route: "/api/support/reversals", Method: method})
		}
	}
	for _, route := range []string{
		"/api/support/figures", "/api/support/gst-returns/:month/documents", "/api/support/books/trial-balance", "/api/support/books/profit-and-loss",
		"/api/support/books/deferred-revenue", "/api/support/books/files/:month", "/api/support/books/lock", "/api/support/books/checks",
	} {
		for _, role := range []authz.Role{authz.RoleSupport, authz.RoleFinance, authz.RoleAuditor, authz.RoleAdmin} {
			operation := strings.HasSuffix(route, "/lock") || strings.HasSuffix(route, "/checks")
			check(role != authz.RoleSupport || operation, authz.Request{Role: role, Owner: own, Route: route, Method: "GET"})
		}
	}
	for _, route := range []string{
		"/api/support/money/export", "/api/support/reversals/export", "/api/support/transfers/export", "/api/support/bank-credits/export",
		"/api/support/tds/export", "/api/support/credit-notes/export", "/api/support/e-invoices/export", "/api/support/customers/:id/account/file",
		"/api/support/figures/:figure/file", "/api/support/gst-returns/:month/file", "/api/support/books/files/:month/:file",
	} {
		for role, allowed := range map[authz.Role]bool{
			authz.RoleSupport: false, authz.RoleFinance: true, authz.RoleAuditor: true, authz.RoleAdmin: true,
		} {
			check(allowed, authz.Request{Role: role, Owner: own, Route: route, Method: "GET"})
		}
	}
	for _, nobody := range []authz.Role{"", "role:", "franchiser", "support", "role:owner", "*"} {
		check(false, authz.Request{Role: nobody, Tenant: own, Owner: own, Route: "/api/franchise/session", Method: "GET"})
		check(false, authz.Request{Role: nobody, Owner: own, Route: "/api/support/search", Method: "GET"})
	}
	for _, role := range []authz.Role{authz.RoleFranchiser, authz.RoleSupport, authz.RoleAdmin} {
		check(false, authz.Request{Role: role, Tenant: own, Owner: own, Route: "/metrics", Method: "GET"})
	}
}

func BenchmarkAllowed(b *testing.B) {
	e, err := authz.New()
	require.NoError(b, err)
	r := authz.Request{Role: authz.RoleFranchiser, Tenant: "t", Owner: "t", Route: "/api/franchise/session", Method: "GET"}
	for b.Loop() {
		if ok, err := e.Allowed(r); err != nil || !ok {
			b.Fatal(ok, err)
		}
	}
}
