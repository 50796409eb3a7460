package cashfree_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/gateway/cashfree"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/testkit/gatewaytest"
)

const (
	clientID     = "TEST430329ae80e0f32e41a393d78b923034"
	clientSecret = "TESTaf195616268bd6202eeb3bf8dc458956e7192a85"
)

// now is a while after the webhooks of these tests.
var now = time.Date(2026, 11, 2, 6, 0, 0, 0, time.UTC) //nolint:gochecknoglobals // a constant that Go cannot declare as one

// provider is a fake Cashfree: orders by our name, the payments of each, refunds by our token.
type provider struct {
	server  *httptest.Server
	mu      sync.Mutex
	orders  map[string]map[string]any
	paid    map[string][]map[string]any
	refunds map[string]map[string]any
	made    int
	refuse  map[string]any // the answer to a refund, instead of making it
	mode    string
	last    map[string]any
	asked   []string
	stop    chan struct{}
}

func start(t *testing.T) *provider {
	t.Helper()
	p := &provider{
		orders: map[string]map[string]any{}, paid: map[string][]map[string]any{}, refunds: map[string]map[string]any{}, stop: make(chan struct{}),
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /pg/orders", p.create)
	mux.HandleFunc("GET /pg/orders/{id}", p.order)
	mux.HandleFunc("GET /pg/orders/{id}/payments", p.payments)
	mux.HandleFunc("POST /pg/orders/{id}/refunds", p.refund)
	mux.HandleFunc("GET /pg/orders/{id}/refunds", p.list)
	mux.HandleFunc("GET /pg/orders/{id}/refunds/{refund}", p.found)
	p.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		mode := p.mode
		p.asked = append(p.asked, r.Method+" "+r.URL.Path)
		p.mu.Unlock()
		switch {
		case r.Header.Get("x-client-id") != clientID || r.Header.Get("x-client-secret") != clientSecret || r.Header.Get("x-api-version") != "2023-08-01":
			refuse(w, http.StatusUnauthorized, "request_failed")
		case mode == "500":
			refuse(w, http.StatusInternalServerError, "internal_error")
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

func refuse(w http.ResponseWriter, status int, code string) {
	w.WriteHeader(status)
	answer(w, map[string]any{"message": "something is wrong", "code": code, "type": "invalid_request_error"})
}

// decode reads a body without losing the digits of numbers.
func decode(r *http.Request) map[string]any {
	d := json.NewDecoder(r.Body)
	d.UseNumber()
	var body map[string]any
	_ = d.Decode(&body)
	return body
}

func (p *provider) create(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	o := decode(r)
	id, _ := o["order_id"].(string)
	if p.orders[id] != nil {
		refuse(w, http.StatusConflict, "order_already_exists")
		return
	}
	o["order_status"], o["payment_session_id"] = "ACTIVE", "session_"+id
	p.orders[id] = o
	answer(w, o)
}

func (p *provider) order(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if o := p.orders[r.PathValue("id")]; o != nil {
		answer(w, o)
		return
	}
	refuse(w, http.StatusNotFound, "order_not_found")
}

func (p *provider) payments(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.orders[r.PathValue("id")] == nil {
		refuse(w, http.StatusNotFound, "order_not_found")
		return
	}
	answer(w, append([]map[string]any{}, p.paid[r.PathValue("id")]...))
}

func (p *provider) refund(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.refuse != nil {
		w.WriteHeader(http.StatusConflict)
		answer(w, p.refuse)
		return
	}
	body := decode(r)
	token, _ := body["refund_id"].(string)
	if p.refunds[token] == nil {
		p.made++
		p.refunds[token] = map[string]any{
			"cf_refund_id": "refund_1", "refund_id": token, "order_id": r.PathValue("id"), "refund_amount": body["refund_amount"],
			"refund_currency": "INR", "refund_status": "PENDING", "cf_payment_id": p.paid[r.PathValue("id")][0]["cf_payment_id"],
		}
	}
	answer(w, p.refunds[token])
	p.refunds[token]["refund_status"] = "SUCCESS"
}

func (p *provider) list(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := []any{}
	for _, f := range p.refunds {
		if f["order_id"] == r.PathValue("id") {
			list = append(list, f)
		}
	}
	answer(w, list)
}

func (p *provider) found(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f := p.refunds[r.PathValue("refund")]; f != nil {
		answer(w, f)
		return
	}
	refuse(w, http.StatusNotFound, "refund_not_found")
}

func (p *provider) gateway() *cashfree.Gateway {
	return cashfree.New(cashfree.Config{
		ClientID: clientID, ClientSecret: clientSecret, BaseURL: p.server.URL, Clock: clock.NewFake(now),
		WebhookURL: "https://site.example/api/franchise/payments/webhook/cashfree",
	})
}

// Gateway returns the adapter.
func (p *provider) Gateway() payment.Gateway { return p.gateway() }

// Complete ends the customer's session at the hosted page.
func (p *provider) Complete(t *testing.T, s payment.Session, end payment.Status, amount money.Paise) payment.Incoming {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	id := strings.TrimPrefix(s.Fields["payment_session_id"], "session_")
	o := p.orders[id]
	require.NotNil(t, o)
	a := map[string]any{
		"cf_payment_id": strconv.Itoa(1453002795 + len(p.paid[id])), "order_id": id, "payment_currency": "INR", "is_captured": true,
		"payment_group": "upi", "payment_time": "2026-11-02T11:15:06+05:30", "bank_reference": "234928698581", "payment_message": "00::Transaction success",
		"payment_amount": json.Number(amount.Decimal()), "payment_status": "SUCCESS",
	}
	if end == payment.StatusPaid {
		o["order_status"] = "PAID"
	} else {
		a["payment_status"], a["payment_message"], a["is_captured"] = "FAILED", "01::REJECTED", false
		a["error_details"] = map[string]any{"error_description": "issuer bank or payment service provider declined the transaction"}
	}
	p.paid[id], p.last = append(p.paid[id], a), a
	meta, _ := o["order_meta"].(map[string]any)
	back, err := url.Parse(strings.ReplaceAll(meta["return_url"].(string), "{order_id}", id))
	require.NoError(t, err)
	form := map[string]string{}
	for name := range back.Query() {
		form[name] = back.Query().Get(name)
	}
	return payment.Incoming{Form: form}
}

// Webhook returns the signed notice of the last payment.
func (p *provider) Webhook(t *testing.T) payment.Incoming {
	t.Helper()
	kind := "PAYMENT_SUCCESS_WEBHOOK"
	if p.last["payment_status"] != "SUCCESS" {
		kind = "PAYMENT_FAILED_WEBHOOK"
	}
	body, err := json.Marshal(map[string]any{
		"type": kind, "event_time": "2026-11-02T11:15:08+05:30",
		"data": map[string]any{"order": map[string]any{"order_id": p.last["order_id"]}, "payment": p.last},
	})
	require.NoError(t, err)
	return signed(body, now.Add(-time.Minute))
}

// signed returns a body with Cashfree's headers.
func signed(body []byte, at time.Time) payment.Incoming {
	stamp := strconv.FormatInt(at.UnixMilli(), 10)
	return payment.Incoming{Body: body, Headers: map[string]string{
		"x-webhook-signature": mac(stamp + string(body)), "x-webhook-timestamp": stamp, "x-webhook-version": "2023-08-01", "x-webhook-attempt": "1",
	}}
}

func mac(text string) string {
	m := hmac.New(sha256.New, []byte(clientSecret))
	_, _ = io.WriteString(m, text)
	return base64.StdEncoding.EncodeToString(m.Sum(nil))
}

// Break makes every further answer bad.
func (p *provider) Break(mode string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mode = mode
}

// Refunds counts the refunds made.
func (p *provider) Refunds() int { return p.made }

// Wire says that the browser brings back only what our own return address has.
func (*provider) Wire() gatewaytest.Wire {
	return gatewaytest.Wire{Signed: []string{"transaction", "proof", "order_id"}, SilentReturn: true}
}

func TestCashfree_CommonGatewayTests_Pass(t *testing.T) {
	t.Parallel()
	gatewaytest.Run(t, func(t *testing.T) gatewaytest.Provider { t.Helper(); return start(t) })
}
