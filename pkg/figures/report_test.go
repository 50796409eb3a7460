package figures_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/franchise360/franchise360/pkg/figures"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// shares are the figures of a month in hundredths of a per cent, - for one of nothing.
func shares(m figures.Month) (list []any) {
	for _, s := range []figures.Bps{m.CustomerChurn(), m.GrossChurn(), m.NetChurn()} {
		if s == nil {
			list = append(list, "-")
		} else {
			list = append(list, *s)
		}
	}
	return list
}

// Customer churn, gross churn and net churn as ChartMogul defines them: lost customers per opening customer; churn and contraction per
// opening revenue; the same less expansion and reactivation. New revenue and moves between plans do not count.
func TestChurn_IsAShareOfTheOpeningRevenue(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		month figures.Month
		want  []any
	}{
		"nothing at all": {figures.Month{}, []any{"-", "-", "-"}},
		"no customers before": {
			figures.Month{New: 500_00, Closing: 500_00, Customers: figures.Customers{New: 1, Closing: 1}}, []any{"-", "-", "-"},
		},
		"all stay": {figures.Month{Opening: 500_00, Closing: 500_00, Customers: figures.Customers{Opening: 1, Closing: 1}}, []any{int64(0), int64(0), int64(0)}},
		"one of three leaves": {
			figures.Month{Opening: 300, Churn: 100, Closing: 200, Customers: figures.Customers{Opening: 3, Churned: 1, Closing: 2}},
			[]any{int64(3333), int64(3333), int64(3333)},
		},
		"two of three leave": {
			figures.Month{Opening: 300, Churn: 200, Closing: 100, Customers: figures.Customers{Opening: 3, Churned: 2, Closing: 1}},
			[]any{int64(6667), int64(6667), int64(6667)},
		},
		"a smaller plan is no lost customer": {
			figures.Month{Opening: 1000, Contraction: 250, Closing: 750, Customers: figures.Customers{Opening: 4, Closing: 4}},
			[]any{int64(0), int64(2500), int64(2500)},
		},
		"expansion makes up for half of it": {
			figures.Month{Opening: 1000, Churn: 100, Contraction: 100, Expansion: 70, Reactivation: 30, Customers: figures.Customers{Opening: 10, Churned: 1}},
			[]any{int64(1000), int64(2000), int64(1000)},
		},
		"more expansion than churn": {
			figures.Month{Opening: 1000, Churn: 100, Expansion: 225, Customers: figures.Customers{Opening: 10, Churned: 1}},
			[]any{int64(1000), int64(1000), int64(-1250)},
		},
		"new ones and moves count for nothing": {
			figures.Month{Opening: 1000, New: 9000, MovedIn: 500, MovedOut: 500, Customers: figures.Customers{Opening: 10, New: 90, MovedIn: 5, MovedOut: 5}},
			[]any{int64(0), int64(0), int64(0)},
		},
		"everybody leaves": {
			figures.Month{Opening: 1000, Churn: 1000, Customers: figures.Customers{Opening: 10, Churned: 10}}, []any{int64(10000), int64(10000), int64(10000)},
		},
		"revenue without customers, as an add-on alone": {figures.Month{Opening: 100, Churn: 50}, []any{"-", int64(5000), int64(5000)}},
	} {
		require.Equal(t, tc.want, shares(tc.month), name)
	}
}

// A share is rounded half away from zero to a hundredth of a per cent, above and below zero alike.
func TestShare_ExactHalf_IsRoundedAwayFromZero(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		part, whole, want int64
	}{
		{1, 20_000, 1}, {1, 20_001, 0}, {3, 20_000, 2}, {1, 40_000, 0}, {1, 6, 1667}, {5, 6, 8333}, {1, 8, 1250}, {0, 7, 0}, {7, 7, 10_000}, {8, 7, 11_429},
	} {
		got := figures.Month{Opening: money.Paise(tc.whole), Churn: money.Paise(tc.part)}
		require.Equal(t, tc.want, *got.NetChurn(), "%d of %d", tc.part, tc.whole)
		got = figures.Month{Opening: money.Paise(tc.whole), Expansion: money.Paise(tc.part)}
		require.Equal(t, -tc.want, *got.NetChurn(), "-%d of %d", tc.part, tc.whole)
	}
}

