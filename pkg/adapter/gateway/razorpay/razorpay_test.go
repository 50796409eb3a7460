package razorpay_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/gateway/razorpay"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/testkit/gatewaytest"
)

func TestRazorpay_CommonGatewayTests_Pass(t *testing.T) {
	t.Parallel()
	gatewaytest.Run(t, func(t *testing.T) gatewaytest.Provider {
		t.Helper()
		return start(t)
	})
}

// The signatures are the published ones: a payment's over order and payment, an event's over its raw body.
func TestRead_PublishedSignatures_AreAccepted(t *testing.T) {
	t.Parallel()
	g := start(t).Gateway()
	n, err := g.Read(payment.Incoming{Form: map[string]string{
		"razorpay_order_id": "order_IEIaMR65cu6nz3", "razorpay_payment_id": "pay_IH4NVgf4Dreq1l",
		"razorpay_signature": "0d4e745a1838664ad6c9c9902212a32d627d68e917290b0ad5f08ff4561bc50f",
	}})
	require.NoError(t, err)
	require.Equal(t, "order_IEIaMR65cu6nz3", n.Reference)

	n, err = g.Read(payment.Incoming{
		Body:    []byte(`{"a":1,"b":2,"c":{"d":3}}`),
		Headers: map[string]string{"x-razorpay-signature": "2fe04e22977002e6c7cb553adab8b460cb9e2a4970d5953cb27a8472752e3bbc"},
	})
	require.NoError(t, err)
	require.Equal(t, payment.NoticeOther, n.Kind, "signed rightly, and about nothing of interest")
}

// After a registration without a payment, the return address that we signed names the transaction. An unsigned address names nothing.
func TestRead_ReturnWithoutAPayment_NamesTheSignedTransaction(t *testing.T) {
	t.Parallel()
	g := start(t).Gateway()
	form := map[string]string{
		"razorpay_order_id": "order_IEIaMR65cu6nz3", "razorpay_payment_id": "pay_IH4NVgf4Dreq1l",
		"razorpay_signature": mac(keySecret, "order_IEIaMR65cu6nz3|pay_IH4NVgf4Dreq1l"),
		"transaction":        "FP261126ABCDEFGHIJKL", "proof": mac(keySecret, "return|FP261126ABCDEFGHIJKL"),
	}
	n, err := g.Read(payment.Incoming{Form: form})
	require.NoError(t, err)
	require.Equal(t, []any{"FP261126ABCDEFGHIJKL", "order_IEIaMR65cu6nz3", payment.StatusPaid}, []any{n.TransactionID, n.Reference, n.Status})
	require.NotContains(t, n.Fields, "proof")
	form["transaction"] = "FP261126MNOPQRSTUVWX"
	n, err = g.Read(payment.Incoming{Form: form})
	require.NoError(t, err)
	require.Empty(t, n.TransactionID)
}

func TestRead_PublishedRefundEvent(t *testing.T) {
	t.Parallel()
	body, err := os.ReadFile("testdata/refund_processed.json")
	require.NoError(t, err)
	n, err := start(t).Gateway().Read(signedEvent(body))
	require.NoError(t, err)
	require.Equal(t, payment.NoticeRefund, n.Kind)
	require.Equal(t, "rfnd_FS8TWyPrCsa0OB", n.ExternalID)
	require.Equal(t, "order_FPoIeimWki9j8A", n.Reference)
	require.Equal(t, money.Paise(500_00), n.Amount)
	again, err := start(t).Gateway().Read(signedEvent(body))
	require.NoError(t, err)
	require.Equal(t, n, again)
}

func TestRead_OtherEvents_AreAcknowledged(t *testing.T) {
	t.Parallel()
	g := start(t).Gateway()
	for _, body := range []string{
		`{"entity":"event","event":"settlement.processed","payload":{"settlement":{"entity":{"id":"setl_Rf8uva1MU98B4l","amount":1524,"status":"processed","fees":0,"tax":0,"utr":"AXISCN1153863727"}}}}`,
		`{"event":"payment_link.paid","payload":{}}`,
	} {
		n, err := g.Read(signedEvent([]byte(body)))
		require.NoError(t, err)
		require.Equal(t, payment.NoticeOther, n.Kind)
	}
	n, err := g.Read(signedEvent([]byte(`{"event":"payment.dispute.won","payload":{"payment":{"entity":{"id":"pay_1","order_id":null,"amount":500}},"dispute":{"entity":{"id":"disp_1","amount":200}}}}`)))
	require.NoError(t, err)
	require.Equal(t, payment.NoticeDispute, n.Kind)
	require.Equal(t, "pay_1", n.GatewayPaymentID, "its order is not told")
}

func TestRead_FieldsOfTheForm_DoNotProveAPayment(t *testing.T) {
	t.Parallel()
	p := start(t)
	s, err := p.Gateway().Begin(t.Context(), payment.Charge{TransactionID: "FP1", Amount: 100, ReturnURL: "https://x.example/back"})
	require.NoError(t, err)
	for name, value := range s.Fields {
		_, err := p.Gateway().Read(payment.Incoming{Form: map[string]string{
			"razorpay_order_id": s.Fields["order_id"], "razorpay_payment_id": s.Fields["amount"], "razorpay_signature": value,
		}})
		require.ErrorIs(t, err, payment.ErrSignature, name)
	}
}

