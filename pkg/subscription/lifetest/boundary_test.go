package lifetest_test

import (
	"slices"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

// until moves the clock to a moment in India without running the sweeps.
func (b *bundle) until(moment string) {
	b.T.Helper()
	at, err := time.ParseInLocation(time.DateTime, moment, clock.IST)
	require.NoError(b.T, err)
	b.Pass(at.Sub(b.Clock.Now()))
}

// stands returns the state of a franchiser's subscription.
func (b *bundle) stands(franchiser string) string {
	b.T.Helper()
	return b.Text(`SELECT state FROM subscriptions WHERE franchiser_id = $1`, franchiser)
}

// Given a trial, a month with a cancelled add-on and a month that is renewed, then each transition happens in the first second of its day
// in India, and not in the last second of the day before.
func TestSweep_EachTransition_HappensAtMidnightInIndia(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tier := b.Tier(0, 0)
	trial, month, renewed := b.Franchiser("27"), b.Franchiser("29"), b.Franchiser("04")
	require.NoError(t, b.Trial(trial))
	b.Pay(month, story.Buy(tier, plan.TypeMonthly, tier.AddOns[0].ID))
	b.Pay(renewed, story.Buy(tier, plan.TypeMonthly))
	_, err := b.APISubs.SetAddOn(t.Context(), month, b.Text(`SELECT id FROM subscription_add_ons`), false)
	require.NoError(t, err)
	owned := func() int { return b.Count(`SELECT count(*) FROM subscription_add_ons WHERE ended_on IS NULL`) }
	step := func(last string, check func(after bool)) {
		t.Helper()
		b.until(last + " 23:59:59")
		b.Sweep()
		check(false)
		b.Pass(time.Second)
		b.Sweep()
		check(true)
	}
	becomes := func(franchiser, from, to string) func(bool) {
		return func(after bool) {
			t.Helper()
			require.Equal(t, map[bool]string{false: from, true: to}[after], b.stands(franchiser), b.Clock.Now())
		}
	}
	step("2026-11-15", becomes(trial, "trialing", "expired"))
	b.until("2026-11-25 00:00:00") // the first second in which the month can be renewed
	b.Pay(renewed, b.Renewal(renewed))
	step("2026-12-01", func(after bool) {
		becomes(month, "active", "grace")(after)
		require.Equal(t, after, owned() == 0)
		want := "active 2026-11-02 2026-12-02 2027-01-02"
		if after {
			want = "active 2026-12-02 2027-01-02 2027-01-02"
		}
		require.Equal(t, want, b.Standing(renewed))
	})
	step("2026-12-08", becomes(month, "grace", "expired"))
	step("2027-02-13", becomes(trial, "expired", "lapsed"))
	step("2027-03-08", becomes(month, "expired", "lapsed"))
	for _, franchiser := range []string{trial, month, renewed} {
		require.Equal(t, b.Count(`SELECT count(DISTINCT kind) FROM subscription_events WHERE franchiser_id = $1`, franchiser),
			b.Count(`SELECT count(*) FROM subscription_events WHERE franchiser_id = $1`, franchiser), "each step once")
	}
	b.Balanced()
}

// Given two purchases a second apart across midnight in India, then their terms begin on different days; midnight UTC
// does not matter.
func TestPurchase_AcrossMidnightInIndia_StartsOnDifferentDays(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tier := b.Tier(0, 0)
	early, late, morning := b.Franchiser("27"), b.Franchiser("29"), b.Franchiser("29")
	b.until("2027-01-31 23:59:59")
	b.Pay(early, story.Buy(tier, plan.TypeMonthly))
	b.Pass(time.Second)
	b.Pay(late, story.Buy(tier, plan.TypeMonthly))
	b.until("2027-02-01 05:29:59") // still January in UTC
	b.Pay(morning, story.Buy(tier, plan.TypeMonthly))
	require.Equal(t, "active 2027-01-31 2027-02-28 2027-02-28", b.Standing(early))
	require.Equal(t, "active 2027-02-01 2027-03-01 2027-03-01", b.Standing(late))
	require.Equal(t, "active 2027-02-01 2027-03-01 2027-03-01", b.Standing(morning))
	require.Equal(t, "31 1 1", b.Text(`SELECT string_agg(anchor_day::text, ' ' ORDER BY created_at) FROM subscriptions`))
	b.Balanced()
}

// Given a yearly plan that began on 29 February and is renewed each year, then it ends on the 28th, and on the 29th in
// the next leap year.
func TestRenewal_YearFromALeapDay_ReturnsToTheTwentyNinth(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.until("2028-02-29 12:00:00")
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	require.Equal(t, "active 2028-02-29 2029-02-28 2029-02-28", b.Standing(b.Buyer))
	for year, ends := range []string{"2030-02-28", "2031-02-28", "2032-02-29"} {
		b.until([]string{"2029-02-15", "2030-02-15", "2031-02-15"}[year] + " 12:00:00")
		b.Sweep()
		b.Pay(b.Buyer, b.Renewal(b.Buyer))
		require.Equal(t, ends, b.Text(`SELECT paid_until::text FROM subscriptions`))
	}
	b.until("2031-03-01 12:00:00")
	b.Sweep()
	require.Equal(t, "active 2031-02-28 2032-02-29 2032-02-29", b.Standing(b.Buyer))
	require.Equal(t, "ended ended ended current", b.Text(`SELECT string_agg(status, ' ' ORDER BY starts_on) FROM terms`))
	b.Balanced()
}

// A request in a wrong state, for an unknown subscription or by another franchiser is refused with a message and stores nothing.
func TestRequest_WrongState_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tier := b.Tier(0, 0)
	app := tier.AddOns[0].ID
	refused := func(franchiser string, w subscription.PurchaseIntent, want error, why string) {
		t.Helper()
		orders := b.Count(`SELECT count(*) FROM orders`)
		for _, err := range []error{
			func() error { _, err := b.Request(franchiser, w); return err }(),
			func() error { _, err := b.API.Checkout.Preview(t.Context(), franchiser, w); return err }(),
		} {
			require.Error(t, err, why)
			require.Equal(t, errs.As(want).Code, errs.As(err).Code, why)
		}
		require.Equal(t, orders, b.Count(`SELECT count(*) FROM orders`), why)
	}
	for why, w := range map[string]subscription.PurchaseIntent{
		"no subscription":             {SubscriptionID: id.New(), Renew: true},
		"add-ons for an unknown plan": {SubscriptionID: id.New(), AddOnIDs: []string{app}},
		"an id that is no number":     {SubscriptionID: "x", Renew: true},
		"nothing":                     {},
	} {
		refused(b.Buyer, w, errs.NotFound(), why)
	}
	b.Pay(b.Buyer, story.Buy(tier, plan.TypeMonthly, app))
	other := b.Franchiser("27")
	refused(other, b.Renewal(b.Buyer), errs.NotFound(), "another's renewal")
	refused(other, b.AddOns(b.Buyer, app), errs.NotFound(), "another's add-ons")
	b.Pay(other, story.Buy(tier, plan.TypeMonthly))
	refused(other, b.AddOns(b.Buyer, app), errs.NotFound(), "another's add-ons, with a plan of one's own")
	refused(b.Buyer, story.Buy(tier, plan.TypeMonthly), subscription.ErrPlanIsCurrent, "what runs already")
	refused(b.Buyer, b.Renewal(b.Buyer), subscription.ErrNothingToRenew, "a month before its end")
	refused(b.Buyer, b.AddOns(b.Buyer, app), subscription.ErrAddOnOwned, "a second app")
	refused(b.Buyer, b.AddOns(b.Buyer, b.Tier(1, 0).AddOns[0].ID), errs.Invalid(""), "an add-on of another tier")
	require.ErrorIs(t, b.Trial(b.Buyer), subscription.ErrTrialUsed, "a trial beside a plan")
	_, err := b.APISubs.BuyableAddOns(t.Context(), other, b.Renewal(b.Buyer).SubscriptionID)
	require.Equal(t, errs.KindNotFound, errs.KindOf(err))

	b.Live(35)
	refused(b.Buyer, b.AddOns(b.Buyer, tier.AddOns[1].ID), subscription.ErrPlanExpired, "add-ons in grace")
	b.Live(5)
	refused(b.Buyer, b.AddOns(b.Buyer, tier.AddOns[1].ID), subscription.ErrPlanExpired, "add-ons after the end")
	require.ErrorIs(t, b.Trial(b.Buyer), subscription.ErrTrialUsed, "a trial after a plan")
	_, err = b.APISubs.SetAddOn(t.Context(), b.Buyer, b.Text(`SELECT id FROM subscription_add_ons WHERE franchiser_id = $1`, b.Buyer), true)
	require.ErrorIs(t, err, subscription.ErrPlanExpired)
	_, err = b.APISubs.SetAddOn(t.Context(), b.Buyer, id.New(), true)
	require.Equal(t, errs.KindNotFound, errs.KindOf(err))
	_, err = b.APISubs.SetAddOn(t.Context(), b.Franchiser("27"), id.New(), true)
	require.Equal(t, errs.KindNotFound, errs.KindOf(err), "nobody's, before the first plan")
}

