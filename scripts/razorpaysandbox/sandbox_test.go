package main

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/scripts/sandbox"
)

const (
	testKeyID  = "rzp_test_sandbox"
	testSecret = "EnLs21M47BllR3X8PSFtjtbd" // from the documentation's sample code
)

// event is a webhook as the merchant received it.
type event struct {
	id, signature, body string
	name                string
	payload             map[string]struct{ Entity fields }
}

// bundle is a running sandbox together with the merchant's webhook endpoint.
type bundle struct {
	*server
	t   *testing.T
	url string

	mu     sync.Mutex
	clock  time.Time
	events []event
	answer int // the merchant's response status for webhooks
}

// transport is not the default one, whose connections every test server closes when it ends.
func transport(t *testing.T) *http.Transport {
	t.Helper()
	own := &http.Transport{}
	t.Cleanup(own.CloseIdleConnections)
	return own
}

func setup(t *testing.T, changes ...string) *bundle {
	t.Helper()
	// A Thursday before a long run of ordinary days.
	b := &bundle{t: t, answer: http.StatusOK, clock: time.Date(2026, 7, 2, 12, 0, 0, 0, sandbox.India())}
	webhook := httptest.NewServer(http.HandlerFunc(b.receive))
	env := map[string]string{
		"RAZORPAY_KEY_ID": testKeyID, "RAZORPAY_KEY_SECRET": testSecret, "RAZORPAY_WEBHOOK_SECRET": "123456",
		"SANDBOX_STATE": filepath.Join(t.TempDir(), "journal"), "SANDBOX_WEBHOOK_URL": webhook.URL,
	}
	for i := 0; i < len(changes); i += 2 {
		env[changes[i]] = changes[i+1]
	}
	var err error
	b.server, err = newServer(func(name string) string { return env[name] }, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	b.now = func() time.Time {
		b.mu.Lock()
		defer b.mu.Unlock()
		return b.clock
	}
	gateway := httptest.NewServer(b.routes())
	b.url = gateway.URL
	ctx, cancel := context.WithCancel(context.Background())
	b.closing = ctx.Done()
	var attending sync.WaitGroup
	attending.Go(func() { b.attend(ctx) })
	t.Cleanup(func() {
		cancel()
		attending.Wait()
		gateway.Close()
		webhook.Close()
	})
	return b
}

func (b *bundle) receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	got := event{id: r.Header.Get("X-Razorpay-Event-Id"), signature: r.Header.Get("X-Razorpay-Signature"), body: string(body)}
	var parsed struct {
		Event   string
		Payload map[string]json.RawMessage
	}
	if err := json.Unmarshal(body, &parsed); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	got.name, got.payload = parsed.Event, map[string]struct{ Entity fields }{}
	for name, text := range parsed.Payload {
		var one struct{ Entity fields }
		if json.Unmarshal(text, &one) == nil { // notices have created_at beside their entity
			got.payload[name] = one
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.events = append(b.events, got)
	w.WriteHeader(b.answer)
}

func (b *bundle) setAnswer(status int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.answer = status
}

// pass moves business time forward.
func (b *bundle) pass(span time.Duration) {
	b.mu.Lock()
	b.clock = b.clock.Add(span)
	b.mu.Unlock()
	require.NoError(b.t, b.advance())
	b.wake()
}

// named waits until count events with the name have arrived.
func (b *bundle) named(name string, count int) []event {
	b.t.Helper()
	var found []event
	require.Eventually(b.t, func() bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		found = nil
		for _, e := range b.events {
			if e.name == name {
				found = append(found, e)
			}
		}
		return len(found) >= count
	}, time.Minute, 10*time.Millisecond, name)
	return found
}

// call calls the API with the account's keys; headers come in pairs.
func (b *bundle) call(method, path, body string, headers ...string) (int, fields) {
	b.t.Helper()
	request, err := http.NewRequestWithContext(b.t.Context(), method, b.url+path, strings.NewReader(body))
	require.NoError(b.t, err)
	request.SetBasicAuth(testKeyID, testSecret)
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := (&http.Client{Transport: transport(b.t)}).Do(request)
	require.NoError(b.t, err)
	defer func() { require.NoError(b.t, response.Body.Close()) }()
	text, err := io.ReadAll(response.Body)
	require.NoError(b.t, err)
	answer := fields{}
	if len(text) > 0 {
		require.NoError(b.t, json.Unmarshal(text, &answer), string(text))
	}
	return response.StatusCode, answer
}

func (b *bundle) ok(method, path, body string, headers ...string) fields {
	b.t.Helper()
	status, answer := b.call(method, path, body, headers...)
	require.Equal(b.t, http.StatusOK, status, answer)
	return answer
}

// refused makes a call that must fail and returns the error's description.
func (b *bundle) refused(want int, method, path, body string, headers ...string) string {
	b.t.Helper()
	status, answer := b.call(method, path, body, headers...)
	require.Equal(b.t, want, status, answer)
	return answer["error"].(fields)["description"].(string)
}

// order creates an order of the given amount in paise and opens its checkout.
func (b *bundle) order(receipt, amount string) string {
	b.t.Helper()
	id := b.ok("POST", "/v1/orders", `{"amount":`+amount+`,"currency":"INR","receipt":"`+receipt+`"}`)["id"].(string)
	status, text, _ := b.post("/v1/checkout/embedded", checkoutForm(id, amount))
	require.Equal(b.t, http.StatusSeeOther, status, text)
	return id
}

func checkoutForm(orderID, amount string) url.Values {
	return url.Values{
		"key_id": {testKeyID}, "order_id": {orderID}, "amount": {amount}, "currency": {"INR"}, "name": {"Franchise 360"},
		"description": {"Silver plan"}, "prefill[name]": {"Asha"}, "prefill[email]": {"a@b.in"},
		"prefill[contact]": {"+919876543210"}, "callback_url": {"http://merchant.test/callback?gateway=razorpay"},
		"cancel_url": {"http://merchant.test/cancelled"},
	}
}

// post sends a form without following redirects.
func (b *bundle) post(path string, form url.Values) (int, string, http.Header) {
	b.t.Helper()
	client := &http.Client{Transport: transport(b.t), CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	request, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, b.url+path, strings.NewReader(form.Encode()))
	require.NoError(b.t, err)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := client.Do(request)
	require.NoError(b.t, err)
	defer func() { require.NoError(b.t, response.Body.Close()) }()
	text, err := io.ReadAll(response.Body)
	require.NoError(b.t, err)
	return response.StatusCode, string(text), response.Header
}

// outcome ends an attempt and returns what the browser would post.
func (b *bundle) outcome(receipt, body string) fields {
	b.t.Helper()
	return b.ok("POST", "/sandbox/payments/"+receipt+"/outcome", body)
}

// paid creates and pays an order; it returns the ids of order and payment.
func (b *bundle) paid(receipt, amount string) (orderID, paymentID string) {
	b.t.Helper()
	orderID = b.order(receipt, amount)
	b.outcome(receipt, `{"outcome":"success"}`)
	return orderID, b.payments(orderID)[0]["id"].(string)
}

func (b *bundle) payments(orderID string) []fields {
	b.t.Helper()
	return items(b.ok("GET", "/v1/orders/"+orderID+"/payments", ""))
}

func items(collection fields) []fields {
	var list []fields
	for _, item := range collection["items"].([]any) {
		list = append(list, item.(fields))
	}
	return list
}

func TestSignatures_EqualThePublishedOnes(t *testing.T) {
	t.Parallel()
	require.Equal(t, "0d4e745a1838664ad6c9c9902212a32d627d68e917290b0ad5f08ff4561bc50f",
		paymentSignature("EnLs21M47BllR3X8PSFtjtbd", "order_IEIaMR65cu6nz3", "pay_IH4NVgf4Dreq1l"))
	require.Equal(t, "2fe04e22977002e6c7cb553adab8b460cb9e2a4970d5953cb27a8472752e3bbc", sign("123456", `{"a":1,"b":2,"c":{"d":3}}`))
}

func TestCheckout_Success_HasASignedReturn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.order("T1", "100000")
	require.Equal(t, "created", b.ok("GET", "/v1/orders/"+id, "")["status"])
	require.Empty(t, b.payments(id))
	answer := b.outcome("T1", `{"outcome":"success","method":"upi"}`)
	posted := answer["fields"].(fields)
	p := b.payments(id)[0]
	require.Equal(t, "http://merchant.test/callback?gateway=razorpay", answer["return_url"])
	require.Equal(t, p["id"], posted["razorpay_payment_id"])
	require.Equal(t, paymentSignature(testSecret, id, p["id"].(string)), posted["razorpay_signature"])
	require.Equal(t, "captured", p["status"])
	require.Equal(t, "success@razorpay", p["vpa"])
	require.InDelta(t, 2360, p["fee"], 0)
	require.InDelta(t, 360, p["tax"], 0)
	require.Equal(t, "paid", b.ok("GET", "/v1/orders/"+id, "")["status"])
	for _, name := range []string{"payment.authorized", "payment.captured", "order.paid"} {
		e := b.named(name, 1)[0]
		require.Equal(t, sign("123456", e.body), e.signature)
		require.NotEmpty(t, e.id)
	}
	require.Equal(t, "authorized", b.named("payment.authorized", 1)[0].payload["payment"].Entity["status"])
	status, _, _ := b.post("/v1/checkout/embedded", checkoutForm(id, "100000"))
	require.Equal(t, http.StatusBadRequest, status)
	require.Equal(t, http.StatusConflict, func() int { s, _ := b.call("POST", "/sandbox/payments/T1/outcome", `{"outcome":"success"}`); return s }())
}

