package razorpay_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/gateway/razorpay"
	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

func registrationOf(method mandate.Method) mandate.Registration {
	return mandate.Registration{
		Charge: payment.Charge{
			TransactionID: "T1", Amount: 100, ProductInfo: "Plan", FirstName: "Asha", Email: "a@b.in", Mobile: "9876543210",
			ReturnURL: "https://x.example/back?lang=hi",
		},
		Method: method, Cap: 5_000_00, Start: time.Date(2026, 11, 25, 0, 0, 0, 0, clock.IST), End: time.Date(2031, 11, 24, 0, 0, 0, 0, clock.IST),
	}
}

// The order has the fields that "Create an Authorisation Transaction" requires: its limit in paise, until the last second of a day in
// India.
func TestRegister_Order_HasItsTerms(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		method mandate.Method
		yearly bool
		named  string
		token  map[string]any
	}{
		"UPI":          {mandate.MethodUPI, false, "upi", map[string]any{"frequency": "monthly"}},
		"UPI, yearly":  {mandate.MethodUPI, true, "upi", map[string]any{"frequency": "yearly"}},
		"card":         {mandate.MethodCard, false, "card", map[string]any{"frequency": "monthly"}},
		"card, yearly": {mandate.MethodCard, true, "card", map[string]any{"frequency": "yearly"}},
		"eNACH":        {mandate.MethodENACH, false, "emandate", map[string]any{}},
		"eNACH yearly": {mandate.MethodENACH, true, "emandate", map[string]any{}},
	} {
		g, asked := answers(t, map[string]string{
			"POST /v1/customers": `{"id":"cust_1"}`, "GET /v1/orders": `{"items":[]}`, "POST /v1/orders": `{"id":"order_1"}`,
		})
		r := registrationOf(c.method)
		r.Yearly = c.yearly
		if c.method == mandate.MethodENACH {
			r.Charge.Amount = 0 // nothing is paid with it
		}
		s, err := g.Register(t.Context(), r)
		require.NoError(t, err, name)
		require.Equal(t, []string{"order_1", "cust_1", "1", c.named}, []string{
			s.Fields["order_id"], s.Fields["customer_id"], s.Fields["recurring"], s.Fields["prefill[method]"],
		}, name)
		require.Equal(t, "order_1", s.Reference, name)
		calls := asked()
		require.Len(t, calls, 3, name)
		require.Equal(t, map[string]any{"name": "Asha", "email": "a@b.in", "contact": "+919876543210", "fail_existing": "0"}, calls[0].body, name)
		c.token["max_amount"] = 500000.0
		c.token["expire_at"] = float64(time.Date(2031, 11, 24, 18, 29, 59, 0, time.UTC).Unix())
		require.Equal(t, map[string]any{
			"amount": float64(r.Charge.Amount), "currency": "INR", "receipt": "T1", "payment_capture": true, "customer_id": "cust_1", "method": c.named, "token": c.token,
		}, calls[2].body, name)

		r.CustomerReference, r.Charge.Reference = "cust_9", "order_9"
		s, err = g.Register(t.Context(), r)
		require.NoError(t, err, name)
		require.Equal(t, []string{"order_9", "cust_9"}, []string{s.Fields["order_id"], s.Fields["customer_id"]}, name)
		require.Len(t, asked(), 3, "%s: what is known is not made again", name)
	}
}

