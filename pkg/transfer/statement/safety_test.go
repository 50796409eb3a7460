package statement_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/transfer/statement"
)

func TestStatementLine_ThatCannotBeSplit_IsAProblemOnThatLineAlone(t *testing.T) {
	t.Parallel()
	const head = "Date,Narration,Ref No,Withdrawal,Deposit,Balance\n,OPENING BALANCE,,,,900.00\n"
	const before = "19/11/2026,NEFT,SBIN326323000001,,100.00,1000.00\n"
	const after = "21/11/2026,NEFT,SBIN326325000003,,100.00,1600.00\n"
	for line, want := range map[string]string{
		"20/11/2026,RENT NOV, IMPS 632712345678,000412,45000.00,,500000.00": "more cells",
		"20/11/2026,VENDOR, NEFT SBIN326324123499,,45000.00,,500000.00":     "more cells",
		"20/11/2026,ASHA, PUNE,SBIN326324123456,,500.00,1500.00":            "more cells",
		"20/11/2026,NEFT,SBIN326324123456,,1,18,000.00,1500.00":             "more cells",
		"20/11/2026,NEFT,SBIN326324123456,, 2,50,000.00 ,1500.00":           "more cells",
		"20/11/2026,NEFT,SBIN326324123456,500.00":                           "fewer cells",
		"20/11/2026,\"NEFT ASHA,SBIN326324123456,,500.00,1500.00":           "quote",
		"20/11/2026,NEFT ASHA,\"SBIN326324123456,,500.00,1500.00":           "quote",
		"\"20/11/2026,NEFT ASHA,SBIN326324123456,,500.00,1500.00":           "quote",
		"20/11/2026,\"NEFT\" ASHA,SBIN326324123456,,500.00,1500.00":         "quote",
		",NEFT ASHA,SBIN326324123456,,500.00,1500.00":                       "day",
		"20/11/2026,NEFT,SBIN326324123456,,500.00,not a sum":                "balance",
		"20/11/2026,NEFT,SBIN326324123456,,500.00,1501.00":                  "balance",
		"20/11/2026,NEFT,SBIN326324123456,500.00,,1500.00":                  "money out",
		"20/11/2026,NEFT,SBIN326324123456,,,1500.00":                        "no amount",
		"20/11/2026,NEFT,SBIN326324123456,500.00,500.00,1000.00":            "both",
		"20/11/2026,NEFT,,SBIN326324123456,500.00,1500.00":                  "not a sum",
		"20/11/2026,SBIN326324123456,NEFT,500.00,1500.00,":                  "both",
		"20/11/2026,NEFT ASHA SBIN326324123456 ,,500.00,,1500.00":           "money out",
		"20/11/2026,NEFT,SBIN326324123456,,118,000.00":                      "balance",
		"20/11/2026,NEFT,SBIN326324123456,,5OO.00,1500.00":                  "not a sum",
	} {
		s := readStatement(t, head+before+line+"\n"+after)
		problems := map[int]string{}
		for _, r := range s.Rows {
			problems[r.Line] = r.Problem
		}
		require.Contains(t, problems[4], want, line)
		require.Contains(t, problems, 3, "the line before is still read: %s", line)
		require.Contains(t, problems, 5, "the line behind is still read: %s", line)
		require.Empty(t, problems[3], line)
	}
}

// A line that could not be read is shown as the others are: a screen and an answer of the API have no card numbers.
func TestStatementLine_ThatCannotBeSplit_IsShownShortAndWithoutCardNumbers(t *testing.T) {
	t.Parallel()
	s := readStatement(t, "Date,Narration,Ref No,Deposit\n20/11/2026,\"CARD 4111111111111111 "+strings.Repeat("LONG ", 1000)+",SBIN326324123456,500.00\n")
	require.Len(t, s.Rows, 1)
	require.Contains(t, s.Rows[0].Problem, "quote")
	require.Contains(t, s.Rows[0].Narration, "CARD 4111XXXXXXXX1111 LONG")
	require.LessOrEqual(t, len(s.Rows[0].Narration), 300)
}

func TestStatementColumns_MoreThanAreRemembered_AreRefused(t *testing.T) {
	t.Parallel()
	for name, file := range map[string]string{
		"101 columns":   "Day,Number,Sum" + strings.Repeat(",x", 98) + "\n",
		"long headings": "Day,Number," + strings.Repeat("S", 4000) + "\n",
		"no headings":   "-,-,-\n",
	} {
		layout := statement.Layout{Line: 1, Columns: []statement.Column{statement.ColumnDay, statement.ColumnReference, statement.ColumnCredit}}
		for range strings.Count(file, ",x") {
			layout.Columns = append(layout.Columns, statement.ColumnIgnored)
		}
		_, err := statement.Read([]byte(file), &layout, nothing, noon())
		require.ErrorContains(t, err, "headings", name)
	}
}

