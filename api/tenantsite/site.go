// Package tenantsite serves a store's own host: a page for the store, and a dashboard behind its username and password. It
// shares neither sessions nor cookies with the product, and runs no script.
package tenantsite

import (
	"context"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/outlet"
	"github.com/franchise360/franchise360/pkg/platform/card"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/text"
	"github.com/franchise360/franchise360/pkg/tenant"
)

// Limiter counts hits of a subject; ratelimit.Limiter implements it.
type Limiter interface {
	Hit(ctx context.Context, r ratelimit.Rule, subject string) error
}

// Options holds the product's hosts, and the dependencies for recognising and limiting visitors.
type Options struct {
	Public     *url.URL
	BaseDomain string
	Limits     guard.Limits
	Keys       secret.Keyring
	Clock      clock.Clock
}

// Site serves the hosts of stores.
type Site struct {
	stores   *tenant.Service
	outlets  *outlet.Service
	partners *outlet.Partners
	imports  *outlet.Imports
	limiter  Limiter
	guardian *guard.Guard
	options  Options
	pages    *pages
	origins  *http.CrossOriginProtection
	logger   *slog.Logger
}

// New returns the site backed by the stores.
func New(
	stores *tenant.Service, outlets *outlet.Service, partners *outlet.Partners, imports *outlet.Imports, limiter Limiter, g *guard.Guard, o Options,
	logger *slog.Logger,
) (*Site, error) {
	p, err := loadPages()
	if err != nil {
		return nil, err
	}
	return &Site{
		stores: stores, outlets: outlets, partners: partners, imports: imports, limiter: limiter, guardian: g, options: o, pages: p, origins: http.NewCrossOriginProtection(), logger: logger,
	}, nil
}

// writesOfStore limits the changes made by signed-in users of a store.
func (s *Site) writesOfStore() ratelimit.Rule {
	return ratelimit.Rule{Name: "store_writes", Limit: s.options.Limits.Writes.Store, Window: 5 * time.Minute}
}

const (
	maxForm       = 8 << 10
	contentPolicy = "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
	sessionName   = "store_session"
	deviceName    = "store_device"
	pathLogin     = "/dashboard/login"
	pathLogout    = "/dashboard/logout"
	pathDashboard = "/dashboard"
	pathOutlets   = "/dashboard/outlets"
	pathExport    = "/dashboard/outlets.csv"
	pathNewOutlet = "/dashboard/outlets/new"
	pathStyle     = "/store.css"
	pathIcon      = "/favicon.svg"
	pathOldIcon   = "/favicon.ico"
)

// Handler serves requests for a store's host and passes all others on to the product. It runs before the product's routes.
func (s *Site) Handler(c *gin.Context) {
	host := hostOf(c.Request.Host)
	r := &request{Site: s, c: c, ctx: c.Request.Context()}
	r.in = r.reads()
	if code, ok := invitationCode(c.Request.URL.Path); ok && s.isProduct(host) && c.Request.Method == http.MethodGet {
		c.Abort()
		s.invitation(r, code)
		return
	}
	if s.isProduct(host) || isOperational(c.Request.URL.Path) || c.Request.URL.Path == pathIcon {
		return
	}
	c.Abort()
	ref, ours, err := s.stores.ByHost(r.ctx, host)
	switch {
	case err == nil:
		r.ref, r.atDefault = ref, ours
		r.serve()
	case errs.KindOf(err) == errs.KindNotFound && r.movedToTwin(host):
	case errs.KindOf(err) == errs.KindNotFound:
		r.message(http.StatusMisdirectedRequest, r.say("There is no store here"),
			r.say("The address may be misspelt, or its owner is still linking the domain."))
	default:
		r.failed(err)
	}
}

// movedToTwin redirects a page of a linked domain with "www." added or left out to the domain, and reports whether it answered.
func (r *request) movedToTwin(host string) bool {
	if !r.onlyReads() {
		return false
	}
	twin, err := r.stores.TwinDomain(r.ctx, host)
	switch {
	case err == nil:
		r.moveTo(twin)
	case errs.KindOf(err) == errs.KindNotFound:
		return false
	default:
		r.failed(err)
	}
	return true
}

func (r *request) onlyReads() bool {
	return r.c.Request.Method == http.MethodGet || r.c.Request.Method == http.MethodHead
}

