package payment_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/testkit/story"
	"github.com/franchise360/franchise360/pkg/testkit/world"
)

func (b *bundle) hint(about string, r checkout.Requested, name string, amount money.Paise) error {
	b.T.Helper()
	return b.API.Notices.Notified(b.T.Context(), "fake", world.Hint(map[string]string{
		"about": about, "txnid": r.TransactionID, "capture": "G" + r.TransactionID, about: name, "amount": amount.Decimal(),
	}))
}

func TestReturned_FormWithRefundOrChargebackAction_IsTreatedAsAPayment(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	for _, action := range []string{"refund", "chargeback"} {
		own := b.Gateway.Notice(r.TransactionID)
		own.Form["action"], own.Form["refund"], own.Form["request_id"] = action, "131278418", "131278418"
		_, err := b.API.Notices.Returned(t.Context(), own)
		require.NoError(t, err)
		require.NoError(t, b.API.Notices.Notified(t.Context(), "fake", own))
	}
	b.Work()
	require.Zero(t, b.Count(`SELECT count(*) FROM refunds`))
	require.Zero(t, b.Count(`SELECT count(*) FROM disputes`))
	require.NoError(t, b.GiveBack(b.PaymentOf(r), r.Amount), "staff can give back all of it")
	b.Balanced()
}

func TestUnsignedWebhook_OnlyStartsAQueryAtTheGateway(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	require.NoError(t, b.hint("refund", r, "131278418", 100))
	b.Work()
	require.Zero(t, b.Count(`SELECT count(*) FROM refunds`), "the gateway knows of none")
	require.Zero(t, b.Count(`SELECT count(*) FROM payment_events WHERE applied_at IS NULL`))
	require.ErrorIs(t, returned(b, world.Hint(map[string]string{"about": "refund", "txnid": r.TransactionID, "refund": "1"})), payment.ErrSignature,
		"a browser brings none")

	made := b.Gateway.RefundNotice(r.TransactionID, "R1", 100)
	require.NoError(t, b.hint("refund", r, "R1", r.Amount), "whatever the hint says")
	b.Work()
	require.Equal(t, "gateway done R1 100", b.Text(`SELECT concat_ws(' ', reason, state, gateway_refund_id, amount_paise) FROM refunds`))
	require.NoError(t, b.API.Notices.Notified(t.Context(), "fake", made))
	b.Work()
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM refunds`))
	b.Balanced()
}

func returned(b *bundle, p payment.Incoming) error {
	_, err := b.API.Notices.Returned(b.T.Context(), p)
	return err
}

func TestPayment_GatewayReportsARefundOfAnotherPayment_Settles(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	require.NoError(t, b.API.Notices.Notified(t.Context(), "fake", b.Gateway.RefundNotice(first.TransactionID, "R1", 100)))
	b.Work()
	other := b.Franchiser("29")
	second := b.Ask(other, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	require.NoError(t, b.hint("refund", second, "R1", 100))
	b.Gateway.RefundNotice(second.TransactionID, "R1", 100) // even if the gateway itself reports it twice
	b.Settle(second, payment.StatusPaid)
	require.Equal(t, "paid", b.State(second))
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM refunds`))
}

func TestVerify_OneDisputeFails_SettlesThePaymentAndTheOtherDispute(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	for _, name := range []string{"D-broken", "D-fine"} {
		require.NoError(t, b.API.Notices.Notified(t.Context(), "fake", b.Gateway.DisputeNotice(r.TransactionID, name, payment.DisputeOutcome{State: payment.DisputeOpen, Amount: 100})))
	}
	_, err := b.DB.Owner.Exec(`ALTER TABLE disputes ADD CONSTRAINT broken CHECK (gateway_dispute_id <> 'D-broken')`)
	require.NoError(t, err)
	b.Gateway.Decide(r.TransactionID, payment.StatusPaid, r.Amount)
	require.Error(t, b.Worker.Captures.Verify(t.Context(), payment.VerifyArgs{PaymentID: b.PaymentOf(r), Event: "payment"}))
	require.Equal(t, "paid", b.State(r))
	require.Equal(t, "D-fine", b.Text(`SELECT string_agg(gateway_dispute_id, ' ') FROM disputes`))
}

