package payment_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/reversal"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/settlement"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit/story"
	"github.com/franchise360/franchise360/pkg/testkit/world"
)

func TestLostDispute_IsBookedAndEndsThePlan(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly, b.Tier(0, 0).AddOns[0].ID))
	b.Live(40)
	b.Dispute(r, "D1", payment.DisputeOutcome{State: payment.DisputeOpen, Amount: r.Amount})
	require.Equal(t, "open", b.Text(`SELECT state FROM disputes`))
	require.Contains(t, b.Standing(b.Buyer), "active", "nothing is decided yet")

	for range 2 { // the gateway reports it twice
		b.Dispute(r, "D1", payment.DisputeOutcome{State: payment.DisputeLost, Amount: r.Amount})
	}
	require.Equal(t, "lost", b.Text(`SELECT state FROM disputes`))
	require.Equal(t, "refunded", b.State(r))
	require.Equal(t, "dispute done D1", b.Text(`SELECT concat_ws(' ', reason, state, gateway_refund_id) FROM refunds`))
	unused := money.FromRupees(1_35_000).Prorate(325, 365) + money.FromRupees(90_000).Prorate(325, 365)
	credited := unused + money.FromRupees(1_35_000).Prorate(325, 365).MulBps(1800) + money.FromRupees(90_000).Prorate(325, 365).MulBps(1800)
	require.Equal(t, credited, money.Paise(b.Count(`SELECT total_paise FROM invoices WHERE kind = 'credit_note'`)), "forty days were used")
	require.Equal(t, r.Amount-credited, b.Balance("chargebacks"), "what was used is lost")
	require.Equal(t, -(money.FromRupees(2_25_000).MulBps(1800) - (credited - unused)), b.Balance("output_igst"), "its tax stays due")
	require.Empty(t, b.Gateway.RefundRequests(), "no refund is asked for on top of it")
	for _, account := range []string{"gateway_clearing", "customer_credit", "receivable"} {
		require.Zero(t, b.Balance(account), account)
	}
	require.Equal(t, "expired 2026-11-02 2026-12-12 2026-12-12", b.Standing(b.Buyer))
	require.Equal(t, "Your plan ended on 11 Dec 2026 with a refund", b.Message(b.Buyer))
	b.Balanced()

	b.Live(1)
	require.Zero(t, b.Count(`SELECT count(*) FROM subscription_add_ons WHERE ended_on IS NULL AND paid_until > '2026-12-12'`))
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	up := b.Ask(b.Buyer, story.Buy(b.Tier(3, 2), plan.TypeYearly))
	require.LessOrEqual(t, b.Count(`SELECT coalesce(sum(taxable_paise), 0) FROM order_credits WHERE order_id = $1`, up.OrderID), int(money.FromRupees(12_500)),
		"what was taken back is credited to nothing")

	b.Gateway.Lines = []settlement.Line{
		world.Line(r, b.Clock.Now()), world.BackLine(settlement.KindChargeback, r, "D1", r.Amount, b.Clock.Now()),
	}
	require.Empty(t, b.compare(subscription.DayOf(b.Clock.Now())), "the gateway keeps it back from what it pays out")
	b.Balanced()
}

func TestLostDispute_OfRefundedMoney_IsBookedAsALoss(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	require.NoError(t, b.GiveBack(b.Text(`SELECT id FROM payments`), money.FromRupees(60_000)))
	b.Dispute(r, "D1", payment.DisputeOutcome{State: payment.DisputeLost, Amount: r.Amount})
	require.Equal(t, money.FromRupees(60_000), b.Balance("chargebacks"))
	require.Equal(t, -money.FromRupees(60_000), b.Balance("gateway_clearing"))
	require.Equal(t, int(r.Amount), b.Count(`SELECT sum(total_paise) FROM invoices WHERE kind = 'credit_note'`))
	require.Equal(t, "refunded", b.State(r))
	b.Balanced()
}

func TestDispute_WonOrPartlyLost_KeepsThePlan(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Dispute(r, "D1", payment.DisputeOutcome{State: payment.DisputeWon, Amount: r.Amount})
	require.Zero(t, b.Count(`SELECT count(*) FROM refunds`))
	b.Dispute(r, "D2", payment.DisputeOutcome{State: payment.DisputeLost, Amount: 100})
	require.Equal(t, "won lost", b.Text(`SELECT string_agg(state, ' ' ORDER BY gateway_dispute_id) FROM disputes`))
	require.Contains(t, b.Standing(b.Buyer), "active")
	require.Equal(t, "paid", b.State(r))
	b.Balanced()
}

