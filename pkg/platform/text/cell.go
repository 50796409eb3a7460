package text

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// belowZero is a number that spreadsheets, and programs that read a CSV file, add up.
var belowZero = regexp.MustCompile(`^-[0-9]+(\.[0-9]+)?$`)

// changed is a number that a spreadsheet would change on reading: it cuts leading zeros and all digits behind the fifteenth, shows twelve digits
// as a power of ten, and takes an E between digits for one. Amounts have a point before their paise and are not among them.
var changed = regexp.MustCompile(`^(0[0-9]+|[0-9]{12,}|[0-9]+(\.[0-9]*)?[eE][+-]?[0-9]+)$`)

// Cell returns the text for a cell of a CSV file, so that no spreadsheet takes it for a formula or changes a number, such as that of a transfer. A
// number below zero stays one.
func Cell(s string) string {
	first, _ := utf8.DecodeRuneInString(s)
	if s != "" && strings.ContainsRune("=+-@|\t\r\n＝＋－＠｜﹦﹢﹣﹫−", first) && s != "-" && !belowZero.MatchString(s) {
		return "'" + s
	}
	if changed.MatchString(s) {
		return "'" + s
	}
	return s
}