// ₹99,999 by UPI for ordinary merchants, ₹15,000 by card; above them Razorpay would refuse the order.
func TestRegister_LimitAboveRazorpays_IsRefusedWithoutACall(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		method mandate.Method
		limit  money.Paise
		takes  bool
	}{
		{mandate.MethodUPI, 99_999_00, true},
		{mandate.MethodUPI, 99_999_01, false},
		{mandate.MethodCard, 15_000_00, true},
		{mandate.MethodCard, 15_000_01, false},
		{mandate.MethodENACH, 10_00_000_00, true},
	} {
		g, asked := answers(t, map[string]string{
			"POST /v1/customers": `{"id":"cust_1"}`, "GET /v1/orders": `{"items":[]}`, "POST /v1/orders": `{"id":"order_1"}`,
		})
		r := registrationOf(c.method)
		r.Cap = c.limit
		_, err := g.Register(t.Context(), r)
		if c.takes {
			require.NoError(t, err, "%v", c)
			continue
		}
		require.Equal(t, errs.KindInvalid, errs.KindOf(err), "%v", c)
		require.Empty(t, asked(), "%v", c)
	}
	g, asked := answers(t, nil)
	_, err := g.Register(t.Context(), registrationOf("cheque"))
	require.Equal(t, errs.KindInternal, errs.KindOf(err))
	require.Empty(t, asked())
	for name, calls := range map[string]map[string]string{
		"no customer":      {"POST /v1/customers": `{}`},
		"refused customer": {"POST /v1/customers": `400 {"error":{"description":"Contact number is invalid"}}`},
		"no order":         {"POST /v1/customers": `{"id":"cust_1"}`, "GET /v1/orders": `{"items":[]}`, "POST /v1/orders": `{"amount":100}`},
		"orders not told":  {"POST /v1/customers": `{"id":"cust_1"}`, "GET /v1/orders": `<html>`},
	} {
		g, _ := answers(t, calls)
		_, err := g.Register(t.Context(), registrationOf(mandate.MethodUPI))
		require.Equal(t, errs.KindUnavailable, errs.KindOf(err), name)
	}
}

// The order of a transaction is the first one with its receipt and its amount.
func TestOrder_Existing_IsFoundByReceiptAndAmount(t *testing.T) {
	t.Parallel()
	charge := payment.Charge{TransactionID: "T1", Amount: 100, ReturnURL: "https://x.example/back?lang=hi", Mobile: "9876543210"}
	for name, c := range map[string]struct{ list, want string }{
		"none":            {``, "order_new"},
		"another price":   {`{"id":"order_1","amount":101,"receipt":"T1"}`, "order_new"},
		"another's":       {`{"id":"order_1","amount":100,"receipt":"T2"},{"id":"","amount":100,"receipt":"T1"}`, "order_new"},
		"the first":       {`{"id":"order_2","amount":100,"receipt":"T1","created_at":2},{"id":"order_1","amount":100,"receipt":"T1","created_at":1}`, "order_1"},
		"of one moment":   {`{"id":"order_b","amount":100,"receipt":"T1","created_at":1},{"id":"order_a","amount":100,"receipt":"T1","created_at":1}`, "order_a"},
		"the right price": {`{"id":"order_1","amount":200,"receipt":"T1","created_at":1},{"id":"order_2","amount":100,"receipt":"T1","created_at":2}`, "order_2"},
	} {
		g, asked := answers(t, map[string]string{"GET /v1/orders": `{"items":[` + c.list + `]}`, "POST /v1/orders": `{"id":"order_new"}`})
		s, err := g.Begin(t.Context(), charge)
		require.NoError(t, err, name)
		require.Equal(t, c.want, s.Fields["order_id"], name)
		require.Equal(t, c.want == "order_new", len(asked()) == 2, name)
	}
	g, asked := answers(t, map[string]string{"GET /v1/orders": `{"items":[]}`, "POST /v1/orders": `{"id":"order_new"}`})
	charge.Amount = 99
	_, err := g.Begin(t.Context(), charge)
	require.Equal(t, errs.KindInvalid, errs.KindOf(err))
	_, err = g.Order(t.Context(), charge)
	require.Equal(t, errs.KindInvalid, errs.KindOf(err))
	require.Empty(t, asked(), "Razorpay charges no less than a rupee")
	charge.Amount, charge.Method = 100, payment.MethodUPI
	s, err := g.Begin(t.Context(), charge)
	require.NoError(t, err)
	require.Equal(t, "upi", s.Fields["prefill[method]"])
	require.Equal(t, "+919876543210", s.Fields["prefill[contact]"])
	back, err := url.Parse(s.Fields["callback_url"])
	require.NoError(t, err)
	require.Equal(t, []string{"hi", "T1", mac(keySecret, "return|T1")}, []string{back.Query().Get("lang"), back.Query().Get("transaction"), back.Query().Get("proof")})
	require.Equal(t, s.Fields["callback_url"], s.Fields["cancel_url"])
	charge.Reference, charge.ReturnURL = "order_1", "https://x.example/\x7f"
	_, err = g.Begin(t.Context(), charge)
	require.Equal(t, errs.KindInternal, errs.KindOf(err))
}

