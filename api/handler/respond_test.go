package handler

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

func bodyOf(t *testing.T, w *httptest.ResponseRecorder) map[string]any {
	t.Helper()
	var body map[string]any
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &body), w.Body.String())
	return body
}

// Each kind of failure has its status and the same envelope. The cause is only logged, and a failure's data cannot imitate the envelope.
func TestFailure_EachKind_HasItsStatusAndEnvelope(t *testing.T) {
	t.Parallel()
	for kind, want := range map[errs.Kind]int{
		errs.KindMalformed: 400, errs.KindUnauthenticated: 401, errs.KindLimit: 402, errs.KindForbidden: 403, errs.KindNotFound: 404, errs.KindConflict: 409,
		errs.KindTooLarge: 413, errs.KindInvalid: 422, errs.KindRateLimited: 429, errs.KindInternal: 500, errs.KindUnavailable: 503, errs.KindBusy: 503, "of another day": 500,
	} {
		c, w := asking(t, http.MethodPost, "/api/franchise/thing", "")
		e := errs.New(kind, "a_code", "What happened.").Because(errors.New("dial tcp 10.0.0.7")).With("limit", 5).With("status", true).With("code", "x").With("message", "x").With("request_id", "x")
		Fail(c, fmt.Errorf("do the thing: %w", e))
		require.Equal(t, want, w.Code, string(kind))
		require.Equal(t, map[string]any{"status": false, "code": "a_code", "message": "What happened.", "limit": 5.0, "request_id": ""}, bodyOf(t, w))
		require.Equal(t, "no-store", w.Header().Get("Cache-Control"))
		require.Empty(t, w.Header().Get("Retry-After"))
		require.NotContains(t, w.Body.String(), "10.0.0.7")
		require.True(t, c.IsAborted())
	}
	c, w := asking(t, http.MethodPost, "/", "")
	Fail(c, errs.Invalid("Look again.").Field("name", "Too short.").Field("name", "No digits."))
	require.Equal(t, map[string]any{"name": []any{"Too short.", "No digits."}}, bodyOf(t, w)["messages"])
	for wait, want := range map[time.Duration]string{time.Millisecond: "1", time.Second: "1", time.Second + 1: "2", 90 * time.Second: "90", 0: ""} {
		c, w := asking(t, http.MethodPost, "/", "")
		Fail(c, errs.RateLimited(wait))
		require.Equal(t, want, w.Header().Get("Retry-After"), "rounded up, so that who waits comes late enough: %s", wait)
		if want != "" {
			require.Equal(t, want, fmt.Sprint(bodyOf(t, w)["retry_after"]))
		}
	}
	c, w = asking(t, http.MethodPost, "/", "")
	c.Status(http.StatusMethodNotAllowed)
	Fail(c, errs.NotFound())
	require.Equal(t, http.StatusMethodNotAllowed, w.Code, "gin has found the path with other methods")
	c, w = asking(t, http.MethodPost, "/", "")
	c.Status(http.StatusMethodNotAllowed)
	Fail(c, errs.Forbidden())
	require.Equal(t, http.StatusForbidden, w.Code)
}

