package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// on sets business time to a moment in India.
func (b *bundle) on(t *testing.T, moment string) {
	t.Helper()
	at, err := time.ParseInLocation(time.DateTime, moment, indiaTime(time.Now()).Location())
	require.NoError(t, err)
	b.clock.Store(int64(time.Until(at)))
}

// rows returns the rows of a day or UTR, in order.
func (b *bundle) rows(t *testing.T, vars ...string) []map[string]any {
	t.Helper()
	details := object(t, b.call(t, "get_settlement_details", vars...), "Txn_details")
	rows := []map[string]any{}
	for i := range len(details) {
		rows = append(rows, object(t, details, strconv.Itoa(i+1)))
	}
	return rows
}

func TestSettlement_TwoWorkingDaysAfterCapture(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.on(t, "2026-11-22 10:00:00") // a Sunday; the Tuesday after is a bank holiday
	b.captured(t, map[string]string{"amount": "159300.00"}, `{"outcome":"success"}`)
	require.Equal(t, "0000-00-00 00:00:00", b.verified(t, "T1")["Settled_At"])
	b.on(t, "2026-11-25 12:44:00")
	require.Empty(t, b.rows(t, "2026-11-25"))
	b.on(t, "2026-11-25 12:46:00")
	rows := b.rows(t, "2026-11-25")
	require.Len(t, rows, 1)
	require.Equal(t, "capture", rows[0]["requestaction"])
	require.Equal(t, "3186.00000", rows[0]["mer_service_fee"]) // 2% of 1,59,300
	require.Equal(t, "573.48000", rows[0]["mer_service_tax"])  // 18% of the fee
	require.Equal(t, "155540.52", rows[0]["mer_net_amount"])
	utr, ok := rows[0]["mer_utr"].(string)
	require.True(t, ok)
	require.Len(t, b.rows(t, utr), 1)
	require.Equal(t, "2026-11-25 12:45:00", b.verified(t, "T1")["Settled_At"])
	require.Equal(t, utr, b.verified(t, "T1")["Merchant_UTR"])
	require.Empty(t, b.rows(t, "2026-11-24"))
}

func TestSettlement_DeductsRefundsBeforeTheyComplete(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.set(t, `{"refund_ends":"queued"}`)
	b.on(t, "2026-11-16 10:00:00")
	id := b.captured(t, nil, `{"outcome":"success"}`)
	b.on(t, "2026-11-17 10:00:00")
	request := b.asked(t, id, "r1", "4.00")
	b.on(t, "2026-11-18 13:00:00")
	rows := b.rows(t, "2026-11-18")
	require.Len(t, rows, 2)
	require.Equal(t, "refund", rows[1]["requestaction"])
	require.Equal(t, "-4.00", rows[1]["mer_net_amount"])
	require.Equal(t, "4.00", rows[1]["requestamount"])
	require.Equal(t, "r1", rows[1]["token"])
	entry := object(t, b.call(t, "check_action_status", request), "transaction_details", request, request)
	require.Equal(t, "queued", entry["status"])
	require.Equal(t, "-4.0000", entry["amount_settled"])
	require.Equal(t, rows[1]["mer_utr"], entry["UTR_no"])

	b.postJSON(t, "/sandbox/refunds/"+request, `{"status":"failure"}`)
	b.on(t, "2026-11-19 13:00:00")
	rows = b.rows(t, "2026-11-19")
	require.Len(t, rows, 1)
	require.Equal(t, "refundreversal", rows[0]["requestaction"])
	require.Equal(t, "4.00", rows[0]["mer_net_amount"])
}

func TestSettlement_DebtAboveThePayout_IsCarriedOver(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.on(t, "2026-11-16 10:00:00")
	id := b.captured(t, nil, `{"outcome":"success"}`)
	b.on(t, "2026-11-18 13:00:00")
	b.asked(t, id, "r1", "10.00") // deducted on the 19th, when nothing comes in
	b.captured(t, map[string]string{"txnid": "T2", "amount": "20.00"}, `{"outcome":"success"}`)
	b.on(t, "2026-11-20 13:00:00")
	require.Empty(t, b.rows(t, "2026-11-19"))
	rows := b.rows(t, "2026-11-20")
	require.Len(t, rows, 2)
	require.Equal(t, "capture", rows[0]["requestaction"])
	require.Equal(t, "refund", rows[1]["requestaction"])
	require.Equal(t, rows[0]["mer_utr"], rows[1]["mer_utr"])
}

func TestSettlement_RefundFailedBefore_IsNotDeducted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.set(t, `{"refund_ends":"failure"}`)
	b.on(t, "2026-11-16 10:00:00")
	id := b.captured(t, nil, `{"outcome":"success"}`)
	b.asked(t, id, "r1", "4.00")
	b.on(t, "2026-11-18 13:00:00")
	require.Len(t, b.rows(t, "2026-11-18"), 1)
}

