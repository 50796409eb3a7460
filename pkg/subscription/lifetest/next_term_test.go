package lifetest_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

// prepayOther buys a plan, schedules another for the renewal and pays for it early.
func (b *bundle) prepayOther(now plan.Tier, nowType plan.Type, days int, next plan.Tier, nextType plan.Type, addOns ...string) {
	b.T.Helper()
	b.Pay(b.Buyer, story.Buy(now, nowType))
	b.Live(days)
	b.Ask(b.Buyer, story.Buy(next, nextType, addOns...))
	b.Pay(b.Buyer, b.Renewal(b.Buyer))
}

// owned returns the add-ons as the dashboard and the renewal see them, one per line.
func (b *bundle) owned() string {
	b.T.Helper()
	return b.Text(`SELECT coalesce(string_agg(concat_ws(' ', key, term_paise, starts_on, paid_until, next_billing_cycle_status), ', '
		ORDER BY starts_on), '') FROM subscription_add_ons WHERE ended_on IS NULL`)
}

func TestAddOn_PrepaidYearAfterAMonth_IncludesTheYear(t *testing.T) {
	t.Parallel()
	b := setup(t)
	apex, expansion := b.Tier(0, 1), b.Tier(0, 0)
	b.prepayOther(apex, plan.TypeMonthly, 25, expansion, plan.TypeYearly)
	require.Equal(t, "active 2026-11-02 2026-12-02 2027-12-02", b.Standing(b.Buyer))

	present, next := apex.AddOns[1], expansion.AddOns[1]
	require.Equal(t, "users_extension", present.Key)
	want := story.WithTax(testkit.Share(present.Monthly, 5, 30), testkit.Share(next.Yearly, 365, 365))
	require.Equal(t, want, story.WithTax(750*money.Rupee, 60_000*money.Rupee), "₹71,685")
	r := b.Ask(b.Buyer, b.AddOns(b.Buyer, present.ID))
	require.Equal(t, want, r.Amount)
	buyable, err := b.APISubs.BuyableAddOns(context.Background(), b.Buyer, b.Text(`SELECT id FROM subscriptions`))
	require.NoError(t, err)
	require.Equal(t, "₹60,750", buyable[1].Payable, "what the list says is what is charged, before tax")
	preview, err := b.API.Checkout.Preview(context.Background(), b.Buyer, b.AddOns(b.Buyer, present.ID))
	require.NoError(t, err)
	require.Equal(t, []subscription.PreviewLine{
		{Label: "Users extension, 5 of 30 days", Type: "add_on", Value: "₹750"},
		{Label: "Users extension, next term", Type: "add_on", Value: "₹60,000"},
		{Label: "Taxable value", Type: "subtotal", Value: "₹60,750"},
		{Label: "IGST 18%", Type: "tax", Value: "₹10,935"},
		{Label: "Total", Type: "total", Value: "₹71,685"},
	}, preview.PaymentDetails())
	require.Equal(t, []subscription.PreviewLine{{Label: "Users extension", Type: "add_on", Value: "₹60,750"}}, preview.AddOnLines())

	b.Settle(r, "paid")
	require.Equal(t, "Software subscription: Users extension, 5 of 30 days | 27 Nov 2026 to 1 Dec 2026 | 75000, "+
		"Software subscription: Users extension, next term | 2 Dec 2026 to 1 Dec 2027 | 6000000", b.InvoiceLines())
	require.Equal(t, "users_extension 450000 2026-11-27 2026-12-02 0, users_extension 6000000 2026-12-02 2027-12-02 1", b.owned())
	bill, err := b.APISubs.NextBill(context.Background(), b.Buyer)
	require.NoError(t, err)
	require.Equal(t, []string{next.ID}, bill.AddOnIDs())
	require.Empty(t, bill.Dropped, "it goes on")
	b.Live(5)
	require.Equal(t, "users_extension 6000000 2026-12-02 2027-12-02 1", b.owned())
	b.Balanced()
}

func TestAddOn_PrepaidMonthAfterAYear_IncludesTheMonth(t *testing.T) {
	t.Parallel()
	b := setup(t)
	apex, expansion := b.Tier(0, 1), b.Tier(0, 0)
	b.prepayOther(apex, plan.TypeYearly, 340, expansion, plan.TypeMonthly)
	require.Equal(t, "active 2026-11-02 2027-11-02 2027-12-02", b.Standing(b.Buyer))
	present, next := apex.AddOns[1], expansion.AddOns[1]
	r := b.Ask(b.Buyer, b.AddOns(b.Buyer, present.ID))
	require.Equal(t, story.WithTax(testkit.Share(present.Yearly, 25, 365), next.Monthly), r.Amount)
	b.Settle(r, "paid")
	b.Balanced()

	// the unused part is credited by the days of each line
	b.Live(10)
	supreme := b.Tier(0, 2)
	paid := []money.Paise{
		testkit.Share(apex.Yearly-apex.YearlyDiscount, 15, 365), expansion.Monthly, testkit.Share(testkit.Share(present.Yearly, 25, 365), 15, 25), next.Monthly,
	}
	up := b.Ask(b.Buyer, story.Buy(supreme, plan.TypeYearly))
	require.Equal(t, story.WithTax(supreme.Yearly-supreme.YearlyDiscount)-story.WithTax(paid...), up.Amount)
	b.Settle(up, "paid")
	b.Balanced()
}

