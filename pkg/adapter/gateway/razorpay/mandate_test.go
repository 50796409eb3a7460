package razorpay_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/gateway/razorpay"
	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

var _ mandate.Gateway = (*razorpay.Gateway)(nil)

// recorded is a request as the provider received it.
type recorded struct {
	call string
	body map[string]any
}

// answers serves texts, or published samples, by method and path; a status of 400 precedes a refusal.
func answers(t *testing.T, byCall map[string]string) (*razorpay.Gateway, func() []recorded) {
	t.Helper()
	var mu sync.Mutex
	var asked []recorded
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		one := recorded{call: r.Method + " " + r.URL.Path}
		if text, err := io.ReadAll(r.Body); err == nil && len(text) > 0 {
			_ = json.Unmarshal(text, &one.body)
		}
		mu.Lock()
		asked = append(asked, one)
		mu.Unlock()
		text, ok := byCall[one.call]
		if !ok {
			w.WriteHeader(http.StatusBadRequest)
			text = `{"error":{"code":"BAD_REQUEST_ERROR","description":"The id provided does not exist"}}`
		}
		if refusal, ok := strings.CutPrefix(text, "400 "); ok {
			w.WriteHeader(http.StatusBadRequest)
			text = refusal
		}
		if strings.HasSuffix(text, ".json") {
			text = string(published(t, text))
		}
		_, _ = io.WriteString(w, text)
	}))
	t.Cleanup(server.Close)
	g := razorpay.New(razorpay.Config{KeyID: "k", KeySecret: keySecret, WebhookSecret: webhookSecret, BaseURL: server.URL})
	return g, func() []recorded {
		mu.Lock()
		defer mu.Unlock()
		return append([]recorded(nil), asked...)
	}
}

func published(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	return text
}

func TestState_PublishedTokens_AreRead(t *testing.T) {
	t.Parallel()
	var list struct{ Items []json.RawMessage }
	require.NoError(t, json.Unmarshal(published(t, "tokens-upi.json"), &list))
	g, _ := answers(t, map[string]string{
		"GET /v1/customers/cust_1/tokens/token_FHfAzGzREc1ug6": string(list.Items[0]),
		"GET /v1/customers/cust_1/tokens/token_J0BgMu8YDVusZa": "token-card.json",
	})
	m := mandate.Reference{MandateID: "token_FHfAzGzREc1ug6", CustomerID: "cust_1", Method: mandate.MethodUPI}
	d, err := g.State(t.Context(), m)
	require.NoError(t, err)
	require.Equal(t, mandate.Details{Reference: m, State: mandate.ProviderActive, Masked: "@upi"}, d)
	m = mandate.Reference{MandateID: "token_J0BgMu8YDVusZa", CustomerID: "cust_1", Method: mandate.MethodCard}
	d, err = g.State(t.Context(), m)
	require.NoError(t, err)
	require.Equal(t, mandate.ProviderActive, d.State)
	require.Equal(t, "7558", d.Masked)
	require.Equal(t, time.Unix(2709971120, 0).UTC(), d.Until)
	m.MandateID = "token_none"
	d, err = g.State(t.Context(), m)
	require.NoError(t, err)
	require.Equal(t, mandate.ProviderUnknown, d.State)
	_, err = g.State(t.Context(), mandate.Reference{MandateID: "token_1"})
	require.Error(t, err, "a token is found by its customer")
}

func TestState_EachWord_HasItsMeaning(t *testing.T) {
	t.Parallel()
	for status, want := range map[string]mandate.ProviderState{
		"initiated": mandate.ProviderPending, "confirmed": mandate.ProviderActive, "rejected": mandate.ProviderFailed,
		"paused": mandate.ProviderPaused, "cancelled": mandate.ProviderRevoked, "cancellation_initiated": mandate.ProviderRevoked,
		"expired": mandate.ProviderExpired,
	} {
		g, _ := answers(t, map[string]string{
			"GET /v1/customers/c/tokens/t": `{"id":"t","method":"emandate","bank":"HDFC","recurring_details":{"status":"` + status + `","failure_reason":null}}`,
		})
		d, err := g.State(t.Context(), mandate.Reference{MandateID: "t", CustomerID: "c"})
		require.NoError(t, err, status)
		require.Equal(t, want, d.State, status)
		require.Equal(t, mandate.MethodENACH, d.Reference.Method)
	}
	for _, body := range []string{`{"id":"t","recurring_details":{"status":"something new"}}`, `{"id":"other","recurring_details":{"status":"confirmed"}}`} {
		g, _ := answers(t, map[string]string{"GET /v1/customers/c/tokens/t": body})
		_, err := g.State(t.Context(), mandate.Reference{MandateID: "t", CustomerID: "c"})
		require.Equal(t, errs.KindUnavailable, errs.KindOf(err), body)
	}
}

