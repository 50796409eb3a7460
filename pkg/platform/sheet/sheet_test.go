package sheet_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"github.com/franchise360/franchise360/pkg/platform/sheet"
)

// book returns a workbook whose second sheet has the values; the first one has a note.
func book(t *testing.T, rows [][]any, change func(f *excelize.File)) []byte {
	t.Helper()
	f := excelize.NewFile()
	defer func() { _ = f.Close() }()
	require.NoError(t, f.SetCellValue("Sheet1", "A1", "Read me"))
	_, err := f.NewSheet("List")
	require.NoError(t, err)
	for i, row := range rows {
		cell, err := excelize.CoordinatesToCellName(1, i+1)
		require.NoError(t, err)
		require.NoError(t, f.SetSheetRow("List", cell, &row))
	}
	if change != nil {
		change(f)
	}
	var out bytes.Buffer
	require.NoError(t, f.Write(&out))
	return out.Bytes()
}

func TestText_Workbook_KeepsNumbersWhole(t *testing.T) {
	t.Parallel()
	file := book(t, [][]any{
		{"Name", "Mobile", "UTR", "Code", "Opened", "Amount"}, {"Camp, Pune", 919876543210, "000123456789", 7, 46000, 118000.5}, {}, {"Two\nlines", 9876543210.0, "", "x", "", ""},
	}, func(f *excelize.File) {
		require.NoError(t, f.SetCellDefault("List", "C4", "1.2345678901234501E+17"))
		zeros, day := "000", "dd/mm/yyyy"
		style, err := f.NewStyle(&excelize.Style{CustomNumFmt: &zeros})
		require.NoError(t, err)
		require.NoError(t, f.SetCellStyle("List", "D2", "D2", style))
		style, err = f.NewStyle(&excelize.Style{CustomNumFmt: &day})
		require.NoError(t, err)
		require.NoError(t, f.SetCellStyle("List", "E2", "E2", style))
	})
	text, err := sheet.Text(file)
	require.NoError(t, err)
	lines := sheet.Split(sheet.Rows(text), ',', 100)
	require.Equal(t, []string{"Camp, Pune", "919876543210", "000123456789", "007", "2025-12-09", "118000.5"}, lines[1].Cells)
	require.Equal(t, 4, lines[3].Number, "a blank row keeps its number")
	require.Equal(t, []string{"Two lines", "9876543210"}, lines[3].Cells[:2])
	require.NotEmpty(t, sheet.Damage(lines[3].Cells[2]), "Excel keeps fifteen digits: %s", lines[3].Cells[2])
}

func TestText_WorkbookWithTooManyRows_IsRefused(t *testing.T) {
	t.Parallel()
	file := book(t, [][]any{{"a", "b"}}, func(f *excelize.File) { require.NoError(t, f.SetCellValue("List", "A20001", "x")) })
	_, err := sheet.Text(file)
	require.ErrorContains(t, err, "20,000 lines")
}

func TestDamage_EachKind(t *testing.T) {
	t.Parallel()
	for _, cell := range []string{"6.3E+11", "9.82E+09", "1E+10", "#NAME?", "#REF!", "#####", "????? ??", "05-Nov", "Nov-05", "2026-11-05", "05/11/2026", "5-Nov-26"} {
		require.NotEmpty(t, sheet.Damage(cell), cell)
	}
	for _, cell := range []string{"", "12E4", "E-12", "9876543210", "10:00-22:00", "#1", "?", "24/7", "5-11", "May Flower", "Mar Thoma Road", "01-A"} {
		require.Empty(t, sheet.Damage(cell), cell)
	}
	require.NotEmpty(t, sheet.Negative("-9876543119"))
	require.Empty(t, sheet.Negative("-"))
	require.Equal(t, "9876543210", sheet.Whole("9876543210.0"))
	require.Equal(t, "110001", sheet.Whole("1,10,001"))
	require.Equal(t, "411001.5", sheet.Whole("411001.5"))
}

func TestReadList_TitlesSumsAndNotes_AreLeftOut(t *testing.T) {
	t.Parallel()
	fields := []sheet.Field{{Name: "name", Heading: sheet.Headings(`name|नाम`)}, {Name: "city", Heading: sheet.Headings(`city|शहर`)}, {Name: "pin", Heading: sheet.Headings(`pin`)}}
	for name, text := range map[string]string{
		"commas":     "Our list, of shops\n\nName,City,PIN\nCamp,Pune,411001\nName,City,PIN\n,,\nTotal,1,\nEnd of list,,\n",
		"semicolons": "Our list\n\nName;City;PIN\nCamp;Pune;411001\nName;City;PIN\n;;\nTotal;1;\nEnd of list;;\n",
		"bars":       "Our list\n\nनाम|शहर|PIN\nCamp|Pune|411001\nनाम|शहर|PIN\n||\nकुल|1|\nEnd of list||\n",
	} {
		list := sheet.ReadList(text, fields, nil, 0)
		require.Equal(t, 3, list.Line, name)
		require.Len(t, list.Rows, 1, name)
		require.Equal(t, "Pune", list.Cell(list.Rows[0], "city"), name)
		require.Len(t, list.Left, 3, name)
	}
}
