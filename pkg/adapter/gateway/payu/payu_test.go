package payu

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// The published account of PayU's Node SDK tests, and hashes computed from the published formulas.
const (
	vectorKey      = "QyT13U"
	vectorSalt     = "UnJ0FGO0kt3dUgnHo9Xgwi0lpipBV0hB"
	vectorRequest  = "4a6abdc05c3af253c0d036f161cb55d821fbfab0e9e4b7a0242e0522a41cbef0ef91078d79f85425038646d9a97681dc87b7a9c4bb2dfb75155e7c50b7da6d21"
	vectorResponse = "e8fc1faee3a53762e2055606b7617b4abc450583b982715f4e381ea93bbb096be16c7bfa6410e7c35a29c99c228f6d3b8dd20bdd87faaccadaca0154de00f53a"
	vectorVerify   = "b6c113e0508cc0aeaa6f7fd073a501edb2b82fce76f811c18ece3a2f84965cfe322fb964dfc9d28b15c787568ad0e451d0a9384fd64ead06624b59f933a36d2d"
)

func vectorGateway(api string) *Gateway {
	return New(Config{Key: vectorKey, Salt: vectorSalt, BaseURL: "https://test.payu.in/", APIURL: api})
}

func vectorAnswer() map[string]string {
	return map[string]string{
		"key": vectorKey, "txnid": "T1", "amount": "10.00", "productinfo": "Plan", "firstname": "Asha", "email": "a@b.in",
		"status": "success", "unmappedstatus": "captured", "mihpayid": "403993715", "hash": vectorResponse,
		"cardnum": "512345XXXXXX2346", "name_on_card": "ASHA", "phone": "9876543210", "mode": "CC",
	}
}

func TestHashesAreThePublishedOnes(t *testing.T) {
	t.Parallel()
	g := vectorGateway("")
	session, err := g.Begin(t.Context(), payment.Charge{
		TransactionID: "T1", Amount: 10 * money.Rupee, ProductInfo: "Plan", FirstName: "Asha", Email: "a@b.in", Mobile: "9876543210",
		ReturnURL: "https://shop.example/back", Method: payment.MethodUPI,
	})
	require.NoError(t, err)
	require.Equal(t, "https://test.payu.in/_payment", session.URL)
	require.Equal(t, vectorRequest, session.Fields["hash"])
	require.Equal(t, "10.00", session.Fields["amount"])
	require.Equal(t, "upi", session.Fields["enforce_paymethod"])
	require.Equal(t, vectorResponse, g.responseHash(vectorAnswer()))
	require.Equal(t, vectorVerify, g.commandHash("verify_payment", "T1"))
}

func TestOnlyWhatIsSignedIsRead(t *testing.T) {
	t.Parallel()
	g := vectorGateway("")
	n, err := g.Read(payment.Posted{Form: vectorAnswer()})
	require.NoError(t, err)
	require.Equal(t, "T1", n.TransactionID)
	require.Equal(t, payment.StatusPaid, n.Status)
	require.Equal(t, 10*money.Rupee, n.Amount)
	for _, name := range []string{"hash", "cardnum", "name_on_card", "phone", "email", "firstname"} {
		require.NotContains(t, n.Fields, name)
	}
	upper := vectorAnswer()
	upper["hash"] = strings.ToUpper(upper["hash"])
	_, err = g.Read(payment.Posted{Form: upper})
	require.NoError(t, err)

	for name, change := range map[string]func(f map[string]string){
		"no hash":            func(f map[string]string) { delete(f, "hash") },
		"bad hash":           func(f map[string]string) { f["hash"] = strings.Repeat("0", 128) },
		"request hash":       func(f map[string]string) { f["hash"] = vectorRequest },
		"other amount":       func(f map[string]string) { f["amount"] = "1.00" },
		"other status":       func(f map[string]string) { f["status"] = "failure" },
		"other transaction":  func(f map[string]string) { f["txnid"] = "T2" },
		"other merchant":     func(f map[string]string) { f["key"] = "another" },
		"additional charges": func(f map[string]string) { f["additionalCharges"] = "5.00" },
		// productinfo "Plan" and firstname "Asha" shifted by one separator sign the same text
		"separator in a name": func(f map[string]string) { f["firstname"], f["productinfo"] = "", "Asha|Plan" },
		"separator as email":  func(f map[string]string) { f["email"], f["firstname"] = "a@b.in|Asha", "" },
	} {
		f := vectorAnswer()
		change(f)
		_, err := g.Read(payment.Posted{Form: f})
		require.ErrorIs(t, err, payment.ErrSignature, name)
	}

	charged := vectorAnswer()
	charged["additionalCharges"] = "5.00"
	charged["hash"] = digest(append([]string{"5.00"}, strings.Split(vectorSalt+"|success|||||||||||a@b.in|Asha|Plan|10.00|T1|"+vectorKey, "|")...)...)
	_, err = g.Read(payment.Posted{Form: charged})
	require.NoError(t, err)
}

