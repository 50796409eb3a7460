// Package statement reads the credits in the statements that banks export.
package statement

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/sheet"
	"github.com/franchise360/franchise360/pkg/transfer/match"
	"github.com/franchise360/franchise360/pkg/transfer/utr"
)

// Layout assigns a statement's columns. Line is the line of the headings, 0 for the line whose headings match a remembered layout.
type Layout struct {
	Line    int            `json:"line"`
	Columns []Column       `json:"columns"`
	Order   sheet.DayOrder `json:"day_order"`
}

// mostHeadings limits the characters of the key of a remembered line of headings.
const mostHeadings = 4000

// check refuses columns that make no statement, and headings that give no usable key.
func (l Layout) check(head []string) error {
	key := HeadingsKey(head)
	switch {
	case !complete(l.Columns):
		return badColumns("Choose one column for the day, one for money in (or one for amounts and their direction), and one for the UTR or the narration.")
	case key == "":
		return badColumns("This line has no headings. Choose the line with the names of the columns.")
	case len(l.Columns) > sheet.MostColumns || utf8.RuneCountInString(key) > mostHeadings:
		return badColumns("The line of headings is too long. Choose the line with the names of the columns.")
	}
	return nil
}

// Asks is the question that a person must answer before the reader can read a file.
type Asks string

// The questions.
const (
	AsksNothing  Asks = ""
	AsksColumns  Asks = "columns"
	AsksDayOrder Asks = "day_order"
)

// Row is a credit of a bank statement, or a line that could not be read. Problem says why it cannot be imported. Known means
// that its UTR is already booked.
type Row struct {
	Line      int
	UTR       string
	Amount    money.Paise
	PaidAt    time.Time
	PayerName string
	Narration string
	Problem   string
	Known     bool
	// Dismissed means that a credit with this UTR was dismissed before: it is imported only if a person selects it.
	Dismissed bool
	// ReturnedBy is the line of the same file that takes the money out again, 0 if none. Such a credit has no proposals.
	ReturnedBy int
	// Proposals are the bills that it may pay.
	Proposals []match.Proposal
}

// Statement is the content of a file as far as it could be read.
type Statement struct {
	// Bank is the bank whose description matched. It is empty if the headings or a person determined the columns.
	Bank string
	// Remembered means that a person chose the columns for an earlier file.
	Remembered bool
	// Choice identifies the columns that the person chose for this file, to be remembered with the import. It is empty if the person chose
	// none, or if balances or sums contradict them.
	Choice   string
	Asks     Asks
	Headings []string
	Layout   Layout
	// Sample has the lines around the headings, so that a person can recognise the columns.
	Sample []SampleLine
	Rows   []Row
	// Lines counts the transactions, Debits those that are money out.
	Lines, Debits int
	// Notes describe problems of the whole file.
	Notes []string
	// asked means that a person chose the order of days for this file. Chosen means that only a person's choice, now or before, decided it.
	asked, Chosen bool
	// Contradicted means that a balance, a sum or a direction in the file contradicts the columns.
	Contradicted bool
	// outgoing are the lines of money out.
	outgoing []outgoing
}

// SampleLine is one of the first lines of a file.
type SampleLine struct {
	Line  int
	Cells []string
}

// The limits of one file. A person can check only a limited number of credits at a time; the limits of bytes and lines bound memory.
const (
	MaxStatementBytes = sheet.MaxBytes
	maxStatementLines = sheet.MaxLines
	MaxStatement      = 200
)

func badFile(text string) error { return errs.Invalid(text).Field("file", text) }

func badColumns(text string) error { return errs.Invalid(text).Field("columns", text) }

// mostPreamble is the most lines about the account and its holder above the headings. sampleAbove and sampleBelow limit the sample around
// the headings.
const (
	mostPreamble = 100
	sampleAbove  = 10
	sampleBelow  = 7
	mostProblems = 200
)

