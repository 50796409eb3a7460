package figures_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/figures"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

// movesSQL writes a State's months in rupees: the opening, each movement other than zero, and the closing.
const movesSQL = `SELECT coalesce(string_agg(concat_ws(' ', to_char(month, 'Mon'), opening,
		'new ' || nullif(new, 0), 'expansion ' || nullif(expansion, 0), 'reactivation ' || nullif(reactivation, 0), 'in ' || nullif(moved_in, 0),
		'contraction ' || nullif(contraction, 0), 'churn ' || nullif(churn, 0), 'out ' || nullif(moved_out, 0), closing), '; ' ORDER BY month), '')
	FROM (SELECT month, (sum(opening_paise) / 100)::bigint AS opening, (sum(new_paise) / 100)::bigint AS new, (sum(expansion_paise) / 100)::bigint AS expansion,
		(sum(reactivation_paise) / 100)::bigint AS reactivation, (sum(moved_in_paise) / 100)::bigint AS moved_in, (sum(contraction_paise) / 100)::bigint AS contraction,
		(sum(churn_paise) / 100)::bigint AS churn, (sum(moved_out_paise) / 100)::bigint AS moved_out, (sum(closing_paise) / 100)::bigint AS closing
		FROM figure_months WHERE state_code = $1 GROUP BY month) m(month, opening, new, expansion, reactivation, moved_in, contraction, churn, moved_out, closing)`

// The prices of the catalogue, before 18% GST: Start up Expansion costs ₹12,500 a month, or ₹1,50,000 − ₹15,000 = ₹1,35,000 a year, which
// is ₹11,250 a month; its users app costs ₹7,500 a month, or ₹90,000 a year, which is ₹7,500 a month. Start up Apex costs ₹22,500 a month,
// or ₹2,70,000 − ₹27,000 = ₹2,43,000 a year, ₹20,250 a month. Growth Expansion costs ₹1,80,000 − ₹18,000 = ₹1,62,000 a year, ₹13,500 a
// month. Each customer below is alone in a State.
func TestRecurringRevenue_EqualsTheWorkedExample(t *testing.T) {
	t.Parallel()
	b := story.New(t)
	c := figures.NewCounter(b.DB.Worker, b.Clock)
	small, apex, growth := b.Tier(0, 0), b.Tier(0, 1), b.Tier(1, 0)
	app := small.AddOns[0].ID
	of := map[string]string{}
	for _, state := range []string{"27", "24", "33", "09", "07", "08", "19", "32", "36", "06"} {
		of[state] = b.Franchiser(state)
	}
	of["29"] = b.Buyer

	// 2 November.
	b.Pay(of["29"], story.Buy(small, plan.TypeMonthly, app))
	b.Pay(of["27"], story.Buy(small, plan.TypeYearly))
	b.Pay(of["24"], story.Buy(small, plan.TypeYearly, app))
	b.Pay(of["33"], story.Buy(small, plan.TypeYearly))
	b.Pay(of["09"], story.Buy(apex, plan.TypeMonthly))
	b.Pay(of["07"], story.Buy(small, plan.TypeMonthly))
	require.NoError(t, b.Trial(of["08"]))
	b.Pay(of["19"], story.Buy(small, plan.TypeMonthly))
	within := b.Pay(of["32"], story.Buy(small, plan.TypeMonthly))
	b.Pay(of["36"], story.Buy(small, plan.TypeMonthly))
	kept := b.Pay(of["06"], story.Buy(small, plan.TypeYearly))

	b.Live(10) // 12 November
	b.KeepOrEnd(within, 0, false)
	b.KeepOrEnd(kept, 0, true)
	b.Ask(of["09"], story.Buy(small, plan.TypeMonthly)) // smaller from the next term on

	b.Live(19) // 1 December: three renew a day early
	b.Pay(of["29"], b.Renewal(of["29"]))
	b.Pay(of["09"], b.Renewal(of["09"]))
	refunded := b.Pay(of["19"], b.Renewal(of["19"]))

	b.Live(4) // 5 December: the terms of 07 and 36 are over since 2 December, their grace is not
	require.Equal(t, "grace 2026-11-02 2026-12-02 2026-12-02", b.Standing(of["07"]))
	run, err := c.Count(t.Context())
	require.NoError(t, err)
	require.Empty(t, run.Findings)
	require.Equal(t, "Nov 0 new 12500 12500; Dec 12500 12500", b.Text(movesSQL, "07"), "in grace")
	b.Pay(of["36"], b.Renewal(of["36"])) // from the old end on

	b.Live(7) // 12 December
	b.Pay(of["27"], b.AddOns(of["27"], app))
	b.Pay(of["24"], story.Buy(apex, plan.TypeYearly))
	b.Pay(of["33"], story.Buy(growth, plan.TypeYearly))
	b.Pay(of["08"], story.Buy(small, plan.TypeMonthly))
	b.KeepOrEnd(refunded, 0, false)

	b.Live(20) // 1 January
	b.Pay(of["29"], b.Renewal(of["29"]))

	b.Live(14) // 15 January: the plans that ended on 2 January are past their grace, 08 is within it
	b.Pay(of["07"], story.Buy(small, plan.TypeMonthly))
	run, err = c.Count(t.Context())
	require.NoError(t, err)
	require.Empty(t, run.Findings)

	for state, want := range map[string]string{
		// A month of plan and add-on, 12,500 + 7,500, without GST; renewed twice.
		"29": "Nov 0 new 20000 20000; Dec 20000 20000; Jan 20000 20000",
		// A year by twelve; in December an add-on for the rest of the year, which counts with its price of a year by twelve.
		"27": "Nov 0 new 11250 11250; Dec 11250 expansion 7500 18750; Jan 18750 18750",
		// An upgrade within the plan, where the add-on ends: 20,250 − (11,250 + 7,500).
		"24": "Nov 0 new 18750 18750; Dec 18750 expansion 1500 20250; Jan 20250 20250",
		// An upgrade to another plan: 11,250 move from one to the other, and 13,500 − 11,250 are more.
		"33": "Nov 0 new 11250 11250; Dec 11250 expansion 2250 in 11250 out 11250 13500; Jan 13500 13500",
		// A downgrade counts from the next term on, 22,500 − 12,500; not renewed in January.
		"09": "Nov 0 new 22500 22500; Dec 22500 contraction 10000 12500; Jan 12500 churn 12500 0",
		// Grace unused: it ended with its paid time on 2 December, and came back in January.
		"07": "Nov 0 new 12500 12500; Dec 12500 churn 12500 0; Jan 0 reactivation 12500 12500",
		// A trial counts as zero, and the purchase after it as new revenue.
		"08": "Dec 0 new 12500 12500; Jan 12500 12500",
		// All of a term's money back ends it on that day, 12 December.
		"19": "Nov 0 new 12500 12500; Dec 12500 churn 12500 0",
		// Bought and given back within November: no month's end saw it.
		"32": "",
		// Paid within the grace: nothing happened, until it was not renewed in January.
		"36": "Nov 0 new 12500 12500; Dec 12500 12500; Jan 12500 churn 12500 0",
		// A refund while the plan continues changes nothing.
		"06": "Nov 0 new 11250 11250; Dec 11250 11250; Jan 11250 11250",
	} {
		require.Equal(t, want, b.Text(movesSQL, state), state)
	}
	// 20,000 + 11,250 + 18,750 + 11,250 + 22,500 + 12,500 + 12,500 + 12,500 + 11,250 of nine customers; then 20,000 + 18,750 + 20,250 +
	// 13,500 + 12,500 + 12,500 + 12,500 + 11,250 of eight; then 20,000 + 18,750 + 20,250 + 13,500 + 12,500 + 12,500 + 11,250 of seven.
	require.Equal(t, "132500 9; 121250 8; 108750 7", b.Text(`SELECT string_agg(concat_ws(' ', (paise / 100)::bigint, customers), '; ' ORDER BY month)
		FROM (SELECT month, sum(closing_paise) AS paise, sum(closing_customers) AS customers FROM figure_months GROUP BY month) m`))
	b.Balanced()
}

