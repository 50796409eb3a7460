package payment_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

// setUp is the one-time add-on of a tier.
func setUp(t plan.Tier) plan.AddOn { return t.AddOns[3] }

// charged returns the lines of the newest invoice.
func (b *bundle) charged() string {
	b.T.Helper()
	return b.Text(`SELECT string_agg(concat_ws(' | ', l.description, l.detail, l.taxable_paise), ', ' ORDER BY l.position) FROM invoice_lines l
		WHERE l.invoice_id = (SELECT id FROM invoices WHERE kind = 'invoice' ORDER BY issued_at DESC, sequence DESC LIMIT 1)`)
}

// units returns the one-time units with when they end.
func (b *bundle) units() string {
	b.T.Helper()
	return b.Text(`SELECT coalesce(string_agg(concat_ws(' ', key, paid_until, next_billing_cycle_status, coalesce(ended_on::text, 'lasts')), ', ' ORDER BY key), '')
		FROM subscription_add_ons WHERE key = 'distribution_setup'`)
}

func TestOneTimeAddOn_BoughtWithPlan_IsChargedOnceAndNotAtRenewal(t *testing.T) {
	t.Parallel()
	for _, every := range []plan.Type{plan.TypeMonthly, plan.TypeYearly} {
		t.Run(string(every), func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			tier := b.Tier(0, 0)
			list, discount := tier.Price(every)
			app, setup := tier.AddOns[0], setUp(tier)
			require.EqualValues(t, 60_000_00, setup.Once, "the price book has it at ₹60,000")

			first := b.Pay(b.Buyer, story.Buy(tier, every, app.ID, setup.ID))
			require.Equal(t, story.WithTax(list-discount, app.Price(every), setup.Once), first.Amount)
			require.Contains(t, b.charged(), "Distribution model setup | One-time charge | 6000000")

			b.Live(int(subscription.DayOf(b.Clock.Now()).AddMonths(every.Months(), 2)-b.Today()) - 3)
			renewal := b.Pay(b.Buyer, b.Renewal(b.Buyer))
			require.Equal(t, story.WithTax(list-discount, app.Price(every)), renewal.Amount)
			require.NotContains(t, b.charged(), "Distribution")
			b.Live(10)
			require.Contains(t, b.units(), " 1 lasts", "it stays")
			bill, err := b.APISubs.NextBill(t.Context(), b.Buyer)
			require.NoError(t, err)
			require.Equal(t, list-discount+app.Price(every), bill.Totals.Taxable)
			require.Empty(t, bill.Dropped)
			b.Balanced()
		})
	}
}

func TestOneTimeAddOn_BoughtDuringTerm_CostsItsWholePriceOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tier := b.Tier(0, 0)
	b.Pay(b.Buyer, story.Buy(tier, plan.TypeYearly))
	b.Live(300)
	r := b.Pay(b.Buyer, b.AddOns(b.Buyer, setUp(tier).ID))
	require.Equal(t, story.WithTax(setUp(tier).Once), r.Amount)
	require.Equal(t, "Distribution model setup | One-time charge | 6000000", b.charged())
	_, err := b.Request(b.Buyer, b.AddOns(b.Buyer, setUp(tier).ID))
	require.ErrorIs(t, err, subscription.ErrAddOnOwned)
	owned := b.Text(`SELECT id FROM subscription_add_ons`)
	for _, renews := range []bool{false, true} {
		_, err = b.APISubs.SetAddOn(t.Context(), b.Buyer, owned, renews)
		require.ErrorIs(t, err, subscription.ErrChargedOnce)
	}
	b.Balanced()
}