// Wrong keys are no answer about a debit: Razorpay looked at nothing, and nothing was taken.
func TestDebit_WrongKeys_TakesNothing(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
	t.Cleanup(server.Close)
	g := razorpay.New(razorpay.Config{KeyID: "k", KeySecret: "wrong", BaseURL: server.URL + "///"})
	_, err := g.Debit(t.Context(), mandateOf(mandate.MethodUPI), debitOf("T1"))
	require.ErrorIs(t, err, mandate.ErrNotAccepted)
	require.Equal(t, errs.KindUnavailable, errs.KindOf(err))
	require.NotContains(t, err.Error(), "wrong")
}

func TestDebit_RefusedAfterAnEarlierPayment_ReturnsThatPayment(t *testing.T) {
	t.Parallel()
	const create, list = "POST /v1/payments/create/recurring", "GET /v1/orders/order_1/payments"
	refusal := `400 {"error":{"code":"BAD_REQUEST_ERROR","reason":"insufficient_funds","description":"Not enough"}}`
	for name, c := range map[string]struct {
		payments string
		want     mandate.DebitOutcome
	}{
		"made by an earlier try": {
			`{"id":"pay_1","order_id":"order_1","status":"captured","notes":{"transaction":"T1"}}`,
			mandate.DebitOutcome{Reference: "order_1", GatewayPaymentID: "pay_1", Status: payment.StatusPaid},
		},
		"under way":              {`{"id":"pay_1","order_id":"order_1","status":"created","notes":{"transaction":"T1"}}`, mandate.DebitOutcome{Reference: "order_1", GatewayPaymentID: "pay_1", Status: payment.StatusPending}},
		"of another transaction": {`{"id":"pay_1","order_id":"order_1","status":"captured","notes":{"transaction":"T0"}}`, mandate.DebitOutcome{Reference: "order_1", Status: payment.StatusFailed, Cause: mandate.CauseInsufficient, Reason: "Not enough."}},
		"without a transaction":  {`{"id":"pay_1","order_id":"order_1","status":"captured","notes":[]}`, mandate.DebitOutcome{Reference: "order_1", Status: payment.StatusFailed, Cause: mandate.CauseInsufficient, Reason: "Not enough."}},
	} {
		asked := 0 // the payment comes about between the look and the request
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch call := r.Method + " " + r.URL.Path; {
			case call == create:
				w.WriteHeader(http.StatusBadRequest)
				_, _ = w.Write([]byte(strings.TrimPrefix(refusal, "400 ")))
			case call == list && asked == 0:
				asked++
				_, _ = w.Write([]byte(`{"items":[]}`))
			case call == list:
				_, _ = w.Write([]byte(`{"items":[` + c.payments + `]}`))
			default:
				w.WriteHeader(http.StatusNotFound)
			}
		}))
		t.Cleanup(server.Close)
		o, err := razorpay.New(razorpay.Config{KeySecret: keySecret, BaseURL: server.URL}).Debit(t.Context(), mandateOf(mandate.MethodUPI), debitOf("T1"))
		require.NoError(t, err, name)
		require.Equal(t, c.want, o, name)
	}
	for name, text := range map[string]string{
		"no payment in the answer": `{}`, "a page": `<html>`,
		"one under way":    `400 {"error":{"code":"BAD_REQUEST_ERROR","reason":"payment_pending","description":"x"}}`,
		"without any code": `400 {"error":{"description":"Something"}}`,
	} {
		g, _ := answers(t, map[string]string{list: `{"items":[]}`, create: text})
		_, err := g.Debit(t.Context(), mandateOf(mandate.MethodUPI), debitOf("T1"))
		require.Equal(t, errs.KindUnavailable, errs.KindOf(err), name)
	}
	g, asked := answers(t, nil)
	without := debitOf("T1")
	without.Notice.Reference = ""
	_, err := g.Debit(t.Context(), mandateOf(mandate.MethodUPI), without)
	require.Equal(t, errs.KindInternal, errs.KindOf(err))
	_, err = g.Debit(t.Context(), mandate.Reference{MandateID: "token_1", Method: mandate.MethodUPI}, debitOf("T1"))
	require.Equal(t, errs.KindInternal, errs.KindOf(err))
	require.Empty(t, asked())
}

