package sandbox

import "time"

// The calendar is of the sandboxes' own: the product has another, so that a fault in either shows.

// India is the zone in which every day is meant: UTC+05:30 all year.
func India() *time.Location { return time.FixedZone("IST", 5*3600+1800) }

// Calendar tells on which days a gateway settles: not on a Sunday or a bank holiday, and not on every Saturday.
type Calendar struct {
	Saturdays bool // as banks themselves: closed on the second and the fourth only; false closes all of them
}

// Open tells whether the gateway settles on the day of t in India.
func (c Calendar) Open(t time.Time) bool {
	day := t.In(India())
	week := (day.Day()-1)/7 + 1
	if day.Weekday() == time.Sunday || day.Weekday() == time.Saturday && (!c.Saturdays || week == 2 || week == 4) {
		return false
	}
	return !holiday(day)
}

// Add returns the start of the nth working day after the day of t in India; with n of 0, of that day itself, or of the
// next working day where it is none.
func (c Calendar) Add(t time.Time, n int) time.Time {
	day := Midnight(t)
	for ; n > 0; n-- {
		for day = day.AddDate(0, 0, 1); !c.Open(day); day = day.AddDate(0, 0, 1) {
			continue
		}
	}
	for !c.Open(day) {
		day = day.AddDate(0, 0, 1)
	}
	return day
}

// Midnight is the start of the day of t in India.
func Midnight(t time.Time) time.Time {
	local := t.In(India())
	return time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, India())
}

// holiday knows the holidays of every year, and the movable ones of 2026 and 2027 as they fall in Mumbai.
// Source: Reserve Bank of India, holidays under the Negotiable Instruments Act, Belapur/Mumbai; those of 2027 follow the
// lunar calendar and may be announced a day earlier or later.
func holiday(day time.Time) bool {
	switch day.Format("01-02") {
	case "01-26", "04-01", "04-14", "05-01", "08-15", "10-02", "12-25":
		return true
	}
	switch day.Format(time.DateOnly) {
	case "2026-02-19", "2026-03-03", "2026-03-19", "2026-03-26", "2026-03-31", "2026-04-03", "2026-05-28", "2026-06-26",
		"2026-08-26", "2026-09-14", "2026-10-20", "2026-11-10", "2026-11-24",
		"2027-02-19", "2027-03-10", "2027-03-22", "2027-03-26", "2027-04-07", "2027-04-15", "2027-05-17", "2027-06-16",
		"2027-10-29":
		return true
	}
	return false
}