// moveTo redirects to the same page of another host.
func (r *request) moveTo(host string) {
	to := url.URL{Scheme: r.options.Public.Scheme, Host: host, Path: r.c.Request.URL.Path, RawQuery: r.c.Request.URL.RawQuery}
	r.c.Header("Cache-Control", "private, max-age=300") // browsers keep a 301 for ever otherwise, also when the domain is removed
	r.c.Redirect(http.StatusMovedPermanently, to.String())
}

// movedToLinked redirects a page of the default domain to the store's linked domain, if that is in use, so that a store has one
// address. Answers to forms stay, because their sign-in belongs to the host.
func (r *request) movedToLinked() bool {
	if !r.onlyReads() {
		return false
	}
	linked, err := r.stores.LinkedDomain(r.ctx, r.ref)
	if err != nil {
		r.failed(err)
		return true
	}
	if linked == "" {
		return false
	}
	r.moveTo(linked)
	return true
}

func hostOf(hostPort string) string {
	host := hostPort
	if h, _, err := net.SplitHostPort(hostPort); err == nil {
		host = h
	}
	return strings.TrimSuffix(strings.ToLower(host), ".")
}

// isProduct reports whether the host is the product's own: its public name with or without www, the base domain, an IP
// address, or a name without a dot, as used by neighbouring machines.
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

// isOperational reports whether the path is for the operator's machines, which may use any host name.
func isOperational(path string) bool {
	return path == "/healthz" || path == "/readyz"
}

// request is one request to one store's host.
type request struct {
	*Site
	c   *gin.Context
	ctx context.Context // lives as long as the request
	ref tenant.Ref
	// atDefault reports that the request came to the store's default domain.
	atDefault bool
	// store is loaded when a page needs its name.
	store tenant.Tenant
	// in is the language of the answer.
	in i18n.Language
	// signedInAgain says whether the page shows the values of an interrupted session.
	signedInAgain bool
}

func (r *request) serve() {
	path, method := strings.TrimSuffix(r.c.Request.URL.Path, "/"), r.c.Request.Method
	if font, ok := r.pages.fonts[path]; ok {
		r.asset("font/woff2", font)
		return
	}
	switch path {
	case pathStyle:
		r.asset("text/css; charset=utf-8", r.pages.style)
		return
	case pathOldIcon: // requested by programs that read no links, such as bookmarks
		r.c.Redirect(http.StatusMovedPermanently, pathIcon)
		return
	}
	if r.atDefault && r.movedToLinked() {
		return
	}
	store, err := r.stores.Store(r.ctx, r.ref)
	if err != nil {
		r.failed(err)
		return
	}
	r.store = store
	r.in = r.reads()
	if method == http.MethodPost {
		r.post(path)
		return
	}
	if method != http.MethodGet && method != http.MethodHead {
		r.c.Header("Allow", "GET, HEAD, POST")
		r.message(http.StatusMethodNotAllowed, r.say("That does not work here"), r.say("This address only shows pages."))
		return
	}
	if r.choose() {
		return
	}
	switch strings.ToLower(path) {
	case "":
		r.render(http.StatusOK, "home", view{Title: store.StoreName})
	case pathLogin:
		r.loginPage()
	case tenant.EntryPath:
		r.takeEntry()
	case pathDashboard:
		r.dashboardPage()
	case pathOutlets:
		r.outletsPage()
	case pathExport:
		r.exportOutlets()
	case pathNewOutlet:
		r.newOutletPage()
	case pathImport:
		if r.enter() {
			r.importPage(http.StatusOK, nil)
		}
	case pathImportSample:
		r.importSample()
	case pathPartners:
		r.partnersPage()
	case pathNewPartner:
		r.newPartnerPage()
	default:
		if r.partnerGet(path) {
			return
		}
		if outletID, action, ok := outletPath(path); ok && action != actionStatus {
			r.outletPage(outletID, action)
			return
		}
		if importID, undo, ok := importPath(path); ok && !undo {
			if r.enter() {
				r.importDonePage(http.StatusOK, importID, nil)
			}
			return
		}
		if page, ok := buttonPage(path); ok { // where a choice of language, or Back, leads from the answer to a form
			r.see(page)
			return
		}
		r.message(http.StatusNotFound, r.say("Page not found"), r.say("This store has no page at this address."))
	}
}

