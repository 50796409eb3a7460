package contact

import (
	"time"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/config"
)

// Targets are within how many business hours a request is to be answered and settled. Business hours are those of Monday to Friday
// in India; holidays count as working days.
type Targets struct{ config.Contact }

// opens returns when the business day of the moment begins and ends.
func (t Targets) opens(at time.Time) (begin, end time.Time) {
	y, m, d := at.In(clock.IST).Date()
	day := time.Date(y, m, d, 0, 0, 0, 0, clock.IST)
	return day.Add(t.Opens), day.Add(t.Closes)
}

func nextDay(at time.Time) time.Time {
	y, m, d := at.In(clock.IST).Date()
	return time.Date(y, m, d+1, 0, 0, 0, 0, clock.IST)
}

func isWeekend(at time.Time) bool {
	day := at.In(clock.IST).Weekday()
	return day == time.Saturday || day == time.Sunday
}

// After returns the moment when the given business hours have passed since from.
func (t Targets) After(from time.Time, hours time.Duration) time.Time {
	for at := from; ; at = nextDay(at) {
		begin, end := t.opens(at)
		if isWeekend(at) || !at.Before(end) {
			continue
		}
		if at.Before(begin) {
			at = begin
		}
		if left := end.Sub(at); hours <= left {
			return at.Add(hours).UTC()
		}
		hours -= end.Sub(at)
	}
}

// Between returns the business hours between two moments, at least 0.
func (t Targets) Between(from, until time.Time) (hours time.Duration) {
	for at := from; at.Before(until); at = nextDay(at) {
		begin, end := t.opens(at)
		if isWeekend(at) {
			continue
		}
		if at.After(begin) {
			begin = at
		}
		if until.Before(end) {
			end = until
		}
		hours += max(0, end.Sub(begin))
	}
	return hours
}
