package statement

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/sheet"
	"github.com/franchise360/franchise360/pkg/transfer/utr"
)

const problemEvidence = "The value date or the number (UTR) of this line names another day. A spreadsheet may have turned the day: download the file again."

// mostValueDays is by how many days a value date may differ from the day. Turning day and month moves a day by at least 27 days.
const mostValueDays = 10

// evidence is which reading of a line's day its value date, or else its numbers, name.
type evidence int

const (
	namesNothing evidence = iota
	namesThis
	namesTurned // the day of the other order
	namesYearFirst
)

// evidenceOf compares a line's day in an order with its value date (sure) and its numbers. A refund may have the number of its payment.
func (r *reader) evidenceOf(line sheet.Line, order sheet.DayOrder) (found evidence, sure bool) {
	day := sheet.ReadDay(r.cell(line, ColumnDay))
	at, _ := day.In(order)
	turned, _ := day.In(order.Other())
	if turned.Equal(at) {
		turned = time.Time{}
	}
	if turned.IsZero() && !day.Short {
		return namesNothing, false
	}
	names := func(says func(time.Time) bool) evidence {
		switch {
		case says(at):
			return namesThis
		case says(turned):
			return namesTurned
		case day.Short && says(day.YearFirst):
			return namesYearFirst
		}
		return namesNothing
	}
	for _, cell := range r.cells(line, ColumnValueDay) {
		value := sheet.ReadDay(cell)
		own, ok := value.In(order)
		twin, _ := value.In(order.Other())
		sure = (twin.IsZero() || twin.Equal(own)) && (!value.Short || !r.isRecent(value.YearFirst))
		found = names(func(day time.Time) bool { return ok && isNear(own, day, mostValueDays) })
		if found > namesThis || found == namesThis && sure { // a value date of the same form confirms nothing
			return found, true
		}
	}
	var numbers []string
	for _, word := range utr.WordsOf(strings.ToUpper(strings.Join(append(r.cells(line, ColumnReference), r.cells(line, ColumnNarration)...), " "))) {
		numbers = append(numbers, utr.Clean(word))
	}
	return names(func(day time.Time) bool {
		return slices.ContainsFunc(numbers, func(number string) bool { return isDated(number, day) })
	}), false
}

func isNear(a, b time.Time, days int) bool {
	return !a.IsZero() && !b.IsZero() && a.Sub(b).Abs() <= time.Duration(days)*24*time.Hour
}

// The day in a number of NEFT (year and day of the year) and RTGS, as most banks form them.
var (
	dayInNEFT = regexp.MustCompile(`^[A-Z]{4}[A-Z0-9]([0-9]{2})([0-9]{3})[0-9]{6}$`)
	dayInRTGS = regexp.MustCompile(`^[A-Z]{4}[A-Z0-9]{2}([0-9]{4})([0-9]{2})([0-9]{2})[A-Z0-9]{8}$`)
)

// isDated reports whether a number of NEFT, RTGS, IMPS or UPI is dated within three days of the day.
func isDated(number string, day time.Time) bool {
	if m := dayInNEFT.FindStringSubmatch(number); m != nil {
		at, ok := sheet.ValidDay(2000+atoi(m[1]), 1, 1)
		return ok && isNear(at.AddDate(0, 0, atoi(m[2])-1), day, 3)
	}
	if m := dayInRTGS.FindStringSubmatch(number); m != nil {
		at, _ := sheet.ValidDay(atoi(m[1]), atoi(m[2]), atoi(m[3]))
		return isNear(at, day, 3)
	}
	return utr.IsRRN(number) && utr.MadeAround(number, day)
}

func atoi(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}

// denied reports whether the file denies an order: a value date names the day of the other order; numbers do, and no line confirms this
// order; only this order has days in the future; or only the other order's days lie in the stated period.
func (r *reader) denied(order sheet.DayOrder) bool {
	turned, surely, confirmed, future := false, false, false, false
	for _, line := range r.moving {
		found, sure := r.evidenceOf(line, order)
		surely = surely || sure && found == namesTurned
		turned, confirmed = turned || found == namesTurned, confirmed || found == namesThis
		day := sheet.ReadDay(r.cell(line, ColumnDay))
		at, _ := day.In(order)
		otherwise, ok := day.In(order.Other())
		future = future || at.After(r.now) && ok && !otherwise.After(r.now)
	}
	return surely || !confirmed && (turned || future || !r.inPeriod(order) && r.inPeriod(order.Other()))
}

var (
	periodWord = regexp.MustCompile(`(?i)\b(?:FROM|TO|PERIOD|BETWEEN)\b`)
	dayInText  = regexp.MustCompile(`\d{1,4}[-/. ](?:\d{1,2}|[A-Za-z]{3,9})[-/., ]+\d{2,4}`)
)

// inPeriod reports whether the days of the section, in an order, lie in the period above the headings. It returns true without a period.
func (r *reader) inPeriod(order sheet.DayOrder) bool {
	var ends []sheet.Day
	for _, line := range r.above {
		if text := strings.Join(line.Cells, " "); periodWord.MatchString(text) {
			for _, day := range dayInText.FindAllString(text, 3) {
				ends = append(ends, sheet.ReadDay(day))
			}
		}
	}
	if len(ends) != 2 || !ends[0].Known() || !ends[1].Known() {
		return true
	}
	return slices.ContainsFunc([]sheet.DayOrder{sheet.OrderDayFirst, sheet.OrderMonthFirst}, func(stated sheet.DayOrder) bool {
		from, ok := ends[0].In(stated)
		to, also := ends[1].In(stated)
		return ok && also && !slices.ContainsFunc(r.moving, func(line sheet.Line) bool {
			at, known := sheet.ReadDay(r.cell(line, ColumnDay)).In(order)
			return !known || at.Before(from) || at.After(to)
		})
	})
}
