package statement_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/transfer/statement"
)

const plainHead = "Date,Narration,Ref No,Withdrawal,Deposit\n"

// taken returns the credits of a statement that have no problem, and how many lines have one.
func taken(t *testing.T, text string) (credits []statement.Row, problems int) {
	t.Helper()
	for _, r := range readStatement(t, text).Rows {
		if r.Problem == "" {
			credits = append(credits, r)
		} else {
			problems++
		}
	}
	return credits, problems
}

func TestStatement_CommaInNarrationBeforeEmptyLastCell_IsAProblem(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"no balances":               plainHead + "20/11/2026,VENDOR, NEFT SBIN326324123456,,45000.00,\n",
		"deposit before withdrawal": "Date,Narration,Ref No,Deposit,Withdrawal\n20/11/2026,ASHA, NEFT SBIN326324123456,,45000.00,\n",
		"empty balance": "Txn Date,Value Date,Description,Ref No./Cheque No.,Debit,Credit,Balance\n" +
			"20/11/2026,20/11/2026,TO TRANSFER, NEFT SBIN326324123499,,45000.00,,\n",
		"amount without quotes": "Date,Narration,Ref No,Withdrawal,Deposit,Balance\n20/11/2026,NEFT ASHA,SBIN326324123456,,1,180\n",
		"filled headings alone": "Date,Narration,Ref No,Withdrawal,Deposit,\n20/11/2026,VENDOR, NEFT SBIN326324123456,,45000.00,\n" +
			"21/11/2026,RENT,,1.00,\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			credits, problems := taken(t, text)
			require.Empty(t, credits)
			require.Equal(t, 1, problems)
		})
	}
}

func TestStatement_SeparatorAtTheEndOfEveryLine_IsRead(t *testing.T) {
	t.Parallel()
	credits, problems := taken(t, strings.ReplaceAll(plainHead+"20/11/2026,NEFT ASHA,SBIN326324123456,,500.00\n", "\n", ",\n"))
	require.Len(t, credits, 1)
	require.Zero(t, problems)
}

func TestStatement_AmountLikeTheFirstPartOfASum_IsReadIfTheBalanceProvesIt(t *testing.T) {
	t.Parallel()
	credits, problems := taken(t, "Date,Narration,Ref No,Withdrawal,Deposit,Balance\n,OPENING BALANCE,,,,179\n20/11/2026,NEFT ASHA,SBIN326324123456,,1,180\n")
	require.Len(t, credits, 1)
	require.Zero(t, problems)
}

func TestStatement_FurtherHeadings_BeginANewSection(t *testing.T) {
	t.Parallel()
	const first = plainHead + "20/11/2026,NEFT ASHA,SBIN326324123456,,500.00\n\n"
	for name, tc := range map[string]struct {
		second            string
		credits, problems int
	}{
		"other order":        {"Date,Narration,Ref No,Deposit,Withdrawal\n21/11/2026,RENT,SBIN326324123499,,45000.00\n", 1, 0},
		"fewer columns":      {"Date,Ref No,Deposit\n21/11/2026,SBIN326324123499,45000.00\n", 2, 0},
		"same headings":      {plainHead + "21/11/2026,NEFT,SBIN326324123499,,45000.00\n", 2, 0},
		"shifted by one":     {"," + plainHead + ",21/11/2026,NEFT,SBIN326324123499,,45000.00\n", 2, 0},
		"unknown headings":   {"Date,Narration,Ref No,Deposit,Status\n21/11/2026,RENT,SBIN326324123499,45000.00,FAILED\n", 1, 1},
		"no column of money": {"Date,Narration,Ref No,Status,Note\n21/11/2026,RENT,SBIN326324123499,,45000.00\n", 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			credits, problems := taken(t, first+tc.second)
			require.Equal(t, []int{tc.credits, tc.problems}, []int{len(credits), problems})
		})
	}
}

