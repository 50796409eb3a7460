package transfer_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/transfer"
)

// noon is a moment after every line of the statements below.
func noon() time.Time { return time.Date(2026, time.November, 25, 12, 0, 0, 0, clock.IST) }

// readRows reads a statement and writes each of its credits in one line: number, paise, day and problem.
func readRows(t *testing.T, text string) []string {
	t.Helper()
	rows, err := transfer.ReadStatement(text, noon())
	require.NoError(t, err, text)
	list := []string{}
	for _, r := range rows {
		list = append(list, strings.TrimSpace(fmt.Sprint(r.UTR, " ", int64(r.Amount), " ", r.PaidAt.In(clock.IST).Format(time.DateOnly), " ", r.Problem)))
	}
	return list
}

const utr = "SBIN326324123456"

// Banks write an amount in many ways; what it is worth is read to the paisa, and what is no amount is said instead of guessed.
func TestAnAmountIsReadAsItsBankWritesIt(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]string{
		"500": "50000", "500.5": "50050", "500.05": "50005", "1,18,000.00": "11800000", "118,000.00": "11800000", "₹500.00": "50000", "INR 500.00": "50000",
		"Rs. 500.00": "50000", "500.00 CR": "50000", "500.00Cr.": "50000", "500.00 (Cr)": "50000", "+500.00": "", "500.00+": "50000", " 500 ": "50000",
		"0.01": "1", "10000000000.00": "1000000000000",
	} {
		rows, err := transfer.ReadStatement("Date,Ref No,Deposit\n20/11/2026,"+utr+",\""+written+"\"\n", noon())
		require.NoError(t, err)
		require.Len(t, rows, 1, written)
		if want == "" {
			require.Equal(t, "The amount is no sum in rupees.", rows[0].Problem, written)
			continue
		}
		require.Empty(t, rows[0].Problem, written)
		require.Equal(t, want, fmt.Sprint(int64(rows[0].Amount)), written)
	}
	for _, nothing := range []string{"", "-", "0", "0.00", "-500.00", "(500.00)", "500.00-", "500.00 DR", "500.00Dr.", "500.00 (DR)", "500 D"} {
		require.Empty(t, readRows(t, "Date,Ref No,Deposit\n20/11/2026,"+utr+",\""+nothing+"\"\n"), "%q is no credit", nothing)
	}
	for _, wrong := range []string{"five hundred", "500.005", "5OO", "500;00"} {
		require.Equal(t, []string{utr + " 0 2026-11-20 The amount is no sum in rupees."}, readRows(t, "Date,Ref No,Deposit\n20/11/2026,"+utr+",\""+wrong+"\"\n"), wrong)
	}
	require.Equal(t, []string{utr + " 1000000000000001 2026-11-20 The amount is above zero."}, readRows(t, "Date,Ref No,Deposit\n20/11/2026,"+utr+",10000000000000.01\n"),
		"more than the product handles")
}