// Given a paid order, when it is applied again or its refund is reported twice, then that has no further effect.
func TestPaidOrder_AppliedTwice_HasOneEffect(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	apply := func(franchiser, order string) (applied bool, err error) {
		err = postgres.InTx(t.Context(), b.DB.Worker, func(tx *sqlx.Tx) error {
			require.NoError(t, subscription.LockTx(t.Context(), tx, franchiser))
			_, applied, err = b.WorkerSubs.ApplyTx(t.Context(), tx, franchiser, order, b.Clock.Now())
			return err
		})
		return applied, err
	}
	before := b.Standing(b.Buyer)
	for range 3 {
		applied, err := apply(b.Buyer, r.OrderID)
		require.NoError(t, err)
		require.False(t, applied)
	}
	_, err := apply(b.Buyer, id.New())
	require.Equal(t, errs.KindNotFound, errs.KindOf(err))
	_, err = apply(b.Franchiser("27"), r.OrderID)
	require.Equal(t, errs.KindNotFound, errs.KindOf(err), "another's order does not exist")
	require.Equal(t, before, b.Standing(b.Buyer))
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM terms`))

	for range 3 {
		require.NoError(t, postgres.InTx(t.Context(), b.DB.Worker, func(tx *sqlx.Tx) error {
			require.NoError(t, subscription.LockTx(t.Context(), tx, b.Buyer))
			return b.WorkerSubs.RevokeTx(t.Context(), tx, b.Buyer, r.OrderID, b.Clock.Now())
		}))
	}
	require.Equal(t, "expired 2026-11-02 2026-11-03 2026-11-03", b.Standing(b.Buyer))
	require.Equal(t, "new revoked", b.Text(`SELECT string_agg(kind, ' ' ORDER BY at, id) FROM subscription_events`))
}

// Given the queries of other domains, then each stage of a subscription has its result, and a franchiser without any plan is not reported
// as a former customer.
func TestQueriesOfOtherDomains_EachStage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tier := b.Tier(1, 1)
	ask := func() (s subscription.Summary, e subscription.Entitlement) {
		t.Helper()
		require.NoError(t, postgres.InTenantTx(t.Context(), b.DB.API, b.Buyer, func(tx *sqlx.Tx) (err error) {
			if s, err = b.APISubs.SummaryTx(t.Context(), tx, b.Buyer); err == nil {
				e, err = b.APISubs.EntitlementTx(t.Context(), tx, b.Buyer)
			}
			return err
		}))
		return s, e
	}
	s, e := ask()
	require.Equal(t, subscription.Summary{}, s)
	require.Equal(t, subscription.Entitlement{}, e)
	require.Empty(t, b.Message(b.Buyer))
	bill, err := b.APISubs.NextBill(t.Context(), b.Buyer)
	require.NoError(t, err)
	require.Nil(t, bill)

	b.Pay(b.Buyer, story.Buy(tier, plan.TypeMonthly, tier.AddOns[2].ID))
	s, e = ask()
	require.Equal(t, subscription.Summary{State: "active", PaymentStatus: 1, Active: true}, s)
	require.Equal(t, "Growth Apex", e.PlanName+" "+e.ServiceName)
	require.Equal(t, 36+10, e.FranchiseLimit)
	b.Live(25)
	b.Pay(b.Buyer, b.Renewal(b.Buyer))
	s, _ = ask()
	require.Equal(t, subscription.PaymentPrepayment, s.PaymentStatus)
	b.Live(40)
	s, e = ask()
	require.Equal(t, subscription.Summary{State: "grace", PaymentStatus: 2, Active: true}, s)
	require.Equal(t, 46, e.FranchiseLimit, "everything works in grace")
	b.Live(7)
	s, _ = ask()
	require.Equal(t, subscription.Summary{State: "expired", PaymentStatus: 5, Active: true}, s)
	b.Live(90)
	s, _ = ask()
	require.Equal(t, subscription.Summary{State: "lapsed", PaymentStatus: 5}, s)
}

// Customers of every State pay the public price, and the public price also refuses items that are not for sale.
func TestPublicPrice_EqualsTheCheckoutPrice(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tier := b.Tier(2, 1)
	sel := subscription.Selection{Type: plan.TypeYearly, ServiceID: tier.ID, AddOnIDs: []string{tier.AddOns[0].ID, tier.AddOns[3].ID}}
	q, err := b.APISubs.PublicQuote(t.Context(), sel)
	require.NoError(t, err)
	require.True(t, slices.ContainsFunc(q.PaymentDetails(), func(l subscription.PreviewLine) bool { return l.Type == "tax" }))
	for _, state := range []string{"27", "29", "04"} {
		r := b.Pay(b.Franchiser(state), story.Buy(tier, plan.TypeYearly, sel.AddOnIDs...))
		require.InDelta(t, int64(q.Totals.Total), int64(r.Amount), 2, "but for the rounding of the heads")
		require.Equal(t, "paid", b.State(r))
	}
	for _, wrong := range []subscription.Selection{{}, {Type: plan.TypeYearly}, {ServiceID: tier.ID}, {Type: "weekly", ServiceID: tier.ID}} {
		_, err := b.APISubs.PublicQuote(t.Context(), wrong)
		require.Equal(t, errs.KindInvalid, errs.KindOf(err))
	}
}

// Given a request that is repeated, then the open order is reused if everything in it is the same, even on another day,
// and superseded otherwise.
func TestRequest_Repeated_ResumesOrReplacesTheOpenOrder(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tier := b.Tier(0, 0)
	first := b.Ask(b.Buyer, story.Buy(tier, plan.TypeMonthly))
	require.Equal(t, first.OrderID, b.Ask(b.Buyer, story.Buy(tier, plan.TypeMonthly)).OrderID)
	b.Pass(3 * story.Day)
	again := b.Ask(b.Buyer, story.Buy(tier, plan.TypeMonthly))
	require.Equal(t, first.OrderID, again.OrderID)
	other := b.Ask(b.Buyer, story.Buy(tier, plan.TypeYearly))
	require.NotEqual(t, first.OrderID, other.OrderID)
	require.Equal(t, "superseded open", b.Text(`SELECT string_agg(state, ' ' ORDER BY created_at, id) FROM orders`))
	b.Settle(other, payment.StatusPaid)
	require.Equal(t, "active 2026-11-05 2027-11-05 2027-11-05", b.Standing(b.Buyer))
	b.Balanced()
}
