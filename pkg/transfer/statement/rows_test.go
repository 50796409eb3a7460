package statement_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/sheet"
	"github.com/franchise360/franchise360/pkg/transfer/statement"
	"github.com/franchise360/franchise360/pkg/transfer/utr"
)

// noon is a moment after every line of the statements below.
func noon() time.Time { return time.Date(2026, time.November, 25, 12, 0, 0, 0, clock.IST) }

// readStatement reads a text without columns that a person chose.
func readStatement(t *testing.T, text string) statement.Statement {
	t.Helper()
	s, err := statement.Read([]byte(text), nil, nothing, noon())
	require.NoError(t, err, text)
	return s
}

// nothing is the memory of an office that chose no columns yet.
func nothing(string) (statement.Layout, bool) { return statement.Layout{}, false }

// readRows reads a statement and writes each of its credits in one line: number, paise, day and problem.
func readRows(t *testing.T, text string) []string {
	t.Helper()
	list := []string{}
	for _, r := range readStatement(t, text).Rows {
		list = append(list, strings.TrimSpace(fmt.Sprint(r.UTR, " ", int64(r.Amount), " ", r.PaidAt.In(clock.IST).Format(time.DateOnly), " ", r.Problem)))
	}
	return list
}

const transferred = "SBIN326324123456"

// oneCredit reads a statement with one line, in which a cell is replaced.
func oneCredit(t *testing.T, day, amount string) []statement.Row {
	t.Helper()
	return readStatement(t, fmt.Sprintf("Date,Ref No,Deposit\n\"%s\",\"%s\",\"%s\"\n", day, transferred, amount)).Rows
}

func TestStatementAmount_EveryFormOfABank_IsReadToThePaisa(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]int64{
		"500": 50000, "500.5": 50050, "500.05": 50005, "1,18,000.00": 11800000, "118,000.00": 11800000, "1,18,00,000": 1180000000, "₹500.00": 50000,
		"INR 500.00": 50000, "INR34,279.01": 3427901, "Rs. 500.00": 50000, "Rs 500": 50000, "Rs.500/-": 50000, "500/-": 50000, "1,18,000/-": 11800000,
		"500.00 CR": 50000, "500.00Cr.": 50000, "500.00 (Cr)": 50000, "1,18,000.00(Cr)": 11800000, "CR500.00": 50000, "CR 500.00": 50000,
		"500.00 INR": 50000, "500 INR CR": 50000, "CR ₹500.00": 50000, "+₹500.00": 50000, "+500.00": 50000, "500.00+": 50000, " 500 ": 50000, "\t1,18,000.00": 11800000, "₹१,१८,०००": 11800000, "௫௦௦.௫௦": 50050,
		"0.01": 1, "10000000000.00": 1000000000000,
	} {
		rows := oneCredit(t, "20/11/2026", written)
		require.Len(t, rows, 1, written)
		require.Equal(t, []any{"", want}, []any{rows[0].Problem, int64(rows[0].Amount)}, written)
	}
	for _, nothing := range []string{"", "-", "--", "0", "0.00", "-500.00", "(500.00)", "500.00-", "500.00 DR", "500.00Dr.", "500.00 (DR)", "500 D", "DR500"} {
		require.Empty(t, oneCredit(t, "20/11/2026", nothing), "%q is no credit", nothing)
	}
	for _, wrong := range []string{
		"five hundred", "500.005", "5OO", "500;00", "1,18,00", "11,8000", "018,000.00", "000.00", "5 00", "500.00 CR DR", "-500 CR", "1.18.000", "1e5", "10000000000000.01",
		"500,00", ",500", "500-00", "5₹00.00", "5Rs00", "1₹18,000", "₹₹500", "₹500 INR",
	} {
		rows := oneCredit(t, "20/11/2026", wrong)
		require.Len(t, rows, 1, wrong)
		require.Equal(t, "The amount is not a sum in rupees.", rows[0].Problem, wrong)
	}
}

