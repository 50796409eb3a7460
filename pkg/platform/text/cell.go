package text

import (
	"strings"
	"unicode/utf8"
)

// Cell returns the text for a cell of a CSV file, so that no spreadsheet takes it for a formula.
func Cell(s string) string {
	first, _ := utf8.DecodeRuneInString(s)
	if s != "" && strings.ContainsRune("=+-@|\t\r\n＝＋－＠｜﹦﹢﹣﹫−", first) && s != "-" {
		return "'" + s
	}
	return s
}