func TestTheSeparatorNeverReachesTheSignedText(t *testing.T) {
	t.Parallel()
	g := vectorGateway("")
	session, err := g.Begin(t.Context(), payment.Charge{
		TransactionID: "T1", Amount: 10 * money.Rupee, ProductInfo: "Pl|an\x00", FirstName: "|", Email: "a@b.in", ReturnURL: "https://x.example",
	})
	require.NoError(t, err)
	require.Equal(t, "Plan", session.Fields["productinfo"])
	require.Equal(t, "Customer", session.Fields["firstname"])
}

func TestStatesAreReadAsTheDocumentationNamesThem(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		status, unmapped string
		want             payment.Status
	}{
		{"success", "captured", payment.StatusPaid},
		{"success", "auth", payment.StatusPaid},
		{"success", "", payment.StatusPaid},
		{"failure", "captured", payment.StatusFailed},
		{"failure", "userCancelled", payment.StatusFailed},
		{"failure", "bounced", payment.StatusFailed},
		{"failure", "failed", payment.StatusFailed},
		{"pending", "dropped", payment.StatusPending},
		{"pending", "pending", payment.StatusPending},
		{"Not Found", "", payment.StatusUnknown},
		{"success", "something new", payment.StatusPending},
		{"", "", payment.StatusPending},
	} {
		require.Equal(t, tc.want, statusOf(tc.status, tc.unmapped), "%s %s", tc.status, tc.unmapped)
	}
}

// api serves one answer and keeps the form that asked for it.
func api(t *testing.T, status int, answer any) (*Gateway, map[string]string) {
	t.Helper()
	asked := map[string]string{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/merchant/postservice.php" || r.URL.Query().Get("form") != "2" || r.ParseForm() != nil {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		for name := range r.PostForm {
			asked[name] = r.PostForm.Get(name)
		}
		w.WriteHeader(status)
		if text, ok := answer.(string); ok {
			_, _ = w.Write([]byte(text))
			return
		}
		_ = json.NewEncoder(w).Encode(answer)
	}))
	t.Cleanup(server.Close)
	return vectorGateway(server.URL), asked
}

func TestVerifyAsksAndReads(t *testing.T) {
	t.Parallel()
	details := map[string]any{
		"mihpayid": "403993715", "status": "success", "unmappedstatus": "captured", "txnid": "T1", "transaction_amount": "159300.000000",
		"amt": "159300.00", "mode": "UPI", "card_no": "512345XXXXXX2346", "error_Message": "NO ERROR",
	}
	answer := map[string]any{"status": 1, "msg": "1 out of 1", "transaction_details": map[string]any{"T1": details}}
	g, asked := api(t, http.StatusOK, answer)
	o, err := g.Verify(t.Context(), "T1", "")
	require.NoError(t, err)
	require.Equal(t, map[string]string{"key": vectorKey, "command": "verify_payment", "var1": "T1", "hash": vectorVerify}, asked)
	require.Equal(t, payment.StatusPaid, o.Status)
	require.Equal(t, money.FromRupees(1_59_300), o.Amount)
	require.Equal(t, "upi", o.Slug)
	require.Equal(t, "403993715", o.GatewayPaymentID)
	require.NotContains(t, o.Fields, "card_no")

	failed := maps.Clone(details)
	failed["status"], failed["unmappedstatus"], failed["error_Message"] = "failure", "failed", "Transaction declined by the bank"
	answer["transaction_details"] = map[string]any{"T1": failed}
	o, err = g.Verify(t.Context(), "T1", "")
	require.NoError(t, err)
	require.Equal(t, payment.StatusFailed, o.Status)
	require.Equal(t, "Transaction declined by the bank.", o.Reason)

	answer["transaction_details"] = map[string]any{"T1": map[string]any{"mihpayid": "Not Found", "status": "Not Found"}}
	o, err = g.Verify(t.Context(), "T1", "")
	require.NoError(t, err)
	require.Equal(t, payment.StatusUnknown, o.Status)
}

