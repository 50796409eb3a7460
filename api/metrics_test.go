package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/process"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// scraped returns what Prometheus reads on the private port.
func (a *testApp) scraped(t *testing.T) string {
	t.Helper()
	recorder := httptest.NewRecorder()
	request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", http.NoBody)
	process.Private(a.meter, testkit.NewLogger(t)).ServeHTTP(recorder, request)
	require.Equal(t, http.StatusOK, recorder.Code)
	return recorder.Body.String()
}

// Given a purchase, then the metrics show the requests by route, the calls to the gateway, the payment and its effect, and nothing about
// the buyer's identity.
func TestMetrics_Purchase_IsCountedWithoutIdentity(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	gateway := newPayuServer(t)
	c := app.buyer(t, "9876500091")
	bought := c.post(t, "/subscription/payments/request", choice(app.catalogue(t).Plans[0].Tiers[0], "yearly"))
	require.Equal(t, 200, bought.Status, "%s", bought.Raw)
	form, _ := bought.Data(t, "gateway_details").(map[string]any)
	txn, _ := form["txnid"].(string)
	gateway.captured(txn, "159300.00")
	require.Equal(t, 200, app.client(t).do(t, http.MethodPost, "/payments/webhook/payu", app.returned(form, "success")).Status)
	gateway.work(t, app)
	require.Equal(t, 401, app.client(t).get(t, "/subscription/dashboard").Status)

	text := app.scraped(t)
	for _, line := range []string{
		`franchise360_http_request_seconds_count{method="POST",route="/api/franchise/subscription/payments/request",status="2xx"} 1`,
		`franchise360_http_request_seconds_count{method="POST",route="/api/franchise/payments/webhook/:gateway",status="2xx"} 1`,
		`franchise360_http_request_seconds_count{method="GET",route="/api/franchise/subscription/dashboard",status="4xx"} 1`,
		`franchise360_http_requests_in_flight 0`,
		`franchise360_payments_total{gateway="payu",outcome="paid"} 1`,
		`franchise360_payments_total{gateway="payu",outcome="held"} 0`,
		`franchise360_activations_total{what="new"} 1`,
		`franchise360_redis_circuit_open 0`,
	} {
		require.Contains(t, text, line+"\n")
	}
	require.Contains(t, text, `franchise360_provider_call_seconds_count{outcome="ok",provider="payu"}`)
	for _, personal := range []string{"9876500091", txn, "Asha"} {
		require.NotContains(t, text, personal)
	}
	gateway.work(t, app)
	require.Contains(t, app.scraped(t), `franchise360_payments_total{gateway="payu",outcome="paid"} 1`, "heard of again, it is counted once")
}

// Given callers who invent paths, methods and hosts, then no new series are created.
func TestMetrics_InventedPathsAndMethods_CreateNoSeries(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	send := func(method, path, host string) {
		r, err := http.NewRequestWithContext(t.Context(), method, app.server.URL+path, http.NoBody)
		require.NoError(t, err)
		r.Host = host
		answer, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
	}
	round := func(n int) {
		for _, method := range []string{"GET", fmt.Sprintf("METHOD%d", n)} {
			for _, host := range []string{"localhost", fmt.Sprintf("shop%d.example.in", n)} {
				send(method, fmt.Sprintf("/made/up/%d", n), host)
				send(method, fmt.Sprintf("/api/franchise/subscription/payments/status/%d", n), host)
			}
		}
	}
	series := func() int { return strings.Count(app.scraped(t), "franchise360_http_request_seconds_count{") }
	round(0)
	before := series()
	for n := range 20 {
		round(n + 1)
	}
	require.Equal(t, before, series())
}

// Given an SMS with a delivery report, then the report is counted once, by kind of message and not by recipient.
func TestMetrics_DeliveryReport_IsCountedOnce(t *testing.T) {
	t.Parallel()
	app := newReceiptApp(t)
	require.Contains(t, app.scraped(t), `franchise360_messages_total{message="otp",outcome="delivered"} 0`, "it is there from the start")
	app.messageSent(t, "msg91", "346131")
	for range 2 {
		told := app.client(t).do(t, http.MethodPost, "/sms/receipts/msg91?key="+receiptKey, map[string]any{"requestId": "346131", "status": "1"})
		require.Equal(t, 200, told.Status, "%s", told.Raw)
	}
	require.Contains(t, app.scraped(t), `franchise360_messages_total{message="otp",outcome="delivered"} 1`)
}
