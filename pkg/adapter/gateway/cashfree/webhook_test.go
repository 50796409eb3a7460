package cashfree_test

import (
	"encoding/base64"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/gateway/cashfree"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/clock"
)

// The vector was computed with openssl from the rule of "Webhook Signature Verification" and the time of its example; Cashfree publishes no
// secret that belongs to a signature.
func TestWebhook_SignatureVector_IsAccepted(t *testing.T) {
	t.Parallel()
	at := time.UnixMilli(1617695238078)
	g := cashfree.New(cashfree.Config{ClientSecret: clientSecret, Clock: clock.NewFake(at.Add(time.Minute))})
	p := payment.Incoming{
		Body: []byte(`{"data":{"order":{"order_id":"FP1"},"payment":{"cf_payment_id":"1","payment_status":"SUCCESS","payment_amount":170.00}},"type":"PAYMENT_SUCCESS_WEBHOOK"}`),
		Headers: map[string]string{
			"x-webhook-timestamp": "1617695238078", "x-webhook-signature": "avHpVrloE4JfYQ/2zbX8FRNS0Rj8kM5+EW6g7Yjiiv0=",
		},
	}
	n, err := g.Read(p)
	require.NoError(t, err)
	require.Equal(t, payment.StatusPaid, n.Status)
	require.Equal(t, "FP1", n.TransactionID)
	require.EqualValues(t, 170_00, n.Amount)
	p.Body = []byte(strings.Replace(string(p.Body), "170.00", "170", 1))
	_, err = g.Read(p)
	require.ErrorIs(t, err, payment.ErrSignature, "the raw body is signed, digit by digit")
}

func gateway() *cashfree.Gateway {
	return cashfree.New(cashfree.Config{ClientSecret: clientSecret, Clock: clock.NewFake(now)})
}

func TestWebhook_PublishedSamples_AreRead(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]payment.Notice{
		"webhook_payment_success.json": {
			Kind: payment.NoticePayment, TransactionID: "order_OFR_2", GatewayPaymentID: "1453002795", Status: payment.StatusPaid, Amount: 1_00,
			Fields: map[string]string{
				"event": "PAYMENT_SUCCESS_WEBHOOK", "order_id": "order_OFR_2", "cf_payment_id": "1453002795", "payment_status": "SUCCESS",
				"payment_amount": "1.00", "bank_reference": "234928698581",
			},
		},
		"webhook_payment_failed.json": {
			Kind: payment.NoticePayment, TransactionID: "CFPay_g47u3888d0k0_tblfm766qc", GatewayPaymentID: "1504280029", Status: payment.StatusFailed,
			Amount: 1_80, Fields: map[string]string{
				"event": "PAYMENT_FAILED_WEBHOOK", "order_id": "CFPay_g47u3888d0k0_tblfm766qc", "cf_payment_id": "1504280029",
				"payment_status": "FAILED", "payment_amount": "1.80", "bank_reference": "",
			},
		},
		"webhook_refund.json": {
			Kind: payment.NoticeRefund, TransactionID: "sampleorder0413", GatewayPaymentID: "789727431", ExternalID: "refund_sampleorder0413",
			Status: payment.StatusPaid, Amount: 2_00, Fields: map[string]string{
				"event": "REFUND_STATUS_WEBHOOK", "order_id": "sampleorder0413", "cf_payment_id": "789727431", "refund_id": "refund_sampleorder0413",
				"refund_status": "SUCCESS", "refund_amount": "2.00",
			},
		},
		"webhook_dispute.json": {
			Kind: payment.NoticeDispute, TransactionID: "order_1944392DR1kMTFYdIf8bI2awAcC3i9FTa", GatewayPaymentID: "885473311", ExternalID: "433475258",
			Status: payment.StatusPending, Amount: 3_00, Fields: map[string]string{
				"event": "DISPUTE_CREATED", "order_id": "order_1944392DR1kMTFYdIf8bI2awAcC3i9FTa", "cf_payment_id": "885473311", "dispute_id": "433475258",
				"dispute_status": "DISPUTE_CREATED", "dispute_amount": "3.00",
			},
		},
	} {
		body := []byte(sample(t, name))
		n, err := gateway().Read(signed(body, now))
		require.NoError(t, err, name)
		require.Len(t, n.Key, 64, name)
		again, err := gateway().Read(signed(body, now.Add(-30*time.Minute)))
		require.NoError(t, err, name)
		require.Equal(t, n.Key, again.Key, "a retry is the same notice")
		want.Key, want.Signed = n.Key, true
		require.Equal(t, want, n, name)
	}
}

