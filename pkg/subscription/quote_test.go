package subscription_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// price returns a pricing on 21 November 2026 for a customer in Karnataka (IGST), from the built-in catalogue.
func price(tb testing.TB) subscription.Pricing {
	tb.Helper()
	c, err := plan.Parse(plan.DefaultCatalogue())
	require.NoError(tb, err)
	return subscription.Pricing{Catalogue: c, Today: day("2026-11-21"), Regime: invoice.RegimeInterState, PlaceKnown: true}
}

func choose(tier plan.Tier, typ plan.Type, addOns ...string) subscription.Selection {
	return subscription.Selection{Type: typ, ServiceID: tier.ID, AddOnIDs: addOns}
}

func running(tier plan.Tier, typ plan.Type, from, to string) *subscription.Subscription {
	return &subscription.Subscription{
		ID: "s", State: subscription.StateActive, Revision: 3, ServiceID: tier.ID, PlanID: tier.PlanID, Type: typ,
		AnchorDay: day(from).DayOfMonth(), StartsOn: day(from), RenewOn: day(to), PaidUntil: day(to),
	}
}

func TestQuotePlan_SpecificationsYearlyPlan(t *testing.T) {
	t.Parallel()
	p := price(t)
	tier := p.Catalogue.Plans[0].Tiers[0]
	q, err := subscription.QuotePlan(p, choose(tier, plan.TypeYearly), nil, nil)
	require.NoError(t, err)
	require.Equal(t, subscription.KindNew, q.Kind)
	require.Equal(t, money.FromRupees(1_59_300), q.Totals.Total)
	require.Equal(t, subscription.PlanLine{Label: "Start up · Expansion", Value: "₹1,50,000"}, q.PlanLine())
	require.Empty(t, q.AddOnLines())
	require.Equal(t, []subscription.PreviewLine{
		{Label: "Start up · Expansion, yearly", Type: "plan", Value: "₹1,50,000"},
		{Label: "Annual payment discount 10%", Type: "discount", Value: "-₹15,000"},
		{Label: "Taxable value", Type: "subtotal", Value: "₹1,35,000"},
		{Label: "IGST 18%", Type: "tax", Value: "₹24,300"},
		{Label: "Total", Type: "total", Value: "₹1,59,300"},
	}, q.PaymentDetails())
	require.Equal(t, "2026-11-21", q.EffectiveOn.String())
	require.Equal(t, "2027-11-21", q.RenewOn.String())
}

func TestQuote_TaxLines_FollowThePlaceOfSupply(t *testing.T) {
	t.Parallel()
	p := price(t)
	tier := p.Catalogue.Plans[0].Tiers[0]
	labels := func(regime invoice.Regime, known bool) []string {
		p := p
		p.Regime, p.PlaceKnown = regime, known
		q, err := subscription.QuotePlan(p, choose(tier, plan.TypeMonthly), nil, nil)
		require.NoError(t, err)
		require.Equal(t, money.FromRupees(14_750), q.Totals.Total)
		var labels []string
		for _, l := range q.PaymentDetails() {
			labels = append(labels, string(l.Label)+" "+l.Value)
		}
		return labels
	}
	plan := "Start up · Expansion, monthly ₹12,500"
	require.Equal(t, []string{plan, "CGST 9% ₹1,125", "SGST 9% ₹1,125", "Total ₹14,750"}, labels(invoice.RegimeState, true))
	require.Equal(t, []string{plan, "CGST 9% ₹1,125", "UTGST 9% ₹1,125", "Total ₹14,750"}, labels(invoice.RegimeUnionTerritory, true))
	require.Equal(t, []string{plan, "IGST 18% ₹2,250", "Total ₹14,750"}, labels(invoice.RegimeInterState, true))
	require.Equal(t, []string{plan, "GST 18% ₹2,250", "Total ₹14,750"}, labels(subscription.UnknownPlace, false))
}

