package main

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestVerifyTakesSeveralAndChecksTheHash(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.begin(t, nil)
	b.begin(t, map[string]string{"txnid": "T2", "amount": "20.00"})
	answer := b.call(t, "verify_payment", "T1|T2|T3")
	require.Equal(t, "2 out of 3 Transactions Fetched Successfully", answer["msg"])
	details, ok := answer["transaction_details"].(map[string]any)
	require.True(t, ok)
	require.Equal(t, "Not Found", details["T3"].(map[string]any)["status"])
	require.Equal(t, "20.00", details["T2"].(map[string]any)["amt"])
	require.InDelta(t, 0, b.call(t, "verify_payment", "T3")["status"], 0)

	_, text, _ := b.post(t, "/merchant/postservice.php?form=2",
		url.Values{"key": {testKey}, "command": {"verify_payment"}, "var1": {"T1"}, "hash": {"no"}})
	require.Contains(t, text, "Invalid Hash")
	_, text, _ = b.post(t, "/merchant/postservice.php?form=2",
		url.Values{"key": {"other"}, "command": {"verify_payment"}, "var1": {"T1"}})
	require.Contains(t, text, "Invalid key")
	require.Contains(t, b.call(t, "make_coffee", "T1")["msg"], "Invalid command")
}

func TestRefunds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.begin(t, nil)
	id, ok := b.verified(t, "T1")["mihpayid"].(string)
	require.True(t, ok)
	require.InDelta(t, 0, b.call(t, "cancel_refund_transaction", id, "r0", "1.00")["status"], 0, "nothing was captured yet")
	b.postJSON(t, "/sandbox/payments/T1/outcome", `{"outcome":"success"}`)

	first := b.call(t, "cancel_refund_transaction", id, "r1", "4.00")
	require.InDelta(t, 1, first["status"], 0)
	again := b.call(t, "cancel_refund_transaction", id, "r1", "4.00")
	require.Equal(t, first["request_id"], again["request_id"], "the same token is the same refund")
	require.InDelta(t, 0, b.call(t, "cancel_refund_transaction", id, "r2", "6.01")["status"], 0, "more than is left")
	require.InDelta(t, 1, b.call(t, "cancel_refund_transaction", id, "r3", "6.00")["status"], 0)
	require.InDelta(t, 0, b.call(t, "cancel_refund_transaction", "1", "r4", "1.00")["status"], 0)
	require.InDelta(t, 0, b.call(t, "cancel_refund_transaction", id, "", "1.00")["status"], 0)

	request, ok := first["request_id"].(string)
	require.True(t, ok)
	status := func() any {
		details, ok := b.call(t, "check_action_status", request)["transaction_details"].(map[string]any)
		require.True(t, ok)
		return details[request].(map[string]any)[request].(map[string]any)["status"]
	}
	require.Equal(t, "queued", status())
	require.Eventually(t, func() bool { return status() == "success" }, 10*time.Second, 100*time.Millisecond)
	require.InDelta(t, 0, b.call(t, "check_action_status", "unknown")["status"], 0)
	details, ok := b.call(t, "check_action_status", id, "payuid")["transaction_details"].(map[string]any)
	require.True(t, ok)
	require.Len(t, details[id], 2)
}

func TestARefundAtTheGatewaysOwnDeskIsTold(t *testing.T) {
	t.Parallel()
	b := setup(t)
	status, _ := b.postJSON(t, "/sandbox/payments/T1/refund", `{"amount":"4.00"}`)
	require.Equal(t, http.StatusNotFound, status)
	b.begin(t, nil)
	status, _ = b.postJSON(t, "/sandbox/payments/T1/refund", `{"amount":"4.00"}`)
	require.Equal(t, http.StatusBadRequest, status, "nothing was captured yet")
	b.postJSON(t, "/sandbox/payments/T1/outcome", `{"outcome":"success","webhook":"lost"}`)
	status, made := b.postJSON(t, "/sandbox/payments/T1/refund", `{"amount":"4.00"}`)
	require.Equal(t, http.StatusOK, status)
	require.Eventually(t, func() bool { return len(b.webhooks()) == 1 }, 5*time.Second, 10*time.Millisecond)
	told := b.webhooks()[0]
	require.Equal(t, "refund", told.Get("action"))
	require.Equal(t, made["request_id"], told.Get("request_id"))
	require.Equal(t, "4.00", told.Get("amount"))
	o := order{TxnID: "T1", ProductInfo: "Plan", FirstName: "Asha", Email: "a@b.in"}
	require.Equal(t, b.merchant.responseHash("success", "4.00", "", o), told.Get("hash"))
	status, _ = b.postJSON(t, "/sandbox/payments/T1/refund", `{"amount":"6.01"}`)
	require.Equal(t, http.StatusBadRequest, status, "more than is left")
}

