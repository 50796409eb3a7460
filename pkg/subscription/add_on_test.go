package subscription_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// Pro rata add-on prices, computed outside this program with fractions: the remaining days, today included, divided by
// the days of the term. Each tax head is rounded separately, so CGST plus SGST may differ from IGST by a paisa.
func TestQuoteAddOns_RemainingDays_EqualsTheReferencePrices(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name               string
		typ                plan.Type
		price              money.Paise
		from, today, until string
		days, of           int
		value, igst, half  string
		other, same        string // the total in another State, and in the same State
	}{
		{
			"half of a year", plan.TypeYearly, 84_000_00, "2026-05-23", "2026-11-21", "2027-05-23",
			183, 365, "₹42,115.07", "₹7,580.71", "₹3,790.36", "₹49,695.78", "₹49,695.79",
		},
		{
			"a year with 29 February, on that day", plan.TypeYearly, 90_000_00, "2027-06-01", "2028-02-29", "2028-06-01",
			93, 366, "₹22,868.85", "₹4,116.39", "₹2,058.20", "₹26,985.24", "₹26,985.25",
		},
		{
			"a year that ends on 29 February", plan.TypeYearly, 90_000_00, "2027-03-01", "2028-02-29", "2028-03-01",
			1, 366, "₹245.90", "₹44.26", "₹22.13", "₹290.16", "₹290.16",
		},
		{
			"February of a leap year, its last day", plan.TypeMonthly, 7_000_00, "2028-02-01", "2028-02-29", "2028-03-01",
			1, 29, "₹241.38", "₹43.45", "₹21.72", "₹284.83", "₹284.82",
		},
		{
			"February, its last day", plan.TypeMonthly, 7_000_00, "2027-02-01", "2027-02-28", "2027-03-01",
			1, 28, "₹250", "₹45", "₹22.50", "₹295", "₹295",
		},
		{
			"December, its last day", plan.TypeMonthly, 7_000_00, "2026-12-01", "2026-12-31", "2027-01-01",
			1, 31, "₹225.81", "₹40.65", "₹20.32", "₹266.46", "₹266.45",
		},
		{
			"half of December", plan.TypeMonthly, 5_000_00, "2026-12-01", "2026-12-16", "2027-01-01",
			16, 31, "₹2,580.65", "₹464.52", "₹232.26", "₹3,045.17", "₹3,045.17",
		},
		{
			"a month from 31 January", plan.TypeMonthly, 5_000_00, "2027-01-31", "2027-02-27", "2027-02-28",
			1, 28, "₹178.57", "₹32.14", "₹16.07", "₹210.71", "₹210.71",
		},
		{
			"the first day", plan.TypeMonthly, 5_000_00, "2026-11-02", "2026-11-02", "2026-12-02",
			30, 30, "₹5,000", "₹900", "₹450", "₹5,900", "₹5,900",
		},
		{
			"31 March", plan.TypeYearly, 60_000_00, "2026-04-01", "2027-03-31", "2027-04-01",
			1, 365, "₹164.38", "₹29.59", "₹14.79", "₹193.97", "₹193.96",
		},
		{
			"1 April", plan.TypeYearly, 60_000_00, "2026-11-21", "2027-04-01", "2027-11-21",
			234, 365, "₹38,465.75", "₹6,923.84", "₹3,461.92", "₹45,389.59", "₹45,389.59",
		},
		{
			"a large one", plan.TypeYearly, 1_45_152_00, "2026-11-21", "2027-08-17", "2027-11-21",
			96, 365, "₹38,176.96", "₹6,871.85", "₹3,435.93", "₹45,048.81", "₹45,048.82",
		},
		{
			"half of a short month", plan.TypeMonthly, 12_096_00, "2027-01-31", "2027-02-14", "2027-02-28",
			14, 28, "₹6,048", "₹1,088.64", "₹544.32", "₹7,136.64", "₹7,136.64",
		},
		{
			"five days", plan.TypeMonthly, 4_500_00, "2026-11-02", "2026-11-27", "2026-12-02",
			5, 30, "₹750", "₹135", "₹67.50", "₹885", "₹885",
		},
	} {
		p := price(t)
		p.Today = day(tc.today)
		tier := p.Catalogue.Plans[0].Tiers[0]
		a := plan.AddOn{ID: "a", Key: "k", Name: "Add-on", Limit: 10, SAC: invoice.SACSoftware, Monthly: tc.price, Yearly: tc.price}
		tier.AddOns = []plan.AddOn{a}
		sub := *running(tier, tc.typ, tc.from, tc.until)
		q, err := subscription.QuoteAddOns(p, tier, nil, []string{"a"}, sub, nil)
		require.NoError(t, err, tc.name)
		require.Equal(t, []subscription.PreviewLine{
			{Label: i18n.Sentence(fmt.Sprintf("Add-on, %d of %d days", tc.days, tc.of)), Type: "add_on", Value: tc.value},
			{Label: "IGST 18%", Type: "tax", Value: tc.igst},
			{Label: "Total", Type: "total", Value: tc.other},
		}, q.PaymentDetails(), tc.name)
		require.Equal(t, tc.until, q.RenewOn.String(), tc.name)
		require.Equal(t, tc.value, p.PriceToEnd(a, nil, sub, nil).Display(), "%s: what the list says is what is charged", tc.name)

		p.Regime = invoice.RegimeState
		q, err = subscription.QuoteAddOns(p, tier, nil, []string{"a"}, sub, nil)
		require.NoError(t, err, tc.name)
		require.Equal(t, []subscription.PreviewLine{
			{Label: "CGST 9%", Type: "tax", Value: tc.half},
			{Label: "SGST 9%", Type: "tax", Value: tc.half},
			{Label: "Total", Type: "total", Value: tc.same},
		}, q.PaymentDetails()[1:], tc.name)
	}
}

