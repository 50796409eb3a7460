package payment_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

const day = 24 * time.Hour

// live moves the clock by days and lets the sweeps run once at the end, as after so many days without a worker.
func (b *bundle) live(days int) {
	b.t.Helper()
	b.pass(time.Duration(days) * day)
	b.sweep()
}

func (b *bundle) sweep() {
	b.t.Helper()
	require.NoError(b.t, b.world.Sweep(context.Background()))
}

// standing is the subscription in one line.
func (b *bundle) standing(franchiser string) string {
	b.t.Helper()
	return b.text(`SELECT concat_ws(' ', state, starts_on, renew_on, paid_until) FROM subscriptions WHERE franchiser_id = $1`, franchiser)
}

func (b *bundle) renewal(franchiser string) subscription.PurchaseIntent {
	b.t.Helper()
	return subscriptionWish(b.text(`SELECT id FROM subscriptions WHERE franchiser_id = $1`, franchiser))
}

func (b *bundle) addOns(franchiser string, ids ...string) subscription.PurchaseIntent {
	b.t.Helper()
	w := b.renewal(franchiser)
	w.Renew, w.AddOnIDs = false, ids
	return w
}

func (b *bundle) trial(franchiser string) error {
	return b.world.Trial(context.Background(), franchiser)
}

func (b *bundle) apiSubs() *subscription.Service { return b.world.APISubs }

func TestAMonthlyPlanGoesThroughGraceAndExpiryToLapse(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.pay(b.owner, buy(b.tier(0, 0), plan.TypeMonthly))
	require.Equal(t, "active 2026-11-02 2026-12-02 2026-12-02", b.standing(b.owner))
	b.live(29)
	require.Contains(t, b.standing(b.owner), "active")
	b.live(1)
	require.Contains(t, b.standing(b.owner), "grace")
	b.live(6)
	require.Contains(t, b.standing(b.owner), "grace")
	b.live(1)
	require.Equal(t, "expired 2026-12-09", b.text(`SELECT concat_ws(' ', state, expired_on) FROM subscriptions`))
	b.live(89)
	require.Contains(t, b.standing(b.owner), "expired")
	b.live(1)
	require.Contains(t, b.standing(b.owner), "lapsed")
	require.Equal(t, 4, b.count(`SELECT count(*) FROM subscription_events`), "new, grace, expired, lapsed")
	require.Zero(t, b.count(`SELECT count(*) FROM subscriptions WHERE due_on IS NOT NULL`))
}

func TestOneSweepCatchesAYearWithoutWorkers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.pay(b.owner, buy(b.tier(0, 0), plan.TypeMonthly))
	b.live(400)
	require.Contains(t, b.standing(b.owner), "lapsed")
	require.Equal(t, "2026-12-09", b.text(`SELECT expired_on::text FROM subscriptions`), "the day it happened, not the day it was seen")
}

func TestRenewedEarlyTheNextTermFollows(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.pay(b.owner, buy(b.tier(0, 0), plan.TypeYearly))
	_, err := b.request(b.owner, b.renewal(b.owner))
	require.ErrorIs(t, err, subscription.ErrNothingToRenew, "a year before its end")
	b.live(340)
	b.pay(b.owner, b.renewal(b.owner))
	require.Equal(t, "active 2026-11-02 2027-11-02 2028-11-02", b.standing(b.owner))
	_, err = b.request(b.owner, b.renewal(b.owner))
	require.ErrorIs(t, err, subscription.ErrNothingToRenew, "once is enough")
	b.live(25)
	require.Equal(t, "active 2027-11-02 2028-11-02 2028-11-02", b.standing(b.owner))
	require.Equal(t, "ended current", b.text(`SELECT string_agg(status, ' ' ORDER BY starts_on) FROM terms`))
	b.books()
}

func TestRenewedInGraceTheOldEndCounts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.pay(b.owner, buy(b.tier(0, 0), plan.TypeMonthly))
	b.live(35)
	b.pay(b.owner, b.renewal(b.owner))
	require.Equal(t, "active 2026-12-02 2027-01-02 2027-01-02", b.standing(b.owner))
	b.live(45)
	require.Contains(t, b.standing(b.owner), "expired")
	b.pay(b.owner, b.renewal(b.owner))
	require.Equal(t, "active 2027-01-21 2027-02-21 2027-02-21", b.standing(b.owner), "after expiry it starts anew")
	b.live(200)
	require.Contains(t, b.standing(b.owner), "lapsed")
	b.pay(b.owner, b.renewal(b.owner))
	require.Contains(t, b.standing(b.owner), "active")
	b.books()
}

