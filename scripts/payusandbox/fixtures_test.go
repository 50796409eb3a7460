package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// published loads a sample from testdata, as JSON or as a form.
func published(t *testing.T, name string) map[string]any {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	if filepath.Ext(name) == ".json" {
		return decode(t, string(text))
	}
	form, err := url.ParseQuery(strings.TrimSpace(string(text)))
	require.NoError(t, err)
	return asObject(form)
}

func asObject(form url.Values) map[string]any {
	object := map[string]any{}
	for name := range form {
		object[name] = form.Get(name)
	}
	return object
}

// shape describes an answer's names and types: objects by name, arrays by their first element. Names that are ids stay as they
// are, so both sides must use the same ones.
func shape(value any) any {
	switch v := value.(type) {
	case map[string]any:
		shapes := map[string]any{}
		for name, member := range v {
			shapes[name] = shape(member)
		}
		return shapes
	case []any:
		return []any{shape(v[0])}
	case nil:
		return "null"
	default:
		return fmt.Sprintf("%T", v)
	}
}

// sameShape compares got with a published sample. open lists fields that may be null on one side only, and those that depend on
// method and account.
func sameShape(t *testing.T, want, got map[string]any, open ...string) {
	t.Helper()
	for _, object := range []map[string]any{want, got} {
		maps.DeleteFunc(object, func(name string, _ any) bool { return slices.Contains(open, name) })
	}
	require.Equal(t, shape(want), shape(got))
}

func TestVerify_EqualsThePublishedSample(t *testing.T) {
	t.Parallel()
	b := setup(t)
	byMethod := []string{"name_on_card", "field5", "field7", "card_type", "App_Name"}
	b.captured(t, map[string]string{"txnid": "7fa6c4783a363b3da573"}, `{"outcome":"success"}`)
	want := object(t, published(t, "verify_captured.json"), "transaction_details", "7fa6c4783a363b3da573")
	got := b.verified(t, "7fa6c4783a363b3da573")
	require.Equal(t, want["net_amount_debit"], got["net_amount_debit"])
	require.Equal(t, want["Settled_At"], got["Settled_At"])
	require.Equal(t, want["error_Message"], got["error_Message"])
	sameShape(t, want, got, byMethod...)

	b.captured(t, map[string]string{"txnid": "e4a62ffa2f53ccf4a0e1", "amount": "50000.00"},
		`{"outcome":"success","method":"UPI","discount":"100.00"}`)
	want = object(t, published(t, "verify_offer.json"), "transaction_details", "e4a62ffa2f53ccf4a0e1")
	got = b.verified(t, "e4a62ffa2f53ccf4a0e1")
	for _, name := range []string{"amt", "transaction_amount", "disc", "additional_charges", "offerLevel", "mode", "PG_TYPE"} {
		require.Equal(t, want[name], got[name], name)
	}
	sameShape(t, want, got, byMethod...)

	require.Equal(t, published(t, "verify_not_found.json"), b.call(t, "verify_payment", "IhfgcZnXR4o4nB"))

	b.captured(t, map[string]string{"txnid": "T6", "amount": "6.00"}, `{"outcome":"success","additional_charges":"0.17"}`)
	charged := b.verified(t, "T6") // a recorded answer
	require.Equal(t, []any{"6.17", "6.00", "0.17", json.Number("6.17")},
		[]any{charged["amt"], charged["transaction_amount"], charged["additional_charges"], charged["net_amount_debit"]})
}

func TestCheckPayment_EqualsThePublishedSample(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.captured(t, nil, `{"outcome":"success"}`)
	want, got := published(t, "check_payment.json"), b.call(t, "check_payment", id)
	require.Equal(t, json.Number(id), object(t, got, "transaction_details")["mihpayid"])
	sameShape(t, object(t, want, "transaction_details"), object(t, got, "transaction_details"), "field4", "field8")
	sameShape(t, want, got, "transaction_details")
	require.Equal(t, published(t, "check_payment_not_found.json"), b.call(t, "check_payment", "403993715521889530"))
}

