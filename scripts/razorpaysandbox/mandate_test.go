package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/scripts/sandbox"
)

// december sets business time to the first of December 2026 at noon in India.
func (b *bundle) december() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.clock = time.Date(2026, 12, 1, 12, 0, 0, 0, sandbox.India())
}

// mandated registers a mandate by the method and returns customer and token.
func (b *bundle) mandated(method string) (customerID, tokenID string) {
	b.t.Helper()
	b.december()
	customerID = b.ok("POST", "/v1/customers", `{"name":"Gaurav Kumar","email":"a@b.in","contact":"+919876543210","fail_existing":"0"}`)["id"].(string)
	amount, frequency := "100", `,"frequency":"monthly"`
	if method == methodEmandate {
		amount, frequency = "0", `,"auth_type":"netbanking"`
	}
	id := b.ok("POST", "/v1/orders", `{"amount":`+amount+`,"currency":"INR","receipt":"M1","payment_capture":true,"customer_id":"`+customerID+
		`","method":"`+method+`","token":{"max_amount":500000,"expire_at":1950000000`+frequency+`}}`)["id"].(string)
	form := checkoutForm(id, amount)
	form.Set("customer_id", customerID)
	form.Set("recurring", "1")
	status, text, _ := b.post("/v1/checkout/embedded", form)
	require.Equal(b.t, http.StatusSeeOther, status, text)
	b.outcome("M1", `{"outcome":"success"}`)
	tokenID, _ = b.payments(id)[0]["token_id"].(string)
	require.NotEmpty(b.t, tokenID)
	return customerID, tokenID
}

// noticed creates the order of a debit three days on.
func (b *bundle) noticed(receipt, tokenID string) string {
	b.t.Helper()
	after := strconv.FormatInt(b.now().Add(48*time.Hour).Unix(), 10)
	return b.ok("POST", "/v1/orders", `{"amount":1000,"currency":"INR","payment_capture":true,"receipt":"`+receipt+
		`","notification":{"token_id":"`+tokenID+`","payment_after":`+after+`}}`)["id"].(string)
}

func debitBody(orderID, customerID, tokenID string) string {
	return `{"email":"a@b.in","contact":"+919876543210","amount":1000,"currency":"INR","order_id":"` + orderID + `","customer_id":"` +
		customerID + `","token":"` + tokenID + `","recurring":true,"description":"Debit","notes":{"transaction":"T1"}}`
}

func (b *bundle) debited(orderID, customerID, tokenID string) string {
	b.t.Helper()
	return b.ok("POST", "/v1/payments/create/recurring", debitBody(orderID, customerID, tokenID))["razorpay_payment_id"].(string)
}

func (b *bundle) fetched(id string) fields {
	b.t.Helper()
	return b.ok("GET", "/v1/payments/"+id, "")
}

func eventOf(t *testing.T, e event) fields {
	t.Helper()
	got := fields{}
	require.NoError(t, json.Unmarshal([]byte(e.body), &got))
	return got
}

func (b *bundle) page(path string) string {
	b.t.Helper()
	request, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, b.url+path, nil)
	require.NoError(b.t, err)
	response, err := (&http.Client{Transport: transport(b.t)}).Do(request)
	require.NoError(b.t, err)
	defer func() { require.NoError(b.t, response.Body.Close()) }()
	text, err := io.ReadAll(response.Body)
	require.NoError(b.t, err)
	require.Equal(b.t, http.StatusOK, response.StatusCode)
	return string(text)
}