func TestStatementDay_FormThatIsClear_IsRead(t *testing.T) {
	t.Parallel()
	for _, form := range []string{
		"2026-11-05", "2026/11/05", "2026.11.05", "2026-11-05T10:31:05+05:30", "2026-11-05T10:31:05", "2026-11-04T20:00:00Z", "05-Nov-2026", "5-Nov-2026",
		"05-NOV-26", "05/Nov/2026", "5 Nov 2026", "05 Nov 26", "5 November 2026", "5 Nov 2026 10:31:05", "05 Nov 2026 10:31", "05-Nov-2026 10:31:05 AM",
		"Nov 05, 2026", "Nov 5  2026", "November05, 2026", "'2026-11-05", "2026-11-05 00:00", "05-Nov-26 (05-Nov-26)", "05NOV2026"[:2] + "-NOV-2026",
	} {
		require.Equal(t, []string{transferred + " 50000 2026-11-05"}, readRows(t, "Date,Ref No,Deposit\n\""+form+"\","+transferred+",500\n"), form)
	}
	for _, form := range []string{"25/11/2026", "25-11-2026", "25.11.2026", "'25/11/2026", "25/11/2026 23:59:59", "25-11-2026 00:00"} {
		require.Equal(t, []string{transferred + " 50000 2026-11-25"}, readRows(t, "Date,Ref No,Deposit\n"+form+","+transferred+",500\n"), form)
	}
	for form, want := range map[string]string{
		"30/02/2026": "There is no such day.", "29/02/2026": "There is no such day.", "soon": "The day of this line is not understood.",
		"05112026": "The day of this line is not understood.", "46331": "The day of this line is not understood.", "31/31/2026": "There is no such day.",
		"26/11/2026": "This day lies in the future.", "24/11/2024": "This day is more than two years ago.", "": "The day of this line is not understood.",
		"30-Feb-2026": "The day of this line is not understood.", "25/11-2026": "The day of this line is not understood.",
		"05-Nov-26 (05-Nov-26 (05-Nov-26))": "The day of this line is not understood.",
	} {
		rows := oneCredit(t, form, "500")
		require.Len(t, rows, 1, form)
		require.Equal(t, want, rows[0].Problem, form)
	}
	require.Equal(t, []string{transferred + " 50000 2024-11-26"}, readRows(t, "Date,Ref No,Deposit\n26/11/2024,"+transferred+",500\n"), "two years ago, less a day")
	require.Equal(t, "2026-10-31T18:30:00Z", oneCredit(t, "2026-11-01", "500")[0].PaidAt.UTC().Format(time.RFC3339), "a day begins at midnight in India")
}

