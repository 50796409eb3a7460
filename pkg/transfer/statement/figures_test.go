package statement_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const balanceHead = "Date,Narration,Ref No,Withdrawal,Deposit,Balance\n"

func TestStatementBalances_OnlySomeLinesHaveOne_ProveTheLinesBetween(t *testing.T) {
	t.Parallel()
	const first = "18/11/2026,NEFT ASHA,SBIN326322123451,,500.00,46500.00\n"
	const moved = "20/11/2026,RENT, NEFT SBIN326324123456,,45000.00,\n"
	const last = "21/11/2026,NEFT B,SBIN326325123451,,500.00,2000.00\n"
	for name, tc := range map[string]struct {
		text              string
		credits, problems int
	}{
		"a debit in the wrong column":         {first + moved + last, 0, 3},
		"only the first and the last line":    {first + "19/11/2026,NEFT C,SBIN326323123452,,300.00,\n" + strings.Replace(last, "2000.00", "47300.00", 1), 3, 0},
		"a debit between them":                {first + "19/11/2026,RENT,,45000.00,,\n" + last, 2, 0},
		"behind the last balance":             {first + moved, 1, 1},
		"before the first balance":            {moved + last, 1, 1},
		"no balance in the column":            {moved, 0, 1},
		"no balance, and money out":           {"20/11/2026,RENT,,45000.00,,\n", 0, 0},
		"first and last balance are the same": {first + moved + strings.Replace(last, "2000.00", "46500.00", 1), 0, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			credits, problems := taken(t, balanceHead+tc.text)
			require.Equal(t, []int{tc.credits, tc.problems}, []int{len(credits), problems})
		})
	}
}

func TestStatementBalances_DaysThatRise_AreReadOldestFirst(t *testing.T) {
	t.Parallel()
	line := func(day, number, balance string) string {
		return day + ",NEFT VENDOR " + number + "," + number + ",,14750.00," + balance + "\n"
	}
	rising := line("18/11/2026", "SBIN326322123451", "100000.00") + line("19/11/2026", "SBIN326323123452", "85250.00") + line("20/11/2026", "SBIN326324123453", "70500.00")
	credits, problems := taken(t, balanceHead+rising)
	require.Empty(t, credits, "the columns of money are exchanged")
	require.Equal(t, 3, problems)
	falling := line("20/11/2026", "SBIN326324123451", "100000.00") + line("19/11/2026", "SBIN326323123452", "85250.00") + line("18/11/2026", "SBIN326322123453", "70500.00")
	credits, _ = taken(t, balanceHead+falling)
	require.Len(t, credits, 3, "newest first")
	one := strings.NewReplacer("18/11", "20/11", "19/11", "20/11").Replace(rising)
	credits, problems = taken(t, balanceHead+one)
	require.Empty(t, credits, "one day and one amount prove no direction")
	require.Equal(t, 3, problems)
}

