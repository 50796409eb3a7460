package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/receiver"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/console"
	"github.com/franchise360/franchise360/pkg/testkit/story"
	"github.com/franchise360/franchise360/pkg/webhook"
)

// A purchase's events arrive, signed by the product itself and over HTTP; the sample reads the state and takes each event once.
func TestSample_Purchase_TakesEachEventOnce(t *testing.T) {
	t.Parallel()
	s := story.New(t)
	people, keys := console.Hire(t, s.DB, s.Clock), testkit.NewKeyring(t)
	asked := []string{}
	product := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Path+" "+r.Header.Get("Authorization"))
		_, _ = io.WriteString(w, `{"status":true,"message":"","data":{"state":"active"}}`)
	}))
	t.Cleanup(product.Close)
	var taker *sample
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { taker.ServeHTTP(w, r) }))
	t.Cleanup(server.Close)
	service := webhook.NewService(s.DB.API, testkit.NewInserter(t, s.DB.API), s.Clock, keys, people.Service, console.Prover{}, true)
	_, secret, err := service.Add(postgres.WithProof(t.Context(), people.Ravi.Proof), people.Ravi, webhook.EndpointInput{
		URL: server.URL, Description: "The sample", Kinds: []webhook.Kind{"subscription.activated", "invoice.issued"},
	}, staff.Proof{}, "to try it")
	require.NoError(t, err)
	taker, err = newSample(product.URL, "f360_key", s.Clock.Now, testkit.NewSilentLogger(), secret)
	require.NoError(t, err)

	s.Pay(s.Buyer, story.Buy(s.Tier(0, 0), plan.TypeYearly))
	var deliveries []string
	require.NoError(t, s.Owner.Select(&deliveries, `SELECT args ->> 'delivery_id' FROM river_job WHERE kind = 'deliver_webhook'`))
	require.Len(t, deliveries, 2)
	deliverer := webhook.NewDeliverer(s.DB.Worker, receiver.New(true), s.Clock, keys, testkit.NewSilentLogger())
	for _, id := range deliveries {
		require.NoError(t, deliverer.Deliver(t.Context(), id, false))
	}
	require.Len(t, taker.seen, 2)
	want := []string{"/api/v1/tenants/" + s.Buyer + "/entitlements Bearer f360_key"}
	require.Equal(t, want, asked)

	_, err = s.Owner.ExecContext(context.Background(), `UPDATE webhook_deliveries SET state = 'waiting'`)
	require.NoError(t, err)
	for _, id := range deliveries {
		require.NoError(t, deliverer.Deliver(t.Context(), id, false), "a repeat is taken, and nothing follows of it")
	}
	require.Equal(t, want, asked)
}

func TestSample_WrongSignature_IsRefused(t *testing.T) {
	t.Parallel()
	const body = `{"test": 2432232314}`
	sent := time.Unix(1614265330, 0)
	for name, c := range map[string]struct {
		secret, body string
		now          time.Time
		want         int
	}{
		"the standard's example": {"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", body, sent, 204},
		"another secret":         {"whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", body, sent, 401},
		"another body":           {"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", body + " ", sent, 401},
		"an old message":         {"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", body, sent.Add(5*time.Minute + time.Second), 401},
	} {
		r, err := newSample("http://127.0.0.1:1", "f360_key", func() time.Time { return c.now }, testkit.NewSilentLogger(), c.secret)
		require.NoError(t, err)
		req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", strings.NewReader(c.body))
		req.Header.Set("webhook-id", "msg_p5jXN8AQM9LWM0D4loKWxJek")
		req.Header.Set("webhook-timestamp", "1614265330")
		req.Header.Set("webhook-signature", "v2,x v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
		answer := httptest.NewRecorder()
		r.ServeHTTP(answer, req)
		require.Equal(t, c.want, answer.Code, name)
	}
}

// A missing setting fails at the start, not later by refused messages.
func TestSample_MissingSetting_FailsAtTheStart(t *testing.T) {
	t.Parallel()
	const secret, product, key = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "http://localhost:8080", "f360_key"
	for missing, c := range map[string]struct {
		product, key string
		secrets      []string
	}{
		"WEBHOOK_SECRET is missing": {product, key, nil},
		"WEBHOOK_SECRET is none":    {product, key, []string{"secret"}},
		"FRANCHISE360_URL":          {"", key, []string{secret}},
		"FRANCHISE360_KEY":          {product, secret, []string{secret}},
	} {
		_, err := newSample(c.product, c.key, time.Now, testkit.NewSilentLogger(), c.secrets...)
		require.ErrorContains(t, err, missing)
	}
}