func TestRefund_EqualsThePublishedSamples(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.captured(t, map[string]string{"txnid": "db97dd56eff7296e5061", "amount": "100.00"}, `{"outcome":"success","webhook":"lost"}`)
	answer := b.call(t, "cancel_refund_transaction", id, "RefundToken1", "10.00")
	sameShape(t, published(t, "refund_queued.json"), maps.Clone(answer))
	require.Equal(t, published(t, "refund_unknown.json"), b.call(t, "cancel_refund_transaction", "403993715533538050", "x", "10.00"))
	require.Equal(t, published(t, "refund_no_token.json"), b.call(t, "cancel_refund_transaction", "403993715521937565", "", "10.00"))
	b.advance(time.Minute)

	actions := object(t, b.call(t, "check_action_status", id, "payuid"), "transaction_details", id)
	want := object(t, published(t, "action_payuid.json"), "transaction_details", "403993715521937565")
	require.Len(t, actions, 2)
	for _, kind := range []string{"capture", "refund"} {
		ours, theirs := ofAction(t, actions, kind), ofAction(t, want, kind)
		require.Equal(t, theirs["status"], ours["status"])
		require.Equal(t, theirs["token"], ours["token"])
		require.Equal(t, theirs["amt"], ours["amt"])
		require.Equal(t, theirs["refund_mode"], ours["refund_mode"])
		sameShape(t, theirs, ours)
	}
	require.Equal(t, published(t, "action_not_found.json"), b.call(t, "check_action_status", "13127842"))
	require.Equal(t, published(t, "action_not_found.json"), b.call(t, "check_action_status", "13127842", "payuid"))
	require.Equal(t, map[string]any{"status": json.Number("0"), "msg": "Parameter missing"}, b.call(t, "check_action_status", ""))

	all := b.call(t, "getAllRefundsFromTxnIds", "db97dd56eff7296e5061")
	list := object(t, all, "Refund Details")
	list["403993715521937565"] = list[id]
	delete(list, id)
	sameShape(t, published(t, "all_refunds.json"), all)
	require.Equal(t, published(t, "all_refunds_none.json"), b.call(t, "getAllRefundsFromTxnIds", "T9"))
}

func ofAction(t *testing.T, in map[string]any, kind string) map[string]any {
	t.Helper()
	for id := range in {
		if entry := object(t, in, id); entry["action"] == kind {
			return entry
		}
	}
	require.Fail(t, kind)
	return nil
}

func TestSettlement_EqualsThePublishedSample(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.on(t, "2021-08-10 10:00:00")
	b.captured(t, map[string]string{"amount": "11979.88"}, `{"outcome":"success","method":"DC"}`)
	b.postJSON(t, "/sandbox/settle", `{"on":"2021-08-11"}`)
	b.postJSON(t, "/sandbox/adjustments", `{"amount":"5000.00"}`)
	b.on(t, "2021-08-11 13:00:00")
	answer := b.call(t, "get_settlement_details", "2021-08-11")
	require.Equal(t, "2 transactions settled on 2021-08-11", answer["msg"])
	adjusted := object(t, answer, "Txn_details", "2")
	delete(object(t, answer, "Txn_details"), "2")
	want := published(t, "settlement.json")
	for _, name := range []string{"mode", "amount", "requestaction", "requestamount", "issuing_bank"} {
		require.Equal(t, object(t, want, "Txn_details", "1")[name], object(t, answer, "Txn_details", "1")[name], name)
	}
	sameShape(t, want, answer)
	sameShape(t, published(t, "settlement_adjustment.json"), adjusted)
	require.Equal(t, published(t, "settlement_none.json"), b.call(t, "get_settlement_details", "2015-05-01"))
	require.Equal(t, published(t, "settlement_bad_date.json"), b.call(t, "get_settlement_details", "11-08-2021"))
}

