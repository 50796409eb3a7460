package main

import (
	"bytes"
	"context"
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

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/api/handler"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/config"
)

const cashfreeSecret = "TESTaf195616268bd6202eeb3bf8dc458956e7192a85"

// cashfreeServer knows the orders created at it, each paid as soon as it is captured.
type cashfreeServer struct {
	mu       sync.Mutex
	orders   map[string]map[string]any
	captured map[string]bool
}

func (c *cashfreeServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	id, payments := strings.CutSuffix(strings.TrimPrefix(r.URL.Path, "/pg/orders/"), "/payments")
	switch o := c.orders[id]; {
	case r.Method == http.MethodPost && r.URL.Path == "/pg/orders":
		decoder := json.NewDecoder(r.Body)
		decoder.UseNumber()
		_ = decoder.Decode(&o)
		id, _ = o["order_id"].(string)
		o["order_status"], o["payment_session_id"] = "ACTIVE", "session_"+id
		c.orders[id] = o
		_ = json.NewEncoder(w).Encode(o)
	case o == nil:
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{"code":"order_not_found"}`)
	case payments && c.captured[id]:
		_ = json.NewEncoder(w).Encode([]any{map[string]any{
			"cf_payment_id": "1453002795", "order_id": id, "payment_amount": o["order_amount"], "payment_currency": "INR", "is_captured": true,
			"payment_status": "SUCCESS", "payment_group": "upi", "bank_reference": "234928698581",
		}})
	case payments:
		_, _ = io.WriteString(w, "[]")
	default:
		_ = json.NewEncoder(w).Encode(o)
	}
}

// pay captures the order's amount and returns the address to which Cashfree redirects the browser.
func (c *cashfreeServer) pay(t *testing.T, id string) *url.URL {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.orders[id]["order_status"], c.captured[id] = "PAID", true
	meta, _ := c.orders[id]["order_meta"].(map[string]any)
	address, _ := meta["return_url"].(string)
	back, err := url.Parse(strings.ReplaceAll(address, "{order_id}", id))
	require.NoError(t, err)
	return back
}

func (a *testApp) cashfreeWebhook(t *testing.T, secret, body string) int {
	t.Helper()
	stamp := strconv.FormatInt(a.clock.Now().UnixMilli(), 10)
	mac := hmac.New(sha256.New, []byte(secret))
	_, _ = io.WriteString(mac, stamp+body)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, a.server.URL+handler.Prefix+"/payments/webhook/cashfree", bytes.NewBufferString(body))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Webhook-Timestamp", stamp)
	r.Header.Set("X-Webhook-Signature", base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	return a.client(t).send(t, r).Status
}

// A purchase through Cashfree from the request to the active plan: the browser's return only starts a verification, and a webhook follows.
func TestCashfree_PurchaseThroughTheAPI_IsPaidOnlyOnceVerified(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	require.Equal(t, 404, app.cashfreeWebhook(t, cashfreeSecret, `{}`), "it is off until GATEWAY names it")
	fake := &cashfreeServer{orders: map[string]map[string]any{}, captured: map[string]bool{}}
	server := httptest.NewServer(fake)
	t.Cleanup(server.Close)
	app.config.Gateways = config.Gateways{
		Names: []string{"cashfree"}, Pages: []string{server.URL}, Accounts: map[string]config.GatewayAccount{"cashfree": {
			"CASHFREE_URL": server.URL, "CASHFREE_CLIENT_ID": "TEST430329ae80e0f32e41a393d78b923034", "CASHFREE_CLIENT_SECRET": cashfreeSecret,
		}},
	}
	app.start(t)

	c := app.buyer(t, "9876500305")
	request := choice(app.catalogue(t).Plans[0].Tiers[0], "yearly", "payment_method", "card")
	asked := c.post(t, "/subscription/payments/request", request)
	form, _ := asked.Data(t, "gateway_details").(map[string]any)
	require.Equal(t, server.URL+"/pg/view/sessions/checkout", form["payment_url"])
	session, _ := form["payment_session_id"].(string)
	order := strings.TrimPrefix(session, "session_")
	txn, card := strings.CutSuffix(order, "-card")
	require.True(t, card, "the chosen method has an order of its own: %s", order)

	state := func() (s string) {
		require.NoError(t, app.db.Owner.Get(&s, `SELECT state FROM payments WHERE transaction_id = $1`, txn))
		return s
	}
	back := fake.pay(t, order)
	got := app.client(t).get(t, "/payments/callback?"+back.RawQuery)
	require.Equal(t, 303, got.Status)
	require.Equal(t, "/checkout/result/success?transaction_id="+txn, got.Header.Get("Location"))
	require.NotEqual(t, "paid", state(), "the browser's return proves nothing")
	require.Equal(t, 400, app.client(t).get(t, "/payments/callback?"+strings.Replace(back.RawQuery, "transaction="+txn, "transaction="+txn+"0", 1)).Status)

	notice := `{"data":{"order":{"order_id":"` + order + `"},"payment":{"cf_payment_id":"1453002795","payment_status":"SUCCESS","payment_amount":1.00}},"type":"PAYMENT_SUCCESS_WEBHOOK"}`
	require.Equal(t, 400, app.cashfreeWebhook(t, "another secret", notice))
	for range 3 {
		require.Equal(t, 200, app.cashfreeWebhook(t, cashfreeSecret, notice))
	}
	require.NotEqual(t, "paid", state(), "nor does a webhook, whatever amount it names")
	require.Equal(t, 2, app.events(t))

	payments := app.working(t, app.config).Payments
	var args []string
	require.NoError(t, app.db.Owner.Select(&args, `SELECT args::text FROM river_job WHERE kind = 'verify_payment' AND state = 'available'`))
	require.NotEmpty(t, args)
	for _, text := range args {
		var v payment.VerifyArgs
		require.NoError(t, json.Unmarshal([]byte(text), &v))
		require.NoError(t, payments.Captures.Verify(context.Background(), v))
	}
	require.Equal(t, "paid", state())
	var paidBy string
	require.NoError(t, app.db.Owner.Get(&paidBy, `SELECT gateway || '/' || gateway_payment_id || '/' || bank_reference FROM payments WHERE transaction_id = $1`, txn))
	require.Equal(t, "cashfree/1453002795/234928698581", paidBy)
}
