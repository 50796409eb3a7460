package statement

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/sheet"
	"github.com/franchise360/franchise360/pkg/transfer/utr"
)

const (
	problemSection = "The headings of this part of the file are not understood. Save this part as a file of its own, and choose its columns."
	problemAbove   = "This line stands above the headings."
)

// section is the lines below one line of headings. Unread means that its headings are not understood.
type section struct {
	head    sheet.Line
	columns []Column
	bank    string
	order   sheet.DayOrder
	unread  bool
	lines   []sheet.Line
	// above are the lines above the first headings. further means that another section follows.
	above   []sheet.Line
	further bool
}

// sections splits a file at each line of different headings, because another account may order its columns differently. The same headings
// begin another page. Transactions above the first headings become lines with a problem.
func (d describer) sections(s *Statement, lines []sheet.Line, at int) []section {
	above := section{head: lines[at], columns: make([]Column, len(lines[at].Cells)), unread: true}
	for _, line := range lines[:at] {
		if hasDay(line) && namesTransfer(line) {
			above.lines = append(above.lines, line)
		}
	}
	list := []section{{head: lines[at], columns: s.Layout.Columns, bank: s.Bank, order: s.Layout.Order, above: lines[:at]}}
	words := headingWords(lines[at])
	for _, line := range lines[at+1:] {
		last := &list[len(list)-1]
		found, isHead := d.headings(line, words)
		switch {
		case !isHead:
			last.lines = append(last.lines, line)
		case slices.Equal(found, words) && statedOrder(line) == statedOrder(last.head): // a further page
		default:
			under, ok := d.layoutOf(line)
			words = found
			last.further = true
			list = append(list, section{
				head: line, columns: under.Layout.Columns, bank: under.Bank, order: under.Layout.Order, unread: !ok, lines: nil,
			})
		}
	}
	if len(above.lines) > 0 {
		list = append(list, above)
	}
	return list
}

// headingWords returns the headings of a line for comparison, without trailing empty cells.
func headingWords(line sheet.Line) []string {
	words := make([]string, 0, len(line.Cells))
	for _, cell := range line.Cells {
		words = append(words, headingWord(cell))
	}
	for len(words) > 0 && words[len(words)-1] == "" {
		words = words[:len(words)-1]
	}
	return words
}

// headings returns the words of a line of headings. Such a line has a day and two more known columns, or repeats most of the section's
// headings.
func (d describer) headings(line sheet.Line, current []string) (words []string, ok bool) {
	if !mayBeHeadings(line) || hasDay(line) {
		return nil, false
	}
	words = headingWords(line)
	known, shared, filled, day := 0, 0, 0, false
	for _, word := range words {
		if word == "" {
			continue
		}
		filled++
		if slices.Contains(current, word) {
			shared++
		}
		switch d.means[word] {
		case ColumnUnknown, ColumnIgnored:
		case ColumnDay, ColumnValueDay:
			known, day = known+1, true
		default:
			known++
		}
	}
	return words, day && known >= 3 || filled >= 3 && 2*shared > filled
}

// statedOrder returns the day order that the headings state.
func statedOrder(line sheet.Line) sheet.DayOrder {
	for _, cell := range line.Cells {
		if _, order := headingOf(cell); order != sheet.OrderUnknown {
			return order
		}
	}
	return sheet.OrderUnknown
}

// newReader prepares to read a section.
func newReader(s *Statement, part section, now time.Time) *reader {
	r := &reader{
		Statement: s, section: part, now: now, order: part.order, width: len(part.head.Cells), from: len(s.Rows),
		shown: map[int]bool{}, proven: map[int]bool{}, labelled: map[int]bool{},
	}
	filled := r.width
	for filled > 0 && part.head.Cells[filled-1] == "" && part.columns[filled-1] == ColumnIgnored {
		filled-- // padding by a spreadsheet
	}
	short := func(line sheet.Line) bool { return len(line.Cells) == filled && hasDay(line) }
	if slices.ContainsFunc(part.lines, short) { // the lines are not padded
		r.width = filled
	}
	return r
}

// readSection reads the lines of a section. The first section's day order becomes the layout's.
func (r *reader) readSection(first bool) {
	if !r.unread {
		r.decideOrder()
		r.readFigures()
	}
	if first {
		r.Layout.Order = r.order
	}
	for _, line := range r.lines {
		r.read(line)
	}
	r.checkBalances()
}

// readUnread reads a line under headings that are not understood. A possible transaction is a problem.
func (r *reader) readUnread(line sheet.Line) {
	switch {
	case line.Problem == "" && !hasDay(line) && !r.likeTransaction(line):
	case line.Number < r.head.Number:
		r.spoil(line, problemAbove)
	default:
		r.spoil(line, problemSection)
	}
}

// likeDay is a day that a person would recognise, with letters for digits or with quotes around it.
var likeDay = regexp.MustCompile(`^\W*[0-9OoIlSB]{1,4}[-/. ][0-9A-Za-z]{1,9}[-/., ]+[0-9OoIlSB]{1,4}\b`)

// likeTransaction reports whether a line without a readable day may be a transaction: a cell resembles a day, a word has the form of a
// UTR, or both the day's and an amount's cell are filled.
func (r *reader) likeTransaction(line sheet.Line) bool {
	for _, cell := range line.Cells[:min(len(line.Cells), sheet.MostColumns)] {
		if len(cell) <= mostLabel && likeDay.MatchString(cell) {
			return true
		}
	}
	if namesTransfer(line) {
		return true
	}
	moved := strings.Join(append(r.cells(line, ColumnCredit), append(r.cells(line, ColumnDebit), r.cells(line, ColumnAmount)...)...), "")
	return !r.unread && !r.summary && !r.labelled[line.Number] && sumLabel(line.Cells) == "" && r.fits(line) && !isBlank([]string{r.cell(line, ColumnDay)}) && !isBlank([]string{moved})
}

// namesTransfer reports whether a line contains a word with the form of a NEFT or RTGS UTR.
func namesTransfer(line sheet.Line) bool {
	return slices.ContainsFunc(line.Cells[:min(len(line.Cells), sheet.MostColumns)], utr.NamesUTR)
}

// hasDay reports whether a cell of a line is a day.
func hasDay(line sheet.Line) bool {
	return slices.ContainsFunc(line.Cells[:min(len(line.Cells), sheet.MostColumns)], func(cell string) bool { return sheet.ReadDay(cell).Known() })
}