func TestReturned_SameSignedFormThirtyTimes_IsStoredOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	for i := range 30 {
		own := b.Gateway.Notice(r.TransactionID)
		own.Form["zz"] = fmt.Sprint(i, strings.Repeat("z", 1000))
		require.NoError(t, returned(b, own))
	}
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM payment_events`), "the same was said thirty times")
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM river_job WHERE kind = 'verify_payment' AND state = 'available'`))

	for i := range 80 {
		own := b.Gateway.Notice(r.TransactionID)
		own.Form["note"] = fmt.Sprint(i) // makes the fake's form differ
		require.NoError(t, returned(b, own))
		require.NoError(t, b.hint("refund", r, fmt.Sprint(i), 100))
	}
	require.Equal(t, 50, b.Count(`SELECT count(*) FROM payment_events WHERE signed`))
	require.Equal(t, 20, b.Count(`SELECT count(*) FROM payment_events WHERE NOT signed`))
	require.Equal(t, 2, b.Count(`SELECT count(*) FROM river_job WHERE kind = 'verify_payment' AND state = 'available'`), "one of each kind")
	b.Settle(r, payment.StatusPaid)
	require.Equal(t, "paid", b.State(r), "and it is heard of all the same")
	b.Gateway.RefundNotice(r.TransactionID, "R1", 100)
	require.NoError(t, b.hint("refund", r, "R1", 100))
	b.Work()
	require.Zero(t, b.Count(`SELECT count(*) FROM refunds`), "not at once")
	b.Pass(11 * time.Minute)
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM refunds WHERE state = 'done'`))
	b.Balanced()
}

func TestDispute_FromUnsignedWebhook_IsUnconfirmed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	silent := gatewayOf(b.WorkerWith, &mute{b.Gateway})
	require.NoError(t, b.hint("dispute", r, "too-much", r.Amount+1))
	for i := range 12 {
		require.NoError(t, b.hint("dispute", r, fmt.Sprint("cb", i), r.Amount))
	}
	require.NoError(t, silent.Captures.Verify(t.Context(), payment.VerifyArgs{PaymentID: b.PaymentOf(r), Event: "dispute"}))
	require.Equal(t, 5, b.Count(`SELECT count(*) FROM disputes WHERE NOT confirmed AND state = 'open'`))
	require.Equal(t, 5, b.Count(`SELECT count(*) FROM disputes`))
	require.Equal(t, "paid", b.State(r))
	require.Contains(t, b.Standing(b.Buyer), "active")

	other := b.Pay(b.Franchiser("29"), story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Dispute(other, "cb0", payment.DisputeOutcome{State: payment.DisputeOpen, Amount: other.Amount})
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM disputes WHERE confirmed AND gateway_dispute_id = 'cb0'`), "a name that was guessed blocks nobody's")
	require.NoError(t, b.hint("dispute", r, "cb0", 100))

	asked, err := b.Reversals.RequestChargeback(b.Asha.Sign(t.Context()), b.Asha, b.Buyer, b.PaymentOf(r), "cb1", "read at the gateway", id.New())
	require.NoError(t, err)
	_, err = b.Reversals.Approve(b.Ravi.Sign(t.Context()), b.Ravi, asked.ID, "read, too")
	require.NoError(t, err)
	require.NoError(t, silent.Reversals.Reverse(t.Context(), asked.ID))
	require.Equal(t, "lost true", b.Text(`SELECT concat_ws(' ', state, CASE WHEN confirmed THEN 'true' END) FROM disputes WHERE gateway_dispute_id = 'cb1'`))
	b.Balanced()
}

// mute is a gateway without dispute queries, like PayU.
type mute struct{ app.Gateway }

// gatewayOf returns the payment service of a process with another gateway.
func gatewayOf(process func(change func(*app.BillingParts)) app.Billing, g app.Gateway) app.Payments {
	return process(func(p *app.BillingParts) { p.Gateways = []app.Gateway{g} }).Payments
}

