package lifetest_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

func TestSweep_UnrenewedMonthlyPlan_GraceExpiryLapse(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	require.Equal(t, "active 2026-11-02 2026-12-02 2026-12-02", b.Standing(b.Buyer))
	b.Live(29)
	require.Contains(t, b.Standing(b.Buyer), "active")
	b.Live(1)
	require.Contains(t, b.Standing(b.Buyer), "grace")
	b.Live(6)
	require.Contains(t, b.Standing(b.Buyer), "grace")
	b.Live(1)
	require.Equal(t, "expired 2026-12-09", b.Text(`SELECT concat_ws(' ', state, expired_on) FROM subscriptions`))
	b.Live(89)
	require.Contains(t, b.Standing(b.Buyer), "expired")
	b.Live(1)
	require.Contains(t, b.Standing(b.Buyer), "lapsed")
	require.Equal(t, 4, b.Count(`SELECT count(*) FROM subscription_events`), "new, grace, expired, lapsed")
	require.Zero(t, b.Count(`SELECT count(*) FROM subscriptions WHERE due_on IS NOT NULL`))
}

func TestSweep_AfterAYearWithoutWorkers_CatchesUp(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Live(400)
	require.Contains(t, b.Standing(b.Buyer), "lapsed")
	require.Equal(t, "2026-12-09", b.Text(`SELECT expired_on::text FROM subscriptions`), "the day it happened, not the day it was seen")
}

func TestRenewal_Early_FollowsTheRunningTerm(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	_, err := b.Request(b.Buyer, b.Renewal(b.Buyer))
	require.ErrorIs(t, err, subscription.ErrNothingToRenew, "a year before its end")
	b.Live(340)
	b.Pay(b.Buyer, b.Renewal(b.Buyer))
	require.Equal(t, "active 2026-11-02 2027-11-02 2028-11-02", b.Standing(b.Buyer))
	_, err = b.Request(b.Buyer, b.Renewal(b.Buyer))
	require.ErrorIs(t, err, subscription.ErrNothingToRenew, "once is enough")
	b.Live(25)
	require.Equal(t, "active 2027-11-02 2028-11-02 2028-11-02", b.Standing(b.Buyer))
	require.Equal(t, "ended current", b.Text(`SELECT string_agg(status, ' ' ORDER BY starts_on) FROM terms`))
	b.Balanced()
}

func TestRenewal_InGrace_StartsAtTheOldEnd(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Live(35)
	b.Pay(b.Buyer, b.Renewal(b.Buyer))
	require.Equal(t, "active 2026-12-02 2027-01-02 2027-01-02", b.Standing(b.Buyer))
	b.Live(45)
	require.Contains(t, b.Standing(b.Buyer), "expired")
	b.Pay(b.Buyer, b.Renewal(b.Buyer))
	require.Equal(t, "active 2027-01-21 2027-02-21 2027-02-21", b.Standing(b.Buyer), "after expiry it starts anew")
	b.Live(200)
	require.Contains(t, b.Standing(b.Buyer), "lapsed")
	b.Pay(b.Buyer, b.Renewal(b.Buyer))
	require.Contains(t, b.Standing(b.Buyer), "active")
	b.Balanced()
}

func TestRenewal_ShortMonths_KeepTheAnchorDay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Live(90) // 31 January 2027
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	var ends []string
	for range 4 {
		b.Live(24)
		b.Pay(b.Buyer, b.Renewal(b.Buyer))
		ends = append(ends, b.Text(`SELECT paid_until::text FROM subscriptions`))
		b.Live(6)
		b.Sweep()
	}
	require.Equal(t, []string{"2027-03-31", "2027-04-30", "2027-05-31", "2027-06-30"}, ends)
}