// A day is written in the forms of Indian banks, day before month, with or without the time behind it.
func TestADayIsReadInEveryForm(t *testing.T) {
	t.Parallel()
	for _, form := range []string{
		"2026-11-05", "05-11-2026", "05/11/2026", "5/11/2026", "05/11/26", "05-11-26", "05-Nov-2026", "5-Nov-2026", "05-NOV-26", "05/Nov/2026", "5 Nov 2026",
		"05 Nov 2026", "05.11.2026", "05-11-2026 23:59:59", "2026-11-05 00:00",
	} {
		require.Equal(t, []string{utr + " 50000 2026-11-05"}, readRows(t, "Date,Ref No,Deposit\n"+form+","+utr+",500\n"), form)
	}
	for form, why := range map[string]string{
		"11/13/2026": "no month is the thirteenth", "30/02/2026": "a day that no year has", "29/02/2026": "of no leap year", "soon": "no day", "26/11/2026": "a day to come",
		"24/11/2024": "more than two years ago",
	} {
		rows, err := transfer.ReadStatement("Date,Ref No,Deposit\n"+form+","+utr+",500\n", noon())
		require.NoError(t, err)
		require.Len(t, rows, 1, form)
		require.Equal(t, "The date is a day of the last two years.", rows[0].Problem, why)
	}
	require.Equal(t, []string{utr + " 50000 2026-11-25"}, readRows(t, "Date,Ref No,Deposit\n25/11/2026,"+utr+",500\n"), "today")
	require.Equal(t, []string{utr + " 50000 2024-11-26"}, readRows(t, "Date,Ref No,Deposit\n26/11/2024,"+utr+",500\n"), "two years ago, less a day")
	rows, err := transfer.ReadStatement("Date,Ref No,Deposit\n01/11/2026,"+utr+",500\n", noon())
	require.NoError(t, err)
	require.Equal(t, "2026-10-31T18:30:00Z", rows[0].PaidAt.UTC().Format(time.RFC3339), "a day begins at midnight in India")
}

// A column of deposits is known by each name that banks give it, however they write that it is in rupees.
func TestAColumnOfDepositsIsKnownByItsName(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"Deposit", "Deposits", "Deposit (INR)", "Deposits (INR)", "Deposit Amt.", "Deposit Amount (INR)", "Deposit Amount(INR )", "Credit", "Credit (INR)",
		"Credit Amount (INR)", "Credits (INR)", "Cr (INR)",
	} {
		require.Equal(t, []string{utr + " 50000 2026-11-20"}, readRows(t, "Date,Ref No,Withdrawal (INR),"+name+"\n20/11/2026,"+utr+",,500.00\n"), name)
	}
}

// A statement has a column of amounts with a word for their way, or one of deposits, which counts alone where both are there.
func TestTheWayOfMoneyIsReadFromItsColumn(t *testing.T) {
	t.Parallel()
	for way, credit := range map[string]bool{
		"CR": true, "Cr.": true, "C": true, "Credit": true, "": true, "(CR)": true, "DR": false, "dr.": false, "D": false, "Debit": false, "(Dr)": false,
		"Withdrawal": false, "W": false,
	} {
		rows := readRows(t, "Txn Date,Reference,Amount,Dr/Cr\n20/11/2026,"+utr+",500.00,"+way+"\n")
		require.Equal(t, credit, len(rows) == 1, "%q", way)
	}
	require.Equal(t, []string{utr + " 70000 2026-11-20"}, readRows(t, "Date,Reference,Amount,Credit\n20/11/2026,"+utr+",500.00,700.00\n20/11/2026,"+utr+",500.00,\n"),
		"a column of credits leaves no doubt")
}

// The number of a transfer is where the bank puts it; its form tells it from numbers of the bank's own.
func TestTheNumberIsTakenFromWhereItsFormIs(t *testing.T) {
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
		"twelve digits of nothing":                {"0412345678", "CASH 632712345678", "412345678"},
		"the payer's account":                     {"TRANSFER FROM 3199410044308", "CASH DEPOSIT", ""},
		"the payer's account, and the number":     {"TRANSFER FROM 3199410044308", "NEFT*HDFCN52026112001*ASHA", "HDFCN52026112001"},
		"a number of the bank's, if nothing else": {"FT0412345679", "BY CLEARING", "FT0412345679"},
		"in the column, beside another":           {"SBIN326324123456", "NEFT HDFCN52026112001", "SBIN326324123456"},
		"IMPS in the column, beside another":      {"632712345678", "IMPS 632712345679", "632712345678"},
		"between underscores":                     {"", "NEFT_AZRB926324123459_ASHA", "AZRB926324123459"},
		"between dashes of a printer":             {"", "NEFT–AZRB926324123459–ASHA", "AZRB926324123459"},
		"between a colon and a sign":              {"", "UPI:632712345678@okhdfc", "632712345678"},
		"behind MMT alone":                        {"", "MMT/632712345678/PO 4711", "632712345678"},
		"six digits behind ten letters":           {"", "NEFT ABCDEFGHIJ000999", "ABCDEFGHIJ000999"},
		"five digits behind eleven letters":       {"", "NEFT ABCDEFGHIJK00999", ""},
		"sixteen digits":                          {"", "NEFT 1234567890123456", ""},
		"twelve letters of IMPS":                  {"", "IMPS ABCDEFGHIJKL", ""},
		"a word of sixteen letters is no number":  {"", "NEFT ABCDEFGHIJKLMNOP", ""},
	} {
		rows, err := transfer.ReadStatement("Date,Ref No,Narration,Deposit\n20/11/2026,"+tc.reference+",\""+tc.narration+"\",500\n", noon())
		require.NoError(t, err)
		require.Len(t, rows, 1, name)
		require.Equal(t, tc.want, rows[0].UTR, name)
		require.Equal(t, tc.want == "", strings.Contains(rows[0].Problem, "names no number"), name)
	}
}