func TestStatementDays_OrderOfDayAndMonth_IsDecidedOncePerFile(t *testing.T) {
	t.Parallel()
	file := func(head string, days ...string) string {
		text := head + "\n"
		for i, day := range days {
			text += fmt.Sprintf("%s,SBIN32632412%04d,500\n", day, i)
		}
		return text
	}
	days := func(s statement.Statement) (list []string) {
		for _, r := range s.Rows {
			list = append(list, cmp.Or(r.Problem, r.PaidAt.In(clock.IST).Format(time.DateOnly)))
		}
		return list
	}
	const head = "Date,Ref No,Deposit"
	s := readStatement(t, file(head, "11/5/2026", "11/6/2026", "11/20/2026"))
	require.Equal(t, []string{"2026-11-05", "2026-11-06", "2026-11-20"}, days(s), "the third line proves month first")
	s = readStatement(t, file(head, "11/5/2026", "11/6/2026", "20/5/2026"))
	require.Equal(t, []string{"2026-05-11", "2026-06-11", "2026-05-20"}, days(s), "the third line proves day first")
	s = readStatement(t, file(head, "11/5/2026", "11/20/2026", "20/11/2026", "2026-11-20"))
	require.Equal(t, "2026-11-20", days(s)[3])
	for _, problem := range days(s)[:3] {
		require.Contains(t, problem, "two orders")
	}
	ambiguous := file(head, "11/5/2026", "11/6/2026", "8/8/2026")
	s = readStatement(t, ambiguous)
	require.Equal(t, statement.AsksDayOrder, s.Asks)
	require.Equal(t, []string{"Say first whether the day or the month comes first.", "Say first whether the day or the month comes first.", "2026-08-08"}, days(s))
	for order, want := range map[sheet.DayOrder][]string{
		sheet.OrderDayFirst: {"2026-05-11", "2026-06-11", "2026-08-08"}, sheet.OrderMonthFirst: {"2026-11-05", "2026-11-06", "2026-08-08"},
	} {
		s, err := statement.Read([]byte(ambiguous), &statement.Layout{Order: order}, nothing, noon())
		require.NoError(t, err)
		require.Equal(t, statement.AsksNothing, s.Asks)
		require.Equal(t, want, days(s))
	}
	for _, stated := range []string{"Date (DD/MM/YY)", "Txn Date [dd-mm-yyyy]", "Transaction Date (dd/mm/yyyy)"} {
		require.Equal(t, []string{"2026-05-11"}, days(readStatement(t, file(stated+",Ref No,Deposit", "11/05/2026"))), stated)
	}
	require.Contains(t, days(readStatement(t, file("Date (DD/MM/YYYY),Ref No,Deposit", "11/05/2026", "11/20/2026")))[0], "two orders", "a day that the heading forbids")
	const hdfc = "Date,Narration,Chq./Ref.No.,Value Dt,Withdrawal Amt.,Deposit Amt.,Closing Balance\n"
	require.Equal(t, []string{"2026-05-11"}, days(readStatement(t, hdfc+"11/05/26,NEFT,"+transferred+",11/05/26,,500.00,500.00\n")), "the bank's own form")
	require.Equal(t, statement.AsksDayOrder, readStatement(t, hdfc+"11/5/2026,NEFT,"+transferred+",11/5/2026,,500.00,500.00\n").Asks, "a form that the bank does not write")
}

// A column of deposits is known by each name that banks give it, however they write that it is in rupees.
func TestStatement_DepositHeading_IsRecognised(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"Deposit", "Deposits", "Deposit (INR)", "Deposits (INR)", "Deposit Amt.", "Deposit Amount (INR)", "Deposit Amount(INR )", "Credit", "Credit (INR)",
		"Credit Amount (INR)", "Credits (INR)", "Cr (INR)",
	} {
		require.Equal(t, []string{transferred + " 50000 2026-11-20"}, readRows(t, "Date,Ref No,Withdrawal (INR),"+name+"\n20/11/2026,"+transferred+",,500.00\n"), name)
	}
}

// A statement has a column of amounts with a word for their way, or one of deposits, which counts alone where both are there.
func TestStatement_DirectionColumn_IsRead(t *testing.T) {
	t.Parallel()
	for way, credit := range map[string]bool{
		"CR": true, "Cr.": true, "C": true, "Credit": true, "(CR)": true, "DR": false, "dr.": false, "D": false, "Debit": false, "(Dr)": false,
		"Withdrawal": false, "W": false,
	} {
		rows := readRows(t, "Txn Date,Reference,Amount,Dr/Cr\n20/11/2026,"+transferred+",500.00,"+way+"\n")
		require.Equal(t, credit, len(rows) == 1, "%q", way)
	}
	for line, want := range map[string]string{
		"500.00,":     "Nothing says whether this was money in or out.",
		"500.00,NEFT": "The word for money in or out is not understood.",
		"-500.00,CR":  "The amount and the column beside it differ on whether this was money in or out.",
	} {
		require.Equal(t, want, readStatement(t, "Txn Date,Reference,Amount,Dr/Cr\n20/11/2026,"+transferred+","+line+"\n").Rows[0].Problem, line)
	}
	require.Equal(t, "This line has both money in and money out.", readStatement(t, "Date,Reference,Debit,Credit\n20/11/2026,"+transferred+",5,7\n").Rows[0].Problem)
	require.Equal(t, []string{transferred + " 70000 2026-11-20"}, readRows(t, "Date,Reference,Amount,Credit\n20/11/2026,"+transferred+",500.00,700.00\n20/11/2026,"+transferred+",500.00,\n"),
		"a column of credits leaves no doubt")
}

