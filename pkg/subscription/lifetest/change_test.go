package lifetest_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

// Given a change that waits, when the customer chooses the running plan again, then nothing says that the plan changes, and the renewal is
// that of the running plan.
func TestChange_BackToTheRunningPlan_CancelsTheScheduledChange(t *testing.T) {
	t.Parallel()
	b := setup(t)
	running, small := b.Tier(1, 1), b.Tier(0, 0)
	b.Pay(b.Buyer, story.Buy(running, plan.TypeMonthly))
	b.Ask(b.Buyer, story.Buy(small, plan.TypeMonthly))
	require.Equal(t, "Your plan changes to Start up · Expansion on 2 Dec 2026.", b.Message(b.Buyer))

	offer, err := b.API.Checkout.Preview(t.Context(), b.Buyer, story.Buy(running, plan.TypeMonthly))
	require.NoError(t, err)
	require.EqualValues(t, "Nothing to pay now. Your plan stays the same on 2 Dec 2026", offer.PaymentDetails()[0].Label)
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
func TestAddOns_TermOverBeforeTheSweep_AreNotOffered(t *testing.T) {
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

// changes are the states of the changes, the oldest first.
func (b *bundle) changes() string {
	b.T.Helper()
	return b.Text(`SELECT coalesce(string_agg(state, ' ' ORDER BY created_at, id), '') FROM orders WHERE kind = 'downgrade'`)
}

// Given a scheduled change of an unrenewed plan, then a renewal in grace applies the change from the old end, and a renewal after expiry
// applies it from that day.
func TestScheduledChange_RenewalInGraceOrAfterExpiry_StillApplies(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		days int
		want string
	}{
		"in grace":      {33, "active 2026-12-02 2027-12-02 2027-12-02"},
		"after the end": {45, "active 2026-12-17 2027-12-17 2027-12-17"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			small := b.Tier(0, 0)
			b.Pay(b.Buyer, story.Buy(b.Tier(1, 1), plan.TypeMonthly))
			b.Ask(b.Buyer, story.Buy(small, plan.TypeYearly, small.AddOns[2].ID))
			b.Live(tc.days)
			bill, err := b.APISubs.NextBill(t.Context(), b.Buyer)
			require.NoError(t, err)
			require.Equal(t, small.Title(), bill.ScheduledPlan)
			paid := b.Pay(b.Buyer, b.Renewal(b.Buyer))
			require.Equal(t, bill.Totals.Total, paid.Amount)
			require.Equal(t, tc.want, b.Standing(b.Buyer))
			require.Equal(t, small.ID, b.Text(`SELECT service_id FROM subscriptions`))
			require.Equal(t, "done", b.changes())
			require.Equal(t, 1, b.Count(`SELECT count(*) FROM subscription_add_ons WHERE ended_on IS NULL`))
			b.Balanced()
		})
	}
}

// Given a change that waits, when another plan takes the place of the running one, then it is cancelled: an upgrade now, or whatever is
// bought after the end.
func TestScheduledChange_AnotherPlanBought_IsCancelled(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(1, 1), plan.TypeMonthly))
	b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Live(5)
	b.Pay(b.Buyer, story.Buy(b.Tier(2, 1), plan.TypeMonthly))
	require.Equal(t, "cancelled", b.changes())
	require.Empty(t, b.Message(b.Buyer))

	b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Live(60)
	require.Contains(t, b.Standing(b.Buyer), "expired")
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 1), plan.TypeMonthly))
	require.Equal(t, "cancelled cancelled", b.changes())
	require.Equal(t, b.Tier(0, 1).ID, b.Text(`SELECT service_id FROM subscriptions`))
	require.Zero(t, b.Count(`SELECT count(*) FROM subscriptions WHERE next_order_id IS NOT NULL`))
	b.Balanced()
}