// A number is capitals and digits, without what banks put before or fill it up with.
func TestANumberIsOneWhateverStandsBeforeIt(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]string{
		"utr: sbin 3263-2412/3456": "SBIN326324123456", "UTRNOSBIN326324123456": "SBIN326324123456", "NEFTINSBIN326324123456": "SBIN326324123456",
		"IMPS632712345678": "632712345678", "RRNNUMBER632712345678": "632712345678", "UPICR632712345678": "632712345678", "REF 632712345678": "632712345678",
		"RTGSSBINR52026112400012345": "SBINR52026112400012345", "000632712345678": "632712345678", "00012345": "00012345", "000123456": "123456",
		"UTIB326324123456": "UTIB326324123456", "UTR12345": "UTR12345", "utr: utiz326324123456": "UTIZ326324123456", "00ABCDEF": "00ABCDEF", "NEFT12345678901": "NEFT12345678901", "": "", "—": "", "हजार": "",
		"RTGS1234567890123456": "RTGS1234567890123456", // behind a label, sixteen characters begin with the bank's letters
	} {
		require.Equal(t, want, transfer.CleanUTR(written), written)
		require.Equal(t, want, transfer.CleanUTR(transfer.CleanUTR(written)), "%s: cleaning twice changes nothing", written)
	}
}

// The columns are found under some lines about the account, in whatever order, between any of four separators.
func TestTheHeadingsAreFoundBelowTheAccount(t *testing.T) {
	t.Parallel()
	line := func(n int) string { return strings.Repeat("FRANCHISE 360,,\n", n) }
	const table = "Date,Ref No,Deposit\n20/11/2026," + utr + ",500\n"
	want := []string{utr + " 50000 2026-11-20"}
	require.Equal(t, want, readRows(t, line(59)+table))
	_, err := transfer.ReadStatement(line(60)+table, noon())
	require.Equal(t, errs.KindInvalid, errs.KindOf(err), "more than sixty lines about the account are none")
	require.Contains(t, errs.As(err).Fields, "csv")
	for _, comma := range []string{";", "\t", "|"} {
		require.Equal(t, want, readRows(t, strings.ReplaceAll(line(3)+table, ",", comma)), comma)
	}
	require.Equal(t, want, readRows(t, "\uFEFF"+table), "as a spreadsheet saves it")
	require.Equal(t, want, readRows(t, strings.ReplaceAll(table, "\n", "\r\n")))
	require.Equal(t, want, readRows(t, "Deposit Amount (INR),Narration,DATE,Chq./Ref.No.\n\"500\",x,20/11/2026,"+utr+"\n"))
	require.Equal(t, want, readRows(t, "Value Date,Txn Date,Reference No.,Credits\n19/11/2026,20/11/2026,"+utr+",500\n"), "the day of the transaction, not of the value")
	for _, few := range []string{
		"Amount,UTR,Date\n500," + utr + ",20/11/2026\n", "UTR,Amount,Date\n" + utr + ",500,20/11/2026\n", "Narration,Date,Deposit\nNEFT " + utr + ",20/11/2026,500\n",
		"Date,Deposit,Particulars\n20/11/2026,500,NEFT " + utr + "\n", "Date,Ref No,Deposit,Payer\n20/11/2026," + utr + ",500\n",
	} {
		require.Equal(t, want, readRows(t, few), "each column anywhere, and no more than are needed: %q", few)
	}
	require.Empty(t, readRows(t, "Date,Ref No,Deposit\n"), "a statement without credits")
	for _, none := range []string{
		"Date,Deposit\n20/11/2026,500\n", "Ref No,Deposit\n" + utr + ",500\n", "Date,Ref No\n20/11/2026," + utr + "\n", "Date,Ref No,Withdrawal\n20/11/2026," + utr + ",500\n",
		"Date\x00,Ref No,Deposit\n", "Date,Ref No,Deposit\n20/11/2026,\xff\xfe,500\n",
	} {
		_, err := transfer.ReadStatement(none, noon())
		require.Equal(t, errs.KindInvalid, errs.KindOf(err), "%q", none)
	}
}

