package main

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// refundStatus returns check_action_status's status of a refund.
func (b *bundle) refundStatus(t *testing.T, requestID string) any {
	t.Helper()
	return object(t, b.call(t, "check_action_status", requestID), "transaction_details", requestID, requestID)["status"]
}

func (b *bundle) asked(t *testing.T, id, token, amount string) (requestID string) {
	t.Helper()
	answer := b.call(t, "cancel_refund_transaction", id, token, amount)
	require.Equal(t, json.Number("102"), answer["error_code"], answer)
	requestID, ok := answer["request_id"].(string)
	require.True(t, ok)
	return requestID
}

func TestRefund_Invalid_HasItsErrorCode(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.captured(t, nil, `{"outcome":"success"}`)
	b.begin(t, map[string]string{"txnid": "T2"})
	open, ok := b.verified(t, "T2")["mihpayid"].(string)
	require.True(t, ok)
	b.asked(t, id, "r1", "4.00")
	for _, c := range []struct {
		name, id, token, amount string
		code                    string
	}{
		{"not captured", open, "r2", "1.00", "111"},
		{"unknown", "403993715533538050", "r3", "1.00", "116"},
		{"the token again", id, "r1", "4.00", "227"},
		{"the token for another amount", id, "r1", "1.00", "106"},
		{"the token for another payment", open, "r1", "1.00", "106"},
		{"the same amount at once", id, "r4", "4.00", "214"},
		{"more than is left", id, "r5", "6.01", "105"},
		{"no amount", id, "r6", "ten", "105"},
		{"a token of 24 characters", id, "abcdefghijklmnopqrstuvwx", "1.00", "124"},
	} {
		answer := b.call(t, "cancel_refund_transaction", c.id, c.token, c.amount)
		require.Equal(t, json.Number(c.code), answer["error_code"], c.name)
		require.Equal(t, json.Number("0"), answer["status"], c.name)
		require.Equal(t, json.Number(c.id), answer["mihpayid"], c.name)
	}
	b.advance(5 * time.Minute)
	b.asked(t, id, "r7", "4.00")
	require.Equal(t, "token is empty", b.call(t, "cancel_refund_transaction", id, "", "1.00")["msg"])
	require.Equal(t, "amount is empty", b.call(t, "cancel_refund_transaction", id, "r8", "")["msg"])
	p, ok := b.book.find("T1")
	require.True(t, ok)
	require.Len(t, p.Refunds, 2)
}

func TestRefund_CompletesAndGetsItsARNLater(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.set(t, `{"refund_after":"72h","arn_after":"48h"}`)
	id := b.captured(t, nil, `{"outcome":"success","webhook":"lost"}`)
	request := b.asked(t, id, "r1", "4.00")
	b.advance(71 * time.Hour)
	require.Equal(t, "queued", b.refundStatus(t, request))
	require.Empty(t, b.told(t))
	b.advance(2 * time.Hour)
	require.Equal(t, "success", b.refundStatus(t, request))
	notice := b.awaitNotices(t, 1)[0]
	require.Equal(t, " "+id+" ", notice["mihpayid"])
	require.Equal(t, "4.00", notice["amt"])
	require.Equal(t, "r1", notice["token"])
	require.Equal(t, "T1", notice["merchantTxnId"])
	require.Nil(t, notice["bank_arn"])
	require.NotContains(t, notice, "hash")
	b.advance(48 * time.Hour)
	again := b.awaitNotices(t, 2)[1]
	require.IsType(t, json.Number(""), again["bank_arn"])
	require.Equal(t, "success", again["status"])
	found := object(t, b.call(t, "getAllRefundsFromTxnIds", "T1"), "Refund Details")[id]
	require.Contains(t, found, found.([]any)[0])
	require.Equal(t, again["bank_arn"].(json.Number).String(), object(t, found.([]any)[0])["bank_arn"])
}

func TestRefund_StaysQueuedOrFails(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.set(t, `{"refund_ends":"queued"}`)
	id := b.captured(t, nil, `{"outcome":"success","webhook":"lost"}`)
	request := b.asked(t, id, "r1", "10.00")
	b.advance(30 * 24 * time.Hour)
	require.Equal(t, "queued", b.refundStatus(t, request))
	for _, state := range []string{"in progress", "requested", "od_hit"} {
		status, _ := b.postJSON(t, "/sandbox/refunds/"+request, `{"status":"`+state+`"}`)
		require.Equal(t, http.StatusOK, status)
		require.Equal(t, state, b.refundStatus(t, request))
	}
	require.Empty(t, b.told(t))
	b.postJSON(t, "/sandbox/refunds/"+request, `{"status":"failure"}`)
	require.Equal(t, "failure", b.awaitNotices(t, 1)[0]["status"])
	status, _ := b.postJSON(t, "/sandbox/refunds/"+request, `{"status":"maybe"}`)
	require.Equal(t, http.StatusBadRequest, status)
	status, _ = b.postJSON(t, "/sandbox/refunds/1", `{"status":"failure"}`)
	require.Equal(t, http.StatusNotFound, status)
	b.set(t, `{"refund_ends":"success"}`)
	b.asked(t, id, "r2", "10.00")
	b.awaitNotices(t, 1) // the second one is still pending
	b.advance(time.Minute)
	require.Equal(t, "success", b.awaitNotices(t, 2)[1]["status"])
}

