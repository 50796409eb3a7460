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

func vectorGateway(api string) *Gateway {
	return New(Config{Key: docsKey, Salt: docsSalt, BaseURL: "https://test.payu.in/", APIURL: api})
}

func TestFields_BankReferences_AreNotMaskedAsCards(t *testing.T) {
	t.Parallel()
	g := docsGateway()
	for _, name := range []string{
		"mihpayid", "txnid", "bank_ref_num", "bank_ref_no", "bank_arn", "request_id", "payuid", "merchantTxnId", "token", "txn_id", "cb_id",
		"field0", "field1", "field8",
	} {
		require.True(t, g.IsReference(name), name)
	}
	for _, name := range []string{"field9", "field", "field10", "fieldx", "Field1", "udf1", "cardnum", "card_token", "razorpay_payment_id"} {
		require.False(t, g.IsReference(name), name)
	}
}

func TestRead_WrongHash_IsRefused(t *testing.T) {
	t.Parallel()
	g := docsGateway()
	upper := sampleForm(t)
	upper["hash"] = strings.ToUpper(upper["hash"])
	_, err := g.Read(payment.Incoming{Form: upper})
	require.NoError(t, err)
	for name, change := range map[string]func(f map[string]string){
		"no hash":            func(f map[string]string) { delete(f, "hash") },
		"bad hash":           func(f map[string]string) { f["hash"] = strings.Repeat("0", 128) },
		"request hash":       func(f map[string]string) { f["hash"] = g.requestHash(f) },
		"other amount":       func(f map[string]string) { f["amount"] = "1.00" },
		"other status":       func(f map[string]string) { f["status"] = "failure" },
		"other transaction":  func(f map[string]string) { f["txnid"] = "T2" },
		"other merchant":     func(f map[string]string) { f["key"] = "another" },
		"additional charges": func(f map[string]string) { f["additionalCharges"] = "5.00" },
		// productinfo and firstname shifted by one separator produce the same signed text
		"separator in a name": func(f map[string]string) { f["firstname"], f["productinfo"] = "", "Ashish|iPhone" },
		"separator as email":  func(f map[string]string) { f["email"], f["firstname"] = "test@gmail.com|Ashish", "" },
	} {
		f := sampleForm(t)
		change(f)
		_, err := g.Read(payment.Incoming{Form: f})
		require.ErrorIs(t, err, payment.ErrSignature, name)
	}
}

func TestBegin_SeparatorInAField_IsRemoved(t *testing.T) {
	t.Parallel()
	g := vectorGateway("")
	session, err := g.Begin(t.Context(), payment.Charge{
		TransactionID: "T1", Amount: 10 * money.Rupee, ProductInfo: "Pl|an\x00", FirstName: "|", Email: "a@b.in", ReturnURL: "https://x.example",
	})
	require.NoError(t, err)
	require.Equal(t, "Plan", session.Fields["productinfo"])
	require.Equal(t, "Customer", session.Fields["firstname"])
}

func TestStatus_EachDocumentedState_IsMapped(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		status, unmapped string
		want             payment.Status
	}{
		{"success", "captured", payment.StatusPaid},
		{"success", "auth", payment.StatusPending},
		{"SUCCESS", "Captured", payment.StatusPaid},
		{"success", "", payment.StatusPaid},
		{"failure", "captured", payment.StatusFailed},
		{"failure", "userCancelled", payment.StatusFailed},
		{"failure", "bounced", payment.StatusFailed},
		{"failure", "failed", payment.StatusFailed},
		{"failure", "dropped", payment.StatusFailed},
		{"failure", "autoRefund", payment.StatusFailed},
		{"pending", "initiated", payment.StatusOpened},
		{"pending", "in progress", payment.StatusPending},
		{"pending", "pending", payment.StatusPending},
		{"Not Found", "", payment.StatusUnknown},
		{"success", "something new", payment.StatusPending},
		{"", "", payment.StatusPending},
	} {
		require.Equal(t, tc.want, statusOf(tc.status, tc.unmapped), "%s %s", tc.status, tc.unmapped)
	}
}

// api serves one answer and records the form of the request.
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

func TestVerify_SendsTheCommandAndReadsTheAnswer(t *testing.T) {
	t.Parallel()
	details := map[string]any{
		"mihpayid": "403993715", "status": "success", "unmappedstatus": "captured", "txnid": "T1", "transaction_amount": "159300.000000",
		"amt": "159300.00", "mode": "UPI", "card_no": "512345XXXXXX2346", "error_Message": "NO ERROR",
		"bank_ref_num": "618211478204",
	}
	answer := map[string]any{"status": 1, "msg": "1 out of 1", "transaction_details": map[string]any{"T1": details}}
	g, asked := api(t, http.StatusOK, answer)
	o, err := g.Verify(t.Context(), "T1", "")
	require.NoError(t, err)
	require.Equal(t, map[string]string{
		"key": docsKey, "command": "verify_payment", "var1": "T1", "hash": g.commandHash("verify_payment", "T1"),
	}, asked)
	require.Equal(t, payment.StatusPaid, o.Status)
	require.Equal(t, money.FromRupees(1_59_300), o.Amount)
	require.Equal(t, "upi", o.Slug)
	require.Equal(t, "403993715", o.GatewayPaymentID)
	require.Equal(t, "618211478204", o.BankReference)
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

func TestVerify_UnreadableAnswer_IsUnavailable(t *testing.T) {
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