func TestQuote_GatewayCharge_HasALineIfCharged(t *testing.T) {
	t.Parallel()
	p := price(t)
	p.PGChargeBps = 200
	tier := p.Catalogue.Plans[0].Tiers[0]
	q, err := subscription.QuotePlan(p, choose(tier, plan.TypeMonthly, tier.AddOns[0].ID), nil, nil)
	require.NoError(t, err)
	require.Equal(t, money.FromRupees(400), q.PGCharge())
	require.Equal(t, money.FromRupees(24_072), q.Totals.Total)
	require.Equal(t, subscription.PreviewLine{Label: "Payment gateway charge", Type: "fee", Value: "₹400"}, q.PaymentDetails()[2])
}

func TestQuotePlan_UnsoldItem_IsRefused(t *testing.T) {
	t.Parallel()
	p := price(t)
	tier, other := p.Catalogue.Plans[0].Tiers[0], p.Catalogue.Plans[0].Tiers[1]
	many := slices.Repeat([]string{tier.AddOns[0].ID}, 10_000)
	for name, tc := range map[string]struct {
		sel   subscription.Selection
		field string
	}{
		"other type":         {choose(tier, "weekly"), "plan_type"},
		"no type":            {choose(tier, ""), "plan_type"},
		"unknown plan":       {choose(plan.Tier{ID: "x"}, plan.TypeYearly), "plan_services_id"},
		"another's add-on":   {choose(tier, plan.TypeYearly, other.AddOns[0].ID), "add_ons_service_id"},
		"add-on twice":       {choose(tier, plan.TypeYearly, tier.AddOns[0].ID, tier.AddOns[0].ID), "add_ons_service_id"},
		"10,000 add-ons":     {choose(tier, plan.TypeYearly, many...), "add_ons_service_id"},
		"an add-on named -1": {choose(tier, plan.TypeYearly, "-1"), "add_ons_service_id"},
	} {
		_, err := subscription.QuotePlan(p, tc.sel, nil, nil)
		require.Equal(t, errs.KindInvalid, errs.KindOf(err), name)
		require.Contains(t, errs.As(err).Fields, tc.field, name)
	}
}

func TestQuotePlan_LargerPlan_CreditsTheUnusedDays(t *testing.T) {
	t.Parallel()
	p := price(t)
	small, large := p.Catalogue.Plans[0].Tiers[0], p.Catalogue.Plans[1].Tiers[1]
	sub := running(small, plan.TypeYearly, "2026-01-01", "2027-01-01")
	paid := []subscription.PaidLine{{
		Value: money.FromRupees(1_35_000), From: sub.StartsOn, To: sub.RenewOn, Title: "Start up · Expansion", Position: 1,
		Invoice: subscription.OriginalInvoice{ID: "original", Number: "FP/25-26/000001"}, RateBps: 1200, Regime: invoice.RegimeState,
		Tax: invoice.RegimeState.Tax(money.FromRupees(1_35_000), 1200),
	}}
	q, err := subscription.QuotePlan(p, choose(large, plan.TypeYearly), sub, paid)
	require.NoError(t, err)
	require.Equal(t, subscription.KindUpgrade, q.Kind)
	require.Equal(t, 3, q.BaseRevision)
	credit := money.FromRupees(1_35_000).Prorate(41, 365) // 21 November to 31 December
	tax := 2 * credit.MulBps(600)                         // 12% within a State, whatever the rate is today
	require.Contains(t, q.PaymentDetails(), subscription.PreviewLine{
		Label: "Unused part of Start up · Expansion, credit note to FP/25-26/000001", Type: "credit", Value: (-credit - tax).Display(),
	})
	require.Equal(t, money.FromRupees(3_24_000-32_400), q.Totals.Taxable, "the new term is invoiced in full")
	require.Equal(t, q.Totals.Total-credit-tax, q.Payable())
	require.Equal(t, subscription.PreviewLine{Label: "Total", Type: "total", Value: q.Payable().Display()},
		q.PaymentDetails()[len(q.PaymentDetails())-1])
	require.Equal(t, "2027-11-21", q.RenewOn.String())
}

