package transfer

import (
	"slices"
	"strings"
	"time"
)

const problemYear = "The year of this day has two digits and may stand first or last. Export the file with years of four digits."

// decideOrder decides the section's day order: by a day that only one order allows, by a heading, or by the bank's description if every
// day has its shape. Otherwise a person has to choose. Only days of transactions count.
func (r *reader) decideOrder() {
	dayFirst, monthFirst, open, shaped := false, false, false, true
	shapes := r.shapes()
	for _, line := range r.lines {
		if !r.moves(line) {
			continue
		}
		for _, cell := range []string{r.cell(line, ColumnDay), r.cell(line, ColumnValueDay)} {
			d := readDay(cell)
			_, asDay := d.in(OrderDayFirst)
			_, asMonth := d.in(OrderMonthFirst)
			if d.Year == 0 || !asDay && !asMonth {
				continue
			}
			dayFirst = dayFirst || !asMonth
			monthFirst = monthFirst || !asDay
			open = open || asDay && asMonth && d.First != d.Second
			shaped = shaped && slices.Contains(shapes, d.Shape)
		}
	}
	stated := OrderUnknown
	for i, cell := range r.head.Cells {
		if _, order := headingOf(cell); order != OrderUnknown && r.columns[i] == ColumnDay {
			stated = order
		}
	}
	switch {
	case dayFirst && monthFirst, stated == OrderDayFirst && monthFirst, stated == OrderMonthFirst && dayFirst:
		r.mixed = true
	case dayFirst:
		r.order = OrderDayFirst
	case monthFirst:
		r.order = OrderMonthFirst
	case stated != OrderUnknown:
		r.order = stated
	case r.order != OrderUnknown && (r.asked || !r.numbersDeny(r.order)): // a person chose it
		r.chosen = true
	case r.order == OrderUnknown && shaped && len(shapes) > 0 && !r.numbersDeny(OrderDayFirst):
		r.order = OrderDayFirst
	case open:
		r.order, r.open, r.Asks = OrderUnknown, true, AsksDayOrder
	}
}

// numbersDeny reports whether the IMPS and UPI numbers of the lines name days of the other order, and none of this one.
func (r *reader) numbersDeny(order DayOrder) bool {
	other, denied := OrderDayFirst, false
	if order == OrderDayFirst {
		other = OrderMonthFirst
	}
	for _, line := range r.lines {
		if !r.moves(line) {
			continue
		}
		day := readDay(r.cell(line, ColumnDay))
		this, _ := day.in(order)
		turned, _ := day.in(other)
		for _, word := range wordsOf(strings.ToUpper(strings.Join(append(r.cells(line, ColumnReference), r.cells(line, ColumnNarration)...), " "))) {
			number := CleanUTR(word)
			switch {
			case !isRRN(number) || day.Year == 0 || this.Equal(turned):
			case madeAround(number, this):
				return false
			case madeAround(number, turned):
				denied = true
			}
		}
	}
	return denied
}

// shapes returns the section's bank's formats of a day.
func (r *reader) shapes() []string {
	if b, found := bankOf(r.head.Cells); found && r.bank != "" {
		return b.Days
	}
	return nil
}

// moves reports whether a line is a transaction: its cells match the headings, and its amount is readable.
func (r *reader) moves(line fileLine) bool {
	if line.Problem != "" || !r.fits(line) || !readDay(r.cell(line, ColumnDay)).known() {
		return false
	}
	change, problem := r.change(line)
	return problem == "" && change != 0
}

func (r *reader) dayOf(day readOf) (time.Time, bool) {
	if day.Year > 0 && (r.mixed || r.mayBeginWithYear(day)) {
		return time.Time{}, false
	}
	return day.in(r.order)
}

func (r *reader) dayProblem(day readOf) string {
	switch {
	case r.mixed:
		return "The days of this file stand in two orders, day first and month first. A spreadsheet may have turned some: download the file again."
	case r.order == OrderUnknown && r.open && day.Year > 0:
		return "Say first whether the day or the month comes first."
	}
	if r.mayBeginWithYear(day) {
		return problemYear
	}
	return "There is no such day."
}

// mayBeginWithYear reports whether a day such as 26-01-25 may be year first, as some programs write it. The day must have dashes, no
// other format from the bank or the heading, and be within the last two years.
func (r *reader) mayBeginWithYear(day readOf) bool {
	if day.Shape != "00-00-00" || slices.Contains(r.shapes(), day.Shape) || statedOrder(r.head) != OrderUnknown {
		return false
	}
	at, ok := validDay(2000+day.First, day.Second, day.Year%100)
	return ok && !at.After(r.now) && at.After(r.now.AddDate(-2, 0, 0))
}
