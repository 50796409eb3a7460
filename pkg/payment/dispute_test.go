package payment_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/settlement"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit/world"
)

// dispute tells of a dispute and does what follows.
func (b *bundle) dispute(r payment.Requested, disputeID string, o payment.DisputeOutcome) {
	b.t.Helper()
	require.NoError(b.t, b.api.Notified(b.t.Context(), "fake", b.gateway.DisputeNotice(r.TransactionID, disputeID, o)))
	b.work()
}

func (b *bundle) balance(account string) money.Paise {
	b.t.Helper()
	return money.Paise(b.count(`SELECT coalesce(sum(debit_paise - credit_paise), 0) FROM ledger_lines WHERE account = $1`, account))
}

func TestALostDisputeIsBookedAndEndsThePlan(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.pay(b.owner, buy(b.tier(0, 0), plan.TypeYearly, b.tier(0, 0).AddOns[0].ID))
	b.live(40)
	b.dispute(r, "D1", payment.DisputeOutcome{State: payment.DisputeOpen, Amount: r.Amount})
	require.Equal(t, "open", b.text(`SELECT state FROM disputes`))
	require.Contains(t, b.standing(b.owner), "active", "nothing is decided yet")

	for range 2 { // the gateway tells of it twice
		b.dispute(r, "D1", payment.DisputeOutcome{State: payment.DisputeLost, Amount: r.Amount})
	}
	require.Equal(t, "lost", b.text(`SELECT state FROM disputes`))
	require.Equal(t, "refunded", b.state(r))
	require.Equal(t, "dispute done D1", b.text(`SELECT concat_ws(' ', reason, state, gateway_refund_id) FROM refunds`))
	unused := money.FromRupees(1_35_000).Prorate(325, 365) + money.FromRupees(90_000).Prorate(325, 365)
	credited := unused + money.FromRupees(1_35_000).Prorate(325, 365).MulBps(1800) + money.FromRupees(90_000).Prorate(325, 365).MulBps(1800)
	require.Equal(t, credited, money.Paise(b.count(`SELECT total_paise FROM invoices WHERE kind = 'credit_note'`)), "forty days were used")
	require.Equal(t, r.Amount-credited, b.balance("chargebacks"), "what was used is lost")
	require.Equal(t, -(money.FromRupees(2_25_000).MulBps(1800) - (credited - unused)), b.balance("output_igst"), "its tax stays due")
	require.Empty(t, b.gateway.RefundRequests(), "no refund is asked for on top of it")
	for _, account := range []string{"gateway_clearing", "customer_credit", "receivable"} {
		require.Zero(t, b.balance(account), account)
	}
	require.Equal(t, "expired 2026-11-02 2026-12-12 2026-12-12", b.standing(b.owner))
	require.Equal(t, "Your plan ended on 11 Dec 2026 because its payment went back to you", b.message(b.owner))
	b.books()

	b.live(1)
	require.Zero(t, b.count(`SELECT count(*) FROM subscription_add_ons WHERE ended_on IS NULL AND paid_until > '2026-12-12'`))
	b.pay(b.owner, buy(b.tier(0, 0), plan.TypeMonthly))
	up := b.ask(b.owner, buy(b.tier(3, 2), plan.TypeYearly))
	require.LessOrEqual(t, b.count(`SELECT coalesce(sum(taxable_paise), 0) FROM order_credits WHERE order_id = $1`, up.OrderID), int(money.FromRupees(12_500)),
		"what was taken back is credited to nothing")

	b.gateway.Lines = []settlement.Line{
		world.Line(r, b.clock.Now()), world.BackLine(settlement.KindChargeback, r, "D1", r.Amount, b.clock.Now()),
	}
	require.Empty(t, b.compare(subscription.DayOf(b.clock.Now())), "the gateway keeps it back from what it pays out")
	b.books()
}

