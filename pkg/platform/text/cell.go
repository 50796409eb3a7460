package text

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// belowZero is a number that spreadsheets, and programs that read a CSV file, add up.
var belowZero = regexp.MustCompile(`^-[0-9]+(\.[0-9]+)?$`)

// Cell returns the text for a cell of a CSV file, so that no spreadsheet takes it for a formula. A number below zero stays one.
func Cell(s string) string {
	first, _ := utf8.DecodeRuneInString(s)
	if s != "" && strings.ContainsRune("=+-@|\t\r\n＝＋－＠｜﹦﹢﹣﹫−", first) && s != "-" && !belowZero.MatchString(s) {
		return "'" + s
	}
	return s
}
