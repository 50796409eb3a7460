package settlement_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/settlement"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/story"
	"github.com/franchise360/franchise360/pkg/testkit/world"
)

// nextDays advances n days with the daily comparison.
func (b *bundle) nextDays(n int) {
	b.T.Helper()
	for range n {
		b.nextDay()
		b.compareAll()
	}
}

// paidOut returns the gateway's total of payouts.
func (b *bundle) paidOut() money.Paise {
	net, _ := b.Gateway.PaidOut()
	return net
}

func (b *bundle) open() settlement.Report {
	b.T.Helper()
	report, err := b.Settlements.Report(b.T.Context(), 1, 2)
	require.NoError(b.T, err)
	return report
}

// hold pays a request with a wrong amount, so that it is held.
func (b *bundle) hold(r *checkout.Requested, amount money.Paise) {
	b.T.Helper()
	b.Gateway.Decide(r.TransactionID, payment.StatusPaid, amount)
	_, err := b.API.Notices.Returned(b.T.Context(), b.Gateway.Notice(r.TransactionID))
	require.NoError(b.T, err)
	b.Work()
	require.Equal(b.T, "held", b.State(*r))
	r.Amount = amount
}

// Given a refund that the gateway deducts the next day and completes a week later, then the bank account in the books equals the payouts.
func TestCompare_RefundDeductedBeforeItCompletes_IsBookedOnCompletion(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.compareAll()
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.nextDays(4)
	require.Equal(t, b.paidOut(), b.Balance("bank"))
	b.Gateway.SetSlow(true)
	require.NoError(t, b.GiveBack(b.Text(`SELECT id FROM payments`), money.FromRupees(5000)))
	refundID := b.Text(`SELECT gateway_refund_id FROM refunds`)
	b.nextDays(8)
	open := b.open()
	require.Len(t, open.Open, 1)
	require.Equal(t, settlement.WaitsForRefund, open.Open[0].BlockedBy)
	require.Empty(t, open.OpenDifferences, "gateways do that every day")
	require.Equal(t, b.paidOut()-open.Open[0].Net, b.Balance("bank"))
	b.Balanced()
	report, err := b.Books.Verify(t.Context())
	require.NoError(t, err)
	require.Len(t, report.Unbooked, 1, "and the check names what is not booked")
	require.Contains(t, report.Unbooked[0].Lines, settlement.WaitsForRefund)

	b.Gateway.EndRefund(payment.RefundOutcome{RefundID: refundID, Done: true})
	b.nextDay()
	require.Equal(t, "done", b.Text(`SELECT state FROM refunds`))
	_, err = b.DB.Owner.Exec(`UPDATE settlement_days SET compared_at = $1`, b.Clock.Now())
	require.NoError(t, err)
	b.Balanced() // a day was re-read, and its lines are not judged yet
	b.nextDays(2)
	require.Equal(t, "done", b.Text(`SELECT state FROM refunds`))
	require.Equal(t, b.paidOut(), b.Balance("bank"))
	require.Zero(t, b.Balance("gateway_clearing"))
	require.Empty(t, b.open().Open)
	b.Balanced()
}

// Given a second capture known only from the settlement, even after the first one was refunded in full, then it is refunded.
func TestCompare_SecondCaptureKnownOnlyFromTheSettlement_IsRefunded(t *testing.T) {
	t.Parallel()
	for _, refunded := range []bool{false, true} {
		t.Run(fmt.Sprint("refunded ", refunded), func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.compareAll()
			r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
			if refunded {
				require.NoError(t, b.GiveBack(b.Text(`SELECT id FROM payments`), 0))
			}
			b.Gateway.CaptureAgain(r.TransactionID, "ANOTHER", r.Amount)
			b.nextDays(12)
			require.Equal(t, 1, b.Count(`SELECT count(*) FROM refunds WHERE reason = 'surplus' AND gateway_payment_id = 'ANOTHER' AND state = 'done'`))
			require.Equal(t, 1, b.Count(`SELECT count(*) FROM invoices WHERE kind = 'invoice'`))
			open := b.open()
			require.Empty(t, open.OpenDifferences)
			require.Empty(t, open.Open)
			require.Equal(t, b.paidOut(), b.Balance("bank"))
			b.Balanced()
		})
	}
}