func TestCheckout_FailureAndCancellation_ReturnUnsigned(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.order("T1", "100000")
	status, _, header := b.post("/checkout/"+id, url.Values{"outcome": {"cancel"}})
	require.Equal(t, http.StatusSeeOther, status)
	require.Equal(t, "http://merchant.test/cancelled", header.Get("Location"))
	require.Equal(t, http.MethodGet, b.outcome("T1", `{"outcome":"cancel"}`)["method"])
	status, page, _ := b.post("/checkout/"+id, url.Values{"outcome": {"success"}, "method": {"upi"}, "vpa": {failingVPA}})
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, page, `name="error[code]" value="BAD_REQUEST_ERROR"`)
	require.NotContains(t, page, "razorpay_")
	require.Equal(t, "failed", b.payments(id)[0]["status"])
	require.Equal(t, "attempted", b.ok("GET", "/v1/orders/"+id, "")["status"])
}

func TestCheckout_DiffersFromItsOrder_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.order("T1", "100000")
	for name, change := range map[string][2]string{
		"another amount": {"amount", "100"}, "another key": {"key_id", "rzp_test_other"}, "no order": {"order_id", "order_x"},
		"no callback": {"callback_url", ""}, "no contact": {"prefill[contact]", ""}, "odd address": {"cancel_url", "javascript:1"},
	} {
		form := checkoutForm(id, "100000")
		form.Set(change[0], change[1])
		status, _, _ := b.post("/v1/checkout/embedded", form)
		require.GreaterOrEqual(t, status, http.StatusBadRequest, name)
	}
}

