package subscription_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// An upgrade costs something: if the unused part is a paisa less than the larger plan, it is paid now. If it is worth as much or more, the
// plan changes at the renewal without a charge.
func TestQuotePlan_CreditEqualsTheLargerPlan_WaitsForTheRenewal(t *testing.T) {
	t.Parallel()
	p := price(t)
	small, large := p.Catalogue.Plans[0].Tiers[0], p.Catalogue.Plans[1].Tiers[1] // ₹12,500 and ₹27,000 a month
	sub := running(small, plan.TypeMonthly, "2026-11-21", "2026-12-21")
	for name, tc := range map[string]struct {
		left    money.Paise // unused, before tax
		kind    subscription.Kind
		payable money.Paise
	}{
		"nothing left":        {0, subscription.KindUpgrade, 31_860_00},
		"a paisa less":        {26_999_99, subscription.KindUpgrade, 1},
		"exactly its price":   {27_000_00, subscription.KindDowngrade, 0},
		"a paisa more":        {27_000_01, subscription.KindDowngrade, 0},
		"ten times its price": {2_70_000_00, subscription.KindDowngrade, 0},
	} {
		smaller, err := subscription.QuotePlan(p, choose(small, plan.TypeMonthly), running(large, plan.TypeMonthly, "2026-11-21", "2026-12-21"), nil)
		require.NoError(t, err)
		require.False(t, smaller.UnusedCovers, "a smaller plan waits in any case")
		line := subscription.PaidLine{
			Value: tc.left, From: p.Today, To: p.Today + 30, Title: small.Title(), Position: 1, RateBps: 1800, Regime: invoice.RegimeInterState,
			Tax: invoice.RegimeInterState.Tax(tc.left, 1800), Invoice: subscription.OriginalInvoice{ID: "i", Number: "FP/26-27/000001"},
		}
		q, err := subscription.QuotePlan(p, choose(large, plan.TypeMonthly), sub, []subscription.PaidLine{line})
		require.NoError(t, err, name)
		require.Equal(t, tc.kind, q.Kind, name)
		require.Equal(t, tc.payable, q.Payable(), name)
		require.Equal(t, tc.kind == subscription.KindDowngrade, q.UnusedCovers, "why a larger plan waits: %s", name)
		if tc.kind == subscription.KindDowngrade {
			require.Equal(t, money.Paise(31_860_00), q.Then.Payable(), "it is paid in full then")
			require.Empty(t, q.Then.Credits, "and the unused part is used until then")
			require.Equal(t, sub.PaidUntil, q.EffectiveOn)
			continue
		}
		require.Nil(t, q.Then, name)
		require.Equal(t, p.Today, q.EffectiveOn, name)
	}
}

// An invoice line names its days, including the last; a fee and a line without days name none. Software is named as such.
func TestInvoiceLine_NamesItsDaysIfItHasAny(t *testing.T) {
	t.Parallel()
	from := day("2028-02-28")
	for name, tc := range map[string]struct {
		line         subscription.Line
		said, detail string
	}{
		"a month":             {subscription.Line{Kind: subscription.LinePlan, Label: "Plan", SAC: invoice.SACSoftware, From: from, To: from + 30}, "Software subscription: Plan", "28 Feb 2028 to 28 Mar 2028"},
		"a day":               {subscription.Line{Kind: subscription.LineAddOn, Label: "Add-on", SAC: invoice.SACSetUp, From: from, To: from + 1}, "Add-on", "28 Feb 2028 to 28 Feb 2028"},
		"no day":              {subscription.Line{Kind: subscription.LineAddOn, Label: "Add-on", SAC: invoice.SACSetUp, From: from, To: from}, "Add-on", ""},
		"a fee":               {subscription.Line{Kind: subscription.LineFee, Label: "Fee", SAC: invoice.SACSoftware, From: from, To: from}, "Fee", ""},
		"a fee with its days": {subscription.Line{Kind: subscription.LineFee, Label: "Fee", SAC: invoice.SACSoftware, From: from, To: from + 30}, "Fee", ""},
		"a leap day":          {subscription.Line{Kind: subscription.LinePlan, Label: "Plan", SAC: "998315", From: from, To: from + 2}, "Plan", "28 Feb 2028 to 29 Feb 2028"},
	} {
		in := tc.line.InvoiceLine()
		require.Equal(t, []string{tc.said, tc.detail}, []string{in.Description, in.Detail}, name)
	}
}