// A caller who left is no fault of ours, and a call that ran out of time may succeed later.
func TestFailure_ClientGoneOrTimeout_IsNotAnError(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err  error
		gone bool
		want int
		code string
	}{
		"the caller left":              {fmt.Errorf("read: %w", context.Canceled), true, 499, "unavailable"},
		"the database stopped for it":  {fmt.Errorf("read: %w", &pq.Error{Code: pqerror.QueryCanceled}), true, 499, "unavailable"},
		"the database ran out of time": {fmt.Errorf("read: %w", &pq.Error{Code: pqerror.QueryCanceled}), false, 503, "unavailable"},
		"cancelled by ourselves":       {fmt.Errorf("read: %w", context.Canceled), false, 500, "internal"},
		"out of time":                  {fmt.Errorf("read: %w", context.DeadlineExceeded), false, 503, "unavailable"},
		"a refusal, out of time too":   {errs.Forbidden().Because(context.DeadlineExceeded), false, 403, "forbidden"},
		"a fault":                      {errors.New("a fault of ours"), false, 500, "internal"},
	} {
		g, w := asking(t, http.MethodPost, "/", "")
		var written strings.Builder
		ctx, cancel := context.WithCancel(g.Request.Context())
		g.Request = g.Request.WithContext(ctx)
		g.Set(keyRequest, &request{id: "r1", logger: slog.New(slog.NewJSONHandler(&written, nil))})
		if c.gone {
			cancel()
		}
		Fail(g, c.err)
		cancel()
		require.Equal(t, c.want, w.Code, name)
		require.Equal(t, []any{c.code, "r1"}, []any{bodyOf(t, w)["code"], bodyOf(t, w)["request_id"]}, name)
		require.Equal(t, c.want >= 500, strings.Contains(written.String(), `"level":"ERROR"`), "%s: %s", name, written.String())
	}
	g, w := asking(t, http.MethodPost, "/", "")
	late, cancel := context.WithTimeout(g.Request.Context(), 0)
	defer cancel()
	g.Request = g.Request.WithContext(late)
	Fail(g, &pq.Error{Code: pqerror.QueryCanceled})
	require.Equal(t, http.StatusServiceUnavailable, w.Code, "the request's own time is over, its caller still waits")
	g, _ = asking(t, http.MethodPost, "/", "")
	var written strings.Builder
	g.Set(keyRequest, &request{id: "r1", logger: slog.New(slog.NewJSONHandler(&written, nil))})
	Fail(g, errs.New(errs.KindBusy, "busy", "Too many at once."))
	require.NotContains(t, written.String(), "ERROR", "a full server wakes nobody")
}

func TestList_Envelope_HasTheNextPage(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		page        Page
		address     string
		total, last int
		next        any
	}{
		"nothing":              {Page{Number: 1, PerPage: 10}, "/list", 0, 1, nil},
		"one row":              {Page{Number: 1, PerPage: 10}, "/list", 1, 1, nil},
		"a whole page":         {Page{Number: 1, PerPage: 10}, "/list", 10, 1, nil},
		"a row more":           {Page{Number: 1, PerPage: 10}, "/list", 11, 2, "/list?page=2"},
		"the last page":        {Page{Number: 2, PerPage: 10}, "/list?page=2", 11, 2, nil},
		"beyond the last":      {Page{Number: 9, PerPage: 10}, "/list?page=9", 11, 2, nil},
		"by a place":           {Page{Number: 1, PerPage: 1, After: "a/b"}, "/list?search=x+y&per_page=1", 2, 2, "/list?after=a%2Fb&page=2&per_page=1&search=x+y"},
		"an old place is gone": {Page{Number: 1, PerPage: 1}, "/list?after=old", 2, 2, "/list?page=2"},
		"a hundred a page":     {Page{Number: 1, PerPage: 100}, "/list?per_page=100", 201, 3, "/list?page=2&per_page=100"},
	} {
		g, w := asking(t, http.MethodGet, c.address, "")
		require.NoError(t, List(g, "Rows.", []int{}, c.page, c.total), name)
		require.Equal(t, map[string]any{
			"status": true, "message": "Rows.", "data": []any{}, "current_page": float64(c.page.Number), "last_page": float64(c.last), "next_page_url": c.next,
			"per_page": float64(c.page.PerPage), "total": float64(c.total),
		}, bodyOf(t, w), name)
		require.Equal(t, "no-store", w.Header().Get("Cache-Control"))
	}
}

// An export may take longer than an answer has, but no longer than its reader stays.
func TestExport_SlowReader_ExtendsTheDeadline(t *testing.T) {
	t.Parallel()
	type key struct{}
	g, _ := asking(t, http.MethodGet, "/", "")
	whole, leave := context.WithCancel(t.Context())
	hurried, cancel := context.WithTimeout(context.WithValue(whole, key{}, "staff"), time.Nanosecond)
	defer cancel()
	<-hurried.Done()
	g.Set(keyRequest, &request{logger: slog.New(slog.DiscardHandler), unhurried: whole})
	g.Request = g.Request.WithContext(hurried)
	takeTime(g)
	require.NoError(t, g.Request.Context().Err())
	_, limited := g.Request.Context().Deadline()
	require.False(t, limited)
	require.Equal(t, "staff", g.Request.Context().Value(key{}), "whoever asks is still known")
	leave()
	<-g.Request.Context().Done()

	outside, _ := asking(t, http.MethodGet, "/", "")
	before := outside.Request.Context()
	takeTime(outside)
	require.Equal(t, before, outside.Request.Context())
}