// Given a refund that was deducted and failed, then its line and the line that returns it are both booked.
func TestCompare_FailedRefund_IsBookedWithItsReversal(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.compareAll()
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Gateway.SlowRefunds(r.TransactionID)
	require.NoError(t, b.GiveBack(b.Text(`SELECT id FROM payments`), money.FromRupees(500)))
	b.nextDays(6)
	b.Gateway.EndRefund(payment.RefundOutcome{RefundID: b.Text(`SELECT gateway_refund_id FROM refunds`), Failed: true, Reason: "closed"})
	b.nextDays(8)
	require.Equal(t, "failed", b.Text(`SELECT state FROM refunds`))
	require.Empty(t, b.open().Open)
	require.Empty(t, b.open().OpenDifferences)
	require.Equal(t, b.paidOut(), b.Balance("bank"))
	require.Zero(t, b.Balance("gateway_clearing"))
	b.Balanced()
}

// Given a payment that is held, settled and released, then its fee is booked and nothing remains.
func TestCompare_HeldAndReleasedPayment_IsBooked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.compareAll()
	r := b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.hold(&r, r.Amount-1)
	require.Equal(t, r.Amount, b.Balance("gateway_clearing"), "held money is in the books at once")
	require.Equal(t, -r.Amount, b.Balance("held_payments"))
	b.Balanced()
	b.nextDays(9)
	require.Equal(t, world.Line(r, b.Clock.Now()).Net, b.Balance("bank"))
	require.Equal(t, b.paidOut(), b.Balance("bank"))
	require.Equal(t, world.Line(r, b.Clock.Now()).FeeTax, b.Balance("input_tax"))
	b.Balanced()

	_, err := b.Reversals.RequestRelease(b.Asha.Sign(t.Context()), b.Asha, b.Buyer, b.Text(`SELECT id FROM payments`), "The amount differed.", "release-1")
	require.NoError(t, err)
	b.nextDays(9)
	require.Equal(t, "done", b.Text(`SELECT state FROM refunds`))
	for _, account := range []string{"held_payments", "customer_credit", "gateway_clearing"} {
		require.Zero(t, b.Balance(account), account)
	}
	require.Equal(t, b.paidOut(), b.Balance("bank"))
	b.Balanced()
}

// Given a dispute whose amount the gateway takes at once, then the bank account reflects it before and after it is decided.
func TestCompare_Chargeback_IsBookedWhenDeductedAndWhenReturned(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.compareAll()
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.nextDays(9)
	b.Dispute(r, "D1", payment.DisputeOutcome{State: payment.DisputeOpen, Amount: r.Amount})
	b.nextDays(8)
	require.Equal(t, b.paidOut(), b.Balance("bank"))
	require.Equal(t, r.Amount, b.Balance("gateway_clearing"), "the gateway owes it until the dispute is decided")
	b.Balanced()
	b.Dispute(r, "D1", payment.DisputeOutcome{State: payment.DisputeWon, Amount: r.Amount})
	b.nextDays(8)
	require.Zero(t, b.Balance("gateway_clearing"))
	require.Equal(t, b.paidOut(), b.Balance("bank"))
	require.Empty(t, b.open().OpenDifferences)
	b.Balanced()
}