func TestRenewal_CapturedTwice_IsOneTermAndOneRefund(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Live(25)
	first := b.Ask(b.Buyer, b.Renewal(b.Buyer))
	b.Settle(first, payment.StatusFailed)
	second := b.Ask(b.Buyer, b.Renewal(b.Buyer))
	b.Gateway.Decide(first.TransactionID, payment.StatusPaid, first.Amount)
	b.Gateway.Decide(second.TransactionID, payment.StatusPaid, second.Amount)
	var both errgroup.Group
	for _, r := range []checkout.Requested{first, second} {
		paymentID := b.Text(`SELECT id FROM payments WHERE transaction_id = $1`, r.TransactionID)
		both.Go(func() error {
			return b.Worker.Captures.Verify(context.Background(), payment.VerifyArgs{PaymentID: paymentID, Event: "e"})
		})
	}
	require.NoError(t, both.Wait())
	b.Work()
	require.Equal(t, "active 2026-11-02 2026-12-02 2027-01-02", b.Standing(b.Buyer))
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM refunds WHERE state = 'done'`))
	require.Equal(t, 2, b.Count(`SELECT count(*) FROM invoices`))
	b.Balanced()
}

func TestUpgrade_CreditsUnusedDaysOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly, b.Tier(0, 0).AddOns[0].ID))
	b.Live(100)
	up := b.Pay(b.Buyer, story.Buy(b.Tier(1, 1), plan.TypeYearly))
	left := money.FromRupees(1_35_000).Prorate(265, 365) + money.FromRupees(90_000).Prorate(265, 365)
	require.Equal(t, money.FromRupees(3_24_000-32_400), money.Paise(b.Count(`SELECT taxable_paise FROM orders WHERE id = $1`, up.OrderID)))
	require.Equal(t, left, money.Paise(b.Count(`SELECT taxable_paise FROM invoices WHERE kind = 'credit_note'`)))
	require.Equal(t, "active 2027-02-10 2028-02-10 2028-02-10", b.Standing(b.Buyer))
	require.Zero(t, b.Count(`SELECT count(*) FROM subscription_add_ons WHERE ended_on IS NULL`), "it was credited, so it ends")
	b.Live(10)
	again := b.Ask(b.Buyer, story.Buy(b.Tier(3, 2), plan.TypeYearly))
	credit := money.Paise(b.Count(`SELECT sum(taxable_paise) FROM order_credits WHERE order_id = $1`, again.OrderID))
	require.Equal(t, money.FromRupees(2_91_600).Prorate(355, 365), credit, "the second upgrade credits the first one's term alone")
	b.Balanced()
}

func TestDowngrade_IsFreeAndAppliesAtTheRenewal(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(1, 1), plan.TypeYearly, b.Tier(1, 1).AddOns[2].ID))
	down := b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly, b.Tier(0, 0).AddOns[2].ID))
	require.Nil(t, down.Session)
	require.Empty(t, down.TransactionID)
	require.Zero(t, down.Amount)
	other := b.Ask(b.Buyer, story.Buy(b.Tier(0, 1), plan.TypeMonthly))
	require.Equal(t, "cancelled scheduled", b.Text(`SELECT string_agg(state, ' ' ORDER BY created_at, id) FROM orders WHERE kind = 'downgrade'`))
	require.NotEqual(t, down.OrderID, other.OrderID)

	b.Live(350)
	bill, err := b.APISubs.NextBill(context.Background(), b.Buyer)
	require.NoError(t, err)
	require.Equal(t, "Start up · Apex", bill.ScheduledPlan)
	paid := b.Pay(b.Buyer, b.Renewal(b.Buyer))
	require.Equal(t, bill.Totals.Total, paid.Amount, "the preview says what the renewal charges")
	require.Equal(t, b.Tier(1, 1).ID, b.Text(`SELECT service_id FROM subscriptions`), "until its end the old plan runs")
	require.Equal(t, "done", b.Text(`SELECT state FROM orders WHERE id = $1`, other.OrderID))
	b.Live(15)
	require.Equal(t, b.Tier(0, 1).ID, b.Text(`SELECT service_id FROM subscriptions`))
	require.Equal(t, "active 2027-11-02 2027-12-02 2027-12-02", b.Standing(b.Buyer))
	require.Zero(t, b.Count(`SELECT count(*) FROM subscription_add_ons WHERE ended_on IS NULL`))
	b.Balanced()
}

func TestCancelAddOn_EndsWithItsCycleAndOthersContinue(t *testing.T) {
	t.Parallel()
	b := setup(t)
	t00 := b.Tier(0, 0)
	b.Pay(b.Buyer, story.Buy(t00, plan.TypeMonthly, t00.AddOns[0].ID, t00.AddOns[2].ID))
	b.Live(10)
	b.Pay(b.Buyer, b.AddOns(b.Buyer, t00.AddOns[2].ID))
	require.Equal(t, 3, b.Count(`SELECT count(*) FROM subscription_add_ons WHERE ended_on IS NULL`))
	require.Equal(t, "2026-12-02", b.Text(`SELECT max(paid_until)::text FROM subscription_add_ons`))

	subs := b.APISubs
	app := b.Text(`SELECT id FROM subscription_add_ons WHERE key = 'users_app'`)
	owned, err := subs.SetAddOn(context.Background(), b.Buyer, app, false)
	require.NoError(t, err)
	require.Len(t, owned, 3)
	_, err = subs.SetAddOn(context.Background(), b.Buyer, app, true)
	require.NoError(t, err)
	_, err = subs.SetAddOn(context.Background(), b.Buyer, app, false)
	require.NoError(t, err)
	_, err = subs.SetAddOn(context.Background(), b.Franchiser("27"), app, false)
	require.Equal(t, errs.KindNotFound, errs.KindOf(err), "another's")

	bill, err := subs.NextBill(context.Background(), b.Buyer)
	require.NoError(t, err)
	require.Equal(t, []string{"Users app (Android and iOS)"}, bill.Dropped)
	require.Equal(t, money.FromRupees(12_500+2*7_000), bill.Totals.Taxable)
	b.Live(15)
	r := b.Pay(b.Buyer, b.Renewal(b.Buyer))
	require.Equal(t, bill.Totals.Total, r.Amount)
	_, err = subs.SetAddOn(context.Background(), b.Buyer, app, true)
	require.ErrorIs(t, err, subscription.ErrAddOnNotRenewed)
	b.Live(5)
	require.Equal(t, "2026-12-02", b.Text(`SELECT ended_on::text FROM subscription_add_ons WHERE id = $1`, app))
	require.Equal(t, 2, b.Count(`SELECT count(*) FROM subscription_add_ons WHERE ended_on IS NULL AND paid_until = '2027-01-02'`))
	b.Balanced()
}

func TestAddOns_PlanExpired_AreBlocked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	t00 := b.Tier(0, 0)
	b.Pay(b.Buyer, story.Buy(t00, plan.TypeMonthly, t00.AddOns[0].ID))
	late := b.Ask(b.Buyer, b.AddOns(b.Buyer, t00.AddOns[2].ID))
	b.Live(3)
	b.Gateway.Decide(late.TransactionID, payment.StatusPending, late.Amount)
	b.Live(40)
	_, err := b.Request(b.Buyer, b.AddOns(b.Buyer, t00.AddOns[2].ID))
	require.ErrorIs(t, err, subscription.ErrPlanExpired)
	require.Equal(t, "Plan Expired On: 1 Dec 2026. Please renew your plan.", errs.As(err).Message)
	_, err = b.APISubs.SetAddOn(context.Background(), b.Buyer, b.Text(`SELECT id FROM subscription_add_ons`), false)
	require.ErrorIs(t, err, subscription.ErrPlanExpired)
	b.Settle(late, payment.StatusPaid)
	require.Equal(t, "refunded", b.State(late), "an add-on for a plan that is over is given back")
	b.Balanced()
}

func TestAddOns_WithoutSweeps_AreNotSoldForPastDays(t *testing.T) {
	t.Parallel()
	b := setup(t)
	t00 := b.Tier(0, 0)
	b.Pay(b.Buyer, story.Buy(t00, plan.TypeMonthly))
	b.Clock.Advance(32 * story.Day) // and nothing is swept
	_, err := b.Request(b.Buyer, b.AddOns(b.Buyer, t00.AddOns[2].ID))
	require.ErrorIs(t, err, subscription.ErrPlanExpired, "the plan is in grace")
	_, err = b.API.Checkout.Preview(context.Background(), b.Buyer, b.AddOns(b.Buyer, t00.AddOns[2].ID))
	require.ErrorIs(t, err, subscription.ErrPlanExpired)
	bill, err := b.APISubs.NextBill(context.Background(), b.Buyer)
	require.NoError(t, err)
	require.Equal(t, subscription.StateGrace, bill.Subscription.State)
	b.Clock.Advance(30 * story.Day)
	b.Pay(b.Buyer, b.Renewal(b.Buyer))
	require.Equal(t, "active 2027-01-03 2027-02-03 2027-02-03", b.Standing(b.Buyer), "expired long ago, it begins anew")
	b.Balanced()
}

func TestTrial_RunsRemindsEndsAndConverts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.Trial(b.Buyer))
	require.ErrorIs(t, b.Trial(b.Buyer), subscription.ErrTrialUsed)
	require.Equal(t, "trialing 2026-11-02 2026-11-16 2026-11-16", b.Standing(b.Buyer))
	_, err := b.Request(b.Buyer, b.AddOns(b.Buyer, b.Tier(0, 0).AddOns[0].ID))
	require.ErrorIs(t, err, subscription.ErrTrialAddOns)
	_, err = b.Request(b.Buyer, b.Renewal(b.Buyer))
	require.ErrorIs(t, err, subscription.ErrTrialRenewal)
	b.Live(5)
	require.Zero(t, b.Count(`SELECT count(*) FROM renewal_reminders`))
	b.Live(1)
	b.Live(4)
	b.Live(2)
	require.Equal(t, "7 3 1", b.Text(`SELECT string_agg(days::text, ' ' ORDER BY days DESC) FROM renewal_reminders`))
	b.Live(2)
	require.Contains(t, b.Standing(b.Buyer), "expired", "a trial has no grace")
	require.Equal(t, "7 3 1 -1", b.Text(`SELECT string_agg(days::text, ' ' ORDER BY days DESC) FROM renewal_reminders`))
	_, err = b.Request(b.Buyer, b.Renewal(b.Buyer))
	require.ErrorIs(t, err, subscription.ErrTrialRenewal, "it leads to the plans")

	b.Pay(b.Buyer, story.Buy(b.Tier(0, 1), plan.TypeMonthly))
	require.Equal(t, "active 2026-11-16 2026-12-16 2026-12-16", b.Standing(b.Buyer))

	other := b.Franchiser("27")
	require.NoError(t, b.Trial(other))
	b.Live(5)
	b.Pay(other, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	require.Equal(t, "active 2026-11-21 2027-11-21 2027-11-21", b.Standing(other))
	require.Equal(t, "replaced current", b.Text(`SELECT string_agg(status, ' ' ORDER BY starts_on) FROM terms WHERE franchiser_id = $1`, other))
	b.Balanced()
}

// Given a trial that ended, then there is nothing to renew: a plan is chosen.
func TestRenewal_EndedTrial_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.Trial(b.Buyer))
	b.Live(16)
	require.Equal(t, "expired", b.Text(`SELECT state FROM subscriptions`))
	bill, err := b.APISubs.NextBill(t.Context(), b.Buyer)
	require.NoError(t, err)
	require.Nil(t, bill)
}

func TestReminders_YearlyPlan_AreSentOnceEach(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	for range 365 {
		b.Clock.Advance(story.Day)
		b.Sweep()
	}
	require.Equal(t, "30 15 7 3 1 0 -1", b.Text(`SELECT string_agg(days::text, ' ' ORDER BY days DESC) FROM renewal_reminders`))
	require.Equal(t, "renewal_email 7, renewal_reminder 7", b.Text(`SELECT string_agg(template || ' ' || n, ', ' ORDER BY template)
		FROM (SELECT template, count(*) AS n FROM customer_messages WHERE template LIKE 'renewal%' GROUP BY template) x`), "each by each channel")
}

func TestPriceChange_RunningPlan_AppliesAtTheRenewal(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.reprice(`"monthly_paise": 1250000`, `"monthly_paise": 2000000`, `"monthly_paise": 700000`, `"monthly_paise": 900000`)
	b.Live(25)
	offer, err := b.API.Checkout.Preview(context.Background(), b.Buyer, b.AddOns(b.Buyer, b.Tier(0, 0).AddOns[2].ID))
	require.NoError(t, err)
	require.Equal(t, money.FromRupees(7_000).Prorate(5, 30), offer.Totals.Taxable, "add-ons keep the term's prices")
	renewal, err := b.API.Checkout.Preview(context.Background(), b.Buyer, b.Renewal(b.Buyer))
	require.NoError(t, err)
	require.Equal(t, money.FromRupees(20_000), renewal.Totals.Taxable)
}

func TestSweep_TwoWorkersAndARenewal_TakeEachStepOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	for range 20 {
		f := b.Franchiser("27")
		b.Pay(f, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	}
	b.Clock.Advance(29 * story.Day)
	r := b.Ask(b.Buyer, b.Renewal(b.Buyer))
	b.Gateway.Decide(r.TransactionID, payment.StatusPaid, r.Amount)
	b.Clock.Advance(2 * story.Day)
	paymentID := b.Text(`SELECT id FROM payments WHERE transaction_id = $1`, r.TransactionID)
	var all errgroup.Group
	for range 4 {
		all.Go(func() error { _, err := b.WorkerSubs.Advance(context.Background()); return err })
	}
	all.Go(func() error {
		return b.Worker.Captures.Verify(context.Background(), payment.VerifyArgs{PaymentID: paymentID, Event: "e"})
	})
	require.NoError(t, all.Wait())
	require.Equal(t, "active 2026-12-02 2027-01-02 2027-01-02", b.Standing(b.Buyer))
	require.Equal(t, 20, b.Count(`SELECT count(*) FROM subscriptions WHERE state = 'grace'`))
	require.LessOrEqual(t, b.Count(`SELECT max(n) FROM (SELECT count(*) AS n FROM subscription_events WHERE kind = 'grace' GROUP BY subscription_id) x`), 1)
	b.Balanced()
}

func TestCancelAddOn_ConcurrentWithTheCyclesEnd_OneWins(t *testing.T) {
	t.Parallel()
	b := setup(t)
	t00 := b.Tier(0, 0)
	const customers = 8
	var people, owned []string
	for range customers {
		f := b.Franchiser("27")
		b.Pay(f, story.Buy(t00, plan.TypeMonthly, t00.AddOns[0].ID))
		b.Live(0)
		people = append(people, f)
	}
	b.Clock.Advance(25 * story.Day)
	for _, f := range people {
		b.Pay(f, b.Renewal(f))
		id := b.Text(`SELECT id FROM subscription_add_ons WHERE franchiser_id = $1`, f)
		_, err := b.APISubs.SetAddOn(context.Background(), f, id, false)
		require.NoError(t, err)
		owned = append(owned, id)
	}
	b.Clock.Advance(45 * story.Day) // the prepaid term is over too: a cancelled add-on ends, unless it is resumed now
	var all errgroup.Group
	for range 3 {
		all.Go(func() error { _, err := b.WorkerSubs.EndAddOns(context.Background()); return err })
	}
	results := make([]error, customers)
	for i, f := range people {
		all.Go(func() error {
			_, results[i] = b.APISubs.SetAddOn(context.Background(), f, owned[i], true)
			return nil
		})
	}
	require.NoError(t, all.Wait())
	for i := range people {
		ended := b.Count(`SELECT count(*) FROM subscription_add_ons WHERE id = $1 AND ended_on IS NOT NULL AND next_billing_cycle_status = 0`, owned[i])
		renews := b.Count(`SELECT count(*) FROM subscription_add_ons WHERE id = $1 AND ended_on IS NULL AND next_billing_cycle_status = 1`, owned[i])
		require.Equal(t, 1, ended+renews, "either ended or kept, never both")
		require.Equal(t, results[i] == nil, renews == 1, "%v", results[i])
	}
	b.Balanced()
}

// reprice loads the catalogue with the given replacements, each pair being the old and the new text.
func (b *bundle) reprice(pairs ...string) {
	b.T.Helper()
	text := string(plan.DefaultCatalogue())
	for pair := range slices.Chunk(pairs, 2) {
		require.Contains(b.T, text, pair[0])
		text = strings.Replace(text, pair[0], pair[1], 1)
	}
	_, err := plan.Load(context.Background(), b.DB.Worker, b.Clock, []byte(text))
	require.NoError(b.T, err)
}