func TestMandates_EqualThePublishedSamples(t *testing.T) {
	t.Parallel()
	b := setup(t)
	customerID, tokenID := b.mandated(methodUPI)
	sample := published(t, "customer")
	sample["created_at"] = sample["created_at "]
	delete(sample, "created_at ")
	sameShape(t, "customer", sample, b.ok("GET", "/v1/customers/"+customerID, ""))
	path := "/v1/customers/" + customerID + "/tokens"
	require.Empty(t, items(b.ok("GET", path, "")), "those of UPI need a feature of the account")
	b.ok("POST", "/sandbox/settings", `{"save_vpa":true}`)
	list := items(b.ok("GET", path, ""))
	theirs := items(published(t, "tokens-upi"))[0]
	theirs["max_amount"], theirs["expired_at"] = 1.0, 1.0 // the events' samples have them
	sameShape(t, "token", theirs, list[0])
	sameShape(t, "token.confirmed", published(t, "event-token-cancelled"), eventOf(t, b.named("token.confirmed", 1)[0]))

	id := b.noticed("N1", tokenID)
	sameShape(t, "order", published(t, "order-notification"), b.ok("GET", "/v1/orders/"+id, ""))
	b.pass(time.Minute)
	require.Equal(t, []any{"notification"}, eventOf(t, b.named("order.notification.delivered", 1)[0])["contains"])
	sameShape(t, "delivered", published(t, "event-notification-delivered"), eventOf(t, b.named("order.notification.delivered", 1)[0]))
	b.pass(67 * time.Hour)
	require.Equal(t, published(t, "recurring-refused"), func() fields {
		big := b.ok("POST", "/v1/orders", `{"amount":500100,"currency":"INR","receipt":"B"}`)["id"].(string)
		_, refused := b.call("POST", "/v1/payments/create/recurring", `{"email":"a@b.in","contact":"+919876543210","amount":500100,"currency":"INR","order_id":"`+
			big+`","customer_id":"`+customerID+`","token":"`+tokenID+`","recurring":true}`)
		return refused
	}())
	made := b.ok("POST", "/v1/payments/create/recurring", debitBody(id, customerID, tokenID))
	sameShape(t, "recurring", published(t, "recurring"), made)
	b.pass(time.Minute)
	paid := b.fetched(made["razorpay_payment_id"].(string))
	require.Equal(t, "captured", paid["status"])
	debit := published(t, "payment-debit")
	debit["upi"] = fields{"vpa": ""} // the newer sample has it
	sameShape(t, "debit", debit, paid)
	require.Equal(t, fields{"transaction": "T1"}, paid["notes"])

	other := b.noticed("N2", tokenID)
	require.NotEqual(t, id, other)
	b.ok("POST", "/sandbox/tokens/"+tokenID, `{"next_notice":"failed"}`)
	failing := b.noticed("N3", tokenID)
	b.pass(72 * time.Hour)
	sameShape(t, "failed", published(t, "event-notification-failed"), eventOf(t, b.named("order.notification.failed", 1)[0]))
	require.Equal(t, "mandate_current_cycle_allowed_debit_exceeds", func() any {
		id := b.debited(failing, customerID, tokenID)
		b.pass(time.Second)
		return b.fetched(id)["error_reason"]
	}())

	b.ok("POST", "/sandbox/tokens/"+tokenID, `{"status":"paused"}`)
	sameShape(t, "token.paused", published(t, "event-token-paused"), eventOf(t, b.named("token.paused", 1)[0]))
	require.Equal(t, "cancellation_initiated", b.ok("PUT", path+"/"+tokenID+"/cancel", "")["status"])
	b.pass(time.Minute)
	sameShape(t, "token.cancelled", published(t, "event-token-cancelled"), eventOf(t, b.named("token.cancelled", 1)[0]))
	b.refused(http.StatusBadRequest, "PUT", path+"/"+tokenID+"/cancel", "")
	b.ok("POST", "/sandbox/tokens/"+tokenID, `{"status":"rejected"}`)
	sameShape(t, "token.rejected", published(t, "event-token-cancelled"), eventOf(t, b.named("token.rejected", 1)[0]))

	b = setup(t)
	customerID, tokenID = b.mandated(methodCard)
	ours := b.ok("GET", "/v1/customers/"+customerID+"/tokens/"+tokenID, "")
	theirs = items(published(t, "tokens-card"))[0]
	theirs["max_amount"] = 1.0
	sameShape(t, "card", theirs, ours)
	require.Equal(t, "confirmed", ours["recurring_details"].(fields)["status"])
}