func TestStatementFigures_ThatDifferFromTheLines_LeaveNoCreditWithoutAProblem(t *testing.T) {
	t.Parallel()
	const two = "20/11/2026,NEFT ASHA,SBIN326324123456,,500.00\n21/11/2026,NEFT MEENA,SBIN326325123456,,700.00\n22/11/2026,RENT,,100.00,\n"
	const proven = "20/11/2026,NEFT ASHA,SBIN326324123456,,500.00,1500.00\n21/11/2026,NEFT MEENA,SBIN326325123456,,700.00,2200.00\n"
	const hdfc = "Date,Narration,Chq./Ref.No.,Value Dt,Withdrawal Amt.,Deposit Amt.,Closing Balance\n" +
		"20/11/26,NEFT CR-SBIN0000691-ASHA SWEETS LLP-FRANCHISE 360-SBIN326324123456,SBIN326324123456,20/11/26,,%SUM,\"3,18,000.00\"\n\n" +
		"STATEMENT SUMMARY  :-,,,,,,\nOpening Balance,Dr Count,Cr Count,,Debits,Credits,Closing Bal\n%OPEN,0,%COUNT,,0.00,\"1,18,000.00\",%CLOSE\n"
	summary := func(sum, opening, count, closing string) string {
		return strings.NewReplacer("%SUM", `"`+sum+`"`, "%OPEN", `"`+opening+`"`, "%COUNT", count, "%CLOSE", `"`+closing+`"`).Replace(hdfc)
	}
	for name, tc := range map[string]struct{ right, wrong string }{
		"total amount":        {plainHead + two + ",Total Amount,,100.00,1200.00\n", plainHead + two + ",Total Amount,,100.00,1300.00\n"},
		"sub total":           {plainHead + two + ",Sub Total,,100.00,1200.00\n", plainHead + two + ",Sub Total,,100.00,1300.00\n"},
		"only money in":       {plainHead + two + ",TOTAL :,,,1200.00\n", plainHead + two + ",TOTAL :,,,1300.00\n"},
		"only money out":      {plainHead + two + ",Net Total,,100.00,\n", plainHead + two + ",Net Total,,90.00,\n"},
		"total in Hindi":      {plainHead + two + ",कुल,,100.00,1200.00\n", plainHead + two + ",कुल,,100.00,1300.00\n"},
		"total credits":       {plainHead + two + "Total Credits (INR),\"1,200.00\",,,\n", plainHead + two + "Total Credits (INR),\"1,300.00\",,,\n"},
		"counts":              {plainHead + two + "Total number of Debits,1,,Total number of Credits,2\n", plainHead + two + "Total number of Debits,1,,Total number of Credits,3\n"},
		"above the headings":  {"Total Debit,Total Credit\n100.00,1200.00\n" + plainHead + two, "Total Debit,Total Credit\n100.00,1300.00\n" + plainHead + two},
		"opening and closing": {"Opening Balance,1000.00\nClosing Balance : 2100.00\n" + plainHead + two, "Opening Balance,1000.00\nClosing Balance : 2200.00\n" + plainHead + two},
		"closing balance":     {"Opening Balance,1000.00\nClosing Balance,2200.00\n" + balanceHead + proven, "Opening Balance,1000.00\nClosing Balance,9000.00\n" + balanceHead + proven},
		"sum of HDFC":         {summary("1,18,000.00", "2,00,000.00", "1", "3,18,000.00"), summary("1,81,000.00", "2,00,000.00", "1", "3,18,000.00")},
		"opening of HDFC":     {summary("1,18,000.00", "2,00,000.00", "1", "3,18,000.00"), summary("1,18,000.00", "2,50,000.00", "1", "3,18,000.00")},
		"count of HDFC":       {summary("1,18,000.00", "2,00,000.00", "1", "3,18,000.00"), summary("1,18,000.00", "2,00,000.00", "2", "3,18,000.00")},
		"closing of HDFC":     {summary("1,18,000.00", "2,00,000.00", "1", "3,18,000.00"), summary("1,18,000.00", "2,00,000.00", "1", "3,32,000.00")},
		"page totals": {
			plainHead + two + ",Page Total,,100.00,1200.00\n" + plainHead + "23/11/2026,NEFT C,SBIN326327123456,,50.00\n,Page Total,,0.00,50.00\n,Grand Total,,100.00,1250.00\n",
			plainHead + two + ",Page Total,,100.00,1200.00\n" + plainHead + "23/11/2026,NEFT C,SBIN326327123456,,50.00\n,Page Total,,0.00,60.00\n,Grand Total,,100.00,1250.00\n",
		},
		"one column of amounts": {
			"Txn Date,Reference,Amount,Dr/Cr\n20/11/2026,SBIN326324123456,500.00,CR\n21/11/2026,SBIN326325123456,100.00,DR\nTotal,,500.00,CR\n",
			"Txn Date,Reference,Amount,Dr/Cr\n20/11/2026,SBIN326324123456,500.00,CR\n21/11/2026,SBIN326325123456,100.00,DR\nTotal,,900.00,CR\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			credits, problems := taken(t, tc.right)
			require.NotEmpty(t, credits)
			require.Zero(t, problems)
			credits, problems = taken(t, tc.wrong)
			require.Empty(t, credits)
			require.NotZero(t, problems)
		})
	}
}

func TestStatementFigures_LineThatCannotBeRead_ExplainsTheDifference(t *testing.T) {
	t.Parallel()
	const text = "Opening Balance,1000.00\n" + balanceHead + "20/11/2026,NEFT ASHA,SBIN326324123456,,500.00,1500.00\n21/11/2026,NEFT B,SBIN326325123456,,7OO.00,2200.00\n" +
		",Total,,0.00,1200.00,\n"
	credits, problems := taken(t, text)
	require.Len(t, credits, 1, "the balances prove it")
	require.Equal(t, 1, problems)
}
