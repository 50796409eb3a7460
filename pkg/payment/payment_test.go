package payment_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/franchise360/franchise360/pkg/address"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/payment/history"
	"github.com/franchise360/franchise360/pkg/payment/reversal"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/testkit/story"
	"github.com/franchise360/franchise360/pkg/testkit/world"
)

func TestPayment_Captured_ActivatesInvoicesAndBooksThePlan(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	require.Equal(t, money.FromRupees(1_59_300), r.Amount)
	require.Equal(t, "159300.00", r.Session.Fields["amount"])
	require.Equal(t, r.TransactionID, r.Session.Fields["txnid"])
	require.LessOrEqual(t, len(r.TransactionID), 25)
	require.Equal(t, "created", b.State(r))
	require.Zero(t, b.Count(`SELECT count(*) FROM subscriptions`), "nobody is active before paying")

	b.Settle(r, payment.StatusPaid)
	require.Equal(t, "paid", b.State(r))
	require.Equal(t, "active 2026-11-02 2027-11-02", b.Text(`SELECT concat_ws(' ', state, starts_on, renew_on) FROM subscriptions`))
	require.Equal(t, "paid", b.Text(`SELECT state FROM orders WHERE id = $1`, r.OrderID))
	require.Equal(t, "FP/26-27/000001 15930000", b.Text(`SELECT concat_ws(' ', number, total_paise) FROM invoices`))
	require.Equal(t, 2, b.Count(`SELECT count(*) FROM ledger_journals`))
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM river_job WHERE kind = 'render_invoice'`))
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM subscription_events WHERE kind = 'new'`))
	b.Balanced()
}

func TestReturned_SameCallbackAHundredTimesConcurrently_HasOneEffect(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Gateway.Decide(r.TransactionID, payment.StatusPaid, r.Amount)
	notice := b.Gateway.Notice(r.TransactionID)
	var callbacks errgroup.Group
	callbacks.SetLimit(15)
	for range 100 {
		callbacks.Go(func() error {
			_, err := b.API.Notices.Returned(t.Context(), notice)
			return err
		})
	}
	require.NoError(t, callbacks.Wait())
	var verifications errgroup.Group
	verifications.SetLimit(15)
	paymentID := b.Text(`SELECT id FROM payments`)
	for range 100 {
		verifications.Go(func() error {
			return b.Worker.Captures.Verify(t.Context(), payment.VerifyArgs{PaymentID: paymentID, Event: "e"})
		})
	}
	require.NoError(t, verifications.Wait())
	b.Work()
	for table, want := range map[string]int{
		"subscriptions": 1, "terms": 1, "invoices": 1, "orders WHERE state = 'paid'": 1, "refunds": 0, "ledger_journals": 2,
		"payment_events WHERE source = 'callback'": 1, "subscription_events": 1,
		"customer_messages WHERE template = 'payment_received'": 1, "customer_messages WHERE template = 'payment_email'": 1,
	} {
		require.Equal(t, want, b.Count(`SELECT count(*) FROM `+table), table)
	}
	b.Balanced()
}

func TestRequest_TwentyConcurrentRequests_MakeOneCharge(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var requests errgroup.Group
	ids := make(chan string, 20)
	for range 20 {
		requests.Go(func() error {
			r, err := b.Request(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
			ids <- r.TransactionID
			return err
		})
	}
	require.NoError(t, requests.Wait())
	close(ids)
	first := <-ids
	for other := range ids {
		require.Equal(t, first, other)
	}
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM payments`))
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM orders`))
}

func TestRequest_RepeatedKey_ReturnsTheFirstAndRefusesAnotherBody(t *testing.T) {
	t.Parallel()
	b := setup(t)
	in := checkout.Input{Intent: story.Buy(b.Tier(0, 0), plan.TypeYearly), Key: "key-00000001", Request: [32]byte{1}}
	first, err := b.API.Checkout.Request(t.Context(), b.Buyer, in)
	require.NoError(t, err)
	again, err := b.API.Checkout.Request(t.Context(), b.Buyer, in)
	require.NoError(t, err)
	require.Equal(t, first, again)
	other := in
	other.Request = [32]byte{2}
	_, err = b.API.Checkout.Request(t.Context(), b.Buyer, other)
	require.ErrorIs(t, err, payment.ErrKeyReused)
	_, err = b.API.Checkout.Request(t.Context(), b.Franchiser("29"), other)
	require.NoError(t, err, "another franchiser's keys are its own")

	b.Clock.Advance(25 * time.Hour)
	large := other
	large.Intent = story.Buy(b.Tier(3, 2), plan.TypeYearly)
	_, err = b.API.Checkout.Request(t.Context(), b.Buyer, large)
	require.NoError(t, err, "a day later the key is free")
}

