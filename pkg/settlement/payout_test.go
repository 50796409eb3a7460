package settlement_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/settlement"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit/world"
)

// nextDays lets days go by with the daily comparison.
func (b *bundle) nextDays(n int) {
	b.t.Helper()
	for range n {
		b.nextDay()
		b.compareAll()
	}
}

// paidOut is what the gateway says it paid out so far.
func (b *bundle) paidOut() money.Paise {
	net, _ := b.gateway.PaidOut()
	return net
}

func (b *bundle) open() settlement.Report {
	b.t.Helper()
	report, err := b.settlements.Report(b.t.Context(), 1, 2)
	require.NoError(b.t, err)
	return report
}

// hold has a request paid with another amount than was asked for.
func (b *bundle) hold(r *payment.Requested, amount money.Paise) {
	b.t.Helper()
	b.gateway.Decide(r.TransactionID, payment.StatusPaid, amount)
	_, err := b.api.Returned(b.t.Context(), b.gateway.Notice(r.TransactionID))
	require.NoError(b.t, err)
	b.work()
	require.Equal(b.t, "held", b.state(*r))
	r.Amount = amount
}

// Given a refund that the gateway keeps back the next day and does a week later, then the books' bank is what was paid out.
func TestARefundNettedBeforeItIsDoneIsBookedOnceItIs(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.compareAll()
	b.pay(b.owner, buy(b.tier(), plan.TypeYearly))
	b.nextDays(4)
	require.Equal(t, b.paidOut(), b.balance("bank"))
	b.gateway.SetSlow(true)
	require.NoError(t, b.giveBack(b.text(`SELECT id FROM payments`), money.FromRupees(5000)))
	refundID := b.text(`SELECT gateway_refund_id FROM refunds`)
	b.nextDays(8)
	open := b.open()
	require.Len(t, open.Open, 1)
	require.Equal(t, settlement.WaitsForRefund, open.Open[0].BlockedBy)
	require.Empty(t, open.OpenDifferences, "gateways do that every day")
	require.Equal(t, b.paidOut()-open.Open[0].Net, b.balance("bank"))
	b.books()
	report, err := b.ledger.Verify(t.Context())
	require.NoError(t, err)
	require.Len(t, report.Unbooked, 1, "and the check names what is not booked")
	require.Contains(t, report.Unbooked[0].Lines, settlement.WaitsForRefund)

	b.gateway.EndRefund(payment.RefundOutcome{RefundID: refundID, Done: true})
	b.nextDay()
	require.Equal(t, "done", b.text(`SELECT state FROM refunds`))
	_, err = b.db.Owner.Exec(`UPDATE settlement_days SET compared_at = $1`, b.clock.Now())
	require.NoError(t, err)
	b.books() // checked while a day was read again, and its lines are not judged yet
	b.nextDays(2)
	require.Equal(t, "done", b.text(`SELECT state FROM refunds`))
	require.Equal(t, b.paidOut(), b.balance("bank"))
	require.Zero(t, b.balance("gateway_clearing"))
	require.Empty(t, b.open().Open)
	b.books()
}

// Given a capture of which only the settlement tells, also after all of the first one is back, then it goes back.
func TestACaptureThatOnlyTheSettlementNamesGoesBack(t *testing.T) {
	t.Parallel()
	for _, refunded := range []bool{false, true} {
		t.Run(fmt.Sprint("refunded ", refunded), func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.compareAll()
			r := b.pay(b.owner, buy(b.tier(), plan.TypeYearly))
			if refunded {
				require.NoError(t, b.giveBack(b.text(`SELECT id FROM payments`), 0))
			}
			b.gateway.CaptureAgain(r.TransactionID, "ANOTHER", r.Amount)
			b.nextDays(12)
			require.Equal(t, 1, b.count(`SELECT count(*) FROM refunds WHERE reason = 'surplus' AND gateway_payment_id = 'ANOTHER' AND state = 'done'`))
			require.Equal(t, 1, b.count(`SELECT count(*) FROM invoices WHERE kind = 'invoice'`))
			open := b.open()
			require.Empty(t, open.OpenDifferences)
			require.Empty(t, open.Open)
			require.Equal(t, b.paidOut(), b.balance("bank"))
			b.books()
		})
	}
}