func TestStatementBalances_OldestOrNewestFirst_AreFollowed(t *testing.T) {
	t.Parallel()
	const head = "Date,Narration,Ref No,Withdrawal,Deposit,Balance\n"
	lines := []string{
		"19/11/2026,NEFT,SBIN326323000001,,100.00,1100.00\n", "20/11/2026,RENT,000412,50.00,,1050.00\n", "21/11/2026,NEFT,SBIN326325000003,,200.00,1250.00\n",
		"22/11/2026,NEFT,SBIN326326000004,,200.00,1450.00\n",
	}
	newest := head + lines[3] + lines[2] + lines[1] + lines[0]
	for name, text := range map[string]string{"oldest": head + strings.Join(lines, ""), "newest": newest} {
		for _, r := range readStatement(t, text).Rows {
			require.Empty(t, r.Problem, name)
		}
	}
	s := readStatement(t, head+lines[0]+lines[2]+lines[3])
	require.Equal(t, []bool{true, true, false}, []bool{s.Rows[0].Problem != "", s.Rows[1].Problem != "", s.Rows[2].Problem != ""}, "a line is missing, and nothing confirms the first")
	s = readStatement(t, strings.Replace(newest, "200.00,1250.00", "300.00,1250.00", 1))
	require.Contains(t, s.Rows[1].Problem, "does not follow")
	s = readStatement(t, head+",OPENING BALANCE,,,,900.00\n"+lines[0])
	require.Contains(t, s.Rows[0].Problem, "does not follow", "the opening balance")
	s = readStatement(t, head+lines[0]+",CLOSING BALANCE,,,,1300.00\n")
	require.Len(t, s.Notes, 1, "the closing balance")
	same := strings.NewReplacer("1100.00\n", "9.00\n", "1050.00\n", "9.00\n", "1250.00\n", "9.00\n", "1450.00\n", "9.00\n").Replace(head + strings.Join(lines, ""))
	s = readStatement(t, same)
	require.Len(t, s.Notes, 1, "one sum on every line is no running balance")
	require.Empty(t, s.Rows[0].Problem)
	const bare = "Date,Narration,Ref No,Withdrawal,Deposit\n19/11/2026,NEFT,SBIN326323000001,,100.00\n20/11/2026,RENT,000412,50.00,\n"
	require.Empty(t, readStatement(t, bare+",TOTAL,,50.00,100.00\n").Rows[0].Problem)
	require.Contains(t, readStatement(t, bare+",TOTAL,,50.00,300.00\n").Rows[0].Problem, "total")
}

func TestStatementColumns_UnknownBank_AreReadAsChosen(t *testing.T) {
	t.Parallel()
	const text = "Bank of Somewhere\nWhen,Story,Our no.,Plus,Minus\n20/11/2026,NEFT ASHA,SBIN326324123456,500.00,\n21/11/2026,RENT,,,50.00\n"
	s := readStatement(t, text)
	require.Equal(t, statement.AsksColumns, s.Asks)
	require.Equal(t, 2, s.Layout.Line)
	require.Equal(t, []string{"When", "Story", "Our no.", "Plus", "Minus"}, s.Headings)
	require.Len(t, s.Sample, 3)
	chosen := statement.Layout{Line: 2, Columns: []statement.Column{statement.ColumnDay, statement.ColumnNarration, statement.ColumnReference, statement.ColumnCredit, statement.ColumnDebit}}
	s, err := statement.Read([]byte(text), &chosen, nothing, noon())
	require.NoError(t, err)
	require.Equal(t, []any{statement.AsksNothing, 1, 1, "SBIN326324123456", ""}, []any{s.Asks, len(s.Rows), s.Debits, s.Rows[0].UTR, s.Rows[0].Problem})
	s, err = statement.Read([]byte(text), nil, func(key string) (statement.Layout, bool) { return chosen, key == "WHEN|STORY|OURNO|PLUS|MINUS" }, noon())
	require.NoError(t, err)
	require.Equal(t, []any{true, statement.AsksNothing, 1}, []any{s.Remembered, s.Asks, len(s.Rows)})
	for _, wrong := range []statement.Layout{
		{Line: 2, Columns: chosen.Columns[:4]},
		{Line: 9, Columns: chosen.Columns},
		{Line: 2, Columns: []statement.Column{statement.ColumnDay, statement.ColumnNarration, statement.ColumnReference, statement.ColumnIgnored, statement.ColumnDebit}},
	} {
		_, err := statement.Read([]byte(text), &wrong, nothing, noon())
		require.Error(t, err)
	}
}

