package statement

import (
	"slices"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/sheet"
)

const problemYear = "The year of this day has two digits and may stand first or last. Export the file with years of four digits."

// decideOrder decides the section's day order: by a day that only one order allows, by a heading, or by the bank's description if every
// day has its shape. Otherwise a person has to choose. Only days of transactions count. Evidence against the order refuses it.
func (r *reader) decideOrder() {
	dayFirst, monthFirst, open, shaped := false, false, false, true
	shapes := r.shapes()
	for _, line := range r.lines {
		if !r.moves(line) {
			continue
		}
		r.moving = append(r.moving, line)
		for _, cell := range []string{r.cell(line, ColumnDay), r.cell(line, ColumnValueDay)} {
			d := sheet.ReadDay(cell)
			_, asDay := d.In(sheet.OrderDayFirst)
			_, asMonth := d.In(sheet.OrderMonthFirst)
			if d.Year == 0 || !asDay && !asMonth {
				continue
			}
			dayFirst = dayFirst || !asMonth
			monthFirst = monthFirst || !asDay
			open = open || asDay && asMonth && d.First != d.Second
			shaped = shaped && slices.Contains(shapes, d.Shape)
		}
	}
	stated := sheet.OrderUnknown
	for i, cell := range r.head.Cells {
		if _, order := headingOf(cell); order != sheet.OrderUnknown && r.columns[i] == ColumnDay {
			stated = order
		}
	}
	chosen := r.order
	switch {
	case dayFirst && monthFirst, stated == sheet.OrderDayFirst && monthFirst, stated == sheet.OrderMonthFirst && dayFirst:
		r.mixed = true
	case dayFirst:
		r.order, r.mixed = sheet.OrderDayFirst, r.denied(sheet.OrderDayFirst)
	case monthFirst:
		r.order, r.mixed = sheet.OrderMonthFirst, r.denied(sheet.OrderMonthFirst)
	case stated != sheet.OrderUnknown:
		r.order, r.mixed = stated, r.denied(stated)
	case chosen != sheet.OrderUnknown && !r.denied(chosen): // a person chose it
		r.Chosen = true
	case chosen == sheet.OrderUnknown && shaped && len(shapes) > 0 && !r.denied(sheet.OrderDayFirst):
		r.order = sheet.OrderDayFirst
	case open:
		r.order, r.open, r.Asks = sheet.OrderUnknown, true, AsksDayOrder
		const evidence = "Value dates, numbers (UTR), the period or days in the future deny "
		switch {
		case r.asked && chosen != sheet.OrderUnknown:
			r.refused = true
			r.Notes = append(r.Notes, evidence+"the order that you chose. Choose the other order, or download the file again.")
		case r.denied(sheet.OrderDayFirst):
			r.Notes = append(r.Notes, evidence+"that the day comes first.")
		case r.denied(sheet.OrderMonthFirst):
			r.Notes = append(r.Notes, evidence+"that the month comes first.")
		}
	}
	r.decideYear()
}

// shapes returns the section's bank's formats of a day.
func (r *reader) shapes() []string {
	if b, found := bankOf(r.head.Cells); found && r.bank != "" {
		return b.Days
	}
	return nil
}

// moves reports whether a line is a transaction: its cells match the headings, and its amount is readable.
func (r *reader) moves(line sheet.Line) bool {
	if line.Problem != "" || !r.fits(line) || !sheet.ReadDay(r.cell(line, ColumnDay)).Known() {
		return false
	}
	change, problem := r.change(line)
	return problem == "" && change != 0
}

func (r *reader) dayOf(day sheet.Day) (time.Time, bool) {
	if day.Year > 0 && r.mixed || r.mayBeginWithYear(day) {
		return time.Time{}, false
	}
	return day.In(r.order)
}

func (r *reader) dayProblem(day sheet.Day) string {
	switch {
	case r.mixed:
		return "The days of this file stand in two orders, day first and month first. A spreadsheet may have turned some: download the file again."
	case r.refused && day.Year > 0:
		return "The file denies the order of day and month that you chose."
	case r.order == sheet.OrderUnknown && r.open && day.Year > 0:
		return "Say first whether the day or the month comes first."
	}
	if r.mayBeginWithYear(day) {
		return problemYear
	}
	return "There is no such day."
}

// decideYear decides where years of two digits stand. A day such as 03/11/26 cannot begin with its year.
func (r *reader) decideYear() {
	begins, confirmed := false, false
	for _, line := range r.moving {
		day := sheet.ReadDay(r.cell(line, ColumnDay))
		if !day.Short {
			continue
		}
		asDay, _ := day.In(sheet.OrderDayFirst)
		asMonth, _ := day.In(sheet.OrderMonthFirst)
		ends := r.isRecent(asDay) || r.isRecent(asMonth)
		tooOld := r.now.AddDate(-10, 0, 0)
		r.yearLast = r.yearLast || ends && (day.YearFirst.Before(tooOld) || day.YearFirst.After(r.now))
		found, _ := r.evidenceOf(line, r.order)
		begins = begins || !ends && r.isRecent(day.YearFirst) || found == namesYearFirst
		confirmed = confirmed || found == namesThis
	}
	r.yearFirst = begins && !confirmed && !r.yearLast
	r.yearLast = r.yearLast || confirmed && !begins
}

// mayBeginWithYear reports whether a day such as 26-01-25 may be year first, as some programs write it. The shape of the bank or of the
// heading, or another day of the file, can exclude that.
func (r *reader) mayBeginWithYear(day sheet.Day) bool {
	if !day.Short || r.yearFirst {
		return day.Short
	}
	known := day.Year == 0 || r.yearLast || slices.Contains(r.shapes(), day.Shape) || statedOrder(r.head) != sheet.OrderUnknown
	return !known && r.isRecent(day.YearFirst)
}

// isRecent reports whether a credit of this day can be imported: it is not in the future and within the last two years.
func (r *reader) isRecent(day time.Time) bool {
	return !day.After(r.now) && day.After(r.now.AddDate(-2, 0, 0))
}
