package subscription

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/plan"
)

func TestTheDaysOfTheRemindersAreThese(t *testing.T) {
	t.Parallel()
	days := func(typ plan.Type, trial bool) []int {
		var found []int
		for _, d := range reminderDays() {
			if d.Type == typ && d.Trial == trial {
				found = append(found, d.Days)
			}
		}
		return found
	}
	require.Equal(t, []int{30, 15, 7, 3, 1, 0, -1, -4}, days(plan.TypeYearly, false))
	require.Equal(t, []int{7, 3, 1, 0, -1, -4}, days(plan.TypeMonthly, false))
	require.Equal(t, []int{3, 1}, days(plan.TypeMonthly, true))
	require.Empty(t, days(plan.TypeYearly, true), "a trial is by the month")
	for _, d := range reminderDays() {
		require.Greater(t, d.Days, -GraceDays, "the last day of grace is told by its length")
		require.LessOrEqual(t, d.Days, YearlyRenewalWindow, "nobody is reminded of what cannot be renewed yet")
		if d.Type == plan.TypeMonthly {
			require.LessOrEqual(t, d.Days, MonthlyRenewalWindow)
		}
	}
	require.Equal(t, firstTrialReminder, slices.Max(days(plan.TypeMonthly, true)))
}