func TestBind_BodyBeyondItsLimits_IsRefused(t *testing.T) {
	t.Parallel()
	type input struct {
		Name string `json:"name"`
		Any  any    `json:"any"`
	}
	bind := func(body string, kind string) (input, error) {
		c, _ := asking(t, http.MethodPost, "/", body, "Content-Type", kind)
		var in input
		err := Bind(c, &in)
		return in, err
	}
	const plain = "application/json"
	nested := func(n int) string { return `{"any":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}` }
	for name, c := range map[string]struct {
		body, kind string
		want       errs.Kind
		text       string
	}{
		"64 KB":                               {`{"name":"a"}` + strings.Repeat(" ", 64<<10-12), plain, "", "a"},
		"a byte more":                         {`{"name":"a"}` + strings.Repeat(" ", 64<<10-11), plain, errs.KindTooLarge, ""},
		"16 deep":                             {nested(16), plain, "", ""},
		"17 deep":                             {nested(17), plain, errs.KindMalformed, ""},
		"with its letters":                    {`{"name":"a"}`, plain + "; charset=utf-8", "", "a"},
		"as text":                             {`{"name":"a"}`, "text/plain", errs.KindMalformed, ""},
		"as a form":                           {`{"name":"a"}`, urlencoded, errs.KindMalformed, ""},
		"as nothing":                          {`{"name":"a"}`, "", errs.KindMalformed, ""},
		"another kind of JSON":                {`{"name":"a"}`, "application/json-patch+json", errs.KindMalformed, ""},
		"twice, one escaped":                  {`{"name":"a","na\u006de":"b"}`, plain, errs.KindMalformed, ""},
		"an escape that is text":              {`{"name":"\\ud800"}`, plain, "", `\ud800`},
		"a backslash before a pair":           {`{"name":"\\\ud83d\ude00"}`, plain, "", `\😀`},
		"a pair in capitals":                  {`{"name":"\uD83D\uDE00"}`, plain, "", "😀"},
		"two pairs":                           {`{"name":"\ud83d\ude00\ud83d\ude01"}`, plain, "", "😀😁"},
		"a pair the wrong way round":          {`{"name":"\ude00\ud83d"}`, plain, errs.KindMalformed, ""},
		"half a pair, then a letter":          {`{"name":"\ud83d\u0041"}`, plain, errs.KindMalformed, ""},
		"half a pair, then text":              {`{"name":"\ud83dxude00"}`, plain, errs.KindMalformed, ""},
		"half a pair at the end":              {`{"name":"\ud83d`, plain, errs.KindMalformed, ""},
		"a card in a list":                    {`{"any":["a",{"b":"4111 1111 1111 1111"}]}`, plain, errs.KindMalformed, ""},
		"null inside an open object":          {`{"any":{"a":null}}`, plain, errs.KindMalformed, ""},
		"duplicate key inside an open object": {`{"any":{"a":1,"a":2}}`, plain, errs.KindMalformed, ""},
		"something behind it":                 {`{"name":"a"} x`, plain, errs.KindMalformed, ""},
		"a turned direction":                  {`{"name":"a\u202eb"}`, plain, errs.KindMalformed, ""},
		"marks of pasted text":                {"{\"name\":\"\u200eAsha\u200b \ufeffRa\u00ado\"}", plain, "", "Asha Rao"},
		"escaped marks":                       {`{"name":"\u200EAsha\u200b \ufeffRa\u00ado\u2069"}`, plain, "", "Asha Rao"},
		"a backslash before a mark":           {`{"name":"\\u200b\\\u200b"}`, plain, "", `\u200b\`},
		"a mark at the end":                   {`{"name":"\u200`, plain, errs.KindMalformed, ""},
		"a card between marks":                {"{\"name\":\"4111\u200b1111\u200b1111\u200b1111\"}", plain, errs.KindMalformed, ""},
		"a joiner between letters":            {"{\"name\":\"क्\u200dष\"}", plain, "", "क्\u200dष"},
	} {
		in, err := bind(c.body, c.kind)
		if c.want == "" {
			require.NoError(t, err, name)
			require.Equal(t, c.text, in.Name, name)
			continue
		}
		require.Error(t, err, name)
		require.Equal(t, c.want, errs.KindOf(err), name)
	}
	_, err := bind(`{"name":7}`, plain)
	require.Contains(t, errs.As(err).Fields, "name", "the field is named")
	_, err = bind(`{"nome":"a"}`, plain)
	require.Equal(t, "unknown_field", errs.As(err).Code)
	require.Contains(t, errs.As(err).Fields, "nome")
	for body, want := range map[string]errs.Kind{"": "", " ": errs.KindMalformed, "{}": errs.KindMalformed, strings.Repeat("x", 64<<10+1): errs.KindTooLarge} {
		c, _ := asking(t, http.MethodPost, "/", body)
		err := NoBody(c)
		if want == "" {
			require.NoError(t, err)
			continue
		}
		require.Equal(t, want, errs.KindOf(err), "%.5q", body)
	}
}

// A process is ready if its required dependencies answer; dependencies that are only reported may be down.
func TestReady_ReportedDependencyDown_IsReady(t *testing.T) {
	t.Parallel()
	up, down := func(context.Context) error { return nil }, func(context.Context) error { return errors.New("dial tcp 10.0.0.7") }
	timed := func(ctx context.Context) error {
		if _, limited := ctx.Deadline(); !limited {
			return errors.New("it may take for ever")
		}
		return nil
	}
	ask := func(needed, reported map[string]Check, path string) *httptest.ResponseRecorder {
		e := gin.New()
		e.Use(answerFailure)
		RegisterHealth(e, needed, reported)
		w := httptest.NewRecorder()
		e.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		return w
	}
	ready := ask(map[string]Check{"database": timed}, map[string]Check{"store": down, "redis": timed}, "/readyz")
	require.Equal(t, http.StatusOK, ready.Code)
	require.Equal(t, map[string]any{"checks": map[string]any{"database": "ok", "store": "down", "redis": "ok"}}, bodyOf(t, ready)["data"])
	fails := ask(map[string]Check{"database": down}, map[string]Check{"store": up}, "/readyz")
	require.Equal(t, http.StatusServiceUnavailable, fails.Code)
	require.NotContains(t, fails.Body.String(), "10.0.0.7")
	require.Equal(t, http.StatusOK, ask(map[string]Check{"database": down}, nil, "/healthz").Code, "it lives, and a restart would not help")
}

// HEAD is GET without its body, only for calls of the API; log and trace name the sent method.
func TestHead_RunsAsGetWithoutABody(t *testing.T) {
	t.Parallel()
	for path, asGet := range map[string]bool{"/api/franchise/thing": true, "/api/": true, "/api": false, "/page": false, "/apiary": false} {
		e := gin.New()
		var method, sent string
		e.Use(func(c *gin.Context) { method, sent = c.Request.Method, methodOf(c.Request) })
		e.NoRoute(func(c *gin.Context) { c.Status(http.StatusOK) })
		Server{e}.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodHead, path, nil))
		require.Equal(t, asGet, method == http.MethodGet, path)
		require.Equal(t, http.MethodHead, sent, path)
	}
	for given, want := range map[string]string{"GET": "GET, HEAD", "POST, GET": "POST, GET, HEAD", "GET, HEAD": "GET, HEAD", "POST": "POST", "": "", "TARGET": "TARGET"} {
		h := http.Header{"Allow": {given}}
		allowHead(h)
		require.Equal(t, want, h.Get("Allow"))
	}
	for host, want := range map[string]bool{
		"site.test": true, "site.test:8443": true, "pune.site.test": true, "pune.site.test:80": true, "evilsite.test": false, "site.test.evil.example": false, "": false, "[::1]:80": false,
	} {
		require.Equal(t, want, isUnder(host, "site.test"), host)
	}
	for path, want := range map[string]slog.Level{"/healthz": slog.LevelDebug, "/readyz": slog.LevelDebug, "/assets/a.js": slog.LevelDebug, "/assets": slog.LevelInfo, "/healthz/": slog.LevelInfo, "/": slog.LevelInfo} {
		require.Equal(t, want, accessLevel(path), path)
	}
	for call, want := range map[string]bool{
		"GET /api/franchise/thing": false, "HEAD /api/franchise/thing": false, "POST /api/franchise/thing": true, "DELETE /page": true, "GET /api/support/customers": true, "GET /api/support": false, "GET /api/supporters/x": false,
	} {
		method, path, _ := strings.Cut(call, " ")
		require.Equal(t, want, mayWrite(httptest.NewRequestWithContext(t.Context(), method, path, nil)), call)
	}
}