func TestStatement_TransactionAboveTheHeadings_IsAProblem(t *testing.T) {
	t.Parallel()
	_, problems := taken(t, "20/11/2026,NEFT ASHA,SBIN326324123457,,900.00\n"+plainHead+"20/11/2026,NEFT ASHA,SBIN326324123456,,500.00\n")
	require.Equal(t, 1, problems)
}

// A reader whose time grows with the square of the columns or lines needs minutes for each of these, more than the suite may take.
func TestStatement_HundredThousandColumns_AreRefused(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"unknown headings": "Date," + strings.Repeat("CD,", 600_000) + "Deposit,UTR\n",
		"empty headings":   "Date,UTR,Deposit" + strings.Repeat(",", 300_000) + "\n" + strings.Repeat("20/11/2026,SBIN326324123456,1\n", 9_000),
		"empty cells":      "Date,UTR,Deposit\n" + strings.Repeat(",", 1_000_000) + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := statement.Read([]byte(text), nil, nothing, noon())
			t.Log(name, err, s.Asks, len(s.Rows))
			require.True(t, err != nil || s.Asks != "" || len(s.Rows) <= 1)
		})
	}
}

func TestStatementNumber_CellThatIsNotOneNumber_IsAProblem(t *testing.T) {
	t.Parallel()
	for name, cell := range map[string]string{
		"two numbers": "632712345678 / 632712345679", "a count behind it": "632712345678 (2)", "a sum of a spreadsheet": "=632712345678+0",
		"a link of a spreadsheet": `=HYPERLINK("u","632712345678")`, "a decimal comma": "632712345678,00", "grouped": "632,712,345,678.00",
		"a power of ten": "6.33E+011", "a day": "20/11/2026", "not available": "NOT AVAILABLE", "see narration": "SEE NARRATION",
		"a day behind it": "UTR: SBIN326324123456 dt 20/11/2026", "a letter for a digit": "63271234567O", "cut short": "SBIN32632412345",
		"a GSTIN": "27AAPFU0939F1ZV", "an IFSC": "HDFC0000360", "a mobile number": "9876543210", "a negative number": "-632712345678",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			credits, problems := taken(t, plainHead+`20/11/2026,ASHA SWEETS,"`+strings.ReplaceAll(cell, `"`, `""`)+`",,500.00`+"\n")
			require.Empty(t, credits)
			require.Equal(t, 1, problems)
		})
	}
}

func TestStatementNumber_PayersWordsInTheFormOfNEFT_AreNotTheNumberOfIMPS(t *testing.T) {
	t.Parallel()
	for _, narration := range []string{
		"IMPS-632712345678-ASHA-LBMUM00001234567", "UPI/632712345678/ASHA/INV0000260000123", "MMT/IMPS/632712345678/OK/FRAN360000001234/HDFC",
	} {
		t.Run(narration, func(t *testing.T) {
			t.Parallel()
			credits, _ := taken(t, plainHead+"20/11/2026,"+narration+",,,500.00\n")
			require.Len(t, credits, 1)
			require.Equal(t, "632712345678", credits[0].UTR)
		})
	}
}