func TestSettlement_Dispute_IsDeductedAndReturned(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.set(t, `{"upfront_debit":true,"dispute_signature":true}`)
	b.on(t, "2026-11-16 10:00:00")
	b.captured(t, nil, `{"outcome":"success","webhook":"lost"}`)
	b.captured(t, map[string]string{"txnid": "T2", "amount": "20.00"}, `{"outcome":"success","webhook":"lost"}`)
	b.on(t, "2026-11-17 13:00:00")
	status, made := b.postJSON(t, "/sandbox/payments/T1/dispute", `{"amount":"10.00","status":"New"}`)
	require.Equal(t, http.StatusOK, status, made)
	notice := b.awaitNotices(t, 1)[0]
	require.Equal(t, b.verified(t, "T1")["mihpayid"], notice["txn_id"])
	id := made["cb_id"].(json.Number).String()
	require.Equal(t, b.merchant.disputeSignature(notice["txn_id"].(string), "10.00", id, "Chargeback", "New"), b.notices()[0].signature)
	mihpayID, ok := notice["txn_id"].(string)
	require.True(t, ok)
	require.Equal(t, json.Number("113"), b.call(t, "cancel_refund_transaction", mihpayID, "r1", "1.00")["error_code"])

	b.on(t, "2026-11-18 13:00:00")
	actions := []any{}
	for _, row := range b.rows(t, "2026-11-18") {
		actions = append(actions, row["requestaction"])
	}
	require.ElementsMatch(t, []any{"capture", "capture", "chargeback"}, actions)
	status, _ = b.postJSON(t, "/sandbox/disputes/"+id, `{"status":"Closed in Merchant Favour"}`)
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, "Closed in Merchant Favour", b.awaitNotices(t, 2)[1]["cb_status"])
	b.on(t, "2026-11-19 13:00:00")
	rows := b.rows(t, "2026-11-19")
	require.Len(t, rows, 1)
	require.Equal(t, "chargeback reversal", rows[0]["requestaction"])

	for path, body := range map[string]string{
		"/sandbox/payments/T1/dispute": `{"status":"Lost"}`, "/sandbox/disputes/" + id: `{"amount":"-1"}`,
	} {
		status, _ = b.postJSON(t, path, body)
		require.Equal(t, http.StatusBadRequest, status, path)
	}
	status, _ = b.postJSON(t, "/sandbox/disputes/1", `{}`)
	require.Equal(t, http.StatusNotFound, status)
}

func TestSettlement_DisputeWithoutUpfrontDebit_IsDeductedWhenLost(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.on(t, "2026-11-16 10:00:00")
	b.captured(t, nil, `{"outcome":"success","webhook":"lost"}`)
	b.captured(t, map[string]string{"txnid": "T2", "amount": "20.00"}, `{"outcome":"success","webhook":"lost"}`)
	_, made := b.postJSON(t, "/sandbox/payments/T1/dispute", `{"notice":"lost"}`)
	b.on(t, "2026-11-18 10:00:00")
	require.Empty(t, b.rows(t, "2026-11-17"))
	b.postJSON(t, "/sandbox/disputes/"+made["cb_id"].(json.Number).String(), `{"status":"Closed Customer Favour","notice":"lost"}`)
	b.captured(t, map[string]string{"txnid": "T3", "amount": "30.00"}, `{"outcome":"success","webhook":"lost"}`)
	b.on(t, "2026-11-20 13:00:00")
	require.Empty(t, b.rows(t, "2026-11-19"), "the payout could not bear it")
	rows := b.rows(t, "2026-11-20")
	require.Len(t, rows, 2)
	require.Equal(t, "chargeback", rows[1]["requestaction"])
	require.Empty(t, b.told(t))
}

func TestSettlement_ByHandInPagesWithAdjustments(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.on(t, "2026-11-16 10:00:00")
	for _, txn := range []string{"T1", "T2", "T3"} {
		b.captured(t, map[string]string{"txnid": txn, "amount": "100.00"}, `{"outcome":"success","additional_charges":"2.36"}`)
	}
	status, answer := b.postJSON(t, "/sandbox/settle", `{"txnids":["T1","T2"]}`)
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, json.Number("2"), answer["settled"])
	require.Len(t, b.rows(t, "2026-11-16"), 2)
	require.Len(t, b.rows(t, "2026-11-16", "1", "1"), 1)
	require.Len(t, b.rows(t, "2026-11-16", "2", "1"), 1)
	require.Empty(t, b.rows(t, "2026-11-16", "3", "1"))
	require.NotEqual(t, b.rows(t, "2026-11-16", "1", "1")[0]["txnid"], b.rows(t, "2026-11-16", "2", "1")[0]["txnid"])
	require.Equal(t, "100.00", b.rows(t, "2026-11-16")[0]["mer_net_amount"], "the customer bore the fee")

	status, _ = b.postJSON(t, "/sandbox/adjustments", `{"amount":"59.00"}`)
	require.Equal(t, http.StatusOK, status)
	status, _ = b.postJSON(t, "/sandbox/adjustments", `{"action":"cancel","amount":"10.00","txnid":"T3"}`)
	require.Equal(t, http.StatusOK, status)
	b.on(t, "2026-11-18 13:00:00")
	rows := b.rows(t, "2026-11-18")
	require.Len(t, rows, 3)
	adjustment := slices.IndexFunc(rows, func(r map[string]any) bool { return strings.HasPrefix(fmt.Sprint(r["payuid"]), "ADJ_") })
	require.GreaterOrEqual(t, adjustment, 0)
	require.Equal(t, "-59.00", rows[adjustment]["mer_net_amount"])
	require.Equal(t, "-50.00", rows[adjustment]["mer_service_fee"])
	require.True(t, slices.ContainsFunc(rows, func(r map[string]any) bool { return r["requestaction"] == "cancel" }))
}
