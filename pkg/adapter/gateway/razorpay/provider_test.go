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
	"sync"
	"testing"

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

// provider is a fake Razorpay: orders by receipt, payments by order, refunds by idempotency header.
type provider struct {
	server  *httptest.Server
	mu      sync.Mutex
	orders  map[string]map[string]any
	paid    map[string]map[string]any
	refunds map[string]string
	amounts map[string]int64
	asked   []string // methods and paths
	mode    string
	last    map[string]any
	stop    chan struct{}
}

func start(t *testing.T) *provider {
	t.Helper()
	p := &provider{
		orders: map[string]map[string]any{}, paid: map[string]map[string]any{}, refunds: map[string]string{},
		amounts: map[string]int64{},
		stop:    make(chan struct{}),
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/orders", p.findOrder)
	mux.HandleFunc("POST /v1/orders", p.makeOrder)
	mux.HandleFunc("GET /v1/orders/{id}/payments", p.payments)
	mux.HandleFunc("GET /v1/orders/{id}", p.order)
	mux.HandleFunc("GET /v1/payments/{id}", p.payment)
	mux.HandleFunc("POST /v1/payments/{id}/capture", p.capture)
	mux.HandleFunc("GET /v1/payments/{id}/refunds", p.list)
	mux.HandleFunc("POST /v1/payments/{id}/refund", p.refund)
	mux.HandleFunc("GET /v1/payments/{id}/refunds/{refund}", p.refundStatus)
	mux.HandleFunc("GET /v1/settlements/recon/combined", p.settlements)
	p.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		mode := p.mode
		p.asked = append(p.asked, r.Method+" "+r.URL.Path)
		p.mu.Unlock()
		user, pass, _ := r.BasicAuth()
		switch {
		case user != "rzp_test_key" || pass != keySecret:
			http.Error(w, "{}", http.StatusUnauthorized)
		case mode == "500":
			http.Error(w, `{"error":{}}`, http.StatusInternalServerError)
		case gatewaytest.Misbehave(w, r, mode, p.stop):
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
	var body struct {
		Amount  int64  `json:"amount"`
		Receipt string `json:"receipt"`
	}
	_ = json.NewDecoder(r.Body).Decode(&body)
	p.amounts[token] = body.Amount
	answer(w, map[string]any{"id": p.refunds[token], "status": "pending", "receipt": body.Receipt, "amount": body.Amount})
}

func (p *provider) list(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	items := []any{}
	for token, id := range p.refunds {
		items = append(items, map[string]any{
			"id": id, "status": "processed", "receipt": token, "amount": p.amounts[token], "payment_id": r.PathValue("id"),
		})
	}
	answer(w, map[string]any{"items": items})
}

func (p *provider) order(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	o, ok := p.orders[r.PathValue("id")]
	if !ok {
		http.Error(w, `{"error":{"code":"BAD_REQUEST_ERROR","description":"The id provided does not exist"}}`, http.StatusBadRequest)
		return
	}
	answer(w, o)
}

func (p *provider) payment(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, a := range p.paid {
		if a["id"] == r.PathValue("id") {
			answer(w, a)
			return
		}
	}
	http.Error(w, `{"error":{"code":"BAD_REQUEST_ERROR","description":"The id provided does not exist"}}`, http.StatusBadRequest)
}

func (p *provider) capture(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, a := range p.paid {
		if a["id"] == r.PathValue("id") && a["status"] == "authorized" {
			a["status"] = "captured"
			answer(w, a)
			return
		}
	}
	http.Error(w, `{"error":{"code":"BAD_REQUEST_ERROR","description":"This payment has already been captured"}}`, http.StatusBadRequest)
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

func (p *provider) Complete(t *testing.T, s payment.Session, end payment.Status, amount money.Paise) payment.Incoming {
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
		return payment.Incoming{Form: map[string]string{
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
	return payment.Incoming{Form: form}
}

func (p *provider) Webhook(t *testing.T) payment.Incoming {
	t.Helper()
	body, err := json.Marshal(map[string]any{
		"event": "payment.captured", "payload": map[string]any{"payment": map[string]any{"entity": p.last}},
	})
	require.NoError(t, err)
	return signedEvent(body)
}

// signedEvent returns a body with Razorpay's signature header.
func signedEvent(body []byte) payment.Incoming {
	return payment.Incoming{Body: body, Headers: map[string]string{"x-razorpay-signature": mac(webhookSecret, string(body))}}
}

func (p *provider) Break(mode string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mode = mode
}

// Wire names the fields under Razorpay's signature.
func (*provider) Wire() gatewaytest.Wire {
	return gatewaytest.Wire{Signed: []string{"razorpay_order_id", "razorpay_payment_id", "razorpay_signature"}}
}

func (p *provider) Refunds() int { return len(p.refunds) }

func mac(secret, text string) string {
	m := hmac.New(sha256.New, []byte(secret))
	_, _ = io.WriteString(m, text)
	return hex.EncodeToString(m.Sum(nil))
}