func TestTheAnchorDaySurvivesShortMonths(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.live(90) // 31 January 2027
	b.pay(b.owner, buy(b.tier(0, 0), plan.TypeMonthly))
	var ends []string
	for range 4 {
		b.live(24)
		b.pay(b.owner, b.renewal(b.owner))
		ends = append(ends, b.text(`SELECT paid_until::text FROM subscriptions`))
		b.live(6)
		b.sweep()
	}
	require.Equal(t, []string{"2027-03-31", "2027-04-30", "2027-05-31", "2027-06-30"}, ends)
}

func TestTwoCapturesOfOneRenewalAreOneTermAndOneRefund(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.pay(b.owner, buy(b.tier(0, 0), plan.TypeMonthly))
	b.live(25)
	first := b.ask(b.owner, b.renewal(b.owner))
	b.settle(first, payment.StatusFailed)
	second := b.ask(b.owner, b.renewal(b.owner))
	b.gateway.Decide(first.TransactionID, payment.StatusPaid, first.Amount)
	b.gateway.Decide(second.TransactionID, payment.StatusPaid, second.Amount)
	var both errgroup.Group
	for _, r := range []payment.Requested{first, second} {
		paymentID := b.text(`SELECT id FROM payments WHERE transaction_id = $1`, r.TransactionID)
		both.Go(func() error {
			return b.worker.Verify(context.Background(), payment.VerifyArgs{PaymentID: paymentID, Event: "e"})
		})
	}
	require.NoError(t, both.Wait())
	b.work()
	require.Equal(t, "active 2026-11-02 2026-12-02 2027-01-02", b.standing(b.owner))
	require.Equal(t, 1, b.count(`SELECT count(*) FROM refunds WHERE state = 'done'`))
	require.Equal(t, 2, b.count(`SELECT count(*) FROM invoices`))
	b.books()
}

func TestAnUpgradeCreditsWhatIsLeftAndNothingIsCreditedTwice(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.pay(b.owner, buy(b.tier(0, 0), plan.TypeYearly, b.tier(0, 0).AddOns[0].ID))
	b.live(100)
	up := b.pay(b.owner, buy(b.tier(1, 1), plan.TypeYearly))
	left := money.FromRupees(1_35_000).Prorate(265, 365) + money.FromRupees(90_000).Prorate(265, 365)
	require.Equal(t, money.FromRupees(3_24_000-32_400), money.Paise(b.count(`SELECT taxable_paise FROM orders WHERE id = $1`, up.OrderID)))
	require.Equal(t, left, money.Paise(b.count(`SELECT taxable_paise FROM invoices WHERE kind = 'credit_note'`)))
	require.Equal(t, "active 2027-02-10 2028-02-10 2028-02-10", b.standing(b.owner))
	require.Zero(t, b.count(`SELECT count(*) FROM subscription_add_ons WHERE ended_on IS NULL`), "it was credited, so it ends")
	b.live(10)
	again := b.ask(b.owner, buy(b.tier(3, 2), plan.TypeYearly))
	credit := money.Paise(b.count(`SELECT sum(taxable_paise) FROM order_credits WHERE order_id = $1`, again.OrderID))
	require.Equal(t, money.FromRupees(2_91_600).Prorate(355, 365), credit, "the second upgrade credits the first one's term alone")
	b.books()
}