// Read reads the credits of a file. It takes the columns from asked, from a bank's description, from remembered by the headings,
// or from unambiguous headings. Otherwise Asks is set. It reads a line only if it understands every cell.
func Read(file []byte, asked *Layout, remembered func(key string) (Layout, bool), now time.Time) (Statement, error) {
	if len(file) > MaxStatementBytes {
		return Statement{}, badFile("The file is larger than 10 MB. Export fewer days.")
	}
	text, err := sheet.Text(file)
	if err != nil {
		return Statement{}, err
	}
	rows := sheet.Rows(text)
	if len(rows)-1 > maxStatementLines {
		return Statement{}, badFile("The file has more than 20,000 lines. Export fewer days.")
	}
	if strings.TrimSpace(text) == "" {
		return Statement{}, badFile("The file is empty.")
	}
	d := describer{rows: rows, asked: asked, remembered: remembered, means: headingMeans()}
	s, lines, at, err := d.describe()
	if err != nil || s.Asks == AsksColumns {
		return s, err
	}
	s.Sample = sampleOf(lines, at)
	spoiled := 0
	for i, part := range d.sections(&s, lines, at) {
		r := newReader(&s, part, now)
		r.readSection(i == 0)
		spoiled += r.spoiled
	}
	slices.SortStableFunc(s.Rows, func(a, b Row) int { return cmp.Compare(a.Line, b.Line) })
	s.markReturned()
	return s, s.limit(spoiled)
}

// describer finds the lines of headings and their columns.
type describer struct {
	rows       []string
	asked      *Layout
	remembered func(key string) (Layout, bool)
	means      map[string]Column
}

// describe finds the first line of headings and its columns.
func (d describer) describe() (s Statement, lines []sheet.Line, at int, err error) {
	var best []sheet.Line
	bestAt, bestKnown := -1, 1
	for _, comma := range sheet.Separators() {
		lines := sheet.Split(d.rows, comma, mostPreamble+sampleBelow)
		for i, line := range lines[:min(len(lines), mostPreamble)] {
			if d.asked != nil && d.asked.Line > 0 {
				if line.Number == d.asked.Line && len(line.Cells) == len(d.asked.Columns) && len(line.Cells) > 1 {
					if err := d.asked.check(line.Cells); err != nil {
						return s, nil, 0, err
					}
					return Statement{Headings: line.Cells, Layout: *d.asked, asked: d.asked.Order != sheet.OrderUnknown}, sheet.Split(d.rows, comma, len(d.rows)), i, nil
				}
				continue
			}
			if !mayBeHeadings(line) {
				continue
			}
			s, ok := d.layoutOf(line)
			if ok {
				return s, sheet.Split(d.rows, comma, len(d.rows)), i, nil
			}
			columns := s.Layout.Columns
			if known := len(columns) - count(columns, ColumnUnknown) - count(columns, ColumnIgnored); known > bestKnown {
				best, bestAt, bestKnown = lines, i, known
			}
		}
	}
	if d.asked != nil && d.asked.Line > 0 {
		return s, nil, 0, badColumns("The line of headings has another number of columns. Choose the columns again.")
	}
	s.Asks = AsksColumns
	if bestAt < 0 {
		best, bestAt = d.widest()
	}
	if bestAt < 0 {
		return s, nil, 0, badFile("No line of this file has columns. Save the statement as CSV or as an Excel workbook.")
	}
	columns, _ := columnsOf(d.means, best[bestAt].Cells)
	s.Headings, s.Layout = best[bestAt].Cells, Layout{Line: best[bestAt].Number, Columns: columns}
	s.Sample = sampleOf(best, bestAt)
	return s, nil, 0, nil
}

// mayBeHeadings reports whether a line is short enough for headings and has at least three cells.
func mayBeHeadings(line sheet.Line) bool {
	size := 0
	for _, cell := range line.Cells {
		size += len(cell)
	}
	return line.Problem == "" && len(line.Cells) >= 3 && len(line.Cells) <= sheet.MostColumns && size <= mostHeadings
}

// layoutOf returns the columns of a line of headings: from a bank's description, from a person's earlier choice, or from known headings.
func (d describer) layoutOf(line sheet.Line) (s Statement, ok bool) {
	columns, ok := columnsOf(d.means, line.Cells)
	s = Statement{Headings: line.Cells, Layout: Layout{Line: line.Number, Columns: columns}}
	if b, found := bankOf(line.Cells); found && ok {
		s.Bank = b.Name
	} else if kept, found := d.remembered(HeadingsKey(line.Cells)); found && len(kept.Columns) == len(columns) && complete(kept.Columns) {
		s.Remembered, s.Layout.Columns, s.Layout.Order, ok = true, kept.Columns, kept.Order, true
	}
	if d.asked != nil { // the person chose the order of days
		s.Layout.Order, s.asked = d.asked.Order, d.asked.Order != sheet.OrderUnknown
	}
	return s, ok
}

// sampleOf returns the lines around the headings for the sample.
func sampleOf(lines []sheet.Line, at int) []SampleLine {
	list := []SampleLine{}
	for _, line := range lines[max(0, at-sampleAbove):min(len(lines), at+sampleBelow)] {
		if len(line.Cells) > 1 {
			list = append(list, SampleLine{line.Number, line.Cells[:min(len(line.Cells), sheet.MostColumns)]})
		}
	}
	return list
}

