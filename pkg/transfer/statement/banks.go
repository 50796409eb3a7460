package statement

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/franchise360/franchise360/pkg/platform/sheet"
	"github.com/franchise360/franchise360/pkg/transfer/utr"
)

// Column is the content of a statement's column.
type Column string

// The columns. ColumnIgnored is not needed, such as the branch.
const (
	ColumnUnknown    Column = ""
	ColumnDay        Column = "day"
	ColumnValueDay   Column = "value_day"
	ColumnCredit     Column = "credit"
	ColumnDebit      Column = "debit"
	ColumnAmount     Column = "amount"
	ColumnWay        Column = "direction"
	ColumnReference  Column = "reference"
	ColumnNarration  Column = "narration"
	ColumnPayer      Column = "payer"
	ColumnBalance    Column = "balance"
	ColumnBalanceWay Column = "balance_direction"
	ColumnIgnored    Column = "ignored"
)

// Columns returns every column that a person may choose.
func Columns() []Column {
	return []Column{
		ColumnDay, ColumnValueDay, ColumnCredit, ColumnDebit, ColumnAmount, ColumnWay, ColumnReference, ColumnNarration, ColumnPayer, ColumnBalance,
		ColumnBalanceWay, ColumnIgnored,
	}
}

// Bank describes one format of a bank's statement. Headings are those of the published sample, in order. The headings determine the
// columns, because each heading has one meaning (headingMeans).
type Bank struct {
	Name, Source string
	Headings     []string
	// Days are shapes of digits, such as 00/00/00, in which the day comes first. Another program wrote a day of another shape.
	Days []string
}

// The published samples behind the descriptions.
const (
	sourceHeaders  = "github.com/Amit49/Bank-Statement-to-csv-form, All_Bank_Header_List.md"
	sourceResearch = "github.com/asmitsharp/cashlens, docs/bank-statement-format-research.md"
	sourceShara    = "github.com/FFFSTANZA/SharaLedger, docs/INDIAN_BANK_FORMATS.md"
	sourceAxis     = "github.com/arpitgupta2712/BankTransact, AXIS/docs/README.md"
	sourceHDFC     = "github.com/Balasubramaniamvenkat/expenses_tracker, CSV_FORMAT.md"
	sourcePDF      = "github.com/sabirsp/pdfparser, SUPPORTED_BANKS.md"
	sourceICICI    = "github.com/np4652/ICICI, src/AppCode/Reops/Entities/FetchStatement.cs"
	// sourceImporters are samples in the tests of public importers; several of them have the same headings.
	sourceImporters = "samples of public statement importers"
)

