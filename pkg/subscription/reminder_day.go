package subscription

import (
	"encoding/json"

	"github.com/franchise360/franchise360/pkg/plan"
)

// reminderDay is a day of a reminder for a kind of plan.
type reminderDay struct {
	Type  plan.Type `json:"plan_type"`
	Trial bool      `json:"trial"`
	// Days is the number of days before the last day of the term, negative in grace, whose first day is -1.
	Days int `json:"days"`
}

// trialEndsSoon is how many days before a trial's last day every page shows its end as urgent.
const trialEndsSoon = 3

// reminderDays returns all reminder days. A paid plan also gets a reminder on the last day of grace, which staff may postpone, and at its
// expiry; both follow from GraceDays.
func reminderDays() []reminderDay {
	var days []reminderDay
	for _, kind := range []struct {
		typ   plan.Type
		trial bool
		days  []int
	}{
		{plan.TypeYearly, false, []int{30, 15, 7, 3, 1, 0, -1, -4}},
		{plan.TypeMonthly, false, []int{7, 3, 1, 0, -1, -4}},
		{plan.TypeMonthly, true, []int{7, 3, 1, 0}},
	} {
		for _, n := range kind.days {
			days = append(days, reminderDay{kind.typ, kind.trial, n})
		}
	}
	return days
}

// reminderArgs returns the arguments of due_reminders other than the day, for the sweep and for the preview of its job.
func reminderArgs() []any {
	days, _ := json.Marshal(reminderDays()) // strings and numbers always marshal
	return []any{string(days), GraceDays, MaxGraceExtra}
}