func TestLateAuthorisation_FollowsAFailure(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.order("T1", "100000")
	b.outcome("T1", `{"outcome":"late_success","delay_seconds":0}`)
	b.named("payment.failed", 1)
	b.named("payment.captured", 1)
	require.Equal(t, "captured", b.payments(id)[0]["status"])
}

func TestPayment_BankSilentForTenMinutes_Fails(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.order("T1", "100000")
	require.Empty(t, b.outcome("T1", `{"outcome":"pending"}`)["return_url"])
	require.Equal(t, "created", b.payments(id)[0]["status"])
	b.pass(11 * time.Minute)
	require.Equal(t, "failed", b.payments(id)[0]["status"])
}

func TestAuthorisation_NotCapturedInTime_IsRefunded(t *testing.T) {
	t.Parallel()
	b := setup(t, "SANDBOX_CAPTURE", "manual")
	id, paymentID := b.paid("T1", "100000")
	require.Equal(t, "authorized", b.payments(id)[0]["status"])
	require.Equal(t, "attempted", b.ok("GET", "/v1/orders/"+id, "")["status"])
	require.Contains(t, b.refused(400, "POST", "/v1/payments/"+paymentID+"/refund", `{}`), "should be captured")
	require.Contains(t, b.refused(400, "POST", "/v1/payments/"+paymentID+"/capture", `{"amount":100,"currency":"INR"}`), "must be equal")
	b.pass(5*24*time.Hour + time.Minute)
	p := b.payments(id)[0]
	require.Equal(t, "refunded", p["status"])
	require.Equal(t, "full", p["refund_status"])
	require.Equal(t, false, p["captured"])

	second, paymentID := b.paid("T2", "100000")
	require.Equal(t, "captured", b.ok("POST", "/v1/payments/"+paymentID+"/capture", `{"amount":100000,"currency":"INR"}`)["status"])
	require.Equal(t, "paid", b.ok("GET", "/v1/orders/"+second, "")["status"])
	require.Contains(t, b.refused(400, "POST", "/v1/payments/"+paymentID+"/capture", `{"amount":100000}`), "already been captured")
}