// Given a refund that was kept back and failed, then its line and the one that pays it out again are both in the books.
func TestARefundThatFailsIsPaidOutAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.compareAll()
	r := b.pay(b.owner, buy(b.tier(), plan.TypeYearly))
	b.gateway.SlowRefunds(r.TransactionID)
	require.NoError(t, b.giveBack(b.text(`SELECT id FROM payments`), money.FromRupees(500)))
	b.nextDays(6)
	b.gateway.EndRefund(payment.RefundOutcome{RefundID: b.text(`SELECT gateway_refund_id FROM refunds`), Failed: true, Reason: "closed"})
	b.nextDays(8)
	require.Equal(t, "failed", b.text(`SELECT state FROM refunds`))
	require.Empty(t, b.open().Open)
	require.Empty(t, b.open().OpenDifferences)
	require.Equal(t, b.paidOut(), b.balance("bank"))
	require.Zero(t, b.balance("gateway_clearing"))
	b.books()
}

// Given a payment that is held, settled and released, then its fee is booked and nothing is left over.
func TestAHeldPaymentsSettlementIsBooked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.compareAll()
	r := b.ask(b.owner, buy(b.tier(), plan.TypeMonthly))
	b.hold(&r, r.Amount-1)
	require.Equal(t, r.Amount, b.balance("gateway_clearing"), "held money is in the books at once")
	require.Equal(t, -r.Amount, b.balance("held_payments"))
	b.books()
	b.nextDays(9)
	require.Equal(t, world.Line(r, b.clock.Now()).Net, b.balance("bank"))
	require.Equal(t, b.paidOut(), b.balance("bank"))
	require.Equal(t, world.Line(r, b.clock.Now()).FeeTax, b.balance("input_tax"))
	b.books()

	_, err := b.desk.RequestRelease(b.asha.Sign(t.Context()), b.asha, b.owner, b.text(`SELECT id FROM payments`), "The amount differed.", "release-1")
	require.NoError(t, err)
	b.nextDays(9)
	require.Equal(t, "done", b.text(`SELECT state FROM refunds`))
	for _, account := range []string{"held_payments", "customer_credit", "gateway_clearing"} {
		require.Zero(t, b.balance(account), account)
	}
	require.Equal(t, b.paidOut(), b.balance("bank"))
	b.books()
}

// Given a dispute whose amount the gateway takes at once, then the bank shows it before and after it is decided.
func TestAChargebackIsBookedWhenItIsTakenAndWhenItComesBack(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.compareAll()
	r := b.pay(b.owner, buy(b.tier(), plan.TypeYearly))
	b.nextDays(9)
	b.dispute(r, payment.DisputeOutcome{State: payment.DisputeOpen, Amount: r.Amount})
	b.nextDays(8)
	require.Equal(t, b.paidOut(), b.balance("bank"))
	require.Equal(t, r.Amount, b.balance("gateway_clearing"), "the gateway owes it until the dispute is decided")
	b.books()
	b.dispute(r, payment.DisputeOutcome{State: payment.DisputeWon, Amount: r.Amount})
	b.nextDays(8)
	require.Zero(t, b.balance("gateway_clearing"))
	require.Equal(t, b.paidOut(), b.balance("bank"))
	require.Empty(t, b.open().OpenDifferences)
	b.books()
}

