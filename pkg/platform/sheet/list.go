package sheet

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Field is a column that a list may have.
type Field struct {
	Name string
	// Heading matches the words of the column's heading. Else matches headings that mean the field only if no other column has it.
	Heading, Else *regexp.Regexp
	// Many means that several columns together are the field, such as the lines of an address.
	Many bool
	// Digits means that a column without any digit is not the field, whatever its heading says.
	Digits bool
}

// Headings returns an expression that matches a heading with one of the phrases.
func Headings(phrases string) *regexp.Regexp {
	return regexp.MustCompile(`(?:^| )(?:` + norm.NFC.String(phrases) + `)(?: |$)`)
}

// Named reports whether a heading has one of the phrases.
func Named(phrases, heading string) bool { return Headings(phrases).MatchString(words(heading)) }

// Ignored is the name of a field whose columns are not needed.
const Ignored = "ignored"

// List is a sheet with its columns.
type List struct {
	// Line is the line of the headings, 0 for a sheet without headings.
	Line     int
	Headings []string
	// Columns has the field of each column, empty for an unknown heading.
	Columns []string
	Rows    []Line
	// Left are the lines that are no rows: sums, notes and repeated headings.
	Left []Line
}

// mostTitles is the most lines above the headings.
const mostTitles = 100

// ReadList finds the headings and the rows. It prefers the columns that a person chose, in chosen and line, to its own.
func ReadList(text string, fields []Field, chosen []string, line int) List {
	rows := Rows(text)
	var best List
	var comma byte
	score := -1
	for _, c := range Separators() {
		for _, l := range Split(rows, c, mostTitles) {
			if len(l.Cells) > MostColumns || l.Problem != "" {
				continue
			}
			columns := Columns(fields, l.Cells)
			n := known(columns)
			switch {
			case chosen != nil && len(l.Cells) == len(chosen) && (l.Number == line || line == 0):
				n += 10_000
			case n < 2:
				n, columns = 0, make([]string, len(l.Cells))
			}
			if s := n*1000 + len(l.Cells); s > score {
				score, comma = s, c
				best = List{Line: l.Number, Headings: l.Cells, Columns: columns}
				if n == 0 {
					best.Line = 0
				}
			}
		}
	}
	if score < 0 {
		return List{}
	}
	if chosen != nil && len(chosen) == len(best.Columns) {
		best.Columns, best.Line = chosen, line
	}
	lines := Split(rows, comma, len(rows))
	if chosen == nil && best.Line > 0 {
		best.Columns = Columns(fields, best.withoutNames(fields, lines))
	}
	for _, l := range lines {
		if l.Number > best.Line && filledCells(l.Cells) > 0 {
			best.add(l)
		}
	}
	return best
}

// withoutNames returns the headings. Those of columns that can be no number are empty: below "Contact" may stand people. A destroyed
// value may have been a number.
func (l List) withoutNames(fields []Field, lines []Line) []string {
	headings := slices.Clone(l.Headings)
	for i, column := range l.Columns {
		if !slices.ContainsFunc(fields, func(f Field) bool { return f.Digits && f.Name == column }) {
			continue
		}
		filled, digits := false, false
		for _, line := range lines {
			if line.Number > l.Line && i < len(line.Cells) && line.Cells[i] != "" {
				filled, digits = true, digits || strings.ContainsFunc(line.Cells[i], unicode.IsDigit) || Damage(line.Cells[i]) != ""
			}
		}
		if filled && !digits {
			headings[i] = ""
		}
	}
	return headings
}

// known counts the columns with a field.
func known(columns []string) int {
	n := 0
	for _, c := range columns {
		if c != "" && c != Ignored {
			n++
		}
	}
	return n
}

// Has reports whether a column has the field.
func (l List) Has(field string) bool {
	return slices.Contains(l.Columns, field)
}

// Cell returns the text of a line in the columns of a field. Several columns are joined by commas.
func (l List) Cell(line Line, field string) string {
	var parts []string
	for i, c := range l.Columns {
		if c == field && i < len(line.Cells) && line.Cells[i] != "" {
			parts = append(parts, strings.Trim(line.Cells[i], ", "))
		}
	}
	return strings.Join(parts, ", ")
}

// sums matches how sums and signatures below a list begin.
var sums = regexp.MustCompile(`^(?:grand |sub )?(?:total|totals|subtotal)(?: |$)|^(?:कुल|योग|जोड़|सर्वयोग)(?: |$)|^(?:prepared|checked|verified|approved|compiled) by(?: |$)`)

// add adds a line to the rows or to those that are none.
func (l *List) add(line Line) {
	filled, first := 0, ""
	for i, cell := range line.Cells {
		if first == "" && strings.ContainsFunc(cell, unicode.IsLetter) { // behind a serial number
			first = cell
		}
		if cell != "" && (i >= len(l.Columns) || l.Columns[i] != Ignored) {
			filled++
		}
	}
	wide := known(l.Columns) > 2
	switch {
	case filled == 0,
		wide && filled == 1,
		wide && filled <= max(2, len(l.Columns)/3) && sums.MatchString(norm.NFC.String(words(first))),
		l.Line > 0 && strings.EqualFold(strings.Join(line.Cells, "|"), strings.Join(l.Headings, "|")):
		l.Left = append(l.Left, line)
	default:
		l.Rows = append(l.Rows, line)
	}
}

// Columns returns the field of each heading. The first field in the list whose heading matches wins.
func Columns(fields []Field, headings []string) []string {
	columns := make([]string, len(headings))
	taken := map[string]bool{}
	for _, second := range []bool{false, true} {
		for i, heading := range headings {
			name := words(heading)
			if columns[i] != "" || name == "" {
				continue
			}
			for _, f := range fields {
				expression := f.Heading
				if second {
					expression = f.Else
				}
				if expression == nil || !expression.MatchString(name) {
					continue
				}
				if !taken[f.Name] || f.Many {
					columns[i], taken[f.Name] = f.Name, true
				} else if second {
					continue // "Location" is the address if another column is the name
				}
				break
			}
		}
	}
	return columns
}

// words returns the words of a heading in lower case, with single spaces.
func words(heading string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(norm.NFC.String(heading)), func(r rune) bool {
		return !unicode.In(r, unicode.L, unicode.M, unicode.Nd)
	}), " ")
}