// The number of a transfer is where the bank puts it; its form tells it from numbers of the bank's own.
func TestStatementNumber_EachForm_IsFound(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ reference, narration, want string }{
		"NEFT in the column":                      {"SBIN326324123456", "NEFT CR", "SBIN326324123456"},
		"RTGS in the column":                      {"SBINR52026112400012345", "RTGS", "SBINR52026112400012345"},
		"IMPS in the column":                      {"632712345678", "IMPS", "632712345678"},
		"IMPS filled up with noughts":             {"0000632712345678", "IMPS", "632712345678"},
		"with the word before it":                 {"UTR NO: HDFC326324123456", "", "HDFC326324123456"},
		"in the narration alone":                  {"", "NEFT/HDFCN52026112001/ASHA", "HDFCN52026112001"},
		"in the narration, the bank's in front":   {"0412345678", "NEFT HDFCN52026112001 ASHA", "HDFCN52026112001"},
		"twelve digits of UPI in the narration":   {"", "UPI/CR/632712345678/RAVI", "632712345678"},
		"twelve digits of RRN in the narration":   {"", "RRN 632712345678", "632712345678"},
		"twelve digits behind MMT":                {"-", "MMT/IMPS/632712345678/PO 4711", "632712345678"},
		"twelve digits of nothing":                {"0412345678", "CASH 632712345678", ""},
		"the payer's account":                     {"TRANSFER FROM 3199410044308", "CASH DEPOSIT", ""},
		"the payer's account, and the number":     {"TRANSFER FROM 3199410044308", "NEFT*HDFCN52026112001*ASHA", "HDFCN52026112001"},
		"a number of the bank's, if nothing else": {"FT0412345679", "BY CLEARING", ""},
		"a cheque's number":                       {"123456", "BY CLEARING", ""},
		"a mobile number of ten digits":           {"9876543210", "BY CASH", ""},
		"behind the IFSC, at the end":             {"", "NEFT CR-SBIN0000691-ASHA SWEETS-SBIN326324123456", "SBIN326324123456"},
		"an invoice's number behind the payer":    {"", "NEFT-ASHA SWEETS-INVO260000012345-PUNE", ""},
		"NEFT, and twelve digits of the payer":    {"", "NEFT-HDFCN52026112001-ASHA-632712345678", "HDFCN52026112001"},
		"IMPS, and an account of sixteen":         {"", "IMPS-632712345678-ASHA-LBMU000012345678", "632712345678"},
		"a payer whose name begins with UPI":      {"", "BY CASH UPINDER 123405001234", ""},
		"behind the payer, of the day":            {"", "UPI/ASHA/632712345678/SWEETS", "632712345678"},
		"behind the payer, of another day":        {"", "UPI/ASHA/612345678901/SWEETS", ""},
		"between underscores":                     {"", "NEFT_AZRB926324123459_ASHA", "AZRB926324123459"},
		"between dashes of a printer":             {"", "NEFT–AZRB926324123459–ASHA", "AZRB926324123459"},
		"a UPI address":                           {"", "UPI:632712345678@okhdfc", ""},
		"behind a UPI address":                    {"", "UPI/CR/919876543210@ybl/632712345678/ASHA", "632712345678"},
		"behind a mobile number":                  {"-", "IMPS-P2A-919876543210-632712345678-ASHA", "632712345678"},
		"a UPI address in the column":             {"919876543210@ybl", "UPI 632712345678", "632712345678"},
		"an address with a digit behind it":       {"", "UPI-ASHA-9876543210-2@ybl-632712345678", "632712345678"},
		"an address after the number":             {"", "UPI-632712345678-asha.k@okicici", "632712345678"},
		"behind RRN, with another number":         {"", "UPI 612345678901 RRN 632712345678", "632712345678"},
		"of the day, next to an account":          {"", "IMPS 123405001234 632412345678", "632412345678"},
		"filled up, with a leading zero":          {"0000003212345678", "UPI", "003212345678"},
		"with a leading zero in the narration":    {"", "UPI/CR/003212345678/ASHA", "003212345678"},
		"with an apostrophe of a spreadsheet":     {"'632712345678", "UPI", "632712345678"},
		"behind MMT alone":                        {"", "MMT/632712345678/PO 4711", "632712345678"},
		"six digits behind ten letters":           {"", "NEFT ABCDEFGHIJ000999", "ABCDEFGHIJ000999"},
		"five digits behind eleven letters":       {"", "NEFT ABCDEFGHIJK00999", ""},
		"sixteen digits":                          {"", "NEFT 1234567890123456", ""},
		"twelve letters of IMPS":                  {"", "IMPS ABCDEFGHIJKL", ""},
		"a word of sixteen letters is no number":  {"", "NEFT ABCDEFGHIJKLMNOP", ""},
	} {
		rows := readStatement(t, "Date,Ref No,Narration,Deposit\n20/11/2026,"+tc.reference+",\""+tc.narration+"\",500\n").Rows
		require.Len(t, rows, 1, name)
		require.Equal(t, tc.want, rows[0].UTR, name)
		require.Equal(t, tc.want == "", rows[0].Problem != "", name)
	}
	for name, tc := range map[string]struct{ reference, narration, want string }{
		"scientific":                        {"6.32712E+11", "UPI ASHA", "spreadsheet"},
		"scientific without a sign":         {"4.69E11", "UPI ASHA", "spreadsheet"},
		"a point and a zero":                {"632712345678.0", "UPI ASHA", "spreadsheet"},
		"a point and two zeros":             {"632712345678.00", "UPI ASHA", "spreadsheet"},
		"rounded":                           {"632712000000", "UPI ASHA", "spreadsheet"},
		"rounded to fifteen digits":         {"403993715524046000", "TPT ASHA", "spreadsheet"},
		"a mobile number":                   {"919876543210", "UPI ASHA", "mobile"},
		"only a mobile number":              {"", "UPI-ASHA-919876543210-PF", "mobile"},
		"two numbers in the narration":      {"", "NEFT SBIN326324123456 HDFC326324123457", "several"},
		"the bank's own, of another bank's": {"0412345678", "NEFT ASHA", "of its own"},
		"two of the day":                    {"", "UPI/632712345678/ASHA/RRN 632612345679", "several"},
		"at its place, another of the day":  {"", "UPI/612345678901/ASHA/632712345678", "several"},
		"the column differs from NEFT":      {"SBIN326324123456", "NEFT HDFCN52026112001", "different numbers"},
		"the column differs from IMPS":      {"632712345678", "IMPS 632712345679", "different numbers"},
		"twice, glued and as a payer's":     {"", "NEFT_IN:34CITIN26717459833CITI0100000//CITIN26717459833/PAYPAL PAYMENTS", "not where banks write"},
		"without the type of transfer":      {"000412", "ACH CR-RAZORPAY SOFTWARE PVT LTD-SBIN326324123456-SETTLEMENT", "not where banks write"},
		"of a return":                       {"", "NEFT RETURN SBIN326324123456 NO SUCH ACCOUNT", "not where banks write"},
		"of IMPS, behind the payer":         {"", "UPI/ASHA/612345678901/SWEETS", "not where banks write"},
		"nothing but zeros":                 {"000000000000000", "INTEREST", "names no number"},
	} {
		rows := readStatement(t, "Date,Ref No,Narration,Deposit\n20/11/2026,"+tc.reference+",\""+tc.narration+"\",500\n").Rows
		require.Len(t, rows, 1, name)
		require.Contains(t, rows[0].Problem, tc.want, name)
	}
}

