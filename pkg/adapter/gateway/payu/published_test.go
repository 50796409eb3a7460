package payu

import (
	"encoding/json"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// The accounts of PayU's own samples.
const (
	docsKey  = "JPM7Fg"
	docsSalt = "TuxqAugd"
	sdkKey   = "bjg$121"
	sdkSalt  = "vhgvs75"
)

func sample(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	require.NoError(t, err)
	return b
}

func sampleForm(t *testing.T) map[string]string {
	t.Helper()
	values, err := url.ParseQuery(string(sample(t, "return_netbanking.form")))
	require.NoError(t, err)
	form := map[string]string{}
	for name := range values {
		form[name] = values.Get(name)
	}
	return form
}

func docsGateway() *Gateway {
	return New(Config{Key: docsKey, Salt: docsSalt, BaseURL: "https://test.payu.in/"})
}

func TestHashes_EqualPayUsPublishedOnes(t *testing.T) {
	t.Parallel()
	sdk := New(Config{Key: sdkKey, Salt: sdkSalt})
	f := map[string]string{"txnid": "3123", "amount": "1000", "productinfo": "mobile", "firstname": "Jacob", "email": "test@payu.in"}
	require.Equal(t, "19d0822939b32b371847521c89aba3521de3a9bfeabeee5dab2d6f41962ff9fcdcee87067bb3a3de870acce488f9ff88a3511bb78c6143344a277b1b91ad38b8", sdk.requestHash(f))
	f["status"], f["key"] = "success", sdkKey
	f["hash"] = "687c82156a84271a7a6c63d0e8774d5ac567d9b894a334a47d72e47b72392a5167a1b2add5b253490b70731d9eb3e3a3b7225e0c5f26829befafbbee71977c4c"
	n, err := sdk.Read(payment.Incoming{Form: f})
	require.NoError(t, err)
	require.Equal(t, "3123", n.TransactionID)

	docs := docsGateway()
	require.Equal(t, "05a397501918ec5c36ae52daa3b3e49b43e986b86940e109d060076e467c3ea7536617df7420e0e6863dced8c5b45f9fff15c13bdf0335512c05f0210b31b072",
		docs.requestHash(map[string]string{"txnid": "PQI6MqpYrjEefU", "amount": "10.00", "productinfo": "iPhone", "firstname": "PayU User", "email": "test@gmail.com"}))
	_, err = docs.Read(payment.Incoming{Form: map[string]string{
		"txnid": "ypl938459435dfdfdf", "amount": "1000.00", "productinfo": "iPhone", "firstname": "Ashish", "email": "ashish@gmail.com", "status": "success",
		"hash": "84bbbf0fa3ba2a39942f6c3deab234c4d00bc5b6aceee5cda3c8200d6e1714e19c224d47e24d0c4a9a0cce40eddbae1dc46455c69e5e7d5dd62f6636bfab337c",
	}})
	require.NoError(t, err)
	for _, c := range []struct{ command, var1, hash string }{
		{"verify_payment", "IhfgcZnXR4o4nB", "a0ae79fdd66c875af6e9b21c4a67f1822deb00f2df5e9f0b1948f3222f536a9bf741b24efbb1874ca0f84f76b036e6c0d641581d0100f7abe4aeed2f3264f5c9"},
		{"check_action_status", "403993715521937565", "81bdb5b8e625f254398d744269844fc6b9d87b3782670331c2a6b856f42f315b9898f397df7292cfd33a6153abf4acac58ce3ac671e41999ff81d98ce432f48e"},
		{"getAllRefundsFromTxnIds", "db97dd56eff7296e5061", "69543c08018121cc882d2f8b1761567367c1806becde3db7f54ab552362677cc08d8dfa4b9411e234e4876e6aba80c05a32e75ed499aff458c7f6027bf4ef2a8"},
		{"get_Transaction_Details", "2020-10-20", "0545c11641bd91ed7ba2b5c937480b0f8737962ccc4959994f2aa950ca16212283e7c440a4251ffebd725e0c2c2c03701186eec82c8dd667e75dfbb3cba8e634"},
	} {
		require.Equal(t, c.hash, docs.commandHash(c.command, c.var1), c.command)
	}
}

func TestRead_PublishedReturn(t *testing.T) {
	t.Parallel()
	n, err := docsGateway().Read(payment.Incoming{Form: sampleForm(t)})
	require.NoError(t, err)
	require.Equal(t, payment.NoticePayment, n.Kind)
	require.True(t, n.Signed)
	require.Equal(t, "bvRCCBO4YiGGHE", n.TransactionID)
	require.Equal(t, payment.StatusPaid, n.Status)
	require.Equal(t, 10*money.Rupee, n.Amount)
	for _, name := range []string{"hash", "key", "email", "phone", "firstname", "field1"} {
		require.NotContains(t, n.Fields, name)
	}
}

// Anyone can choose the fields outside the hash: they create neither a refund, nor a dispute, nor a second notice.
func TestRead_FieldsOutsideTheHash_AreIgnored(t *testing.T) {
	t.Parallel()
	g := docsGateway()
	want, err := g.Read(payment.Incoming{Form: sampleForm(t)})
	require.NoError(t, err)
	f := sampleForm(t)
	f["zz"], f["mode"] = strings.Repeat("x", 50_000), strings.Repeat("y", 50_000)
	for _, action := range []string{"refund", "chargeback", "dispute"} {
		f["action"], f["request_id"], f["event"], f["cb_id"] = action, "131278418", "dispute", "1"
		n, err := g.Read(payment.Incoming{Form: f})
		require.NoError(t, err)
		require.Equal(t, payment.NoticePayment, n.Kind, action)
		require.Equal(t, "403993715524046125", n.ExternalID, "which of its payments it is, for PayU to confirm")
		require.Equal(t, want.Key, n.Key)
		text, err := json.Marshal(n.Fields)
		require.NoError(t, err)
		require.Less(t, len(text), 4_000)
	}
}

func TestRead_ChargesAndSplits_AreUnderTheHash(t *testing.T) {
	t.Parallel()
	g := docsGateway()
	const tail = "|||||||||||test@gmail.com|Ashish|iPhone|10.00|bvRCCBO4YiGGHE|" + docsKey
	f := sampleForm(t)
	f["splitInfo"] = `{"splitStatus":"splitNotReceived"}`
	_, err := g.Read(payment.Incoming{Form: f})
	require.NoError(t, err, "an account that does not split gets the field without its being hashed")

	f["hash"] = digest(docsSalt, "success", f["splitInfo"]+tail)
	_, err = g.Read(payment.Incoming{Form: f})
	require.NoError(t, err)
	for _, name := range []string{"additionalCharges", "additional_charges"} {
		f := sampleForm(t)
		f[name] = "0.17"
		_, err = g.Read(payment.Incoming{Form: f})
		require.ErrorIs(t, err, payment.ErrSignature, "charges that nobody signed")
		f["hash"] = digest("0.17", docsSalt, "success"+tail)
		_, err = g.Read(payment.Incoming{Form: f})
		require.NoError(t, err, name)
		f["splitInfo"] = "{}"
		f["hash"] = digest("0.17", docsSalt, "success", "{}"+tail)
		_, err = g.Read(payment.Incoming{Form: f})
		require.NoError(t, err, name)
	}
}

func TestRead_RefundWebhook_IsAHint(t *testing.T) {
	t.Parallel()
	g := New(Config{Key: "IahMJL", Salt: "s"})
	n, err := g.Read(payment.Incoming{Body: sample(t, "refund_notice.json")})
	require.NoError(t, err)
	require.Equal(t, payment.NoticeRefund, n.Kind)
	require.False(t, n.Signed, "nobody signs it")
	require.Equal(t, "PZT2506150013OR4AN02", n.TransactionID)
	require.Equal(t, "23907365951", n.GatewayPaymentID)
	require.Equal(t, "17265314530", n.ExternalID)
	require.Equal(t, money.Paise(72_00), n.Amount)
	_, err = docsGateway().Read(payment.Incoming{Body: sample(t, "refund_notice.json")})
	require.ErrorIs(t, err, payment.ErrSignature, "another merchant's")

	later := New(Config{Key: "lF76TH", Salt: "s"})
	n, err = later.Read(payment.Incoming{Body: sample(t, "refund_notice_arn.json")})
	require.NoError(t, err, "a bank reference that is a number")
	require.Equal(t, "308239782136", n.Fields["bank_arn"])
}

func TestRead_DisputeWithoutAValidSignature_IsAHint(t *testing.T) {
	t.Parallel()
	g := docsGateway()
	n, err := g.Read(payment.Incoming{Body: sample(t, "dispute_notice.json")})
	require.NoError(t, err)
	require.Equal(t, payment.NoticeDispute, n.Kind)
	require.False(t, n.Signed)
	require.Empty(t, n.TransactionID)
	require.Equal(t, "999000000000468", n.GatewayPaymentID)
	require.Equal(t, "1761758", n.ExternalID)
	require.Equal(t, 1*money.Rupee, n.Amount)

	signing := New(Config{Key: "JBZaLc", Salt: "awdgfjrfjk"})
	body := []byte(`{"event":"dispute","cb_id":987,"txn_id":"403993715515239610","cb_type":"Chargeback","cb_amount":"1500.0","cb_status":"Pending Response"}`)
	header := map[string]string{"x-payu-dispute-webhook-signature-v1": "2570deec39958a0e93ce7385d421fe8016edcb133c7649ff6f958d06cc878e3375cc843d221507e55839d4c3e95446b37176366aebaaa6cdbbde589c489f94c4"}
	n, err = signing.Read(payment.Incoming{Body: body, Headers: header})
	require.NoError(t, err)
	require.True(t, n.Signed)
	_, err = signing.Read(payment.Incoming{Body: []byte(strings.Replace(string(body), "1500.0", "15.0", 1)), Headers: header})
	require.ErrorIs(t, err, payment.ErrSignature)
	required := New(Config{Key: "JBZaLc", Salt: "awdgfjrfjk", DisputesSigned: true})
	_, err = required.Read(payment.Incoming{Body: body})
	require.ErrorIs(t, err, payment.ErrSignature, "an account whose disputes are signed")
}

func TestRefunds_AreReadFromTheActionsOfAPayment(t *testing.T) {
	t.Parallel()
	g, asked := api(t, 200, string(sample(t, "actions_of_payment.json")))
	records, err := g.Refunds(t.Context(), "T1", "403993715521937565")
	require.NoError(t, err)
	require.Equal(t, "payuid", asked["var2"])
	require.Len(t, records, 2, "the capture stands among them, and is none")
	require.Equal(t, payment.RefundRecord{
		RefundOutcome: payment.RefundOutcome{RefundID: "131278422", Done: true}, Token: "RefundToken1", Amount: 10 * money.Rupee,
	}, records[0])
	r := payment.RefundRequest{TransactionID: "T1", GatewayPaymentID: "403993715521937565"}
	_, err = g.RefundStatus(t.Context(), r, "131278418")
	require.Error(t, err, "a capture is no refund")

	other, _ := api(t, 200, string(sample(t, "actions_of_payment.json")))
	_, err = other.Refunds(t.Context(), "T1", "9")
	require.Error(t, err, "the answer is about another payment")
	none, _ := api(t, 200, strings.ReplaceAll(string(sample(t, "actions_unknown.json")), "13127842", "9"))
	records, err = none.Refunds(t.Context(), "T1", "9")
	require.NoError(t, err)
	require.Empty(t, records)
}

func TestRefund_OnlyAFinalRefusal_Fails(t *testing.T) {
	t.Parallel()
	r := payment.RefundRequest{TransactionID: "T1", GatewayPaymentID: "403993715527389777", Amount: 10 * money.Rupee, Token: "tok"}
	g, asked := api(t, 200, string(sample(t, "refund_queued.json")))
	o, err := g.Refund(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, payment.RefundOutcome{RefundID: "134555708"}, o)
	require.Equal(t, "tok", asked["var2"])
	require.Equal(t, "10.00", asked["var3"])

	g, _ = api(t, 200, string(sample(t, "refund_not_found.json")))
	o, err = g.Refund(t.Context(), r)
	require.NoError(t, err)
	require.True(t, o.Failed)
	require.Equal(t, "Refund FAILURE - Transaction Not Found", o.Reason)

	g, _ = api(t, 200, map[string]any{"status": 1, "msg": "Cancel Request Queued", "txn_update_id": 9876, "error_code": 102})
	o, err = g.Refund(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, "9876", o.RefundID, "a payment that is only authorised")

	for _, code := range []any{101, 102, "106", 109, 112, 120, 122, 123, 126, 127, 214, 225, 226, 227, 999, nil} {
		g, _ = api(t, 200, map[string]any{"status": 0, "msg": "Refund FAILURE - something", "error_code": code})
		o, err = g.Refund(t.Context(), r)
		require.NoError(t, err)
		require.True(t, o.Waiting, "%v", code)
		require.False(t, o.Failed, "%v", code)
	}
}

func TestVerify_ChargesAndOffers_DoNotChangeTheAmount(t *testing.T) {
	t.Parallel()
	for want, d := range map[money.Paise]string{
		6_00:      `{"mihpayid":403993715527389777,"status":"success","unmappedstatus":"captured","amt":"6.17","transaction_amount":"6.00","additional_charges":"0.17","net_amount_debit":6.17,"Settled_At":"0000-00-00 00:00:00"}`,
		10_000_00: `{"mihpayid":403993715527389777,"status":"success","unmappedstatus":"captured","amt":"9900.00","transaction_amount":"10000.00","disc":"100.00","net_amount_debit":9900}`,
	} {
		g, _ := api(t, 200, `{"status":1,"msg":"1 out of 1 Transactions Fetched Successfully","transaction_details":{"T1":`+d+`}}`)
		o, err := g.Verify(t.Context(), "T1", "")
		require.NoError(t, err)
		require.Equal(t, want, o.Amount)
		require.Equal(t, "403993715527389777", o.GatewayPaymentID, "a number keeps all its digits")
	}
}

func TestCapture_IsQueriedByPayUsNumber(t *testing.T) {
	t.Parallel()
	g, asked := api(t, 200, string(sample(t, "check_payment.json")))
	c, err := g.Capture(t.Context(), "d721fcf124b54e56989f", "403993715530075847")
	require.NoError(t, err)
	require.Equal(t, &payment.Capture{GatewayPaymentID: "403993715530075847", Amount: 10 * money.Rupee}, c)
	require.Equal(t, "check_payment", asked["command"])
	require.Equal(t, "403993715530075847", asked["var1"])
	for _, other := range [][2]string{{"another-transaction", "403993715530075847"}, {"d721fcf124b54e56989f", "403993715530075848"}} {
		c, err = g.Capture(t.Context(), other[0], other[1])
		require.NoError(t, err)
		require.Nil(t, c, "%v", other)
	}
	g, _ = api(t, 200, strings.ReplaceAll(string(sample(t, "check_payment.json")), `"captured"`, `"failed"`))
	c, err = g.Capture(t.Context(), "d721fcf124b54e56989f", "403993715530075847")
	require.NoError(t, err)
	require.Nil(t, c, "nothing was captured")
	g, _ = api(t, 200, string(sample(t, "check_payment_not_found.json")))
	c, err = g.Capture(t.Context(), "d721fcf124b54e56989f", "403993715521889530")
	require.NoError(t, err)
	require.Nil(t, c)
	g, _ = api(t, 500, "")
	_, err = g.Capture(t.Context(), "d721fcf124b54e56989f", "403993715521889530")
	require.Error(t, err)
}

func TestBegin_LongFields_AreCutToPayUsLimits(t *testing.T) {
	t.Parallel()
	s, err := docsGateway().Begin(t.Context(), payment.Charge{
		TransactionID: strings.Repeat("T", 25), Amount: 100, ProductInfo: strings.Repeat("p", 300), FirstName: strings.Repeat("n", 300),
		Email: strings.Repeat("e", 60) + "@example.in", ReturnURL: "https://www.shop.example/back",
	})
	require.NoError(t, err)
	require.Len(t, s.Fields["productinfo"], 100)
	require.Len(t, s.Fields["firstname"], 60)
	require.Equal(t, "no-reply@www.shop.example", s.Fields["email"], "a cut address might be somebody else's")
	_, err = docsGateway().Begin(t.Context(), payment.Charge{TransactionID: strings.Repeat("T", 26), Amount: 100})
	require.Error(t, err)
}
