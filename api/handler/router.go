package handler

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/url"
	"runtime/debug"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

// RouterOptions are the parts of a router that main decides.
type RouterOptions struct {
	Logger *slog.Logger
	// TrustedProxies are the CIDRs whose X-Forwarded-For is believed.
	TrustedProxies []string
	// Before runs before every call under Prefix: origin and XSRF checks, the session where there is one.
	Before []gin.HandlerFunc
	// Require runs before every private call: a live session and its permission.
	Require []gin.HandlerFunc
	Areas   []Area
	// Deadline is how long a request may take until its answer begins.
	Deadline time.Duration
	// Measure counts requests; nil for none.
	Measure Measure
	// Public is where the site is reached. By https every answer carries Strict-Transport-Security.
	Public *url.URL
	// Hosts answers requests whose host is not the product's own and aborts them; nil for none.
	Hosts gin.HandlerFunc
}

// NewRouter builds the engine with the product's calls under Prefix; health, pages and development calls are
// added to it by main.
func NewRouter(o RouterOptions) (*gin.Engine, error) {
	gin.SetMode(gin.ReleaseMode)
	e := gin.New()
	e.HandleMethodNotAllowed = true
	e.RedirectTrailingSlash = false
	e.ContextWithFallback = true
	if err := e.SetTrustedProxies(o.TrustedProxies); err != nil {
		return nil, fmt.Errorf("trusted proxies: %w", err)
	}
	e.Use(begin(o), answerFailure, recoverPanic, Handle(refuseBrokenText), securityHeaders(o.Public))
	if o.Hosts != nil {
		e.Use(func(c *gin.Context) {
			o.Hosts(c)
			c.Set(keyStore, c.IsAborted())
		})
	}
	e.NoMethod(Handle(func(*gin.Context) error {
		return errs.New(errs.KindNotFound, "not_found", "Resource not found!")
	}))

	public := e.Group(Prefix, o.Before...)
	private := public.Group("", o.Require...)
	for _, a := range o.Areas {
		a.Register(Routes{Public: public, Private: private})
	}
	return e, nil
}

// Measure notes how a request ended; metrics.Metrics is the one that does.
type Measure interface {
	Began() (ended func(route, method string, status int, took time.Duration))
}

// begin names the request, keeps the logger for its handlers, sets when they must have answered, and when it is done counts it
// and writes one line. Neither the query nor the body is logged, nor the path or who it was: they hold personal data.
func begin(o RouterOptions) gin.HandlerFunc {
	return func(c *gin.Context) {
		started, ended := time.Now(), func(string, string, int, time.Duration) {} //nolint:forbidigo // how long a request took is no business time
		if o.Measure != nil {
			ended = o.Measure.Began()
		}
		r := &request{id: id.New(), logger: o.Logger}
		c.Set(keyRequest, r)
		c.Writer.Header()["X-Request-Id"] = []string{r.id}
		if mayWrite(c.Request) {
			c.Request = c.Request.WithContext(id.WithRequest(c.Request.Context(), r.id))
		}
		r.unhurried = c.Request.Context()
		ctx, cancel := context.WithTimeout(r.unhurried, o.Deadline)
		c.Request = c.Request.WithContext(ctx)
		defer func() {
			cancel()
			route, took := routeOf(c), time.Since(started)
			ended(route, c.Request.Method, c.Writer.Status(), took)
			o.Logger.LogAttrs(r.unhurried, accessLevel(c.Request.URL.Path), "request",
				slog.String("request_id", r.id), slog.String("method", c.Request.Method), slog.String("route", route),
				slog.Int("status", c.Writer.Status()), slog.Int64("took_ms", took.Milliseconds()), slog.Int("bytes", max(c.Writer.Size(), 0)),
				slog.String("actor", actorKind(c)))
		}()
		c.Next()
	}
}

// routeOf is the pattern of the request's route; what has none is a store's, a page or file of the build, or nothing.
func routeOf(c *gin.Context) string {
	switch route := c.FullPath(); {
	case route != "":
		return route
	case c.GetBool(keyStore):
		return "(store)"
	case c.Writer.Status() == http.StatusNotFound || c.Writer.Status() == http.StatusMethodNotAllowed:
		return "(none)"
	case strings.HasPrefix(c.Request.URL.Path, "/assets/"):
		return "(asset)"
	}
	return "(page)"
}

