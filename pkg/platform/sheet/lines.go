package sheet

import (
	"slices"
	"strings"
)

// Line is one line of a sheet, split into cells. Problem says why the line could not be split.
type Line struct {
	Number  int
	Cells   []string
	Problem string
}

// mostLineBreaks is the most line breaks in a quoted cell. Banks break narrations, and addresses have several lines; a longer cell has an unclosed quote. mostCells limits
// the memory of a line.
const mostLineBreaks, mostCells = 5, 1000

// MostColumns is the most columns of a list.
const MostColumns = 100

// ProblemCells is the problem of a line with too many cells.
const ProblemCells = "This line has far more cells than a list."

// Rows splits a text at line ends of every kind.
func Rows(text string) []string {
	return strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), "\n")
}

// splitter splits the rows of a file into lines and cells.
type splitter struct {
	rows  []string
	comma byte
	// begins caches which rows begin a line: 1 yes, -1 no, 0 unknown.
	begins []int8
}

// Separators are the separators of cells, in the order in which they are tried.
func Separators() []byte { return []byte{',', '\t', ';', '|'} }

// Split returns the first lines in cells. An unclosed quote makes only its own line unreadable: reading continues with the next
// line.
func Split(rows []string, comma byte, most int) []Line {
	s := splitter{rows: rows, comma: comma, begins: make([]int8, len(rows))}
	var lines []Line
	for at := 0; at < len(rows) && len(lines) < most; {
		cells, used, problem := s.cells(at)
		lines, at = append(lines, Line{Number: at + 1, Cells: cells, Problem: problem}), at+used
	}
	return lines
}

// cells splits the line that begins at a row, and returns the number of its rows.
func (s splitter) cells(at int) (cells []string, used int, problem string) {
	comma, row := s.comma, s.rows[at]
	text, used := row, 1
	for {
		if len(cells) == mostCells {
			return cells, used, ProblemCells
		}
		text = strings.TrimLeft(text, blanksBut(comma))
		if !strings.HasPrefix(text, `"`) {
			cell, rest, more := strings.Cut(text, string(comma))
			cells = append(cells, cleanCell(cell))
			if !more {
				return cells, used, ""
			}
			text = rest
			continue
		}
		cell, rest, taken, ok := s.quotedCell(text[1:], at+used)
		if !ok {
			// The cells of an unclosed quote still show whether the line is a transaction.
			return strings.SplitN(row, string(comma), mostCells), 1, "This line has a quote (\") that does not end."
		}
		cells, used, rest = append(cells, cleanCell(cell)), used+taken, strings.TrimLeft(rest, blanksBut(comma))
		switch {
		case rest == "":
			return cells, used, ""
		case rest[0] == comma:
			text = rest[1:]
		default:
			return strings.SplitN(row, string(comma), mostCells), 1, "This line has a quote (\") within a cell."
		}
	}
}

// quotedCell reads up to the closing quote, over several rows if needed.
func (s splitter) quotedCell(text string, next int) (cell, rest string, taken int, ok bool) {
	var b strings.Builder
	for {
		before, after, closed := strings.Cut(text, `"`)
		b.WriteString(before)
		switch {
		case closed && strings.HasPrefix(after, `"`):
			b.WriteByte('"')
			text = after[1:]
		case closed:
			return b.String(), after, taken, true
		case next+taken == len(s.rows) || taken == mostLineBreaks || s.startsLine(next+taken):
			return "", "", 0, false
		default:
			b.WriteByte('\n')
			text, taken = s.rows[next+taken], taken+1
		}
	}
}

// startsLine reports whether a row begins a line: one of its cells is a day.
func (s splitter) startsLine(at int) bool {
	if s.begins[at] == 0 {
		s.begins[at] = -1
		cells := strings.SplitN(s.rows[at], string(s.comma), MostColumns)
		if len(cells) > 1 && slices.ContainsFunc(cells, func(cell string) bool { return ReadDay(cleanCell(strings.Trim(cell, `" `))).Known() }) {
			s.begins[at] = 1
		}
	}
	return s.begins[at] > 0
}

func blanksBut(comma byte) string {
	if comma == '\t' {
		return " "
	}
	return " \t"
}

// cleanCell trims every kind of blank, and the marks with which spreadsheets keep a number as text: '123 and ="123".
func cleanCell(cell string) string {
	cell = strings.TrimSpace(strings.ReplaceAll(cell, "\u00A0", " "))
	if inner, ok := strings.CutPrefix(cell, `="`); ok && strings.HasSuffix(inner, `"`) {
		cell = strings.TrimSuffix(inner, `"`)
	}
	return strings.TrimSpace(strings.TrimPrefix(cell, "'"))
}
