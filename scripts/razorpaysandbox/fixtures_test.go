package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// published loads a sample from Razorpay's documentation.
func published(t *testing.T, name string) fields {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".json"))
	require.NoError(t, err)
	sample := fields{}
	require.NoError(t, json.Unmarshal(text, &sample))
	return sample
}

// sameShape requires exactly a sample's fields, with values of the same type. Null is allowed on either side, since the samples
// show one case each; notes and fields that differ between methods are not checked.
func sameShape(t *testing.T, path string, sample, ours any) {
	t.Helper()
	if sample == nil || ours == nil {
		return
	}
	switch want := sample.(type) {
	case fields:
		got, ok := ours.(fields)
		require.True(t, ok, path)
		for name, value := range want {
			require.Contains(t, got, name, path)
			sameField(t, path, name, value, got[name])
		}
		for name := range got {
			require.Contains(t, want, name, "%s: not in the published sample", path)
		}
	case []any:
		got, ok := ours.([]any)
		require.True(t, ok, path)
		if len(want) > 0 && len(got) > 0 {
			sameShape(t, path+"[0]", want[0], got[0])
		}
	default:
		require.IsType(t, sample, ours, path)
	}
}

func sameField(t *testing.T, path, name string, want, got any) {
	t.Helper()
	switch name {
	case "notes", "acquirer_data", "metadata", "contains":
	default:
		sameShape(t, path+"."+name, want, got)
	}
}

func TestResponses_EqualThePublishedSamples(t *testing.T) {
	t.Parallel()
	b := setup(t)
	status, refused := b.call("POST", "/v1/orders", `{"amount":99,"currency":"INR"}`)
	require.Equal(t, 400, status)
	require.Equal(t, published(t, "order-refused"), refused)
	_, refused = b.call("GET", "/v1/orders/order_unknown", "")
	require.Equal(t, published(t, "unknown-id"), refused)
	_, refused = b.call("GET", "/v1/settlements/recon/combined?year=2022&month=13", "")
	require.Equal(t, published(t, "recon-refused"), refused)

	sameShape(t, "order", published(t, "order"), b.ok("POST", "/v1/orders", `{"amount":5000,"currency":"INR","receipt":"receipt#1","notes":{"key1":"value3"}}`))
	sameShape(t, "orders", published(t, "orders"), b.ok("GET", "/v1/orders?receipt=receipt%231", ""))
	id := b.order("T1", "100")
	b.outcome("T1", `{"outcome":"failure","method":"upi","vpa":"failure@razorpay"}`)
	failed := b.payments(id)[0]
	sample := items(published(t, "order-payments"))
	sameShape(t, "failed payment", sample[0], failed)
	for _, name := range []string{"error_code", "error_description", "error_source", "error_step", "error_reason", "vpa", "fee", "captured", "status"} {
		require.Equal(t, sample[0][name], failed[name], name)
	}
	b.outcome("T1", `{"outcome":"success","method":"upi"}`)
	captured := b.payments(id)[0]
	sameShape(t, "captured payment", sample[1], captured)
	require.InDelta(t, sample[1]["fee"], captured["fee"], 0)
	require.InDelta(t, sample[1]["tax"], captured["tax"], 0)

	id = b.order("T2", "500100")
	b.outcome("T2", `{"outcome":"success","method":"netbanking"}`)
	p := b.payments(id)[0]
	sameShape(t, "payment", published(t, "payment-netbanking"), b.ok("GET", "/v1/payments/"+p["id"].(string), ""))
	path := "/v1/payments/" + p["id"].(string) + "/refund"
	made := b.ok("POST", path, `{"amount":300100}`, idempotencyHeader, "550e8400-e29b-41d4-a716-446655440000")
	sameShape(t, "refund", published(t, "refund"), made)
	_, refused = b.call("POST", path, `{"amount":500}`, idempotencyHeader, "550e8400-e29b-41d4-a716-446655440000")
	require.Equal(t, published(t, "refund-other-body"), refused)
	_, refused = b.call("POST", path, `{"amount":99}`)
	require.Equal(t, published(t, "refund-too-small"), refused)
	sameShape(t, "refunds", published(t, "refunds"), b.ok("GET", "/v1/payments/"+p["id"].(string)+"/refunds", ""))
	opened := b.ok("POST", "/sandbox/payments/T2/dispute", `{"amount":"100.00"}`)
	sameShape(t, "dispute", published(t, "dispute"), b.ok("GET", "/v1/disputes/"+opened["id"].(string), ""))
	b.ok("POST", "/sandbox/payments/T2/dispute", `{"dispute_id":"`+opened["id"].(string)+`","status":"lost"}`)

	b.pass(72 * time.Hour)
	rows := items(b.ok("GET", "/v1/settlements/recon/combined?year=2026&month=07", ""))
	kinds := map[any]fields{}
	for _, row := range rows {
		kinds[row["type"]] = row
	}
	samples := items(published(t, "recon"))
	sameShape(t, "settled payment", samples[0], kinds["payment"])
	sameShape(t, "settled refund", samples[1], kinds["refund"])
	sameShape(t, "adjustment", samples[3], kinds["adjustment"])
	for name, value := range samples[3] {
		if value == nil && name != "dispute_id" {
			require.Nil(t, kinds["adjustment"][name], name)
		}
	}
	require.Nil(t, kinds["payment"]["payment_id"])
	sameShape(t, "settlement", published(t, "settlement"), b.ok("GET", "/v1/settlements/"+rows[0]["settlement_id"].(string), ""))
}