func TestSettlementBalances(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.begin(t, map[string]string{"amount": "159300.00"})
	b.begin(t, map[string]string{"txnid": "T2"})
	b.postJSON(t, "/sandbox/payments/T1/outcome", `{"outcome":"success"}`)
	b.postJSON(t, "/sandbox/payments/T2/outcome", `{"outcome":"failure"}`)
	id, ok := b.verified(t, "T1")["mihpayid"].(string)
	require.True(t, ok)
	b.call(t, "cancel_refund_transaction", id, "r1", "300.00")

	today := indiaTime(time.Now()).Format(time.DateOnly)
	rows, ok := b.call(t, "get_settlement_details", today)["Txn_details"].([]any)
	require.True(t, ok)
	require.Len(t, rows, 2)
	capture, ok := rows[0].(map[string]any)
	require.True(t, ok)
	require.Equal(t, "capture", capture["requestaction"])
	require.Equal(t, "3186.00", capture["mer_service_fee"]) // 2% of 1,59,300
	require.Equal(t, "573.48", capture["mer_service_tax"])  // 18% of the fee
	require.Equal(t, "155540.52", capture["mer_net_amount"])
	refund, ok := rows[1].(map[string]any)
	require.True(t, ok)
	require.Equal(t, "refund", refund["requestaction"])
	require.Equal(t, "-300.00", refund["mer_net_amount"])
	utr, ok := capture["mer_utr"].(string)
	require.True(t, ok)
	require.Len(t, b.call(t, "get_settlement_details", utr)["Txn_details"], 2)
	require.Empty(t, b.call(t, "get_settlement_details", "2020-01-01")["Txn_details"])
}

func TestTheAPIMisbehaves(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.begin(t, nil)
	b.postJSON(t, "/sandbox/payments/T1/outcome", `{"outcome":"success"}`)
	id, ok := b.verified(t, "T1")["mihpayid"].(string)
	require.True(t, ok)
	ask := url.Values{
		"key": {testKey}, "command": {"cancel_refund_transaction"}, "var1": {id}, "var2": {"r1"}, "var3": {"1.00"},
		"hash": {b.merchant.commandHash("cancel_refund_transaction", id)},
	}
	status, _ := b.postJSON(t, "/sandbox/mode", `{"mode":"sulk"}`)
	require.Equal(t, http.StatusBadRequest, status)

	b.postJSON(t, "/sandbox/mode", `{"mode":"error","calls":1}`)
	status, _, _ = b.post(t, "/merchant/postservice.php?form=2", ask)
	require.Equal(t, http.StatusInternalServerError, status)
	p, found := b.book.find("T1")
	require.True(t, found)
	require.Len(t, p.Refunds, 1, "the refund took effect although its answer was lost")
	status, text, _ := b.post(t, "/merchant/postservice.php?form=2", ask)
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, text, "Queued", "one call was asked to fail, not two")

	b.postJSON(t, "/sandbox/mode", `{"mode":"html"}`)
	_, text, _ = b.post(t, "/merchant/postservice.php?form=2", ask)
	require.True(t, strings.HasPrefix(text, "<!doctype html>"))

	for _, mode := range []string{"slow", "timeout"} {
		b.postJSON(t, "/sandbox/mode", `{"mode":"`+mode+`"}`)
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, b.url+"/merchant/postservice.php", strings.NewReader(ask.Encode()))
		require.NoError(t, err)
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		response, err := http.DefaultClient.Do(request)
		if err == nil {
			_, err = response.Body.Read(make([]byte, 4096))
			for err == nil {
				_, err = response.Body.Read(make([]byte, 4096))
			}
			require.NoError(t, response.Body.Close())
		}
		require.ErrorIs(t, err, context.DeadlineExceeded, mode)
		cancel()
	}
}

func TestTheOverview(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, text := b.get(t, "/")
	require.Contains(t, text, "No payment has been started yet")
	b.begin(t, nil)
	b.postJSON(t, "/sandbox/payments/T1/outcome", `{"outcome":"success"}`)
	_, text = b.get(t, "/")
	require.Contains(t, text, ">T1</a>")
	status, _, _ := b.post(t, "/mode", url.Values{"mode": {"html"}})
	require.Equal(t, http.StatusSeeOther, status)
	require.Equal(t, "html", b.mood.current())
	status, text = b.get(t, "/sandbox/payments/T1")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, text, `"status":"success"`)
	status, _ = b.get(t, "/sandbox/payments/T9")
	require.Equal(t, http.StatusNotFound, status)
	status, _ = b.get(t, "/_payment_options/9")
	require.Equal(t, http.StatusNotFound, status)
}
