package transfer

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/text"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// DayOrder says whether the day or the month comes first in days of digits, such as 05/11/2026.
type DayOrder string

// The orders. OrderUnknown means that nothing proves the order.
const (
	OrderUnknown    DayOrder = ""
	OrderDayFirst   DayOrder = "day_first"
	OrderMonthFirst DayOrder = "month_first"
)

// readOf is a day as a cell writes it. First and Second are the two numbers whose order the file decides. At is an unambiguous day.
type readOf struct {
	At            time.Time
	First, Second int
	Year          int
	// Shape is the form of a day of digits, such as 00/00/0000.
	Shape string
}

func (d readOf) known() bool { return !d.At.IsZero() || d.Year > 0 }

// in returns the day in an order, or false if that day does not exist.
func (d readOf) in(order DayOrder) (time.Time, bool) {
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
	return validDay(d.Year, month, day)
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

// mostDay and mostSum bound the bytes of a cell with a day or a sum.
const mostDay, mostSum = 60, 120

// readDay reads a day, with or without a time after it. Eight digits without separators are not a day, because they may be a number.
func readDay(cell string) readOf {
	cell = strings.Join(strings.Fields(cell), " ")
	if len(cell) > mostDay || !aDigit.MatchString(cell) {
		return readOf{}
	}
	if m := timeBehind.FindStringSubmatch(cell); m != nil {
		if zone := m[4]; zone != "" { // a time in another zone can be another day in India
			if at, err := time.Parse("2006-01-02 15:04:05Z07:00", m[1]+" "+m[2]+zone); err == nil {
				return readOf{At: subscription.DayOf(at).Start()}
			}
			return readOf{}
		}
		cell = m[1]
	}
	if m := twiceADay.FindStringSubmatch(cell); m != nil && readDay(m[2]).known() {
		cell = m[1] // "05-Nov-26 (05-Nov-26)", the day and the value day
	}
	if m := yearFirst.FindStringSubmatch(cell); m != nil {
		at, _ := validDay(atoi(m[1]), atoi(m[2]), atoi(m[3]))
		return readOf{At: at}
	}
	if m := digitsOnly.FindStringSubmatch(cell); m != nil && m[2] == m[4] {
		return readOf{First: atoi(m[1]), Second: atoi(m[3]), Year: fullYear(m[5]), Shape: aDigit.ReplaceAllString(cell, "0")}
	}
	if m := dayMonth.FindStringSubmatch(cell); m != nil {
		at, _ := validDay(fullYear(m[3]), monthOf(m[2]), atoi(m[1]))
		return readOf{At: at}
	}
	if m := monthDay.FindStringSubmatch(cell); m != nil {
		at, _ := validDay(atoi(m[3]), monthOf(m[1]), atoi(m[2]))
		return readOf{At: at}
	}
	return readOf{}
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

func validDay(year, month, day int) (time.Time, bool) {
	if year < 1900 || month < 1 || month > 12 || day < 1 {
		return time.Time{}, false
	}
	at := time.Date(year, time.Month(month), day, 0, 0, 0, 0, clock.IST)
	if at.Day() != day {
		return time.Time{}, false
	}
	return at, true
}

// way is the direction of money, if a cell gives it.
type way int

const (
	wayUnsaid way = iota
	wayIn
	wayOut
)

// wayOf reads a bank's word for the direction of money; false if the word is unknown.
func wayOf(word string) (way, bool) {
	switch plain(word) {
	case "":
		return wayUnsaid, true
	case "C", "CR", "CREDIT", "CREDITS", "DEPOSIT", "CREDITED":
		return wayIn, true
	case "D", "DR", "DEBIT", "DEBITS", "WITHDRAWAL", "W", "DEBITED":
		return wayOut, true
	default:
		return wayUnsaid, false
	}
}

var (
	currency      = regexp.MustCompile(`₹|INR|RS\.?`)
	currencyFront = regexp.MustCompile(`^([-+(]? *)(?:₹|INR|RS\.?) *`)
	currencyBack  = regexp.MustCompile(` *(?:₹|INR|RS\.?)( *[-+)]?)$`)
	wordFront     = regexp.MustCompile(`(?i)^\(?(CR|DR)\.?\)?[: ]*((?:₹|INR|RS\.?)? ?\d.*)$`)
	wordBack      = regexp.MustCompile(`(?i)^(.*(?:[\d)₹]|INR|RS\.?|/-))[ ]*\(?(CREDIT|DEBIT|CR|DR|C|D)\.?\)?$`)
	// Digits, grouped as in India (1,18,000) or elsewhere (118,000). A number with a leading zero is the rest of a sum split by a comma.
	plainSum  = regexp.MustCompile(`^(0|[1-9]\d*)(\.\d{1,2})?$`)
	indianSum = regexp.MustCompile(`^[1-9]\d?(,\d{2})*,\d{3}(\.\d{1,2})?$`)
	otherSum  = regexp.MustCompile(`^[1-9]\d{0,2}(,\d{3})+(\.\d{1,2})?$`)
	dashes    = regexp.MustCompile(`^[-–—. ]*$`)
)

// sum is an amount as a cell writes it. Empty means a cell without an amount; zero is an amount.
type sum struct {
	Amount money.Paise
	Way    way
	Empty  bool
}

// withoutCurrency removes the currency around a sum. 500/- is the handwritten form of rupees.
func withoutCurrency(cell string) string {
	cell = strings.TrimSpace(currencyBack.ReplaceAllString(currencyFront.ReplaceAllString(cell, "$1"), "$1"))
	return strings.TrimSpace(strings.TrimSuffix(cell, "/-"))
}

// readSum reads an amount with its currency, and its direction from a sign, brackets or a word (CR, DR). It returns false for anything
// else.
func readSum(cell string) (sum, bool) {
	cell = strings.ToUpper(strings.Join(strings.Fields(text.Digits(cell)), " "))
	if len(cell) > mostSum {
		return sum{}, false
	}
	if len(currency.FindAllString(cell, 2)) > 1 {
		return sum{}, false
	}
	cell = withoutCurrency(cell)
	if dashes.MatchString(cell) {
		return sum{Empty: true}, true
	}
	var s sum
	if m := wordBack.FindStringSubmatch(cell); m != nil {
		s.Way, _ = wayOf(m[2])
		cell = strings.TrimSpace(m[1])
	} else if m := wordFront.FindStringSubmatch(cell); m != nil {
		s.Way, _ = wayOf(m[1])
		cell = strings.TrimSpace(m[2])
	}
	cell = withoutCurrency(cell)
	signed := wayUnsaid
	switch {
	case strings.HasPrefix(cell, "(") && strings.HasSuffix(cell, ")"):
		cell, signed = strings.TrimSpace(cell[1:len(cell)-1]), wayOut
	case strings.HasPrefix(cell, "-"):
		cell, signed = strings.TrimLeft(cell[1:], ", "), wayOut // a comma after the sign: "-,1,00,000.00" of Axis
	case strings.HasSuffix(cell, "-"):
		cell, signed = strings.TrimSpace(strings.TrimSuffix(cell, "-")), wayOut
	case strings.HasPrefix(cell, "+"):
		cell, signed = strings.TrimSpace(cell[1:]), wayIn
	case strings.HasSuffix(cell, "+"):
		cell, signed = strings.TrimSpace(strings.TrimSuffix(cell, "+")), wayIn
	}
	if signed != wayUnsaid {
		if s.Way != wayUnsaid && s.Way != signed {
			return sum{}, false
		}
		s.Way = signed
	}
	if !plainSum.MatchString(cell) && !indianSum.MatchString(cell) && !otherSum.MatchString(cell) {
		return sum{}, false
	}
	var err error
	if s.Amount, err = money.Parse(strings.ReplaceAll(cell, ",", "")); err != nil || s.Amount > money.Max {
		return sum{}, false
	}
	return s, true
}