func TestMandate_WithAFailedPayment_IsActive(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.december()
	customerID := b.ok("POST", "/v1/customers", `{"name":"Asha","email":"a@b.in","contact":"+919876543210"}`)["id"].(string)
	b.refused(http.StatusBadRequest, "POST", "/v1/customers", `{"name":"Asha","email":"a@b.in","contact":"+919876543210"}`)
	id := b.ok("POST", "/v1/orders", `{"amount":1000,"currency":"INR","receipt":"M1","customer_id":"`+customerID+
		`","method":"upi","token":{"max_amount":500000,"expire_at":1950000000,"frequency":"monthly"}}`)["id"].(string)
	status, text, _ := b.post("/v1/checkout/embedded", checkoutForm(id, "1000"))
	require.Equal(t, http.StatusBadRequest, status)
	require.Contains(t, text, "customer_id and recurring")
	form := checkoutForm(id, "1000")
	form.Set("customer_id", customerID)
	form.Set("recurring", "1")
	_, _, header := b.post("/v1/checkout/embedded", form)
	page := b.page(header.Get("Location"))
	require.Contains(t, page, "at most ₹5,000.00 a debit, monthly")
	require.Contains(t, page, "dummy payment")
	status, _, _ = b.post(header.Get("Location"), url.Values{"outcome": {"dummy"}, "mandate": {"as_asked"}})
	require.Equal(t, http.StatusOK, status)
	p := b.payments(id)[0]
	want := published(t, "payment-dummy")
	for _, name := range []string{"status", "error_code", "error_description", "error_source", "error_step", "error_reason", "captured"} {
		require.Equal(t, want[name], p[name], name)
	}
	delete(want, "gateway_provider") // of accounts with an optimizer
	sameShape(t, "dummy", want, p)
	require.Len(t, b.named("token.confirmed", 1), 1)
	require.Len(t, b.named("payment.failed", 1), 1)
	index := b.page("/")
	require.Contains(t, index, p["token_id"].(string))
	status, _, _ = b.post("/tokens/"+p["token_id"].(string), url.Values{"act": {"next:insufficient_funds"}, "webhook": {"lost"}})
	require.Equal(t, http.StatusSeeOther, status)
	require.Equal(t, "insufficient_funds", b.book.tokens()[0].Next)
	status, _, _ = b.post("/tokens/none", url.Values{"act": {"paused"}})
	require.Equal(t, http.StatusBadRequest, status)
}

func TestDebit_BrokenRule_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	customerID, tokenID := b.mandated(methodCard)
	id := b.noticed("N1", tokenID)
	b.pass(time.Minute)
	status, refused := b.call("POST", "/v1/payments/create/recurring", debitBody(id, customerID, tokenID))
	require.Equal(t, http.StatusBadRequest, status)
	require.Equal(t, "BAD_REQUEST_MANDATE_PROMISED_DEBIT_DATE_NOT_HONOURED", refused["error"].(fields)["code"])
	require.Equal(t, "pre_debit_notification_not_sent", refused["error"].(fields)["reason"])
	b.pass(72 * time.Hour)
	b.ok("POST", "/sandbox/tokens/"+tokenID, `{"next":"stuck","next_webhook":"lost"}`)
	stuck := b.debited(id, customerID, tokenID)
	b.pass(time.Hour)
	require.Equal(t, "created", b.fetched(stuck)["status"], "no answer is no failure")
	require.Contains(t, b.refused(http.StatusBadRequest, "POST", "/v1/payments/create/recurring", debitBody(id, customerID, tokenID)), "in progress")
	b.ok("POST", "/sandbox/payments/"+id+"/outcome", `{"outcome":"success"}`)
	require.Equal(t, "captured", b.fetched(stuck)["status"], "a stuck debit can be decided later")

	b = setup(t)
	customerID, tokenID = b.mandated(methodUPI)
	id = b.noticed("N1", tokenID)
	b.ok("POST", "/sandbox/tokens/"+tokenID, `{"status":"paused","for":"24h","webhook":"lost"}`)
	b.pass(70*time.Hour + time.Minute) // 10:01, in closed hours; the pause has lapsed without an event
	require.Equal(t, "confirmed", b.ok("GET", "/v1/customers/"+customerID+"/tokens/"+tokenID, "")["recurring_details"].(fields)["status"])
	queued := b.debited(id, customerID, tokenID)
	b.pass(2 * time.Hour)
	require.Equal(t, "created", b.fetched(queued)["status"])
	b.pass(time.Hour)
	require.Equal(t, "captured", b.fetched(queued)["status"])
	require.Contains(t, b.refused(http.StatusBadRequest, "POST", "/v1/payments/create/recurring", debitBody(id, customerID, tokenID)), "already paid")
	require.Equal(t, true, b.ok("DELETE", "/v1/customers/"+customerID+"/tokens/"+tokenID, "")["deleted"])
	b.refused(http.StatusBadRequest, "GET", "/v1/customers/"+customerID+"/tokens/"+tokenID, "")
	require.Equal(t, tokenConfirmed, b.book.tokens()[0].Status, "the mandate lives on")

	b = setup(t)
	customerID, tokenID = b.mandated(methodUPI)
	id = b.ok("POST", "/v1/orders", `{"amount":1000,"currency":"INR","payment_capture":true,"receipt":"C1"}`)["id"].(string)
	coupled := b.debited(id, customerID, tokenID)
	b.pass(20 * time.Hour)
	require.Equal(t, "created", b.fetched(coupled)["status"], "Razorpay sends the notice itself")
	b.pass(10 * time.Hour)
	require.Equal(t, "captured", b.fetched(coupled)["status"])

	b = setup(t)
	customerID, tokenID = b.mandated(methodEmandate)
	id = b.ok("POST", "/v1/orders", `{"amount":1000,"currency":"INR","payment_capture":true,"receipt":"E1"}`)["id"].(string)
	b.ok("POST", "/sandbox/tokens/"+tokenID, `{"next":"insufficient_funds"}`)
	slow := b.debited(id, customerID, tokenID)
	require.Equal(t, "created", b.fetched(slow)["status"])
	b.pass(48 * time.Hour)
	require.Equal(t, "insufficient_funds", b.fetched(slow)["error_reason"])
	require.Len(t, b.named("payment.failed", 1), 1)
}