func TestStatementColumns_HeadingsInHindi_AreRememberedByTheirWords(t *testing.T) {
	t.Parallel()
	const text = "दिनांक,विवरण,संदर्भ,जमा (₹)\n20/11/2026,NEFT ASHA,SBIN326324123456,500.00\n"
	chosen := statement.Layout{Columns: []statement.Column{statement.ColumnDay, statement.ColumnNarration, statement.ColumnReference, statement.ColumnCredit}}
	s, err := statement.Read([]byte(text), nil, func(key string) (statement.Layout, bool) {
		return chosen, key == "दिनांक|विवरण|संदर्भ|जमा"
	}, noon())
	require.NoError(t, err)
	require.Equal(t, []any{true, statement.AsksNothing, 1}, []any{s.Remembered, s.Asks, len(s.Rows)})
}

// Each description names the columns that its bank's credits need.
func TestBankDescriptions_Headings_GiveEveryColumn(t *testing.T) {
	t.Parallel()
	for _, b := range statement.Banks() {
		t.Run(b.Name, func(t *testing.T) {
			t.Parallel()
			require.NotEmpty(t, b.Source)
			cells := make([]string, len(b.Headings))
			s := readStatement(t, strings.Join(b.Headings, ",")+"\n"+strings.Join(cells, ",")+"\n")
			require.Equal(t, []any{b.Name, statement.AsksNothing}, []any{s.Bank, s.Asks}, b.Headings)
			require.Equal(t, b.Name, readStatement(t, strings.ToUpper(strings.Join(b.Headings, "\t"))+"\n").Bank)
		})
	}
}

// made is a line of a generated statement, with its amount.
type made struct {
	day    time.Time
	utr    string
	change money.Paise
}

// statementOf writes lines as a bank writes them.
func statementOf(b statement.Bank, lines []made) [][]string {
	table := [][]string{b.Headings}
	columns := readColumns(b)
	balance := money.Paise(1_000_000_00)
	opening := make([]string, len(columns))
	for i, column := range columns {
		switch column {
		case statement.ColumnNarration:
			opening[i] = "OPENING BALANCE"
		case statement.ColumnBalance:
			opening[i] = balance.Decimal()
		default:
		}
	}
	table = append(table, opening)
	for _, l := range lines {
		balance += l.change
		row := make([]string, len(columns))
		for i, column := range columns {
			switch column {
			case statement.ColumnDay, statement.ColumnValueDay:
				row[i] = l.day.Format("02-Jan-2006")
			case statement.ColumnReference:
				row[i] = l.utr
			case statement.ColumnNarration:
				row[i] = "NEFT " + l.utr + " ASHA"
			case statement.ColumnCredit:
				row[i] = decimal(max(l.change, 0))
			case statement.ColumnDebit:
				row[i] = decimal(max(-l.change, 0))
			case statement.ColumnAmount:
				row[i] = decimal(l.change.Abs())
				if count(columns, statement.ColumnWay) == 0 {
					row[i] += map[bool]string{true: "(Cr)", false: "(Dr)"}[l.change > 0]
				}
			case statement.ColumnWay:
				row[i] = map[bool]string{true: "CR", false: "DR"}[l.change > 0]
			case statement.ColumnBalance:
				row[i] = balance.Decimal()
			case statement.ColumnBalanceWay:
				row[i] = "CR"
			default:
			}
		}
		table = append(table, row)
	}
	return table
}

func decimal(p money.Paise) string {
	if p == 0 {
		return ""
	}
	return p.Decimal()
}

func count(columns []statement.Column, of statement.Column) (n int) {
	for _, column := range columns {
		if column == of {
			n++
		}
	}
	return n
}

func readColumns(b statement.Bank) []statement.Column {
	s, err := statement.Read([]byte(strings.Join(b.Headings, ",")+"\n"+strings.Repeat(",", len(b.Headings)-1)+"\n"), nil, nothing, noon())
	if err != nil {
		panic(err)
	}
	return s.Layout.Columns
}

func csvOf(table [][]string) string {
	var b strings.Builder
	for _, row := range table {
		b.WriteString(strings.Join(row, ",") + "\n")
	}
	return b.String()
}

