package transfer

import (
	"slices"
	"strings"
)

// fileLine is one line of a file in its cells. Problem says why the line could not be split.
type fileLine struct {
	Number  int
	Cells   []string
	Problem string
}

// mostLineBreaks is how many line breaks a quoted cell may hold. Banks break narrations; a longer cell is a quote that does not end. mostCells
// bounds the memory of a line.
const mostLineBreaks, mostCells = 5, 1000

const problemCells = "This line has far more cells than a statement."

// rowsOf splits a text at its line ends, whichever program wrote them.
func rowsOf(text string) []string {
	return strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), "\n")
}

// splitter splits the rows of a file into lines and cells.
type splitter struct {
	rows  []string
	comma byte
	// begins remembers which rows begin a line: 1 if one does, -1 if it does not.
	begins []int8
}

// splitLines returns the first lines in their cells. A quote that does not end spoils its own line only: reading goes on with the next one.
func splitLines(rows []string, comma byte, most int) []fileLine {
	s := splitter{rows: rows, comma: comma, begins: make([]int8, len(rows))}
	var lines []fileLine
	for at := 0; at < len(rows) && len(lines) < most; {
		cells, used, problem := s.cells(at)
		lines, at = append(lines, fileLine{Number: at + 1, Cells: cells, Problem: problem}), at+used
	}
	return lines
}

// cells splits the line that begins at a row, and returns how many rows it takes.
func (s splitter) cells(at int) (cells []string, used int, problem string) {
	comma, row := s.comma, s.rows[at]
	text, used := row, 1
	for {
		if len(cells) == mostCells {
			return cells, used, problemCells
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
			// The cells of an unclosed quote are still wanted, to know whether the line is a transaction.
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

// quotedCell reads up to the closing quote, on further rows if needed.
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

// startsLine reports whether a row looks like a line of its own: one of its cells is a day.
func (s splitter) startsLine(at int) bool {
	if s.begins[at] == 0 {
		s.begins[at] = -1
		cells := strings.SplitN(s.rows[at], string(s.comma), mostColumns)
		if len(cells) > 1 && slices.ContainsFunc(cells, func(cell string) bool { return readDay(cleanCell(strings.Trim(cell, `" `))).known() }) {
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

// cleanCell removes blanks of every kind around a cell, and the marks with which spreadsheets keep a number as text: '123 and ="123".
func cleanCell(cell string) string {
	cell = strings.TrimSpace(strings.ReplaceAll(cell, "\u00A0", " "))
	if inner, ok := strings.CutPrefix(cell, `="`); ok && strings.HasSuffix(inner, `"`) {
		cell = strings.TrimSuffix(inner, `"`)
	}
	return strings.TrimSpace(strings.TrimPrefix(cell, "'"))
}