func TestDispute_ReopenedByTheBankAfterAWin_IsQueriedAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	for _, state := range []payment.DisputeState{payment.DisputeWon, payment.DisputeOpen, payment.DisputeLost} {
		posted := b.Gateway.DisputeNotice(r.TransactionID, "D1", payment.DisputeOutcome{State: state, Amount: r.Amount})
		require.NoError(t, b.API.Notices.Notified(t.Context(), "fake", posted))
		b.Work()
		require.Equal(t, string(state), b.Text(`SELECT state FROM disputes`))
	}
	require.Equal(t, "refunded", b.State(r))
	b.Balanced()
}

func TestSendRefund_ResponseLost_FindsTheRefundAtTheGateway(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Gateway.SetRefusesRepeats(true)
	b.Gateway.SetLosesAnswers(true)
	asked, err := b.Reversals.RequestRefund(b.Asha.Sign(t.Context()), b.Asha, b.Buyer, b.PaymentOf(r), 100, "goodwill", id.New())
	require.NoError(t, err)
	require.NoError(t, b.Worker.Reversals.Reverse(t.Context(), asked.ID))
	refund := b.Text(`SELECT id FROM refunds`)
	require.Error(t, b.Worker.Refunds.Send(t.Context(), refund))
	require.Equal(t, "requested", b.Text(`SELECT state FROM refunds`))
	b.Gateway.SetLosesAnswers(false)
	require.NoError(t, b.Worker.Refunds.Send(t.Context(), refund))
	require.Equal(t, "done", b.Text(`SELECT state FROM refunds`))
	for _, times := range b.Gateway.RefundRequests() {
		require.Equal(t, 1, times)
	}
	b.Balanced()
}

func TestSendRefund_GatewayBalanceTooLow_IsRetried(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	asked, err := b.Reversals.RequestRefund(b.Asha.Sign(t.Context()), b.Asha, b.Buyer, b.PaymentOf(r), 100, "goodwill", id.New())
	require.NoError(t, err)
	require.NoError(t, b.Worker.Reversals.Reverse(t.Context(), asked.ID))
	poor := gatewayOf(b.WorkerWith, &waiting{b.Gateway})
	require.NoError(t, poor.Refunds.Send(t.Context(), b.Text(`SELECT id FROM refunds`)))
	require.Equal(t, "requested: not enough balance", b.Text(`SELECT state || ': ' || failure FROM refunds`))
	b.Pass(2 * time.Minute)
	require.Equal(t, "done: ", b.Text(`SELECT state || ': ' || failure FROM refunds`))
	b.Balanced()
}

// waiting is a gateway that does not accept refunds yet.
type waiting struct{ app.Gateway }

func (*waiting) Refund(context.Context, payment.RefundRequest) (payment.RefundOutcome, error) {
	return payment.RefundOutcome{Waiting: true, Reason: "not enough balance"}, nil
}

// ordering is a gateway with orders, late authorisations and an id for each order, like Razorpay.
type ordering struct {
	*world.Gateway
	mu       sync.Mutex
	orders   []string
	captured []payment.Capture
	fails    bool
}

func (g *ordering) Order(_ context.Context, c payment.Charge) (string, error) {
	g.mu.Lock()
	n, fails := len(g.orders), g.fails
	g.mu.Unlock()
	if fails {
		return "", context.DeadlineExceeded
	}
	time.Sleep(20 * time.Millisecond) // concurrent requests find no order yet
	g.mu.Lock()
	defer g.mu.Unlock()
	g.orders = append(g.orders, fmt.Sprint("order_", c.TransactionID, n))
	return g.orders[len(g.orders)-1], nil
}

func (g *ordering) Begin(ctx context.Context, c payment.Charge) (payment.Session, error) {
	s, err := g.Gateway.Begin(ctx, c)
	s.Reference, s.Fields["order_id"] = c.Reference, c.Reference
	return s, err
}

func (g *ordering) Capture(_ context.Context, c payment.Capture) error {
	g.captured = append(g.captured, c)
	g.Decide(strings.TrimPrefix(c.GatewayPaymentID, "G"), payment.StatusPaid, c.Amount)
	return nil
}