func TestOrder_CaptureSetting_PrecedesTheAccounts(t *testing.T) {
	t.Parallel()
	b := setup(t, "SANDBOX_CAPTURE", "manual")
	id := b.ok("POST", "/v1/orders", `{"amount":100000,"currency":"INR","receipt":"T1","payment":{"capture":"automatic",
		"capture_options":{"automatic_expiry_period":12,"manual_expiry_period":7200,"refund_speed":"normal"}}}`)["id"].(string)
	b.outcome("T1", `{"outcome":"success"}`)
	require.Equal(t, "captured", b.payments(id)[0]["status"])
	require.Contains(t, b.refused(400, "POST", "/v1/orders",
		`{"amount":100000,"currency":"INR","payment":{"capture":"automatic","capture_options":{"automatic_expiry_period":5}}}`), "at least 12")
}

func TestOrder_SecondPayment_IsRefundedImmediately(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id, first := b.paid("T1", "100000")
	b.outcome("T1", `{"outcome":"second_success"}`)
	list := b.payments(id)
	require.Len(t, list, 2)
	require.Equal(t, "refunded", list[0]["status"])
	require.Equal(t, first, list[1]["id"])
	require.Equal(t, "captured", list[1]["status"])
	b.named("refund.created", 1)
}

func TestOrder_Invalid_IsRefusedAsPublished(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for body, part := range map[string]string{
		`{"amount":99,"currency":"INR"}`:  "at least INR 1.00",
		`{"amount":1.5,"currency":"INR"}`: "integer",
		`{"currency":"INR"}`:              "amount field is required",
		`{"amount":100}`:                  "currency field is required",
		`{"amount":100,"currency":"INR","receipt":"` + strings.Repeat("r", 41) + `"}`: "40 characters",
		`{"amount":100,"currency":"INR","colour":"red"}`:                              "colour is/are not required",
		`[]`: "JSON object",
	} {
		require.Contains(t, b.refused(400, "POST", "/v1/orders", body), part, body)
	}
	b.ok("POST", "/v1/orders", `{"amount":100,"currency":"INR","receipt":"T1"}`)
	require.Contains(t, b.refused(400, "POST", "/v1/orders", `{"amount":100,"currency":"INR","receipt":"T1"}`), "taken")
	require.Len(t, items(b.ok("GET", "/v1/orders?receipt=T1", "")), 1)
	require.Empty(t, items(b.ok("GET", "/v1/orders?receipt=T2", "")))
	require.Contains(t, b.refused(404, "GET", "/v1/nothing", ""), "not found")
	require.Contains(t, b.refused(400, "GET", "/v1/payments/pay_x", ""), "does not exist")
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.url+"/v1/orders", nil)
	require.NoError(t, err)
	request.SetBasicAuth(testKeyID, "wrong")
	response, err := (&http.Client{Transport: transport(t)}).Do(request)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, http.StatusUnauthorized, response.StatusCode)
}