// Sums, balances, headings of further pages and the bank's summary are no transactions; a line without a day that is neither is said.
func TestSumsAreNoTransactions(t *testing.T) {
	t.Parallel()
	const head = "Date,Narration,Ref No,Deposit\n"
	good := "20/11/2026,NEFT," + utr + ",500\n"
	want := utr + " 50000 2026-11-20"
	for _, sum := range []string{
		",OPENING BALANCE,,900\n", ",Closing Balance,,900\n", ",TRANSACTION TOTAL,,900\n", ",Grand Total,,900\n", ",Brought forward,,900\n", ",Carried Forward,,900\n",
		"Total,,,900\n", head, "********,****,****,********\n", ",,,\n", "\n",
	} {
		require.Equal(t, []string{want, want}, readRows(t, head+good+sum+good), "%q", sum)
	}
	for _, end := range []string{"STATEMENT SUMMARY :-,,,\n", "Account Summary,,,\n", ",End of statement,,\n"} {
		require.Equal(t, []string{want}, readRows(t, head+good+end+good), "%q ends it", end)
	}
	require.Equal(t, []string{utr + " 50000 0001-01-01 The date is a day of the last two years."}, readRows(t, head+",NEFT,"+utr+",500\n"))
	require.Equal(t, []string{want}, readRows(t, head+"20/11/2026,TOTAL ENERGIES NEFT,"+utr+",500\n"), "a payer may be called Total")
}

// Two hundred credits are taken at once; each says its own line of the file, also where a cell has a line break.
func TestAStatementHasTwoHundredCredits(t *testing.T) {
	t.Parallel()
	file := func(n int) string {
		var b strings.Builder
		b.WriteString("Date,Narration,Ref No,Deposit\n")
		for i := range n {
			fmt.Fprintf(&b, "20/11/2026,\"NEFT\nASHA\",SBIN32632412%04d,500\n", i)
		}
		return b.String()
	}
	rows, err := transfer.ReadStatement(file(200), noon())
	require.NoError(t, err)
	require.Len(t, rows, 200)
	require.Equal(t, []int{2, 4, 400}, []int{rows[0].Line, rows[1].Line, rows[199].Line})
	require.Equal(t, "NEFT ASHA", rows[0].Narration)
	_, err = transfer.ReadStatement(file(201), noon())
	require.Equal(t, errs.KindInvalid, errs.KindOf(err))
	withOut := file(200) + "20/11/2026,RENT,,-500\n"
	rows, err = transfer.ReadStatement(withOut, noon())
	require.NoError(t, err, "money that went out does not count")
	require.Len(t, rows, 200)
	long := "Date,Narration,Payer,Ref No,Deposit\n20/11/2026," + strings.Repeat("é", 400) + "," + strings.Repeat("म", 300) + "," + utr + ",500\n"
	rows, err = transfer.ReadStatement(long, noon())
	require.NoError(t, err)
	require.Equal(t, []string{strings.Repeat("é", 300), strings.Repeat("म", 200)}, []string{rows[0].Narration, rows[0].PayerName}, "cut between characters")
	short, err := transfer.ReadStatement("Date,Ref No,Deposit\n20/11/2026,12345,500\n20/11/2026,"+strings.Repeat("7", 36)+",500\n20/11/2026,123456,500\n20/11/2026,"+strings.Repeat("7", 35)+",500\n", noon())
	require.NoError(t, err)
	require.Equal(t, []string{"The UTR has 6 to 35 letters and digits.", "The UTR has 6 to 35 letters and digits.", "", ""},
		[]string{short[0].Problem, short[1].Problem, short[2].Problem, short[3].Problem})
}