// A number is capitals and digits, without what banks put before or fill it up with.
func TestStatementNumber_PrefixAndPadding_AreRemoved(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]string{
		"utr: sbin 3263-2412/3456": "SBIN326324123456", "UTRNOSBIN326324123456": "SBIN326324123456", "NEFTINSBIN326324123456": "SBIN326324123456",
		"IMPS632712345678": "632712345678", "RRNNUMBER632712345678": "632712345678", "UPICR632712345678": "632712345678", "REF 632712345678": "632712345678",
		"RTGSSBINR52026112400012345": "SBINR52026112400012345", "000632712345678": "632712345678", "00012345": "00012345", "000123456": "123456",
		"UTIB326324123456": "UTIB326324123456", "UTR12345": "UTR12345", "utr: utiz326324123456": "UTIZ326324123456", "00ABCDEF": "00ABCDEF", "NEFT12345678901": "NEFT12345678901", "": "", "—": "", "हजार": "",
		"RTGS1234567890123456": "RTGS1234567890123456", // behind a label, sixteen characters begin with the bank's letters
	} {
		require.Equal(t, want, utr.Clean(written), written)
		require.Equal(t, want, utr.Clean(utr.Clean(written)), "%s: cleaning twice changes nothing", written)
	}
}

// The columns are found under some lines about the account, in whatever order, between any of four separators.
func TestStatement_HeadingsBelowTheAccountsLines_AreFound(t *testing.T) {
	t.Parallel()
	line := func(n int) string { return strings.Repeat("FRANCHISE 360,,\n", n) }
	const table = "Date,Ref No,Deposit\n20/11/2026," + transferred + ",500\n"
	want := []string{transferred + " 50000 2026-11-20"}
	require.Equal(t, want, readRows(t, line(99)+table))
	require.Equal(t, statement.AsksColumns, readStatement(t, line(100)+table).Asks, "more than a hundred lines about the account are none")
	for _, comma := range []string{";", "\t", "|"} {
		require.Equal(t, want, readRows(t, strings.ReplaceAll(line(3)+table, ",", comma)), comma)
	}
	require.Equal(t, want, readRows(t, "\uFEFF"+table), "as a spreadsheet saves it")
	require.Equal(t, want, readRows(t, strings.ReplaceAll(table, "\n", "\r\n")))
	require.Equal(t, want, readRows(t, "Deposit Amount (INR),Narration,DATE,Chq./Ref.No.\n\"500\",x,20/11/2026,"+transferred+"\n"))
	require.Equal(t, want, readRows(t, "Value Date,Txn Date,Reference No.,Credits\n19/11/2026,20/11/2026,"+transferred+",500\n"), "the day of the transaction, not of the value")
	for _, few := range []string{
		"Amount,UTR,Date\n500 CR," + transferred + ",20/11/2026\n", "UTR,Amount,Date\n" + transferred + ",500 CR,20/11/2026\n", "Narration,Date,Deposit\nNEFT " + transferred + ",20/11/2026,500\n",
		"Date,Deposit,Particulars\n20/11/2026,500,NEFT " + transferred + "\n", "Date,Ref No,Deposit,Payer\n20/11/2026," + transferred + ",500,\n",
	} {
		require.Equal(t, want, readRows(t, few), "each column anywhere, and no more than are needed: %q", few)
	}
	require.Empty(t, readRows(t, "Date,Ref No,Deposit\n"), "a statement without credits")
	for _, headings := range []string{"Money Out,Money In", "PAID OUT,PAID IN"} {
		require.Equal(t, want, readRows(t, "Date,Details,"+headings+",Ref,Balance\n20/11/2026,NEFT,,500,"+transferred+",500\n"), headings)
	}
	for _, other := range []string{
		"Date,Ref No,Money\n20/11/2026," + transferred + ",500\n", "Date,Ref No,Money (in Rs.)\n20/11/2026," + transferred + ",500\n",
		"Date,Deposit,Total\n20/11/2026,500,500\n", "Ref No,Deposit,Town\n" + transferred + ",500,Pune\n", "Date,Ref No,Note\n20/11/2026," + transferred + ",x\n",
		"Date,Ref No,Withdrawal\n20/11/2026," + transferred + ",500\n", "Date,Ref No,Deposit,Status\n20/11/2026," + transferred + ",500,FAILED\n",
	} {
		require.Equal(t, statement.AsksColumns, readStatement(t, other).Asks, "%q", other)
	}
}

