package statement_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/sheet"
	"github.com/franchise360/franchise360/pkg/transfer/statement"
)

// Given a statement as each of five banks exports it, with lines about the account above and sums below, then its credits are read with the
// number of the transfer, wherever the bank puts it, the day and the amount, and nothing else is.
func TestStatement_OfFiveBanks_IsRead(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 25, 12, 0, 0, 0, clock.IST)
	const sum = "HDFCN52026112001 11800000 2026-11-20 "
	for bank, want := range map[string][]string{
		"hdfc":  {"SBIN326324123456 11800000 2026-11-20 ", "632712345678 5900050 2026-11-23 ", " 1200 2026-11-24 The bank names no number (UTR) of this credit. Enter it by hand if it is a customer's."},
		"icici": {sum, "632712345678 5900050 2026-11-24 ", "SBINR52026112400012345 23600000 2026-11-24 "},
		"sbi":   {sum, "632712345678 5900050 2026-11-23 ", " 100000 2026-11-24 The bank names no number (UTR) of this credit. Enter it by hand if it is a customer's."},
		"axis":  {sum, "632712345678 5900050 2026-11-23 ", "SBINR52026112400012345 23600000 2026-11-24 "},
		"kotak": {sum, "632712345678 5900050 2026-11-23 "},
	} {
		file, err := os.ReadFile("testdata/" + bank + ".csv")
		require.NoError(t, err)
		s, err := statement.Read(file, nil, nothing, now)
		require.NoError(t, err, bank)
		got := []string{}
		for _, r := range s.Rows {
			got = append(got, fmt.Sprint(r.UTR, " ", int64(r.Amount), " ", r.PaidAt.In(clock.IST).Format(time.DateOnly), " ", r.Problem))
		}
		require.Equal(t, want, got, bank)
	}
}

func TestStatementFile_ThatIsNoCSV_IsRefusedWithWhatToDo(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "empty", " \r\n": "empty", "PK\x03\x04\x00\x00": "damaged", "\xD0\xCF\x11\xE0\x00": "Excel", "%PDF-1.7": "PDF", "<html><table>": "web page",
		"Date\x00,Ref No,Deposit\n": "not text", "Date,Ref No,Deposit\n\x81\x8D": "not text", "\xFF\xFED\x00a": "damaged", "one line of text": "No line",
		strings.Repeat("x,y,z\n", 20_001): "20,000 lines", strings.Repeat("x", statement.MaxStatementBytes+1): "10 MB",
	} {
		_, err := statement.Read([]byte(text), nil, nothing, noon())
		require.Equal(t, errs.KindInvalid, errs.KindOf(err), want)
		require.Contains(t, errs.As(err).Fields["file"][0], want)
	}
}

func TestStatementFile_EveryEncoding_IsReadTheSame(t *testing.T) {
	t.Parallel()
	const text = "Date,Narration,Ref No,Deposit\r\n20/11/26,NEFT\u00A0CR ASHA,SBIN326324123456,\"1,18,000.00\"\r\n"
	units := utf16.Encode([]rune(text))
	wide := func(order binary.AppendByteOrder, mark bool) (b []byte) {
		if mark {
			b = order.AppendUint16(b, 0xFEFF)
		}
		for _, u := range units {
			b = order.AppendUint16(b, u)
		}
		return b
	}
	for name, file := range map[string][]byte{
		"UTF-8": []byte(text), "UTF-8 with a mark": []byte("\uFEFF" + text), "windows-1252": []byte(strings.ReplaceAll(text, "\u00A0", "\xA0")),
		"UTF-16 little endian": wide(binary.LittleEndian, true), "UTF-16 big endian": wide(binary.BigEndian, true),
		"UTF-16 little endian without a mark": wide(binary.LittleEndian, false), "UTF-16 big endian without a mark": wide(binary.BigEndian, false),
		"line ends of old computers": []byte(strings.ReplaceAll(text, "\r\n", "\r")),
	} {
		s, err := statement.Read(file, nil, nothing, noon())
		require.NoError(t, err, name)
		require.Len(t, s.Rows, 1, name)
		require.Equal(t, []any{"SBIN326324123456", money.Paise(118_000_00), "NEFT CR ASHA", ""}, []any{s.Rows[0].UTR, s.Rows[0].Amount, s.Rows[0].Narration, s.Rows[0].Problem}, name)
	}
}

// A bank's workbook keeps the digits of a number that a spreadsheet shows as a power of ten, and its days.
func TestStatementFile_Workbook_IsReadLikeCSV(t *testing.T) {
	t.Parallel()
	f := excelize.NewFile()
	defer func() { _ = f.Close() }()
	require.NoError(t, f.SetSheetRow("Sheet1", "A3", &[]any{"Date", "Narration", "Ref No", "Deposit"}))
	require.NoError(t, f.SetSheetRow("Sheet1", "A4", &[]any{time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC), "NEFT CR ASHA", "SBIN326324123456", 118000.0}))
	require.NoError(t, f.SetSheetRow("Sheet1", "A5", &[]any{"23/11/2026", "IMPS CR RAVI", 632712345678, "59,000.50"}))
	var file bytes.Buffer
	require.NoError(t, f.Write(&file))
	s, err := statement.Read(file.Bytes(), nil, nothing, noon())
	require.NoError(t, err)
	require.Equal(t, statement.AsksNothing, s.Asks)
	require.Len(t, s.Rows, 2)
	require.Equal(t, []any{"SBIN326324123456", money.Paise(118_000_00), "2026-11-20"}, []any{s.Rows[0].UTR, s.Rows[0].Amount, s.Rows[0].PaidAt.In(clock.IST).Format(time.DateOnly)})
	require.Equal(t, []any{"632712345678", money.Paise(59_000_50), ""}, []any{s.Rows[1].UTR, s.Rows[1].Amount, s.Rows[1].Problem})
}

