package razorpay_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/gateway/razorpay"
	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// attempts returns what Verify makes of the payments of one order.
func attempts(t *testing.T, items ...string) (payment.Outcome, error) {
	t.Helper()
	g, _ := answers(t, map[string]string{
		"GET /v1/orders": `{"items":[{"id":"order_1","amount":100,"receipt":"T1"}]}`, "GET /v1/orders/order_1/payments": `{"items":[` + strings.Join(items, ",") + `]}`,
	})
	return g.Verify(t.Context(), "T1", "order_1")
}

func tried(id, status string, at int, more ...string) string {
	return fmt.Sprintf(`{"id":%q,"order_id":"order_1","amount":100,"currency":"INR","method":"upi","status":%q,"created_at":%d%s}`, id, status, at, strings.Join(more, ""))
}

// Of several attempts, a capture counts first, then a refunded capture, then an open attempt, then the last failure. Another capture is a
// surplus, and a refunded one needs no further refund.
func TestVerify_SeveralAttempts_TheCaptureCounts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		items      []string
		status     payment.Status
		id         string
		others     []string
		authorized string
	}{
		"nothing":                   {nil, payment.StatusUnknown, "", nil, ""},
		"a failure":                 {[]string{tried("f1", "failed", 1)}, payment.StatusFailed, "f1", nil, ""},
		"the last failure":          {[]string{tried("f2", "failed", 2), tried("f1", "failed", 1)}, payment.StatusFailed, "f2", nil, ""},
		"open after a failure":      {[]string{tried("c1", "created", 1), tried("f2", "failed", 2)}, payment.StatusPending, "c1", nil, ""},
		"authorised":                {[]string{tried("a1", "authorized", 1), tried("f2", "failed", 2)}, payment.StatusPending, "a1", nil, "a1"},
		"captured":                  {[]string{tried("f1", "failed", 1), tried("p2", "captured", 2), tried("f3", "failed", 3)}, payment.StatusPaid, "p2", nil, ""},
		"captured, then authorised": {[]string{tried("p1", "captured", 1), tried("a2", "authorized", 2)}, payment.StatusPaid, "p1", nil, ""},
		"captured three times": {
			[]string{tried("p3", "captured", 3), tried("p1", "captured", 1), tried("p2", "captured", 2)}, payment.StatusPaid, "p1", []string{"p2", "p3"}, "",
		},
		"one given back":         {[]string{tried("r1", "refunded", 1), tried("p2", "captured", 2)}, payment.StatusPaid, "p2", nil, ""},
		"all given back":         {[]string{tried("r1", "refunded", 1), tried("r2", "refunded", 2)}, payment.StatusPaid, "r1", nil, ""},
		"given back over open":   {[]string{tried("r1", "refunded", 1), tried("c2", "created", 2)}, payment.StatusPaid, "r1", nil, ""},
		"of another transaction": {[]string{tried("p1", "captured", 1, `,"notes":{"transaction":"T2"}`)}, payment.StatusUnknown, "", nil, ""},
		"of ours, by a debit":    {[]string{tried("p1", "captured", 1, `,"notes":{"transaction":"T1"}`)}, payment.StatusPaid, "p1", nil, ""},
	} {
		o, err := attempts(t, c.items...)
		require.NoError(t, err, name)
		require.Equal(t, c.status, o.Status, name)
		require.Equal(t, c.id, o.GatewayPaymentID, name)
		var others []string
		for _, one := range o.Others {
			require.Equal(t, money.Paise(100), one.Amount, name)
			others = append(others, one.GatewayPaymentID)
		}
		require.Equal(t, c.others, others, name)
		if c.authorized == "" {
			require.Nil(t, o.Authorized, name)
			continue
		}
		require.Equal(t, &payment.Capture{GatewayPaymentID: c.authorized, Amount: 100}, o.Authorized, name)
	}
	_, err := attempts(t, strings.Replace(tried("p1", "captured", 1), "order_1", "order_2", 1))
	require.Equal(t, errs.KindUnavailable, errs.KindOf(err), "another order's payment in the answer is no payment of ours")
	for said, want := range map[string]string{
		"Payment was cancelled...": "Payment was cancelled.", "Card 4111 1111 1111 1111 declined": "", "": "", strings.Repeat("x", 300): strings.Repeat("x", 200) + ".",
	} {
		o, err := attempts(t, tried("f1", "failed", 1, `,"error_description":"`+said+`"`))
		require.NoError(t, err)
		if strings.HasPrefix(said, "Card") {
			require.NotContains(t, o.Reason, "4111")
			continue
		}
		require.Equal(t, want, o.Reason)
	}
}