func TestRegistered_PublishedDummyPayment_HasAMandate(t *testing.T) {
	t.Parallel()
	dummy := strings.TrimSpace(string(published(t, "payment-dummy.json")))
	g, _ := answers(t, map[string]string{
		"GET /v1/orders": `{"items":[{"id":"order_QDhT2PqFJvtg4y","amount":1000,"receipt":"T1"}]}`,
		"GET /v1/orders/order_QDhT2PqFJvtg4y/payments":                      `{"items":[` + dummy + `]}`,
		"GET /v1/customers/cust_Q0g6LTYw3obZEn/tokens/token_QDhVJHYr5m87fF": `{"id":"token_QDhVJHYr5m87fF","method":"upi","recurring_details":{"status":"confirmed"}}`,
	})
	d, err := g.Registered(t.Context(), "T1", "order_QDhT2PqFJvtg4y")
	require.NoError(t, err)
	require.Equal(t, mandate.ProviderActive, d.State)
	require.Equal(t, "token_QDhVJHYr5m87fF", d.Reference.MandateID)
	require.Equal(t, "cust_Q0g6LTYw3obZEn", d.Reference.CustomerID)
	o, err := g.Verify(t.Context(), "T1", "order_QDhT2PqFJvtg4y")
	require.NoError(t, err)
	require.Equal(t, payment.StatusFailed, o.Status, "the payment is one that failed all the same")
	require.NotContains(t, o.Fields, "vpa")
}

func debitOf(transaction string) mandate.Debit {
	return mandate.Debit{
		Charge: payment.Charge{TransactionID: transaction, Amount: 1000, ProductInfo: "Plan", Email: "a@b.in", Mobile: "9876543210"},
		Notice: mandate.Notice{Token: "N1", Amount: 1000, DebitOn: time.Unix(1634057114, 0), Reference: "order_1"},
	}
}

func mandateOf(method mandate.Method) mandate.Reference {
	return mandate.Reference{MandateID: "token_1", CustomerID: "cust_1", Method: method}
}

func TestNotify_CreatesTheOrderOfItsDebit(t *testing.T) {
	t.Parallel()
	g, asked := answers(t, map[string]string{"GET /v1/orders": `{"items":[]}`, "POST /v1/orders": `{"id":"order_1","amount":1000,"receipt":"N1"}`})
	o, err := g.Notify(t.Context(), mandateOf(mandate.MethodUPI), debitOf("T1").Notice)
	require.NoError(t, err)
	require.Equal(t, mandate.NoticeOutcome{Reference: "order_1", Accepted: true}, o)
	require.Equal(t, map[string]any{
		"amount": 1000.0, "currency": "INR", "receipt": "N1", "payment_capture": true,
		"notification": map[string]any{"token_id": "token_1", "payment_after": 1634057114.0},
	}, asked()[1].body)
	_, err = g.Notify(t.Context(), mandateOf(mandate.MethodENACH), debitOf("T1").Notice)
	require.NoError(t, err)
	require.NotContains(t, asked()[3].body, "notification")
	g, _ = answers(t, map[string]string{
		"GET /v1/orders":  `{"items":[]}`,
		"POST /v1/orders": `400 {"error":{"code":"BAD_REQUEST_ERROR","description":"The id provided does not exist","reason":"invalid_token"}}`,
	})
	o, err = g.Notify(t.Context(), mandateOf(mandate.MethodUPI), debitOf("T1").Notice)
	require.NoError(t, err)
	require.Equal(t, mandate.NoticeOutcome{Cause: mandate.CauseEnded, Reason: "The id provided does not exist."}, o)
	done, err := g.WithdrawNotice(t.Context(), mandateOf(mandate.MethodUPI), debitOf("T1").Notice)
	require.NoError(t, err)
	require.False(t, done, "Razorpay has no call for it")
}