// The reasons are those of "Create a Recurring Payment", Error Response Parameters, for UPI and for cards.
func TestCause_EachDocumentedReason_IsMapped(t *testing.T) {
	t.Parallel()
	for cause, reasons := range map[mandate.Cause][]string{
		mandate.CauseInsufficient: {"insufficient_funds", "adequate_funds_not_available_blocked", "INSUFFICIENT_FUNDS"},
		mandate.CauseEnded: {
			"invalid_token", "umn_does_not_exist_payer", "bank_account_invalid", "mobile_number_invalid", "debit_instrument_blocked",
			"transaction_frequency_limit_exceeded", "invalid_vpa", "token_expired",
		},
		mandate.CauseAboveCap: {
			"mandate_debit_beyond_psp_amount_cap", "per_transaction_limit_exceeded", "transaction_limit_exceeded", "limit_exceeded_remitting_bank",
		},
		mandate.CauseNoNotice:     {"pre_debit_notification_failed", "pre_debit_notification_not_sent"},
		mandate.CauseAuthenticate: {"mpin_not_set_by_customer", "number_of_pin_tries_exceeded", "incorrect_pin", "authentication_failed"},
		mandate.CauseDeclined: {
			"payment_declined", "payment_risk_check_failed", "suspected_fraud_decline", "nature_of_debit_not_allowed", "payment_stopped_by_court_order",
			"remitter_account_dormant", "transaction_not_allowed", "transaction_not_permitted_cardholder",
			"transaction_not_permitted_cardholder_beneficiary", "transaction_not_permitted_to_vpa",
		},
		mandate.CauseTechnical: {
			"bank_not_available", "banks_hsm_is_down_remitter", "credit_to_beneficiary_failed", "gateway_technical_error",
			"invalid_response_from_gateway", "issuer_dispatch_failed", "null_ack_processing_failure", "no_original_request_found", "payment_failed",
			"payment_pending", "payment_timed_out", "psp_bank_not_available", "psp_not_available", "remitter_dispatch_failed", "request_timed_out",
			"response_not_received_within_tat", "unable_to_process_beneficiary_bank", "vpa_resolution_failed",
		},
		mandate.CauseOther: {"something_new", "insufficient", " "},
	} {
		items := make([]string, 0, len(reasons))
		for _, reason := range reasons {
			items = append(items, `{"id":"pay_1","order_id":"order_1","status":"failed","error_reason":"`+reason+`","notes":{"transaction":"`+reason+`"}}`)
		}
		g, _ := answers(t, map[string]string{"GET /v1/orders/order_1/payments": `{"items":[` + strings.Join(items, ",") + `]}`})
		for _, reason := range reasons {
			o, err := g.Debit(t.Context(), mandateOf(mandate.MethodUPI), debitOf(reason))
			require.NoError(t, err, reason)
			require.Equal(t, cause, o.Cause, reason)
			require.Empty(t, o.Reason)
		}
	}
	for words, want := range map[string]mandate.Cause{
		"Amount Exceeds maximum amount allowed": mandate.CauseAboveCap, "Order is already paid": mandate.CauseCycleUsed, "Something else": mandate.CauseOther,
	} {
		g, _ := answers(t, map[string]string{
			"GET /v1/orders/order_1/payments": `{"items":[{"id":"pay_1","status":"failed","error_description":"` + words + `","notes":{"transaction":"T1"}}]}`,
		})
		o, err := g.Debit(t.Context(), mandateOf(mandate.MethodUPI), debitOf("T1"))
		require.NoError(t, err)
		require.Equal(t, want, o.Cause, words)
	}
}
