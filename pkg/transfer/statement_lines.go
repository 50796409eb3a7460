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

// mostLineBreaks is how many line breaks a quoted cell may hold. Banks break narrations; a longer cell is a quote that does not end.
const mostLineBreaks = 5

// splitLines splits a text into lines and cells. A quote that does not end spoils its own line only: reading goes on with the next one.
func splitLines(text string, comma byte) []fileLine {
	rows := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), "\n")
	var lines []fileLine
	for at := 0; at < len(rows); {
		cells, used, problem := splitCells(rows[at:], comma)
		lines, at = append(lines, fileLine{Number: at + 1, Cells: cells, Problem: problem}), at+used
	}
	return lines
}

// splitCells splits the line that begins rows, and returns how many rows it takes.
func splitCells(rows []string, comma byte) (cells []string, used int, problem string) {
	text, used := rows[0], 1
	for {
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
		cell, rest, taken, ok := quotedCell(text[1:], rows[used:], comma)
		if !ok {
			// The cells of an unclosed quote are still wanted, to know whether the line is a transaction.
			return strings.Split(rows[0], string(comma)), 1, "This line has a quote (\") that does not end."
		}
		cells, used, rest = append(cells, cleanCell(cell)), used+taken, strings.TrimLeft(rest, blanksBut(comma))
		switch {
		case rest == "":
			return cells, used, ""
		case rest[0] == comma:
			text = rest[1:]
		default:
			return strings.Split(rows[0], string(comma)), 1, "This line has a quote (\") within a cell."
		}
	}
}

// quotedCell reads up to the closing quote, on further rows if needed.
func quotedCell(text string, next []string, comma byte) (cell, rest string, taken int, ok bool) {
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
		case taken == len(next) || taken == mostLineBreaks || startsLine(next[taken], comma):
			return "", "", 0, false
		default:
			b.WriteByte('\n')
			text, taken = next[taken], taken+1
		}
	}
}

// startsLine reports whether a row looks like a line of its own: one of its cells is a day.
func startsLine(row string, comma byte) bool {
	cells := strings.Split(row, string(comma))
	return len(cells) > 1 && slices.ContainsFunc(cells, func(cell string) bool { return readDay(cleanCell(strings.Trim(cell, `" `))).known() })
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
