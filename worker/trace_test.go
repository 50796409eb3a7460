package main

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/objectstore"
	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/platform/process"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/trace"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/collector"
	"github.com/franchise360/franchise360/pkg/testkit/s3"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

// captured answers like PayU's verify_payment that every queried payment was paid.
func captured(t *testing.T, amount string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		txn := r.PostFormValue("var1")
		_ = json.NewEncoder(w).Encode(map[string]any{"status": 1, "msg": "", "transaction_details": map[string]any{txn: map[string]string{
			"mihpayid": "403993715", "status": "success", "unmappedstatus": "captured", "transaction_amount": amount, "amt": amount,
			"mode": "UPI", "txnid": txn,
		}}})
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// Given a customer who pays, then everything from the request to the invoice's PDF in the object store is one trace.
func TestTrace_PurchaseToInvoice_IsOneTrace(t *testing.T) {
	t.Parallel()
	s := story.New(t)
	env := map[string]string{
		"APP_ENV": "development", "PUBLIC_URL": "http://localhost:8080",
		"DATABASE_URL": s.DB.DSN(testkit.RoleWorker), "REDIS_URL": testkit.RedisURL(miniredis.RunT(t)),
		"S3_ENDPOINT": s3.Endpoint(t), "S3_ACCESS_KEY": s3.AccessKey, "S3_SECRET_KEY": s3.SecretKey, "S3_BUCKET": "traced",
		"GATEWAY": "payu", "PAYU_URL": "https://test.payu.in", "PAYU_API_URL": captured(t, "159300.00"),
		"PAYU_KEY": "QyT13U", "PAYU_SALT": "UnJ0FGO0kt3dUgnHo9Xgwi0lpipBV0hB",
		"SECRET_KEY": strings.Repeat("ab", 32), "SMS_URL": "http://127.0.0.1:1",
		"SUPPLIER_ADDRESS": "360 Senapati Bapat Marg, Mumbai 400013", "SUPPLIER_GSTIN": "27AAPFU0939F1ZV",
	}
	cfg, err := config.Load(func(name string) string { return env[name] }, app.Gateways().Kinds()...)
	require.NoError(t, err)
	store, err := objectstore.New(objectstore.Options(cfg.S3))
	require.NoError(t, err)
	require.NoError(t, store.EnsureBucket(t.Context()))
	taken := collector.New(t)
	tracer, err := trace.New(t.Context(), trace.Options{Endpoint: taken.URL, Timeout: time.Minute, Share: 1}, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	connections := func(rights string) *process.Connections {
		db := s.DB.API
		if rights == testkit.RoleWorker {
			db = s.DB.Worker
		}
		return &process.Connections{DB: db, Jobs: testkit.NewInserter(t, db), Clock: s.Clock, Keys: cfg.Keys, Passwords: password.Cheap(1), Shifted: &clock.Shifted{}, Traces: tracer}
	}

	ctx, request := tracer.BeginRequest(t.Context(), "POST /subscription/payments/request")
	api, err := app.New(cfg, connections(testkit.RoleAPI), testkit.NewLogger(t))
	require.NoError(t, err)
	_, err = api.Payments.Checkout.Request(ctx, s.Buyer, checkout.Input{Intent: story.Buy(s.Tier(0, 0), plan.TypeYearly)})
	require.NoError(t, err)
	request.End()

	pool, err := pgxpool.New(t.Context(), s.DB.DSN(testkit.RoleWorker))
	require.NoError(t, err)
	defer pool.Close()
	d := &deps{Connections: connections(testkit.RoleWorker), pool: pool, presence: queue.NewPresence(queue.PresenceOptions{
		DB: s.DB.Worker, Worker: queue.NewWorkerName(), Logger: testkit.NewSilentLogger(),
	}), table: newTimetable()}
	client, err := wire(t.Context(), cfg, d, testkit.NewSilentLogger())
	require.NoError(t, err)
	working, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- work(working, client, d.presence, testkit.NewSilentLogger()) }()
	_, err = s.DB.Owner.ExecContext(t.Context(), `UPDATE river_job SET scheduled_at = now(), state = 'available' WHERE kind = 'verify_payment'`)
	require.NoError(t, err)
	require.Eventually(t, func() bool { return s.Count(`SELECT count(*) FROM invoice_documents`) == 1 }, waitLimit, 50*time.Millisecond)
	stop()
	require.NoError(t, <-ended)
	tracer.Close(t.Context())

	spans := taken.Spans(t)
	var root string
	for _, span := range spans {
		if strings.HasPrefix(span.Name, "POST ") {
			root = span.TraceID
		}
	}
	byID, named := map[string]collector.Span{}, map[string]collector.Span{}
	for _, span := range spans {
		byID[span.SpanID] = span
		if span.TraceID == root { // scheduled jobs run at the same time, and query the same provider
			named[span.Name] = span
		}
	}
	above := func(s collector.Span) string { return byID[s.ParentSpanID].Name }
	require.Equal(t, root, named["job verify_payment"].TraceID)
	require.Equal(t, "POST /subscription/payments/request", above(named["job verify_payment"]))
	require.Equal(t, root, named["job render_invoice"].TraceID)
	require.Equal(t, "job verify_payment", above(named["job render_invoice"]))
	require.Equal(t, "job verify_payment", above(named["payu POST"]), "the provider is asked outside the transaction")
	require.Equal(t, "job render_invoice", above(named["object_store PUT"]))
	inRequest := 0
	for _, span := range spans {
		if span.TraceID != root {
			continue
		}
		switch span.Name {
		case "transaction":
			require.Contains(t, []string{"POST /subscription/payments/request", "job verify_payment", "job render_invoice", "job send_customer_message"}, above(span))
		case "INSERT", "COMMIT":
			if above(span) == "job send_customer_message" { // what becomes of a message is kept whatever happens to the job
				continue
			}
			require.Equal(t, "transaction", above(span), span.Text["db.query.text"])
			inRequest++
		}
	}
	require.Positive(t, inRequest)
	require.NotContains(t, taken.Raw(), s.Buyer, "no arguments of statements, nor anything that names the customer")
}