func TestRequest_WithoutAddressOrWithAnotherPrice_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.Request(b.Franchiser(""), story.Buy(b.Tier(0, 0), plan.TypeYearly))
	require.ErrorIs(t, err, address.ErrMissing)
	wrong := money.FromRupees(1_59_299)
	_, err = b.API.Checkout.Request(t.Context(), b.Buyer, checkout.Input{Intent: story.Buy(b.Tier(0, 0), plan.TypeYearly), ExpectedTotal: &wrong})
	require.ErrorIs(t, err, checkout.ErrPriceChanged)
	require.Zero(t, b.Count(`SELECT count(*) FROM orders`))
	require.Zero(t, b.Count(`SELECT count(*) FROM payments`))
}

func TestCapture_AmountWrongByOnePaisa_IsHeld(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Gateway.Decide(r.TransactionID, payment.StatusPaid, r.Amount-1)
	_, err := b.API.Notices.Returned(t.Context(), b.Gateway.Notice(r.TransactionID))
	require.NoError(t, err)
	b.Work()
	require.Equal(t, "held", b.State(r))
	require.Zero(t, b.Count(`SELECT count(*) FROM subscriptions`))
	require.Zero(t, b.Count(`SELECT count(*) FROM invoices WHERE kind = 'invoice'`))

	paymentID := b.Text(`SELECT id FROM payments`)
	asked, err := b.Reversals.RequestRelease(b.Asha.Sign(t.Context()), b.Asha, b.Buyer, paymentID, "The amount differed.", "release-1")
	require.NoError(t, err)
	_, err = b.Reversals.Approve(b.Ravi.Sign(t.Context()), b.Ravi, asked.ID, "I looked at it too")
	require.NoError(t, err)
	require.NoError(t, b.Worker.Reversals.Reverse(t.Context(), asked.ID))
	b.Balanced()
	_, err = b.Reversals.RequestRelease(b.Asha.Sign(t.Context()), b.Asha, b.Buyer, paymentID, "again", "release-2")
	require.ErrorIs(t, err, reversal.ErrNotHeld)
	b.Work()
	require.Equal(t, "refunded", b.State(r))
	require.Equal(t, int(r.Amount-1), b.Count(`SELECT amount_paise FROM refunds WHERE state = 'done'`))
	b.Balanced()
}

func TestReturned_ForgedForm_ChangesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	good := b.Gateway.Notice(r.TransactionID)
	for name, form := range map[string]map[string]string{
		"no hash":      {"txnid": r.TransactionID, "status": "paid"},
		"bad hash":     {"txnid": r.TransactionID, "status": "paid", "hash": "00"},
		"other's hash": {"txnid": r.TransactionID, "status": "paid", "hash": good.Form["hash"]},
	} {
		_, err := b.API.Notices.Returned(t.Context(), payment.Incoming{Form: form})
		require.ErrorIs(t, err, payment.ErrSignature, name)
	}
	unknown := map[string]string{"txnid": "FP0", "status": "paid"}
	unknown["hash"] = world.Sign(unknown)
	_, err := b.API.Notices.Returned(t.Context(), payment.Incoming{Form: unknown})
	require.ErrorIs(t, err, payment.ErrUnknownTransaction)
	card := map[string]string{"txnid": r.TransactionID, "status": "paid", "note": "4111 1111 1111 1111"}
	card["hash"] = world.Sign(card)
	_, err = b.API.Notices.Returned(t.Context(), payment.Incoming{Form: card})
	require.Error(t, err)
	require.Zero(t, b.Count(`SELECT count(*) FROM payment_events`))

	signed := map[string]string{"txnid": r.TransactionID, "status": "paid"}
	signed["hash"] = world.Sign(signed)
	_, err = b.API.Notices.Returned(t.Context(), payment.Incoming{Form: signed})
	require.NoError(t, err)
	b.Work()
	require.Equal(t, "created", b.State(r), "a signed word is not believed either: the gateway never saw it")
}

