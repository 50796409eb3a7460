package settlement_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/settlement"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/story"
	"github.com/franchise360/franchise360/pkg/testkit/world"
)

func TestCompare_MatchingSettlement_IsBookedOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Gateway.Lines = []settlement.Line{world.Line(r, b.Clock.Now())}
	today := subscription.DayOf(b.Clock.Now())
	for range 3 {
		require.Empty(t, b.compare(today).Differences)
	}
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM ledger_journals WHERE kind = 'settlement'`))
	require.Equal(t, int(world.Line(r, b.Clock.Now()).Net), b.Count(`SELECT sum(debit_paise - credit_paise) FROM ledger_lines WHERE account = 'bank'`))
	require.Zero(t, b.Count(`SELECT sum(debit_paise - credit_paise) FROM ledger_lines WHERE account = 'gateway_clearing'`))
	b.Balanced()

	require.NoError(t, b.GiveBack(b.Text(`SELECT id FROM payments`), money.FromRupees(1000)))
	b.Balanced()
	refundID := b.Text(`SELECT gateway_refund_id FROM refunds`)
	b.Gateway.Lines = append(b.Gateway.Lines, world.BackLine(settlement.KindRefund, r, refundID, money.FromRupees(1000), b.Clock.Now()))
	require.Empty(t, b.compare(today).Differences)
	require.Zero(t, b.Count(`SELECT sum(debit_paise - credit_paise) FROM ledger_lines WHERE account = 'gateway_clearing'`))
	b.Balanced()
}

func TestCompare_EachDifference_IsReported(t *testing.T) {
	t.Parallel()
	b := setup(t)
	good := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	short := b.Pay(b.Franchiser("27"), story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	failed := b.Ask(b.Franchiser("27"), story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Settle(failed, payment.StatusFailed)
	forgotten := b.Pay(b.Franchiser("27"), story.Buy(b.Tier(0, 0), plan.TypeMonthly))

	shortLine := world.Line(short, b.Clock.Now())
	shortLine.Amount--
	shortLine.Net--
	greedy := world.Line(good, b.Clock.Now())
	greedy.Net -= 100
	b.Gateway.Lines = []settlement.Line{
		greedy, shortLine, world.Line(failed, b.Clock.Now()),
		{ID: "N", Kind: settlement.KindCapture, TransactionID: "FPNOBODY", Amount: 100, Net: 100},
		world.BackLine(settlement.KindRefund, good, "R?", 50, b.Clock.Now()),
	}
	day := subscription.DayOf(b.Clock.Now())
	b.Clock.Advance(72 * time.Hour)
	kinds := map[settlement.DifferenceKind]string{}
	for _, d := range b.compare(day).Differences {
		kinds[d.Kind] = d.TransactionID
	}
	require.Equal(t, map[settlement.DifferenceKind]string{
		settlement.DifferenceNet: good.TransactionID, settlement.DifferenceAmount: short.TransactionID,
		settlement.DifferenceNotPaid: failed.TransactionID, settlement.DifferenceUnknown: "FPNOBODY",
		settlement.DifferenceUnknownRefund: good.TransactionID,
	}, kinds)
	require.Zero(t, b.Count(`SELECT count(*) FROM ledger_journals WHERE kind = 'settlement'`), "nothing that differs is booked")

	b.Gateway.Lines = []settlement.Line{}
	missing := map[string]bool{}
	for _, d := range b.compare(day + 2).Differences {
		if d.Kind == settlement.DifferenceNotSettled {
			missing[d.TransactionID] = true
		}
	}
	require.Equal(t, map[string]bool{forgotten.TransactionID: true}, missing, "a line that differs was settled all the same")

	report, err := b.Settlements.Report(t.Context(), day, day+5)
	require.NoError(t, err)
	require.Len(t, report.Days, 2)
	require.Len(t, report.Days[1].Differences, 5)
	require.Len(t, report.Open, 5)
	require.Len(t, report.OpenDifferences, 6)
	b.Balanced()
}

func TestCompare_SecondCapture_IsBookedOnlyIfKnown(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	second := world.Line(r, b.Clock.Now())
	second.ID, second.GatewayPaymentID = "capture:ANOTHER", "ANOTHER"
	b.Gateway.Lines = []settlement.Line{world.Line(r, b.Clock.Now()), second}
	today := subscription.DayOf(b.Clock.Now())
	found := b.compare(today).Differences
	require.Len(t, found, 1)
	require.Equal(t, settlement.DifferenceNotPaid, found[0].Kind, "nobody told us of it")
	b.Balanced()

	b.Gateway.Change(r.TransactionID, func(o *payment.Outcome) { o.GatewayPaymentID = "ANOTHER" })
	require.NoError(t, b.Worker.Captures.Verify(t.Context(), payment.VerifyArgs{PaymentID: b.Text(`SELECT id FROM payments`), Event: "x"}))
	b.Work()
	require.Empty(t, b.compare(today).Differences)
	b.Balanced()
}

func TestCompare_DaysWithoutWorkers_AreCaughtUp(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.compareAll()
	b.Clock.Advance(5 * 24 * time.Hour)
	b.compareAll()
	require.Equal(t, 6, b.Count(`SELECT count(*) FROM settlement_days`))
	b.Clock.Advance(100 * 24 * time.Hour)
	b.compareAll()
	require.Equal(t, 106, b.Count(`SELECT count(*) FROM settlement_days`), "no day is left out, however long nobody worked")
}

// Given a gateway whose report cannot be read, when days pass and the comparison of the stored lines continues, then the last comparison
// stays that of its last report. A gateway that was never read was never compared.
func TestCompare_UnreadableReport_KeepsTheTimeOfTheLastReport(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, at, err := b.Settlements.LastCompared(t.Context())
	require.NoError(t, err)
	require.Nil(t, at, "nothing was read yet")
	b.compareAll()
	read := b.Clock.Now()
	b.Gateway.SettlementsFail = true
	for range 3 {
		b.Clock.Advance(24 * time.Hour)
		require.Error(t, b.Settlements.Compare(t.Context(), settlement.CompareArgs{}))
	}
	_, at, err = b.Settlements.LastCompared(t.Context())
	require.NoError(t, err)
	require.Equal(t, read, *at)
	b.Gateway.SettlementsFail = false
	b.compareAll()
	_, at, err = b.Settlements.LastCompared(t.Context())
	require.NoError(t, err)
	require.Equal(t, b.Clock.Now(), *at)

	second := settlement.NewService(settlement.Options{
		DB: b.DB.Worker, Clock: b.Clock, Gateways: []settlement.Gateway{b.Gateway, neverRead{}}, Payments: payment.Lookup{}, Ask: b.Worker.Captures.AskAgainTx,
		Ledger: b.Books, Logger: testkit.NewSilentLogger(),
	})
	_, at, err = second.LastCompared(t.Context())
	require.NoError(t, err)
	require.Nil(t, at, "the second gateway was never read")
}

// neverRead is a gateway that was just added.
type neverRead struct{}

func (neverRead) Name() string { return "another" }

func (neverRead) Settlements(context.Context, string) ([]settlement.Line, error) { return nil, nil }