func TestStatement_CreditThatTheFileReturns_NamesTheLine(t *testing.T) {
	t.Parallel()
	const credit = "20/11/2026,NEFT ASHA,SBIN326324123456,,11800.00\n"
	const signed = "Txn Date,Description,Reference,Amount,Dr/Cr\n20/11/2026,NEFT ASHA,SBIN326324123456,11800.00,CR\n"
	for name, tc := range map[string]struct {
		text string
		want int
	}{
		"same number":                       {plainHead + credit + "21/11/2026,NEFT ASHA SWEETS,SBIN326324123456,11800.00,\n", 3},
		"number in the narration":           {plainHead + credit + "21/11/2026,REV-NEFT/SBIN326324123456/ASHA,000000,11800.00,\n", 3},
		"newest line first":                 {plainHead + "21/11/2026,NEFT ASHA SWEETS,SBIN326324123456,11800.00,\n" + credit, 2},
		"part of the amount":                {plainHead + credit + "21/11/2026,NEFT RETURN,SBIN326324123456,800.00,\n", 3},
		"negative line":                     {plainHead + credit + "21/11/2026,ASHA SWEETS,,,-11800.00\n", 3},
		"debit that says return":            {plainHead + credit + "21/11/2026,NEFT RETURN ASHA,,11800.00,\n", 3},
		"one column, same number":           {signed + "21/11/2026,NEFT ASHA,SBIN326324123456,11800.00,DR\n", 3},
		"one column, reversal":              {signed + "21/11/2026,REVERSAL ASHA,,11800.00,DR\n", 3},
		"same amount for another purpose":   {plainHead + credit + "21/11/2026,RENT,HDFCN26325155555,11800.00,\n", 0},
		"reversal of another amount":        {plainHead + credit + "21/11/2026,NEFT RETURN RAVI,,11900.00,\n", 0},
		"reversal before the credit":        {plainHead + "19/11/2026,NEFT RETURN RAVI,,11800.00,\n" + credit, 0},
		"return of another number":          {plainHead + credit + "21/11/2026,NEFT RETURN SBIN326324999999,SBIN326324999999,11800.00,\n", 0},
		"returns one of two equal credits":  {plainHead + credit + "20/11/2026,NEFT RAVI,HDFCN26324111111,,11800.00\n21/11/2026,RETURN,HDFCN26324111111,11800.00,\n", 0},
		"no debit":                          {plainHead + credit, 0},
		"one column, another line of money": {signed + "21/11/2026,RENT,,11800.00,DR\n", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, r := range readStatement(t, tc.text).Rows {
				if r.UTR == "SBIN326324123456" {
					require.Empty(t, r.Problem)
					require.Equal(t, tc.want, r.ReturnedBy)
				}
			}
		})
	}
}

// Given a statement with a direction column, or a direction next to the amount, then a debit is not a credit.
func TestStatement_Debit_IsNotACredit(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"Date,Description,Ref No.,Amount,Dr/Cr\n25/11/2026,RENT,UTR123456789,5000.00,DR\n25/11/2026,NEFT IN,SBIN326329123456,7000.00,CR\n",
		"Date,Description,Ref No.,Amount,Type\n25/11/2026,RENT,UTR123456789,5000.00,Debit\n25/11/2026,NEFT IN,SBIN326329123456,7000.00,Credit\n",
		"Date,Description,Ref No.,Amount\n25/11/2026,RENT,UTR123456789,\"5,000.00 Dr\"\n25/11/2026,NEFT IN,SBIN326329123456,\"7,000.00 (Cr)\"\n25/11/2026,FEE,UTR123456791,(10.00)\n",
	} {
		rows := readStatement(t, text).Rows
		require.Len(t, rows, 1, text)
		require.Equal(t, []any{"SBIN326329123456", money.Paise(7000_00), ""}, []any{rows[0].UTR, rows[0].Amount, rows[0].Problem})
	}
}

// The number of IMPS and UPI names the day of the year.
func TestStatementDays_RememberedOrderContradictsTheDays_NeedsANewChoice(t *testing.T) {
	t.Parallel()
	const text = "Posting Day,Text,UTR,Receipts,Payments\n" + "05/11/2026,UPI/630912345678/RAVI,630912345678,700,\n06/11/2026,NEFT ASHA,SBIN526310123456,600,\n"
	for order, want := range map[sheet.DayOrder]statement.Asks{sheet.OrderMonthFirst: statement.AsksDayOrder, sheet.OrderDayFirst: statement.AsksNothing} {
		kept := statement.Layout{Order: order, Columns: []statement.Column{statement.ColumnDay, statement.ColumnNarration, statement.ColumnReference, statement.ColumnCredit, statement.ColumnDebit}}
		s, err := statement.Read([]byte(text), nil, func(string) (statement.Layout, bool) { return kept, true }, noon())
		require.NoError(t, err)
		require.Equal(t, want, s.Asks, order)
		for _, r := range s.Rows {
			require.Equal(t, want == statement.AsksNothing, r.Problem == "", order)
		}
	}
	chosen := statement.Layout{Order: sheet.OrderMonthFirst, Line: 1, Columns: []statement.Column{statement.ColumnDay, statement.ColumnNarration, statement.ColumnReference, statement.ColumnCredit, statement.ColumnDebit}}
	s, err := statement.Read([]byte(text), &chosen, nothing, noon())
	require.NoError(t, err)
	require.Equal(t, statement.AsksDayOrder, s.Asks, "a choice that the number denies is refused")
}