func TestMandateOrder_Invalid_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.december()
	customerID := b.ok("POST", "/v1/customers", `{"name":"Asha","email":"a@b.in","contact":"+919876543210"}`)["id"].(string)
	for body, want := range map[string]string{
		`"customer_id":"cust_none","method":"upi","token":{"max_amount":500000,"expire_at":1950000000,"frequency":"monthly"}`:             "does not exist",
		`"customer_id":"` + customerID + `","method":"wallet","token":{"max_amount":500000,"expire_at":1950000000,"frequency":"monthly"}`: "method is invalid",
		`"customer_id":"` + customerID + `","method":"upi","token":{"max_amount":10000000,"expire_at":1950000000,"frequency":"monthly"}`:  "max amount",
		`"customer_id":"` + customerID + `","method":"card","token":{"max_amount":1500100,"expire_at":1950000000,"frequency":"monthly"}`:  "max amount",
		`"customer_id":"` + customerID + `","method":"upi","token":{"max_amount":500,"expire_at":1950000000,"frequency":"monthly"}`:       "greater than the token max amount",
		`"customer_id":"` + customerID + `","method":"upi","token":{"max_amount":500000,"expire_at":1,"frequency":"monthly"}`:             "future",
		`"customer_id":"` + customerID + `","method":"upi","token":{"max_amount":500000,"expire_at":1950000000}`:                          "frequency",
		`"customer_id":"` + customerID + `","method":"emandate","token":{"max_amount":500000}`:                                            "must be 0",
		`"notification":{"token_id":"token_none"}`: "does not exist",
		`"notification":{}`:                        "token id",
	} {
		require.Contains(t, b.refused(http.StatusBadRequest, "POST", "/v1/orders", `{"amount":1000,"currency":"INR",`+body+`}`), want, body)
	}
	require.Contains(t, b.refused(http.StatusBadRequest, "POST", "/v1/customers", `{"name":"Asha","contact":"12"}`), "at least 8 digits")
	for _, body := range []string{`{"debit_after":"soon"}`, `{"peak_hours":"never"}`, `{"emandate_days":-1}`} {
		status, _ := b.call("POST", "/sandbox/settings", body)
		require.Equal(t, http.StatusBadRequest, status, body)
	}
	status, _ := b.call("POST", "/sandbox/tokens/none", `{"status":"paused"}`)
	require.Equal(t, http.StatusNotFound, status)
}