func TestRead_FailureReportedByTheBrowser_IsOneNotice(t *testing.T) {
	t.Parallel()
	p := start(t)
	s, err := p.Gateway().Begin(t.Context(), payment.Charge{TransactionID: "FP1", Amount: 100, ReturnURL: "https://x.example/back"})
	require.NoError(t, err)
	back, err := url.Parse(s.Fields["cancel_url"])
	require.NoError(t, err)
	form := map[string]string{"transaction": back.Query().Get("transaction"), "proof": back.Query().Get("proof")}
	want, err := p.Gateway().Read(payment.Incoming{Form: form})
	require.NoError(t, err, "a customer who cancels comes back with the address alone")
	form["error[description]"] = strings.Repeat("x", 50_000)
	got, err := p.Gateway().Read(payment.Incoming{Form: form})
	require.NoError(t, err)
	require.Equal(t, want.Key, got.Key)
	require.LessOrEqual(t, len(got.Fields["description"]), 200)
}

func TestOrder_IsCapturedAutomatically(t *testing.T) {
	t.Parallel()
	p := start(t)
	c := payment.Charge{TransactionID: "FP1", Amount: 100, ReturnURL: "https://x.example/back"}
	id, err := p.Gateway().(payment.OrderCreator).Order(t.Context(), c)
	require.NoError(t, err)
	require.Equal(t, "automatic", p.orders[id]["payment"].(map[string]any)["capture"])

	p.orders["order_0"] = map[string]any{"id": "order_0", "amount": int64(100), "receipt": "FP1", "created_at": int64(1)}
	p.orders[id]["created_at"] = int64(2)
	first, err := p.Gateway().(payment.OrderCreator).Order(t.Context(), c)
	require.NoError(t, err)
	require.Equal(t, "order_0", first, "of several the first")
}

// pays adds a payment to an order.
func (p *provider) pays(order, id, status string, at int64) {
	p.paid[order] = map[string]any{"id": id, "order_id": order, "amount": int64(100), "currency": "INR", "method": "upi", "status": status, "created_at": at}
}

func TestVerify_SeveralOrdersOfATransaction_AreAllRead(t *testing.T) {
	t.Parallel()
	p := start(t)
	for _, id := range []string{"order_a", "order_b"} {
		p.orders[id] = map[string]any{"id": id, "amount": int64(100), "receipt": "FP1"}
	}
	p.pays("order_b", "pay_b", "captured", 2)
	o, err := p.Gateway().Verify(t.Context(), "FP1", "order_a")
	require.NoError(t, err)
	require.Equal(t, payment.StatusPaid, o.Status, "paid by an order that is not the stored one")
	require.Equal(t, "pay_b", o.GatewayPaymentID)
	p.pays("order_a", "pay_a", "captured", 1)
	o, err = p.Gateway().Verify(t.Context(), "FP1", "order_a")
	require.NoError(t, err)
	require.Equal(t, "pay_a", o.GatewayPaymentID)
	require.Equal(t, []payment.Capture{{GatewayPaymentID: "pay_b", Amount: 100}}, o.Others)

	for said, reference := range map[string]string{
		`{"rrn": "011100", "authentication_reference_number": "x"}`: "011100", `{"bank_transaction_id": "0125836177"}`: "0125836177",
		`{"auth_code": "T3ST42"}`: "", `{"rrn": null}`: "", `[]`: "", `"none"`: "", `{"rrn": 7}`: "",
	} {
		p.paid["order_a"]["acquirer_data"] = json.RawMessage(said)
		o, err = p.Gateway().Verify(t.Context(), "FP1", "order_a")
		require.NoError(t, err, said)
		require.Equal(t, reference, o.BankReference, said)
	}

	finder := p.Gateway().(payment.TransactionFinder)
	for _, n := range []payment.Notice{{Reference: "order_b"}, {GatewayPaymentID: "pay_b"}} {
		txn, err := finder.Find(t.Context(), n)
		require.NoError(t, err)
		require.Equal(t, "FP1", txn)
	}
	txn, err := finder.Find(t.Context(), payment.Notice{Reference: "order_c"})
	require.NoError(t, err)
	require.Empty(t, txn)
}

func TestVerify_LateAuthorisation_IsCaptured(t *testing.T) {
	t.Parallel()
	p := start(t)
	p.orders["order_a"] = map[string]any{"id": "order_a", "amount": int64(100), "receipt": "FP1"}
	p.pays("order_a", "pay_a", "authorized", 1)
	o, err := p.Gateway().Verify(t.Context(), "FP1", "order_a")
	require.NoError(t, err)
	require.Equal(t, payment.StatusPending, o.Status)
	require.Equal(t, &payment.Capture{GatewayPaymentID: "pay_a", Amount: 100}, o.Authorized)
	capturer := p.Gateway().(payment.Capturer)
	for range 2 {
		require.NoError(t, capturer.Capture(t.Context(), *o.Authorized))
	}
	o, err = p.Gateway().Verify(t.Context(), "FP1", "order_a")
	require.NoError(t, err)
	require.Equal(t, payment.StatusPaid, o.Status)
	require.Nil(t, o.Authorized)
}