func TestWebhook_WrongSignatureOrTime_IsRefused(t *testing.T) {
	t.Parallel()
	body := []byte(sample(t, "webhook_payment_success.json"))
	right := signed(body, now)
	stamp := right.Headers["x-webhook-timestamp"]
	for name, change := range map[string]func(h map[string]string, body *[]byte){
		"no signature":       func(h map[string]string, _ *[]byte) { delete(h, "x-webhook-signature") },
		"an empty signature": func(h map[string]string, _ *[]byte) { h["x-webhook-signature"] = "" },
		"no time":            func(h map[string]string, _ *[]byte) { delete(h, "x-webhook-timestamp") },
		"another time":       func(h map[string]string, _ *[]byte) { h["x-webhook-timestamp"] = stamp[:len(stamp)-1] + "9" },
		"a signature in hex": func(h map[string]string, _ *[]byte) { h["x-webhook-signature"] = strings.Repeat("0a", 32) },
		"trailing bits":      func(h map[string]string, _ *[]byte) { h["x-webhook-signature"] += "\n=" },
		"another secret": func(h map[string]string, _ *[]byte) {
			h["x-webhook-signature"] = base64.StdEncoding.EncodeToString(make([]byte, 32))
		},
		"a changed body": func(_ map[string]string, b *[]byte) {
			*b = []byte(strings.Replace(string(*b), `"payment_amount": 1`, `"payment_amount": 9`, 1))
		},
		"a digit moved to time": func(h map[string]string, b *[]byte) {
			h["x-webhook-timestamp"], *b = stamp+"1", append([]byte{}, (*b)[1:]...)
		},
		"a digit moved to body": func(h map[string]string, b *[]byte) {
			h["x-webhook-timestamp"], *b = stamp[:12], append([]byte(stamp[12:]), *b...)
		},
		"a time with words": func(h map[string]string, b *[]byte) {
			h["x-webhook-timestamp"] = "return|" + stamp
			h["x-webhook-signature"] = mac("return|" + stamp + string(*b))
		},
		"a time without an end": func(h map[string]string, b *[]byte) {
			s := strings.Repeat("1", 30)
			h["x-webhook-timestamp"] = s
			h["x-webhook-signature"] = mac(s + string(*b))
		},
		"older than a day": func(h map[string]string, b *[]byte) {
			maps.Copy(h, signed(*b, now.Add(-24*time.Hour-time.Second)).Headers)
		},
		"from the future":     func(h map[string]string, b *[]byte) { maps.Copy(h, signed(*b, now.Add(11*time.Minute)).Headers) },
		"seconds for millis":  func(h map[string]string, b *[]byte) { maps.Copy(h, signed(*b, time.UnixMilli(now.Unix())).Headers) },
		"signed, but no JSON": func(h map[string]string, b *[]byte) { *b = []byte("{"); maps.Copy(h, signed(*b, now).Headers) },
		"signed, but a list":  func(h map[string]string, b *[]byte) { *b = []byte("[]"); maps.Copy(h, signed(*b, now).Headers) },
		"signed, a third digit": func(h map[string]string, b *[]byte) {
			*b = []byte(strings.Replace(string(*b), `"payment_amount": 1`, `"payment_amount": 1.001`, 1))
			maps.Copy(h, signed(*b, now).Headers)
		},
		"signed, without a data": func(h map[string]string, b *[]byte) {
			*b = []byte(`{"type":"PAYMENT_SUCCESS_WEBHOOK"}`)
			maps.Copy(h, signed(*b, now).Headers)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := payment.Incoming{Body: body, Headers: maps.Clone(right.Headers)}
			change(p.Headers, &p.Body)
			_, err := gateway().Read(p)
			require.ErrorIs(t, err, payment.ErrSignature)
		})
	}
	for _, age := range []time.Duration{-10 * time.Minute, 0, 24 * time.Hour} {
		_, err := gateway().Read(signed(body, now.Add(-age)))
		require.NoError(t, err, age)
	}
}

