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
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/text"
	"github.com/franchise360/franchise360/pkg/platform/trace"
)

// RouterOptions holds the parts of a router that main provides.
type RouterOptions struct {
	Logger *slog.Logger
	// TrustedProxies are the CIDRs whose X-Forwarded-For is trusted.
	TrustedProxies []string
	// Before runs before every call under Prefix: origin and XSRF checks, and loading the session if there is one.
	Before []gin.HandlerFunc
	// Require runs before every private call: a valid session and its permission.
	Require []gin.HandlerFunc
	Areas   []Area
	// Deadline limits the time until a response begins.
	Deadline time.Duration
	// Measure counts requests; may be nil.
	Measure Measure
	// Traces starts the traces of requests; may be nil.
	Traces *trace.Tracer
	// Public is the site's URL. If it is https, every response carries Strict-Transport-Security.
	Public *url.URL
	// Hosts handles and aborts requests for hosts other than the product's own; may be nil.
	Hosts gin.HandlerFunc
}

// NewRouter builds the engine with the product's calls under Prefix; main adds health checks, pages and development calls.
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
	e.NoMethod(Handle(func(c *gin.Context) error {
		allowHead(c.Writer.Header())
		return errs.New(errs.KindNotFound, "not_found", "Resource not found!")
	}))

	public := e.Group(Prefix, o.Before...)
	private := public.Group("", o.Require...)
	for _, a := range o.Areas {
		a.Register(Routes{Public: public, Private: private})
	}
	return e, nil
}

// Measure records the outcome of requests; metrics.Metrics implements it. Busy says that the server refused for lack of capacity.
type Measure interface {
	Began() (ended func(route, method string, status int, busy bool, took time.Duration))
}

// begin assigns the request id, logger and deadline, and afterwards counts the request and logs one line. Query, body, path
// and caller are not logged: they contain personal data.
func begin(o RouterOptions) gin.HandlerFunc {
	return func(c *gin.Context) {
		started, ended := time.Now(), func(string, string, int, bool, time.Duration) {} //nolint:forbidigo // elapsed time, not business time
		if o.Measure != nil {
			ended = o.Measure.Began()
		}
		r := &request{id: id.New(), logger: o.Logger}
		c.Set(keyRequest, r)
		c.Writer.Header()["X-Request-Id"] = []string{r.id}
		if mayWrite(c.Request) {
			c.Request = c.Request.WithContext(id.WithRequest(c.Request.Context(), r.id))
		}
		traced, span := o.Traces.BeginRequest(c.Request.Context(), methodOf(c.Request))
		r.unhurried = traced
		ctx, cancel := context.WithTimeout(r.unhurried, o.Deadline)
		c.Request = c.Request.WithContext(ctx)
		defer func() {
			cancel()
			route, took := routeOf(c), time.Since(started)
			ended(route, methodOf(c.Request), c.Writer.Status(), isBusy(c), took)
			endSpan(span, c, r.id, route)
			o.Logger.LogAttrs(r.unhurried, accessLevel(c.Request.URL.Path), "request",
				slog.String("request_id", r.id), slog.String("method", methodOf(c.Request)), slog.String("route", route),
				slog.Int("status", c.Writer.Status()), slog.Int64("took_ms", took.Milliseconds()), slog.Int("bytes", max(c.Writer.Size(), 0)),
				slog.String("actor", actorKind(c)))
		}()
		c.Next()
	}
}

// isBusy reports whether the request was refused for lack of capacity: only that 503 has Retry-After.
func isBusy(c *gin.Context) bool {
	return c.Writer.Status() == http.StatusServiceUnavailable && c.Writer.Header().Get("Retry-After") != ""
}

// endSpan adds the content of the log line to the trace.
func endSpan(span trace.Span, c *gin.Context, requestID, route string) {
	status := c.Writer.Status()
	span.Name(methodOf(c.Request) + " " + route)
	span.Text("http.request.method", methodOf(c.Request))
	span.Text("http.route", route)
	span.Number("http.response.status_code", int64(status))
	span.Text("request_id", requestID)
	span.Text("actor", actorKind(c))
	if status >= http.StatusInternalServerError {
		span.Fail(strconv.Itoa(status))
	}
	span.End()
}

// routeOf returns the pattern of the request's route; without one, the request is for a store, a page or file of the build,
// or nothing.
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

// accessLevel keeps frequent health checks, and the files of every page, out of an ordinary log.
func accessLevel(path string) slog.Level {
	if path == "/healthz" || path == "/readyz" || strings.HasPrefix(path, "/assets/") {
		return slog.LevelDebug
	}
	return slog.LevelInfo
}

// mayWrite reports whether a request may leave rows with its id: all except reads, but including reads by staff, which are
// recorded when they open a customer.
func mayWrite(r *http.Request) bool {
	return r.Method != http.MethodGet && r.Method != http.MethodHead || strings.HasPrefix(r.URL.Path, SupportPrefix+"/")
}

// answerFailure responds with the last error that a handler or middleware left in the context.
func answerFailure(c *gin.Context) {
	c.Next()
	if last := c.Errors.Last(); last != nil && !c.Writer.Written() {
		Fail(c, last.Err)
	}
}

// recoverPanic turns a panic into a 500 envelope and logs its stack.
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

// refuseBrokenText rejects text that Postgres cannot store: a path with such text is not found, and a query is refused. It drops the
// invisible marks of pasted text from a query, such as one that searches for a copied name.
func refuseBrokenText(c *gin.Context) error {
	address := c.Request.URL
	if !strings.HasPrefix(address.Path, "/api/") {
		return nil
	}
	if !text.Clean(address.Path) {
		return errs.NotFound()
	}
	query, err := url.QueryUnescape(address.RawQuery)
	if err != nil || !text.Clean(text.WithoutMarks(query)) {
		return errs.Invalid("The address contains text that is not valid.")
	}
	if text.WithoutMarks(query) != query {
		address.RawQuery = plainForm(address.Query()).Encode()
	}
	return nil
}

// plainForm returns the values without the invisible marks of pasted text.
func plainForm(values url.Values) url.Values {
	for _, list := range values {
		for i, value := range list {
			list[i] = text.WithoutMarks(value)
		}
	}
	return values
}

// securityHeaders sets headers that suit every response: data is not a page, documents get more than other files of the
// build, and pages have their own content security policy. All responses share the values: a handler replaces a header,
// never changes it in place. Sub-domains of stores' own domains are not ours to make rules for.
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

// isUnder reports whether a host, with or without a port, is the domain or a sub-domain of it.
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
	// onDocuments matter to a browser only when it shows a page.
	onDocuments = http.Header{
		"Referrer-Policy":            {"strict-origin-when-cross-origin"},
		"Cross-Origin-Opener-Policy": {"same-origin"},
		"Permissions-Policy":         {"camera=(), microphone=(), geolocation=(), payment=(), otp-credentials=(self)"},
	}
)