func TestCompare_AdjustmentWithoutACustomer_IsBooked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Gateway.Lines = []settlement.Line{
		{ID: "debit:ADJ_1", Kind: settlement.KindAdjustment, Action: "debit", Fee: 100_00, FeeTax: 18_00, Net: -118_00, At: b.Clock.Now()},
		{ID: "credit:ADJ_2", Kind: settlement.KindAdjustment, Action: "credit", Amount: 10_12, Net: 10_12, At: b.Clock.Now()},
		{ID: "strange:3", Kind: settlement.KindAdjustment, Action: "strange", Amount: -5, Net: -5, At: b.Clock.Now()},
	}
	day := subscription.DayOf(b.Clock.Now())
	var taken []money.Paise
	for _, d := range b.compare(day).Differences {
		require.Equal(t, settlement.DifferenceAdjustment, d.Kind)
		taken = append(taken, d.Theirs)
	}
	require.ElementsMatch(t, []money.Paise{-118_00, 10_12, -5}, taken, "fees alone wait for staff as well")
	b.compare(day)
	report, err := b.Settlements.Report(t.Context(), day, day)
	require.NoError(t, err)
	require.Len(t, report.OpenDifferences, 3, "each waits once, until it is acknowledged")
	desk := settlement.NewComparisons(b.DB.API, testkit.NewInserter(t, b.DB.API), b.Clock, staff.NewRecorder(b.Clock))
	for _, d := range report.OpenDifferences {
		_, err := desk.Acknowledge(b.Asha.Sign(t.Context()), b.Asha, d.ID, "The fee of a terminal")
		require.NoError(t, err)
	}
	b.compare(day)
	open, err := b.Settlements.CountOpen(t.Context())
	require.NoError(t, err)
	require.Zero(t, open, "an acknowledged adjustment does not wait again")
	require.Equal(t, money.Paise(-118_00+10_12-5), b.Balance("bank"))
	require.Equal(t, money.Paise(100_00), b.Balance("fees"))
	require.Equal(t, money.Paise(18_00), b.Balance("input_tax"))
	require.Equal(t, money.Paise(-10_12+5), b.Balance("gateway_adjustments"))
	require.Equal(t, 3, b.Count(`SELECT count(*) FROM ledger_journals WHERE franchiser_id IS NULL`))
	var seen int
	require.NoError(t, b.DB.API.Get(&seen, `SELECT count(*) FROM ledger_journals`))
	require.Zero(t, seen, "no customer sees them")
	b.Balanced()
}

func TestCompare_FeesOfRefundsAndChargebacks_AreBooked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	require.NoError(t, b.GiveBack(b.Text(`SELECT id FROM payments`), money.FromRupees(1000)))
	back := world.BackLine(settlement.KindRefund, r, b.Text(`SELECT gateway_refund_id FROM refunds`), money.FromRupees(1000), b.Clock.Now())
	back.Fee, back.FeeTax, back.Net = 500, 90, back.Net-590
	b.Gateway.Lines = []settlement.Line{back}
	require.Empty(t, b.compare(subscription.DayOf(b.Clock.Now())).Differences)
	require.Equal(t, []money.Paise{-money.FromRupees(1000) - 590, 500, 90},
		[]money.Paise{b.Balance("bank"), b.Balance("fees"), b.Balance("input_tax")})
	b.Balanced()
}

func TestCompare_PendingLine_IsBookedWhenPaidOut(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	pending := world.Line(r, b.Clock.Now())
	pending.Pending = true
	b.Gateway.Lines = []settlement.Line{pending}
	day := subscription.DayOf(b.Clock.Now())
	require.Empty(t, b.compare(day).Differences)
	require.Zero(t, b.Balance("bank"))
	require.Equal(t, settlement.WaitsForPayout, b.open().Open[0].BlockedBy)
	b.Balanced()

	paid := world.Line(r, b.Clock.Now())
	paid.UTR = "UTR9"
	b.Gateway.Lines = []settlement.Line{paid}
	b.compare(day + 1)
	require.Equal(t, paid.Net, b.Balance("bank"))
	require.Equal(t, "UTR9 1", b.Text(`SELECT concat_ws(' ', max(utr), count(*)) FROM settlement_lines`), "one line, on the day it was paid out")
	b.Balanced()
}