// Given a renewal that was paid early, when a smaller plan is chosen, then it waits for the end of all that is paid.
func TestDowngrade_NextTermPaid_WaitsForItsEnd(t *testing.T) {
	t.Parallel()
	b := setup(t)
	large, small := b.Tier(1, 1), b.Tier(0, 0)
	b.Pay(b.Buyer, story.Buy(large, plan.TypeMonthly))
	b.Live(25)
	b.Pay(b.Buyer, b.Renewal(b.Buyer))
	offer, err := b.API.Checkout.Preview(t.Context(), b.Buyer, story.Buy(small, plan.TypeMonthly))
	require.NoError(t, err)
	require.Equal(t, "2027-01-02 2027-02-02", offer.EffectiveOn.String()+" "+offer.Then.RenewOn.String())
	b.Ask(b.Buyer, story.Buy(small, plan.TypeMonthly))
	require.Equal(t, "Your plan changes to Start up · Expansion on 2 Jan 2027.", b.Message(b.Buyer))
	b.Live(5)
	require.Equal(t, "active 2026-12-02 2027-01-02 2027-01-02", b.Standing(b.Buyer))
	require.Equal(t, large.ID, b.Text(`SELECT service_id FROM subscriptions`), "the term that was paid is the large plan's")
	b.Live(28)
	b.Pay(b.Buyer, b.Renewal(b.Buyer))
	b.Live(10)
	require.Equal(t, "active 2027-01-02 2027-02-02 2027-02-02", b.Standing(b.Buyer))
	require.Equal(t, small.ID, b.Text(`SELECT service_id FROM subscriptions`))
	require.Equal(t, "done", b.changes())
	b.Balanced()
}

// Given a change to a plan that is sold no more when it comes, then there is no bill for it and no renewal, and another plan can be bought.
func TestScheduledChange_PlanRetired_HasNoBill(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(1, 1), plan.TypeMonthly))
	b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	var d map[string]any
	require.NoError(t, json.Unmarshal(plan.DefaultCatalogue(), &d))
	d["plans"] = d["plans"].([]any)[1:]
	text, err := json.Marshal(d)
	require.NoError(t, err)
	_, err = plan.Load(t.Context(), b.DB.Worker, b.Clock, text)
	require.NoError(t, err)
	b.Live(27)
	bill, err := b.APISubs.NextBill(t.Context(), b.Buyer)
	require.NoError(t, err)
	require.Nil(t, bill)
	_, err = b.Request(b.Buyer, b.Renewal(b.Buyer))
	require.ErrorIs(t, err, subscription.ErrPlanRetired)
	require.Equal(t, "/pricing", errs.As(err).Data["redirect_to"])

	b.Ask(b.Buyer, story.Buy(b.Tier(1, 0), plan.TypeMonthly))
	require.Equal(t, "cancelled scheduled", b.changes())
	b.Pay(b.Buyer, b.Renewal(b.Buyer))
	b.Live(5)
	require.Equal(t, b.Tier(1, 0).ID, b.Text(`SELECT service_id FROM subscriptions`))
	b.Balanced()
}

// Given a renewal requested before a change and paid after it, then the running plan continues for another term, and the change waits for
// the next term.
func TestRenewal_RequestedBeforeAChange_RenewsTheRunningPlan(t *testing.T) {
	t.Parallel()
	b := setup(t)
	large, small := b.Tier(1, 1), b.Tier(0, 0)
	b.Pay(b.Buyer, story.Buy(large, plan.TypeMonthly))
	b.Live(25)
	asked := b.Ask(b.Buyer, b.Renewal(b.Buyer))
	b.Ask(b.Buyer, story.Buy(small, plan.TypeMonthly))
	b.Settle(asked, payment.StatusPaid)
	require.Equal(t, "active 2026-11-02 2026-12-02 2027-01-02", b.Standing(b.Buyer))
	require.Equal(t, "scheduled", b.changes())
	require.Equal(t, "Your plan changes to Start up · Expansion on 2 Jan 2027.", b.Message(b.Buyer))
	b.Live(35)
	require.Equal(t, large.ID, b.Text(`SELECT service_id FROM subscriptions`))
	bill, err := b.APISubs.NextBill(t.Context(), b.Buyer)
	require.NoError(t, err)
	require.Equal(t, small.Title(), bill.ScheduledPlan)
	b.Balanced()
}

