package sandbox

import "time"

// The sandboxes deliberately have their own calendar: the product's is separate, so that an error in either shows.

// India is the time zone of every date: UTC+05:30 all year.
func India() *time.Location { return time.FixedZone("IST", 5*3600+1800) }

// Calendar determines the days on which a gateway settles: never on Sundays or bank holidays, nor on every Saturday.
type Calendar struct {
	Saturdays bool // closed on the second and fourth only, like banks; false closes all of them
}

// Open reports whether the gateway settles on the day of t in India.
func (c Calendar) Open(t time.Time) bool {
	day := t.In(India())
	week := (day.Day()-1)/7 + 1
	if day.Weekday() == time.Sunday || day.Weekday() == time.Saturday && (!c.Saturdays || week == 2 || week == 4) {
		return false
	}
	return !holiday(day)
}

// Add returns the start of the nth working day after the day of t in India; for n of 0, that day itself if it is a working day,
// else the next one.
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

// Midnight returns the start of the day of t in India.
func Midnight(t time.Time) time.Time {
	local := t.In(India())
	return time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, India())
}

// holiday reports whether the day is a fixed holiday, or a movable one of 2026 or 2027 in Mumbai. Source: Reserve Bank of
// India, holidays under the Negotiable Instruments Act, Belapur/Mumbai; those of 2027 follow the lunar calendar and may be
// announced a day earlier or later.
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