func TestTransactionDetails_EqualThePublishedSample(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.on(t, "2020-10-26 13:54:52")
	b.captured(t, nil, `{"outcome":"success"}`)
	sameShape(t, published(t, "transactions.json"), b.call(t, "get_Transaction_Details", "2020-10-20", "2020-10-27"))
}

func TestWebhooks_EqualThePublishedSamples(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.captured(t, nil, `{"outcome":"success","method":"UPI","webhook":"lost"}`)
	request := b.asked(t, id, "r1", "4.00")
	b.advance(time.Minute)
	notice := b.awaitNotices(t, 1)[0]
	want := published(t, "notice_refund.json")
	require.Equal(t, want["refund_mode"], notice["refund_mode"])
	require.Regexp(t, `^ \d+ $`, want["mihpayid"])
	require.Regexp(t, `^ \d+ $`, notice["mihpayid"])
	sameShape(t, want, notice)
	b.postJSON(t, "/sandbox/refunds/"+request, `{"bank_arn":true}`)
	again := b.awaitNotices(t, 2)[1]
	require.Equal(t, id, again["mihpayid"], "without spaces, as in the sample with a bank reference")
	sameShape(t, published(t, "notice_refund_arn.json"), again)

	b.postJSON(t, "/sandbox/payments/T1/dispute", `{"amount":"1.0","type":"RBI/BO"}`)
	sameShape(t, published(t, "notice_dispute.json"), b.awaitNotices(t, 3)[2])
}

func TestReturnForms_EqualThePublishedSamples(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.begin(t, nil)
	_, answer := b.postJSON(t, "/sandbox/payments/T1/outcome", `{"outcome":"success"}`)
	want, got := published(t, "return_card.json"), object(t, answer, "fields")
	require.Equal(t, want["splitInfo"], got["splitInfo"])
	sameShape(t, want, got, "field0")

	b.begin(t, map[string]string{"txnid": "T2"})
	_, answer = b.postJSON(t, "/sandbox/payments/T2/outcome", `{"outcome":"user_cancelled","webhook":"lost"}`)
	want, got = published(t, "return_cancelled.txt"), object(t, answer, "fields")
	for _, name := range []string{"mode", "error", "error_Message", "field9", "PG_TYPE", "bankcode", "net_amount_debit", "unmappedstatus"} {
		require.Equal(t, want[name], got[name], name)
	}
	sameShape(t, want, got, "field0", "card_token", "splitInfo")

	b.begin(t, map[string]string{"txnid": "T3"})
	b.postJSON(t, "/sandbox/payments/T3/outcome", `{"outcome":"failure"}`)
	require.Eventually(t, func() bool { return len(b.webhooks()) == 2 }, time.Minute, 10*time.Millisecond)
	webhook := asObject(b.webhooks()[1])
	require.Equal(t, "0", webhook["net_amount_debit"])
	sameShape(t, published(t, "webhook_failed.txt"), webhook, "authenticaticationMethod", "threeDSVersion")
}

func TestCommand_WithoutForm2_AnswersInPHPFormat(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ask := url.Values{"key": {testKey}, "command": {"verify_payment"}, "var1": {"T9"}, "hash": {b.merchant.commandHash("verify_payment", "T9")}}
	status, text, header := b.post(t, "/merchant/postservice.php", ask)
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, header.Get("Content-Type"), "text/html")
	require.Equal(t, `a:3:{s:3:"msg";s:44:"0 out of 1 Transactions Fetched Successfully";s:6:"status";i:0;`+
		`s:19:"transaction_details";a:1:{s:2:"T9";a:2:{s:8:"mihpayid";s:9:"Not Found";s:6:"status";s:9:"Not Found";}}}`, text)
	ask.Set("form", "2")
	_, text, _ = b.post(t, "/merchant/postservice", ask)
	require.Equal(t, "Not Found", object(t, decode(t, text), "transaction_details", "T9")["status"])
}
