// Package tenantsite is what a store's own host answers with: a page of the store and a dashboard behind its username
// and password. It shares neither session nor cookie with the product, and runs no script.
package tenantsite

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/platform/card"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/text"
	"github.com/franchise360/franchise360/pkg/tenant"
)

// Limiter counts hits of a subject; ratelimit.Limiter is the one that does.
type Limiter interface {
	Hit(ctx context.Context, r ratelimit.Rule, subject string) error
}

// Options say where the product itself is reached, and what the pages need to know who knocks.
type Options struct {
	Public     *url.URL
	BaseDomain string
	Limits     guard.Limits
	Keys       secret.Keyring
	Clock      clock.Clock
}

// Site answers at the hosts of stores.
type Site struct {
	stores   *tenant.Service
	limiter  Limiter
	guardian *guard.Guard
	options  Options
	pages    *pages
	origins  *http.CrossOriginProtection
	logger   *slog.Logger
}

// New returns the site over the stores.
func New(stores *tenant.Service, limiter Limiter, g *guard.Guard, o Options, logger *slog.Logger) (*Site, error) {
	p, err := loadPages()
	if err != nil {
		return nil, err
	}
	return &Site{
		stores: stores, limiter: limiter, guardian: g, options: o, pages: p, origins: http.NewCrossOriginProtection(), logger: logger,
	}, nil
}

// writesOfStore bounds what is changed from inside.
func (s *Site) writesOfStore() ratelimit.Rule {
	return ratelimit.Rule{Name: "store_writes", Limit: s.options.Limits.Writes.Store, Window: 5 * time.Minute}
}

const (
	maxForm        = 8 << 10
	contentPolicy  = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
	sessionName    = "store_session"
	deviceName     = "store_device"
	pathLogin      = "/dashboard/login"
	pathLogout     = "/dashboard/logout"
	pathDashboard  = "/dashboard"
	pathFranchises = "/dashboard/franchises"
	pathRemove     = "/dashboard/franchises/remove"
	pathStyle      = "/store.css"
)

// Handler answers requests whose host is a store's and lets all others through to the product. It stands before the
// product's routes.
func (s *Site) Handler(c *gin.Context) {
	host := hostOf(c.Request.Host)
	if s.isProduct(host) || isOperational(c.Request.URL.Path) {
		return
	}
	c.Abort()
	r := &request{Site: s, c: c, ctx: c.Request.Context()}
	ref, _, err := s.stores.ByHost(r.ctx, host)
	switch {
	case err == nil:
		r.ref = ref
		r.serve()
	case errs.KindOf(err) == errs.KindNotFound:
		r.message(http.StatusMisdirectedRequest, "There is no store here",
			"The address may be misspelt, or its owner is still linking the domain.")
	default:
		r.failed(err)
	}
}

func hostOf(hostPort string) string {
	host := hostPort
	if h, _, err := net.SplitHostPort(hostPort); err == nil {
		host = h
	}
	return strings.TrimSuffix(strings.ToLower(host), ".")
}

// isProduct says whether the host is the product's own: its public name with or without www, the base domain, an IP
// address or a name without a dot, by which machines beside it ask.
func (s *Site) isProduct(host string) bool {
	public := s.options.Public.Hostname()
	if host == public || host == s.options.BaseDomain || "www."+host == public || host == "www."+public {
		return true
	}
	if _, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return true
	}
	return !strings.Contains(host, ".")
}

// isOperational says whether the path is for the operator's machines, which may ask by any name.
func isOperational(path string) bool {
	return path == "/healthz" || path == "/readyz"
}

// request is one request at one store's host.
type request struct {
	*Site
	c   *gin.Context
	ctx context.Context // lives as long as the request
	ref tenant.Ref
	// store is read when a page needs its name.
	store tenant.Tenant
}

func (r *request) serve() {
	path, method := strings.TrimSuffix(r.c.Request.URL.Path, "/"), r.c.Request.Method
	if path == pathStyle {
		r.style()
		return
	}
	store, err := r.stores.Store(r.ctx, r.ref)
	if err != nil {
		r.failed(err)
		return
	}
	r.store = store
	if method == http.MethodPost {
		r.post(path)
		return
	}
	if method != http.MethodGet && method != http.MethodHead {
		r.c.Header("Allow", "GET, HEAD, POST")
		r.message(http.StatusMethodNotAllowed, "That does not work here", "This address only shows pages.")
		return
	}
	switch strings.ToLower(path) {
	case "":
		r.render(http.StatusOK, "home", view{Title: store.StoreName})
	case pathLogin:
		r.loginPage()
	case pathDashboard:
		r.dashboardPage()
	default:
		r.message(http.StatusNotFound, "Page not found", "This store has no page at this address.")
	}
}

func (r *request) post(path string) {
	if err := r.origins.Check(r.c.Request); err != nil {
		r.message(http.StatusForbidden, "That did not come from this page", "Please open the page again and try once more.")
		return
	}
	r.c.Request.Body = http.MaxBytesReader(r.c.Writer, r.c.Request.Body, maxForm)
	if err := r.c.Request.ParseForm(); err != nil || !clean(r.c.Request.PostForm) {
		r.message(http.StatusBadRequest, "That could not be read", "Please go back and try once more.")
		return
	}
	switch path {
	case pathLogin:
		r.signIn()
	case pathLogout:
		r.signOut()
	case pathFranchises:
		r.addFranchise()
	case pathRemove:
		r.removeFranchise()
	default:
		r.message(http.StatusNotFound, "Page not found", "This store has no page at this address.")
	}
}

// clean says whether the form holds only text that Postgres can keep, and no card number.
func clean(form url.Values) bool {
	for _, values := range form {
		for _, v := range values {
			if !text.Clean(v) || card.In(v) {
				return false
			}
		}
	}
	return true
}

// failed answers with the status of the failure; its cause is only logged.
func (r *request) failed(err error) {
	r.logger.ErrorContext(r.ctx, "store page failed", slog.String("tenant_id", r.ref.TenantID), log.Error(err))
	status := http.StatusInternalServerError
	if errs.KindOf(err) == errs.KindUnavailable {
		status = http.StatusServiceUnavailable
	}
	r.message(status, "This page is not available just now", "Please try again in a moment.")
}
