package cashfree_test

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/gateway/cashfree"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/settlement"
)

// sample returns a published sample: order, payments, refund and recon are from the folder docs of cashfree-pg-sdk-go 4.3.10. The webhooks
// are from cashfree.com/docs, shortened; the stray quotes in the sample of the dispute are removed.
func sample(t *testing.T, name string) string {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	return string(body)
}

// answering returns the adapter for a Cashfree with these answers by method and path, and 404 for the rest. Requests keeps the bodies.
func answering(t *testing.T, answers map[string]string) (g *cashfree.Gateway, requests map[string]string) {
	t.Helper()
	requests = map[string]string{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		call := r.Method + " " + r.URL.Path
		body, _ := io.ReadAll(r.Body)
		requests[call] = string(body)
		if a, ok := answers[call]; ok {
			_, _ = io.WriteString(w, a)
			return
		}
		refuse(w, http.StatusNotFound, "order_not_found")
	}))
	t.Cleanup(server.Close)
	return cashfree.New(cashfree.Config{
		ClientID: clientID, ClientSecret: clientSecret, BaseURL: server.URL + "/", Clock: clock.NewFake(now),
		WebhookURL: "https://site.example/api/franchise/payments/webhook/cashfree",
	}), requests
}

func sampleCharge() payment.Charge {
	return payment.Charge{
		TransactionID: "order_3242Tq4Edj9CC5RDcMeobmJOWOBJij", Amount: 22_00, ProductInfo: "Start up Expansion", FirstName: "  Åsha (R.) Rao ",
		Email: "asha@example.in", Mobile: "9876543210", ReturnURL: "https://site.example/api/franchise/payments/callback?lang=hi",
	}
}

func TestBegin_PublishedOrder_OpensItsSession(t *testing.T) {
	t.Parallel()
	g, requests := answering(t, map[string]string{"POST /pg/orders": sample(t, "order.json")})
	s, err := g.Begin(t.Context(), sampleCharge())
	require.NoError(t, err)
	require.True(t, strings.HasSuffix(s.URL, "/pg/view/sessions/checkout"), s.URL)
	require.NotContains(t, s.URL, "//pg")
	require.Equal(t, map[string]string{
		"payment_session_id": "session_a1VXIPJo8kh7IBigVXX8LgTMupQW_cu25FS8KwLwQLOmiHqbBxq5UhEilrhbDSKKHA6UAuOj9506aaHNlFAHEqYrHSEl9AVtYQN9LIIc4vkH",
	}, s.Fields)
	require.JSONEq(t, `{
		"order_id": "order_3242Tq4Edj9CC5RDcMeobmJOWOBJij", "order_amount": 22.00, "order_currency": "INR", "order_note": "Start up Expansion",
		"customer_details": {
			"customer_id": "order_3242Tq4Edj9CC5RDcMeobmJOWOBJij", "customer_name": "Asha R Rao", "customer_email": "asha@example.in",
			"customer_phone": "9876543210"
		},
		"order_meta": {
			"return_url": "https://site.example/api/franchise/payments/callback?lang=hi&proof=PROOF&transaction=order_3242Tq4Edj9CC5RDcMeobmJOWOBJij&order_id={order_id}",
			"notify_url": "https://site.example/api/franchise/payments/webhook/cashfree"
		}
	}`, withoutProof(t, requests["POST /pg/orders"]))
	require.Contains(t, requests["POST /pg/orders"], `"order_amount":22.00`, "two decimals, and no float")
}

// withoutProof replaces our signature in the return address by a word.
func withoutProof(t *testing.T, body string) string {
	t.Helper()
	before, after, found := strings.Cut(body, "proof=")
	require.True(t, found)
	_, after, found = strings.Cut(after, `\u0026`)
	require.True(t, found)
	return before + `proof=PROOF\u0026` + after
}