func TestAverageRevenue_IsClosingRevenuePerClosingCustomer(t *testing.T) {
	t.Parallel()
	of := func(closing money.Paise, customers int64) figures.Month {
		return figures.Month{Closing: closing, Opening: 1, Customers: figures.Customers{Opening: 99, Closing: customers}}
	}
	require.Nil(t, of(100, 0).PerCustomer())
	for _, tc := range [][3]int64{{100, 1, 100}, {100, 3, 33}, {200, 3, 67}, {5, 2, 3}, {3, 2, 2}, {0, 4, 0}, {1_32_500_00, 9, 14_722_22}} {
		require.Equal(t, money.Paise(tc[2]), *of(money.Paise(tc[0]), tc[1]).PerCustomer(), tc)
	}
}

// Undecided items are in neither part of a share: of three trials, one bought and one is undecided, so half converted.
func TestShares_UndecidedItems_AreExcluded(t *testing.T) {
	t.Parallel()
	require.Equal(t, int64(5000), *figures.Trials{Started: 3, Converted: 1, Undecided: 1}.Conversion())
	require.Nil(t, figures.Trials{Started: 2, Undecided: 2}.Conversion(), "nothing is decided yet")
	require.Nil(t, figures.Trials{}.Conversion())
	require.Equal(t, int64(0), *figures.Trials{Started: 1}.Conversion())
	require.Equal(t, int64(7500), *figures.Failures{Failed: 5, Recovered: 3, Undecided: 1}.Recovery())
	require.Nil(t, figures.Failures{Failed: 1, Undecided: 1}.Recovery())
	c := figures.Codes{Asked: 8, Sent: 7, Delivered: 6, Failed: 1, Used: 3}
	require.Equal(t, []int64{7500, 3750}, []int64{*c.Delivery(), *c.Usage()}, "of those that were asked for, not of those that were sent")
	require.Nil(t, figures.Codes{}.Usage())
}

// shown has one month of each figure, with distinct numbers so that a swapped column is found.
func shown() figures.Shown {
	november := subscription.NewDay(2026, time.November, 1)
	return figures.Shown{
		Months: []figures.Month{
			{
				Month: november, Opening: 1_00, New: 2_00, Expansion: 3_00, Reactivation: 4_00, MovedIn: 5_00, Contraction: 6_00, Churn: 7_00, MovedOut: 8_00,
				Closing: 9_00, Customers: figures.Customers{Opening: 11, New: 12, Reactivated: 13, MovedIn: 14, Churned: 15, MovedOut: 16, Closing: 17},
			},
			{Month: november.AddMonths(1, 1)},
		},
		Trials:   []figures.Trials{{Month: november, Started: 21, Converted: 22, Undecided: 10}, {Month: november, Started: 1, Undecided: 1}},
		Failures: []figures.Failures{{Month: november, ByMandate: true, Failed: 31, Recovered: 7, Undecided: 3, FailedAmount: 34_00, RecoveredAmount: 35_00}, {Month: november}},
		Codes:    []figures.Codes{{Month: november, Purpose: "sign_up", Provider: "msg91", Asked: 40, Sent: 41, Delivered: 20, Failed: 43, Used: 10}},
		Cohorts:  []figures.Cell{{Cohort: november, After: 3, Started: 51, Customers: 52, MRR: 53_07}},
	}
}