// A statement of a known bank gives its credits. A damaged statement gives no wrong credit without a problem.
func TestStatement_DamagedInAnyWay_GivesNoWrongCreditWithoutAProblem(t *testing.T) {
	t.Parallel()
	banks := statement.Banks()
	rapid.Check(t, func(t *rapid.T) {
		b := banks[rapid.IntRange(0, len(banks)-1).Draw(t, "bank")]
		lines, right := []made{}, map[string]made{}
		for i := range rapid.IntRange(3, 8).Draw(t, "lines") {
			change := money.Paise(rapid.Int64Range(1, 9_999_999).Draw(t, "paise"))
			if rapid.IntRange(0, 2).Draw(t, "out") == 0 {
				change = -change
			}
			l := made{time.Date(2026, 11, 1+i, 0, 0, 0, 0, clock.IST), fmt.Sprintf("SBIN3263%08d", 10_000_001+i), change}
			lines = append(lines, l)
			right[l.utr] = l
		}
		table := statementOf(b, lines)
		whole, err := statement.Read([]byte(csvOf(table)), nil, nothing, noon())
		require.NoError(t, err)
		require.Equal(t, statement.AsksNothing, whole.Asks)
		requireRight(t, whole, right, true)

		at := rapid.IntRange(2, len(table)-1).Draw(t, "line")
		row := append([]string(nil), table[at]...)
		cell := rapid.IntRange(0, len(row)-1).Draw(t, "cell")
		switch rapid.IntRange(0, 6).Draw(t, "damage") {
		case 0: // a cell more, as from a comma in a text
			row = append(row[:cell], append([]string{rapid.SampledFrom([]string{"", "x", "7", "000.00"}).Draw(t, "more")}, row[cell:]...)...)
		case 1: // a cell less
			row = append(row[:cell], row[cell+1:]...)
		case 2: // shifted to the right, with the same number of cells
			row = append(append(row[:cell:cell], ""), row[cell:len(row)-1]...)
		case 3: // shifted to the left
			row = append(append(row[:cell:cell], row[cell+1:]...), "")
		case 4: // a quote that does not end
			row[cell] = `"` + row[cell]
		case 5: // two cells changed places
			other := rapid.IntRange(0, len(row)-1).Draw(t, "other")
			row[cell], row[other] = row[other], row[cell]
		case 6: // a column more in every line
			for i := range table {
				table[i] = append(append(append([]string(nil), table[i][:min(cell, len(table[i]))]...), map[bool]string{true: "Status", false: "7"}[i == 0]), table[i][min(cell, len(table[i])):]...)
			}
			row = table[at]
		}
		table[at] = row
		damaged, err := statement.Read([]byte(csvOf(table)), nil, nothing, noon())
		if err == nil {
			requireRight(t, damaged, right, false)
		}
	})
}

// requireRight requires that each credit without a problem is one of the bank's, to the paisa and the day.
func requireRight(t *rapid.T, s statement.Statement, right map[string]made, all bool) {
	found := 0
	for _, r := range s.Rows {
		if r.Problem != "" {
			require.False(t, all, "%s line %d: %s", s.Bank, r.Line, r.Problem)
			continue
		}
		l, known := right[r.UTR]
		require.True(t, known, "line %d: %s is no number of the bank", r.Line, r.UTR)
		require.Equal(t, []any{l.change, l.day.Format(time.DateOnly)}, []any{r.Amount, r.PaidAt.In(clock.IST).Format(time.DateOnly)}, "line %d of %s", r.Line, s.Bank)
		found++
	}
	if all {
		in := 0
		for _, l := range right {
			if l.change > 0 {
				in++
			}
		}
		require.Equal(t, in, found, s.Bank)
	}
}

// Whatever bytes come, the reader answers, and twice the same.
func FuzzStatement(f *testing.F) {
	for _, text := range []string{"Date,Ref No,Deposit\n20/11/2026,SBIN326324123456,500\n", "a,b,c\n\"", "\xFF\xFEa\x00", "Date;Ref No;Deposit\n\"x\n\ny\";;"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		first, err := statement.Read(file, nil, nothing, noon())
		second, again := statement.Read(file, nil, nothing, noon())
		require.Equal(t, err == nil, again == nil)
		require.Equal(t, first, second)
		for _, r := range first.Rows {
			require.True(t, r.Problem != "" || r.Amount > 0 && !r.PaidAt.IsZero() && len(r.UTR) >= 6)
		}
	})
}

func TestStatement_OfTwentyThousandLines_IsReadInBoundedMemory(t *testing.T) { //nolint:paralleltest // it counts what the whole process allocates
	var b strings.Builder
	b.WriteString("Date,Narration,Chq./Ref.No.,Value Dt,Withdrawal Amt.,Deposit Amt.,Closing Balance\n")
	balance := 100_000_000
	for i := range 19_990 {
		out, in := "10.00", ""
		balance -= 10
		if i%100 == 0 {
			out, in = "", "500.00"
			balance += 510
		}
		fmt.Fprintf(&b, "20/11/26,%s-%d,SBIN3263%08d,20/11/26,%s,%s,%d.00\n", strings.Repeat("UPI-SUPPLIER-", 30), i, i, out, in, balance)
	}
	require.Greater(t, b.Len(), 8<<20)
	file := []byte(b.String())
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s, err := statement.Read(file, nil, nothing, noon())
	runtime.ReadMemStats(&after)
	require.NoError(t, err)
	require.Equal(t, []int{19_990, 200, 19_790}, []int{s.Lines, len(s.Rows), s.Debits})
	require.Empty(t, s.Rows[199].Problem)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(400<<20))
}
