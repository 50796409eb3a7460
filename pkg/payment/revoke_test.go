package payment_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// keepOrEnd has Asha ask for money back, with her choice for the plan, Ravi approve it where needed, and the worker do it.
func (b *bundle) keepOrEnd(r payment.Requested, amount money.Paise, keep bool) {
	b.t.Helper()
	asked, err := b.desk.Request(b.asha.Sign(context.Background()), b.asha, payment.ReversalInput{
		FranchiserID: b.text(`SELECT franchiser_id FROM payments WHERE transaction_id = $1`, r.TransactionID), PaymentID: b.paymentOf(r),
		Kind: payment.ReversalRefund, Amount: amount, All: amount == 0, KeepPlan: keep, Reason: "as agreed", Key: id.New(),
	})
	require.NoError(b.t, err)
	if asked.State == payment.ReversalWaiting {
		_, err = b.desk.Approve(b.ravi.Sign(context.Background()), b.ravi, asked.ID, "as agreed")
		require.NoError(b.t, err)
	}
	b.work()
}

func (b *bundle) paymentOf(r payment.Requested) string {
	b.t.Helper()
	return b.text(`SELECT id FROM payments WHERE transaction_id = $1`, r.TransactionID)
}

// orderLine is what the list of orders says of the newest order but so many: its status and days.
func (b *bundle) orderLine(skipped int) string {
	b.t.Helper()
	rows, _, err := b.api.Orders(context.Background(), b.owner, payment.Query{Offset: skipped, Limit: 1})
	require.NoError(b.t, err)
	require.Len(b.t, rows, 1)
	return rows[0].Status + " " + rows[0].EndsOn.String() + " " + rows[0].RenewsOn.String()
}

func (b *bundle) revoked() int {
	b.t.Helper()
	return b.count(`SELECT count(*) FROM subscription_events WHERE kind = 'revoked'`)
}

func TestAFullRefundEndsThePlanOnThatDay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.pay(b.owner, buy(b.tier(0, 0), plan.TypeYearly, b.tier(0, 0).AddOns[0].ID))
	b.live(40)
	b.keepOrEnd(r, 0, false)
	require.Equal(t, "refunded", b.state(r))
	require.Equal(t, "expired 2026-11-02 2026-12-12 2026-12-12", b.standing(b.owner))
	require.Equal(t, "Your plan ended on 11 Dec 2026 because its payment went back to you", b.message(b.owner))
	require.Equal(t, 1, b.revoked())
	b.books()
	bill, err := b.subs.NextBill(t.Context(), b.owner)
	require.NoError(t, err)
	require.Nil(t, bill, "there is no next bill of a plan that ended so")
	require.Equal(t, "Refunded 2026-12-11 -", b.orderLine(0))
	b.live(1)
	require.Zero(t, b.count(`SELECT count(*) FROM subscription_add_ons WHERE ended_on IS NULL AND paid_until > '2026-12-12'`))
	b.pay(b.owner, buy(b.tier(0, 0), plan.TypeMonthly))
	require.Contains(t, b.standing(b.owner), "active", "the customer may come back")
	require.Equal(t, "Active", b.orderLine(0)[:len("Active")])
	require.Equal(t, "Refunded 2026-12-11 -", b.orderLine(1))
	require.Empty(t, b.message(b.owner))
	b.books()
}

func TestAFullRefundAsGoodwillLeavesThePlan(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.pay(b.owner, buy(b.tier(0, 0), plan.TypeYearly))
	b.live(40)
	b.keepOrEnd(r, 0, true)
	require.Equal(t, "refunded", b.state(r))
	require.Equal(t, "active 2026-11-02 2027-11-02 2027-11-02", b.standing(b.owner))
	require.Equal(t, `true true`, b.text(`SELECT concat_ws(' ', min((after::jsonb -> 'keep_plan')::text), max((after::jsonb -> 'keep_plan')::text))
		FROM staff_actions WHERE action IN ('request_refund', 'approve_refund')`), "the record says what was chosen")
	b.books()

	b.dispute(r, "D1", payment.DisputeOutcome{State: payment.DisputeLost, Amount: r.Amount})
	require.Contains(t, b.standing(b.owner), "expired", "nobody keeps what he took the money back for twice")
	b.books()
}

func TestAPartialRefundLeavesThePlanAndTheLastOneDecides(t *testing.T) {
	t.Parallel()
	for keepLast, want := range map[bool]string{false: "expired", true: "active"} {
		b := setup(t)
		r := b.pay(b.owner, buy(b.tier(0, 0), plan.TypeYearly))
		b.keepOrEnd(r, r.Amount-1, !keepLast)
		require.Equal(t, "paid", b.state(r))
		require.Contains(t, b.standing(b.owner), "active")
		b.keepOrEnd(r, 1, keepLast)
		require.Equal(t, "refunded", b.state(r))
		require.Contains(t, b.standing(b.owner), want)
		b.books()
	}
}

