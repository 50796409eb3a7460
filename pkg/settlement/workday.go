package settlement

import (
	"time"

	"github.com/franchise360/franchise360/pkg/subscription"
)

// settlesAfter is within how many working days of the capture a gateway pays out: T+2, according to both providers.
const settlesAfter = 2

// holidays are the days, besides Saturdays and Sundays, on which Indian banks settle nothing.
type holidays map[subscription.Day]bool

// working reports whether gateways pay out on the day. Banks work on the first, third and fifth Saturday, but gateways count no Saturday: a
// settlement on a Saturday is early, and its absence makes no settlement late.
func (h holidays) working(d subscription.Day) bool {
	weekday := d.Start().Weekday()
	return weekday != time.Saturday && weekday != time.Sunday && !h[d]
}

// due returns the last working day for settling a capture of the day.
func (h holidays) due(captured subscription.Day) subscription.Day {
	for left := settlesAfter; left > 0; {
		captured++
		if h.working(captured) {
			left--
		}
	}
	return captured
}

// overdue returns the last day whose captures are due by the end of the day.
func (h holidays) overdue(by subscription.Day) subscription.Day {
	captured := by
	for h.due(captured) > by {
		captured--
	}
	return captured
}
