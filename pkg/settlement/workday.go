package settlement

import (
	"time"

	"github.com/franchise360/franchise360/pkg/subscription"
)

// settlesAfter is how many working days after the capture a gateway pays out at the latest: T+2, as both providers say.
const settlesAfter = 2

// holidays are the days on which Indian banks settle nothing, beside Saturdays and Sundays.
type holidays map[subscription.Day]bool

// working says whether gateways pay out on the day. Banks work on the first, third and fifth Saturday, but gateways count
// no Saturday: a settlement that comes on one is early, and none is called late for it.
func (h holidays) working(d subscription.Day) bool {
	weekday := d.Start().Weekday()
	return weekday != time.Saturday && weekday != time.Sunday && !h[d]
}

// due is the working day by whose end a capture of the day is settled.
func (h holidays) due(captured subscription.Day) subscription.Day {
	for left := settlesAfter; left > 0; {
		captured++
		if h.working(captured) {
			left--
		}
	}
	return captured
}

// overdue is the last day whose captures are due by the end of the day.
func (h holidays) overdue(by subscription.Day) subscription.Day {
	captured := by
	for h.due(captured) > by {
		captured--
	}
	return captured
}