// Given two refunds of one payment that take their time at the gateway, then nothing ends while one of them may still fail.
func TestThePlanEndsWhenTheMoneyIsBackAndNotBefore(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.pay(b.owner, buy(b.tier(0, 0), plan.TypeYearly))
	b.gateway.SetSlow(true)
	b.keepOrEnd(r, money.FromRupees(59_300), false)
	b.keepOrEnd(r, 0, false)
	refund := func(amount money.Paise, end payment.RefundOutcome) {
		end.RefundID = b.text(`SELECT gateway_refund_id FROM refunds WHERE amount_paise = $1 AND state = 'sent'`, int64(amount))
		b.gateway.EndRefund(end)
		require.NoError(t, b.worker.SendRefund(t.Context(), b.text(`SELECT id FROM refunds WHERE gateway_refund_id = $1`, end.RefundID)))
	}
	refund(money.FromRupees(59_300), payment.RefundOutcome{Done: true})
	require.Equal(t, "paid", b.state(r), "the rest is on its way only")
	refund(money.FromRupees(1_00_000), payment.RefundOutcome{Failed: true, Reason: "The account is closed"})
	require.Equal(t, "paid", b.state(r))
	require.Contains(t, b.standing(b.owner), "active")

	b.keepOrEnd(r, 0, false)
	refund(money.FromRupees(1_00_000), payment.RefundOutcome{Done: true})
	require.Equal(t, "refunded", b.state(r))
	require.Contains(t, b.standing(b.owner), "expired")
	b.books()
}

func TestARefundOfTheNextTermTakesThatTermAlone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.pay(b.owner, buy(b.tier(0, 0), plan.TypeMonthly))
	b.live(25)
	next := b.pay(b.owner, b.renewal(b.owner))
	require.Equal(t, "active 2026-11-02 2026-12-02 2027-01-02", b.standing(b.owner))
	b.keepOrEnd(next, 0, false)
	require.Equal(t, "active 2026-11-02 2026-12-02 2026-12-02", b.standing(b.owner))
	b.dispute(next, "D1", payment.DisputeOutcome{State: payment.DisputeLost, Amount: next.Amount})
	require.Equal(t, "active 2026-11-02 2026-12-02 2026-12-02", b.standing(b.owner), "once only: the running term was paid by another order")
	b.keepOrEnd(first, 0, false)
	require.Equal(t, "expired 2026-11-02 2026-11-27 2026-11-27", b.standing(b.owner))
	b.books()
}

func TestARefundOfARunningTermWhoseNextIsPaid(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.pay(b.owner, buy(b.tier(0, 0), plan.TypeMonthly))
	b.live(25)
	next := b.pay(b.owner, b.renewal(b.owner))
	b.keepOrEnd(first, 0, false)
	require.Equal(t, "active 2026-11-02 2026-12-02 2027-01-02", b.standing(b.owner), "the customer has paid for being here")
	require.Zero(t, b.revoked())
	b.keepOrEnd(next, 0, false)
	require.Equal(t, "expired 2026-11-02 2026-11-27 2026-11-27", b.standing(b.owner), "nothing of it is paid any more")
	require.Equal(t, 2, b.revoked())
	b.books()
}

func TestARefundOfAddOnsEndsThemAlone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	t00 := b.tier(0, 0)
	b.pay(b.owner, buy(t00, plan.TypeMonthly, t00.AddOns[0].ID))
	b.live(10)
	extra := b.pay(b.owner, b.addOns(b.owner, t00.AddOns[2].ID))
	require.Equal(t, 2, b.count(`SELECT count(*) FROM subscription_add_ons WHERE ended_on IS NULL`))
	b.keepOrEnd(extra, 0, false)
	require.Equal(t, 1, b.count(`SELECT count(*) FROM subscription_add_ons WHERE ended_on IS NULL`))
	require.Equal(t, "active 2026-11-02 2026-12-02 2026-12-02", b.standing(b.owner))
	b.books()
}

func TestARefundOfAnOldTermLeavesThePresentPlan(t *testing.T) {
	t.Parallel()
	b := setup(t)
	old := b.pay(b.owner, buy(b.tier(0, 0), plan.TypeMonthly))
	b.live(25)
	b.pay(b.owner, b.renewal(b.owner))
	b.live(20)
	require.Equal(t, "active 2026-12-02 2027-01-02 2027-01-02", b.standing(b.owner))
	b.keepOrEnd(old, 0, false)
	require.Equal(t, "refunded", b.state(old))
	require.Equal(t, "active 2026-12-02 2027-01-02 2027-01-02", b.standing(b.owner))
	b.books()
}