func TestAnAdjustmentWithoutACustomerIsBooked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.gateway.Lines = []settlement.Line{
		{ID: "debit:ADJ_1", Kind: settlement.KindAdjustment, Action: "debit", Fee: 100_00, FeeTax: 18_00, Net: -118_00, At: b.clock.Now()},
		{ID: "credit:ADJ_2", Kind: settlement.KindAdjustment, Action: "credit", Amount: 10_12, Net: 10_12, At: b.clock.Now()},
		{ID: "strange:3", Kind: settlement.KindAdjustment, Action: "strange", Amount: -5, Net: -5, At: b.clock.Now()},
	}
	require.Empty(t, b.compare(subscription.DayOf(b.clock.Now())).Differences)
	require.Equal(t, money.Paise(-118_00+10_12-5), b.balance("bank"))
	require.Equal(t, money.Paise(100_00), b.balance("fees"))
	require.Equal(t, money.Paise(18_00), b.balance("input_tax"))
	require.Equal(t, money.Paise(-10_12+5), b.balance("gateway_adjustments"))
	require.Equal(t, 3, b.count(`SELECT count(*) FROM ledger_journals WHERE franchiser_id IS NULL`))
	var seen int
	require.NoError(t, b.db.API.Get(&seen, `SELECT count(*) FROM ledger_journals`))
	require.Zero(t, seen, "no customer sees them")
	b.books()
}

func TestFeesOfRefundsAndChargebacksAreBooked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.pay(b.owner, buy(b.tier(), plan.TypeYearly))
	require.NoError(t, b.giveBack(b.text(`SELECT id FROM payments`), money.FromRupees(1000)))
	back := world.BackLine(settlement.KindRefund, r, b.text(`SELECT gateway_refund_id FROM refunds`), money.FromRupees(1000), b.clock.Now())
	back.Fee, back.FeeTax, back.Net = 500, 90, back.Net-590
	b.gateway.Lines = []settlement.Line{back}
	require.Empty(t, b.compare(subscription.DayOf(b.clock.Now())).Differences)
	require.Equal(t, []money.Paise{-money.FromRupees(1000) - 590, 500, 90},
		[]money.Paise{b.balance("bank"), b.balance("fees"), b.balance("input_tax")})
	b.books()
}

func TestALineOnHoldIsBookedOnceItIsPaidOut(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.pay(b.owner, buy(b.tier(), plan.TypeMonthly))
	pending := world.Line(r, b.clock.Now())
	pending.Pending = true
	b.gateway.Lines = []settlement.Line{pending}
	day := subscription.DayOf(b.clock.Now())
	require.Empty(t, b.compare(day).Differences)
	require.Zero(t, b.balance("bank"))
	require.Equal(t, settlement.WaitsForPayout, b.open().Open[0].BlockedBy)
	b.books()

	paid := world.Line(r, b.clock.Now())
	paid.UTR = "UTR9"
	b.gateway.Lines = []settlement.Line{paid}
	b.compare(day + 1)
	require.Equal(t, paid.Net, b.balance("bank"))
	require.Equal(t, "UTR9 1", b.text(`SELECT concat_ws(' ', max(utr), count(*)) FROM settlement_lines`), "one line, on the day it was paid out")
	b.books()
}

func TestALineThatChangesOrVanishesIsADifference(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.pay(b.owner, buy(b.tier(), plan.TypeMonthly))
	l := world.Line(r, b.clock.Now())
	day := subscription.DayOf(b.clock.Now())
	kinds := func() (found []settlement.DifferenceKind) {
		for _, d := range b.compare(day).Differences {
			found = append(found, d.Kind)
		}
		return found
	}
	b.gateway.Lines = []settlement.Line{l}
	require.Empty(t, kinds())
	b.gateway.Lines = []settlement.Line{}
	require.Equal(t, []settlement.DifferenceKind{settlement.DifferenceWithdrawn}, kinds())
	l.Fee, l.Net = l.Fee+100, l.Net-100
	b.gateway.Lines = []settlement.Line{l}
	require.Equal(t, []settlement.DifferenceKind{settlement.DifferenceChanged}, kinds())
	again := world.Line(r, b.clock.Now())
	again.ID = "capture:again"
	b.gateway.Lines = []settlement.Line{world.Line(r, b.clock.Now()), again}
	require.Equal(t, []settlement.DifferenceKind{settlement.DifferenceTwice}, kinds())
	b.gateway.Lines = b.gateway.Lines[:1]
	require.Equal(t, []settlement.DifferenceKind{settlement.DifferenceWithdrawn}, kinds(), "a line that was never booked")
	require.Equal(t, 4, b.count(`SELECT count(*) FROM settlement_differences`), "what was cleared is kept")
	require.Equal(t, 1, b.count(`SELECT count(*) FROM settlement_differences WHERE cleared_at IS NULL`))
	require.Equal(t, 1, b.count(`SELECT count(*) FROM ledger_journals WHERE kind = 'settlement'`))
	b.books()
}