// What a customer may deduct at each rate, in whole rupees as deductors round it, half up.
func TestWhatACustomerMayDeduct(t *testing.T) {
	t.Parallel()
	for taxable, want := range map[money.Paise][3]money.Paise{
		1_35_000_00: {1_350_00, 2_700_00, 13_500_00}, 12_500_00: {125_00, 250_00, 1_250_00}, 149_00: {1_00, 3_00, 15_00}, 150_00: {2_00, 3_00, 15_00},
		49_00: {0, 1_00, 5_00}, 1: {0, 0, 0}, 0: {0, 0, 0},
		49_99: {0, 1_00, 5_00}, 149_99: {1_00, 3_00, 15_00}, 24_99: {0, 0, 2_00}, 74_99: {1_00, 1_00, 7_00}, // rounded once: 49.99 paise are no half rupee
	} {
		list := transfer.Proforma{Taxable: taxable}.Deductibles()
		require.Equal(t, []transfer.Deductible{{100, want[0]}, {200, want[1]}, {1000, want[2]}}, list, taxable)
	}
	require.Equal(t, "PF-26-27-000001.pdf", transfer.Proforma{Number: "PF/26-27/000001"}.Filename())
}

// A bill is cancelled while it may be paid and nothing came for it; what goes back of a credit is what is left of it and what waits in bills.
func TestWhatMayBeCancelledAndGivenBack(t *testing.T) {
	t.Parallel()
	for state, want := range map[transfer.State]bool{transfer.StateOpen: true, transfer.StateExpired: true, transfer.StatePaid: false, transfer.StateCancelled: false, "": false} {
		require.Equal(t, want, transfer.Proforma{State: state}.Cancellable(), state)
		require.False(t, transfer.Proforma{State: state, Received: 1}.Cancellable(), state)
		require.False(t, transfer.Proforma{State: state, Busy: true}.Cancellable(), state)
	}
	c := transfer.BankCredit{State: transfer.CreditOpen, Amount: 1_000, Used: 600, Held: 250}
	require.Equal(t, []money.Paise{400, 650}, []money.Paise{c.Rest(), c.Returnable()})
	c.State = transfer.CreditUsed
	require.Equal(t, money.Paise(650), c.Returnable())
	c.State = transfer.CreditDismissed
	require.Zero(t, c.Returnable(), "what was dismissed never came")
	for name, account := range map[string]transfer.Account{
		"no number": {IFSC: "HDFC0000360", Beneficiary: "F"}, "no IFSC": {Number: "1", Beneficiary: "F"}, "nobody": {Number: "1", IFSC: "HDFC0000360"},
	} {
		require.False(t, account.Usable(), name)
	}
	require.True(t, transfer.Account{Number: "1", IFSC: "HDFC0000360", Beneficiary: "F"}.Usable())
}