func TestRefund_SameKeyTwice_ReturnsTheFirst(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, paymentID := b.paid("T1", "100000")
	path, key := "/v1/payments/"+paymentID+"/refund", []string{idempotencyHeader, "key-000001"}
	first := b.ok("POST", path, `{"amount":40000}`, key...)
	require.Equal(t, "pending", first["status"])
	require.Equal(t, first["id"], b.ok("POST", path, `{"amount":40000}`, key...)["id"])
	require.Contains(t, b.refused(400, "POST", path, `{"amount":50000}`, key...), "Different request")
	require.Contains(t, b.refused(400, "POST", path, `{"amount":100}`, idempotencyHeader, "short"), "10 characters")
	require.Contains(t, b.refused(400, "POST", path, `{"amount":100}`, idempotencyHeader, "a key with spaces"), "alphanumeric")
	require.Contains(t, b.refused(400, "POST", path, `{"amount":60001}`), "greater than amount captured")
	require.Contains(t, b.refused(400, "POST", path, `{"amount":99}`), "at least INR 1.00")
	require.Contains(t, b.refused(400, "POST", path, `{"amount":100,"reason":"x"}`), "reason is/are not required")
	b.ok("POST", path, `{}`)
	require.Contains(t, b.refused(400, "POST", path, `{"amount":100}`), "fully refunded already")
	require.Equal(t, "refunded", b.ok("GET", "/v1/payments/"+paymentID, "")["status"])
	require.Len(t, items(b.ok("GET", "/v1/payments/"+paymentID+"/refunds", "")), 2)
	require.Equal(t, first["id"], b.ok("GET", "/v1/payments/"+paymentID+"/refunds/"+first["id"].(string), "")["id"])
}

func TestRefund_SameKeyInFlight_IsAConflict(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, paymentID := b.paid("T1", "100000")
	path := "/v1/payments/" + paymentID + "/refund"
	b.ok("POST", "/sandbox/mode", `{"mode":"timeout","calls":1}`)
	ctx, cancel := context.WithCancel(t.Context())
	var asking sync.WaitGroup
	asking.Go(func() {
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, b.url+path, strings.NewReader(`{"amount":40000}`))
		if err != nil {
			return
		}
		request.SetBasicAuth(testKeyID, testSecret)
		request.Header.Set(idempotencyHeader, "key-000001")
		if response, err := (&http.Client{Transport: transport(t)}).Do(request); err == nil {
			_ = response.Body.Close()
		}
	})
	b.named("refund.created", 1) // it was created; only its answer got lost
	require.Contains(t, b.refused(409, "POST", path, `{"amount":40000}`, idempotencyHeader, "key-000001"), "still in progress")
	cancel()
	asking.Wait()
	require.Eventually(t, func() bool {
		status, _ := b.call("POST", path, `{"amount":40000}`, idempotencyHeader, "key-000001")
		return status == http.StatusOK
	}, time.Minute, 10*time.Millisecond)
	require.Len(t, items(b.ok("GET", "/v1/payments/"+paymentID+"/refunds", "")), 1)
}

func TestRefund_GetsItsARNLater(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, paymentID := b.paid("T1", "100000")
	id := b.ok("POST", "/v1/payments/"+paymentID+"/refund", `{"amount":40000}`)["id"].(string)
	b.pass(time.Minute)
	got := b.ok("GET", "/v1/refunds/"+id, "")
	require.Equal(t, "processed", got["status"])
	require.Nil(t, got["acquirer_data"].(fields)["arn"])
	b.pass(4 * 24 * time.Hour)
	require.NotNil(t, b.ok("GET", "/v1/refunds/"+id, "")["acquirer_data"].(fields)["arn"])
	b.pass(200 * 24 * time.Hour)
	require.Contains(t, b.refused(400, "POST", "/v1/payments/"+paymentID+"/refund", `{"amount":100}`), "6 months")
}