func TestQuotePlan_SmallerPlan_WaitsForTheRenewal(t *testing.T) {
	t.Parallel()
	p := price(t)
	small, large := p.Catalogue.Plans[0].Tiers[0], p.Catalogue.Plans[1].Tiers[1]
	sub := running(large, plan.TypeYearly, "2026-01-01", "2027-01-01")
	q, err := subscription.QuotePlan(p, choose(small, plan.TypeMonthly), sub, nil)
	require.NoError(t, err)
	require.Equal(t, subscription.KindDowngrade, q.Kind)
	require.Equal(t, "2027-01-01", q.EffectiveOn.String())
	require.Zero(t, q.Totals.Total)
	require.Equal(t, "₹0", q.PaymentDetails()[1].Value)
	require.Equal(t, money.FromRupees(14_750), q.Then.Totals.Total)
	require.Equal(t, "2027-02-01", q.Then.RenewOn.String())
	require.Equal(t, subscription.PreviewLine{Label: "Total", Type: "total", Value: "₹14,750"}, q.Then.PaymentDetails()[2])
	limit, ok := q.FranchiseLimit()
	require.True(t, ok)
	require.Equal(t, 18, limit)
}

func TestQuotePlan_CreditAboveTheLargerPlansPrice_WaitsForTheRenewal(t *testing.T) {
	t.Parallel()
	p := price(t)
	small, large := p.Catalogue.Plans[0].Tiers[0], p.Catalogue.Plans[1].Tiers[0]
	sub := running(small, plan.TypeYearly, "2026-11-20", "2027-11-20")
	paid := []subscription.PaidLine{{Value: money.FromRupees(1_35_000), From: sub.StartsOn, To: sub.RenewOn}}
	q, err := subscription.QuotePlan(p, choose(large, plan.TypeMonthly), sub, paid)
	require.NoError(t, err)
	require.Equal(t, subscription.KindDowngrade, q.Kind)
}

func TestQuotePlan_RunningPlan_IsRefused(t *testing.T) {
	t.Parallel()
	p := price(t)
	tier := p.Catalogue.Plans[0].Tiers[0]
	_, err := subscription.QuotePlan(p, choose(tier, plan.TypeMonthly), running(tier, plan.TypeMonthly, "2026-11-01", "2026-12-01"), nil)
	require.ErrorIs(t, err, subscription.ErrPlanIsCurrent)
	q, err := subscription.QuotePlan(p, choose(tier, plan.TypeYearly), running(tier, plan.TypeMonthly, "2026-11-01", "2026-12-01"), nil)
	require.NoError(t, err)
	require.Equal(t, subscription.KindUpgrade, q.Kind, "by the year instead of by the month")
}

func TestQuoteAddOns_ArePricedByDay(t *testing.T) {
	t.Parallel()
	p := price(t)
	tier := p.Catalogue.Plans[0].Tiers[0]
	extension := tier.AddOns[2]
	sub := *running(tier, plan.TypeYearly, "2026-05-23", "2027-05-23")
	q, err := subscription.QuoteAddOns(p, tier, nil, []string{extension.ID}, sub, nil)
	require.NoError(t, err)
	require.Equal(t, extension.Yearly.Prorate(183, 365), q.Lines[0].Amount)
	require.Equal(t, []subscription.PreviewLine{
		{Label: "Franchise extension, 183 of 365 days", Type: "add_on", Value: "₹42,115.07"},
		{Label: "IGST 18%", Type: "tax", Value: "₹7,580.71"},
		{Label: "Total", Type: "total", Value: "₹49,695.78"},
	}, q.PaymentDetails())
	require.EqualValues(t, "Franchise extension", q.AddOnLines()[0].Label)

	sub.PaidUntil = day("2028-05-23") // renewed early: the next term is paid for as well
	next := &subscription.NextTerm{Tier: tier, Type: plan.TypeYearly}
	q, err = subscription.QuoteAddOns(p, tier, next, []string{extension.ID}, sub, nil)
	require.NoError(t, err)
	require.Equal(t, []money.Paise{extension.Yearly.Prorate(183, 365), extension.Yearly}, []money.Paise{q.Lines[0].Amount, q.Lines[1].Amount})
	sub.PaidUntil = sub.RenewOn

	for name, tc := range map[string]struct {
		change func(*subscription.Subscription)
		want   error
	}{
		"expired":          {func(s *subscription.Subscription) { s.State = subscription.StateExpired }, subscription.ErrPlanExpired},
		"grace":            {func(s *subscription.Subscription) { s.State = subscription.StateGrace }, subscription.ErrPlanExpired},
		"trial that ended": {func(s *subscription.Subscription) { s.State, s.Trial = subscription.StateExpired, true }, subscription.ErrTrialAddOns},
		"trial":            {func(s *subscription.Subscription) { s.State = subscription.StateTrialing }, subscription.ErrTrialAddOns},
	} {
		sub := sub
		tc.change(&sub)
		_, err := subscription.QuoteAddOns(p, tier, nil, []string{extension.ID}, sub, nil)
		require.ErrorIs(t, err, tc.want, name)
	}
	expired := sub
	expired.State = subscription.StateExpired
	_, err = subscription.QuoteAddOns(p, tier, nil, []string{extension.ID}, expired, nil)
	require.Equal(t, "Plan Expired On: 22 May 2027. Please renew your plan.", errs.As(err).Message)

	owned := []subscription.AddOn{{AddOnID: tier.AddOns[0].ID}, {AddOnID: extension.ID}}
	_, err = subscription.QuoteAddOns(p, tier, nil, []string{tier.AddOns[0].ID}, sub, owned)
	require.ErrorIs(t, err, subscription.ErrAddOnOwned)
	_, err = subscription.QuoteAddOns(p, tier, nil, []string{extension.ID}, sub, owned)
	require.NoError(t, err, "ten more franchises can be bought again")
}

