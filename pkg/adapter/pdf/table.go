package pdf

import (
	"strconv"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// tableColumn is a column: its heading, its width and its content for a line, with a smaller second row.
type tableColumn struct {
	heading string
	width   float64
	align   align
	main    func(invoice.Line) string
	second  func(invoice.Line) string
	narrow  bool // no amounts
}

const (
	cellPadding = 5.0
	rowPadding  = 6.0
	headHeight  = 22.0
	amountWidth = 42.0
)

func headStyle() style   { return style{bold, 7.5, white()} }
func cellStyle() style   { return style{regular, 8.5, ink()} }
func secondStyle() style { return style{regular, 7, muted()} }

// table draws the lines; a row is split only if it is taller than a page, and the heading repeats on each page.
func (s *sheet) table() {
	columns := s.columns()
	s.text(right, s.y+2, s.both("Amounts in Indian rupees (₹)"), style{regular, 7, muted()}, alignRight)
	s.y += 7
	s.tableHead(columns)
	for _, l := range s.doc.Lines {
		s.row(columns, l)
	}
	s.y += 14
}

func (s *sheet) columns() []tableColumn {
	amount := func(of func(invoice.Line) money.Paise) func(invoice.Line) string {
		return func(l invoice.Line) string { return of(l).Grouped() }
	}
	columns := []tableColumn{
		{heading: "#", align: alignLeft, main: func(l invoice.Line) string { return strconv.Itoa(l.Position) }},
		{heading: i18n.Mark("Description"), align: alignLeft, main: func(invoice.Line) string { return "" }},
		{heading: "SAC", align: alignLeft, main: func(l invoice.Line) string { return l.SAC }},
		{heading: i18n.Mark("Qty"), narrow: true, align: alignRight, main: func(l invoice.Line) string { return strconv.FormatInt(l.Quantity, 10) }},
	}
	if s.doc.Totals.Discount != 0 {
		columns = append(columns,
			tableColumn{heading: i18n.Mark("Amount"), align: alignRight, main: amount(func(l invoice.Line) money.Paise { return l.Amount })},
			tableColumn{heading: i18n.Mark("Discount"), align: alignRight, main: amount(func(l invoice.Line) money.Paise { return l.Discount })})
	}
	columns = append(columns, tableColumn{
		heading: s.valueName(), align: alignRight, main: amount(func(l invoice.Line) money.Paise { return l.Taxable }),
	})
	for _, h := range s.heads() {
		columns = append(columns, tableColumn{
			heading: h.name, align: alignRight, main: amount(func(l invoice.Line) money.Paise { return h.of(l.Tax) }),
			second: func(l invoice.Line) string { return percent(l.RateBps, h.parts) },
		})
	}
	return s.fit(columns)
}

// head is one tax of the document: its name, its amount, and the number of equal parts of the rate.
type head struct {
	name  string
	parts int64
	of    func(invoice.Tax) money.Paise
}

func (s *sheet) heads() []head {
	if s.doc.Commercial {
		return nil
	}
	cgst := head{"CGST", 2, func(t invoice.Tax) money.Paise { return t.CGST }}
	switch s.doc.Regime {
	case invoice.RegimeState:
		return []head{cgst, {"SGST", 2, func(t invoice.Tax) money.Paise { return t.SGST }}}
	case invoice.RegimeUnionTerritory:
		return []head{cgst, {"UTGST", 2, func(t invoice.Tax) money.Paise { return t.UTGST }}}
	default:
		return []head{{"IGST", 1, func(t invoice.Tax) money.Paise { return t.IGST }}}
	}
}

// fit gives every column the width of its widest cell and the description the remainder.
func (s *sheet) fit(columns []tableColumn) []tableColumn {
	const description = 1
	room := right - left
	for i := range columns {
		if i == description {
			continue
		}
		widest := max(s.width(columns[i].heading, headStyle()), s.width(s.other(columns[i].heading), headStyle()))
		for _, l := range s.doc.Lines {
			widest = max(widest, s.width(columns[i].main(l), cellStyle()))
		}
		if columns[i].align == alignRight && !columns[i].narrow {
			widest = max(widest, amountWidth)
		}
		columns[i].width = widest + 2*cellPadding
		room -= columns[i].width
	}
	columns[description].width = max(room, 60)
	return columns
}

func (s *sheet) tableHead(columns []tableColumn) {
	second := s.room(8)
	s.box(left, s.y, right-left, headHeight+second, 4, primary())
	x := left
	for _, c := range columns {
		at := x + cellPadding
		if c.align == alignRight {
			at = x + c.width - cellPadding
		}
		s.text(at, s.y+14-second/4, c.heading, headStyle(), c.align)
		s.text(at, s.y+14+second, s.other(c.heading), headStyle(), c.align)
		x += c.width
	}
	s.y += headHeight + second
}

// described is a line of a description with its style.
type described struct {
	line    line
	style   style
	leading float64
}

func (s *sheet) row(columns []tableColumn, l invoice.Line) {
	const leading, smallLeading = 11.0, 9.5
	width := columns[1].width - 2*cellPadding
	var text []described
	for _, t := range s.wrap(l.Description, cellStyle(), width) {
		text = append(text, described{t, cellStyle(), leading})
	}
	for _, t := range s.wrap(l.Detail, secondStyle(), width) {
		text = append(text, described{t, secondStyle(), smallLeading})
	}
	for _, kept := range []string{l.Description, l.Detail} {
		for _, t := range s.wrap(s.resaid(kept, subscription.LineTexts()), secondStyle(), width) {
			text = append(text, described{t, secondStyle(), smallLeading})
		}
	}
	height := 0.0
	for _, t := range text {
		height += t.leading
	}
	height = max(height, leading+smallLeading) + 2*rowPadding
	whole := bodyBottom - bodyTop - headHeight - s.room(21)
	if s.y+min(height, whole) > bodyBottom {
		s.newPage()
		s.tableHead(columns)
	}
	s.cells(columns, l)
	s.y += rowPadding
	for _, t := range text {
		if s.need(t.leading + rowPadding) {
			s.tableHead(columns)
			s.y += rowPadding
		}
		s.line(t.line.words, left+columns[0].width+cellPadding, s.y+t.style.size, t.style)
		s.y += t.leading
		height -= t.leading
	}
	s.y += max(height-rowPadding, 0)
	s.rule(left, right, s.y, 0.5, hairline())
}

func (s *sheet) cells(columns []tableColumn, l invoice.Line) {
	x, y := left, s.y+rowPadding+cellStyle().size
	for _, c := range columns {
		at := x + cellPadding
		if c.align == alignRight {
			at = x + c.width - cellPadding
		}
		s.text(at, y, c.main(l), cellStyle(), c.align)
		if c.second != nil {
			s.text(at, y+9.5, c.second(l), secondStyle(), c.align)
		}
		x += c.width
	}
}