// The later an add-on of the term is bought, the less it costs; it never costs more than its price or less than one day of it.
func TestQuoteAddOns_LaterDay_IsNeverDearer(t *testing.T) {
	t.Parallel()
	base := price(t)
	tier := base.Catalogue.Plans[0].Tiers[0]
	rapid.Check(t, func(t *rapid.T) {
		typ := rapid.SampledFrom([]plan.Type{plan.TypeMonthly, plan.TypeYearly}).Draw(t, "type")
		start := subscription.Day(rapid.Int32Range(20_000, 36_000).Draw(t, "start"))
		end := start.AddMonths(typ.Months(), start.DayOfMonth())
		a := rapid.SampledFrom(tier.AddOns[:3]).Draw(t, "add-on")
		sub := *running(tier, typ, "2026-01-01", "2027-01-01")
		sub.StartsOn, sub.RenewOn, sub.PaidUntil = start, end, end
		p, before := base, a.Price(typ)+1
		length := int64(end - start)
		for p.Today = start; p.Today < end; p.Today++ {
			q, err := subscription.QuoteAddOns(p, tier, nil, []string{a.ID}, sub, nil)
			require.NoError(t, err)
			require.Equal(t, testkit.Share(a.Price(typ), int64(end-p.Today), length), q.Totals.Taxable)
			require.Less(t, q.Totals.Taxable, before)
			before = q.Totals.Taxable
		}
		require.Equal(t, testkit.Share(a.Price(typ), 1, length), before)
	})
}

// An order takes one to twenty add-ons; another number gives a field error.
func TestQuoteAddOns_NoneOrMoreThanTwenty_IsRefused(t *testing.T) {
	t.Parallel()
	p := price(t)
	tier := p.Catalogue.Plans[0].Tiers[0]
	tier.AddOns = nil
	var ids []string
	for n := range subscription.MaxAddOns + 1 {
		a := plan.AddOn{ID: fmt.Sprint(n), Name: fmt.Sprint(n), Limit: 10, Monthly: 100, Yearly: 1000, SAC: invoice.SACSoftware}
		tier.AddOns, ids = append(tier.AddOns, a), append(ids, a.ID)
	}
	sub := *running(tier, plan.TypeMonthly, "2026-11-21", "2026-12-21")
	q, err := subscription.QuoteAddOns(p, tier, nil, ids[:20], sub, nil)
	require.NoError(t, err)
	require.Equal(t, money.Paise(20*100), q.Totals.Taxable)
	require.Equal(t, ids[:20], q.AddOnIDs())
	require.Len(t, q.AddOnLines(), 20)
	for name, wrong := range map[string][]string{"none": {}, "21": ids, "twice": {"1", "1"}, "unknown": {"x"}, "empty": {""}} {
		_, err := subscription.QuoteAddOns(p, tier, nil, wrong, sub, nil)
		require.Equal(t, errs.KindInvalid, errs.KindOf(err), name)
		require.Equal(t, []string{"add_ons_service_id"}, slices.Collect(maps.Keys(errs.As(err).Fields)), name)
	}
}