func TestQuoteRenewal_ContainsRenewingAddOnsFromTheTermsEnd(t *testing.T) {
	t.Parallel()
	p := price(t)
	tier := p.Catalogue.Plans[0].Tiers[0]
	sub := *running(tier, plan.TypeYearly, "2025-12-01", "2026-12-01")
	extension := tier.AddOns[2].ID
	owned := []subscription.AddOn{
		{AddOnID: extension, Renews: true}, {AddOnID: extension, Renews: true}, {AddOnID: tier.AddOns[1].ID},
	}
	q, err := subscription.QuoteRenewal(p, sub, owned)
	require.NoError(t, err)
	require.Equal(t, []string{extension, extension}, q.AddOnIDs())
	require.EqualValues(t, "Franchise extension × 2", q.AddOnLines()[0].Label)
	require.Equal(t, money.FromRupees(1_35_000+2*84_000), q.Totals.Taxable)
	require.Equal(t, "2026-12-01", q.EffectiveOn.String())

	sub.State, sub.StartsOn, sub.RenewOn, sub.PaidUntil = subscription.StateGrace, day("2025-11-18"), day("2026-11-18"), day("2026-11-18")
	sub.AnchorDay = 18
	q, err = subscription.QuoteRenewal(p, sub, nil)
	require.NoError(t, err)
	require.Equal(t, "2026-11-18", q.EffectiveOn.String(), "grace continues from the old end")

	sub.State = subscription.StateExpired
	q, err = subscription.QuoteRenewal(p, sub, nil)
	require.NoError(t, err)
	require.Equal(t, "2026-11-21", q.EffectiveOn.String(), "after expiry it starts anew")
	require.Equal(t, "2027-11-21", q.RenewOn.String())

	sub.Next = &subscription.Change{ServiceID: p.Catalogue.Plans[3].Tiers[0].ID, Type: plan.TypeMonthly}
	q, err = subscription.QuoteRenewal(p, sub, owned)
	require.NoError(t, err)
	require.Equal(t, "Elite · Expansion", q.Tier.Title())
	require.Empty(t, q.AddOns)

	sub.Next.ServiceID = "sold no more"
	_, err = subscription.QuoteRenewal(p, sub, owned)
	require.ErrorIs(t, err, subscription.ErrPlanRetired)
}

