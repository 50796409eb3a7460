package main

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestVerify_SeveralTransactionsAndHash(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.begin(t, nil)
	b.begin(t, map[string]string{"txnid": "T2", "amount": "20.00"})
	answer := b.call(t, "verify_payment", "T1|T2|T3")
	require.Equal(t, "2 out of 3 Transactions Fetched Successfully", answer["msg"])
	details := object(t, answer, "transaction_details")
	require.Equal(t, "Not Found", object(t, details, "T3")["status"])
	require.Equal(t, "20.00", object(t, details, "T2")["amt"])
	require.Equal(t, json.Number("0"), b.call(t, "verify_payment", "T3")["status"])

	_, text, _ := b.post(t, "/merchant/postservice.php?form=2",
		url.Values{"key": {testKey}, "command": {"verify_payment"}, "var1": {"T1"}, "hash": {"no"}})
	require.Contains(t, text, "Invalid Hash")
	_, text, _ = b.post(t, "/merchant/postservice.php?form=2",
		url.Values{"key": {"other"}, "command": {"verify_payment"}, "var1": {"T1"}})
	require.Contains(t, text, "Invalid key")
	require.Contains(t, b.call(t, "make_coffee", "T1")["msg"], "Invalid command")
}

func TestMode_MakesTheAPIFail(t *testing.T) {
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
	require.Contains(t, text, "token already used or request pending", "one call was asked to fail, not two")

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

func TestOverview_ListsPayments(t *testing.T) {
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
	require.Equal(t, "html", b.mode.Current())
	status, text = b.get(t, "/sandbox/payments/T1")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, text, `"status":"success"`)
	status, _ = b.get(t, "/sandbox/payments/T9")
	require.Equal(t, http.StatusNotFound, status)
	status, _ = b.get(t, "/_payment_options/9")
	require.Equal(t, http.StatusNotFound, status)
}
