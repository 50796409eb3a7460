package outlet

import (
	"cmp"
	"regexp"
	"strings"
	"unicode"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/sheet"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

// ImportSheet is a sheet as it was read.
type ImportSheet struct {
	sheet.List

	Text   string
	Drafts []Draft
	// Asks means that a person has to match the columns.
	Asks bool
	// OneNumber means that the sheet names a person and one number for each outlet. A mobile is then the partner's too.
	OneNumber bool
}

// ReadImport reads a sheet of outlets: pasted cells, CSV or an Excel workbook. Chosen has the columns that a person chose, and line the line
// of their headings.
func ReadImport(file []byte, chosen []string, line int) (ImportSheet, error) {
	if len(file) > MaxImportBytes {
		return ImportSheet{}, badSheet(i18n.Mark("The file is larger than 2 MB. Split it."))
	}
	read, err := sheet.Filled(file)
	if err != nil {
		return ImportSheet{}, err
	}
	if strings.TrimSpace(read) == "" || len(read) > MaxImportBytes {
		return ImportSheet{}, badSheet(i18n.Mark("Paste the cells of your sheet, or choose a file of up to 2 MB."))
	}
	s := ImportSheet{List: sheet.ReadList(read, importColumns(), chosen, line), Text: read}
	switch {
	case len(s.Columns) == 0:
		return s, badSheet(i18n.Mark("The file has no columns. Save the sheet as CSV or as an Excel workbook."))
	case len(s.Rows) == 0:
		return s, badSheet(i18n.Mark("The file has no rows below the headings."))
	case len(s.Rows) > MaxImportRows:
		return s, badSheet(i18n.Mark("A sheet can have 500 outlets at most. Split it."))
	}
	byFranchisee := false
	if chosen == nil {
		s.readTogether()
		byFranchisee = !s.Has(string(FieldName)) && s.nameByFranchisee()
		s.assignPeople()
		s.findStatus()
	}
	if s.Asks = !s.Has(string(FieldName)) || !s.Has(string(FieldCity)) && !s.Has(string(FieldAddress)); s.Asks {
		return s, nil
	}
	s.OneNumber = s.oneNumber()
	s.repeat()
	for _, row := range s.Rows {
		d := Draft{Line: row.Number, Group: s.group(row.Number), Values: map[ImportField]string{}, Problem: row.Problem}
		for _, f := range ImportFields() {
			cell := strings.Join(strings.Fields(s.Cell(row, string(f))), " ")
			if f == FieldHours && s.count(f) == 2 { // opening and closing time
				cell = strings.Replace(cell, ", ", " – ", 1)
			}
			d.Values[f] = strings.ToValidUTF8(cell[:min(len(cell), mostValue)], "")
		}
		d.readRemark(s.remark(row))
		if district := s.district(row); d.Values[FieldCity] == "" && district != "" {
			d.Values[FieldCity] = district
			d.Mended = append(d.Mended, Mend{FieldCity, "", district, sentence(i18n.Mark("Taken from the district"))})
		}
		if byFranchisee && d.Values[FieldPartnerMobile] != "" && d.Values[FieldPartnerName] == "" {
			d.Values[FieldPartnerName] = d.Values[FieldName]
		}
		if s.OneNumber && d.Values[FieldPartnerName] != "" {
			within := mobileIn.FindString(text.Digits(d.Values[FieldPartnerName]))
			if within == "" {
				d.Values[FieldPartnerMobile] = mobileAmong(d.Values[FieldPhone])
			}
			d.Values[FieldPhone] = cmp.Or(d.Values[FieldPhone], within)
		}
		if d.Problem == "" && len(row.Cells) > len(s.Columns) && strings.Trim(strings.Join(row.Cells[len(s.Columns):], ""), " ") != "" {
			d.Problem = i18n.Mark("This line has more cells than the headings. A comma may stand in a cell without quotes.")
		}
		s.Drafts = append(s.Drafts, d)
	}
	return s, nil
}

// group returns the line above the group of rows to which the row with the number belongs: the last one with a single cell.
func (s *ImportSheet) group(number int) (group string) {
	for _, left := range s.Left {
		if left.Number < s.Line || left.Number > number {
			continue
		}
		var filled []string
		for _, cell := range left.Cells {
			if strings.ContainsFunc(cell, unicode.IsLetter) {
				filled = append(filled, cell)
			}
		}
		if len(filled) == 1 {
			group = filled[0]
		}
	}
	return group
}

// ditto matches what sheets write for the value of the row above.
var ditto = regexp.MustCompile(`(?i)^(?:[-–" ]*(?:do|ditto|same|same as above|as above)[-–" .]*|[-–]*["”〃][-–]*|''|वही|उपरोक्त|यथोपरि)$`)

// sameNumber matches what sheets write for an outlet's phone that is its partner's too.
var sameNumber = regexp.MustCompile(`(?i)^(?:same(?: (?:no|number|as (?:mobile|owner|above)))?|वही)\.?$`)

// repeat replaces ditto marks by the value of the row above.
func (s *ImportSheet) repeat() {
	above := sheet.Line{}
	for _, row := range s.Rows {
		for i, cell := range row.Cells {
			switch {
			case i >= len(s.Columns):
			case s.Columns[i] == string(FieldPhone) && sameNumber.MatchString(cell) && s.Cell(row, string(FieldPartnerMobile)) != "":
				row.Cells[i] = s.Cell(row, string(FieldPartnerMobile))
			case s.Columns[i] == string(FieldPartnerMobile) && sameNumber.MatchString(cell) && s.Cell(row, string(FieldPhone)) != "":
				row.Cells[i] = s.Cell(row, string(FieldPhone))
			case i < len(above.Cells) && ditto.MatchString(cell):
				row.Cells[i] = above.Cells[i]
			}
		}
		above = row
	}
}

// nameByFranchisee takes the column of the franchisees' firms as the outlets' names; the sheet has no other names.
func (s *ImportSheet) nameByFranchisee() bool {
	for i, heading := range s.Headings {
		if strings.HasPrefix(s.Columns[i], "name of ") && firms.MatchString(heading) {
			s.Columns[i] = string(FieldName)
			return true
		}
	}
	return false
}

func badSheet(english string) error { return errs.Invalid(english).Field("file", english) }