func TestADowngradeCostsNothingAndComesWithTheRenewal(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.pay(b.owner, buy(b.tier(1, 1), plan.TypeYearly, b.tier(1, 1).AddOns[2].ID))
	down := b.ask(b.owner, buy(b.tier(0, 0), plan.TypeMonthly, b.tier(0, 0).AddOns[2].ID))
	require.Nil(t, down.Session)
	require.Empty(t, down.TransactionID)
	require.Zero(t, down.Amount)
	other := b.ask(b.owner, buy(b.tier(0, 1), plan.TypeMonthly))
	require.Equal(t, "cancelled scheduled", b.text(`SELECT string_agg(state, ' ' ORDER BY created_at, id) FROM orders WHERE kind = 'downgrade'`))
	require.NotEqual(t, down.OrderID, other.OrderID)

	b.live(350)
	bill, err := b.apiSubs().NextBill(context.Background(), b.owner)
	require.NoError(t, err)
	require.Equal(t, "Start up · Apex", bill.ScheduledPlan)
	paid := b.pay(b.owner, b.renewal(b.owner))
	require.Equal(t, bill.Totals.Total, paid.Amount, "the preview says what the renewal charges")
	require.Equal(t, b.tier(1, 1).ID, b.text(`SELECT service_id FROM subscriptions`), "until its end the old plan runs")
	require.Equal(t, "done", b.text(`SELECT state FROM orders WHERE id = $1`, other.OrderID))
	b.live(15)
	require.Equal(t, b.tier(0, 1).ID, b.text(`SELECT service_id FROM subscriptions`))
	require.Equal(t, "active 2027-11-02 2027-12-02 2027-12-02", b.standing(b.owner))
	require.Zero(t, b.count(`SELECT count(*) FROM subscription_add_ons WHERE ended_on IS NULL`))
	b.books()
}

func TestACancelledAddOnEndsWithItsCycleAndTheOthersGoOn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	t00 := b.tier(0, 0)
	b.pay(b.owner, buy(t00, plan.TypeMonthly, t00.AddOns[0].ID, t00.AddOns[2].ID))
	b.live(10)
	b.pay(b.owner, b.addOns(b.owner, t00.AddOns[2].ID))
	require.Equal(t, 3, b.count(`SELECT count(*) FROM subscription_add_ons WHERE ended_on IS NULL`))
	require.Equal(t, "2026-12-02", b.text(`SELECT max(paid_until)::text FROM subscription_add_ons`))

	subs := b.apiSubs()
	app := b.text(`SELECT id FROM subscription_add_ons WHERE key = 'users_app'`)
	owned, err := subs.SetAddOn(context.Background(), b.owner, app, false)
	require.NoError(t, err)
	require.Len(t, owned, 3)
	_, err = subs.SetAddOn(context.Background(), b.owner, app, true)
	require.NoError(t, err)
	_, err = subs.SetAddOn(context.Background(), b.owner, app, false)
	require.NoError(t, err)
	_, err = subs.SetAddOn(context.Background(), b.franchiser("27"), app, false)
	require.Equal(t, errs.KindNotFound, errs.KindOf(err), "another's")

	bill, err := subs.NextBill(context.Background(), b.owner)
	require.NoError(t, err)
	require.Equal(t, []string{"Users app (Android and iOS)"}, bill.Dropped)
	require.Equal(t, money.FromRupees(12_500+2*7_000), bill.Totals.Taxable)
	b.live(15)
	r := b.pay(b.owner, b.renewal(b.owner))
	require.Equal(t, bill.Totals.Total, r.Amount)
	_, err = subs.SetAddOn(context.Background(), b.owner, app, true)
	require.ErrorIs(t, err, subscription.ErrAddOnNotRenewed)
	b.live(5)
	require.Equal(t, "2026-12-02", b.text(`SELECT ended_on::text FROM subscription_add_ons WHERE id = $1`, app))
	require.Equal(t, 2, b.count(`SELECT count(*) FROM subscription_add_ons WHERE ended_on IS NULL AND paid_until = '2027-01-02'`))
	b.books()
}

func TestAnExpiredPlanBlocksAddOns(t *testing.T) {
	t.Parallel()
	b := setup(t)
	t00 := b.tier(0, 0)
	b.pay(b.owner, buy(t00, plan.TypeMonthly, t00.AddOns[0].ID))
	late := b.ask(b.owner, b.addOns(b.owner, t00.AddOns[2].ID))
	b.live(3)
	b.gateway.Decide(late.TransactionID, payment.StatusPending, late.Amount)
	b.live(40)
	_, err := b.request(b.owner, b.addOns(b.owner, t00.AddOns[2].ID))
	require.ErrorIs(t, err, subscription.ErrPlanExpired)
	require.Equal(t, "Plan Expired On: 1 Dec 2026 Please Renew Plan..!", errs.As(err).Message)
	_, err = b.apiSubs().SetAddOn(context.Background(), b.owner, b.text(`SELECT id FROM subscription_add_ons`), false)
	require.ErrorIs(t, err, subscription.ErrPlanExpired)
	b.settle(late, payment.StatusPaid)
	require.Equal(t, "refunded", b.state(late), "an add-on for a plan that is over is given back")
	b.books()
}