// Two plans of one customer never count for the same day: neither the plan that an upgrade or another purchase replaced, nor the term that was paid
// ahead of it. The plan of 29 is paid ahead and upgraded; the plans of 27 and 24 are cancelled on the day of their purchase, and 27 buys again.
func TestRecurringRevenue_PlanReplacedByALaterTerm_EndsWhereThatTermStarts(t *testing.T) {
	t.Parallel()
	b := story.New(t)
	c := figures.NewCounter(b.DB.Worker, b.Clock)
	small, growth := b.Tier(0, 0), b.Tier(1, 0)
	of := map[string]string{"29": b.Buyer, "27": b.Franchiser("27"), "24": b.Franchiser("24")}

	// 2 November.
	b.Pay(of["29"], story.Buy(small, plan.TypeMonthly))
	b.Live(23) // 25 November
	b.Pay(of["29"], b.Renewal(of["29"]))
	b.Pay(of["29"], story.Buy(growth, plan.TypeYearly))
	b.Live(5) // 30 November
	for _, state := range []string{"27", "24"} {
		b.KeepOrEnd(b.Pay(of[state], story.Buy(small, plan.TypeMonthly)), 0, false)
	}
	b.Pay(of["27"], story.Buy(growth, plan.TypeMonthly))
	run, err := c.Count(t.Context())
	require.NoError(t, err)
	require.Empty(t, run.Findings)
	b.Live(5) // 5 December
	run, err = c.Count(t.Context())
	require.NoError(t, err)
	require.Empty(t, run.Findings)
	require.Equal(t, "Nov 0 new 13500 13500; Dec 13500 13500", b.Text(movesSQL, "29"))
	require.Equal(t, "Nov 0 new 15000 15000; Dec 15000 15000", b.Text(movesSQL, "27"))
	require.Equal(t, "Nov 0 new 12500 12500; Dec 12500 churn 12500 0", b.Text(movesSQL, "24"))
	b.Balanced()
}