func TestLostDispute_OfTheNextTerm_EndsOnlyThatTerm(t *testing.T) {
	t.Parallel()
	b := setup(t)
	t00 := b.Tier(0, 0)
	b.Pay(b.Buyer, story.Buy(t00, plan.TypeMonthly, t00.AddOns[0].ID))
	b.Live(25)
	extra := b.Pay(b.Buyer, b.AddOns(b.Buyer, t00.AddOns[2].ID))
	next := b.Pay(b.Buyer, b.Renewal(b.Buyer))
	require.Equal(t, "active 2026-11-02 2026-12-02 2027-01-02", b.Standing(b.Buyer))
	b.Dispute(next, "D1", payment.DisputeOutcome{State: payment.DisputeLost, Amount: next.Amount})
	require.Equal(t, "active 2026-11-02 2026-12-02 2026-12-02", b.Standing(b.Buyer))
	require.Equal(t, 2, b.Count(`SELECT count(*) FROM subscription_add_ons WHERE paid_until = '2026-12-02' AND ended_on IS NULL`))
	b.Dispute(extra, "D2", payment.DisputeOutcome{State: payment.DisputeLost, Amount: extra.Amount})
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM subscription_add_ons WHERE ended_on IS NULL`))
	require.Contains(t, b.Standing(b.Buyer), "active")
	b.Pay(b.Buyer, b.Renewal(b.Buyer))
	require.Equal(t, "active 2026-11-02 2026-12-02 2027-01-02", b.Standing(b.Buyer), "it can be renewed again")
	b.Balanced()
}

func TestChargeback_GatewayWithoutDisputeQueries_IsBookedByStaff(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	paymentID := b.Text(`SELECT id FROM payments`)
	asked, err := b.Reversals.RequestChargeback(b.Asha.Sign(t.Context()), b.Asha, b.Buyer, paymentID, "CB-1", "lost, see the gateway's letter", id.New())
	require.NoError(t, err)
	_, err = b.Reversals.Approve(b.Ravi.Sign(t.Context()), b.Ravi, asked.ID, "letter read")
	require.NoError(t, err)
	b.Work()
	require.NoError(t, b.Worker.Reversals.Reverse(t.Context(), asked.ID))
	require.Equal(t, "refunded", b.State(r))
	require.Equal(t, "lost CB-1", b.Text(`SELECT concat_ws(' ', state, gateway_dispute_id) FROM disputes`))
	require.Equal(t, "expired 2026-11-02 2026-11-03 2026-11-03", b.Standing(b.Buyer), "a term has a day at least")
	b.Balanced()
}

func TestChargeback_ContradictsADisputeOfThePayment_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	half := money.FromRupees(500)
	silent := gatewayOf(b.WorkerWith, &mute{b.Gateway})
	require.NoError(t, b.hint("dispute", r, "D1", half))
	require.NoError(t, silent.Captures.Verify(t.Context(), payment.VerifyArgs{PaymentID: b.PaymentOf(r), Event: "dispute"}))
	book := func(number string, amount money.Paise) error {
		_, err := b.Reversals.Request(b.Asha.Sign(t.Context()), b.Asha, reversal.Input{
			FranchiserID: b.Buyer, PaymentID: b.PaymentOf(r), Kind: reversal.KindChargeback, DisputeID: number, Amount: amount, All: amount == 0,
			Reason: "lost, see the letter", Key: id.New(),
		})
		return err
	}
	for _, number := range []string{"D2", "d1", b.Text(`SELECT id FROM disputes`)} {
		require.ErrorContains(t, book(number, half), "has the number D1", number)
	}
	for _, amount := range []money.Paise{half + 1, 0} {
		require.ErrorContains(t, book("D1", amount), "Dispute D1 is about ₹500", amount)
	}
	require.NoError(t, book("D1", half))
	_, err := b.Reversals.Approve(b.Ravi.Sign(t.Context()), b.Ravi, b.Text(`SELECT id FROM reversals`), "letter read")
	require.NoError(t, err)
	require.NoError(t, silent.Reversals.Reverse(t.Context(), b.Text(`SELECT id FROM reversals`)))
	require.Equal(t, "lost D1 50000", b.Text(`SELECT string_agg(concat_ws(' ', state, gateway_dispute_id, amount_paise), ', ') FROM disputes`))
	require.NoError(t, book("D2", half), "the first dispute is decided")
	b.Balanced()
}

func TestChargeback_OtherDisputeOpensBeforeItIsApproved_Fails(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	asked, err := b.Reversals.RequestChargeback(b.Asha.Sign(t.Context()), b.Asha, b.Buyer, b.PaymentOf(r), "D2", "lost, see the letter", id.New())
	require.NoError(t, err)
	b.Dispute(r, "D1", payment.DisputeOutcome{State: payment.DisputeOpen, Amount: r.Amount})
	_, err = b.Reversals.Approve(b.Ravi.Sign(t.Context()), b.Ravi, asked.ID, "letter read")
	require.NoError(t, err)
	b.Work()
	require.Equal(t, "failed", b.Text(`SELECT state FROM reversals`))
	require.Contains(t, b.Text(`SELECT failure FROM reversals`), "has the number D1")
	require.Equal(t, "paid", b.State(r))
	b.Balanced()
}