// Smart Collect accepts any amount: transfers in rupees are read whole, and of the payer only the permitted data.
func TestCredits_TransfersInRupees_AreReadWhole(t *testing.T) {
	t.Parallel()
	const list = "GET /v1/virtual_accounts/va_1/payments"
	for number, want := range map[string]string{"765432123456789": "XXXX6789", " 12345 ": "XXXX2345", "1234": "", "": ""} {
		g, _ := answers(t, map[string]string{
			list: `{"items":[{"id":"pay_1","amount":100,"currency":"INR","status":"captured","created_at":1},
				{"id":"pay_2","amount":100,"currency":"USD","status":"captured","created_at":1},{"id":"pay_3","amount":100,"currency":"INR","status":"authorized","created_at":1}]}`,
			"GET /v1/payments/pay_1/bank_transfer": `{"payment_id":"pay_1","amount":100,"virtual_account_id":"va_1","bank_reference":"U1","payer_bank_account":{"account_number":"` + number + `"}}`,
		})
		credits, err := g.SmartCollect().Credits(t.Context(), "va_1", time.Time{})
		require.NoError(t, err, number)
		require.Equal(t, []razorpay.Credit{{ID: "pay_1", AccountID: "va_1", UTR: "U1", Amount: 100, PaidAt: time.Unix(1, 0).UTC(), PayerAccountMasked: want}}, credits)
	}
	for name, transfer := range map[string]string{
		"of another payment": `{"payment_id":"pay_9","amount":100}`, "of another amount": `{"payment_id":"pay_1","amount":101}`, "a page": `<html>`,
	} {
		g, _ := answers(t, map[string]string{
			list: `{"items":[{"id":"pay_1","amount":100,"currency":"INR","status":"captured"}]}`, "GET /v1/payments/pay_1/bank_transfer": transfer,
		})
		credits, err := g.SmartCollect().Credits(t.Context(), "va_1", time.Time{})
		require.Equal(t, errs.KindUnavailable, errs.KindOf(err), name)
		require.Empty(t, credits, name)
	}
}

func TestClose_ClosedAccount_IsNoError(t *testing.T) {
	t.Parallel()
	const path = "/v1/virtual_accounts/va_1"
	refused := `400 {"error":{"code":"BAD_REQUEST_ERROR","description":"The virtual account is already closed"}}`
	for name, c := range map[string]struct {
		calls map[string]string
		done  bool
	}{
		"open":                    {map[string]string{"POST " + path + "/close": `{"id":"va_1","status":"closed"}`}, true},
		"closed before":           {map[string]string{"POST " + path + "/close": refused, "GET " + path: `{"id":"va_1","status":"closed"}`}, true},
		"refused, and still open": {map[string]string{"POST " + path + "/close": refused, "GET " + path: `{"id":"va_1","status":"active"}`}, false},
		"refused, and not told":   {map[string]string{"POST " + path + "/close": refused}, false},
		"a page":                  {map[string]string{"POST " + path + "/close": `<html>`, "GET " + path: `{"id":"va_1","status":"closed"}`}, false},
	} {
		g, _ := answers(t, c.calls)
		err := g.SmartCollect().Close(t.Context(), "va_1")
		if c.done {
			require.NoError(t, err, name)
			continue
		}
		require.Equal(t, errs.KindUnavailable, errs.KindOf(err), name)
	}
	for name, receivers := range map[string]string{
		"an address": `{"entity":"vpa","address":"x@icici"}`, "no number": `{"entity":"bank_account","ifsc":"RATN0VAAPIS"}`, "no IFSC": `{"entity":"bank_account","account_number":"1"}`, "none": ``,
	} {
		g, _ := answers(t, map[string]string{
			"GET /v1/virtual_accounts": `{"items":[]}`, "POST /v1/virtual_accounts": `{"id":"va_1","status":"active","receivers":[` + receivers + `]}`,
		})
		_, err := g.SmartCollect().Open(t.Context(), "c1", "Asha", "")
		require.Equal(t, errs.KindUnavailable, errs.KindOf(err), name)
	}
}