func TestNothingIsSoldForDaysThatAreOverWhileNoWorkerRuns(t *testing.T) {
	t.Parallel()
	b := setup(t)
	t00 := b.tier(0, 0)
	b.pay(b.owner, buy(t00, plan.TypeMonthly))
	b.clock.Advance(32 * day) // and nothing is swept
	_, err := b.request(b.owner, b.addOns(b.owner, t00.AddOns[2].ID))
	require.ErrorIs(t, err, subscription.ErrPlanExpired, "the plan is in grace")
	_, err = b.api.Preview(context.Background(), b.owner, b.addOns(b.owner, t00.AddOns[2].ID))
	require.ErrorIs(t, err, subscription.ErrPlanExpired)
	bill, err := b.apiSubs().NextBill(context.Background(), b.owner)
	require.NoError(t, err)
	require.Equal(t, subscription.StateGrace, bill.Subscription.State)
	b.clock.Advance(30 * day)
	b.pay(b.owner, b.renewal(b.owner))
	require.Equal(t, "active 2027-01-03 2027-02-03 2027-02-03", b.standing(b.owner), "expired long ago, it begins anew")
	b.books()
}

func TestTheTrialRunsIsRemindedOfEndsAndConverts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.trial(b.owner))
	require.ErrorIs(t, b.trial(b.owner), subscription.ErrTrialUsed)
	require.Equal(t, "trialing 2026-11-02 2026-11-16 2026-11-16", b.standing(b.owner))
	_, err := b.request(b.owner, b.addOns(b.owner, b.tier(0, 0).AddOns[0].ID))
	require.ErrorIs(t, err, subscription.ErrTrialAddOns)
	_, err = b.request(b.owner, b.renewal(b.owner))
	require.ErrorIs(t, err, subscription.ErrTrialRenewal)
	b.live(9)
	require.Zero(t, b.count(`SELECT count(*) FROM renewal_reminders`))
	b.live(1)
	b.live(2)
	require.Equal(t, "3 1", b.text(`SELECT string_agg(days::text, ' ' ORDER BY days DESC) FROM renewal_reminders`))
	b.live(2)
	require.Contains(t, b.standing(b.owner), "expired", "a trial has no grace")
	_, err = b.request(b.owner, b.renewal(b.owner))
	require.ErrorIs(t, err, subscription.ErrTrialRenewal, "it leads to the plans")

	b.pay(b.owner, buy(b.tier(0, 1), plan.TypeMonthly))
	require.Equal(t, "active 2026-11-16 2026-12-16 2026-12-16", b.standing(b.owner))

	other := b.franchiser("27")
	require.NoError(t, b.trial(other))
	b.live(5)
	b.pay(other, buy(b.tier(0, 0), plan.TypeYearly))
	require.Equal(t, "active 2026-11-21 2027-11-21 2027-11-21", b.standing(other))
	require.Equal(t, "replaced current", b.text(`SELECT string_agg(status, ' ' ORDER BY starts_on) FROM terms WHERE franchiser_id = $1`, other))
	b.books()
}

func TestRemindersOfAYearlyPlanComeOnceEach(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.pay(b.owner, buy(b.tier(0, 0), plan.TypeYearly))
	for range 365 {
		b.clock.Advance(day)
		b.sweep()
	}
	require.Equal(t, "30 15 7 3 1 0 -1", b.text(`SELECT string_agg(days::text, ' ' ORDER BY days DESC) FROM renewal_reminders`))
	require.Equal(t, 7, b.count(`SELECT count(*) FROM river_job WHERE kind = 'send_reminder'`))
}