func TestRefundWebhook_UsesTheRequestsURL(t *testing.T) {
	t.Parallel()
	b, other := setup(t), setup(t)
	id := b.captured(t, nil, `{"outcome":"success","webhook":"lost"}`)
	answer := b.call(t, "cancel_refund_transaction", id, "r1", "1.00", "", other.webhookURL)
	require.Equal(t, json.Number("1"), answer["status"])
	b.advance(time.Minute)
	require.Equal(t, "r1", other.awaitNotices(t, 1)[0]["token"])
	require.Empty(t, b.told(t))
}

func TestRefund_OnTheCapturesDay_CanBeRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.set(t, `{"same_day_refunds":false}`)
	id := b.captured(t, nil, `{"outcome":"success"}`)
	answer := b.call(t, "cancel_refund_transaction", id, "r1", "1.00")
	require.Equal(t, json.Number("226"), answer["error_code"])
	request, ok := answer["request_id"].(string)
	require.True(t, ok)
	b.advance(time.Hour)
	require.Equal(t, "queued", b.refundStatus(t, request))
	b.advance(24 * time.Hour)
	require.Equal(t, "success", b.refundStatus(t, request))
}

func TestAuthorisation_IsCancelledOrCaptured(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.captured(t, nil, `{"outcome":"auth"}`)
	second := b.captured(t, map[string]string{"txnid": "T2"}, `{"outcome":"auth"}`)
	require.Equal(t, json.Number("117"), b.call(t, "cancel_refund_transaction", first, "c0", "1.00")["error_code"])
	answer := b.call(t, "cancel_refund_transaction", first, "c1", "10.00")
	require.Equal(t, "Cancel Request Queued", answer["msg"])
	require.NotEmpty(t, answer["txn_update_id"])
	require.NotContains(t, answer, "request_id")
	require.Equal(t, json.Number("303"), b.call(t, "capture_transaction", second, "c2", "10.01")["error_code"])
	require.Equal(t, json.Number("1"), b.call(t, "capture_transaction", second, "c2", "10.00")["status"])
	require.Equal(t, "captured", b.verified(t, "T2")["unmappedstatus"])
	require.Equal(t, json.Number("301"), b.call(t, "capture_transaction", second, "c3", "10.00")["error_code"])
}

func TestDashboardRefund_SendsAWebhook(t *testing.T) {
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
	b.advance(time.Minute)
	told := b.awaitNotices(t, 1)[0]
	require.Equal(t, "refund", told["action"])
	require.Equal(t, made["request_id"], told["request_id"])
	status, _ = b.postJSON(t, "/sandbox/payments/T1/refund", `{"amount":"6.01"}`)
	require.Equal(t, http.StatusBadRequest, status, "more than is left")
}

func TestForge_PostsWebhooksAndChangesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.begin(t, nil)
	for _, body := range []string{`{"kind":"payment"}`, `{"kind":"refund","amount":"1.00"}`, `{"kind":"dispute","signature":"00"}`} {
		status, answer := b.postJSON(t, "/sandbox/payments/T1/forge", body)
		require.Equal(t, http.StatusOK, status)
		require.Equal(t, "HTTP 200", answer["result"])
	}
	sent := b.notices()
	require.Len(t, sent, 3)
	require.Equal(t, "success", b.webhooks()[0].Get("status"))
	o := order{TxnID: "T1", ProductInfo: "Plan", FirstName: "Asha", Email: "a@b.in"}
	require.NotEqual(t, b.merchant.responseHash("success", "10.00", "", o), b.webhooks()[0].Get("hash"))
	require.Equal(t, "00", sent[2].signature)
	require.Equal(t, "pending", b.verified(t, "T1")["status"])
	status, _ := b.postJSON(t, "/sandbox/payments/T1/forge", `{"kind":"letter"}`)
	require.Equal(t, http.StatusBadRequest, status)
}