// Each figure has its own table: amounts in rupees, shares in per cent with two decimals, empty cells for missing values.
func TestSpreadsheet_EachFigure_HasItsTable(t *testing.T) {
	t.Parallel()
	for figure, want := range map[figures.Figure][]string{
		figures.FigureRecurring: {
			"2026-11 1.00 2.00 3.00 4.00 5.00 6.00 7.00 8.00 9.00 11 12 13 14 15 16 17",
			"2026-12 0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00 0 0 0 0 0 0 0",
		},
		figures.FigureChurn: {
			"2026-11 11 15 136.36 1.00 7.00 6.00 3.00 4.00 1300.00 600.00", "2026-12 0 0 _ 0.00 0.00 0.00 0.00 0.00 _ _",
		},
		figures.FigureAverage:  {"2026-11 9.00 17 0.53", "2026-12 0.00 0 _"},
		figures.FigureTrials:   {"2026-11 21 22 10 200.00", "2026-11 1 0 1 _"},
		figures.FigureFailures: {"2026-11 mandate 31 7 3 34.00 35.00 25.00", "2026-11 checkout 0 0 0 0.00 0.00 _"},
		figures.FigureCodes:    {"2026-11 sign_up msg91 40 41 20 43 10 50.00 25.00"},
		figures.FigureCohorts:  {"2026-11 3 51 52 53.07"},
	} {
		rows := figures.Rows(figure, shown())
		var got []string
		for _, row := range rows[1:] {
			require.Len(t, row, len(rows[0]), "as many cells as headings: %s", figure)
			cells := slices.Clone(row)
			for i, cell := range cells {
				if cell == "" {
					cells[i] = "_"
				}
			}
			got = append(got, strings.Join(cells, " "))
		}
		require.Equal(t, want, got, figure)
		require.Len(t, figures.Rows(figure, figures.Shown{}), 1, "the headings of %s alone", figure)
	}
	november := shown().Months[0].Month
	net := figures.Shown{Months: []figures.Month{{Month: november, Opening: 10_000, Expansion: 7}, {Month: november, Opening: 100, Expansion: 250}}}
	rows := figures.Rows(figures.FigureChurn, net)
	require.Equal(t, []string{"-0.07", "-250.00"}, []string{rows[1][10], rows[2][10]}, "a share below zero keeps its sign, also below one per cent")
}

// Each figure is defined once, with a title, and a text that names the numbers used for counting.
func TestDefinitions_EachFigure_DescribesItsCount(t *testing.T) {
	t.Parallel()
	seen := map[figures.Figure]string{}
	for _, d := range figures.Definitions() {
		require.NotEmpty(t, d.Title)
		require.NotContains(t, d.Text, "%!", "%s: every number is filled in", d.Figure)
		require.NotContains(t, seen, d.Figure)
		seen[d.Figure] = d.Text
	}
	require.Len(t, seen, 7)
	require.Contains(t, seen[figures.FigureTrials], "within 60 days")
	require.Contains(t, seen[figures.FigureFailures], "within 14 days")
}

// For any month that adds up, net churn is the change of revenue that did not come from new customers or moves, as a share of the opening.
func TestNetChurn_AnyMonth_IsTheChangeWithoutNewCustomers(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		paise := func(name string) money.Paise { return money.Paise(rapid.Int64Range(0, 1_00_00_000_00).Draw(t, name)) }
		m := figures.Month{
			Opening: paise("opening") + 1, New: paise("new"), Expansion: paise("expansion"), Reactivation: paise("reactivation"), Contraction: paise("contraction"),
			Churn: paise("churn"),
		}
		m.Closing = m.Opening + m.New + m.Expansion + m.Reactivation - m.Contraction - m.Churn
		lost := int64(m.Opening - (m.Closing - m.New))
		// Compared without division: |share × opening − lost × 10,000| is at most half of the opening.
		require.LessOrEqual(t, 2*abs(*m.NetChurn()*int64(m.Opening)-lost*10_000), int64(m.Opening))
		require.GreaterOrEqual(t, *m.GrossChurn(), *m.NetChurn())
	})
}

func abs(n int64) int64 { return max(n, -n) }