func TestCompare_ChangedOrMissingLine_IsADifference(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	l := world.Line(r, b.Clock.Now())
	day := subscription.DayOf(b.Clock.Now())
	kinds := func() (found []settlement.DifferenceKind) {
		for _, d := range b.compare(day).Differences {
			found = append(found, d.Kind)
		}
		return found
	}
	b.Gateway.Lines = []settlement.Line{l}
	require.Empty(t, kinds())
	b.Gateway.Lines = []settlement.Line{}
	require.Equal(t, []settlement.DifferenceKind{settlement.DifferenceWithdrawn}, kinds())
	l.Fee, l.Net = l.Fee+100, l.Net-100
	b.Gateway.Lines = []settlement.Line{l}
	require.Equal(t, []settlement.DifferenceKind{settlement.DifferenceChanged}, kinds())
	again := world.Line(r, b.Clock.Now())
	again.ID = "capture:again"
	b.Gateway.Lines = []settlement.Line{world.Line(r, b.Clock.Now()), again}
	require.Equal(t, []settlement.DifferenceKind{settlement.DifferenceTwice}, kinds())
	b.Gateway.Lines = b.Gateway.Lines[:1]
	require.Equal(t, []settlement.DifferenceKind{settlement.DifferenceWithdrawn}, kinds(), "a line that was never booked")
	require.Equal(t, 4, b.Count(`SELECT count(*) FROM settlement_differences`), "what was cleared is kept")
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM settlement_differences WHERE cleared_at IS NULL`))
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM ledger_journals WHERE kind = 'settlement'`))
	b.Balanced()
}

// Given a capture before a weekend and a holiday, then it is late after the second working day, until it is settled.
func TestCompare_CaptureNotSettled_IsLateAfterTwoWorkingDays(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.DB.Owner.Exec(`INSERT INTO bank_holidays (day, name) VALUES ('2026-11-10', 'Diwali')`)
	require.NoError(t, err)
	b.Clock.Advance(4 * 24 * time.Hour) // Friday 6 November 2026
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Gateway.Lines = []settlement.Line{}
	friday := subscription.DayOf(b.Clock.Now())
	for day := friday; day < friday+5; day++ { // Monday is a working day, Tuesday the holiday
		require.Empty(t, b.compare(day).Differences, day)
	}
	late := b.compare(friday + 5).Differences
	require.Len(t, late, 1)
	require.Equal(t, settlement.DifferenceNotSettled, late[0].Kind)
	require.Equal(t, friday+5, late[0].Day)
	b.Clock.Advance(100 * 24 * time.Hour)
	require.Len(t, b.compare(friday+100).Differences, 1, "it stays until it is settled")

	b.Gateway.Lines = []settlement.Line{world.Line(r, b.Clock.Now())}
	require.Empty(t, b.compare(friday+101).Differences)
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM settlement_differences WHERE cleared_at IS NOT NULL`))
}

// Verify-books finds lines that are wrongly marked as booked, or open without a reason.
func TestVerifyBooks_LineWronglyMarked_IsReported(t *testing.T) {
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
			r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
			b.Gateway.Lines = []settlement.Line{world.Line(r, b.Clock.Now())}
			b.compare(subscription.DayOf(b.Clock.Now()))
			b.Balanced()
			tx, err := b.DB.Owner.Beginx()
			require.NoError(t, err)
			_, err = tx.Exec(`SET LOCAL session_replication_role = replica; ` + c.sql)
			require.NoError(t, err)
			require.NoError(t, tx.Commit())
			report, err := b.Books.Verify(t.Context())
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
func TestCompare_LineAddedLate_IsBooked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Clock.Advance(24 * time.Hour)
	b.Gateway.Lines = []settlement.Line{}
	b.compareAll()
	b.Clock.Advance(20 * 24 * time.Hour)
	b.Gateway.Lines = nil
	day := b.Text(`SELECT min(day)::text FROM settlement_days`)
	b.Gateway.Late = map[string][]settlement.Line{day: {world.Line(r, b.Clock.Now())}}
	b.compareAll()
	require.Equal(t, world.Line(r, b.Clock.Now()).Net, b.Balance("bank"))
	require.Equal(t, day, b.Text(`SELECT day::text FROM settlement_lines`))
	b.Balanced()
}