// Sums, balances, headings of further pages and the bank's summary are no transactions. Any other line without a date is reported.
func TestStatement_SumsAndBalances_AreNoTransactions(t *testing.T) {
	t.Parallel()
	const head = "Date,Narration,Ref No,Deposit\n"
	good := "20/11/2026,NEFT," + transferred + ",500\n"
	want := transferred + " 50000 2026-11-20"
	for _, sum := range []string{
		",OPENING BALANCE,,900\n", ",Closing Balance,,900\n", ",TRANSACTION TOTAL,,500\n", ",Grand Total,,500\n", ",Brought forward,,900\n", ",Carried Forward,,900\n",
		"Total,,,500\n", head, "********,****,****,********\n", ",,,\n", "\n",
	} {
		require.Equal(t, []string{want, want}, readRows(t, head+good+sum+good), "%q", sum)
	}
	for _, end := range []string{"STATEMENT SUMMARY :-,,,\n", "Account Summary,,,\n", ",End of statement,,\n"} {
		require.Equal(t, []string{want}, readRows(t, head+good+end+"Total credits,500.00,,\n"), "%q begins figures that are no transactions", end)
		require.Len(t, readRows(t, head+good+end+good), 2, "%q hides no transaction behind it", end)
	}
	require.Equal(t, "The day of this line is not understood.", readStatement(t, head+",NEFT,"+transferred+",500\n").Rows[0].Problem)
	require.Equal(t, []string{want}, readRows(t, head+"20/11/2026,TOTAL ENERGIES NEFT,"+transferred+",500\n"), "a payer may be called Total")
}