func TestDebit_ExistingPayment_IsNotRequestedAgain(t *testing.T) {
	t.Parallel()
	const create = "POST /v1/payments/create/recurring"
	calls := map[string]string{
		"GET /v1/orders/order_1/payments": `{"items":[{"id":"pay_old","order_id":"order_1","status":"failed","notes":{"transaction":"T0"}}]}`,
		create:                            `{"razorpay_payment_id":"pay_1"}`,
		"GET /v1/payments/pay_1":          `{"id":"pay_1","status":"captured"}`,
	}
	g, asked := answers(t, calls)
	o, err := g.Debit(t.Context(), mandateOf(mandate.MethodCard), debitOf("T1"))
	require.NoError(t, err)
	require.Equal(t, mandate.DebitOutcome{Reference: "order_1", GatewayPaymentID: "pay_1", Status: payment.StatusPaid}, o)
	require.Equal(t, map[string]any{
		"email": "a@b.in", "contact": "+919876543210", "amount": 1000.0, "currency": "INR", "order_id": "order_1", "customer_id": "cust_1",
		"token": "token_1", "recurring": true, "description": "Plan", "notes": map[string]any{"transaction": "T1"},
	}, asked()[1].body)

	delete(calls, "GET /v1/payments/pay_1")
	o, err = g.Debit(t.Context(), mandateOf(mandate.MethodCard), debitOf("T1"))
	require.NoError(t, err)
	require.Equal(t, payment.StatusPending, o.Status, "it exists, even if it cannot be read yet")

	before := len(asked())
	o, err = g.Debit(t.Context(), mandateOf(mandate.MethodCard), debitOf("T0"))
	require.NoError(t, err)
	require.Equal(t, "pay_old", o.GatewayPaymentID)
	require.Equal(t, payment.StatusFailed, o.Status)
	require.Len(t, asked(), before+1)

	// The failure of an earlier try at the same order is not this one's.
	calls["GET /v1/orders"] = `{"items":[]}`
	v, err := g.Verify(t.Context(), "T1", "order_1")
	require.NoError(t, err)
	require.Equal(t, payment.StatusUnknown, v.Status)
}

func TestDebit_Refusals_HaveTheirCauses(t *testing.T) {
	t.Parallel()
	refused := func(text string) mandate.DebitOutcome {
		g, _ := answers(t, map[string]string{
			"GET /v1/orders/order_1/payments": `{"items":[]}`, "POST /v1/payments/create/recurring": "400 " + text,
		})
		o, err := g.Debit(t.Context(), mandateOf(mandate.MethodUPI), debitOf("T1"))
		require.NoError(t, err)
		require.Equal(t, payment.StatusFailed, o.Status)
		return o
	}
	require.Equal(t, mandate.DebitOutcome{
		Reference: "order_1", Status: payment.StatusFailed, Cause: mandate.CauseAboveCap, Reason: "Amount exceeds maximum amount allowed.",
	}, refused("recurring-refused.json"))
	require.Equal(t, mandate.CauseNoNotice, refused(
		`{"error":{"code":"BAD_REQUEST_MANDATE_PROMISED_DEBIT_DATE_NOT_HONOURED","reason":"pre_debit_notification_not_sent"}}`).Cause)
	for reason, want := range map[string]mandate.Cause{
		"insufficient_funds": mandate.CauseInsufficient, "bank_technical_error": mandate.CauseTechnical, "psp_timeout": mandate.CauseTechnical,
		"mandate_current_cycle_allowed_debit_exceeds": mandate.CauseCycleUsed, "mandate_paused": mandate.CausePaused,
		"mandate_cancelled": mandate.CauseEnded, "mandate_expired": mandate.CauseEnded, "mandate_not_active": mandate.CauseEnded,
		"payer_account_has_changed": mandate.CauseEnded, "TOKEN_EXPIRED": mandate.CauseEnded, "debit_declined": mandate.CauseDeclined,
		"amount_does_not_match_mandate_amount": mandate.CauseAboveCap, "payment_collect_request_expired": mandate.CauseAuthenticate,
		"execution_day_rule_mismatch": mandate.CauseOther, "": mandate.CauseOther,
	} {
		g, _ := answers(t, map[string]string{
			"GET /v1/orders/order_1/payments": `{"items":[{"id":"pay_1","order_id":"order_1","status":"failed","error_reason":"` + reason +
				`","error_description":"Words.","notes":{"transaction":"T1"}}]}`,
		})
		o, err := g.Debit(t.Context(), mandateOf(mandate.MethodUPI), debitOf("T1"))
		require.NoError(t, err)
		require.Equal(t, want, o.Cause, reason)
		require.Equal(t, "Words.", o.Reason)
	}
	g, _ := answers(t, nil)
	_, err := g.Debit(t.Context(), mandateOf(mandate.MethodUPI), debitOf("T1"))
	require.Equal(t, errs.KindUnavailable, errs.KindOf(err), "an order that cannot be asked about is not debited")
}