// accessLevel keeps what is asked every few seconds, and the files of every page, out of an ordinary log.
func accessLevel(path string) slog.Level {
	if path == "/healthz" || path == "/readyz" || strings.HasPrefix(path, "/assets/") {
		return slog.LevelDebug
	}
	return slog.LevelInfo
}

// mayWrite says whether a request leaves rows that tell its id: all but reads, and those of staff, who are recorded when
// they open a customer.
func mayWrite(r *http.Request) bool {
	return r.Method != http.MethodGet && r.Method != http.MethodHead || strings.HasPrefix(r.URL.Path, SupportPrefix+"/")
}

// answerFailure answers with the last error that a handler or a middleware left in the context.
func answerFailure(c *gin.Context) {
	c.Next()
	if last := c.Errors.Last(); last != nil && !c.Writer.Written() {
		Fail(c, last.Err)
	}
}

// recoverPanic turns a panic into a 500 of the usual shape and logs its stack.
func recoverPanic(c *gin.Context) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		if p == http.ErrAbortHandler { //nolint:errorlint // compared as net/http does
			panic(p)
		}
		_ = c.Error(errs.Internal(fmt.Errorf("panic: %v\n%s", p, debug.Stack())))
		c.Abort()
	}()
	c.Next()
}

// refuseBrokenText keeps from every call what Postgres cannot: a path with such text leads nowhere, and a query is refused.
func refuseBrokenText(c *gin.Context) error {
	address := c.Request.URL
	if !strings.HasPrefix(address.Path, "/api/") {
		return nil
	}
	if !text.Clean(address.Path) {
		return errs.NotFound()
	}
	if query, err := url.QueryUnescape(address.RawQuery); err != nil || !text.Clean(query) {
		return errs.Invalid("The address holds text that is not valid.")
	}
	return nil
}

// securityHeaders are right for every answer: data is no page, documents get more than the files of the build, and the pages
// have a content security policy of their own. The values are shared by all answers: a handler sets a header anew, it never
// changes them in place. The sub-domains of stores' own domains are not ours to decide about.
func securityHeaders(public *url.URL) gin.HandlerFunc {
	return func(c *gin.Context) {
		header := c.Writer.Header()
		maps.Copy(header, everywhere)
		switch {
		case public.Scheme != "https":
		case isUnder(c.Request.Host, public.Hostname()):
			maps.Copy(header, onOurHosts)
		default:
			maps.Copy(header, onOtherHosts)
		}
		path := c.Request.URL.Path
		switch {
		case strings.HasPrefix(path, "/api/"):
			maps.Copy(header, onData)
		case !strings.HasPrefix(path, "/assets/"):
			maps.Copy(header, onDocuments)
		}
		c.Next()
	}
}

// isUnder says whether a host, with or without a port, is the domain or below it.
func isUnder(host, domain string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return host == domain || strings.HasSuffix(host, "."+domain)
}

//nolint:gochecknoglobals // constants
var (
	everywhere = http.Header{
		"X-Content-Type-Options":  {"nosniff"},
		"X-Frame-Options":         {"DENY"},
		"Content-Security-Policy": {"frame-ancestors 'none'"},
	}
	onOurHosts   = http.Header{"Strict-Transport-Security": {"max-age=31536000; includeSubDomains"}}
	onOtherHosts = http.Header{"Strict-Transport-Security": {"max-age=31536000"}}
	onData       = http.Header{
		"Content-Security-Policy": {"default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"},
	}
	// onDocuments mean something to a browser only where it shows a page.
	onDocuments = http.Header{
		"Referrer-Policy":            {"strict-origin-when-cross-origin"},
		"Cross-Origin-Opener-Policy": {"same-origin"},
		"Permissions-Policy":         {"camera=(), microphone=(), geolocation=(), payment=(), otp-credentials=(self)"},
	}
)