func TestAGatewayThatTalksNonsenseIsUnavailable(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		status int
		answer any
	}{
		"500":               {500, "Internal Server Error"},
		"HTML":              {200, "<html><h1>We will be back soon</h1></html>"},
		"empty":             {200, ""},
		"another's details": {200, map[string]any{"transaction_details": map[string]any{"T2": map[string]any{}}}},
		"refused":           {200, map[string]any{"status": 0, "msg": "Invalid Hash."}},
		"no amount": {200, map[string]any{"transaction_details": map[string]any{
			"T1": map[string]any{"status": "success", "unmappedstatus": "captured"},
		}}},
	} {
		g, _ := api(t, tc.status, tc.answer)
		_, err := g.Verify(t.Context(), "T1", "")
		require.Equal(t, errs.KindUnavailable, errs.KindOf(err), name)
	}
	_, err := vectorGateway("http://127.0.0.1:1").Verify(t.Context(), "T1", "")
	require.Equal(t, errs.KindUnavailable, errs.KindOf(err))
}

func TestRefundsAndSettlements(t *testing.T) {
	t.Parallel()
	g, asked := api(t, http.StatusOK, map[string]any{"status": 1, "msg": "Refund Request Queued", "request_id": "123", "mihpayid": "9"})
	r := payment.RefundRequest{TransactionID: "T1", GatewayPaymentID: "9", Amount: 10 * money.Rupee, Token: "tok"}
	o, err := g.Refund(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, payment.RefundOutcome{RefundID: "123"}, o)
	require.Equal(t, "tok", asked["var2"])
	require.Equal(t, "10.00", asked["var3"])

	g, _ = api(t, http.StatusOK, map[string]any{"status": 0, "msg": "Refund FAILURE - Invalid amount"})
	o, err = g.Refund(t.Context(), r)
	require.NoError(t, err)
	require.True(t, o.Failed)

	g, _ = api(t, http.StatusOK, map[string]any{"status": 1, "transaction_details": map[string]any{
		"123": map[string]any{"123": map[string]any{"status": "success"}},
	}})
	o, err = g.RefundStatus(t.Context(), r, "123")
	require.NoError(t, err)
	require.True(t, o.Done)

	g, _ = api(t, http.StatusOK, map[string]any{"status": 1, "Txn_details": []map[string]any{
		{
			"txnid": "T1", "payuid": "9", "requestaction": "capture", "requestamount": "100.00", "mer_service_fee": "2.00",
			"mer_service_tax": "0.36", "mer_net_amount": "97.64", "mer_utr": "U", "requestdate": "2026-11-21 10:00:00",
		},
		{"txnid": "T1", "payuid": "9", "requestaction": "refund", "requestid": "123", "requestamount": "10.00", "mer_net_amount": "-10.00"},
	}})
	lines, err := g.Settlements(t.Context(), "2026-11-21")
	require.NoError(t, err)
	require.Len(t, lines, 2)
	require.Equal(t, money.Paise(97_64), lines[0].Net)
	require.Equal(t, "2026-11-21T04:30:00Z", lines[0].At.Format("2006-01-02T15:04:05Z07:00"))
	require.True(t, lines[1].Refund)
	require.Equal(t, money.Paise(-10_00), lines[1].Net)
}