// widest returns the first line with the most cells, and the lines split with its separator.
func (d describer) widest() (lines []sheet.Line, at int) {
	at = -1
	for _, comma := range sheet.Separators() {
		split := sheet.Split(d.rows, comma, mostPreamble+sampleBelow)
		for i, line := range split[:min(len(split), mostPreamble)] {
			if len(line.Cells) > 2 && len(line.Cells) <= sheet.MostColumns && (at < 0 || len(line.Cells) > len(lines[at].Cells)) {
				lines, at = split, i
			}
		}
	}
	return lines, at
}

func count(columns []Column, of Column) int {
	n := 0
	for _, column := range columns {
		if column == of {
			n++
		}
	}
	return n
}

// reader reads the lines of one section.
type reader struct {
	*Statement
	section

	now   time.Time
	width int
	order sheet.DayOrder
	// mixed means that some days can only be day first and others only month first; open that no day decides the order.
	mixed, open bool
	// refused means that the file denies the order that a person chose now.
	refused bool
	// moving are the lines that are transactions. yearFirst and yearLast say where years of two digits stand.
	moving              []sheet.Line
	yearFirst, yearLast bool
	// summary means that the bank's summary has begun.
	summary bool
	chain   []link
	// figures are what the bank states about the section; labelled are the lines with them.
	figures  []figure
	labelled map[int]bool
	spoiled  int
	// from is the first row of this section. Shown lines have a row; the balances of proven lines follow from the previous line.
	from          int
	shown, proven map[int]bool
}

// link is a line in the chain of balances. Change is the amount that it adds to the balance.
type link struct {
	line    int
	row     int // index in Rows, or -1
	day     time.Time
	change  money.Paise
	balance money.Paise
	known   bool // the balance was read
	read    bool // the change was read
	cut     bool // a comma may have split one sum into the amount and the next cell
}

func (r *reader) cell(line sheet.Line, of Column) string {
	for i, column := range r.columns {
		if column == of && i < len(line.Cells) {
			return line.Cells[i]
		}
	}
	return ""
}

func (r *reader) cells(line sheet.Line, of Column) (list []string) {
	for i, column := range r.columns {
		if column == of && i < len(line.Cells) && line.Cells[i] != "" {
			list = append(list, line.Cells[i])
		}
	}
	return list
}

// sumLabel returns a bank's label for a sum or a balance line, empty for other lines.
func sumLabel(cells []string) string {
	for _, cell := range cells {
		text := utr.Plain(cell)
		if strings.HasPrefix(text, "OPENINGBAL") || strings.HasPrefix(text, "CLOSINGBAL") {
			return text[:len("OPENINGBAL")]
		}
		if slices.Contains([]string{"BROUGHTFORWARD", "CARRIEDFORWARD", "BF", "CF"}, text) {
			return text
		}
		if kind, _ := figureOf(cell); kind == figureTotal {
			return "TOTAL"
		}
	}
	return ""
}

// beginsSummary reports whether a line begins the bank's summary, whose sums are not transactions. The title is the line's only text.
func beginsSummary(cells []string) bool {
	title := ""
	for _, cell := range cells {
		switch {
		case isBlank([]string{cell}):
		case title != "":
			return false
		default:
			title = utr.Plain(cell)
		}
	}
	return title != "" && slices.ContainsFunc([]string{"STATEMENTSUMMARY", "ACCOUNTSUMMARY", "ENDOFSTATEMENT", "LEGENDS"}, func(s string) bool {
		return strings.HasPrefix(title, s)
	})
}

// read reads one line: a transaction, another line, or a line with a problem.
func (r *reader) read(line sheet.Line) {
	day := sheet.ReadDay(r.cell(line, ColumnDay))
	switch {
	case line.Problem == "" && isBlank(line.Cells):
		return
	case !day.Known() && beginsSummary(line.Cells):
		r.summary = true
		return
	case r.unread:
		r.readUnread(line)
		return
	}
	if !day.Known() || line.Problem != "" || !r.fits(line) {
		r.readOther(line, day.Known())
		return
	}
	r.summary = false
	r.readTransaction(line, day)
}

// fits reports whether a line has as many cells as there are headings. An extra empty cell may come from an unquoted comma in a text,
// which shifts all later cells under wrong headings.
func (r *reader) fits(line sheet.Line) bool { return len(line.Cells) == r.width }

