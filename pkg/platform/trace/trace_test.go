package trace_test

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/trace"
)

// collector stores incoming requests as text.
type collector struct {
	mu      sync.Mutex
	bodies  []string
	headers http.Header
	*httptest.Server
}

func newCollector(tb testing.TB) *collector {
	tb.Helper()
	c := &collector{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.bodies, c.headers = append(c.bodies, string(body)), r.Header
	}))
	tb.Cleanup(c.Close)
	return c
}

func (c *collector) all() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return strings.Join(c.bodies, "\n")
}

func newTracer(tb testing.TB, o trace.Options, logger *slog.Logger) *trace.Tracer {
	tb.Helper()
	o.Service, o.Version = "probe", "1"
	if o.Timeout == 0 {
		o.Timeout = time.Second
	}
	tracer, err := trace.New(tb.Context(), o, logger)
	require.NoError(tb, err)
	return tracer
}

func TestSpans_ReachTheCollectorByOTLPWithTheirParents(t *testing.T) {
	t.Parallel()
	c := newCollector(t)
	tracer := newTracer(t, trace.Options{Endpoint: c.URL, Share: 1, Headers: map[string]string{"api-key": "k"}}, slog.New(slog.DiscardHandler))
	ctx, request := tracer.BeginRequest(t.Context(), "POST")
	kept := trace.Traceparent(ctx)
	_, call := trace.Start(ctx, "payu POST")
	call.Number("http.response.status_code", 502)
	call.Fail("502")
	call.End()
	request.Name("POST /pay")
	request.End()
	_, job := tracer.BeginJob(t.Context(), "job verify_payment", kept)
	job.End()
	tracer.Close(t.Context())

	require.Equal(t, "application/json", c.headers.Get("Content-Type"))
	require.Equal(t, "k", c.headers.Get("Api-Key"))
	var got struct {
		ResourceSpans []struct {
			Resource   struct{ Attributes []map[string]any }
			ScopeSpans []struct {
				Spans []struct {
					TraceID, SpanID, ParentSpanID, Name string
					StartTimeUnixNano                   string
					Kind                                int
					Attributes                          []map[string]any
					Status                              map[string]any
				}
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(c.all()), &got), "%s", c.all())
	require.Contains(t, got.ResourceSpans[0].Resource.Attributes, map[string]any{"key": "service.name", "value": map[string]any{"stringValue": "probe"}})
	spans := got.ResourceSpans[0].ScopeSpans[0].Spans
	require.Len(t, spans, 3)
	child, root, worked := spans[0], spans[1], spans[2]
	require.Equal(t, "POST /pay", root.Name)
	require.Empty(t, root.ParentSpanID)
	require.Equal(t, []string{root.SpanID, root.SpanID}, []string{child.ParentSpanID, worked.ParentSpanID})
	require.Equal(t, []string{root.TraceID, root.TraceID}, []string{child.TraceID, worked.TraceID})
	require.Equal(t, []int{2, 3, 5}, []int{root.Kind, child.Kind, worked.Kind}, "server, client, consumer")
	require.Equal(t, map[string]any{"code": float64(2), "message": "502"}, child.Status)
	require.Contains(t, child.Attributes, map[string]any{"key": "http.response.status_code", "value": map[string]any{"intValue": "502"}})
	require.Regexp(t, `^\d{19}$`, root.StartTimeUnixNano)
}

// A provider's URLs and error messages may contain personal data or secrets.
func TestSpans_ContainNoURL(t *testing.T) {
	t.Parallel()
	c := newCollector(t)
	tracer := newTracer(t, trace.Options{Endpoint: c.URL, Share: 1}, slog.New(slog.DiscardHandler))
	provider := httptest.NewServer(http.NotFoundHandler())
	ctx, request := tracer.BeginRequest(t.Context(), "POST")
	var asked http.Header
	client := http.Client{Transport: trace.Transport("msg91", spy(func(r *http.Request) { asked = r.Header }))}
	for range 2 { // it responds, then is down
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, provider.URL+"/9876543210?authkey=topsecret", nil)
		require.NoError(t, err)
		answer, err := client.Do(r)
		if err == nil {
			require.NoError(t, answer.Body.Close())
		}
		provider.Close()
	}
	request.End()
	tracer.Close(t.Context())
	require.Contains(t, c.all(), `"404"`)
	require.Contains(t, c.all(), `"unreachable"`)
	require.NotContains(t, c.all(), "9876543210")
	require.NotContains(t, c.all(), "topsecret")
	require.Empty(t, asked.Get("Traceparent"), "it is no provider's business")
}

// spy inspects passing requests.
type spy func(*http.Request)

func (s spy) RoundTrip(r *http.Request) (*http.Response, error) {
	s(r)
	return http.DefaultTransport.RoundTrip(r)
}

