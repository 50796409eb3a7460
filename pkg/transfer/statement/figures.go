package statement

import (
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/sheet"
)

// figureKind is what a bank states about a whole statement.
type figureKind int

const (
	figureNone figureKind = iota
	figureOpening
	figureClosing
	figureIn
	figureOut
	figureTotal // of money in, out or both
	figureIns   // counts
	figureOuts
)

// figure is a sum or a count that a bank states beside the transactions.
type figure struct {
	line  int
	kind  figureKind
	value money.Paise // or a count
}

// The banks' labels in capitals, without currency.
var (
	totalLabel   = regexp.MustCompile(`^(?:SUB|NET|GRAND|PAGE|TRANSACTION|TXN|STATEMENT)?TOTALS?(?:AMOUNTS?|AMT|TRANSACTIONS?)?$`)
	hindiTotal   = regexp.MustCompile(`^(?:कुल|योग|कुल योग)$`)
	openingLabel = regexp.MustCompile(`^OPENINGBAL(?:ANCE)?(?:AMOUNT)?$`)
	closingLabel = regexp.MustCompile(`^CLOSINGBAL(?:ANCE)?(?:AMOUNT)?$`)
	inLabel      = regexp.MustCompile(`^(?:TOTAL)?(?:CREDITS|DEPOSITS)$|^TOTAL(?:CR|CREDIT|DEPOSIT)(?:S|AMOUNT|AMT)?$|^(?:CREDIT|DEPOSIT)TOTAL$`)
	outLabel     = regexp.MustCompile(`^(?:TOTAL)?(?:DEBITS|WITHDRAWALS)$|^TOTAL(?:DR|DEBIT|WITHDRAWAL)(?:S|AMOUNT|AMT)?$|^(?:DEBIT|WITHDRAWAL)TOTAL$`)
	insLabel     = regexp.MustCompile(`^(?:TOTAL)?(?:CR|CREDIT|DEPOSIT)S?COUNT$|^(?:TOTAL)?(?:NUMBER|NO|COUNT)OF(?:CREDIT|DEPOSIT)S?(?:TRANSACTIONS)?$`)
	outsLabel    = regexp.MustCompile(`^(?:TOTAL)?(?:DR|DEBIT|WITHDRAWAL)S?COUNT$|^(?:TOTAL)?(?:NUMBER|NO|COUNT)OF(?:DEBIT|WITHDRAWAL)S?(?:TRANSACTIONS)?$`)
	beginsDigit  = regexp.MustCompile(`^\d`)
)

// figureOf returns the kind that a cell labels, and the value behind a colon in the same cell.
func figureOf(cell string) (kind figureKind, tail string) {
	label, tail, _ := strings.Cut(cell, ":")
	if len(label) > mostLabel {
		return figureNone, ""
	}
	switch word, _ := headingOf(label); {
	case totalLabel.MatchString(word), hindiTotal.MatchString(strings.TrimSpace(label)):
		return figureTotal, tail
	case openingLabel.MatchString(word):
		return figureOpening, tail
	case closingLabel.MatchString(word):
		return figureClosing, tail
	case inLabel.MatchString(word):
		return figureIn, tail
	case outLabel.MatchString(word):
		return figureOut, tail
	case insLabel.MatchString(word):
		return figureIns, tail
	case outsLabel.MatchString(word):
		return figureOuts, tail
	}
	return figureNone, ""
}

// readFigures finds what the bank states about the section: above the headings, in lines without a day, and in its summary. A label
// stands before its value, above it, or in the line of a total.
func (r *reader) readFigures() {
	lines := slices.Concat(r.above, r.lines)
	last := len(r.lines) // a further account's figures may stand behind the last transaction
	for r.further && last > 0 && !sheet.ReadDay(r.cell(r.lines[last-1], ColumnDay)).Known() {
		last--
	}
	for i, line := range lines[:len(r.above)+last] {
		if line.Problem != "" || len(line.Cells) > sheet.MostColumns || r.fits(line) && sheet.ReadDay(r.cell(line, ColumnDay)).Known() {
			continue
		}
		inTable := i >= len(r.above) && r.fits(line)
		for at, cell := range line.Cells {
			kind, tail := figureOf(cell)
			switch {
			case kind == figureNone:
				continue
			case inTable && r.addColumns(line, kind):
				r.labelled[line.Number] = true
			case r.addFigure(line, kind, append([]string{tail}, line.Cells[at+1:]...)):
				r.labelled[line.Number] = true
			default:
				r.addBelow(lines[i+1:], line, kind, at)
			}
			if inTable && kind == figureTotal {
				break
			}
		}
	}
}

// addColumns reads a line of the bank whose values stand in the columns of money. Balances of such a line belong to the chain.
func (r *reader) addColumns(line sheet.Line, kind figureKind) bool {
	if kind == figureOpening || kind == figureClosing {
		_, known := r.balance(line)
		return known
	}
	if kind == figureIns || kind == figureOuts {
		return false
	}
	in, inOK := readSum(r.cell(line, ColumnCredit))
	out, outOK := readSum(r.cell(line, ColumnDebit))
	amount, amountOK := readSum(r.cell(line, ColumnAmount))
	word, _ := wayOf(r.cell(line, ColumnWay))
	before := len(r.figures)
	add := func(kind figureKind, s sum, ok bool) {
		if ok && !s.Empty {
			r.figures = append(r.figures, figure{line.Number, kind, s.Amount})
		}
	}
	if kind == figureTotal || inOK && !in.Empty && outOK && !out.Empty {
		add(figureIn, in, inOK)
		add(figureOut, out, outOK)
	}
	if kind == figureTotal {
		switch max(word, amount.Way) {
		case wayIn:
			kind = figureIn
		case wayOut:
			kind = figureOut
		case wayUnsaid:
		}
		add(kind, amount, amountOK)
	}
	return len(r.figures) > before
}