// An add-on bought while the next term is paid is also charged for that term, at the price and type of the next plan's
// add-on of that name.
func TestQuoteAddOns_NextTermPaid_IsChargedForItToo(t *testing.T) {
	t.Parallel()
	p := price(t)
	apex, expansion := p.Catalogue.Plans[0].Tiers[1], p.Catalogue.Plans[0].Tiers[0]
	sub := *running(apex, plan.TypeMonthly, "2026-11-02", "2026-12-02")
	sub.PaidUntil = day("2027-12-02")
	next := &subscription.NextTerm{Tier: expansion, Type: plan.TypeYearly}
	app, users := apex.AddOns[0], apex.AddOns[1]
	without := expansion
	without.AddOns = expansion.AddOns[:1]
	wholeYear := func(a plan.AddOn) string { return a.Yearly.Display() }
	rest := func(a plan.AddOn) string { return testkit.Share(a.Monthly, 11, 30).Display() }
	for name, tc := range map[string]struct {
		next  *subscription.NextTerm
		buy   plan.AddOn
		owned []subscription.AddOn
		want  []string
		until string
	}{
		"both terms":                             {next, users, nil, []string{rest(users), wholeYear(expansion.AddOns[1])}, "2027-12-02"},
		"single unit, absent from the next term": {next, app, nil, []string{rest(app), wholeYear(expansion.AddOns[0])}, "2027-12-02"},
		"of use once, and the next has it": {
			next, app,
			[]subscription.AddOn{{AddOnID: expansion.AddOns[0].ID, StartsOn: day("2026-12-02"), PaidUntil: sub.PaidUntil}},
			[]string{rest(app)},
			"2026-12-02",
		},
		"the next plan does not sell it": {&subscription.NextTerm{Tier: without, Type: plan.TypeYearly}, users, nil, []string{rest(users)}, "2026-12-02"},
		"more of what can be had many times": {
			next, users,
			[]subscription.AddOn{{AddOnID: users.ID, PaidUntil: sub.PaidUntil}},
			[]string{rest(users), wholeYear(expansion.AddOns[1])},
			"2027-12-02",
		},
		"of use once, owned with the present": {
			next, app,
			[]subscription.AddOn{{AddOnID: app.ID, StartsOn: p.Today + 1, PaidUntil: sub.RenewOn}},
			[]string{rest(app), wholeYear(expansion.AddOns[0])},
			"2027-12-02",
		},
	} {
		q, err := subscription.QuoteAddOns(p, apex, tc.next, []string{tc.buy.ID}, sub, tc.owned)
		require.NoError(t, err, name)
		var got []string
		var sum money.Paise
		for _, l := range q.Lines {
			got, sum = append(got, l.Amount.Display()), sum+l.Amount
		}
		require.Equal(t, tc.want, got, name)
		require.Equal(t, tc.until, q.RenewOn.String(), name)
		require.Equal(t, sum, p.PriceToEnd(tc.buy, tc.next, sub, tc.owned), name)
		require.Equal(t, []subscription.PreviewLine{{Label: i18n.Sentence(tc.buy.Name), Type: "add_on", Value: sum.Display()}}, q.AddOnLines(), name)
	}
	_, err := subscription.QuoteAddOns(p, apex, next, []string{app.ID}, sub, []subscription.AddOn{{AddOnID: app.ID, StartsOn: p.Today}})
	require.ErrorIs(t, err, subscription.ErrAddOnOwned)
	q, err := subscription.QuoteAddOns(p, apex, next, []string{users.ID, app.ID}, sub, nil)
	require.NoError(t, err)
	require.Len(t, q.Lines, 4)
	require.Equal(t, []i18n.Sentence{i18n.Sentence(users.Name), i18n.Sentence(app.Name)}, []i18n.Sentence{q.AddOnLines()[0].Label, q.AddOnLines()[1].Label}, "in the order of the wish")
}