func TestStatement_QuotedValues_AreRemoved(t *testing.T) {
	t.Parallel()
	require.Equal(t, "SELECT '…' FROM t WHERE a = $1", trace.Statement("\n\tSELECT '9876543210'\n\t FROM t  WHERE a = $1 \n"))
	require.NotContains(t, trace.Statement("SELECT 'it''s 9876543210'"), "9876543210")
	require.LessOrEqual(t, len(trace.Statement(strings.Repeat("é ", 1000))), 610)
}

// A collector that hangs costs memory for a limited number of spans, no time, and three seconds on shutdown.
func TestCollector_Hangs_BlocksNoRequest(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	hanging := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	t.Cleanup(func() { close(release); hanging.Close() })
	tracer := newTracer(t, trace.Options{Endpoint: hanging.URL, Share: 1, Timeout: time.Hour}, slog.New(slog.DiscardHandler))
	for range 20_000 { // the requests do not wait for the collector, which never answers
		_, span := tracer.BeginRequest(t.Context(), "POST")
		span.End()
	}
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		tracer.Close(t.Context())
	}()
	select {
	case <-closed:
	case <-time.After(time.Minute):
		require.Fail(t, "nor does the end of the process")
	}
}

func TestCollector_Away_IsLoggedOnce(t *testing.T) {
	t.Parallel()
	var lines bytes.Buffer
	tracer := newTracer(t, trace.Options{Endpoint: "http://127.0.0.1:1/v1/traces", Share: 1}, slog.New(slog.NewTextHandler(&lines, nil)))
	for range 1500 { // three batches
		_, span := tracer.BeginRequest(t.Context(), "POST")
		span.End()
	}
	tracer.Close(t.Context())
	require.Equal(t, 1, strings.Count(lines.String(), "traces not sent"), lines.String())
}

func TestLog_Line_HasItsTraceID(t *testing.T) {
	t.Parallel()
	tracer := newTracer(t, trace.Options{Endpoint: newCollector(t).URL, Share: 1}, slog.New(slog.DiscardHandler))
	defer tracer.Close(t.Context())
	var lines bytes.Buffer
	logger := log.New(&lines, "probe", slog.LevelInfo).With(slog.String("component", "x"))
	logger.InfoContext(t.Context(), "outside")
	require.NotContains(t, lines.String(), "trace_id")
	ctx, span := tracer.BeginRequest(t.Context(), "POST")
	defer span.End()
	logger.InfoContext(ctx, "inside")
	require.Contains(t, lines.String(), `"trace_id":"`+trace.ID(ctx)+`"`)
	lines.Reset()
	logger.InfoContext(trace.Continue(t.Context(), trace.Traceparent(ctx)), "in the job")
	require.Contains(t, lines.String(), trace.ID(ctx))
}

// Jobs of an unrecorded trace are not recorded either.
func TestJob_OfAnUnrecordedRequest_IsNotRecorded(t *testing.T) {
	t.Parallel()
	c := newCollector(t)
	api := newTracer(t, trace.Options{Endpoint: c.URL}, slog.New(slog.DiscardHandler)) // a share of nothing
	worker := newTracer(t, trace.Options{Endpoint: c.URL, Share: 1}, slog.New(slog.DiscardHandler))
	ctx, span := api.BeginRequest(t.Context(), "POST")
	require.False(t, trace.Recording(ctx))
	_, job := worker.BeginJob(t.Context(), "job x", trace.Traceparent(ctx))
	require.False(t, job.Recorded())
	job.End()
	span.End()
	worker.Close(t.Context())
	api.Close(t.Context())
	require.Empty(t, c.all())
}

func TestTracer_WithoutACollector_AllocatesNothing(t *testing.T) { //nolint:paralleltest // allocations of other tests would count
	tracer := newTracer(t, trace.Options{}, slog.New(slog.DiscardHandler))
	ctx := t.Context()
	require.Zero(t, testing.AllocsPerRun(100, func() {
		ctx, span := tracer.BeginRequest(ctx, "POST")
		_, part := trace.Start(ctx, "SELECT")
		part.Text("a", "b")
		part.End()
		span.End()
		_ = trace.Traceparent(ctx)
	}))
	require.Empty(t, trace.ID(ctx))
	tracer.Close(t.Context())
	(*trace.Tracer)(nil).Close(t.Context())
}

// BenchmarkAPart measures the cost of a span per statement or call: unrecorded, then recorded.
func BenchmarkAPart(b *testing.B) {
	for name, endpoint := range map[string]string{"off": "", "on": "http://127.0.0.1:1"} {
		b.Run(name, func(b *testing.B) {
			tracer := newTracer(b, trace.Options{Endpoint: endpoint, Share: 1}, slog.New(slog.DiscardHandler))
			defer tracer.Close(b.Context())
			ctx, span := tracer.BeginRequest(b.Context(), "POST")
			defer span.End()
			b.ReportAllocs()
			for b.Loop() {
				_, part := trace.Start(ctx, "SELECT")
				part.Text("db.system.name", "postgresql")
				part.End()
			}
		})
	}
}
