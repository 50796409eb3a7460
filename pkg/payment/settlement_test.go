package payment_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// line is what the gateway pays out for a request, with a fee of 2% and GST on it.
func line(r payment.Requested, at time.Time) payment.SettlementLine {
	fee := r.Amount.MulBps(200)
	tax := fee.MulBps(1800)
	return payment.SettlementLine{
		ID: "capture:G" + r.TransactionID, Kind: payment.SettledCapture, TransactionID: r.TransactionID,
		GatewayPaymentID: "G" + r.TransactionID, Amount: r.Amount, Fee: fee, FeeTax: tax, Net: r.Amount - fee - tax, At: at,
	}
}

// backLine is what the gateway keeps back of a request, or pays out again, without a fee.
func backLine(kind payment.SettlementKind, r payment.Requested, name string, amount money.Paise, at time.Time) payment.SettlementLine {
	l := payment.SettlementLine{
		ID: string(kind) + ":" + name, Kind: kind, TransactionID: r.TransactionID, GatewayPaymentID: "G" + r.TransactionID,
		RefundID: name, Amount: amount, Net: amount, At: at,
	}
	if kind == payment.SettledRefund || kind == payment.SettledChargeback {
		l.Net = -amount
	}
	return l
}

func (b *bundle) compare(day subscription.Day) payment.SettlementDay {
	b.t.Helper()
	report, err := b.worker.CompareDay(context.Background(), b.gateway, day)
	require.NoError(b.t, err)
	return report
}

// compareAll is the daily job.
func (b *bundle) compareAll() {
	b.t.Helper()
	require.NoError(b.t, b.worker.CompareSettlements(context.Background(), payment.CompareArgs{}))
}

func TestAMatchingSettlementIsBookedOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.pay(b.owner, buy(b.tier(0, 0), plan.TypeYearly))
	b.gateway.Lines = []payment.SettlementLine{line(r, b.clock.Now())}
	today := subscription.DayOf(b.clock.Now())
	for range 3 {
		require.Empty(t, b.compare(today).Differences)
	}
	require.Equal(t, 1, b.count(`SELECT count(*) FROM ledger_journals WHERE kind = 'settlement'`))
	require.Equal(t, int(line(r, b.clock.Now()).Net), b.count(`SELECT sum(debit_paise - credit_paise) FROM ledger_lines WHERE account = 'bank'`))
	require.Zero(t, b.count(`SELECT sum(debit_paise - credit_paise) FROM ledger_lines WHERE account = 'gateway_clearing'`))
	b.books()

	require.NoError(t, b.giveBack(b.text(`SELECT id FROM payments`), money.FromRupees(1000)))
	b.books()
	refundID := b.text(`SELECT gateway_refund_id FROM refunds`)
	b.gateway.Lines = append(b.gateway.Lines, backLine(payment.SettledRefund, r, refundID, money.FromRupees(1000), b.clock.Now()))
	require.Empty(t, b.compare(today).Differences)
	require.Zero(t, b.count(`SELECT sum(debit_paise - credit_paise) FROM ledger_lines WHERE account = 'gateway_clearing'`))
	b.books()
}