// Banks returns the descriptions. The day shapes of the header list come from SharaLedger's page for the same bank.
func Banks() []Bank {
	const slash, slashShort, dash = "00/00/0000", "00/00/00", "00-00-0000"
	list := func(text string) []string { return strings.Split(text, "|") }
	return []Bank{
		{"HDFC Bank", sourceHDFC, list("Date|Narration|Chq./Ref.No.|Value Dt|Withdrawal Amt.|Deposit Amt.|Closing Balance"), []string{slashShort, slash, dash}},
		{"HDFC Bank", sourceImporters, list("Date|Narration|Value Dat|Debit Amount|Credit Amount|Chq/Ref Number|Closing Balance"), []string{slashShort}},
		{"ICICI Bank", sourceResearch, list("S No.|Value Date|Transaction Date|Cheque Number|Transaction Remarks|Withdrawal Amount (INR )|Deposit Amount (INR )|Balance (INR )"), []string{slash, dash}},
		{"ICICI Bank", sourceResearch, list("Value Date|Transaction Date|Cheque Number|Transaction Remarks|Withdrawal Amount (INR)|Deposit Amount (INR)|Balance (INR)"), []string{slash, dash}},
		{"ICICI Bank", sourceHeaders, list("Sr No|Value Date|Transaction Date|Cheque Number|Transaction Remarks|Debit Amount|Credit Amount|Balance(INR)"), []string{slash, dash}},
		{"ICICI Bank", sourceICICI, list("S.N.|Tran. Id|Value Date|Transaction Date|Transaction Posted Date and time|Cheque. No./Ref. No.|Transaction Remarks|Withdrawal Amt (INR)|Deposit Amt (INR)|Balance (INR)"), []string{slash, dash}},
		{"ICICI Bank", sourceImporters, list("No.|Transaction ID|Value Date|Txn Posted Date|ChequeNo.|Description|Cr/Dr|Transaction Amount(INR)|Available Balance(INR)"), []string{slash}},
		{"State Bank of India", sourceResearch, list("Txn Date|Value Date|Description|Ref No./Cheque No.|Debit|Credit|Balance"), []string{slash, dash, slashShort}},
		{"State Bank of India", sourceResearch, list("Txn Date|Description|Ref No./Cheque No.|Value Date|Debit|Credit|Balance"), []string{slash}},
		{"State Bank of India", sourceHeaders, list("Txn Date|Value Date|Description|Ref No./Cheque No.|Branch Code|Debit|Credit|Balance"), []string{slash}},
		{"Axis Bank", sourceAxis, list("S.No|Transaction Date (dd/mm/yyyy)|Value Date (dd/mm/yyyy)|Particulars|Amount(INR)|Debit/Credit|Balance(INR)|Cheque Number|Branch Name(SOL)"), []string{slash}},
		{"Axis Bank", sourceImporters, list("Tran Date|CHQNO|PARTICULARS|DR|CR|BAL|SOL"), []string{dash, slash}},
		{"Axis Bank", sourceHeaders, list("Tran Date|Chq No|Particulars|Debit|Credit|Balance|Init. br"), []string{dash, slash}},
		{"Axis Bank", sourceResearch, list("Transaction Date|Particulars|Cheque No.|Dr/Cr|Amount|Balance"), []string{slash, dash}},
		{"Kotak Mahindra Bank", sourceImporters, list("Sl. No.|Transaction Date|Value Date|Description|Chq / Ref No.|Amount|Dr / Cr|Balance|Dr / Cr"), []string{dash, slash}},
		{"Kotak Mahindra Bank", sourceHeaders, list("Sl.No.|Date|Description|Chq / Ref number|Amount|Dr / Cr|Balance|Dr / Cr"), []string{dash, slash}},
		{"Kotak Mahindra Bank", sourceHeaders, list("Date|Narration|Chq/Ref No|Withdrawal (Dr)/Deposit (Cr)|Balance"), []string{dash}},
		{"Kotak Mahindra Bank", sourceHeaders, list("Date|Narration|Chq/Ref No.|Withdrawal (Dr)|Deposit (Cr)|Balance"), []string{dash, slash}},
		{"Kotak Mahindra Bank", sourceImporters, list("Sl. No.|Transaction Date|Value Date|Description|Chq / Ref number|Debit|Credit|Balance"), []string{dash}},
		{"AU Small Finance Bank", sourceImporters, list("Trans Date|Value Date|Description/Narration|Chq./Ref.No.|Debit(Dr.) INR|Credit(Cr.) INR|Balance INR"), nil},
		{"Bank of Baroda", sourceHeaders, list("Serial No|Transaction Date|Value Date|Description|Cheque Number|Debit|Credit|Balance"), []string{dash, slash}},
		{"Bank of Baroda", sourceHeaders, list("S.No|Date|Description|Cheque No|Debit|Credit|Balance|Value Date"), []string{dash, slash}},
		{"Bank of India", sourceImporters, list("Sl No|Txn Date|Description|Cheque No|Withdrawal (in Rs.)|Deposits (in Rs.)|Balance (in Rs.)"), []string{dash}},
		{"Bank of India", sourceHeaders, list("Transaction Date|Instrument Id|Narration|Debit|Credit|Balance"), []string{dash, slash}},
		{"Bandhan Bank", sourcePDF, list("Transaction Date|Value Date|Description|Amount|Dr / Cr|Balance"), nil},
		{"Canara Bank", sourceHeaders, list("TRANS DATE|VALUE DATE|BRANCH|REF/CHQ.NO|DESCRIPTION|WITHDRAWS|DEPOSIT|BALANCE"), []string{slash, dash}},
		{"Federal Bank", sourceHeaders, list("Date|Value Date|Particulars|TranType|Cheque Details|Withdrawals|Deposits|Balance"), []string{dash, slash}},
		{"Federal Bank", sourceHeaders, list("Date|Value Date|Particulars|TranType|Tran ID|Cheque Details|Withdrawals|Deposits|Balance|Dr/Cr"), []string{dash, slash}},
		{"IDBI Bank", sourceHeaders, list("Date|Particulars|Chq. no|Withdrawals|Deposits|Balance"), []string{slash, dash}},
		{"IDFC FIRST Bank", sourceImporters, list("Transaction Date|Value Date|Particulars|Cheque No.|Debit|Credit|Balance"), nil},
		{"Indian Overseas Bank", sourcePDF, list("Date(Value Date)|Particulars|Ref No./Cheque No.|Transaction Type|Debit(Rs)|Credit(Rs)|Balance(Rs)"), nil},
		{"IndusInd Bank", sourceHeaders, list("Date|Particulars|Chq./Ref.No.|Withdrawl|Deposit|Balance"), []string{slash, dash}}, //nolint:misspell // as the bank writes it
		{"IndusInd Bank", sourceImporters, list("Sr.No.|Date|Type|Description|Debit|Credit|Balance"), nil},
		{"Punjab National Bank", sourceHeaders, list("Transaction Date|Cheque Number|Withdrawal|Deposit|Balance|Narration"), []string{slash, dash}},
		{"Union Bank of India", sourceHeaders, list("Tran Id|Tran Date|Remarks|Amount (Rs.)|Balance (Rs.)"), []string{slash, dash}},
		{"Yes Bank", sourcePDF, list("Transaction Date|Value Date|Description|Reference Number|Withdrawals|Deposits|Running Balance"), nil},
		{"Yes Bank", sourceImporters, list("Transaction Date|Value Date|Cheque No/Reference No|Description|Withdrawals|Deposits|Running Balance"), []string{slash}},
	}
}

