package main

import "time"

// india is the zone in which banks work.
func india(t time.Time) time.Time { return t.In(time.FixedZone("IST", 5*3600+1800)) }

const dayFormat = time.DateOnly

// holiday tells days on which Mumbai's banks are closed: Sundays, the second and fourth Saturday, and the holidays under
// the Negotiable Instruments Act (RBI's list for Maharashtra). The dates of festivals are set for these years only.
func holiday(day time.Time) bool {
	switch {
	case day.Weekday() == time.Sunday:
		return true
	case day.Weekday() == time.Saturday:
		if week := (day.Day()-1)/7 + 1; week == 2 || week == 4 {
			return true
		}
	}
	switch day.Format("01-02") {
	case "01-26", "04-14", "05-01", "08-15", "10-02", "12-25":
		return true
	}
	switch day.Format(dayFormat) {
	case "2026-02-19", "2026-03-03", "2026-03-19", "2026-03-21", "2026-03-26", "2026-03-31", "2026-04-01", "2026-04-03",
		"2026-05-28", "2026-06-26", "2026-08-26", "2026-09-14", "2026-10-20", "2026-11-10", "2026-11-24",
		"2027-02-19", "2027-03-10", "2027-03-22", "2027-03-26", "2027-04-01", "2027-04-07", "2027-04-15", "2027-05-17",
		"2027-05-20", "2027-06-16", "2027-10-29", "2027-11-15":
		return true
	}
	return false
}

// midnight is the start of a moment's day in India.
func midnight(t time.Time) time.Time {
	t = india(t)
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
}

// workingDaysAfter is the day so many working days after a moment's own day.
func workingDaysAfter(t time.Time, days int) time.Time {
	day := midnight(t)
	for days > 0 {
		day = day.AddDate(0, 0, 1)
		if !holiday(day) {
			days--
		}
	}
	return day
}