func TestStatement_DamagedTransaction_NeverVanishes(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"payer called as a summary is":     "Remitter Name,Date,UTR No,Amount,Dr/Cr\nLEGENDS CAFE LLP,20/11/2026,SBIN326324123457,900.00,CR\n",
		"such a payer and a damaged day":   "Remitter Name,Date,UTR No,Amount,Dr/Cr\nLEGENDS CAFE LLP,2O/11/2026,SBIN326324123457,900.00,CR\n",
		"day and amount damaged":           plainHead + "2O/11/2026,NEFT ASHA,SBIN326324123456,,5OO.00\n",
		"quotes of a word processor":       plainHead + "“20/11/2026”,“NEFT ASHA”,“SBIN326324123456”,“”,“500.00”\n",
		"single quotes":                    plainHead + "'20/11/2026','NEFT ASHA','SBIN326324123456','','500.00'\n",
		"single quotes without a UTR":      plainHead + "'20/11/2026','CASH','','','500.00'\n",
		"damaged day of a payer TOTAL":     plainHead + "2O/11/2026,TOTAL,SBIN326324123456,,500.00\n",
		"damaged behind a page's summary":  plainHead + "Statement Summary,,,,\n3O/11/2026,NEFT DEEP,SBIN326324123457,,900.00\n",
		"no amount and no balance column":  plainHead + "20/11/2026,NEFT ASHA,SBIN326324123456,,\n",
		"no amount and no balance":         "Date,Narration,Ref No,Withdrawal,Deposit,Balance\n20/11/2026,NEFT ASHA,SBIN326324123456,,,\n",
		"no amount in Kotak's first line":  "Sl.No.,Date,Description,Chq / Ref number,Amount,Dr / Cr,Balance,Dr / Cr\n1,20-11-2026,NEFT ASHA,SBIN326324123456,,CR,900.00,CR\n",
		"direction that denies the credit": "Date,Reference,Dr/Cr,Credit\n20/11/2026,SBIN326324123456,DR,500.00\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Len(t, readStatement(t, text).Rows, 1)
		})
	}
}

func TestStatement_DirectionThatDeniesTheCredit_IsAProblem(t *testing.T) {
	t.Parallel()
	credits, problems := taken(t, "Date,Reference,Dr/Cr,Credit\n20/11/2026,SBIN326324123456,DR,500.00\n21/11/2026,SBIN326325123456,CR,500.00\n")
	require.Len(t, credits, 1)
	require.Equal(t, 1, problems)
}

func TestStatementFile_InUTF32_IsRefused(t *testing.T) {
	t.Parallel()
	for name, mark := range map[string][]byte{"little endian": {0xFF, 0xFE, 0, 0}, "big endian": {0, 0, 0xFE, 0xFF}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := statement.Read(append(mark, 'D', 0, 0, 0), nil, nothing, noon())
			require.ErrorContains(t, err, "UTF-32")
		})
	}
}

func TestStatementDays_LineThatIsNoTransaction_DoesNotDecideTheOrder(t *testing.T) {
	t.Parallel()
	for name, line := range map[string]string{"a remark of the bank": "11/30/2026,Statement generated,,,\n", "no such day": "02/31/2026,RENT,1,45.00,\n"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			credits, _ := taken(t, plainHead+"05/11/2026,NEFT ASHA,SBIN326309123456,,500.00\n"+line)
			require.Empty(t, credits)
		})
	}
}

func TestStatementDays_TwoColumnsWithOneHeading_NeedAChoice(t *testing.T) {
	t.Parallel()
	s := readStatement(t, "Date,Date,Ref No,Deposit\n20/11/2026,19/11/2026,SBIN326324123456,500.00\n")
	require.Equal(t, statement.AsksColumns, s.Asks)
}

func TestStatementDay_YearOfTwoDigitsThatMayStandFirst_IsAProblem(t *testing.T) {
	t.Parallel()
	credits, problems := taken(t, plainHead+"26-01-25,NEFT ASHA,SBIN326025123456,,500.00\n")
	require.Empty(t, credits)
	require.Equal(t, 1, problems)
}

func TestStatementBalances_OldestCreditWithoutOpeningBalance_HasANote(t *testing.T) {
	t.Parallel()
	const head = "Date,Narration,Ref No,Withdrawal,Deposit,Balance\n"
	const older = "19/11/2026,NEFT,SBIN326323000001,,100.00,1100.00\n"
	const newer = "20/11/2026,NEFT,SBIN326324000002,,200.00,1300.00\n"
	for name, tc := range map[string]struct {
		text string
		want int
	}{
		"oldest first": {head + older + newer, 1}, "newest first": {head + newer + older, 1}, "one line": {head + older, 1},
		"opening balance": {head + ",OPENING BALANCE,,,,1000.00\n" + older + newer, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := readStatement(t, tc.text)
			require.Len(t, s.Notes, tc.want)
			require.Empty(t, s.Rows[0].Problem, "the line is still taken")
		})
	}
}
