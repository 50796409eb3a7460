package sheet

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/clock"
)

// DayOrder says whether the day or the month comes first in days of digits, such as 05/11/2026.
type DayOrder string

// The orders. OrderUnknown means that nothing proves the order.
const (
	OrderUnknown    DayOrder = ""
	OrderDayFirst   DayOrder = "day_first"
	OrderMonthFirst DayOrder = "month_first"
)

// Other returns the order that an order turns to.
func (o DayOrder) Other() DayOrder {
	switch o {
	case OrderDayFirst:
		return OrderMonthFirst
	case OrderMonthFirst:
		return OrderDayFirst
	case OrderUnknown:
	}
	return OrderUnknown
}

// Day is a day as a cell writes it. First and Second are the two numbers whose order the file decides. At is an unambiguous day.
type Day struct {
	At            time.Time
	First, Second int
	Year          int
	// Shape is the form of a day of digits, such as 00/00/0000.
	Shape string
	// Short means that the year has two digits. YearFirst is then the day if the year stands first, or zero.
	Short     bool
	YearFirst time.Time
}

// Known reports whether the cell is a day.
func (d Day) Known() bool { return !d.At.IsZero() || d.Year > 0 }

// Exists reports whether the day exists in at least one order.
func (d Day) Exists() bool {
	_, asDay := d.In(OrderDayFirst)
	_, asMonth := d.In(OrderMonthFirst)
	return asDay || asMonth
}

// In returns the day in an order, or false if that day does not exist.
func (d Day) In(order DayOrder) (time.Time, bool) {
	if d.Year == 0 {
		return d.At, !d.At.IsZero()
	}
	day, month := d.First, d.Second
	if order == OrderMonthFirst {
		day, month = month, day
	}
	if order == OrderUnknown && day != month {
		return time.Time{}, false
	}
	return ValidDay(d.Year, month, day)
}

var (
	timeBehind = regexp.MustCompile(`^(.*?\d)(?:[ T,]+(\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?) ?([AaPp]\.?[Mm]\.?)?)(Z|[+-]\d{2}:?\d{2})?$`)
	twiceADay  = regexp.MustCompile(`^([^()]+?) ?\(([^()]+)\)$`) // nested brackets would make matching quadratic
	yearFirst  = regexp.MustCompile(`^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$`)
	digitsOnly = regexp.MustCompile(`^(\d{1,2})([-/.])(\d{1,2})([-/.])(\d{4}|\d{2})$`)
	dayMonth   = regexp.MustCompile(`^(\d{1,2})[-/. ]?([A-Za-z]{3,9})[-/., ]+(\d{4}|\d{2})$`)
	monthDay   = regexp.MustCompile(`^([A-Za-z]{3,9})[-/. ]?(\d{1,2}),? ?(\d{4})$`)
	aDigit     = regexp.MustCompile(`\d`)
)

// mostDay bounds the bytes of a cell with a day.
const mostDay = 60

// ReadDay reads a day, with or without a time after it. Eight digits without separators are not a day, because they may be a number.
func ReadDay(cell string) Day {
	cell = strings.Join(strings.Fields(cell), " ")
	if len(cell) > mostDay || !aDigit.MatchString(cell) {
		return Day{}
	}
	if m := timeBehind.FindStringSubmatch(cell); m != nil {
		if zone := m[4]; zone != "" { // a time in another zone can be another day in India
			if at, err := time.Parse("2006-01-02 15:04:05Z07:00", m[1]+" "+m[2]+zone); err == nil {
				return Day{At: startOfDay(at)}
			}
			return Day{}
		}
		cell = m[1]
	}
	if m := twiceADay.FindStringSubmatch(cell); m != nil && ReadDay(m[2]).Known() {
		cell = m[1] // "05-Nov-26 (05-Nov-26)", the day and the value day
	}
	if m := yearFirst.FindStringSubmatch(cell); m != nil {
		at, _ := ValidDay(atoi(m[1]), atoi(m[2]), atoi(m[3]))
		return Day{At: at}
	}
	if m := digitsOnly.FindStringSubmatch(cell); m != nil && m[2] == m[4] {
		d := Day{First: atoi(m[1]), Second: atoi(m[3]), Year: fullYear(m[5]), Shape: aDigit.ReplaceAllString(cell, "0"), Short: len(m[5]) == 2}
		if d.Short {
			d.YearFirst, _ = ValidDay(2000+d.First, d.Second, atoi(m[5]))
		}
		return d
	}
	if m := dayMonth.FindStringSubmatch(cell); m != nil {
		at, _ := ValidDay(fullYear(m[3]), monthOf(m[2]), atoi(m[1]))
		d := Day{At: at, Short: len(m[3]) == 2}
		if d.Short {
			d.YearFirst, _ = ValidDay(2000+atoi(m[1]), monthOf(m[2]), atoi(m[3]))
		}
		return d
	}
	if m := monthDay.FindStringSubmatch(cell); m != nil {
		at, _ := ValidDay(atoi(m[3]), monthOf(m[1]), atoi(m[2]))
		return Day{At: at}
	}
	return Day{}
}

func atoi(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}

func fullYear(digits string) int {
	if len(digits) == 2 {
		return 2000 + atoi(digits)
	}
	return atoi(digits)
}

func monthOf(word string) int {
	word = strings.ToLower(word)
	for m := time.January; m <= time.December; m++ {
		name := strings.ToLower(m.String())
		if word == name || word == name[:3] || word == "sept" && m == time.September {
			return int(m)
		}
	}
	return 0
}

// ValidDay returns the start of a day in India, or false if the day does not exist.
func ValidDay(year, month, day int) (time.Time, bool) {
	if year < 1900 || month < 1 || month > 12 || day < 1 {
		return time.Time{}, false
	}
	at := time.Date(year, time.Month(month), day, 0, 0, 0, 0, clock.IST)
	if at.Day() != day {
		return time.Time{}, false
	}
	return at, true
}

// startOfDay returns the start of the moment's day in India.
func startOfDay(at time.Time) time.Time {
	year, month, day := at.In(clock.IST).Date()
	return time.Date(year, month, day, 0, 0, 0, 0, clock.IST)
}