func TestVirtualAccounts_EqualThePublishedSamples(t *testing.T) {
	t.Parallel()
	b := setup(t)
	customerID := b.ok("POST", "/v1/customers", `{"name":"Gaurav Kumar","email":"a@b.in","contact":"+919876543210"}`)["id"].(string)
	made := b.ok("POST", "/v1/virtual_accounts", `{"receivers":{"types":["bank_account"]},"description":"Customer Identifier created for Raftar Soft",`+
		`"customer_id":"`+customerID+`","close_by":`+strconv.FormatInt(b.now().Add(30*24*time.Hour).Unix(), 10)+`,"notes":{"project_name":"Banking Software"}}`)
	id := made["id"].(string)
	sameShape(t, "account", published(t, "virtual-account"), made)
	sameShape(t, "created", published(t, "event-virtual-account-created"), eventOf(t, b.named("virtual_account.created", 1)[0]))
	paid := b.ok("POST", "/sandbox/virtual_accounts/"+id+"/credit", `{"amount":"619.00","utr":"156767598340","payer":"Saurav Kumar"}`)
	got := eventOf(t, b.named("virtual_account.credited", 1)[0])
	want := published(t, "event-virtual-account-credited")
	require.ElementsMatch(t, want["contains"], got["contains"])
	for _, name := range []string{"virtual_account", "bank_transfer"} {
		sample := want["payload"].(fields)[name].(fields)["entity"].(fields)
		ours := got["payload"].(fields)[name].(fields)["entity"].(fields)
		for member := range sample {
			require.Contains(t, ours, member, name)
		}
	}
	entity, sample := got["payload"].(fields)["payment"].(fields)["entity"].(fields), want["payload"].(fields)["payment"].(fields)["entity"].(fields)
	for name, value := range sample {
		require.Contains(t, entity, name)
		if name == "method" || name == "status" || name == "order_id" || name == "captured" || name == "amount" {
			require.Equal(t, value, entity[name], name)
		}
	}
	payments := items(b.ok("GET", "/v1/virtual_accounts/"+id+"/payments", ""))
	sameShape(t, "payment", items(published(t, "virtual-account-payments"))[0], payments[0])
	sameShape(t, "transfer", published(t, "bank-transfer"), b.ok("GET", "/v1/payments/"+paid["id"].(string)+"/bank_transfer", ""))
	require.Len(t, items(b.ok("GET", "/v1/payments?va_transaction_id=156767598340&virtual_account=1", "")), 1)
	require.Empty(t, items(b.ok("GET", "/v1/orders", "")), "a transfer has no order")
	sameShape(t, "closed", published(t, "virtual-account-closed"), b.ok("POST", "/v1/virtual_accounts/"+id+"/close", ""))
	b.named("virtual_account.closed", 1)
	back := b.ok("POST", "/sandbox/virtual_accounts/"+id+"/credit", `{"amount":"500.00","utr":"2"}`)
	require.Equal(t, "full", back["refund_status"])
	require.Len(t, b.named("virtual_account.credited", 1), 1)
	status, _, _ := b.post("/virtual_accounts/"+id, url.Values{"amount": {"much"}})
	require.Equal(t, http.StatusBadRequest, status)
	status, _ = b.call("POST", "/sandbox/virtual_accounts/none/credit", `{"amount":"500.00"}`)
	require.Equal(t, http.StatusNotFound, status)

	idle := b.ok("POST", "/v1/virtual_accounts", `{"receivers":{"types":["bank_account"]}}`)["id"].(string)
	b.pass(89 * 24 * time.Hour)
	require.Equal(t, "active", b.ok("GET", "/v1/virtual_accounts/"+idle, "")["status"])
	b.pass(24 * time.Hour)
	require.Equal(t, "closed", b.ok("GET", "/v1/virtual_accounts/"+idle, "")["status"], "what nobody uses for 90 days")
	b.refused(http.StatusBadRequest, "POST", "/v1/virtual_accounts", `{"receivers":{"types":["vpa"]}}`)
	index := b.page("/")
	require.Contains(t, index, idle)
	open := b.ok("POST", "/v1/virtual_accounts", `{"receivers":{"types":["bank_account"]}}`)["id"].(string)
	status, _, _ = b.post("/virtual_accounts/"+open, url.Values{"amount": {"100.00"}, "payer": {"Asha Foods"}})
	require.Equal(t, http.StatusSeeOther, status)
	require.InDelta(t, 10000, b.ok("GET", "/v1/virtual_accounts/"+open, "")["amount_paid"], 0)
}

func TestCreateCustomer_NameAndEmailOutsideThePublishedLimits_AreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, refusal := range map[string]string{
		"Om": "name format", "आशा": "name format", "Anne-Marie": "name format", "José": "name format", "Asha Sweets & Sons, Bengaluru": "name format",
		strings.Repeat("a", 51): "name format", "": "name format",
	} {
		body, err := json.Marshal(map[string]string{"name": name, "email": "a@b.in", "contact": "+919876543210"})
		require.NoError(t, err)
		require.Contains(t, b.refused(http.StatusBadRequest, "POST", "/v1/customers", string(body)), refusal, name)
	}
	body := func(email string) string {
		return `{"name":"D'Souza (Asha) / Co. @1","email":"` + email + `","contact":"+919876543210"}`
	}
	require.Contains(t, b.refused(http.StatusBadRequest, "POST", "/v1/customers", body(strings.Repeat("a", 59)+"@b.com")), "64 characters")
	b.ok("POST", "/v1/customers", body(strings.Repeat("a", 58)+"@b.com"))
}