func TestWebhook_NothingOfOurs_IsAcknowledgedWithoutEffect(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"a settlement":         `{"data":{"settlement":{"settlement_id":738,"amount_settled":97.94}},"type":"SETTLEMENT_SUCCESS"}`,
		"an automatic refund":  `{"data":{"auto_refund":{"cf_refund_id":1,"refund_amount":1}},"type":"AUTO_REFUND_STATUS_WEBHOOK"}`,
		"a type of tomorrow":   `{"data":[1.005],"type":"SOMETHING_NEW"}`,
		"no type":              `{"data":{}}`,
		"an order of somebody": `{"data":{"order":{"order_id":"somebody-else's"},"payment":{"payment_amount":1}},"type":"PAYMENT_SUCCESS_WEBHOOK"}`,
		"an unknown suffix":    `{"data":{"order":{"order_id":"FP1-emi"},"payment":{"payment_amount":1}},"type":"PAYMENT_SUCCESS_WEBHOOK"}`,
		"a refund without id":  `{"data":{"refund":{"order_id":"FP1","refund_amount":1}},"type":"REFUND_STATUS_WEBHOOK"}`,
	} {
		n, err := gateway().Read(signed([]byte(body), now))
		require.NoError(t, err, name)
		require.Equal(t, payment.Notice{Kind: payment.NoticeOther, Signed: true}, n, name)
	}
}

func TestWebhook_TypeAndStateContradict_IsPending(t *testing.T) {
	t.Parallel()
	for _, change := range [][2]string{
		{`"type": "PAYMENT_SUCCESS_WEBHOOK"`, `"type": "PAYMENT_FAILED_WEBHOOK"`}, {`"payment_status": "SUCCESS"`, `"payment_status": "FLAGGED"`},
	} {
		body := sample(t, "webhook_payment_success.json")
		require.Contains(t, body, change[0])
		n, err := gateway().Read(signed([]byte(strings.Replace(body, change[0], change[1], 1)), now))
		require.NoError(t, err)
		require.Equal(t, payment.StatusPending, n.Status, change[1])
	}
}

func TestWebhook_CardNumberInAField_IsNotKept(t *testing.T) {
	t.Parallel()
	body := strings.Replace(sample(t, "webhook_payment_success.json"), `"payment_status": "SUCCESS"`, `"payment_status": "4111 1111 1111 1111"`, 1)
	n, err := gateway().Read(signed([]byte(body), now))
	require.NoError(t, err)
	for name, value := range n.Fields {
		require.NotContains(t, value, "4111", name)
	}
}

func TestReturn_ProofOfAnotherTransaction_IsRefused(t *testing.T) {
	t.Parallel()
	p := start(t)
	c := sampleCharge()
	c.TransactionID, c.Method = "FP261102ABCDEF123456", payment.MethodUPI
	s, err := p.gateway().Begin(t.Context(), c)
	require.NoError(t, err)
	back := p.Complete(t, s, payment.StatusPaid, c.Amount)
	require.Equal(t, "FP261102ABCDEF123456-upi", back.Form["order_id"])
	n, err := p.gateway().Read(back)
	require.NoError(t, err)
	require.Equal(t, "FP261102ABCDEF123456", n.TransactionID)
	require.Equal(t, payment.StatusPending, n.Status, "the address says nothing of the outcome")
	for name, change := range map[string]map[string]string{
		"another transaction": {"transaction": "FP261102ABCDEF123457"}, "another order": {"order_id": "FP261102ABCDEF123457-upi"},
		"no proof": {"proof": ""}, "a webhook's signature": {"proof": mac("FP261102ABCDEF123456")}, "a strange order": {"order_id": "{order_id}"},
	} {
		form := maps.Clone(back.Form)
		maps.Copy(form, change)
		_, err := p.gateway().Read(payment.Incoming{Form: form})
		require.ErrorIs(t, err, payment.ErrSignature, name)
	}
}
