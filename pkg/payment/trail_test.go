package payment_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/payment/desk"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/settlement"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit/story"
	"github.com/franchise360/franchise360/pkg/testkit/world"
)

func TestTrail_FollowsAPaymentFromCheckoutToSettlement(t *testing.T) {
	t.Parallel()
	b := setup(t)
	books := ledger.NewService(b.DB.API, b.Clock)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	other := b.Pay(b.Franchiser("27"), story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	paymentID := b.Text(`SELECT id FROM payments WHERE transaction_id = $1`, r.TransactionID)
	require.NoError(t, b.GiveBack(paymentID, money.FromRupees(1000)))

	trail, err := b.API.Trails.Trail(b.Asha.Sign(t.Context()), books, r.TransactionID)
	require.NoError(t, err)
	require.Equal(t, r.Amount-money.FromRupees(1000), trail.Clearing(), "it lies at the gateway")

	settled := world.Line(r, b.Clock.Now())
	settled.UTR = "UTR1"
	back := world.BackLine(settlement.KindRefund, r, b.Text(`SELECT gateway_refund_id FROM refunds`), money.FromRupees(1000), b.Clock.Now())
	back.UTR = "UTR1"
	b.Gateway.Lines = []settlement.Line{settled, back, world.Line(other, b.Clock.Now())}
	today := subscription.DayOf(b.Clock.Now())
	for range 2 {
		require.Empty(t, b.compare(today))
	}
	for _, name := range []string{r.TransactionID, paymentID} {
		trail, err = b.API.Trails.Trail(b.Asha.Sign(t.Context()), books, name)
		require.NoError(t, err)
	}
	require.Equal(t, r.Amount, trail.Payment.Captured)
	require.Equal(t, r.OrderID, trail.Order.ID)
	require.Equal(t, []string{"callback", "poll"}, []string{trail.Events[0].Source, trail.Events[1].Source})
	require.Equal(t, []string{"invoice", "credit_note"}, []string{trail.Documents[0].Kind, trail.Documents[1].Kind})
	require.Len(t, trail.Refunds, 1)
	require.Len(t, trail.Reversals, 1)
	require.Empty(t, trail.Disputes)
	kinds := map[ledger.Kind]int{}
	for _, j := range trail.Journals {
		kinds[j.Kind]++
	}
	require.Equal(t, map[ledger.Kind]int{
		ledger.KindSale: 1, ledger.KindCapture: 1, ledger.KindCreditNote: 1, ledger.KindRefund: 1, ledger.KindSettlement: 2,
	}, kinds)
	lines, err := b.Settlements.OfTransaction(t.Context(), b.Gateway.Name(), r.TransactionID)
	require.NoError(t, err)
	require.Len(t, lines, 2)
	require.Equal(t, "UTR1", lines[0].UTR)
	require.Equal(t, today, lines[0].Day)
	require.Zero(t, trail.Clearing(), "all of it reached the bank")

	day, err := b.Settlements.Day(t.Context(), b.Gateway.Name(), today)
	require.NoError(t, err)
	require.Len(t, day.All, 3)
	require.Equal(t, settled.Net, day.All[0].Net)
	for _, name := range []string{"FPNOBODY", "", "01a20053-6aff-725a-bdba-fda65e5a9451", `%' OR true --`} {
		_, err = b.API.Trails.Trail(b.Asha.Sign(t.Context()), books, name)
		require.Equal(t, errs.KindNotFound, errs.KindOf(err), name)
	}
	_, err = b.Settlements.Day(t.Context(), b.Gateway.Name(), today+1)
	require.Equal(t, errs.KindNotFound, errs.KindOf(err))
}

// Given a payment captured twice, then the trail distinguishes the captures, and each event names its capture.
func TestTrail_PaymentCapturedTwice_NamesTheCaptureOfEachEvent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	books := ledger.NewService(b.DB.API, b.Clock)
	follow := func(r checkout.Requested) desk.Trail {
		trail, err := b.API.Trails.Trail(b.Asha.Sign(t.Context()), books, r.TransactionID)
		require.NoError(t, err)
		return trail
	}
	open := b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	require.Empty(t, follow(open).Captures())
	b.Settle(open, payment.StatusPaid)
	b.Gateway.Change(open.TransactionID, func(o *payment.Outcome) {
		o.Others = []payment.Capture{{GatewayPaymentID: "ANOTHER", Amount: open.Amount}}
	})
	require.NoError(t, b.Worker.Captures.Verify(t.Context(), payment.VerifyArgs{PaymentID: b.PaymentOf(open), Event: "x"}))
	trail := follow(open)
	first := trail.Payment.GatewayPaymentID
	require.NotEmpty(t, first)
	require.Equal(t, []desk.TrailCapture{
		{GatewayPaymentID: first, State: desk.CaptureAccepted, Amount: open.Amount},
		{GatewayPaymentID: "ANOTHER", State: desk.CaptureSurplus, Amount: open.Amount, Going: open.Amount},
	}, trail.Captures())
	polled := trail.Events[len(trail.Events)-1]
	require.Equal(t, "poll "+first, polled.Source+" "+polled.ExternalID)
	b.Work()
	require.NoError(t, b.GiveBack(b.PaymentOf(open), money.FromRupees(100)))
	require.Equal(t, []desk.TrailCapture{
		{GatewayPaymentID: first, State: desk.CaptureAccepted, Amount: open.Amount, Back: money.FromRupees(100)},
		{GatewayPaymentID: "ANOTHER", State: desk.CaptureSurplus, Amount: open.Amount, Back: open.Amount},
	}, follow(open).Captures())

	b.Buyer = b.Franchiser("27")
	held := follow(b.heldPayment(story.Buy(b.Tier(0, 0), plan.TypeMonthly)))
	require.Equal(t, desk.CaptureHeld, held.Captures()[0].State)
	require.Equal(t, held.Payment.Captured, held.Captures()[0].Amount)
}
