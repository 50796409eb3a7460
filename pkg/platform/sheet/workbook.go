package sheet

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"

	"github.com/franchise360/franchise360/pkg/platform/i18n"
)

// The limits of a workbook. A small file can unzip to gigabytes, and repeat one long text in every cell.
const (
	maxUnzipped = 64 << 20
	maxParts    = 2000
	maxSheets   = 20
)

// workbook returns the fullest visible sheet of an Excel workbook as CSV, with a row for each row of the sheet.
func workbook(file []byte, fill bool) (string, error) {
	damaged := badFile(i18n.Mark("This Excel workbook is damaged. Open it, and save it as CSV."))
	z, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return "", damaged
	}
	size := uint64(0)
	for _, part := range z.File { // archive/zip reads no more than the stated size of a part
		if size += part.UncompressedSize64; size > maxUnzipped || part.UncompressedSize64 > maxUnzipped || len(z.File) > maxParts {
			return "", badFile(i18n.Mark("This Excel workbook is too large. Save the sheet with the list as CSV."))
		}
	}
	// The same limit for a sheet keeps excelize from writing large sheets to the disk.
	book, err := excelize.OpenReader(bytes.NewReader(file), excelize.Options{UnzipSizeLimit: maxUnzipped, UnzipXMLSizeLimit: maxUnzipped})
	if err != nil {
		return "", damaged
	}
	defer func() { _ = book.Close() }() // nothing was written
	best, most := "", -1
	for i, name := range book.GetSheetList() {
		if visible, err := book.GetSheetVisible(name); i >= maxSheets || err != nil || !visible {
			continue
		}
		var tall merged
		if fill {
			if tall, err = mergedRows(book, name); err != nil {
				return "", damaged
			}
		}
		text, filled, err := sheetText(book, name, tall)
		if err != nil {
			return "", err
		}
		if filled > most {
			best, most = text, filled
		}
	}
	if most < 0 {
		return "", damaged
	}
	return best, nil
}

// sheetText returns a sheet as CSV, and how many of its rows have several cells.
func sheetText(book *excelize.File, name string, tall merged) (text string, filled int, err error) {
	damaged := badFile(i18n.Mark("This Excel workbook is damaged. Open it, and save it as CSV."))
	shown, err := book.Rows(name)
	if err != nil {
		return "", 0, damaged
	}
	defer func() { _ = shown.Close() }() // nothing was written
	stored, err := book.Rows(name)
	if err != nil {
		return "", 0, damaged
	}
	defer func() { _ = stored.Close() }() // nothing was written
	var out strings.Builder
	w := csv.NewWriter(&out)
	for row, blank, lines := 1, 0, 0; shown.Next() && stored.Next(); row++ {
		cells, err := shown.Columns()
		if err != nil {
			return "", 0, damaged
		}
		raw, err := stored.Columns(excelize.Options{RawCellValue: true})
		if err != nil {
			return "", 0, damaged
		}
		for i := range cells {
			if i < len(raw) {
				cells[i] = cellText(raw[i], cells[i])
			}
		}
		cells = tall.fill(row, cells)
		n := filledCells(cells)
		if n == 0 {
			blank++
			continue
		}
		if lines += blank + 1; lines > MaxLines || len(cells) > mostCells {
			return "", 0, badFile(i18n.Mark("The sheet has more than 20,000 lines or 1,000 columns. Split it."))
		}
		for ; blank > 0; blank-- {
			_ = w.Write([]string{""}) // a Builder never fails
		}
		_ = w.Write(cells)
		if w.Flush(); out.Len() > MaxBytes {
			return "", 0, badFile(i18n.Mark("The file is larger than 10 MB. Split it."))
		}
		if n > 1 {
			filled++
		}
	}
	return out.String(), filled, nil
}

// merged has the cells of one column that are merged over several rows.
type merged []struct {
	column, first, last int
	value               string
}

// mostMerged is the most merged cells of a sheet that are filled.
const mostMerged = 2000

func mergedRows(book *excelize.File, name string) (found merged, err error) {
	cells, err := book.GetMergeCells(name)
	if err != nil {
		return nil, fmt.Errorf("read merged cells: %w", err)
	}
	for _, cell := range cells[:min(len(cells), mostMerged)] {
		from, first, err := excelize.CellNameToCoordinates(cell.GetStartAxis())
		if err != nil {
			return nil, fmt.Errorf("read merged cells: %w", err)
		}
		to, last, err := excelize.CellNameToCoordinates(cell.GetEndAxis())
		if err != nil {
			return nil, fmt.Errorf("read merged cells: %w", err)
		}
		if from == to && last > first {
			found = append(found, struct {
				column, first, last int
				value               string
			}{from, first, last, cell.GetCellValue()})
		}
	}
	return found, nil
}

// fill writes the values of merged cells into a row that has cells of its own.
func (m merged) fill(row int, cells []string) []string {
	if filledCells(cells) == 0 {
		return cells
	}
	for _, one := range m {
		if one.first < row && row <= one.last {
			for len(cells) < one.column && one.column <= mostCells {
				cells = append(cells, "")
			}
			if one.column <= len(cells) {
				cells[one.column-1] = strings.Join(strings.Fields(one.value), " ")
			}
		}
	}
	return cells
}

func filledCells(cells []string) int {
	n := 0
	for _, cell := range cells {
		if strings.TrimSpace(cell) != "" {
			n++
		}
	}
	return n
}

// mostExact is the greatest whole number that Excel stores exactly: it has fifteen digits.
const mostExact = 1e15

// cellText returns the text of a cell from its stored and its shown value. A long number stays whole, and a day has the year first.
func cellText(stored, shown string) string {
	shown = strings.Join(strings.Fields(shown), " ")
	n, err := strconv.ParseFloat(stored, 64)
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) || stored == shown {
		return shown
	}
	switch {
	case isDay(shown):
		at, err := excelize.ExcelDateToTime(n, false)
		switch {
		case err != nil:
			return shown
		case at.Equal(at.Truncate(24 * time.Hour)):
			return at.Format(time.DateOnly)
		}
		return at.Format(time.DateTime)
	case math.Abs(n) >= mostExact:
		return strconv.FormatFloat(n, 'E', 2, 64) // its last digits are lost
	case n == math.Trunc(n) && (exponent.MatchString(shown) || strings.Trim(shown, "#") == ""):
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	return shown
}