func TestOneTimeAddOn_Upgrade_CreditsAndChargesNothingForIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	small, large := b.Tier(0, 0), b.Tier(1, 1)
	b.Pay(b.Buyer, story.Buy(small, plan.TypeMonthly, setUp(small).ID))
	b.Live(10)
	changes, err := b.APISubs.Changes(t.Context(), b.Buyer, nil, nil)
	require.NoError(t, err)
	for _, o := range changes.Options {
		require.Empty(t, o.Dropped, o.Tier.Title())
	}
	up := b.Pay(b.Buyer, story.Buy(large, plan.TypeYearly, setUp(large).ID))
	require.Equal(t, story.WithTax(large.Yearly-large.YearlyDiscount-testkit.Share(small.Monthly, 20, 30)), up.Amount)
	require.Contains(t, b.units(), " 1 lasts")
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM subscription_add_ons`))
	_, err = b.Request(b.Buyer, b.AddOns(b.Buyer, setUp(large).ID))
	require.ErrorIs(t, err, subscription.ErrAddOnOwned, "it was bought with the other tier")
	b.Balanced()
}

func TestOneTimeAddOn_DowngradeWithIt_IsChargedAtThatRenewalOnly(t *testing.T) {
	t.Parallel()
	b := setup(t)
	large, small := b.Tier(1, 0), b.Tier(0, 0)
	b.Pay(b.Buyer, story.Buy(large, plan.TypeMonthly))
	_, err := b.Request(b.Buyer, story.Buy(small, plan.TypeMonthly, setUp(small).ID))
	require.NoError(t, err)
	b.Live(28)
	require.Equal(t, story.WithTax(small.Monthly, setUp(small).Once), b.Pay(b.Buyer, b.Renewal(b.Buyer)).Amount)
	b.Live(30)
	require.Equal(t, story.WithTax(small.Monthly), b.Pay(b.Buyer, b.Renewal(b.Buyer)).Amount)
	b.Balanced()
}

func TestOneTimeAddOn_AfterExpiry_StaysPaid(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tier := b.Tier(0, 0)
	b.Pay(b.Buyer, story.Buy(tier, plan.TypeMonthly, setUp(tier).ID))
	b.Live(60)
	require.Contains(t, b.Standing(b.Buyer), "expired")
	require.Equal(t, story.WithTax(tier.Monthly), b.Pay(b.Buyer, story.Buy(tier, plan.TypeMonthly, setUp(tier).ID)).Amount)
	require.Contains(t, b.units(), " 1 lasts")
	b.Balanced()
}

func TestOneTimeAddOn_OrderFullyRefunded_EndsAndIsChargedAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tier := b.Tier(0, 0)
	r := b.Pay(b.Buyer, story.Buy(tier, plan.TypeMonthly, setUp(tier).ID))
	b.Live(3)
	require.NoError(t, b.GiveBack(b.PaymentOf(r), r.Amount))
	require.NotContains(t, b.units(), "lasts")
	b.Live(1)
	again := b.Pay(b.Buyer, story.Buy(tier, plan.TypeMonthly, setUp(tier).ID))
	require.Equal(t, story.WithTax(tier.Monthly, setUp(tier).Once), again.Amount)
	b.Balanced()
}

func TestOneTimeAddOn_LaterOrderRefunded_Stays(t *testing.T) {
	t.Parallel()
	b := setup(t)
	small, large := b.Tier(0, 0), b.Tier(1, 0)
	b.Pay(b.Buyer, story.Buy(small, plan.TypeMonthly, setUp(small).ID))
	b.Live(2)
	up := b.Pay(b.Buyer, story.Buy(large, plan.TypeMonthly))
	require.NoError(t, b.GiveBack(b.PaymentOf(up), up.Amount))
	require.Contains(t, b.units(), "lasts", "the first payment paid for it")
	b.Balanced()
}

func TestOneTimeAddOn_IsNoRecurringRevenueAndIsEarnedOnItsDay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tier := b.Tier(0, 0)
	b.Pay(b.Buyer, story.Buy(tier, plan.TypeYearly, setUp(tier).ID))
	require.Equal(t, int((tier.Yearly-tier.YearlyDiscount)/12), b.Count(`SELECT sum(monthly_paise) FROM recurring_overview`))
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM order_lines WHERE once AND period_from = period_to`))
	b.Live(5)
	b.Pay(b.Buyer, b.AddOns(b.Buyer, tier.AddOns[0].ID))
	require.Equal(t, int((tier.Yearly-tier.YearlyDiscount+tier.AddOns[0].Yearly)/12), b.Count(`SELECT sum(monthly_paise) FROM recurring_overview`))
	require.Equal(t, int(setUp(tier).Once), b.Count(`SELECT sum(amount_paise) FROM order_lines WHERE once`))
}

// A line that was charged by the term before the add-on was charged once is as the migration left it.
func TestOneTimeAddOn_PaidByTheTermBefore_IsNotCreditedByUpgradeOrChargedAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	small, large := b.Tier(0, 0), b.Tier(1, 0)
	b.Pay(b.Buyer, story.Buy(small, plan.TypeMonthly, setUp(small).ID))
	_, err := b.DB.Owner.Exec(`UPDATE order_lines l SET period_to = o.renew_on FROM orders o WHERE o.id = l.order_id AND l.once`)
	require.NoError(t, err)
	b.Live(10)
	up := b.Pay(b.Buyer, story.Buy(large, plan.TypeYearly, setUp(large).ID))
	require.Equal(t, story.WithTax(large.Yearly-large.YearlyDiscount-testkit.Share(small.Monthly, 20, 30)), up.Amount)
	require.Equal(t, int((large.Yearly-large.YearlyDiscount)/12), b.Count(`SELECT sum(monthly_paise) FROM recurring_overview WHERE ends_on > '2027-01-01'`))
}
