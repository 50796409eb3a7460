package subscription_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

// Given a change that waits, when the customer chooses the running plan again, then nothing says that the plan changes, and the renewal is
// that of the running plan.
func TestChoosingTheRunningPlanAgainTakesAChangeBack(t *testing.T) {
	t.Parallel()
	b := setup(t)
	running, small := b.Tier(1, 1), b.Tier(0, 0)
	b.Pay(b.Buyer, story.Buy(running, plan.TypeMonthly))
	b.Ask(b.Buyer, story.Buy(small, plan.TypeMonthly))
	require.Equal(t, "Your plan changes on 2 Dec 2026.", b.Message(b.Buyer))

	offer, err := b.API.Preview(t.Context(), b.Buyer, story.Buy(running, plan.TypeMonthly))
	require.NoError(t, err)
	require.Equal(t, "Nothing to pay now. Your plan stays the same on 2 Dec 2026", offer.PaymentDetails()[0].Label)
	b.Ask(b.Buyer, story.Buy(running, plan.TypeMonthly))
	require.Empty(t, b.Message(b.Buyer))
	bill, err := b.APISubs.NextBill(t.Context(), b.Buyer)
	require.NoError(t, err)
	require.Empty(t, bill.ScheduledPlan)
	require.Equal(t, running.Monthly, bill.Totals.Taxable)
	require.Equal(t, "cancelled scheduled", b.Text(`SELECT string_agg(state, ' ' ORDER BY created_at, id) FROM orders WHERE kind = 'downgrade'`))

	b.Live(25)
	require.Equal(t, bill.Totals.Total, b.Pay(b.Buyer, b.Renewal(b.Buyer)).Amount)
	b.Live(5)
	require.Equal(t, running.ID, b.Text(`SELECT service_id FROM subscriptions`))
	require.Zero(t, b.Count(`SELECT count(*) FROM orders WHERE state = 'scheduled'`))
	require.Zero(t, b.Count(`SELECT count(*) FROM subscriptions WHERE next_order_id IS NOT NULL`))
	b.Balanced()
}

// Given a term that is over while no worker runs, then no add-on is offered for the days that are gone.
func TestNoAddOnIsOfferedForDaysThatAreGone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tier := b.Tier(0, 0)
	b.Pay(b.Buyer, story.Buy(tier, plan.TypeMonthly))
	id := b.Renewal(b.Buyer).SubscriptionID
	payable := func() string {
		list, err := b.APISubs.BuyableAddOns(t.Context(), b.Buyer, id)
		require.NoError(t, err)
		require.Len(t, list, len(tier.AddOns))
		return list[1].Payable
	}
	require.Equal(t, "₹5,000", payable())
	b.Clock.Advance(29 * story.Day)
	require.Equal(t, "₹166.67", payable(), "the last of thirty days")
	b.Clock.Advance(5 * story.Day)
	require.Equal(t, "₹5,000", payable(), "what it costs once the plan is renewed")
	require.Contains(t, b.Standing(b.Buyer), "grace")
}