func TestEveryDifferenceOfASettlementIsReported(t *testing.T) {
	t.Parallel()
	b := setup(t)
	good := b.pay(b.owner, buy(b.tier(0, 0), plan.TypeMonthly))
	short := b.pay(b.franchiser("27"), buy(b.tier(0, 0), plan.TypeMonthly))
	failed := b.ask(b.franchiser("27"), buy(b.tier(0, 0), plan.TypeMonthly))
	b.settle(failed, payment.StatusFailed)
	forgotten := b.pay(b.franchiser("27"), buy(b.tier(0, 0), plan.TypeMonthly))

	shortLine := line(short, b.clock.Now())
	shortLine.Amount--
	shortLine.Net--
	greedy := line(good, b.clock.Now())
	greedy.Net -= 100
	b.gateway.Lines = []payment.SettlementLine{
		greedy, shortLine, line(failed, b.clock.Now()),
		{ID: "N", Kind: payment.SettledCapture, TransactionID: "FPNOBODY", Amount: 100, Net: 100},
		backLine(payment.SettledRefund, good, "R?", 50, b.clock.Now()),
	}
	day := subscription.DayOf(b.clock.Now())
	b.clock.Advance(72 * time.Hour)
	kinds := map[payment.DifferenceKind]string{}
	for _, d := range b.compare(day).Differences {
		kinds[d.Kind] = d.TransactionID
	}
	require.Equal(t, map[payment.DifferenceKind]string{
		payment.DifferenceNet: good.TransactionID, payment.DifferenceAmount: short.TransactionID,
		payment.DifferenceNotPaid: failed.TransactionID, payment.DifferenceUnknown: "FPNOBODY",
		payment.DifferenceUnknownRefund: good.TransactionID,
	}, kinds)
	require.Zero(t, b.count(`SELECT count(*) FROM ledger_journals WHERE kind = 'settlement'`), "nothing that differs is booked")

	b.gateway.Lines = []payment.SettlementLine{}
	missing := map[string]bool{}
	for _, d := range b.compare(day + 2).Differences {
		if d.Kind == payment.DifferenceNotSettled {
			missing[d.TransactionID] = true
		}
	}
	require.Equal(t, map[string]bool{forgotten.TransactionID: true}, missing, "a line that differs was settled all the same")

	report, err := b.worker.Settlements(t.Context(), day, day+5)
	require.NoError(t, err)
	require.Len(t, report.Days, 2)
	require.Len(t, report.Days[1].Differences, 5)
	require.Len(t, report.Open, 5)
	require.Len(t, report.OpenDifferences, 6)
	b.books()
}

func TestASecondCaptureIsBookedOnlyWhereItIsKnown(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.pay(b.owner, buy(b.tier(0, 0), plan.TypeYearly))
	second := line(r, b.clock.Now())
	second.ID, second.GatewayPaymentID = "capture:ANOTHER", "ANOTHER"
	b.gateway.Lines = []payment.SettlementLine{line(r, b.clock.Now()), second}
	today := subscription.DayOf(b.clock.Now())
	found := b.compare(today).Differences
	require.Len(t, found, 1)
	require.Equal(t, payment.DifferenceNotPaid, found[0].Kind, "nobody told us of it")
	b.books()

	b.gateway.Change(r.TransactionID, func(o *payment.Outcome) { o.GatewayPaymentID = "ANOTHER" })
	require.NoError(t, b.worker.Verify(t.Context(), payment.VerifyArgs{PaymentID: b.text(`SELECT id FROM payments`), Event: "x"}))
	b.work()
	require.Empty(t, b.compare(today).Differences)
	b.books()
}

func TestASecondCaptureThatTheGatewayGaveBackFirstIsGivenBackOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.pay(b.owner, buy(b.tier(0, 0), plan.TypeYearly))
	b.gateway.DecideAs(r.TransactionID, "ANOTHER", payment.StatusPaid, r.Amount)
	b.gateway.RefundNotice(r.TransactionID, "ITS-OWN", r.Amount)
	require.NoError(t, b.worker.Verify(t.Context(), payment.VerifyArgs{PaymentID: b.text(`SELECT id FROM payments`), Event: "x"}))
	b.work()
	require.Equal(t, "surplus "+paise(r.Amount)+" done", b.refunds())
	require.Equal(t, "ITS-OWN", b.text(`SELECT gateway_refund_id FROM refunds`))
	require.Equal(t, "paid", b.state(r), "what the first capture bought goes on")
	b.books()
}

func TestTheComparisonCatchesUpAfterDaysWithoutWorkers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.compareAll()
	b.clock.Advance(5 * 24 * time.Hour)
	b.compareAll()
	require.Equal(t, 6, b.count(`SELECT count(*) FROM settlement_days`))
	b.clock.Advance(100 * 24 * time.Hour)
	b.compareAll()
	require.Equal(t, 106, b.count(`SELECT count(*) FROM settlement_days`), "no day is left out, however long nobody worked")
}