// Given add-ons of which one is cancelled, and no renewal before the end, then the cancelled one ends with its cycle, and the others last
// through grace and are in the renewal.
func TestAddOns_RenewalInGrace_KeepsAllButCancelled(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tier := b.Tier(0, 0)
	b.Pay(b.Buyer, story.Buy(tier, plan.TypeMonthly, tier.AddOns[0].ID, tier.AddOns[2].ID))
	app := b.Text(`SELECT id FROM subscription_add_ons WHERE key = 'users_app'`)
	_, err := b.APISubs.SetAddOn(t.Context(), b.Buyer, app, false)
	require.NoError(t, err)
	inForce := func() string {
		return b.Text(`SELECT coalesce(string_agg(key || ' ' || paid_until, ', ' ORDER BY key), '') FROM subscription_add_ons WHERE ended_on IS NULL`)
	}
	b.Live(29)
	require.Equal(t, "franchise_extension 2026-12-02, users_app 2026-12-02", inForce(), "its last day is paid")
	b.Live(1)
	require.Equal(t, "franchise_extension 2026-12-02", inForce())
	_, err = b.APISubs.SetAddOn(t.Context(), b.Buyer, app, true)
	require.Equal(t, errs.KindNotFound, errs.KindOf(err), "it is over")
	b.Live(4)
	bill, err := b.APISubs.NextBill(t.Context(), b.Buyer)
	require.NoError(t, err)
	require.Empty(t, bill.Dropped)
	require.Equal(t, tier.Monthly+tier.AddOns[2].Monthly, bill.Totals.Taxable)
	b.Pay(b.Buyer, b.Renewal(b.Buyer))
	require.Equal(t, "franchise_extension 2027-01-02", inForce())

	extension := b.Text(`SELECT id FROM subscription_add_ons WHERE ended_on IS NULL`)
	_, err = b.APISubs.SetAddOn(t.Context(), b.Buyer, extension, false)
	require.NoError(t, err)
	b.Live(23) // 29 December
	_, err = b.APISubs.SetAddOn(t.Context(), b.Buyer, extension, true)
	require.NoError(t, err, "before the end it can be kept after all")
	b.Live(8)
	require.Contains(t, b.Standing(b.Buyer), "grace")
	require.Equal(t, "franchise_extension 2027-01-02", inForce())
	_, err = b.APISubs.SetAddOn(t.Context(), b.Buyer, extension, false)
	require.NoError(t, err, "and cancelled in grace")
	b.Live(0)
	require.Empty(t, inForce(), "then it ends at once, because its cycle is over")
	b.Pay(b.Buyer, b.Renewal(b.Buyer))
	require.Equal(t, tier.Monthly, money.Paise(b.Count(`SELECT taxable_paise FROM orders ORDER BY created_at DESC LIMIT 1`)))
	b.Balanced()
}

// Given a trial that is paid on its last day, one that is not, and one of an account scheduled for erasure, then each ends as promised.
// Unused trial days have no value, and a second trial is refused.
func TestTrial_PaidUnpaidOrErased_Ends(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tier := b.Tier(0, 0)
	other, leaving := b.Franchiser("27"), b.Franchiser("27")
	require.NoError(t, b.Trial(b.Buyer))
	require.NoError(t, b.Trial(other))
	_, err := b.DB.Owner.Exec(`UPDATE franchisers SET erasure_requested_at = now() WHERE id = $1`, leaving)
	require.NoError(t, err)
	require.ErrorIs(t, b.Trial(leaving), subscription.ErrErasureScheduled)
	require.Equal(t, tier.ID, b.Text(`SELECT DISTINCT service_id FROM subscriptions`), "the first tier of all")
	bill, err := b.APISubs.NextBill(t.Context(), b.Buyer)
	require.NoError(t, err)
	require.Nil(t, bill, "a trial has no next bill")
	require.Zero(t, b.Count(`SELECT coalesce(sum(total_paise), 0) FROM orders`))
	require.Zero(t, b.Count(`SELECT count(*) FROM payments`))

	b.Live(13) // the last day of fourteen
	require.Contains(t, b.Standing(b.Buyer), "trialing")
	r := b.Pay(b.Buyer, story.Buy(tier, plan.TypeMonthly))
	require.Equal(t, story.WithTax(tier.Monthly), r.Amount, "nothing is credited for it")
	require.Equal(t, "active 2026-11-15 2026-12-15 2026-12-15", b.Standing(b.Buyer))
	b.Live(1)
	require.Contains(t, b.Standing(other), "expired")
	for _, franchiser := range []string{b.Buyer, other} {
		require.ErrorIs(t, b.Trial(franchiser), subscription.ErrTrialUsed)
	}
	_, err = b.Grace.ExtendGrace(b.Asha.Sign(t.Context()), b.Asha, other, 5, "wants to look longer")
	require.ErrorIs(t, err, subscription.ErrNoGrace)
	b.Balanced()
}
