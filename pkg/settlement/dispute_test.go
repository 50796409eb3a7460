package settlement_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/settlement"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit/story"
	"github.com/franchise360/franchise360/pkg/testkit/world"
)

// Given a dispute that staff booked as lost, when the gateway pays the capture out and deducts nothing, then that is a difference after ten
// days, until the gateway deducts the amount.
func TestCompare_LostDisputeNotDeducted_IsADifferenceAfterTenDays(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	asked, err := b.Reversals.RequestChargeback(b.Asha.Sign(t.Context()), b.Asha, b.Buyer, b.PaymentOf(r), "CB-1", "lost, they say", id.New())
	require.NoError(t, err)
	_, err = b.Reversals.Approve(b.Ravi.Sign(t.Context()), b.Ravi, asked.ID, "read, too")
	require.NoError(t, err)
	b.Work()
	open := func() string {
		return b.Text(`SELECT coalesce(string_agg(kind || ' ' || ours_paise || ' ' || day, ', '), '') FROM settlement_differences
			WHERE kind = 'dispute_not_taken' AND cleared_at IS NULL`)
	}
	for range 8 {
		b.nextDay()
		b.compareAll()
	}
	require.Empty(t, open())
	for range 5 {
		b.nextDay()
		b.compareAll()
	}
	require.Equal(t, "dispute_not_taken "+strconv.FormatInt(int64(r.Amount), 10)+" 2026-11-12", open())
	b.Gateway.Lines = []settlement.Line{world.BackLine(settlement.KindChargeback, r, "CB-1", r.Amount, b.Clock.Now())}
	b.nextDay()
	b.compareAll()
	require.Empty(t, open(), "taken at last")
}

// Given a chargeback that the gateway has taken while the dispute is still open here, then the settlement reports a difference until
// the dispute is decided.
func TestCompare_ChargebackOfAnOpenDispute_IsADifference(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Dispute(r, "D1", payment.DisputeOutcome{State: payment.DisputeOpen, Amount: r.Amount})
	b.Gateway.Lines = []settlement.Line{
		world.Line(r, b.Clock.Now()), world.BackLine(settlement.KindChargeback, r, "D1", r.Amount, b.Clock.Now()),
	}
	today := subscription.DayOf(b.Clock.Now())
	found := b.compare(today).Differences
	require.Len(t, found, 1)
	require.Equal(t, settlement.DifferenceDisputeTaken, found[0].Kind)
	b.Dispute(r, "D1", payment.DisputeOutcome{State: payment.DisputeLost, Amount: r.Amount})
	require.Empty(t, b.compare(today).Differences)
	b.Balanced()
}