func TestPayment_FailedCanBecomePaidAndPaidStaysPaid(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Settle(r, payment.StatusFailed)
	require.Equal(t, "failed", b.State(r))

	b.Gateway.Decide(r.TransactionID, payment.StatusPaid, r.Amount)
	b.Pass(2 * time.Hour)
	require.Equal(t, "paid", b.State(r), "the schedule finds a late success by itself")

	b.Settle(r, payment.StatusFailed)
	require.Equal(t, "paid", b.State(r))
	_, err := b.DB.Owner.Exec(`UPDATE payments SET state = 'failed'`)
	require.ErrorContains(t, err, "does not go from paid to failed")
	b.Balanced()
}

// Given a failed payment, then the result page does not claim that no money left the account while the gateway is still queried: a failed
// payment can become paid.
func TestFailedPayment_GatewayStillQueried_DoesNotPromiseThatNoMoneyMoved(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Settle(r, payment.StatusFailed)
	require.Equal(t, history.ChargedUnknown, b.result(r)[2])
	b.Pass(4 * 24 * time.Hour)
	require.Equal(t, history.ChargedUnknown, b.result(r)[2])
	b.Pass(2 * 24 * time.Hour)
	require.Equal(t, []string{"failed", history.NotCharged}, []string{b.result(r)[0], b.result(r)[2]}, "after five days of asking")
}

// Given a second capture that is refunded, then the payment's row shows the refund and its own state.
func TestPayments_SecondCaptureRefunded_IsShownInTheRow(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	require.Empty(t, b.backOf().SecondCaptures)
	b.Gateway.Change(r.TransactionID, func(o *payment.Outcome) {
		o.Others = []payment.Capture{{GatewayPaymentID: "ANOTHER", Amount: r.Amount}}
	})
	require.NoError(t, b.Worker.Captures.Verify(t.Context(), payment.VerifyArgs{PaymentID: b.PaymentOf(r), Event: "x"}))
	asked := b.Clock.Now()
	require.Equal(t, []history.SecondCapture{{Amount: r.Amount, State: history.SecondCaptureOnItsWay, At: asked}}, b.backOf().SecondCaptures)
	b.Work()
	again := b.backOf().SecondCaptures
	require.Len(t, again, 1)
	require.Equal(t, history.SecondCaptureReturned, again[0].State)
	require.False(t, again[0].DoneAt.IsZero())
	require.Equal(t, history.BackNone, b.backOf().State(), "the payment itself is whole")
	require.NotContains(t, b.result(r)[1], "refund")
}

