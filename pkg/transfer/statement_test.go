package transfer_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/transfer"
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
		s, err := transfer.ReadStatement(file, nil, nothing, now)
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
		strings.Repeat("x,y,z\n", 20_001): "20,000 lines", strings.Repeat("x", transfer.MaxStatementBytes+1): "10 MB",
	} {
		_, err := transfer.ReadStatement([]byte(text), nil, nothing, noon())
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
		s, err := transfer.ReadStatement(file, nil, nothing, noon())
		require.NoError(t, err, name)
		require.Len(t, s.Rows, 1, name)
		require.Equal(t, []any{"SBIN326324123456", money.Paise(118_000_00), "NEFT CR ASHA", ""}, []any{s.Rows[0].UTR, s.Rows[0].Amount, s.Rows[0].Narration, s.Rows[0].Problem}, name)
	}
}

// busy is a clock that records how many connections are in use when it is read.
type busy struct {
	clock.Clock

	db    *sqlx.DB
	inUse []int
}

func (b *busy) Now() time.Time {
	b.inUse = append(b.inUse, b.db.Stats().InUse)
	return b.Clock.Now()
}

// The server ends a transaction that idles for four seconds, and a large file takes longer on a busy machine.
func TestPreview_File_IsReadOutsideATransaction(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	asked := &busy{Clock: o.Clock, db: o.DB.API}
	desk := transfer.NewDesk(o.DB.API, testkit.NewInserter(t, o.DB.API), asked, staff.NewRecorder(o.Clock))
	_, err := desk.Preview(o.Asha.Sign(t.Context()), o.Asha, []byte("Date,Narration,Ref No,Deposit\n20/11/2026,NEFT,SBIN326324123456,500.00\n"), nil)
	require.NoError(t, err)
	require.Zero(t, asked.inUse[0], "the reader asks for the time first")
}

// Given a statement that overlaps with an earlier one, then booked credits are known, dismissed ones are marked, and the rest can be
// entered.
func TestStatement_OverlapsWithAnEarlierOne_BooksNothingTwice(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	file, err := os.ReadFile("testdata/axis.csv")
	require.NoError(t, err)
	o.Pass(time.Date(2026, 11, 26, 12, 0, 0, 0, clock.IST).Sub(o.Clock.Now()))
	first, err := o.desk.Preview(o.Asha.Sign(t.Context()), o.Asha, file, nil)
	require.NoError(t, err)
	rows := first.Rows
	_, err = o.desk.EnterAll(o.Asha.Sign(t.Context()), o.Asha, rows[:2], "Statement of Axis", "")
	require.NoError(t, err)
	o.run()
	for _, c := range o.credits() {
		if c.UTR == rows[1].UTR {
			u, err := o.try(o.Asha, c, transfer.UseInput{Kind: transfer.UseDismissal, Key: "dismiss-1"})
			require.NoError(t, err)
			o.approves(o.Ravi, u)
		}
	}
	second, err := o.desk.Preview(o.Asha.Sign(t.Context()), o.Asha, file, nil)
	require.NoError(t, err)
	again := second.Rows
	require.Equal(t, []any{true, false, false, true, false, false}, []any{
		again[0].Known, again[0].Dismissed, again[1].Known, again[1].Dismissed, again[2].Known, again[2].Dismissed,
	})
	_, err = o.desk.EnterAll(o.Asha.Sign(t.Context()), o.Asha, again, "Once more", "")
	require.ErrorIs(t, err, transfer.ErrUTRKnown)
	require.Equal(t, 2, o.Count(`SELECT count(*) FROM bank_credits`), "all or none")
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
	s, err := transfer.ReadStatement(file.Bytes(), nil, nothing, noon())
	require.NoError(t, err)
	require.Equal(t, transfer.AsksNothing, s.Asks)
	require.Len(t, s.Rows, 2)
	require.Equal(t, []any{"SBIN326324123456", money.Paise(118_000_00), "2026-11-20"}, []any{s.Rows[0].UTR, s.Rows[0].Amount, s.Rows[0].PaidAt.In(clock.IST).Format(time.DateOnly)})
	require.Equal(t, []any{"632712345678", money.Paise(59_000_50), ""}, []any{s.Rows[1].UTR, s.Rows[1].Amount, s.Rows[1].Problem})
}
