package razorpay_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/gateway/razorpay"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/testkit/gatewaytest"
)

const (
	keySecret     = "EnLs21M47BllR3X8PSFtjtbd"
	webhookSecret = "123456"
)

// provider stands in for Razorpay: orders by receipt, payments by order, refunds by idempotency header.
type provider struct {
	server  *httptest.Server
	mu      sync.Mutex
	orders  map[string]map[string]any
	paid    map[string]map[string]any
	refunds map[string]string
	mode    string
	last    map[string]any
	stop    chan struct{}
}

func start(t *testing.T) *provider {
	t.Helper()
	p := &provider{
		orders: map[string]map[string]any{}, paid: map[string]map[string]any{}, refunds: map[string]string{},
		stop: make(chan struct{}),
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/orders", p.findOrder)
	mux.HandleFunc("POST /v1/orders", p.makeOrder)
	mux.HandleFunc("GET /v1/orders/{id}/payments", p.payments)
	mux.HandleFunc("POST /v1/payments/{id}/refund", p.refund)
	mux.HandleFunc("GET /v1/payments/{id}/refunds/{refund}", p.refundStatus)
	mux.HandleFunc("GET /v1/settlements/recon/combined", p.settlements)
	p.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		mode := p.mode
		p.mu.Unlock()
		user, pass, _ := r.BasicAuth()
		switch {
		case user != "rzp_test_key" || pass != keySecret:
			http.Error(w, "{}", http.StatusUnauthorized)
		case mode == "500":
			http.Error(w, `{"error":{}}`, http.StatusInternalServerError)
		case mode == "html":
			_, _ = io.WriteString(w, "<html>maintenance</html>")
		case mode == "endless":
			gatewaytest.Endless(w)
		case mode == "slow":
			select {
			case <-p.stop:
			case <-r.Context().Done():
			}
		default:
			mux.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(func() { close(p.stop); p.server.Close() })
	return p
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

func (p *provider) findOrder(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	items := []any{}
	for _, o := range p.orders {
		if o["receipt"] == r.URL.Query().Get("receipt") {
			items = append(items, o)
		}
	}
	answer(w, map[string]any{"items": items})
}

func (p *provider) makeOrder(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var o map[string]any
	if json.NewDecoder(r.Body).Decode(&o) != nil || o["currency"] != "INR" {
		http.Error(w, `{"error":{"description":"bad order"}}`, http.StatusBadRequest)
		return
	}
	o["id"] = fmt.Sprintf("order_%d", len(p.orders)+1)
	p.orders[o["id"].(string)] = o
	answer(w, o)
}

func (p *provider) payments(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	items := []any{}
	if a, ok := p.paid[r.PathValue("id")]; ok {
		items = append(items, a)
	}
	answer(w, map[string]any{"items": items})
}

func (p *provider) refund(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	token := r.Header.Get("X-Refund-Idempotency")
	if p.refunds[token] == "" {
		p.refunds[token] = fmt.Sprintf("rfnd_%d", len(p.refunds)+1)
	}
	answer(w, map[string]any{"id": p.refunds[token], "status": "pending"})
}

func (p *provider) refundStatus(w http.ResponseWriter, r *http.Request) {
	answer(w, map[string]any{"id": r.PathValue("refund"), "status": "processed"})
}

func (p *provider) settlements(w http.ResponseWriter, _ *http.Request) {
	answer(w, map[string]any{"items": []any{
		map[string]any{"entity_id": "pay_1", "type": "payment", "amount": 100000, "fee": 2360, "tax": 360, "credit": 97640, "order_receipt": "FP1", "settlement_utr": "UTR1", "created_at": 1793600000},
		map[string]any{"entity_id": "rfnd_1", "payment_id": "pay_1", "type": "refund", "amount": 50000, "debit": 50000, "order_receipt": "FP1", "settlement_utr": "UTR1", "created_at": 1793600000},
		map[string]any{"entity_id": "adj_1", "type": "adjustment", "amount": 5},
	}})
}

func (p *provider) Gateway() payment.Gateway {
	return razorpay.New(razorpay.Config{
		KeyID: "rzp_test_key", KeySecret: keySecret, WebhookSecret: webhookSecret, BaseURL: p.server.URL,
	})
}

func (p *provider) Complete(t *testing.T, s payment.Session, end payment.Status, amount money.Paise) payment.Posted {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	order := s.Fields["order_id"]
	require.Contains(t, p.orders, order)
	a := map[string]any{
		"id": "pay_" + order, "order_id": order, "amount": int64(amount), "currency": "INR", "method": "upi",
		"status": "captured", "created_at": 1793600000, "email": s.Fields["prefill[email]"], "contact": s.Fields["prefill[contact]"],
		"card": map[string]any{"last4": "4111"},
	}
	p.paid[order], p.last = a, a
	if end == payment.StatusPaid {
		return payment.Posted{Form: map[string]string{
			"razorpay_order_id": order, "razorpay_payment_id": "pay_" + order,
			"razorpay_signature": mac(keySecret, order+"|pay_"+order),
		}}
	}
	a["status"], a["amount"], a["error_description"] = "failed", 0, "Payment was cancelled by the customer"
	back, err := url.Parse(s.Fields["callback_url"])
	require.NoError(t, err)
	form := map[string]string{"error[code]": "BAD_REQUEST_ERROR", "error[description]": "cancelled"}
	for name := range back.Query() {
		form[name] = back.Query().Get(name)
	}
	return payment.Posted{Form: form}
}

func (p *provider) Webhook(t *testing.T) payment.Posted {
	t.Helper()
	body, err := json.Marshal(map[string]any{
		"event": "payment.captured", "payload": map[string]any{"payment": map[string]any{"entity": p.last}},
	})
	require.NoError(t, err)
	return payment.Posted{Body: body, Signature: mac(webhookSecret, string(body))}
}

func (p *provider) Break(mode string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mode = mode
}

func (p *provider) Refunds() int { return len(p.refunds) }

func mac(secret, text string) string {
	m := hmac.New(sha256.New, []byte(secret))
	_, _ = io.WriteString(m, text)
	return hex.EncodeToString(m.Sum(nil))
}

func TestRazorpayDoesWhatEveryGatewayDoes(t *testing.T) {
	t.Parallel()
	gatewaytest.Run(t, func(t *testing.T) gatewaytest.Provider {
		t.Helper()
		return start(t)
	})
}

// The signatures are the published ones: a payment's over order and payment, an event's over its raw body.
func TestPublishedVectors(t *testing.T) {
	t.Parallel()
	g := start(t).Gateway()
	n, err := g.Read(payment.Posted{Form: map[string]string{
		"razorpay_order_id": "order_IEIaMR65cu6nz3", "razorpay_payment_id": "pay_IH4NVgf4Dreq1l",
		"razorpay_signature": "0d4e745a1838664ad6c9c9902212a32d627d68e917290b0ad5f08ff4561bc50f",
	}})
	require.NoError(t, err)
	require.Equal(t, "order_IEIaMR65cu6nz3", n.Reference)

	_, err = g.Read(payment.Posted{
		Body:      []byte(`{"a":1,"b":2,"c":{"d":3}}`),
		Signature: "2fe04e22977002e6c7cb553adab8b460cb9e2a4970d5953cb27a8472752e3bbc",
	})
	require.ErrorIs(t, err, payment.ErrUnknownTransaction, "signed rightly, but about no order")
}

func TestRefundAndDisputeEvents(t *testing.T) {
	t.Parallel()
	g := start(t).Gateway()
	for event, want := range map[string]payment.NoticeKind{
		"refund.processed": payment.NoticeRefund, "payment.dispute.created": payment.NoticeDispute,
	} {
		body := `{"event":"` + event + `","payload":{"payment":{"entity":{"id":"pay_1","order_id":"order_1","amount":500,"status":"captured"}},` +
			`"refund":{"entity":{"id":"x_1","amount":200,"status":"processed"}},"dispute":{"entity":{"id":"x_1","amount":200}}}}`
		n, err := g.Read(payment.Posted{Body: []byte(body), Signature: mac(webhookSecret, body)})
		require.NoError(t, err)
		require.Equal(t, want, n.Kind)
		require.Equal(t, "x_1", n.ExternalID)
		require.Equal(t, "order_1", n.Reference)
		require.Equal(t, money.Paise(200), n.Amount)
	}
}

func TestADisputeIsAskedAbout(t *testing.T) {
	t.Parallel()
	for status, want := range map[string]payment.DisputeOutcome{
		"under_review": {State: payment.DisputeOpen, Amount: 10_000}, "won": {State: payment.DisputeWon, Amount: 10_000},
		"closed": {State: payment.DisputeWon, Amount: 10_000}, "lost": {State: payment.DisputeLost, Amount: 9_000},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/v1/disputes/disp_1" {
				answer(w, map[string]any{"id": "disp_1", "amount": 10_000, "amount_deducted": 9_000, "status": status})
				return
			}
			http.NotFound(w, r)
		}))
		t.Cleanup(server.Close)
		g := razorpay.New(razorpay.Config{KeyID: "k", KeySecret: "s", WebhookSecret: webhookSecret, BaseURL: server.URL})
		got, err := g.Dispute(t.Context(), "disp_1")
		require.NoError(t, err)
		require.Equal(t, want, got)
		_, err = g.Dispute(t.Context(), "disp_2")
		require.Error(t, err)
	}
}

