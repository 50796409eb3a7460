package subscription

import (
	"database/sql/driver"
	"fmt"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
)

// Day is a calendar day in Asia/Kolkata, counted from 1 January 1970, so that days can be compared and subtracted as
// numbers. The zero Day means none.
type Day int32

const secondsPerDay = 24 * 60 * 60

// DayOf returns the day in Asia/Kolkata of a moment.
func DayOf(at time.Time) Day {
	y, m, d := at.In(clock.IST).Date()
	return dayOf(y, m, d)
}

// NewDay returns the day of a calendar date.
func NewDay(year int, month time.Month, day int) Day { return dayOf(year, month, day) }

func dayOf(y int, m time.Month, d int) Day {
	return Day(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / secondsPerDay) //nolint:gosec // fits until the year 5 million
}

func (d Day) date() time.Time { return time.Unix(int64(d)*secondsPerDay, 0).UTC() }

// Start returns the moment at which the day begins in Asia/Kolkata.
func (d Day) Start() time.Time {
	y, m, day := d.date().Date()
	return time.Date(y, m, day, 0, 0, 0, 0, clock.IST)
}

// DayOfMonth returns 1 to 31.
func (d Day) DayOfMonth() int { return d.date().Day() }

// String returns the date as 2027-11-21, or - for the zero Day.
func (d Day) String() string {
	if d == 0 {
		return "-"
	}
	return d.date().Format(time.DateOnly)
}

// Human returns the date for people to read: 21 Nov 2027.
func (d Day) Human() string { return d.date().Format("2 Jan 2006") }

// In returns the date for people to read in a language: 21 नवंबर 2027.
func (d Day) In(l i18n.Language) string { return l.Day(d.Start()) }

// MarshalText encodes the date as String does.
func (d Day) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (d *Day) UnmarshalText(text []byte) error {
	if len(text) == 0 || string(text) == "-" {
		*d = 0
		return nil
	}
	at, err := time.Parse(time.DateOnly, string(text))
	if err != nil {
		return fmt.Errorf("read day: %w", err)
	}
	*d = dayOf(at.Year(), at.Month(), at.Day())
	return nil
}

// Scan reads a date column; NULL is the zero Day.
func (d *Day) Scan(src any) error {
	switch v := src.(type) {
	case nil:
		*d = 0
	case time.Time:
		*d = dayOf(v.Year(), v.Month(), v.Day())
	default:
		return fmt.Errorf("scan day: %T", src)
	}
	return nil
}

// Value writes a date column; the zero Day is NULL.
func (d Day) Value() (driver.Value, error) {
	if d == 0 {
		return nil, nil // NULL
	}
	return d.String(), nil
}

// AddMonths returns the day n calendar months later that falls on the anchor day, or on the month's last day if the
// month is shorter: with anchor 31, 31 January, 28 February, 31 March; with an anchor of 29 February, the 29th every
// leap year.
func (d Day) AddMonths(n, anchor int) Day {
	y, m, _ := d.date().Date()
	first := time.Date(y, m+time.Month(n), 1, 0, 0, 0, 0, time.UTC)
	last := first.AddDate(0, 1, -1).Day()
	return dayOf(first.Year(), first.Month(), min(anchor, last))
}