func TestPayment_SecondTryOfAnOrderPaidToo_IsRefunded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Settle(first, payment.StatusFailed)
	second := b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	require.NotEqual(t, first.TransactionID, second.TransactionID)
	require.Equal(t, first.OrderID, second.OrderID)
	b.Settle(second, payment.StatusPaid)
	b.Settle(first, payment.StatusPaid)
	require.Equal(t, "refunded", b.State(first))
	require.Equal(t, "paid", b.State(second))
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM invoices`))
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM terms`))
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM refunds WHERE state = 'done' AND reason = 'surplus'`))
	for _, times := range b.Gateway.RefundRequests() {
		require.Equal(t, 1, times)
	}
	b.Balanced()
}

func TestPayment_TransactionCapturedTwice_IsRefundedOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Gateway.Change(r.TransactionID, func(o *payment.Outcome) { o.GatewayPaymentID = "ANOTHER" })
	paymentID := b.Text(`SELECT id FROM payments`)
	for range 3 {
		require.NoError(t, b.Worker.Captures.Verify(t.Context(), payment.VerifyArgs{PaymentID: paymentID, Event: "x"}))
	}
	b.Work()
	require.Equal(t, "paid", b.State(r))
	require.Equal(t, "ANOTHER done", b.Text(`SELECT concat_ws(' ', gateway_payment_id, state) FROM refunds`))
	b.Balanced()
}

func TestSupersededCharge_PaidAfterTheNewOne_IsRefunded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	second := b.Ask(b.Buyer, story.Buy(b.Tier(1, 1), plan.TypeYearly))
	require.NotEqual(t, first.OrderID, second.OrderID)
	require.Equal(t, "superseded", b.Text(`SELECT state FROM orders WHERE id = $1`, first.OrderID))
	b.Settle(second, payment.StatusPaid)
	b.Settle(first, payment.StatusPaid)
	require.Equal(t, "refunded", b.State(first))
	require.Equal(t, b.Tier(1, 1).ID, b.Text(`SELECT service_id FROM subscriptions`))
	b.Balanced()
}

func TestSupersededCharge_PaidBeforeTheNewOne_Counts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	second := b.Ask(b.Buyer, story.Buy(b.Tier(1, 1), plan.TypeYearly))
	b.Settle(first, payment.StatusPaid)
	require.Equal(t, "paid", b.State(first))
	require.Equal(t, b.Tier(0, 0).ID, b.Text(`SELECT service_id FROM subscriptions`))
	b.Settle(second, payment.StatusPaid)
	require.Equal(t, "refunded", b.State(second))
	b.Balanced()
}

func TestCharge_GatewayNeverReportsAPayment_IsQueriedOnScheduleThenExpires(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Gateway.SetDown(true)
	b.Pass(time.Minute + time.Second)
	b.Pass(4 * time.Minute)
	require.Equal(t, "created", b.State(r))
	b.Gateway.SetDown(false)
	b.Gateway.Decide(r.TransactionID, payment.StatusPending, r.Amount)
	b.Pass(6 * time.Minute)
	require.Equal(t, "pending", b.State(r))
	for range 6 {
		b.Pass(25 * time.Hour)
	}
	require.Equal(t, "expired", b.State(r))
	asked := b.Gateway.Verified()
	b.Pass(48 * time.Hour)
	require.Equal(t, asked, b.Gateway.Verified(), "nobody asks for ever")
}

func TestCharge_EveryWebhookLost_IsFoundWithinFifteenMinutes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Gateway.Decide(r.TransactionID, payment.StatusPaid, r.Amount)
	b.Pass(15 * time.Minute)
	require.Equal(t, "paid", b.State(r))
}

func TestSweep_PaymentWithoutAJob_EnqueuesItsCheck(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Gateway.Decide(r.TransactionID, payment.StatusPaid, r.Amount)
	_, err := b.DB.Owner.Exec(`DELETE FROM river_job`)
	require.NoError(t, err)
	b.Clock.Advance(time.Hour)
	require.NoError(t, b.Worker.Captures.Sweep(t.Context()))
	require.NoError(t, b.Worker.Captures.Sweep(t.Context()))
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM river_job WHERE kind = 'verify_payment'`))
	b.Work()
	require.Equal(t, "paid", b.State(r))
}

func TestRefund_ReportedBeforeThePayment_IsAppliedAfterIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	require.NoError(t, b.API.Notices.Notified(t.Context(), "fake", b.Gateway.RefundNotice(r.TransactionID, "R1", money.FromRupees(1000))))
	b.Work()
	require.Zero(t, b.Count(`SELECT count(*) FROM refunds`))
	b.Settle(r, payment.StatusPaid)
	require.Equal(t, "done 100000", b.Text(`SELECT concat_ws(' ', state, amount_paise) FROM refunds`))
	require.Equal(t, "CN/26-27/000001", b.Text(`SELECT number FROM invoices WHERE kind = 'credit_note'`))
	require.Equal(t, "paid", b.State(r), "only a part went back")
	b.Balanced()
}

func TestRowSecurity_AnotherFranchiser_SeesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	for _, table := range []string{
		"subscriptions", "orders", "order_lines", "terms", "payments", "payment_events", "refunds", "idempotency_keys",
		"subscription_events", "subscription_add_ons", "renewal_reminders",
	} {
		var n int
		require.NoError(t, b.DB.API.Get(&n, `SELECT count(*) FROM `+table), table)
		require.Zero(t, n, table)
	}
	_, err := b.Request(b.Franchiser("29"), world.Renewal(b.Text(`SELECT id FROM subscriptions`)))
	require.ErrorContains(t, err, "not_found")
}

func TestErasure_KeepsPaymentsAndRefundsLaterOnes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	late := b.Ask(b.Buyer, story.Buy(b.Tier(1, 0), plan.TypeYearly))
	tx, err := b.DB.Worker.Beginx()
	require.NoError(t, err)
	section, data, err := payment.PersonalData{}.ExportTx(t.Context(), tx, b.Buyer)
	require.NoError(t, err)
	require.Equal(t, "orders", section)
	require.Len(t, data, 2)
	require.NoError(t, payment.PersonalData{}.EraseTx(t.Context(), tx, b.Buyer))
	require.NoError(t, tx.Commit())
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM orders WHERE recipient IS NOT NULL`))
	b.Settle(late, payment.StatusPaid)
	require.Equal(t, "refunded", b.State(late))
	b.Balanced()
}
