package main

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/trace"
)

func ask(t *testing.T, server *httptest.Server, path string) (int, string) {
	t.Helper()
	recorder := httptest.NewRecorder()
	server.Config.Handler.ServeHTTP(recorder, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
	return recorder.Code, recorder.Body.String()
}

// Spans sent by the product are shown nested under their parents.
func TestViewer_Trace_IsAWaterfall(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(newViewer().routes())
	t.Cleanup(server.Close)
	tracer, err := trace.New(t.Context(), trace.Options{
		Service: "api", Endpoint: server.URL + "/v1/traces", Timeout: time.Minute, Share: 1,
	}, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	ctx, request := tracer.BeginRequest(t.Context(), "POST /pay")
	inside, transaction := trace.Start(ctx, "transaction")
	_, statement := trace.Start(inside, "INSERT")
	statement.Text("db.query.text", "INSERT INTO payments VALUES ($1)")
	statement.Fail("23505")
	statement.End()
	transaction.End()
	request.End()
	_, job := tracer.BeginJob(t.Context(), "job verify_payment", trace.Traceparent(ctx))
	job.End()
	tracer.Close(t.Context())

	status, list := ask(t, server, "/")
	require.Equal(t, 200, status)
	require.Contains(t, list, "POST /pay")
	require.Contains(t, list, "failed")
	link := regexp.MustCompile(`/traces/[0-9a-f]{32}`).FindString(list)
	status, whole := ask(t, server, link)
	require.Equal(t, 200, status)
	for name, depth := range map[string]int{"POST /pay": 0, "transaction": 1, "INSERT": 2, "job verify_payment": 1} {
		require.Regexp(t, fmt.Sprintf(`calc\(%d \* 16px\)"><span (class="bad")?>%s<`, depth, regexp.QuoteMeta(name)), whole)
	}
	require.Contains(t, whole, "INSERT INTO payments")
	require.NotContains(t, whole, "ZgotmplZ", "every length is one")
	_, none := ask(t, server, "/?q=no-such-thing")
	require.Contains(t, none, "None yet")
	status, _ = ask(t, server, "/traces/x")
	require.Equal(t, 404, status)
}

func TestViewer_LimitsMemoryAndRefusesInvalidData(t *testing.T) {
	t.Parallel()
	v := newViewer()
	post := func(contentType, body string) int {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v1/traces", strings.NewReader(body))
		r.Header.Set("Content-Type", contentType)
		recorder := httptest.NewRecorder()
		v.routes().ServeHTTP(recorder, r)
		return recorder.Code
	}
	require.Equal(t, 415, post("application/x-protobuf", ""))
	require.Equal(t, 400, post("application/json", "{"))
	const form = `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"%d","spanId":"1","parentSpanId":"1","name":"x","startTimeUnixNano":"1","endTimeUnixNano":"2"}]}]}]}`
	for n := range maxTraces + 50 {
		require.Equal(t, 200, post("application/json", fmt.Sprintf(form, n)))
	}
	require.Len(t, v.kept.traces, maxTraces)
	_, found := v.kept.waterfall("0")
	require.False(t, found, "the oldest are forgotten")
	rows, found := v.kept.waterfall(fmt.Sprint(maxTraces))
	require.True(t, found)
	require.Len(t, rows, 1, "a span under itself is no end")
}