func TestRevoke_CancelsTheToken(t *testing.T) {
	t.Parallel()
	const path = "/v1/customers/cust_1/tokens/token_1"
	g, asked := answers(t, map[string]string{"PUT " + path + "/cancel": `{"status":"cancellation_initiated"}`})
	d, err := g.Revoke(t.Context(), mandateOf(mandate.MethodUPI))
	require.NoError(t, err)
	require.Equal(t, mandate.ProviderRevoked, d.State)
	require.Len(t, asked(), 1)
	for status, ended := range map[string]bool{"cancelled": true, "confirmed": false} {
		g, _ = answers(t, map[string]string{"GET " + path: `{"id":"token_1","method":"upi","recurring_details":{"status":"` + status + `"}}`})
		_, err = g.Revoke(t.Context(), mandateOf(mandate.MethodUPI))
		require.Equal(t, ended, err == nil, status)
	}
}

func TestRead_PublishedMandateEvents(t *testing.T) {
	t.Parallel()
	g, _ := answers(t, nil)
	for name, token := range map[string]string{
		"event-token-paused.json": "token_FVIP5DVexjoZjF", "event-notification-failed.json": "token_M7K2eFBU7vToaQ",
	} {
		in := signedEvent(published(t, name))
		h, err := g.ReadMandate(in)
		require.NoError(t, err)
		require.True(t, h.Signed)
		require.Equal(t, token, h.MandateID)
		require.NotEmpty(t, h.Key)
		in.Headers["x-razorpay-event-id"] = "evt_1"
		h, err = g.ReadMandate(in)
		require.NoError(t, err)
		require.Equal(t, "evt_1", h.Key, "by which a repeated event is known")
		n, err := g.Read(in)
		require.NoError(t, err)
		require.Equal(t, payment.NoticeOther, n.Kind)
		in.Body = append(in.Body, ' ')
		_, err = g.ReadMandate(in)
		require.ErrorIs(t, err, payment.ErrSignature)
	}
	credited := signedEvent(published(t, "event-virtual-account-credited.json"))
	_, err := g.ReadMandate(credited)
	require.ErrorIs(t, err, payment.ErrSignature, "it is about no mandate")
	n, err := g.SmartCollect().ReadCredit(credited)
	require.NoError(t, err)
	require.Equal(t, razorpay.CreditNotice{AccountID: "va_DET8z3wBxfPB5L", PaymentID: "pay_DETA2KrOlhqQzF", Key: "credit/pay_DETA2KrOlhqQzF"}, n)
	_, err = g.SmartCollect().ReadCredit(signedEvent(published(t, "event-token-paused.json")))
	require.ErrorIs(t, err, payment.ErrSignature)
}