// The fees of three published payments: 2 percent, plus 18 percent GST on the fee.
func TestFees_EqualThePublishedPayments(t *testing.T) {
	t.Parallel()
	for amount, want := range map[int64][2]int64{2100: {50, 8}, 1000: {24, 4}, 500000: {11800, 1800}} {
		fee := portion(amount, feeBasisPoints)
		tax := portion(fee, feeTaxBasisPoints)
		require.Equal(t, want, [2]int64{fee + tax, tax})
	}
}

func TestEvents_EqualThePublishedSamples(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.order("T1", "500000")
	b.outcome("T1", `{"outcome":"failure","method":"netbanking"}`)
	b.outcome("T1", `{"outcome":"success","method":"netbanking"}`)
	id := b.ok("POST", "/sandbox/payments/T1/refund", `{"amount":"500.00"}`)["id"].(string)
	b.pass(time.Minute)
	b.ok("POST", "/sandbox/payments/T1/dispute", `{"amount":"390.00"}`)
	other := b.ok("POST", "/sandbox/payments/T1/refund", `{"amount":"100.00"}`)["id"].(string)
	require.NotEqual(t, id, other)
	b.ok("POST", "/sandbox/refunds/"+other+"/outcome", `{"outcome":"failed"}`)
	b.pass(72 * time.Hour)
	for file, name := range map[string]string{
		"event-payment-authorized": "payment.authorized", "event-payment-captured": "payment.captured",
		"event-payment-failed": "payment.failed", "event-order-paid": "order.paid", "event-refund-created": "refund.created",
		"event-refund-processed": "refund.processed", "event-refund-failed": "refund.failed",
		"event-dispute-created": "payment.dispute.created", "event-settlement-processed": "settlement.processed",
	} {
		sample := published(t, file)
		require.Equal(t, sample["event"], name)
		got := fields{}
		require.NoError(t, json.Unmarshal([]byte(b.named(name, 1)[0].body), &got))
		if name == "order.paid" { // only this sample lacks what payment.captured has
			for _, extra := range []string{"base_amount", "amount_transferred", "error_source", "error_step", "error_reason", "acquirer_data"} {
				delete(got["payload"].(fields)["payment"].(fields)["entity"].(fields), extra)
			}
		}
		require.ElementsMatch(t, sample["contains"], got["contains"])
		sameShape(t, name, sample, got)
	}
}