// headingMeans returns each known heading, in the plain letters of headingOf, with its meaning. It omits ambiguous headings; a person
// decides those.
func headingMeans() map[string]Column {
	means := map[string]Column{}
	for column, words := range map[Column]string{
		ColumnDay: "DATE TRANSACTIONDATE TXNDATE TRANDATE TRANSDATE TRNDATE TXNPOSTEDDATE POSTDATE POSTEDDATE POSTINGDATE DATEVALUEDATE " +
			"DATETIME TRANSACTIONDATETIME TRANSACTIONPOSTEDDATEANDTIME DAYIST",
		ColumnValueDay: "VALUEDATE VALUEDT VALUEDAT VALDATE",
		ColumnCredit: "DEPOSIT DEPOSITS DEPOSITAMT DEPOSITAMOUNT DEPOSITCR DEPOSITSCR CREDIT CREDITS CREDITAMOUNT CREDITAMT CREDITCR CR CRAMOUNT " +
			"CRAMT DEPOSITAMTCR CREDITAMOUNTCR MONEYIN PAIDIN",
		ColumnDebit: "WITHDRAWAL WITHDRAWALS WITHDRAWS WITHDRAWL WITHDRAWLS WITHDRAWALAMT WITHDRAWALAMOUNT WITHDRAWALDR WITHDRAWALSDR WITHDRAWLDR " + //nolint:misspell // as banks write it
			"DEBIT DEBITS DEBITAMOUNT DEBITAMT DEBITDR DR DRAMOUNT DRAMT MONEYOUT PAIDOUT",
		ColumnAmount: "AMOUNT TRANSACTIONAMOUNT TXNAMOUNT WITHDRAWALDRDEPOSITCR",
		ColumnWay:    "DRCR CRDR DEBITCREDIT CREDITDEBIT DC CD INDICATOR TYPE TRANSACTIONTYPE TXNTYPE",
		ColumnReference: "REF UTR UTRNO UTRNUMBER UTRREFNO REFERENCE REFERENCENO REFERENCENUMBER REFNO REFNUMBER CHQREFNO CHQREFNUMBER CHEQUENOREFNO " +
			"REFNOCHEQUENO REFCHQNO CHEQUEREFERENCENO CHEQUENOREFERENCENO CHQNO CHQNUMBER CHEQUENO CHEQUENUMBER INSTRUMENTNO INSTRUMENTID " +
			"TRANSACTIONID TRANID CHEQUEDETAILS TRANSACTIONREFNO REFNOCHQNO CHQNOREFNO",
		ColumnNarration: "NARRATION DESCRIPTION DESCRIPTIONNARRATION PARTICULARS PARTICULAR REMARKS TRANSACTIONREMARKS TRANSACTIONDESCRIPTION " +
			"TRANSACTIONDETAILS TRANSACTIONPARTICULARS DETAILS",
		ColumnPayer:   "PAYER PAYERNAME REMITTER REMITTERNAME SENDERNAME NAME",
		ColumnBalance: "BALANCE BAL CLOSINGBALANCE CLOSINGBAL RUNNINGBALANCE AVAILABLEBALANCE BALANCEAMOUNT BALANCEAMT LEDGERBALANCE",
		ColumnIgnored: "SNO SN SLNO SRNO SRLNO SERIALNO NO SOL SOLID BRANCH BRANCHCODE BRANCHNAME BRANCHNAMESOL INITBR TRANTYPE",
	} {
		for word := range strings.FieldsSeq(words) {
			means[word] = column
		}
	}
	return means
}

var (
	bracketed = regexp.MustCompile(`[(\[]([^)\]]*)[)\]]`)
	moneyIn   = regexp.MustCompile(`(MONEY|PAID)\s+IN\s*$`)
	dayForm   = regexp.MustCompile(`^(DD?MM?|MM?DD?)(YY|YYYY)$`)
)