func TestADisputeOfMoneyThatWentBackBeforeIsALoss(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.pay(b.owner, buy(b.tier(0, 0), plan.TypeYearly))
	require.NoError(t, b.giveBack(b.text(`SELECT id FROM payments`), money.FromRupees(60_000)))
	b.dispute(r, "D1", payment.DisputeOutcome{State: payment.DisputeLost, Amount: r.Amount})
	require.Equal(t, money.FromRupees(60_000), b.balance("chargebacks"))
	require.Equal(t, -money.FromRupees(60_000), b.balance("gateway_clearing"))
	require.Equal(t, int(r.Amount), b.count(`SELECT sum(total_paise) FROM invoices WHERE kind = 'credit_note'`))
	require.Equal(t, "refunded", b.state(r))
	b.books()
}

func TestAPartlyLostAndAWonDisputeLeaveThePlan(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.pay(b.owner, buy(b.tier(0, 0), plan.TypeYearly))
	b.dispute(r, "D1", payment.DisputeOutcome{State: payment.DisputeWon, Amount: r.Amount})
	require.Zero(t, b.count(`SELECT count(*) FROM refunds`))
	b.dispute(r, "D2", payment.DisputeOutcome{State: payment.DisputeLost, Amount: 100})
	require.Equal(t, "won lost", b.text(`SELECT string_agg(state, ' ' ORDER BY gateway_dispute_id) FROM disputes`))
	require.Contains(t, b.standing(b.owner), "active")
	require.Equal(t, "paid", b.state(r))
	b.books()
}

func TestALostDisputeOfTheNextTermTakesThatTermAlone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	t00 := b.tier(0, 0)
	b.pay(b.owner, buy(t00, plan.TypeMonthly, t00.AddOns[0].ID))
	b.live(25)
	extra := b.pay(b.owner, b.addOns(b.owner, t00.AddOns[2].ID))
	next := b.pay(b.owner, b.renewal(b.owner))
	require.Equal(t, "active 2026-11-02 2026-12-02 2027-01-02", b.standing(b.owner))
	b.dispute(next, "D1", payment.DisputeOutcome{State: payment.DisputeLost, Amount: next.Amount})
	require.Equal(t, "active 2026-11-02 2026-12-02 2026-12-02", b.standing(b.owner))
	require.Equal(t, 2, b.count(`SELECT count(*) FROM subscription_add_ons WHERE paid_until = '2026-12-02' AND ended_on IS NULL`))
	b.dispute(extra, "D2", payment.DisputeOutcome{State: payment.DisputeLost, Amount: extra.Amount})
	require.Equal(t, 1, b.count(`SELECT count(*) FROM subscription_add_ons WHERE ended_on IS NULL`))
	require.Contains(t, b.standing(b.owner), "active")
	b.pay(b.owner, b.renewal(b.owner))
	require.Equal(t, "active 2026-11-02 2026-12-02 2027-01-02", b.standing(b.owner), "it can be renewed again")
	b.books()
}

func TestStaffBookADisputeOfAGatewayThatCannotBeAsked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.pay(b.owner, buy(b.tier(0, 0), plan.TypeYearly))
	paymentID := b.text(`SELECT id FROM payments`)
	asked, err := b.desk.RequestChargeback(b.asha.Sign(t.Context()), b.asha, b.owner, paymentID, "CB-1", "lost, see the gateway's letter", id.New())
	require.NoError(t, err)
	_, err = b.desk.Approve(b.ravi.Sign(t.Context()), b.ravi, asked.ID, "letter read")
	require.NoError(t, err)
	b.work()
	require.NoError(t, b.worker.Reverse(t.Context(), asked.ID))
	require.Equal(t, "refunded", b.state(r))
	require.Equal(t, "lost CB-1", b.text(`SELECT concat_ws(' ', state, gateway_dispute_id) FROM disputes`))
	require.Equal(t, "expired 2026-11-02 2026-11-03 2026-11-03", b.standing(b.owner), "a term has a day at least")
	b.books()
}

func (b *bundle) message(franchiser string) string {
	b.t.Helper()
	m, _, err := b.apiSubs().Message(b.t.Context(), franchiser)
	require.NoError(b.t, err)
	return m
}