func TestRefund_StaysPendingAndFails(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, paymentID := b.paid("T1", "100000")
	id := b.ok("POST", "/sandbox/payments/T1/refund", `{"amount":"1000.00"}`)["id"].(string)
	b.ok("POST", "/sandbox/refunds/"+id+"/outcome", `{"outcome":"pending"}`)
	b.pass(30 * 24 * time.Hour)
	require.Equal(t, "pending", b.ok("GET", "/v1/refunds/"+id, "")["status"])
	b.ok("POST", "/sandbox/refunds/"+id+"/outcome", `{"outcome":"failed"}`)
	b.named("refund.failed", 1)
	p := b.ok("GET", "/v1/payments/"+paymentID, "")
	require.Equal(t, "captured", p["status"])
	require.InDelta(t, 0, p["amount_refunded"], 0)
}

func TestMode_MakesTheAPIFailAsRequested(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, paymentID := b.paid("T1", "100000")
	b.ok("POST", "/sandbox/mode", `{"mode":"throttle","calls":1}`)
	b.refused(429, "GET", "/v1/payments/"+paymentID, "")
	b.ok("POST", "/sandbox/mode", `{"mode":"balance","calls":1}`)
	require.Contains(t, b.refused(400, "POST", "/v1/payments/"+paymentID+"/refund", `{}`), "enough balance")
	b.ok("POST", "/sandbox/mode", `{"mode":"error","calls":1}`)
	b.refused(500, "GET", "/v1/payments/"+paymentID, "")
	require.Equal(t, "ok", b.ok("GET", "/sandbox/mode", "")["mode"])
}

func TestWebhooks_KeepFailing_AreDisabled(t *testing.T) {
	t.Parallel()
	b := setup(t, "SANDBOX_DISABLE_AFTER", "1ms")
	b.setAnswer(http.StatusBadRequest)
	b.paid("T1", "100000")
	b.named("payment.captured", 1)
	require.Eventually(t, func() bool { return b.ok("GET", "/sandbox/webhooks", "")["disabled"] != "" }, time.Minute, 10*time.Millisecond)
	b.paid("T2", "100000")
	b.setAnswer(http.StatusOK)
	require.Empty(t, b.book.waiting(time.Now()))
	b.ok("POST", "/sandbox/webhooks/enable", "")
	require.Eventually(t, func() bool { return len(b.named("order.paid", 1)) >= 1 }, time.Minute, 10*time.Millisecond)
	require.Empty(t, b.ok("GET", "/sandbox/webhooks", "")["disabled"])
}

func TestWebhook_SentTwice_HasOneID(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.order("T1", "100000")
	b.outcome("T1", `{"outcome":"success","webhook":"twice"}`)
	twice := b.named("order.paid", 2)
	require.Equal(t, twice[0].id, twice[1].id)
	require.Equal(t, twice[0].body, twice[1].body)
}

func TestRestart_KeepsTheJournal(t *testing.T) {
	t.Parallel()
	state := filepath.Join(t.TempDir(), "journal")
	b := setup(t, "SANDBOX_STATE", state)
	id, paymentID := b.paid("T1", "100000")
	b.pass(48 * time.Hour)
	again, err := openBook(state)
	require.NoError(t, err)
	o := again.order("T1")
	require.Equal(t, id, o.ID)
	require.Equal(t, paymentID, o.Payments[0].ID)
	require.Len(t, again.state.Settlements, 1)
	require.Equal(t, "2026-07-04", again.state.Account.SettledDay)
}

func TestPages_ShowOrdersAndPayments(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.order("T1", "15930000")
	b.paid("T2", "100000")
	for path, part := range map[string]string{"/checkout/" + id: "₹1,59,300.00", "/": "T2", "/checkout/order_x": "no such payment"} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.url+path, nil)
		require.NoError(t, err)
		response, err := (&http.Client{Transport: transport(t)}).Do(request)
		require.NoError(t, err)
		text, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Contains(t, string(text), part)
	}
}