// Given an upgrade that was paid in part with the unused days of the plan before, when staff give back all that this plan has
// left, then the upgrade stays; when its bank takes back all of it, then the upgrade ends; but not a term after it, which was
// paid as a whole.
func TestMoneyBackOfWhatAnUpgradeTookOver(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.pay(b.owner, buy(b.tier(0, 0), plan.TypeYearly))
	b.live(10)
	b.pay(b.owner, buy(b.tier(3, 2), plan.TypeYearly))
	credited := money.Paise(b.count(`SELECT total_paise FROM invoices WHERE kind = 'credit_note'`))
	b.keepOrEnd(first, 0, false)
	require.Equal(t, first.Amount-credited, money.Paise(b.count(`SELECT amount_paise FROM refunds`)), "ten days were used")
	require.Contains(t, b.standing(b.owner), "active")
	b.books()
	b.dispute(first, "D1", payment.DisputeOutcome{State: payment.DisputeLost, Amount: first.Amount})
	require.Contains(t, b.standing(b.owner), "expired")
	b.books()

	b.owner = b.franchiser("29")
	first = b.pay(b.owner, buy(b.tier(0, 0), plan.TypeYearly))
	b.live(330)
	b.pay(b.owner, buy(b.tier(3, 2), plan.TypeMonthly))
	b.live(25)
	b.pay(b.owner, b.renewal(b.owner))
	b.live(8)
	before := b.standing(b.owner)
	require.Contains(t, before, "active")
	b.dispute(first, "D2", payment.DisputeOutcome{State: payment.DisputeLost, Amount: first.Amount})
	require.Equal(t, before, b.standing(b.owner))
	b.books()
}

func TestARefundOfAllMadeAtTheGatewayBeforeThePaymentWasKnown(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.ask(b.owner, buy(b.tier(0, 0), plan.TypeYearly))
	require.NoError(t, b.api.Notified(t.Context(), "fake", b.gateway.RefundNotice(r.TransactionID, "R1", r.Amount)))
	b.work()
	require.Zero(t, b.count(`SELECT count(*) FROM refunds`))
	b.settle(r, payment.StatusPaid)
	require.Equal(t, "refunded", b.state(r))
	require.Equal(t, "expired 2026-11-02 2026-11-03 2026-11-03", b.standing(b.owner), "a term has a day at least")
	require.Equal(t, 1, b.revoked())
	b.books()
}

// The gateway may tell of a refund before its answer to our request for it is stored.
func TestARefundThatIsHeardOfBeforeItsAnswerIsTheSameRefund(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.pay(b.owner, buy(b.tier(0, 0), plan.TypeYearly))
	asked, err := b.desk.RequestRefund(b.asha.Sign(t.Context()), b.asha, b.owner, b.paymentOf(r), money.FromRupees(500), "goodwill", "key-one-1")
	require.NoError(t, err)
	require.NoError(t, b.worker.Reverse(t.Context(), asked.ID))
	require.NoError(t, b.api.Notified(t.Context(), "fake",
		b.gateway.RefundNotice(r.TransactionID, "R"+b.text(`SELECT token FROM refunds`), money.FromRupees(500))))
	require.NoError(t, b.worker.Verify(t.Context(), payment.VerifyArgs{PaymentID: b.paymentOf(r), Event: "the notice"}))
	b.work()
	require.Zero(t, b.count(`SELECT count(*) FROM payment_events WHERE applied_at IS NULL`))
	require.Equal(t, "staff done 50000", b.text(`SELECT string_agg(concat_ws(' ', reason, state, amount_paise), ', ') FROM refunds`))
	require.Equal(t, 1, b.count(`SELECT count(*) FROM invoices WHERE kind = 'credit_note'`))
	b.books()
}

func TestTheGatewayGivesNothingBackBeyondTheWhole(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.pay(b.owner, buy(b.tier(0, 0), plan.TypeYearly))
	b.keepOrEnd(r, 0, false)
	require.NoError(t, b.api.Notified(t.Context(), "fake", b.gateway.RefundNotice(r.TransactionID, "R-more", 100)))
	b.work()
	require.Equal(t, 1, b.count(`SELECT count(*) FROM refunds`), "the comparison of the settlement tells staff")
	require.Zero(t, b.count(`SELECT count(*) FROM payment_events WHERE applied_at IS NULL`))
	b.books()
}

func TestAChoiceForThePlanIsPartOfTheRequest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.pay(b.owner, buy(b.tier(0, 0), plan.TypeYearly))
	in := payment.ReversalInput{
		FranchiserID: b.owner, PaymentID: b.paymentOf(r), Kind: payment.ReversalCreditNote, BankReference: "HDFCN52026112112345678",
		All: true, KeepPlan: true, Reason: "as agreed", Key: "key-one-1",
	}
	asked, err := b.desk.Request(b.asha.Sign(t.Context()), b.asha, in)
	require.NoError(t, err)
	require.True(t, asked.KeepPlan)
	other := in
	other.KeepPlan = false
	_, err = b.desk.Request(b.asha.Sign(t.Context()), b.asha, other)
	require.ErrorIs(t, err, payment.ErrKeyReused)
	found, err := b.desk.Find(b.asha.Sign(t.Context()), asked.ID)
	require.NoError(t, err)
	require.True(t, found.KeepPlan, "whoever approves it sees the choice")
	_, err = b.desk.Approve(b.ravi.Sign(t.Context()), b.ravi, asked.ID, "transfer seen")
	require.NoError(t, err)
	b.work()
	require.Equal(t, "refunded", b.state(r))
	require.Contains(t, b.standing(b.owner), "active")
	b.books()
}