// Two hundred credits are taken at once; each says its own line of the file, also where a cell has a line break.
func TestStatement_TwoHundredCredits_KeepTheirLines(t *testing.T) {
	t.Parallel()
	file := func(n int) string {
		var b strings.Builder
		b.WriteString("Date,Narration,Ref No,Deposit\n")
		for i := range n {
			fmt.Fprintf(&b, "20/11/2026,\"NEFT\nASHA\",SBIN32632412%04d,500\n", i)
		}
		return b.String()
	}
	rows := readStatement(t, file(200)).Rows
	require.Len(t, rows, 200)
	require.Equal(t, []int{2, 4, 400}, []int{rows[0].Line, rows[1].Line, rows[199].Line})
	require.Equal(t, "NEFT ASHA", rows[0].Narration)
	_, err := statement.Read([]byte(file(201)), nil, nothing, noon())
	require.Equal(t, errs.KindInvalid, errs.KindOf(err))
	withOut := file(200) + "20/11/2026,RENT,,-500\n"
	require.Len(t, readStatement(t, withOut).Rows, 200, "money that went out does not count")
	long := "Date,Narration,Payer,Ref No,Deposit\n20/11/2026," + strings.Repeat("é", 400) + "," + strings.Repeat("म", 300) + "," + transferred + ",500\n"
	rows = readStatement(t, long).Rows
	require.Equal(t, []string{strings.Repeat("é", 300), strings.Repeat("म", 200)}, []string{rows[0].Narration, rows[0].PayerName}, "cut between characters")
	for _, number := range []string{"12345", "123456", strings.Repeat("7", 35), strings.Repeat("7", 36)} {
		require.Contains(t, readStatement(t, "Date,Ref No,Deposit\n20/11/2026,"+number+",500\n").Rows[0].Problem, "of its own", number)
	}
}