func TestAPriceChangeReachesARunningPlanAtItsRenewal(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.pay(b.owner, buy(b.tier(0, 0), plan.TypeMonthly))
	b.reprice(`"monthly_paise": 1250000`, `"monthly_paise": 2000000`)
	b.reprice(`"monthly_paise": 700000`, `"monthly_paise": 900000`)
	b.live(25)
	offer, err := b.api.Preview(context.Background(), b.owner, b.addOns(b.owner, b.tier(0, 0).AddOns[2].ID))
	require.NoError(t, err)
	require.Equal(t, money.FromRupees(7_000).Prorate(5, 30), offer.Totals.Taxable, "add-ons keep the term's prices")
	renewal, err := b.api.Preview(context.Background(), b.owner, b.renewal(b.owner))
	require.NoError(t, err)
	require.Equal(t, money.FromRupees(20_000), renewal.Totals.Taxable)
}

func TestSweepsOfTwoWorkersAndARenewalTakeEachStepOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.pay(b.owner, buy(b.tier(0, 0), plan.TypeMonthly))
	for range 20 {
		f := b.franchiser("27")
		b.pay(f, buy(b.tier(0, 0), plan.TypeMonthly))
	}
	b.clock.Advance(29 * day)
	r := b.ask(b.owner, b.renewal(b.owner))
	b.gateway.Decide(r.TransactionID, payment.StatusPaid, r.Amount)
	b.clock.Advance(2 * day)
	paymentID := b.text(`SELECT id FROM payments WHERE transaction_id = $1`, r.TransactionID)
	var all errgroup.Group
	for range 4 {
		all.Go(func() error { _, err := b.subs.Advance(context.Background()); return err })
	}
	all.Go(func() error {
		return b.worker.Verify(context.Background(), payment.VerifyArgs{PaymentID: paymentID, Event: "e"})
	})
	require.NoError(t, all.Wait())
	require.Equal(t, "active 2026-12-02 2027-01-02 2027-01-02", b.standing(b.owner))
	require.Equal(t, 20, b.count(`SELECT count(*) FROM subscriptions WHERE state = 'grace'`))
	require.LessOrEqual(t, b.count(`SELECT max(n) FROM (SELECT count(*) AS n FROM subscription_events WHERE kind = 'grace' GROUP BY subscription_id) x`), 1)
	b.books()
}

func TestCancellingAgainstTheEndOfTheCycleIsDecidedOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	t00 := b.tier(0, 0)
	const customers = 8
	var people, owned []string
	for range customers {
		f := b.franchiser("27")
		b.pay(f, buy(t00, plan.TypeMonthly, t00.AddOns[0].ID))
		b.live(0)
		people = append(people, f)
	}
	b.clock.Advance(25 * day)
	for _, f := range people {
		b.pay(f, b.renewal(f))
		id := b.text(`SELECT id FROM subscription_add_ons WHERE franchiser_id = $1`, f)
		_, err := b.apiSubs().SetAddOn(context.Background(), f, id, false)
		require.NoError(t, err)
		owned = append(owned, id)
	}
	b.clock.Advance(45 * day) // the term that was paid ahead is over too: what was cancelled ends, unless it comes back now
	var all errgroup.Group
	for range 3 {
		all.Go(func() error { _, err := b.subs.EndAddOns(context.Background()); return err })
	}
	results := make([]error, customers)
	for i, f := range people {
		all.Go(func() error {
			_, results[i] = b.apiSubs().SetAddOn(context.Background(), f, owned[i], true)
			return nil
		})
	}
	require.NoError(t, all.Wait())
	for i := range people {
		ended := b.count(`SELECT count(*) FROM subscription_add_ons WHERE id = $1 AND ended_on IS NOT NULL AND next_billing_cycle_status = 0`, owned[i])
		renews := b.count(`SELECT count(*) FROM subscription_add_ons WHERE id = $1 AND ended_on IS NULL AND next_billing_cycle_status = 1`, owned[i])
		require.Equal(t, 1, ended+renews, "either ended or kept, never both")
		require.Equal(t, results[i] == nil, renews == 1, "%v", results[i])
	}
	b.books()
}

// reprice loads the catalogue with one text replaced everywhere.
func (b *bundle) reprice(old, changed string) {
	b.t.Helper()
	require.Contains(b.t, b.catalogueText(), old)
	text := strings.Replace(b.catalogueText(), old, changed, 1)
	_, err := plan.Load(context.Background(), b.db.Worker, b.clock, []byte(text))
	require.NoError(b.t, err)
	b.loaded = text
}

func (b *bundle) catalogueText() string {
	if b.loaded == "" {
		b.loaded = string(plan.DefaultCatalogue())
	}
	return b.loaded
}