func (r *request) post(path string) {
	if err := r.origins.Check(r.c.Request); err != nil {
		r.message(http.StatusForbidden, r.say("That did not come from this page"), r.say("Please open the page again and try once more."))
		return
	}
	do, known := posts()[postRoute(path)]
	if path == pathImport || path == pathImportPreview || strings.HasPrefix(path, pathImports) {
		r.postImport(path)
		return
	}
	limit, taken := int64(maxForm), clean
	if path == pathLogin && r.c.Request.ContentLength > maxForm {
		if paused, err := r.paused(); err == nil && paused {
			limit, taken = maxImportForm, storable
		}
	}
	r.c.Request.Body = http.MaxBytesReader(r.c.Writer, r.c.Request.Body, limit)
	if err := r.c.Request.ParseForm(); err != nil || !taken(r.c.Request.PostForm) {
		r.message(http.StatusBadRequest, r.say("That could not be read"), r.say("Please go back and try once more."))
		return
	}
	if !known {
		r.message(http.StatusNotFound, r.say("Page not found"), r.say("This store has no page at this address."))
		return
	}
	do(r, path)
}

// Posts returns the routes of the forms at a store's host, such as /dashboard/partners/:id/resend.
func Posts() []string { return slices.Sorted(maps.Keys(posts())) }

// posts are the forms by route. Those of imports read their own, larger bodies.
func posts() map[string]func(r *request, path string) {
	plain := func(do func(*request)) func(*request, string) { return func(r *request, _ string) { do(r) } }
	partner := func(r *request, path string) {
		partnerID, action, _ := partnerPath(path)
		r.changePartner(partnerID, action)
	}
	change := func(r *request, path string) {
		outletID, action, _ := outletPath(path)
		r.changeOutlet(outletID, action)
	}
	own := func(r *request, path string) { r.partnerPost(path) }
	return map[string]func(r *request, path string){
		pathLogin: plain((*request).signIn), pathLogout: plain((*request).signOut),
		pathOutlets: plain((*request).addOutlet), pathOutlets + "/:id/" + actionEdit: change, pathOutlets + "/:id/" + actionStatus: change,
		pathPartners: plain((*request).invitePartner), pathPartners + "/:id/" + actionResend: partner, pathPartners + "/:id/" + actionRemove: partner,
		pathImport: (*request).postImport, pathImportPreview: (*request).postImport, pathImports + ":id/undo": (*request).postImport,
		pathJoin + ":code": own, pathPartnerLogin: own, pathPartnerCode: own, pathPartnerLogout: own, pathPartnerOutlet + ":id": own,
	}
}

// postRoute returns the route of a form's path.
func postRoute(path string) string {
	if _, action, ok := partnerPath(path); ok {
		return pathPartners + "/:id/" + action
	}
	if _, action, ok := outletPath(path); ok {
		return pathOutlets + "/:id/" + action
	}
	if _, undo, ok := importPath(path); ok && undo {
		return pathImports + ":id/undo"
	}
	switch {
	case strings.HasPrefix(path, pathJoin):
		return pathJoin + ":code"
	case strings.HasPrefix(path, pathPartnerOutlet):
		return pathPartnerOutlet + ":id"
	}
	return path
}

// clean drops the invisible marks of pasted text from the form. It reports whether the form holds only text that Postgres can store, and
// no card number.
func clean(form url.Values) bool {
	for _, values := range form {
		for i, v := range values {
			v = text.WithoutMarks(v)
			values[i] = v
			if !text.Clean(v) || card.In(v) {
				return false
			}
		}
	}
	return true
}

// failed responds with the failure's status; its cause is only logged.
func (r *request) failed(err error) {
	if busy := errs.As(err); busy.Kind == errs.KindBusy {
		r.c.Header("Retry-After", roundUp(busy.RetryAfter.Seconds()))
		r.message(http.StatusServiceUnavailable, r.say("Please try again in a moment"), r.again(busy.Message))
		return
	}
	r.logger.ErrorContext(r.ctx, "store page failed", slog.String("tenant_id", r.ref.TenantID), log.Error(err))
	status := http.StatusInternalServerError
	if errs.KindOf(err) == errs.KindUnavailable {
		status = http.StatusServiceUnavailable
	}
	r.message(status, r.say("This page is not available just now"), r.say("Please try again in a moment."))
}