// headingOf returns the letters of a heading without its currency and day format, and the day order that the heading states.
func headingOf(text string) (string, sheet.DayOrder) {
	order := sheet.OrderUnknown
	text = bracketed.ReplaceAllStringFunc(strings.ToUpper(text), func(group string) string {
		if form := utr.Plain(group); dayForm.MatchString(form) {
			order = sheet.OrderMonthFirst
			if form[0] == 'D' {
				order = sheet.OrderDayFirst
			}
			return ""
		}
		return " " + group[1:len(group)-1] + " "
	})
	text = moneyIn.ReplaceAllString(text, "${1}IN") // elsewhere IN belongs to a currency, as in "Deposits (in Rs.)"
	words := strings.FieldsFunc(text, func(r rune) bool { return (r < 'A' || r > 'Z') && (r < '0' || r > '9') })
	words = slices.DeleteFunc(words, func(word string) bool { return word == "INR" || word == "RS" || word == "RUPEES" || word == "IN" })
	return strings.Join(words, ""), order
}

// headingWord returns a heading for comparison. Without Latin letters, it keeps the letters of its script.
func headingWord(cell string) string {
	word, _ := headingOf(cell)
	if word == "" {
		word = strings.Join(strings.FieldsFunc(cell, func(r rune) bool { return !unicode.In(r, unicode.L, unicode.M) }), "")
	}
	return word
}

// HeadingsKey returns the key by which headings are compared and remembered.
func HeadingsKey(cells []string) string {
	words := make([]string, 0, len(cells))
	for _, cell := range cells {
		words = append(words, headingWord(cell))
	}
	return strings.Trim(strings.Join(words, "|"), "|")
}

// columnsOf returns the columns of headings. It returns false if a heading is unknown or the columns make no statement.
func columnsOf(means map[string]Column, head []string) ([]Column, bool) {
	columns, known := make([]Column, len(head)), true
	ways, balances := false, false
	for i, cell := range head {
		word, _ := headingOf(cell)
		columns[i] = means[word]
		if word == "" {
			columns[i] = ColumnIgnored
		}
		known = known && columns[i] != ColumnUnknown
		if columns[i] == ColumnWay && (ways && balances || i > 0 && columns[i-1] == ColumnBalance) {
			columns[i] = ColumnBalanceWay
		}
		ways, balances = ways || columns[i] == ColumnWay, balances || columns[i] == ColumnBalance
	}
	settle(head, columns)
	return columns, known && complete(columns)
}

// settle chooses between columns of one kind. The transaction's day precedes the posting or value day; separate columns for money in and
// out precede a shared one.
func settle(head []string, columns []Column) {
	days := []string{"DATE", "TRANSACTIONDATE", "TXNDATE", "TRANDATE", "TRANSDATE", "TRNDATE", "TRANSACTIONDATETIME", "DATETIME", "TXNPOSTEDDATE"}
	best, at, twice := len(days)+1, -1, -1
	for i, column := range columns {
		if column != ColumnDay {
			continue
		}
		columns[i] = ColumnValueDay
		word, _ := headingOf(head[i])
		place := slices.Index(days, word)
		if place < 0 {
			place = len(days)
		}
		switch {
		case place < best:
			best, at, twice = place, i, -1
		case place == best:
			twice = i
		}
	}
	if at < 0 {
		at = slices.Index(columns, ColumnValueDay)
	}
	if at >= 0 {
		columns[at] = ColumnDay
	}
	if twice >= 0 {
		columns[twice] = ColumnUnknown // if two columns have the same heading, a person chooses the day
	}
	if slices.Contains(columns, ColumnCredit) {
		for i, column := range columns {
			if column == ColumnAmount {
				columns[i] = ColumnIgnored
			}
		}
	}
}

// complete reports whether columns make a statement: one day, money in with its direction, and a UTR or a narration.
func complete(columns []Column) bool {
	count := map[Column]int{}
	for _, column := range columns {
		count[column]++
	}
	money := count[ColumnCredit] == 1 && count[ColumnAmount] == 0 || count[ColumnAmount] == 1 && count[ColumnCredit]+count[ColumnDebit] == 0
	return count[ColumnDay] == 1 && money && count[ColumnReference]+count[ColumnNarration] > 0 &&
		count[ColumnDebit] <= 1 && (count[ColumnWay] <= 1 || count[ColumnCredit] == 1) && count[ColumnBalance] <= 1 && count[ColumnBalanceWay] <= 1 && count[ColumnUnknown] == 0
}

// bankOf returns the description with exactly these headings.
func bankOf(head []string) (Bank, bool) {
	key := HeadingsKey(head)
	for _, b := range Banks() {
		if HeadingsKey(b.Headings) == key {
			return b, true
		}
	}
	return Bank{}, false
}