// addFigure reads the first of some cells that is not empty. It skips a value that a comma without quotes may have split.
func (r *reader) addFigure(line sheet.Line, kind figureKind, cells []string) bool {
	at := slices.IndexFunc(cells, func(cell string) bool { return !isBlank([]string{cell}) })
	if at < 0 {
		return false
	}
	s, ok := readSum(cells[at])
	if !ok || s.Empty || at+1 < len(cells) && beginsDigit.MatchString(cells[at+1]) {
		return false
	}
	if at+1 < len(cells) && s.Way == wayUnsaid {
		s.Way, _ = wayOf(cells[at+1])
	}
	value := s.Amount
	switch {
	case kind == figureIns, kind == figureOuts:
		value /= money.Rupee
	case s.Way == wayOut && (kind == figureOpening || kind == figureClosing):
		value = -value
	}
	r.figures = append(r.figures, figure{line.Number, kind, value})
	return true
}

// addBelow reads the value under a label.
func (r *reader) addBelow(below []sheet.Line, label sheet.Line, kind figureKind, at int) {
	next := slices.IndexFunc(below, func(line sheet.Line) bool { return !isBlank(line.Cells) })
	if next < 0 || len(below[next].Cells) != len(label.Cells) || hasDay(below[next]) {
		return
	}
	if r.addFigure(below[next], kind, below[next].Cells[at:at+1]) {
		r.labelled[label.Number], r.labelled[below[next].Number] = true, true
	}
}

// one returns the value of a kind if the bank states only one.
func (r *reader) one(kind figureKind) (value figure, ok bool) {
	for _, f := range r.figures {
		if f.kind == kind && ok && f.value != value.value {
			return figure{}, false
		}
		if f.kind == kind {
			value, ok = f, true
		}
	}
	return value, ok
}

// tally counts and adds up lines.
type tally struct{ in, out, ins, outs money.Paise }

func (t tally) less(o tally) tally {
	return tally{t.in - o.in, t.out - o.out, t.ins - o.ins, t.outs - o.outs}
}

// has reports whether a figure equals its part of the tally.
func (t tally) has(f figure) bool {
	switch f.kind {
	case figureIn:
		return f.value == t.in
	case figureOut:
		return f.value == t.out
	case figureIns:
		return f.value == t.ins
	case figureOuts:
		return f.value == t.outs
	case figureTotal:
		return slices.Contains([]money.Paise{t.in, t.out, t.in + t.out, (t.in - t.out).Abs()}, f.value)
	case figureNone, figureOpening, figureClosing: // the chain of balances has them
	}
	return true
}

func (t tally) of(kind figureKind) (stated, counted string) {
	switch kind {
	case figureIn:
		return "of money in", t.in.Display()
	case figureOut:
		return "of money out", t.out.Display()
	case figureIns:
		return "credits", strconv.FormatInt(int64(t.ins), 10)
	case figureOuts:
		return "debits", strconv.FormatInt(int64(t.outs), 10)
	default:
		return "in all", (t.in + t.out).Display()
	}
}

// checkFigures compares the bank's totals and counts with the lines: all of them, those up to the figure, those since the same figure of
// an earlier page, or those up to that of the next page. It returns the first that differs.
func (r *reader) checkFigures() (note string) {
	lines, sums := make([]int, 0, len(r.chain)), []tally{{}}
	for _, l := range r.chain {
		t := sums[len(sums)-1]
		switch {
		case l.change > 0:
			t.in, t.ins = t.in+l.change, t.ins+1
		case l.change < 0:
			t.out, t.outs = t.out-l.change, t.outs+1
		}
		lines, sums = append(lines, l.line), append(sums, t)
	}
	upTo := func(line int) tally { return sums[sort.SearchInts(lines, line)] }
	whole, earlier, next := sums[len(sums)-1], map[figureKind]int{}, make([]int, len(r.figures))
	later := map[figureKind]int{}
	for i := len(r.figures) - 1; i >= 0; i-- {
		f := r.figures[i]
		next[i] = later[f.kind]
		later[f.kind] = f.line
	}
	for i, f := range r.figures {
		end := whole
		if next[i] > 0 {
			end = upTo(next[i])
		}
		before := upTo(f.line)
		if !whole.has(f) && !before.has(f) && !before.less(upTo(earlier[f.kind])).has(f) && !end.less(before).has(f) {
			stated, counted := whole.of(f.kind)
			value := f.value.Display()
			if f.kind == figureIns || f.kind == figureOuts {
				value = strconv.FormatInt(int64(f.value), 10)
			}
			return fmt.Sprintf("Line %d states %s %s, but the lines have %s. A line may be missing, or an amount is wrong.", f.line, value, stated, counted)
		}
		earlier[f.kind] = f.line
	}
	return ""
}