func TestRequest_ConcurrentRequests_MakeOneOrderAtTheGateway(t *testing.T) {
	t.Parallel()
	b := setup(t)
	g := &ordering{Gateway: b.Gateway, fails: true}
	api := gatewayOf(b.APIWith, g)
	in := checkout.Input{Intent: story.Buy(b.Tier(0, 0), plan.TypeYearly)}
	_, err := api.Checkout.Request(t.Context(), b.Buyer, in)
	require.Error(t, err, "whoever comes after a failure need not wait for it")
	g.fails = false
	var all errgroup.Group
	names := make([]string, 8)
	for i := range names {
		all.Go(func() error {
			r, err := api.Checkout.Request(t.Context(), b.Buyer, in)
			if err == nil {
				names[i] = r.Session.Fields["order_id"]
			}
			return err
		})
	}
	require.NoError(t, all.Wait())
	require.Len(t, g.orders, 1)
	for _, name := range names {
		require.Equal(t, g.orders[0], name)
	}
	require.Equal(t, g.orders[0], b.Text(`SELECT gateway_reference FROM payments`))
}

func TestLateAuthorisation_IsCapturedOnlyIfStillWanted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	g := &ordering{Gateway: b.Gateway}
	worker := gatewayOf(b.WorkerWith, g)
	authorised := func(r checkout.Requested) {
		b.Gateway.Decide(r.TransactionID, payment.StatusPending, r.Amount)
		b.Gateway.Change(r.TransactionID, func(o *payment.Outcome) {
			o.Authorized = &payment.Capture{GatewayPaymentID: "G" + r.TransactionID, Amount: r.Amount}
		})
		require.NoError(t, worker.Captures.Verify(t.Context(), payment.VerifyArgs{PaymentID: b.PaymentOf(r), Event: "payment"}))
	}
	first := b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Settle(first, payment.StatusFailed)
	authorised(first)
	require.Equal(t, "paid", b.State(first))
	require.Len(t, g.captured, 1)

	late := b.Ask(b.Franchiser("29"), story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Settle(late, payment.StatusFailed)
	_, err := b.DB.Owner.Exec(`UPDATE orders SET state = 'superseded' WHERE id = $1`, late.OrderID)
	require.NoError(t, err)
	authorised(late)
	require.Equal(t, "failed", b.State(late), "its money goes back by itself")
	require.Len(t, g.captured, 1)
}

func TestVerify_FurtherCapturesOfATransaction_AreRefunded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Gateway.Decide(r.TransactionID, payment.StatusPaid, r.Amount)
	b.Gateway.Change(r.TransactionID, func(o *payment.Outcome) {
		o.Others = []payment.Capture{{GatewayPaymentID: "second-order", Amount: r.Amount}}
	})
	for range 2 {
		require.NoError(t, b.Worker.Captures.Verify(t.Context(), payment.VerifyArgs{PaymentID: b.PaymentOf(r), Event: "payment"}))
	}
	b.Work()
	require.Equal(t, "paid", b.State(r))
	require.Equal(t, "second-order done", b.Text(`SELECT string_agg(concat_ws(' ', gateway_payment_id, state), ', ') FROM refunds`))
	b.Balanced()
}

// Given a signed webhook with a card number or CVV in unsigned fields, then nothing of it is stored, and the payment waits for the next
// webhook. A masked number is accepted.
func TestWebhook_WithACardNumber_IsNotStored(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Gateway.Decide(r.TransactionID, payment.StatusPaid, r.Amount)
	for name, value := range map[string]string{"note": "4111 1111 1111 1111", "udf1": "paid by 4111111111111111", "CVV": "123"} {
		n := b.Gateway.Notice(r.TransactionID)
		n.Form[name] = value
		_, err := b.API.Notices.Returned(t.Context(), n)
		require.Equal(t, "card_data", errs.As(err).Code, name)
	}
	require.Zero(t, b.Count(`SELECT count(*) FROM payment_events`))
	n := b.Gateway.Notice(r.TransactionID)
	n.Form["note"] = "411111XXXXXX1111"
	_, err := b.API.Notices.Returned(t.Context(), n)
	require.NoError(t, err)
	b.Work()
	require.Equal(t, "paid", b.State(r))
}
