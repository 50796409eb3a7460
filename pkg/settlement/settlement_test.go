package settlement_test

import (
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

func TestAMatchingSettlementIsBookedOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.pay(b.owner, buy(b.tier(), plan.TypeYearly))
	b.gateway.Lines = []settlement.Line{world.Line(r, b.clock.Now())}
	today := subscription.DayOf(b.clock.Now())
	for range 3 {
		require.Empty(t, b.compare(today).Differences)
	}
	require.Equal(t, 1, b.count(`SELECT count(*) FROM ledger_journals WHERE kind = 'settlement'`))
	require.Equal(t, int(world.Line(r, b.clock.Now()).Net), b.count(`SELECT sum(debit_paise - credit_paise) FROM ledger_lines WHERE account = 'bank'`))
	require.Zero(t, b.count(`SELECT sum(debit_paise - credit_paise) FROM ledger_lines WHERE account = 'gateway_clearing'`))
	b.books()

	require.NoError(t, b.giveBack(b.text(`SELECT id FROM payments`), money.FromRupees(1000)))
	b.books()
	refundID := b.text(`SELECT gateway_refund_id FROM refunds`)
	b.gateway.Lines = append(b.gateway.Lines, world.BackLine(settlement.KindRefund, r, refundID, money.FromRupees(1000), b.clock.Now()))
	require.Empty(t, b.compare(today).Differences)
	require.Zero(t, b.count(`SELECT sum(debit_paise - credit_paise) FROM ledger_lines WHERE account = 'gateway_clearing'`))
	b.books()
}

func TestEveryDifferenceOfASettlementIsReported(t *testing.T) {
	t.Parallel()
	b := setup(t)
	good := b.pay(b.owner, buy(b.tier(), plan.TypeMonthly))
	short := b.pay(b.franchiser("27"), buy(b.tier(), plan.TypeMonthly))
	failed := b.ask(b.franchiser("27"), buy(b.tier(), plan.TypeMonthly))
	b.settle(failed, payment.StatusFailed)
	forgotten := b.pay(b.franchiser("27"), buy(b.tier(), plan.TypeMonthly))

	shortLine := world.Line(short, b.clock.Now())
	shortLine.Amount--
	shortLine.Net--
	greedy := world.Line(good, b.clock.Now())
	greedy.Net -= 100
	b.gateway.Lines = []settlement.Line{
		greedy, shortLine, world.Line(failed, b.clock.Now()),
		{ID: "N", Kind: settlement.KindCapture, TransactionID: "FPNOBODY", Amount: 100, Net: 100},
		world.BackLine(settlement.KindRefund, good, "R?", 50, b.clock.Now()),
	}
	day := subscription.DayOf(b.clock.Now())
	b.clock.Advance(72 * time.Hour)
	kinds := map[settlement.DifferenceKind]string{}
	for _, d := range b.compare(day).Differences {
		kinds[d.Kind] = d.TransactionID
	}
	require.Equal(t, map[settlement.DifferenceKind]string{
		settlement.DifferenceNet: good.TransactionID, settlement.DifferenceAmount: short.TransactionID,
		settlement.DifferenceNotPaid: failed.TransactionID, settlement.DifferenceUnknown: "FPNOBODY",
		settlement.DifferenceUnknownRefund: good.TransactionID,
	}, kinds)
	require.Zero(t, b.count(`SELECT count(*) FROM ledger_journals WHERE kind = 'settlement'`), "nothing that differs is booked")

	b.gateway.Lines = []settlement.Line{}
	missing := map[string]bool{}
	for _, d := range b.compare(day + 2).Differences {
		if d.Kind == settlement.DifferenceNotSettled {
			missing[d.TransactionID] = true
		}
	}
	require.Equal(t, map[string]bool{forgotten.TransactionID: true}, missing, "a line that differs was settled all the same")

	report, err := b.settlements.Report(t.Context(), day, day+5)
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
	r := b.pay(b.owner, buy(b.tier(), plan.TypeYearly))
	second := world.Line(r, b.clock.Now())
	second.ID, second.GatewayPaymentID = "capture:ANOTHER", "ANOTHER"
	b.gateway.Lines = []settlement.Line{world.Line(r, b.clock.Now()), second}
	today := subscription.DayOf(b.clock.Now())
	found := b.compare(today).Differences
	require.Len(t, found, 1)
	require.Equal(t, settlement.DifferenceNotPaid, found[0].Kind, "nobody told us of it")
	b.books()

	b.gateway.Change(r.TransactionID, func(o *payment.Outcome) { o.GatewayPaymentID = "ANOTHER" })
	require.NoError(t, b.worker.Verify(t.Context(), payment.VerifyArgs{PaymentID: b.text(`SELECT id FROM payments`), Event: "x"}))
	b.work()
	require.Empty(t, b.compare(today).Differences)
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