func TestSettlements(t *testing.T) {
	t.Parallel()
	lines, err := start(t).Gateway().Settlements(t.Context(), "2026-11-01")
	require.NoError(t, err)
	at := time.Unix(1793600000, 0).UTC()
	require.Equal(t, []payment.SettlementLine{
		{TransactionID: "FP1", GatewayPaymentID: "pay_1", Amount: 100000, Fee: 2000, FeeTax: 360, Net: 97640, UTR: "UTR1", At: at},
		{TransactionID: "FP1", GatewayPaymentID: "pay_1", Refund: true, RefundID: "rfnd_1", Amount: 50000, Net: -50000, UTR: "UTR1", At: at},
	}, lines)
	_, err = start(t).Gateway().Settlements(t.Context(), "yesterday")
	require.Error(t, err)
}

func TestARefusedRefundIsFinal(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, `{"error":{"description":"The payment has been fully refunded already"}}`, http.StatusBadRequest)
	}))
	t.Cleanup(server.Close)
	o, err := razorpay.New(razorpay.Config{BaseURL: server.URL}).Refund(t.Context(), payment.RefundRequest{GatewayPaymentID: "pay_1", Amount: 1})
	require.NoError(t, err)
	require.True(t, o.Failed)
	require.True(t, strings.HasPrefix(o.Reason, "The payment has been"))
}
