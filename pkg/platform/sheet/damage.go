package sheet

import (
	"regexp"
	"strings"

	"github.com/franchise360/franchise360/pkg/platform/i18n"
)

var (
	exponent   = regexp.MustCompile(`^-?[0-9](?:[.,][0-9]+)?[eE]\+[0-9]{1,3}$`)
	errorValue = regexp.MustCompile(`^#(?:NAME\?|REF!|VALUE!|N/A|DIV/0!|NUM!|NULL!|SPILL!|CALC!)$`)
	shortDay   = regexp.MustCompile(`^(?:[0-9]{1,2}[-/ ](?i:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*|(?i:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[-/ ][0-9]{1,4})$`)
	decimals   = regexp.MustCompile(`^([0-9]{4,15})[.,]0+$`)
	grouped    = regexp.MustCompile(`^[0-9]{1,3}(?:,[0-9]{2,3})+(?:\.0+)?$`)
	rounded    = regexp.MustCompile(`^(?:91|0)?[6-9][0-9]{3}0{6}(?:\.0+)?$`)
)

// isDay reports whether a cell is a day, as spreadsheets write it.
func isDay(cell string) bool {
	return ReadDay(cell).Known() || shortDay.MatchString(strings.TrimSpace(cell))
}

// Damage says how a spreadsheet destroyed the content of a cell that is no day, and how to get it back; empty for a whole cell.
func Damage(cell string) string {
	cell = strings.TrimSpace(cell)
	switch {
	case exponent.MatchString(cell):
		return i18n.Mark("The spreadsheet shortened this number, and its digits are lost. In the sheet, format the column as Number without decimals and copy again, or type it here.")
	case errorValue.MatchString(cell):
		return i18n.Mark("The spreadsheet shows an error in place of this value. In the sheet, format the cell as Text and type it again, or type it here.")
	case len(cell) > 2 && strings.Trim(cell, "#") == "":
		return i18n.Mark("The column was too narrow, and the value was lost. In the sheet, widen the column and copy again, or type it here.")
	case len(cell) > 2 && strings.Trim(cell, "? .,-") == "" && strings.Contains(cell, "??"):
		return i18n.Mark("The letters were lost when the file was saved. Save it as CSV UTF-8 or as a workbook, or type it here.")
	case isDay(cell):
		return i18n.Mark("The spreadsheet turned this value into a date. In the sheet, format the cell as Text and type it again, or type it here.")
	}
	return ""
}

// Negative says how a spreadsheet destroyed a number with a sign, such as =+91-9876543210, which it calculates.
func Negative(cell string) string {
	if cell = strings.TrimSpace(cell); strings.HasPrefix(cell, "-") && len(cell) > 6 && strings.Trim(cell[1:], "0123456789.") == "" {
		return i18n.Mark("The spreadsheet calculated with this number. In the sheet, format the cell as Text and type it again, or type it here.")
	}
	return ""
}

// Rounded says that a spreadsheet may have shortened a mobile number, such as 9.8765E9 for 9876543210, and stored it so. A number that was
// written with a space or a sign is a text, which spreadsheets keep.
func Rounded(cell string) string {
	if rounded.MatchString(strings.TrimSpace(cell)) {
		return i18n.Mark("This number ends in many zeros, so the spreadsheet may have shortened it. If it is right, write it with a space, such as 98200 00000.")
	}
	return ""
}

// Whole returns a number without the commas and empty decimals that spreadsheets add: 9876543210.0 is 9876543210.
func Whole(cell string) string {
	if grouped.MatchString(strings.TrimSpace(cell)) {
		cell, _, _ = strings.Cut(strings.ReplaceAll(strings.TrimSpace(cell), ",", ""), ".")
		return cell
	}
	if m := decimals.FindStringSubmatch(strings.TrimSpace(cell)); m != nil {
		return m[1]
	}
	return cell
}