func TestRefunds_PublishedList_IsRead(t *testing.T) {
	t.Parallel()
	body, err := os.ReadFile("testdata/refunds_of_payment.json")
	require.NoError(t, err)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(body) }))
	t.Cleanup(server.Close)
	g := razorpay.New(razorpay.Config{BaseURL: server.URL})
	records, err := g.Refunds(t.Context(), "FP1", "pay_29QQoUBi66xm2f")
	require.NoError(t, err)
	require.Equal(t, []payment.RefundRecord{
		{RefundOutcome: payment.RefundOutcome{RefundID: "rfnd_FP8DDKxqJif6ca", Done: true}, Amount: 300100},
		{RefundOutcome: payment.RefundOutcome{RefundID: "rfnd_FP8DRfu3ygfOaC", Done: true}, Amount: 200000},
	}, records)
	_, err = g.Refunds(t.Context(), "FP1", "pay_1")
	require.Error(t, err)
}

func TestRead_RefundAndDisputeEvents_HaveTheirKind(t *testing.T) {
	t.Parallel()
	g := start(t).Gateway()
	for event, want := range map[string]payment.NoticeKind{
		"refund.processed": payment.NoticeRefund, "payment.dispute.created": payment.NoticeDispute,
	} {
		body := `{"event":"` + event + `","payload":{"payment":{"entity":{"id":"pay_1","order_id":"order_1","amount":500,"status":"captured"}},` +
			`"refund":{"entity":{"id":"x_1","amount":200,"status":"processed"}},"dispute":{"entity":{"id":"x_1","amount":200}}}}`
		n, err := g.Read(signedEvent([]byte(body)))
		require.NoError(t, err)
		require.Equal(t, want, n.Kind)
		require.Equal(t, "x_1", n.ExternalID)
		require.Equal(t, "order_1", n.Reference)
		require.Equal(t, money.Paise(200), n.Amount)
	}
}

func TestDispute_EachStatus_IsMapped(t *testing.T) {
	t.Parallel()
	for status, want := range map[string]payment.DisputeOutcome{
		"under_review": {State: payment.DisputeOpen, Amount: 10_000}, "won": {State: payment.DisputeWon, Amount: 10_000},
		"closed": {State: payment.DisputeWon, Amount: 10_000}, "lost": {State: payment.DisputeLost, Amount: 9_000},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/v1/disputes/disp_1" {
				answer(w, map[string]any{"id": "disp_1", "amount": 10_000, "amount_deducted": 9_000, "status": status})
				return
			}
			http.NotFound(w, r)
		}))
		t.Cleanup(server.Close)
		g := razorpay.New(razorpay.Config{KeyID: "k", KeySecret: "s", WebhookSecret: webhookSecret, BaseURL: server.URL})
		got, err := g.Dispute(t.Context(), "disp_1")
		require.NoError(t, err)
		require.Equal(t, want, got)
		_, err = g.Dispute(t.Context(), "disp_2")
		require.Error(t, err)
	}
}

// The messages are those of "Create a Normal Refund" and "Create a Normal Refund (Idempotent Request)".
func TestRefund_OnlyAFinalRefusal_Fails(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status int
		words  string
		final  bool
	}{
		{400, "The payment has been fully refunded already.", true},
		{400, "The refund amount provided is greater than amount captured.", true},
		{400, "pay_1 is not a valid id.", true},
		{400, "speed is/are not required and should not be sent.", true},
		{400, "Partial refund is currently not supported for this payment method.", true},
		{400, "Different request with the same idempotency key has already been processed.", true},
		{409, "Different request with the same idempotency key has already been processed.", true},
		{409, "Request is already being processed.", false},
		{400, "Your account does not have enough balance to carry out the refund operation.", false},
		{400, "The refund on this payment is blocked due to ongoing dispute investigation.", false},
		{400, "Request failed because another payment operation is in progress.", false},
		{400, "Duplicate receipt found for this refund request.", false},
		{400, "Refunds cannot be created on your account.", false},
		{400, "invalid request sent", false},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(c.status)
			answer(w, map[string]any{"error": map[string]any{"code": "BAD_REQUEST_ERROR", "description": c.words, "reason": "NA"}})
		}))
		t.Cleanup(server.Close)
		o, err := razorpay.New(razorpay.Config{BaseURL: server.URL}).Refund(t.Context(), payment.RefundRequest{GatewayPaymentID: "pay_1", Amount: 1})
		require.NoError(t, err)
		require.Equal(t, c.final, o.Failed, c.words)
		require.Equal(t, !c.final, o.Waiting, c.words)
		require.Equal(t, c.words, o.Reason)
	}
}
