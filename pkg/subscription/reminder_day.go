package subscription

import (
	"encoding/json"

	"github.com/franchise360/franchise360/pkg/plan"
)

// reminderDay is a day on which whoever has such a plan is reminded of its end.
type reminderDay struct {
	Type  plan.Type `json:"plan_type"`
	Trial bool      `json:"trial"`
	// Days is how many before the last day of the term, below 0 in grace, whose first day is -1.
	Days int `json:"days"`
}

// firstTrialReminder is how many days before the last day of a trial the first reminder of it goes out.
const firstTrialReminder = 3

// reminderDays are all of them. A paid plan is reminded on the last day of grace too, which staff may put off, and when it
// expires: both follow from GraceDays.
func reminderDays() []reminderDay {
	var days []reminderDay
	for _, kind := range []struct {
		typ   plan.Type
		trial bool
		days  []int
	}{
		{plan.TypeYearly, false, []int{30, 15, 7, 3, 1, 0, -1, -4}},
		{plan.TypeMonthly, false, []int{7, 3, 1, 0, -1, -4}},
		{plan.TypeMonthly, true, []int{firstTrialReminder, 1}},
	} {
		for _, n := range kind.days {
			days = append(days, reminderDay{kind.typ, kind.trial, n})
		}
	}
	return days
}

// reminderArgs are what due_reminders has to be told beside the day: for the sweep, and for the preview of its job.
func reminderArgs() []any {
	days, _ := json.Marshal(reminderDays()) // strings and numbers always marshal
	return []any{string(days), GraceDays, MaxGraceExtra}
}