func TestAddOn_NextTermPaid_HasThePriceOfItsCatalogue(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tier := b.Tier(0, 0)
	b.Pay(b.Buyer, story.Buy(tier, plan.TypeMonthly))
	b.Live(25)
	require.NoError(t, b.Reprice(context.Background(), b.DB.Worker, 400))
	b.Pay(b.Buyer, b.Renewal(b.Buyer))
	require.NoError(t, b.Reprice(context.Background(), b.DB.Worker, 200))
	a := tier.AddOns[1]
	r := b.Ask(b.Buyer, b.AddOns(b.Buyer, a.ID))
	require.Equal(t, story.WithTax(testkit.Share(a.Monthly, 5, 30), testkit.Share(a.Monthly, 104, 100)), r.Amount)
	b.Settle(r, "paid")
	require.Equal(t, "users_extension 520000 2026-11-27 2027-01-02 1", b.owned(), "one unit that goes on")
	b.Balanced()
}

func TestAddOn_SingleUnitInTheNextTerm_IsSoldForThisTermOnly(t *testing.T) {
	t.Parallel()
	b := setup(t)
	apex, expansion := b.Tier(0, 1), b.Tier(0, 0)
	b.prepayOther(apex, plan.TypeMonthly, 25, expansion, plan.TypeYearly, expansion.AddOns[0].ID)
	app := apex.AddOns[0]
	require.True(t, app.SingleUnit())
	r := b.Ask(b.Buyer, b.AddOns(b.Buyer, app.ID))
	require.Equal(t, story.WithTax(testkit.Share(app.Monthly, 5, 30)), r.Amount)
	b.Settle(r, "paid")
	require.Equal(t, "users_app 1000000 2026-11-27 2026-12-02 0, users_app 9000000 2026-12-02 2027-12-02 1", b.owned())
	_, err := b.Request(b.Buyer, b.AddOns(b.Buyer, app.ID))
	require.ErrorIs(t, err, subscription.ErrAddOnOwned)
	require.Equal(t, errs.KindConflict, errs.KindOf(err))
	b.Live(10)
	require.Equal(t, "users_app 9000000 2026-12-02 2027-12-02 1", b.owned())
	b.Balanced()
}

func TestAddOn_NotInTheNextPlan_IsSoldForThisTermOnly(t *testing.T) {
	t.Parallel()
	b := setup(t)
	apex := b.Tier(0, 1)
	b.Pay(b.Buyer, story.Buy(apex, plan.TypeMonthly))
	b.Live(25)
	b.retire("users_extension")
	b.Pay(b.Buyer, b.Renewal(b.Buyer))
	a := apex.AddOns[1]
	r := b.Ask(b.Buyer, b.AddOns(b.Buyer, a.ID))
	require.Equal(t, story.WithTax(testkit.Share(a.Monthly, 5, 30)), r.Amount)
	b.Settle(r, "paid")
	require.Equal(t, "users_extension 450000 2026-11-27 2026-12-02 0", b.owned())
	_, err := b.APISubs.SetAddOn(context.Background(), b.Buyer, b.Text(`SELECT id FROM subscription_add_ons`), true)
	require.ErrorIs(t, err, subscription.ErrAddOnNotRenewed)
	b.Balanced()
}

// retire loads a catalogue that has the add-on in no tier.
func (b *bundle) retire(key string) {
	b.T.Helper()
	var document map[string]any
	require.NoError(b.T, json.Unmarshal(plan.DefaultCatalogue(), &document))
	for _, p := range document["plans"].([]any) {
		for _, s := range p.(map[string]any)["services"].([]any) {
			service := s.(map[string]any)
			service["all_in_yearly_paise"] = service["yearly_paise"]
			service["add_ons"] = slices.DeleteFunc(service["add_ons"].([]any), func(a any) bool { return a.(map[string]any)["key"] == key })
		}
	}
	text, err := json.Marshal(document)
	require.NoError(b.T, err)
	_, err = plan.Load(context.Background(), b.DB.Worker, b.Clock, text)
	require.NoError(b.T, err)
}