func isBlank(cells []string) bool {
	return !slices.ContainsFunc(cells, func(cell string) bool { return strings.Trim(cell, "*-=_~. ") != "" })
}

// readOther reads a line without a day, or with the wrong number of cells. Text and sums are not transactions. A possible transaction is
// a problem.
func (r *reader) readOther(line sheet.Line, dated bool) {
	like := r.likeTransaction(line)
	label := sumLabel(line.Cells)
	if (label != "" || r.labelled[line.Number]) && !dated && !like && line.Problem == "" {
		r.readSum(line, label)
		return
	}
	anyDay, anySum := hasDay(line), false
	for _, cell := range line.Cells[:min(len(line.Cells), sheet.MostColumns)] {
		s, ok := readSum(cell)
		anySum = anySum || ok && s.Amount > 0
	}
	switch {
	case line.Problem == sheet.ProblemCells:
		r.spoil(line, line.Problem)
	case !dated && !like && !anyDay && (r.summary || !anySum):
		return // text, or figures of the bank's summary
	case line.Problem != "":
		r.spoil(line, line.Problem)
	case len(line.Cells) > r.width:
		r.spoil(line, "This line has more cells than the headings. A comma may stand in a text or an amount without quotes.")
	case len(line.Cells) < r.width:
		r.spoil(line, "This line has fewer cells than the headings.")
	default:
		r.spoil(line, "The day of this line is not understood.")
	}
}

// readSum reads a line with a sum of the bank: an opening balance begins the chain, a closing balance ends it.
func (r *reader) readSum(line sheet.Line, label string) {
	if !r.fits(line) || r.summary {
		return
	}
	if label == "OPENINGBAL" || label == "CLOSINGBAL" || label == "BROUGHTFORWARD" || label == "BF" {
		if balance, ok := r.balance(line); ok {
			r.chain = append(r.chain, link{line: line.Number, row: -1, balance: balance, known: true, read: true})
		}
		return
	}
}

// spoil stores a line that could not be read.
func (r *reader) spoil(line sheet.Line, problem string) {
	r.spoiled++
	r.shown[line.Number] = true
	r.chain = append(r.chain, link{line: line.Number, row: len(r.Rows)})
	row := Row{Line: line.Number, Problem: problem, Narration: strings.Join(line.Cells, " ")}
	r.Rows = append(r.Rows, row.tidy())
}

func (r *reader) balance(line sheet.Line) (money.Paise, bool) {
	s, ok := readSum(r.cell(line, ColumnBalance))
	if !ok || s.Empty {
		return 0, false
	}
	if word, ok := wayOf(r.cell(line, ColumnBalanceWay)); ok && s.Way == wayUnsaid {
		s.Way = word
	}
	if s.Way == wayOut {
		return -s.Amount, true
	}
	return s.Amount, true
}

// change reads the amount that a line adds to the account, or returns a problem.
func (r *reader) change(line sheet.Line) (amount money.Paise, problem string) {
	const notUnderstood = "The amount is not a sum in rupees."
	if slices.Contains(r.columns, ColumnAmount) {
		return r.signed(line)
	}
	in, ok := readSum(r.cell(line, ColumnCredit))
	if !ok {
		return 0, notUnderstood
	}
	out, ok := readSum(r.cell(line, ColumnDebit))
	said, _ := wayOf(r.cell(line, ColumnWay))
	switch {
	case !ok:
		return 0, notUnderstood
	case said == wayOut && in.Amount > 0 && in.Way != wayOut, said == wayIn && out.Amount > 0:
		return 0, problemWays
	case in.Amount > 0 && out.Amount > 0:
		return 0, "This line has both money in and money out."
	case out.Amount > 0 && out.Way == wayIn:
		return 0, problemWayOut
	case out.Amount > 0:
		return -out.Amount, ""
	case in.Amount > 0 && in.Way == wayOut:
		return -in.Amount, ""
	case in.Amount == 0 && slices.Contains(r.columns, ColumnDebit) && !r.movesNothing(line, in.Empty && out.Empty):
		return 0, problemNoAmount
	}
	return in.Amount, ""
}

const (
	problemNoAmount = "This line has no amount."
	problemWayOut   = "The column for money out says that this was money in."
	problemWays     = "The amount and the column beside it differ on whether this was money in or out."
)

// movesNothing reports whether a line without an amount moved no money: it is a sum of the bank, it leaves the balance unchanged, or it
// states zero in a file without balances.
func (r *reader) movesNothing(line sheet.Line, empty bool) bool {
	if sumLabel(line.Cells) != "" {
		return true
	}
	balance, ok := r.balance(line)
	if !ok {
		return !empty
	}
	return len(r.chain) > 0 && r.chain[len(r.chain)-1].known && r.chain[len(r.chain)-1].balance == balance
}