// paged serves items of a list by count and skip, or the first page again and again.
func paged(t *testing.T, all int, ignores bool, item func(n int) string) (g *razorpay.Gateway, asked *int) {
	t.Helper()
	asked = new(int)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*asked++
		count, _ := strconv.Atoi(r.URL.Query().Get("count"))
		skip, _ := strconv.Atoi(r.URL.Query().Get("skip"))
		if ignores {
			skip = 0
		}
		items := make([]string, 0, count)
		for n := skip; n < min(skip+count, all); n++ {
			items = append(items, item(n))
		}
		_, _ = io.WriteString(w, `{"items":[`+strings.Join(items, ",")+`]}`)
	}))
	t.Cleanup(server.Close)
	return razorpay.New(razorpay.Config{BaseURL: server.URL}), asked
}

func TestSettlements_SeveralPages_AreAllRead(t *testing.T) {
	t.Parallel()
	line := func(n int) string {
		return fmt.Sprintf(`{"entity_id":"pay_%d","type":"payment","amount":100,"fee":2,"credit":98}`, n)
	}
	for all, pages := range map[int]int{0: 1, 999: 1, 1000: 2, 1001: 2, 2003: 3} {
		g, asked := paged(t, all, false, line)
		lines, err := g.Settlements(t.Context(), "2026-11-21")
		require.NoError(t, err)
		require.Len(t, lines, all)
		require.Equal(t, pages, *asked, all)
	}
	g, asked := paged(t, 1000, true, line)
	_, err := g.Settlements(t.Context(), "2026-11-21")
	require.Equal(t, errs.KindUnavailable, errs.KindOf(err), "a page that comes again would never end")
	require.Equal(t, 2, *asked)

	for all, pages := range map[int]int{99: 1, 100: 2, 101: 2} {
		g, asked := paged(t, all, false, func(n int) string {
			return fmt.Sprintf(`{"id":"rfnd_%03d","payment_id":"pay_1","amount":1,"receipt":"t%d","status":"pending"}`, 999-n, n)
		})
		records, err := g.Refunds(t.Context(), "T1", "pay_1")
		require.NoError(t, err)
		require.Len(t, records, all)
		require.Equal(t, pages, *asked)
		require.Less(t, records[0].RefundID, records[1].RefundID)
	}
}

// Razorpay's fee includes its tax, a dispute is an adjustment that names it, and nulls are nothing.
func TestSettlements_Line_IsReadWithItsTax(t *testing.T) {
	t.Parallel()
	lines, err := settlements(t, `{"items":[
		{"entity_id":"pay_1","type":"payment","amount":15930000,"fee":375948,"tax":57348,"credit":15554052,"order_receipt":"T1","created_at":1654905600,"settled_at":1654924800,"settled":true},
		{"entity_id":"adj_1","type":"adjustment","amount":500,"debit":500,"dispute_id":"disp_1","created_at":1654905600},
		{"entity_id":"adj_2","type":"adjustment","amount":500,"debit":500,"credit":500,"dispute_id":"disp_2","created_at":1654905600},
		{"entity_id":"rfnd_1","type":"refund","amount":700,"debit":700,"credit":0,"fee":null,"tax":null,"payment_id":"pay_1","created_at":1654905600},
		{"entity_id":"rfnd_2","type":"refund","amount":700,"debit":700,"credit":700,"payment_id":"pay_1","created_at":1654905600}]}`)
	require.NoError(t, err)
	require.Equal(t, []money.Paise{1_59_300_00, 3_186_00, 573_48, 1_55_540_52}, []money.Paise{lines[0].Amount, lines[0].Fee, lines[0].FeeTax, lines[0].Net},
		"2% of 1,59,300 is 3,186; 18% of it 573.48")
	require.Equal(t, time.Date(2022, 6, 11, 5, 20, 0, 0, time.UTC), lines[0].At, "when it was settled, not when it was paid")
	require.False(t, lines[0].Pending)
	for i, want := range []struct {
		kind string
		net  money.Paise
	}{{"chargeback", -500}, {"chargeback", 0}, {"refund", -700}, {"refund", 0}} {
		require.Equal(t, want.kind, string(lines[i+1].Kind), lines[i+1].ID)
		require.Equal(t, want.net, lines[i+1].Net, lines[i+1].ID)
		require.Equal(t, time.Date(2022, 6, 11, 0, 0, 0, 0, time.UTC), lines[i+1].At)
	}
}

