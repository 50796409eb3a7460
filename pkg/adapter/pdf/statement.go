package pdf

import (
	"fmt"

	"github.com/franchise360/franchise360/pkg/bookexport"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// kindStatement is the kind of a statement of account while it is drawn with the parts of a tax document.
const kindStatement invoice.Kind = "statement"

// RenderStatement renders a customer's statement of account: the same bytes for the same one.
func (r *Renderer) RenderStatement(of bookexport.Statement) ([]byte, error) {
	document := invoice.Invoice{
		Kind: kindStatement, Number: of.First.Human() + " to " + of.Last.Human(), IssuedAt: of.At, Supplier: of.Supplier, Recipient: of.Recipient,
	}
	all := texts(document)
	for _, l := range of.Lines {
		all = append(all, l.Description)
	}
	s := newSheet(newSetter(r.library, all), document)
	s.newPage()
	s.strip([]fact{
		{i18n.Mark("From"), dayText(of.First)},
		{i18n.Mark("To"), dayText(of.Last)},
		{i18n.Mark("Opening balance"), s.balance(of.Opening)},
		{i18n.Mark("Closing balance"), s.balance(of.Closing)},
	})
	s.parties()
	s.entries(of)
	body, err := s.bytes()
	if err != nil {
		return nil, fmt.Errorf("pdf: render a statement of account: %w", err)
	}
	return body, nil
}

func dayText(d subscription.Day) string { return day(d.Start()) }

// balance says on which side a balance is.
func (s *sheet) balance(p money.Paise) string {
	switch {
	case p > 0:
		return rupees(p) + " " + s.both("due")
	case p < 0:
		return rupees(-p) + " " + s.both("in credit")
	default:
		return rupees(0)
	}
}

// entryColumns are the columns of a statement; the description gets the remaining width.
func entryColumns() []tableColumn {
	const dayWidth, moneyWidth = 66.0, 84.0
	return []tableColumn{
		{heading: i18n.Mark("Date"), width: dayWidth, align: alignLeft},
		{heading: i18n.Mark("Entry"), width: right - left - dayWidth - 3*moneyWidth, align: alignLeft},
		{heading: i18n.Mark("Charged"), width: moneyWidth, align: alignRight},
		{heading: i18n.Mark("Paid or credited"), width: moneyWidth, align: alignRight},
		{heading: i18n.Mark("Balance"), width: moneyWidth, align: alignRight},
	}
}

func (s *sheet) entries(of bookexport.Statement) {
	columns := entryColumns()
	note, plain := i18n.Mark("Amounts in Indian rupees (₹). A negative balance is in the customer's favour."), style{regular, 7, muted()}
	s.text(right, s.y+2, note, plain, alignRight)
	s.text(right, s.y+2+s.room(9), s.other(note), plain, alignRight)
	s.y += 7 + s.room(9)
	s.tableHead(columns)
	s.entry(columns, [5]string{dayText(of.First), s.both("Opening balance"), "", "", grouped(of.Opening)}, bold)
	for _, l := range of.Lines {
		s.entry(columns, [5]string{day(l.At), l.Description + prefixed(" / ", s.resaid(l.Description, ledger.EntryTexts())), some(l.Charge), some(l.Credit), grouped(l.Balance)}, regular)
	}
	s.entry(columns, [5]string{dayText(of.Last), s.both("Closing balance"), "", "", grouped(of.Closing)}, bold)
	s.y += 12
	s.twice(left, right-left, i18n.Mark("Please tell us within 30 days if an entry is not what you expect."), style{regular, 8, muted()}, 11)
}

// some writes an amount, nothing for zero.
func some(p money.Paise) string {
	if p == 0 {
		return ""
	}
	return p.Grouped()
}

// grouped writes an amount with a minus sign of its width.
func grouped(p money.Paise) string {
	if p < 0 {
		return "−" + p.Abs().Grouped()
	}
	return p.Grouped()
}

func (s *sheet) entry(columns []tableColumn, cells [5]string, w weight) {
	const leading = 11.0
	st := style{w, 8.5, ink()}
	text := s.wrap(cells[1], st, columns[1].width-2*cellPadding)
	if s.need(float64(len(text))*leading + 2*rowPadding) {
		s.tableHead(columns)
	}
	x, y := left, s.y+rowPadding+st.size
	for i, c := range columns {
		if i != 1 {
			at := x + cellPadding
			if c.align == alignRight {
				at = x + c.width - cellPadding
			}
			s.text(at, y, cells[i], st, c.align)
		}
		x += c.width
	}
	for n, l := range text {
		s.line(l.words, left+columns[0].width+cellPadding, y+float64(n)*leading, st)
	}
	s.y += float64(max(len(text), 1))*leading + 2*rowPadding
	s.rule(left, right, s.y, 0.5, hairline())
}

var _ bookexport.Renderer = (*Renderer)(nil)