func TestQuote_AnyRequest_AddsUp(t *testing.T) {
	t.Parallel()
	base := price(t)
	rapid.Check(t, func(t *rapid.T) {
		p := base
		p.PGChargeBps = rapid.Int64Range(0, 300).Draw(t, "charge")
		p.Regime = rapid.SampledFrom([]invoice.Regime{
			invoice.RegimeState, invoice.RegimeUnionTerritory, invoice.RegimeInterState,
		}).Draw(t, "regime")
		tier := rapid.SampledFrom(rapid.SampledFrom(p.Catalogue.Plans).Draw(t, "plan").Tiers).Draw(t, "tier")
		old := rapid.SampledFrom(p.Catalogue.Plans[0].Tiers).Draw(t, "old")
		typ := rapid.SampledFrom([]plan.Type{plan.TypeMonthly, plan.TypeYearly}).Draw(t, "type")
		var ids []string
		for _, a := range tier.AddOns {
			if rapid.Bool().Draw(t, a.Key) {
				ids = append(ids, a.ID)
			}
		}
		sub := running(old, plan.TypeYearly, "2026-03-31", "2027-03-31")
		value := money.Paise(rapid.Int64Range(0, 1_00_00_000).Draw(t, "paid"))
		q, err := subscription.QuotePlan(p, choose(tier, typ, ids...), sub, []subscription.PaidLine{{Value: value, From: sub.StartsOn, To: sub.RenewOn}})
		if tier.ID == old.ID && typ == plan.TypeYearly {
			require.ErrorIs(t, err, subscription.ErrPlanIsCurrent)
			return
		}
		require.NoError(t, err)
		if q.Kind == subscription.KindDowngrade {
			require.Zero(t, q.Totals.Total)
			return
		}
		var taxable, tax money.Paise
		for _, l := range q.Lines {
			taxable += l.Value()
			tax += l.Tax.Total()
		}
		require.Equal(t, taxable, q.Totals.Taxable)
		require.Equal(t, taxable+tax, q.Totals.Total)
		require.Positive(t, q.Payable())
		last := q.PaymentDetails()[len(q.PaymentDetails())-1]
		require.Equal(t, subscription.PreviewLine{Label: "Total", Type: "total", Value: q.Payable().Display()}, last)
		same, err := subscription.QuotePlan(p, choose(tier, typ, ids...), sub, []subscription.PaidLine{{Value: value, From: sub.StartsOn, To: sub.RenewOn}})
		require.NoError(t, err)
		require.Equal(t, q.Fingerprint(nil), same.Fingerprint(nil))
		require.NotEqual(t, q.Fingerprint(nil), q.Fingerprint([]byte("another recipient")))
	})
}

func TestCredits_AnyDay_AreWithinThePaidAmount(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		from := subscription.Day(rapid.Int32Range(20_000, 21_000).Draw(t, "from"))
		days := subscription.Day(rapid.Int32Range(1, 366).Draw(t, "days"))
		today := from + subscription.Day(rapid.Int32Range(-40, 400).Draw(t, "today"))
		value := money.Paise(rapid.Int64Range(0, 1_00_00_000).Draw(t, "value"))
		var unused money.Paise
		for _, c := range subscription.CreditsOn([]subscription.PaidLine{{Value: value, From: from, To: from + days}}, today) {
			unused += c.Taxable()
		}
		switch {
		case today <= from:
			require.Equal(t, value, unused)
		case today >= from+days:
			require.Zero(t, unused)
		default:
			require.True(t, unused >= 0 && unused <= value)
		}
	})
}

// A quote for add-ons does not mention the franchise limit; a quote for a plan gives the limit including its
// extensions.
func TestQuote_FranchiseLimit_IncludesExtensions(t *testing.T) {
	t.Parallel()
	p := price(t)
	tier := p.Catalogue.Plans[0].Tiers[1]
	extension := tier.AddOns[2].ID
	q, err := subscription.QuotePlan(p, choose(tier, plan.TypeYearly, extension), nil, nil)
	require.NoError(t, err)
	limit, ok := q.FranchiseLimit()
	require.True(t, ok)
	require.Equal(t, 46, limit)
	sub := *running(tier, plan.TypeYearly, "2026-11-02", "2027-11-02")
	renewal, err := subscription.QuoteRenewal(p, sub, []subscription.AddOn{{AddOnID: extension, Renews: true}, {AddOnID: extension, Renews: true}})
	require.NoError(t, err)
	limit, _ = renewal.FranchiseLimit()
	require.Equal(t, 56, limit)
	more, err := subscription.QuoteAddOns(p, tier, nil, []string{extension}, sub, nil)
	require.NoError(t, err)
	_, ok = more.FranchiseLimit()
	require.False(t, ok)
}