func TestBegin_ChosenMethod_OpensASeparateOrder(t *testing.T) {
	t.Parallel()
	p := start(t)
	sessions := map[string]bool{}
	for method, want := range map[payment.Method]struct{ suffix, modes string }{
		payment.MethodAny: {"", ""}, payment.MethodCard: {"-card", "cc,dc"}, payment.MethodUPI: {"-upi", "upi"}, payment.MethodNetbanking: {"-nb", "nb"},
	} {
		c := sampleCharge()
		c.TransactionID, c.Method = "FP261102ABCDEF123456", method
		s, err := p.gateway().Begin(t.Context(), c)
		require.NoError(t, err)
		sessions[s.Fields["payment_session_id"]] = true
		o := p.orders[c.TransactionID+want.suffix]
		require.NotNil(t, o, method)
		meta := o["order_meta"].(map[string]any)
		require.Equal(t, want.modes, strings.TrimSpace(toText(meta["payment_methods"])), method)
	}
	require.Len(t, sessions, 4)
}

func toText(v any) string {
	s, _ := v.(string)
	return s
}

func TestBegin_AnswerAboutSomethingElse_IsRefused(t *testing.T) {
	t.Parallel()
	for name, change := range map[string][2]string{
		"another order":    {`"order_3242Tq4Edj9CC5RDcMeobmJOWOBJij"`, `"order_1"`},
		"another amount":   {`"order_amount": 22,`, `"order_amount": 22.01,`},
		"three decimals":   {`"order_amount": 22,`, `"order_amount": 22.000,`},
		"an exponent":      {`"order_amount": 22,`, `"order_amount": 2.2e1,`},
		"a text":           {`"order_amount": 22,`, `"order_amount": "22",`},
		"no amount":        {`"order_amount": 22,`, `"order_amount": null,`},
		"another currency": {`"INR"`, `"USD"`},
		"an expired order": {`"ACTIVE"`, `"EXPIRED"`},
		"a paid order":     {`"ACTIVE"`, `"PAID"`},
		"no session":       {`"payment_session_id"`, `"payment_session"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body := sample(t, "order.json")
			require.Contains(t, body, change[0])
			g, _ := answering(t, map[string]string{"POST /pg/orders": strings.ReplaceAll(body, change[0], change[1])})
			_, err := g.Begin(t.Context(), sampleCharge())
			require.Equal(t, errs.KindUnavailable, errs.KindOf(err))
		})
	}
}

func TestBegin_TransactionThatCashfreeRefuses_IsAnInternalError(t *testing.T) {
	t.Parallel()
	g, requests := answering(t, nil)
	for _, id := range []string{"", "ab", "FP-1", "FP 1", "FP/1", "FP1-card", strings.Repeat("a", 46)} {
		c := sampleCharge()
		c.TransactionID = id
		_, err := g.Begin(t.Context(), c)
		require.Equal(t, errs.KindInternal, errs.KindOf(err), id)
	}
	long := sampleCharge()
	long.ReturnURL += "&x=" + strings.Repeat("x", 200)
	_, err := g.Begin(t.Context(), long)
	require.Equal(t, errs.KindInternal, errs.KindOf(err), "a return address of more than 250 characters")
	require.Empty(t, requests)
}

func TestVerify_PublishedPayments_FirstCaptureCounts(t *testing.T) {
	t.Parallel()
	order := strings.ReplaceAll(sample(t, "order.json"), "order_3242Tq4Edj9CC5RDcMeobmJOWOBJij", "order_8123")
	answers := map[string]string{
		"GET /pg/orders/order_8123": strings.ReplaceAll(order, "ACTIVE", "PAID"), "GET /pg/orders/order_8123/payments": sample(t, "payments.json"),
	}
	g, _ := answering(t, answers)
	o, err := g.Verify(t.Context(), "order_8123", "")
	require.NoError(t, err)
	require.Equal(t, payment.Outcome{
		Status: payment.StatusPaid, Amount: 10_01, Currency: "INR", GatewayPaymentID: "12376123", BankReference: "P78112898712", Slug: "upi",
		Fields: map[string]string{
			"order_id": "order_8123", "cf_payment_id": "12376123", "payment_status": "SUCCESS", "payment_amount": "10.01", "payment_group": "upi",
			"bank_reference": "P78112898712",
		},
	}, o)

	answers["GET /pg/orders/order_8123"] = order
	o, err = g.Verify(t.Context(), "order_8123", "")
	require.NoError(t, err)
	require.Equal(t, payment.StatusPending, o.Status, "the order is not paid, whatever its payment says")
	require.Zero(t, o.Amount)
}

func TestVerify_StateOfPayment_IsNeverPaidUnlessDocumented(t *testing.T) {
	t.Parallel()
	for state, want := range map[string]payment.Status{
		"SUCCESS": payment.StatusPaid, "FAILED": payment.StatusFailed, "CANCELLED": payment.StatusFailed, "VOID": payment.StatusFailed,
		"USER_DROPPED": payment.StatusFailed, "PENDING": payment.StatusPending, "NOT_ATTEMPTED": payment.StatusOpened, "FLAGGED": payment.StatusPending,
		"": payment.StatusPending, "success": payment.StatusPending, "REVERSED": payment.StatusPending,
	} {
		list := `[{"cf_payment_id":1,"order_id":"FP1","payment_amount":1.50,"payment_currency":"INR","payment_status":"` + state + `","is_captured":true}]`
		status := "ACTIVE"
		if want == payment.StatusPaid {
			status = "PAID"
		}
		g, _ := answering(t, map[string]string{
			"GET /pg/orders/FP1": `{"order_id":"FP1","order_status":"` + status + `"}`, "GET /pg/orders/FP1/payments": list,
		})
		o, err := g.Verify(t.Context(), "FP1", "")
		require.NoError(t, err, state)
		require.Equal(t, want, o.Status, state)
		require.Equal(t, want == payment.StatusFailed, o.Reason != "", state)
		require.Equal(t, state == "USER_DROPPED", o.Cancelled, state)
	}
}

func TestVerify_PaidOrderWithoutCapture_IsPending(t *testing.T) {
	t.Parallel()
	for name, list := range map[string]string{
		"no payment yet": `[]`,
		"only reserved":  `[{"cf_payment_id":1,"order_id":"FP1","payment_amount":1,"payment_currency":"INR","payment_status":"SUCCESS","is_captured":false}]`,
		"only a failure": `[{"cf_payment_id":1,"order_id":"FP1","payment_amount":1,"payment_currency":"INR","payment_status":"FAILED"}]`,
	} {
		g, _ := answering(t, map[string]string{
			"GET /pg/orders/FP1": `{"order_id":"FP1","order_status":"PAID"}`, "GET /pg/orders/FP1/payments": list,
		})
		o, err := g.Verify(t.Context(), "FP1", "")
		require.NoError(t, err, name)
		require.Equal(t, payment.StatusPending, o.Status, name)
		require.Empty(t, o.Reason, name)
	}
}

func TestVerify_UnreadableAnswer_IsUnavailable(t *testing.T) {
	t.Parallel()
	for name, answers := range map[string]map[string]string{
		"another order":      {"GET /pg/orders/FP1": `{"order_id":"FP2"}`},
		"another's payment":  {"GET /pg/orders/FP1/payments": `[{"cf_payment_id":1,"order_id":"FP2","payment_amount":1}]`},
		"no id":              {"GET /pg/orders/FP1/payments": `[{"cf_payment_id":null,"order_id":"FP1","payment_amount":1}]`},
		"an id in decimals":  {"GET /pg/orders/FP1/payments": `[{"cf_payment_id":1.5,"order_id":"FP1","payment_amount":1}]`},
		"no amount":          {"GET /pg/orders/FP1/payments": `[{"cf_payment_id":1,"order_id":"FP1"}]`},
		"a negative amount":  {"GET /pg/orders/FP1/payments": `[{"cf_payment_id":1,"order_id":"FP1","payment_amount":-1}]`},
		"a third decimal":    {"GET /pg/orders/FP1/payments": `[{"cf_payment_id":1,"order_id":"FP1","payment_amount":1.001}]`},
		"more than an int64": {"GET /pg/orders/FP1/payments": `[{"cf_payment_id":1,"order_id":"FP1","payment_amount":99999999999999999999}]`},
		"a time in words":    {"GET /pg/orders/FP1/payments": `[{"cf_payment_id":1,"order_id":"FP1","payment_amount":1,"payment_time":"now"}]`},
		"no list":            {"GET /pg/orders/FP1/payments": `{}`},
	} {
		all := map[string]string{"GET /pg/orders/FP1": `{"order_id":"FP1","order_status":"PAID"}`, "GET /pg/orders/FP1/payments": `[]`}
		maps.Copy(all, answers)
		g, _ := answering(t, all)
		_, err := g.Verify(t.Context(), "FP1", "")
		require.Equal(t, errs.KindUnavailable, errs.KindOf(err), name)
	}
}

func TestVerify_TwoCapturesOfATransaction_SecondIsReportedToo(t *testing.T) {
	t.Parallel()
	g, _ := answering(t, map[string]string{
		"GET /pg/orders/FP1-upi":           `{"order_id":"FP1-upi","order_status":"PAID"}`,
		"GET /pg/orders/FP1-upi/payments":  `[{"cf_payment_id":"7","order_id":"FP1-upi","payment_amount":9.90,"payment_currency":"INR","payment_status":"SUCCESS","payment_time":"2026-11-02T10:00:00+05:30"}]`,
		"GET /pg/orders/FP1-card":          `{"order_id":"FP1-card","order_status":"PAID"}`,
		"GET /pg/orders/FP1-card/payments": `[{"cf_payment_id":"8","order_id":"FP1-card","payment_amount":9.90,"payment_currency":"INR","payment_status":"SUCCESS","payment_time":"2026-11-02T11:00:00+05:30"}]`,
	})
	o, err := g.Verify(t.Context(), "FP1", "")
	require.NoError(t, err)
	require.Equal(t, "7", o.GatewayPaymentID)
	require.Equal(t, []payment.Capture{{GatewayPaymentID: "8", Amount: 9_90}}, o.Others)
}

// A wrong address of the API answers 404 too: it must not look like an unknown transaction.
func TestVerify_WrongAddress_IsUnavailable(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, http.StatusNotFound, "request_failed")
	}))
	t.Cleanup(server.Close)
	_, err := cashfree.New(cashfree.Config{BaseURL: server.URL, Clock: clock.NewFake(now)}).Verify(t.Context(), "FP1", "")
	require.Equal(t, errs.KindUnavailable, errs.KindOf(err))
}

const (
	refundOrder = "order_145082ao5HaUJOvfXKfdQwZ3A1jy5Pq8"
	refundToken = "refund_145082ao5HaUJOvfXKfdQwZ3A1jy5Pq8"
)

func refundRequest() payment.RefundRequest {
	return payment.RefundRequest{TransactionID: refundOrder, GatewayPaymentID: "2388816360", Amount: 1_00, Token: refundToken}
}

func paidOnce(more string) string {
	return `[{"cf_payment_id":2388816360,"order_id":"` + refundOrder + `","payment_amount":1,"payment_status":"SUCCESS"}` + more + `]`
}

func TestRefund_PublishedAnswer_IsInProgress(t *testing.T) {
	t.Parallel()
	g, requests := answering(t, map[string]string{
		"GET /pg/orders/" + refundOrder + "/payments": paidOnce(""),
		"POST /pg/orders/" + refundOrder + "/refunds": sample(t, "refund.json"),
	})
	o, err := g.Refund(t.Context(), refundRequest())
	require.NoError(t, err)
	require.Equal(t, payment.RefundOutcome{RefundID: refundToken}, o)
	require.JSONEq(t, `{"refund_id":"`+refundToken+`","refund_amount":1.00}`, requests["POST /pg/orders/"+refundOrder+"/refunds"])
}

func TestRefund_StateOfAnswer_IsMapped(t *testing.T) {
	t.Parallel()
	for state, want := range map[string]payment.RefundOutcome{
		"SUCCESS": {Done: true}, "PENDING": {}, "ONHOLD": {Reason: "In Progress"}, "SENT_TO_BANK": {}, "": {},
		"CANCELLED": {Failed: true, Reason: "In Progress"}, "FAILED": {Failed: true, Reason: "In Progress"},
	} {
		want.RefundID = refundToken
		g, _ := answering(t, map[string]string{
			"GET /pg/orders/" + refundOrder + "/payments":               paidOnce(""),
			"GET /pg/orders/" + refundOrder + "/refunds/" + refundToken: strings.ReplaceAll(sample(t, "refund.json"), "PENDING", state),
		})
		o, err := g.RefundStatus(t.Context(), refundRequest(), refundToken)
		require.NoError(t, err, state)
		require.Equal(t, want, o, state)
	}
}

func TestRefund_AnswerAboutAnotherRefund_IsUnavailable(t *testing.T) {
	t.Parallel()
	for name, change := range map[string][2]string{
		"another payment": {"2388816360", "2388816361"}, "another amount": {`"refund_amount": 1,`, `"refund_amount": 1.01,`},
		"another currency": {"INR", "USD"}, "another refund": {refundToken, "refund_2"}, "another order": {`"` + refundOrder, `"order_2`},
	} {
		body := sample(t, "refund.json")
		require.Contains(t, body, change[0], name)
		g, _ := answering(t, map[string]string{
			"GET /pg/orders/" + refundOrder + "/payments": paidOnce(""),
			"POST /pg/orders/" + refundOrder + "/refunds": strings.ReplaceAll(body, change[0], change[1]),
		})
		_, err := g.Refund(t.Context(), refundRequest())
		require.Equal(t, errs.KindUnavailable, errs.KindOf(err), name)
	}
}

// Cashfree's API refunds an order. Where two payments were captured for it, only its dashboard can say which one is refunded.
func TestRefund_OrderPaidTwice_WaitsForStaff(t *testing.T) {
	t.Parallel()
	g, requests := answering(t, map[string]string{
		"GET /pg/orders/" + refundOrder + "/payments": paidOnce(`,{"cf_payment_id":2,"order_id":"` + refundOrder + `","payment_amount":1,"payment_status":"SUCCESS"}`),
		"POST /pg/orders/" + refundOrder + "/refunds": sample(t, "refund.json"),
	})
	o, err := g.Refund(t.Context(), refundRequest())
	require.NoError(t, err)
	require.True(t, o.Waiting)
	require.Contains(t, o.Reason, "dashboard")
	require.NotContains(t, requests, "POST /pg/orders/"+refundOrder+"/refunds")
}

func TestRefund_Refused_FailsOnlyIfItWillNeverBeMade(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]payment.RefundOutcome{
		"refund_amount_invalid": {Failed: true}, "refund_not_allowed": {Failed: true}, "refund_id_already_exists": {Waiting: true},
		"insufficient_balance": {Waiting: true}, "": {Waiting: true},
	} {
		p := start(t)
		s, err := p.gateway().Begin(t.Context(), sampleCharge())
		require.NoError(t, err)
		p.Complete(t, s, payment.StatusPaid, 22_00)
		r := payment.RefundRequest{TransactionID: sampleCharge().TransactionID, GatewayPaymentID: "1453002795", Amount: 22_00, Token: "0a0a0a"}
		p.refuse = map[string]any{"code": code, "message": "not possible"}
		o, err := p.gateway().Refund(t.Context(), r)
		require.NoError(t, err, code)
		want.Reason = "not possible"
		require.Equal(t, want, o, code)

		p.refuse = nil
		_, err = p.gateway().Refund(t.Context(), r)
		require.NoError(t, err, code)
		p.refuse = map[string]any{"code": code}
		o, err = p.gateway().Refund(t.Context(), r)
		require.NoError(t, err, code)
		require.Equal(t, payment.RefundOutcome{RefundID: "0a0a0a", Done: true}, o, code)
	}
}

func TestRefunds_OrderWithTwoPayments_ListsThoseOfThePayment(t *testing.T) {
	t.Parallel()
	other := strings.ReplaceAll(strings.ReplaceAll(sample(t, "refund.json"), "2388816360", "2"), refundToken, "refund_2")
	g, _ := answering(t, map[string]string{
		"GET /pg/orders/" + refundOrder + "/payments": paidOnce(`,{"cf_payment_id":2,"order_id":"` + refundOrder + `","payment_amount":1,"payment_status":"SUCCESS"}`),
		"GET /pg/orders/" + refundOrder + "/refunds":  "[" + other + "," + sample(t, "refund.json") + "]",
	})
	list, err := g.Refunds(t.Context(), refundOrder, "2388816360")
	require.NoError(t, err)
	require.Equal(t, []payment.RefundRecord{{RefundOutcome: payment.RefundOutcome{RefundID: refundToken}, Token: refundToken, Amount: 1_00}}, list)
	_, err = g.Refunds(t.Context(), refundOrder, "3")
	require.Equal(t, errs.KindUnavailable, errs.KindOf(err), "no order has that payment")
}

func TestDispute_PublishedStates_DecideOnlyOnAWinner(t *testing.T) {
	t.Parallel()
	for state, want := range map[string]payment.DisputeState{
		"DISPUTE_CREATED": payment.DisputeOpen, "CHARGEBACK_DOCS_RECEIVED": payment.DisputeOpen, "CHARGEBACK_UNDER_REVIEW": payment.DisputeOpen,
		"CHARGEBACK_INSUFFICIENT_EVIDENCE": payment.DisputeOpen, "": payment.DisputeOpen, "MERCHANT WON": payment.DisputeOpen,
		"CHARGEBACK_MERCHANT_WON": payment.DisputeWon, "PRE_ARBITRATION_MERCHANT_LOST": payment.DisputeLost, "DISPUTE_MERCHANT_ACCEPTED": payment.DisputeLost,
	} {
		g, _ := answering(t, map[string]string{"GET /pg/disputes/433475258": `{"dispute_id":433475258,"dispute_amount":3,"dispute_status":"` + state + `"}`})
		o, err := g.Dispute(t.Context(), "433475258")
		require.NoError(t, err, state)
		require.Equal(t, payment.DisputeOutcome{State: want, Amount: 3_00}, o, state)
	}
	g, _ := answering(t, map[string]string{"GET /pg/disputes/2": `{"dispute_id":1,"dispute_amount":3}`})
	o, err := g.Dispute(t.Context(), "1")
	require.NoError(t, err)
	require.Empty(t, o.State, "Cashfree does not know it")
	_, err = g.Dispute(t.Context(), "2")
	require.Equal(t, errs.KindUnavailable, errs.KindOf(err))
}

// The sample is of "PG Reconciliation", whose events have the same members; it also lists payouts.
func TestSettlements_PublishedReport_IsRead(t *testing.T) {
	t.Parallel()
	pages := []string{sample(t, "recon.json"), `{"cursor":"end","limit":0,"data":[]}`}
	bodies := []string{}
	g := settling(t, func(body string) string {
		bodies = append(bodies, body)
		return pages[len(bodies)-1]
	})
	lines, err := g.Settlements(t.Context(), "2022-08-16")
	require.NoError(t, err)
	require.Len(t, bodies, 2)
	require.JSONEq(t, `{"pagination":{"limit":1000,"cursor":null},"filters":{"start_date":"2022-08-15T18:30:00Z","end_date":"2022-08-16T18:29:59Z"}}`, bodies[0])
	require.Contains(t, bodies[1], `"cursor":"cursor-uid"`)
	ids := map[string]bool{}
	for i := range lines {
		require.NotEmpty(t, lines[i].ID)
		ids[lines[i].ID] = true
	}
	require.Len(t, ids, len(lines), "each line has an id of its own, though events share Cashfree's")
	disputed := settlement.Line{
		ID: "272/dispute", Kind: settlement.KindChargeback, Action: "DISPUTE", TransactionID: "order_1527072DQpGNwTMBlnAc1GfxmWalriHBG", RefundID: "272",
		Amount: 3067_26, Net: -3067_26, SettlementID: "45406", UTR: "PGI45406", At: time.Date(2022, 8, 16, 9, 15, 24, 0, time.UTC),
	}
	returned := disputed
	returned.ID, returned.Kind, returned.Action, returned.Net = "272/dispute_reversal", settlement.KindChargebackReversal, "DISPUTE_REVERSAL", 3067_26
	require.Equal(t, []settlement.Line{disputed, returned}, lines[:2])
	nets := []money.Paise{}
	for _, l := range lines[2:] {
		require.Equal(t, settlement.KindAdjustment, l.Kind)
		require.Equal(t, l.Net, l.Amount)
		nets = append(nets, l.Net)
	}
	require.Equal(t, []money.Paise{3000_00, -3_00, -54, -2796_46}, nets)
}

// settling returns the adapter for a Cashfree with these reports.
func settling(t *testing.T, report func(body string) string) *cashfree.Gateway {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method+" "+r.URL.Path != "POST /pg/settlement/recon" {
			refuse(w, http.StatusNotFound, "request_failed")
			return
		}
		body, _ := io.ReadAll(r.Body)
		_, _ = io.WriteString(w, report(string(body)))
	}))
	t.Cleanup(server.Close)
	return cashfree.New(cashfree.Config{BaseURL: server.URL, Clock: clock.NewFake(now)})
}

// payout is an event of a payment of ₹510 with 9.69 and 1.74 taken, changed by one member.
func payout(name string, value any) string {
	m := map[string]any{
		"event_id": "5114910810523", "event_type": "PAYMENT", "sale_type": "CREDIT", "event_status": "SUCCESS", "event_amount": 510,
		"event_settlement_amount": json.Number("498.57"), "event_currency": "INR", "event_time": "2026-11-01T13:32:27+05:30", "order_id": "FP1-upi",
		"cf_payment_id": 5114910810523, "payment_service_charge": json.Number("9.69"), "payment_service_tax": json.Number("1.74"),
		"cf_settlement_id": 738, "settlement_utr": "UTR1", "settlement_date": "2026-11-02T14:45:24+05:30", "refund_id": nil,
	}
	if name != "" {
		m[name] = value
	}
	body, _ := json.Marshal(map[string]any{"cursor": nil, "limit": 1, "data": []any{m}})
	return string(body)
}

func TestSettlements_Payment_HasItsTransactionAndFees(t *testing.T) {
	t.Parallel()
	lines, err := settling(t, func(string) string { return payout("", nil) }).Settlements(t.Context(), "2026-11-02")
	require.NoError(t, err)
	require.Equal(t, []settlement.Line{{
		ID: "5114910810523/payment", Kind: settlement.KindCapture, Action: "PAYMENT", TransactionID: "FP1", GatewayPaymentID: "5114910810523",
		Amount: 510_00, Fee: 9_69, FeeTax: 1_74, Net: 498_57, SettlementID: "738", UTR: "UTR1", At: time.Date(2026, 11, 2, 9, 15, 24, 0, time.UTC),
	}}, lines)
	for name, change := range map[string]struct {
		member string
		value  any
	}{"not settled": {"cf_settlement_id", nil}, "pending": {"event_status", "PENDING"}, "failed": {"event_status", "FAILED"}} {
		lines, err := settling(t, func(string) string { return payout(change.member, change.value) }).Settlements(t.Context(), "2026-11-02")
		require.NoError(t, err, name)
		require.True(t, lines[0].Pending, name)
	}
}

func TestSettlements_ContradictoryReport_IsUnavailable(t *testing.T) {
	t.Parallel()
	for name, report := range map[string]func(string) string{
		"a foreign currency":     func(string) string { return payout("event_currency", "USD") },
		"a payment that debits":  func(string) string { return payout("sale_type", "DEBIT") },
		"a refund that credits":  func(string) string { return payout("event_type", "REFUND") },
		"no direction":           func(string) string { return payout("sale_type", "") },
		"a negative credit":      func(string) string { return payout("event_amount", -1) },
		"no amount":              func(string) string { return payout("event_amount", nil) },
		"a third decimal":        func(string) string { return payout("event_amount", json.Number("1.005")) },
		"no id":                  func(string) string { return payout("event_id", nil) },
		"a time in words":        func(string) string { return payout("settlement_date", "yesterday") },
		"the same page for ever": func(string) string { return strings.Replace(payout("", nil), `"cursor":null`, `"cursor":"again"`, 1) },
		"no report":              func(string) string { return `[]` },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := settling(t, report).Settlements(t.Context(), "2026-11-02")
			require.Equal(t, errs.KindUnavailable, errs.KindOf(err))
		})
	}
	_, err := settling(t, func(string) string { return "{}" }).Settlements(t.Context(), "2/11/2026")
	require.Equal(t, errs.KindInternal, errs.KindOf(err))
	pages := 0
	_, err = settling(t, func(string) string {
		pages++
		return strings.Replace(payout("", nil), `"cursor":null`, `"cursor":"again"`, 1)
	}).Settlements(t.Context(), "2026-11-02")
	require.Equal(t, errs.KindUnavailable, errs.KindOf(err))
	require.Equal(t, 2, pages, "it stops as soon as a cursor comes again")
}
