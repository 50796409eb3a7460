package main

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/trace"
	"github.com/franchise360/franchise360/pkg/testkit/collector"
)

// Given a purchase over HTTP, then its trace starts with the request, regardless of any trace that the caller sends; its
// transaction and statements belong to it, and the job it queued continues it.
func TestTrace_JobContinuesTheRequestsTrace(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	taken := collector.New(t)
	tracer, err := trace.New(t.Context(), trace.Options{Endpoint: taken.URL, Timeout: time.Minute, Share: 1}, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	app.tracer = tracer
	app.start(t)
	c := app.buyer(t, "9876500002")
	const foreign = "0af7651916cd43dd8448eb211c80319c"
	bought := c.do(t, http.MethodPost, "/subscription/payments/request", choice(app.catalogue(t).Plans[0].Tiers[0], "yearly"),
		"traceparent", "00-"+foreign+"-b7ad6b7169203331-01")
	require.Equal(t, 200, bought.Status, "%s", bought.Raw)
	var kept string
	require.NoError(t, app.db.Owner.Get(&kept, `SELECT metadata ->> 'traceparent' FROM river_job WHERE kind = 'verify_payment'`))
	app.server.Close()
	tracer.Close(t.Context())

	byID, root := map[string]collector.Span{}, collector.Span{}
	for _, span := range taken.Spans(t) {
		byID[span.SpanID] = span
		if span.Name == "POST /api/franchise/subscription/payments/request" {
			root = span
		}
	}
	require.Equal(t, bought.requestID(t), root.Text["request_id"])
	require.Empty(t, root.ParentSpanID)
	require.Equal(t, "00-"+root.TraceID+"-"+root.SpanID+"-01", kept)
	queued := 0
	for _, span := range byID {
		if span.TraceID == root.TraceID && strings.Contains(span.Text["db.query.text"], "INTO "+"river_job") {
			require.Equal(t, "transaction", byID[span.ParentSpanID].Name)
			require.Equal(t, root.SpanID, byID[span.ParentSpanID].ParentSpanID)
			queued++
		}
	}
	require.Positive(t, queued)
	for _, personal := range []string{"9876500002", "MG Road", foreign, "Asha"} {
		require.NotContains(t, taken.Raw(), personal)
	}
}