// signed reads a column for both directions. A sign, a word next to the amount, or a separate column gives the direction.
func (r *reader) signed(line sheet.Line) (money.Paise, string) {
	s, ok := readSum(r.cell(line, ColumnAmount))
	if !ok {
		return 0, "The amount is not a sum in rupees."
	}
	word, ok := wayOf(r.cell(line, ColumnWay))
	switch {
	case !ok:
		return 0, "The word for money in or out is not understood."
	case s.Amount == 0 && !r.movesNothing(line, s.Empty):
		return 0, problemNoAmount
	case s.Amount == 0:
		return 0, ""
	case word != wayUnsaid && s.Way != wayUnsaid && word != s.Way:
		return 0, problemWays
	case word == wayUnsaid && s.Way == wayUnsaid:
		return 0, "Nothing says whether this was money in or out."
	case cmp.Or(word, s.Way) == wayOut:
		return -s.Amount, ""
	}
	return s.Amount, ""
}

// readTransaction reads a line with a day.
func (r *reader) readTransaction(line sheet.Line, day sheet.Day) {
	r.Lines++
	change, problem := r.change(line)
	r.Contradicted = r.Contradicted || problem == problemWays || problem == problemWayOut
	balance, known := r.balance(line)
	if said := r.cell(line, ColumnBalance); problem == "" && !known && strings.Trim(said, "- ") != "" {
		problem = "The balance is not a sum in rupees."
	}
	for i, column := range r.columns {
		if i < len(line.Cells) && column == ColumnIgnored && strings.TrimSpace(r.head.Cells[i]) == "" && line.Cells[i] != "" && problem == "" {
			problem = "A cell of this line stands under no heading."
		}
	}
	for _, cell := range r.cells(line, ColumnValueDay) {
		if problem == "" && !isBlank([]string{cell}) && !sheet.ReadDay(cell).Exists() {
			problem = "The value date is not understood."
		}
	}
	paidAt, _ := r.dayOf(day)
	at := link{line: line.Number, row: -1, day: paidAt, change: change, balance: balance, known: known, read: problem == "", cut: r.mayBeCut(line)}
	defer func() { r.chain = append(r.chain, at) }()
	if problem == "" && change <= 0 {
		if change < 0 {
			r.Debits++
			r.readOutgoing(line, paidAt, -change)
		}
		return
	}
	row := Row{Line: line.Number, Amount: max(change, 0), Narration: strings.Join(r.cells(line, ColumnNarration), " "), PayerName: r.cell(line, ColumnPayer), Problem: problem}
	var ok bool
	if row.PaidAt, ok = r.dayOf(day); !ok && row.Problem == "" {
		row.Problem = r.dayProblem(day)
	}
	if found, _ := r.evidenceOf(line, r.order); row.Problem == "" && found > namesThis {
		row.Problem = problemEvidence
	}
	utr, problem := utr.NumberOf(r.references(line), row.Narration, row.PaidAt)
	row.UTR, row.Problem = utr, cmp.Or(row.Problem, problem)
	row = row.Checked(r.now)
	at.row = len(r.Rows)
	r.shown[line.Number] = true
	r.Rows = append(r.Rows, row)
}

// mayBeCut reports whether an amount and the next cell form one sum when joined by a comma, such as 1,180 without quotes.
func (r *reader) mayBeCut(line sheet.Line) bool {
	for i, column := range r.columns[:max(r.width-1, 0)] {
		if column != ColumnCredit && column != ColumnDebit && column != ColumnAmount {
			continue
		}
		joined := line.Cells[i] + "," + line.Cells[i+1]
		if indianSum.MatchString(joined) || otherSum.MatchString(joined) {
			return true
		}
	}
	return false
}

// references returns the cells that may contain the UTR.
func (r *reader) references(line sheet.Line) []string {
	return slices.DeleteFunc(r.cells(line, ColumnReference), dashes.MatchString)
}

// limit refuses more credits than a person can check at once, and truncates the list of unreadable lines.
func (s *Statement) limit(spoiled int) error {
	if len(s.Rows)-spoiled > MaxStatement {
		return badFile("The file has more than 200 credits. Export fewer days.")
	}
	if spoiled > mostProblems {
		s.Rows = s.Rows[:min(len(s.Rows), MaxStatement+mostProblems)]
		s.Notes = append(s.Notes, "Many lines of this file could not be read. Only the first are shown.")
	}
	return nil
}