// An event is identified by Razorpay's id, or else by its content: a repetition has the same key, another state has another.
func TestRead_EventWithoutAnID_IsIdentifiedByItsContent(t *testing.T) {
	t.Parallel()
	g := razorpay.New(razorpay.Config{KeySecret: keySecret, WebhookSecret: webhookSecret})
	body := func(event, status string, at int) []byte {
		return fmt.Appendf(nil, `{"event":%q,"created_at":%d,"payload":{"payment":{"entity":{"id":"pay_1","order_id":"order_1","amount":500,"status":%q}}}}`, event, at, status)
	}
	keys := map[string]bool{}
	for _, said := range [][]byte{body("payment.authorized", "authorized", 1), body("payment.captured", "captured", 1), body("payment.captured", "captured", 2), body("order.paid", "captured", 1)} {
		n, err := g.Read(signedEvent(said))
		require.NoError(t, err)
		require.Equal(t, []any{payment.NoticePayment, "order_1", "pay_1", money.Paise(500)}, []any{n.Kind, n.Reference, n.GatewayPaymentID, n.Amount})
		require.False(t, keys[n.Key], "%s", said)
		keys[n.Key] = true
		again, err := g.Read(signedEvent(said))
		require.NoError(t, err)
		require.Equal(t, n, again)
	}
	for status, want := range map[string]payment.Status{
		"captured": payment.StatusPaid, "refunded": payment.StatusPaid, "failed": payment.StatusFailed, "authorized": payment.StatusPending, "created": payment.StatusPending, "Captured": payment.StatusPending,
	} {
		n, err := g.Read(signedEvent(body("payment.x", status, 1)))
		require.NoError(t, err)
		require.Equal(t, want, n.Status, status)
	}
	for name, text := range map[string]string{
		"an account's credit": `{"event":"virtual_account.credited","payload":{"payment":{"entity":{"id":"pay_1","order_id":"order_1"}}}}`,
		"a refund of nothing": `{"event":"refund.created","payload":{"payment":{"entity":{"id":"pay_1"}}}}`,
		"a dispute of none":   `{"event":"payment.dispute.lost","payload":{"payment":{"entity":{"id":"pay_1"}}}}`,
		"a payment of none":   `{"event":"payment.captured","payload":{}}`,
	} {
		n, err := g.Read(signedEvent([]byte(text)))
		require.NoError(t, err, name)
		require.Equal(t, payment.Notice{Kind: payment.NoticeOther, Signed: true}, n, name)
	}
	in := signedEvent([]byte(`{"event":`))
	_, err := g.Read(in)
	require.ErrorIs(t, err, payment.ErrSignature, "signed, and cut off")
	in = signedEvent(body("payment.captured", "captured", 1))
	for name, header := range map[string]string{
		"in capitals": strings.ToUpper(in.Headers["x-razorpay-signature"]), "cut off": in.Headers["x-razorpay-signature"][:63], "of another": mac("another", string(in.Body)),
	} {
		_, err := g.Read(payment.Incoming{Body: in.Body, Headers: map[string]string{"x-razorpay-signature": header}})
		require.ErrorIs(t, err, payment.ErrSignature, name)
	}
	open := razorpay.New(razorpay.Config{KeySecret: keySecret})
	_, err = open.Read(payment.Incoming{Body: in.Body, Headers: map[string]string{"x-razorpay-signature": mac("", string(in.Body))}})
	require.ErrorIs(t, err, payment.ErrSignature, "an account without a secret takes no event")
}

func TestToken_Instrument_IsMasked(t *testing.T) {
	t.Parallel()
	const confirmed = `,"recurring_details":{"status":"confirmed"}}`
	for said, want := range map[string]string{
		`{"id":"t","method":"card","card":{"last4":"7558"}`:                                      "7558",
		`{"id":"t","method":"upi","vpa":{"handle":"okaxis","username":"asha.rao"}`:               "@okaxis",
		`{"id":"t","method":"upi"`:                                                               "",
		`{"id":"t","method":"emandate","bank":"HDFC","bank_details":{"account_number":"X12345"}`: "HDFC Bank ••2345",
		`{"id":"t","method":"emandate","bank":"HDFC","bank_details":{"account_number":"123"}`:    "HDFC Bank",
		`{"id":"t","method":"emandate","bank":"HDFC","bank_details":{"account_number":"12X4"}`:   "HDFC Bank",
	} {
		g, _ := answers(t, map[string]string{"GET /v1/customers/c/tokens/t": said + confirmed})
		d, err := g.State(t.Context(), mandate.Reference{MandateID: "t", CustomerID: "c"})
		require.NoError(t, err, said)
		require.Equal(t, want, d.Masked, said)
	}
}