// Given a capture before a weekend and a holiday, then it is late after the second working day, and no longer once it is settled.
func TestASettlementIsLateByWorkingDays(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.db.Owner.Exec(`INSERT INTO bank_holidays (day, name) VALUES ('2026-11-10', 'Diwali')`)
	require.NoError(t, err)
	b.clock.Advance(4 * 24 * time.Hour) // Friday 6 November 2026
	r := b.pay(b.owner, buy(b.tier(), plan.TypeMonthly))
	b.gateway.Lines = []settlement.Line{}
	friday := subscription.DayOf(b.clock.Now())
	for day := friday; day < friday+5; day++ { // Monday works, Tuesday is the holiday
		require.Empty(t, b.compare(day).Differences, day)
	}
	late := b.compare(friday + 5).Differences
	require.Len(t, late, 1)
	require.Equal(t, settlement.DifferenceNotSettled, late[0].Kind)
	require.Equal(t, friday+5, late[0].Day)
	b.clock.Advance(100 * 24 * time.Hour)
	require.Len(t, b.compare(friday+100).Differences, 1, "it stays until it is settled")

	b.gateway.Lines = []settlement.Line{world.Line(r, b.clock.Now())}
	require.Empty(t, b.compare(friday+101).Differences)
	require.Equal(t, 1, b.count(`SELECT count(*) FROM settlement_differences WHERE cleared_at IS NOT NULL`))
}

// Given lines that are marked as booked, or open without a reason, then the check of the books finds them.
func TestTheBooksAreHeldAgainstWhatWasPaidOut(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ check, sql string }{
		"never posted":     {"bank_equals_payouts", `UPDATE settlement_lines SET journal_id = gen_random_uuid()`},
		"skipped silently": {"open_lines_wait_for_something", `UPDATE settlement_lines SET booked_at = NULL, booked_net_paise = NULL, journal_id = NULL`},
		"of no settlement": {"payouts_have_a_line", `DELETE FROM settlement_lines`},
		"held, not booked": {"held_payments_are_booked", `UPDATE payments SET state = 'held'`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			r := b.pay(b.owner, buy(b.tier(), plan.TypeMonthly))
			b.gateway.Lines = []settlement.Line{world.Line(r, b.clock.Now())}
			b.compare(subscription.DayOf(b.clock.Now()))
			b.books()
			tx, err := b.db.Owner.Beginx()
			require.NoError(t, err)
			_, err = tx.Exec(`SET LOCAL session_replication_role = replica; ` + c.sql)
			require.NoError(t, err)
			require.NoError(t, tx.Commit())
			report, err := b.ledger.Verify(t.Context())
			require.NoError(t, err)
			broken := map[string]bool{}
			for _, f := range report.Findings {
				broken[f.Check] = true
			}
			require.True(t, broken[c.check], "%v", report.Findings)
		})
	}
}

// Given a line that the gateway adds to a day days later, while no worker runs for weeks, then it is still found and booked.
func TestALineThatIsAddedLateIsFound(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.pay(b.owner, buy(b.tier(), plan.TypeMonthly))
	b.clock.Advance(24 * time.Hour)
	b.gateway.Lines = []settlement.Line{}
	b.compareAll()
	b.clock.Advance(20 * 24 * time.Hour)
	b.gateway.Lines = nil
	day := b.text(`SELECT min(day)::text FROM settlement_days`)
	b.gateway.Late = map[string][]settlement.Line{day: {world.Line(r, b.clock.Now())}}
	b.compareAll()
	require.Equal(t, world.Line(r, b.clock.Now()).Net, b.balance("bank"))
	require.Equal(t, day, b.text(`SELECT day::text FROM settlement_lines`))
	b.books()
}