func TestCredits_PublishedTransfer_IsRead(t *testing.T) {
	t.Parallel()
	calls := map[string]string{
		"GET /v1/virtual_accounts/va_1/payments": `{"items":[
			{"id":"pay_Di5iqCqA1WEHq6","amount":239000,"currency":"INR","status":"captured","method":"bank_transfer","created_at":1574144644},
			{"id":"pay_back","amount":239000,"currency":"INR","status":"refunded","created_at":1574144644}]}`,
		"GET /v1/payments/pay_Di5iqCqA1WEHq6/bank_transfer": "bank-transfer.json",
	}
	g, _ := answers(t, calls)
	list, err := g.SmartCollect().Credits(t.Context(), "va_1", time.Time{})
	require.NoError(t, err)
	require.Equal(t, []razorpay.Credit{{
		ID: "pay_Di5iqCqA1WEHq6", AccountID: "va_Di5gbNptcWV8fQ", UTR: "157414364471", Amount: 239000, PaidAt: time.Unix(1574144644, 0).UTC(),
		PayerName: "Acme Corp", PayerAccountMasked: "XXXX6789",
	}}, list)
	calls["GET /v1/payments/pay_Di5iqCqA1WEHq6/bank_transfer"] = strings.Replace(string(published(t, "bank-transfer.json")), "239000", "1", 1)
	_, err = g.SmartCollect().Credits(t.Context(), "va_1", time.Time{})
	require.Equal(t, errs.KindUnavailable, errs.KindOf(err), "two amounts for one transfer")

	// One that cannot be read, and one without a number, keep nothing back.
	calls["GET /v1/virtual_accounts/va_1/payments"] = `{"items":[
		{"id":"pay_Di5iqCqA1WEHq6","amount":239000,"currency":"INR","status":"captured","method":"bank_transfer","created_at":1574144644},
		{"id":"pay_2","amount":100,"currency":"INR","status":"captured","method":"bank_transfer","created_at":1574144645}]}`
	calls["GET /v1/payments/pay_2/bank_transfer"] = `{"payment_id":"pay_2","bank_reference":null,"amount":100,"virtual_account_id":"va_1","payer_bank_account":null}`
	list, err = g.SmartCollect().Credits(t.Context(), "va_1", time.Time{})
	require.Equal(t, errs.KindUnavailable, errs.KindOf(err))
	require.Equal(t, []razorpay.Credit{{ID: "pay_2", AccountID: "va_1", Amount: 100, PaidAt: time.Unix(1574144645, 0).UTC()}}, list)

	g, asked := answers(t, map[string]string{
		"GET /v1/virtual_accounts":  `{"items":[{"id":"va_0","status":"closed","notes":{"customer":"c1"}},{"id":"va_2","status":"active","notes":[]}]}`,
		"POST /v1/virtual_accounts": "virtual-account.json",
	})
	a, err := g.SmartCollect().Open(t.Context(), "c1", "Asha Foods", "")
	require.NoError(t, err)
	require.Equal(t, razorpay.Account{ID: "va_DlGmm7jInLudH9", Number: "2223330099089860", IFSC: "RATN0VAAPIS", Beneficiary: "Acme Corp"}, a)
	require.Equal(t, map[string]any{
		"receivers": map[string]any{"types": []any{"bank_account"}}, "description": "Asha Foods", "notes": map[string]any{"customer": "c1"},
	}, asked()[1].body)
	_, err = g.SmartCollect().Open(t.Context(), "", "Nobody", "")
	require.Error(t, err)
}

// A customer's account is found however many others there are.
func TestOpen_CustomersAccount_IsFoundByItsID(t *testing.T) {
	t.Parallel()
	others := make([]string, 0, 100)
	for range 100 {
		others = append(others, `{"id":"va_x","status":"active","notes":{"customer":"other"}}`)
	}
	calls := map[string]string{
		"GET /v1/virtual_accounts":      `{"items":[` + strings.Join(others, ",") + `]}`, // the same again for each page
		"GET /v1/virtual_accounts/va_1": strings.Replace(string(published(t, "virtual-account.json")), `"notes"`, `"notes":{"customer":"c1"},"before"`, 1),
		"POST /v1/virtual_accounts":     "virtual-account.json",
		"GET /v1/virtual_accounts/va_9": strings.Replace(string(published(t, "virtual-account.json")), `"notes"`, `"notes":{"customer":"c2"},"before"`, 1),
	}
	g, asked := answers(t, calls)
	_, err := g.SmartCollect().Open(t.Context(), "c1", "Asha Foods", "va_1")
	require.NoError(t, err)
	require.Len(t, asked(), 1)
	g, asked = answers(t, calls)
	_, err = g.SmartCollect().Open(t.Context(), "c1", "Asha Foods", "va_9")
	require.NoError(t, err)
	require.Len(t, asked(), 3, "another customer's is none; the newest are looked through, and one is made")
}
