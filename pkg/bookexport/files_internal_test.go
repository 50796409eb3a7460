package bookexport

import (
	"encoding/csv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

func TestFiles_EachOne_HasItsNameAndType(t *testing.T) {
	t.Parallel()
	require.Equal(t, []File{FileTallyLedgers, FileTallyCustomers, FileTallyVouchers, FileZohoInvoices, FileZohoCreditNotes}, Files(),
		"masters before vouchers: Tally refuses a voucher whose ledger it does not know")
	b := month()
	for f, want := range map[File][3]string{
		FileTallyLedgers:    {"xml", "application/xml", "<REPORTNAME>All Masters</REPORTNAME>"},
		FileTallyCustomers:  {"xml", "application/xml", "<REPORTNAME>All Masters</REPORTNAME>"},
		FileTallyVouchers:   {"xml", "application/xml", "<REPORTNAME>Vouchers</REPORTNAME>"},
		FileZohoInvoices:    {"csv", "text/csv; charset=utf-8", "Invoice Number,Invoice Date,Invoice Status"},
		FileZohoCreditNotes: {"csv", "text/csv; charset=utf-8", "Credit Note Number,Credit Note Date,Credit Note Status"},
	} {
		require.Equal(t, want[0], f.Extension(), f)
		require.Equal(t, want[1], f.ContentType(), f)
		raw, err := b.file(f)
		require.NoError(t, err, f)
		require.Contains(t, string(raw), want[2], f)
	}
	_, err := b.file("tally")
	require.ErrorContains(t, err, "no such file: tally")
}

// The first import has our accounts and every customer. A later month's import has only new customers, because creating a ledger again
// would overwrite changes made in Tally.
func TestTallyCustomers_LaterMonth_CreatesOnlyNewCustomers(t *testing.T) {
	t.Parallel()
	const ravi = "019ae0c2-9f00-7a11-8f00-4b1d2c3e9999"
	b := month()
	b.all, b.fresh = []string{asha, ravi}, []string{ravi}
	b.named[ravi] = invoice.Named{Name: "Ravi Traders", StateCode: "26"}
	names := func(f File) (list []string) {
		raw, err := b.file(f)
		require.NoError(t, err)
		for _, m := range read(t, raw).Messages {
			require.Nil(t, m.Voucher)
			require.Equal(t, "Create", m.Ledger.Action)
			require.Equal(t, []string{m.Ledger.Name}, m.Ledger.Names)
			if m.Ledger.MailingName != nil {
				list = append(list, m.Ledger.MailingName.Name+", "+m.Ledger.State+", "+m.Ledger.BillWise)
			} else {
				list = append(list, "an account of ours")
			}
		}
		return list
	}
	require.Equal(t, []string{"Ravi Traders, Dadra & Nagar Haveli and Daman & Diu, Yes"}, names(FileTallyCustomers))
	all := names(FileTallyLedgers)
	require.Equal(t, []string{"Asha Sweets LLP, Karnataka, Yes", "Ravi Traders, Dadra & Nagar Haveli and Daman & Diu, Yes"}, all[len(all)-2:])
	require.Contains(t, all, "an account of ours")
	b.fresh = nil
	require.Empty(t, names(FileTallyCustomers))
}

// Each account belongs to one of Tally's own groups, or is one ledger per customer. Tax heads have Tally's names (help.tallysolutions.com,
// GST duty heads).
func TestTallyLedgers_EachAccount_IsInATallyGroup(t *testing.T) {
	t.Parallel()
	b := books{names: map[ledger.Account]string{}}
	accounts := []ledger.Account{
		ledger.AccountReceivable, ledger.AccountGatewayClearing, ledger.AccountBank, ledger.AccountInputTax, ledger.AccountCustomerCredit,
		ledger.AccountOutputCGST, ledger.AccountOutputSGST, ledger.AccountOutputUTGST, ledger.AccountOutputIGST, ledger.AccountRevenue,
		ledger.AccountRefunds, ledger.AccountFees, ledger.AccountChargebacks, ledger.AccountTaxNotRecovered, ledger.AccountHeldPayments,
		ledger.AccountRounding, ledger.AccountGatewayAdjustments, ledger.AccountBankReceipts, ledger.AccountTDSReceivable,
		ledger.AccountDeferredRevenue, ledger.AccountGSTTDSReceivable,
	}
	for _, a := range accounts {
		_, grouped := groups()[a]
		require.NotEqual(t, ofCustomer(a), grouped, "%s: kept by customer, or in a group", a)
		b.balances = append(b.balances, ledger.Balance{Account: a, Name: string(a)})
	}
	require.Len(t, groups(), len(accounts)-3)
	raw, err := b.ledgers(true, nil)
	require.NoError(t, err)
	got := map[string][]string{}
	for _, m := range read(t, raw).Messages {
		l := m.Ledger
		got[strings.TrimPrefix(l.Name, "F360 ")] = []string{l.Parent, l.TaxType, l.DutyHead, l.GSTApplicable, l.SupplyType}
	}
	require.Len(t, got, len(accounts)-3)
	for account, want := range map[string][]string{
		"bank": {"Bank Accounts", "", "", "", ""}, "output_cgst": {"Duties & Taxes", "GST", "Central Tax", "", ""},
		"output_sgst": {"Duties & Taxes", "GST", "State Tax", "", ""}, "output_utgst": {"Duties & Taxes", "GST", "State Tax", "", ""},
		"output_igst": {"Duties & Taxes", "GST", "Integrated Tax", "", ""}, "input_tax": {"Duties & Taxes", "", "", "", ""},
		"revenue": {"Sales Accounts", "", "", "Applicable", "Services"}, "refunds": {"Sales Accounts", "", "", "Applicable", "Services"},
		"tds_receivable": {"Loans & Advances (Asset)", "", "", "", ""}, "deferred_revenue": {"Current Liabilities", "", "", "", ""},
		"gateway_adjustments": {"Suspense A/c", "", "", "", ""}, "fees": {"Indirect Expenses", "", "", "", ""},
	} {
		require.Equal(t, want, got[account], account)
	}
}

// Money on the bank account is a receipt or a payment, which Tally keeps apart from journals; a sale is a sale whatever it touches.
func TestVoucher_Type_FollowsTheMovementOfMoney(t *testing.T) {
	t.Parallel()
	m := ledger.Movement{FranchiserID: asha, PaymentID: payment, Reference: "r", Amount: 500_00, At: at()}
	for name, tc := range map[string]struct {
		entry ledger.Entry
		want  string
	}{
		"a payout":                       {ledger.Settlement(m, 10_00, 1_80), "Receipt"},
		"a payout that charges more":     {ledger.Settlement(m, 600_00, 0), "Payment"},
		"a refund kept back":             {ledger.RefundSettlement(m, 0, 0), "Payment"},
		"a refund by bank transfer":      {ledger.BankRefund(m, 50_00, 0), "Payment"},
		"a transfer that came in":        {ledger.BankReceipt("c", ledger.AccountBank, 500_00, at()), "Receipt"},
		"a transfer that was dismissed":  {ledger.BankReceiptDismissed("c", ledger.AccountBank, 500_00, at()), "Payment"},
		"a transfer at the collector":    {ledger.BankReceipt("c", ledger.AccountGatewayClearing, 500_00, at()), "Journal"},
		"a capture":                      {ledger.Capture(m), "Journal"},
		"a charge of the gateway's bank": {ledger.AdjustmentSettlement(ledger.Movement{Reference: "x", At: at()}, 100_00, 18_00), "Payment"},
		"revenue of a day":               {ledger.Recognition(ledger.RevenueDay{Day: "2026-10-21", Billed: 1, At: at()}), "Journal"},
	} {
		require.Equal(t, tc.want, voucherType(lines("j", tc.entry)), name)
	}
	sale := lines("j", ledger.Entry{Kind: ledger.KindSale, Lines: []ledger.Line{ledger.Debit(ledger.AccountBank, 1), ledger.Credit(ledger.AccountRevenue, 1)}})
	require.Equal(t, "Sales", voucherType(sale))
	sale[0].Kind = ledger.KindCreditNote
	require.Equal(t, "Credit Note", voucherType(sale))
}

// A voucher's day is the day in India, and an entry without a customer names no party.
func TestVoucher_WithoutACustomer_NamesNoParty(t *testing.T) {
	t.Parallel()
	b := month()
	midnight := time.Date(2026, time.October, 31, 18, 30, 0, 0, time.UTC)
	v := b.voucher(lines("j9", ledger.AdjustmentSettlement(ledger.Movement{Reference: "payu/ADJ_1", At: midnight}, 100_00, 18_00)))
	require.Equal(t, []string{"f360-j9", "20261101", "Payment", "Payment", "Gateway adjustment", "No"},
		[]string{v.RemoteID, v.Date, v.Type, v.TypeName, v.Narration, v.IsInvoice})
	require.Empty(t, v.Party+v.PartyName+v.PartyGSTIN+v.Registration+v.State+v.Number)
	for _, e := range v.Entries {
		require.Nil(t, e.Bill)
		require.Empty(t, e.Party)
	}
	require.Equal(t, "20261031", b.voucher(lines("j9", ledger.Capture(ledger.Movement{
		FranchiserID: asha, PaymentID: payment, Reference: "r", Amount: 1, At: midnight.Add(-time.Second),
	}))).Date)
}

// An invoice opens its bill; credit notes and payments refer to it; an amount without a known invoice is on account.
func TestBillReference_EachEntry_NamesItsBill(t *testing.T) {
	t.Parallel()
	b := month()
	sold, noted := b.documents["i1"], b.documents["i2"]
	line := func(kind ledger.Kind, paymentID string, l ledger.Line) ledger.EntryLine {
		return ledger.EntryLine{Line: l, Kind: kind, PaymentID: paymentID, FranchiserID: asha}
	}
	debit, credit := ledger.Debit(ledger.AccountReceivable, 5_00), ledger.Credit(ledger.AccountReceivable, 5_00)
	for name, tc := range map[string]struct {
		line       ledger.EntryLine
		document   invoice.Taxed
		documented bool
		want       tallyBill
	}{
		"an invoice":                       {line(ledger.KindSale, payment, debit), sold, true, tallyBill{"F/26-27/000007", "New Ref", "-5.00"}},
		"a note":                           {line(ledger.KindCreditNote, payment, credit), noted, true, tallyBill{"F/26-27/000007", "Agst Ref", "5.00"}},
		"a note of an unnamed invoice":     {line(ledger.KindCreditNote, upgrade, credit), invoice.Taxed{}, true, tallyBill{"F/26-27/000008", "Agst Ref", "5.00"}},
		"a capture":                        {line(ledger.KindCapture, upgrade, credit), invoice.Taxed{}, false, tallyBill{"F/26-27/000008", "Agst Ref", "5.00"}},
		"a payment without an invoice":     {line(ledger.KindExtraCapture, "p9", credit), invoice.Taxed{}, false, tallyBill{"", "On Account", "5.00"}},
		"an entry without a payment":       {line(ledger.KindRounding, "", debit), invoice.Taxed{}, false, tallyBill{"", "On Account", "-5.00"}},
		"a sale whose document is missing": {line(ledger.KindSale, payment, debit), invoice.Taxed{}, false, tallyBill{"F/26-27/000007", "Agst Ref", "-5.00"}},
	} {
		require.Equal(t, tc.want, *b.bill(tc.line, tc.document, tc.documented), name)
	}
}

// The value of a document is split by service code and rate, on the side on which the books have it.
func TestVoucher_DocumentValue_IsSplitByCodeAndRate(t *testing.T) {
	t.Parallel()
	b := month()
	d := b.documents["i1"]
	d.Regime = invoice.RegimeState
	d.Lines = []invoice.TaxedLine{{SAC: "998315", RateBps: 1800, Taxable: 1_00_000_00}, {SAC: "998314", RateBps: 500, Taxable: 35_000_00}}
	sale := ledger.EntryLine{Line: ledger.Credit(ledger.AccountRevenue, 1_35_000_00)}
	require.Equal(t, []tallyEntry{
		{
			Ledger: "F360 Account revenue", Debit: "No", Amount: "100000.00", SAC: "998315", Taxability: "Taxable", SupplyType: "Services",
			Rates: []tallyRate{{"CGST", "9"}, {"SGST/UTGST", "9"}},
		},
		{
			Ledger: "F360 Account revenue", Debit: "No", Amount: "35000.00", SAC: "998314", Taxability: "Taxable", SupplyType: "Services",
			Rates: []tallyRate{{"CGST", "2.5"}, {"SGST/UTGST", "2.5"}},
		},
	}, b.supplies(sale, d))
	note := ledger.EntryLine{Line: ledger.Debit(ledger.AccountRefunds, 1_35_000_00)}
	for _, one := range b.supplies(note, d) {
		require.Equal(t, "Yes", one.Debit)
		require.Equal(t, byte('-'), one.Amount[0], "a debit is negative")
	}
	d.Commercial = true
	require.Equal(t, []tallyEntry{{Ledger: "F360 Account refunds", Debit: "Yes", Amount: "-135000.00"}}, b.supplies(note, d), "without GST there is no rate to state")
}

// Tally lists the States with "&"; each of ours has to be one of its names.
func TestTallyFiles_States_AreNamedAsInTally(t *testing.T) {
	t.Parallel()
	for code, want := range map[invoice.StateCode]string{
		"01": "Jammu & Kashmir", "26": "Dadra & Nagar Haveli and Daman & Diu", "35": "Andaman & Nicobar Islands", "27": "Maharashtra", "": "",
	} {
		require.Equal(t, want, stateName(code))
	}
	for _, s := range invoice.States() {
		if s.Code != "26" {
			require.NotContains(t, stateName(s.Code), " and ", s.Code)
		}
	}
	require.Equal(t, "F360 Customer 4b1d2c3e4fb4", party(asha))
	require.Equal(t, "F360 Customer short", party("short"))
}

// Zoho Books imports one kind of document per file, with a row for each service code and rate, dated in India. Credit notes without GST are
// in no file.
func TestZohoFiles_HaveOneDocumentKindEach(t *testing.T) {
	t.Parallel()
	b := month()
	b.issued[0].Lines = append(b.issued[0].Lines, invoice.TaxedLine{SAC: "998314", RateBps: 0, Taxable: 7})
	late, commercial, voucher := b.issued[0], b.issued[1], b.issued[0]
	late.Number, late.IssuedAt, late.GSTIN, late.SEZ, late.PlaceOfSupply = "F/26-27/000009", time.Date(2026, 10, 31, 18, 30, 0, 0, time.UTC), "", false, "27"
	late.Regime, late.Lines = invoice.RegimeState, late.Lines[:1]
	commercial.Number, commercial.Commercial = "D/26-27/000001", true
	voucher.Number, voucher.Kind = "R/26-27/000001", invoice.KindReceiptVoucher
	b.issued = append(b.issued, late, commercial, voucher)
	rows := func(f File) [][]string {
		raw, err := b.file(f)
		require.NoError(t, err)
		list, err := csv.NewReader(strings.NewReader(string(raw))).ReadAll()
		require.NoError(t, err)
		return list
	}
	require.Equal(t, [][]string{
		{
			"Invoice Number", "Invoice Date", "Invoice Status", "Customer Name", "GST Treatment", "GST Identification Number (GSTIN)", "Place of Supply",
			"Currency Code", "Account", "Item Name", "Item Type", "HSN/SAC", "Quantity", "Item Price", "Item Tax", "Is Inclusive Tax", "Due Date",
		},
		{"F/26-27/000007", "2026-10-21", "Closed", "Asha Sweets LLP (F360-4b1d2c3e4fb4)", "business_registered_regular", "29AAPFU0939F1ZR", "KA", "INR", "Sales", "Subscription", "service", "998315", "1", "135000.00", "IGST18", "false", "2026-10-21"},
		{"F/26-27/000007", "2026-10-21", "Closed", "Asha Sweets LLP (F360-4b1d2c3e4fb4)", "business_registered_regular", "29AAPFU0939F1ZR", "KA", "INR", "Sales", "Subscription", "service", "998314", "1", "0.07", "IGST0", "false", "2026-10-21"},
		{"F/26-27/000009", "2026-11-01", "Closed", "Asha Sweets LLP (F360-4b1d2c3e4fb4)", "consumer", "", "MH", "INR", "Sales", "Subscription", "service", "998315", "1", "135000.00", "GST18", "false", "2026-11-01"},
	}, rows(FileZohoInvoices))
	notes := rows(FileZohoCreditNotes)
	require.Len(t, notes, 2)
	require.Equal(t, []string{"Associated Invoice Number", "Reason"}, notes[0][16:])
	require.Equal(t, "C/26-27/000001", notes[1][0])
	require.Equal(t, "Open", notes[1][2])
	require.Equal(t, []string{"F/26-27/000007", "Others"}, notes[1][16:])
}

// The payments whose invoices are looked up: each once, and those of lines on a customer's account alone.
func TestPayments_OfCustomerLines_AreListedOnce(t *testing.T) {
	t.Parallel()
	line := func(a ledger.Account, paymentID string) ledger.EntryLine {
		return ledger.EntryLine{Line: ledger.Debit(a, 1), PaymentID: paymentID}
	}
	require.Equal(t, []string{"p1", "p2", "p3"}, paymentsOf([]ledger.EntryLine{
		line(ledger.AccountHeldPayments, "p3"), line(ledger.AccountReceivable, "p2"), line(ledger.AccountCustomerCredit, "p1"),
		line(ledger.AccountReceivable, "p1"), line(ledger.AccountBank, "p4"), line(ledger.AccountReceivable, ""),
	}))
	require.Empty(t, paymentsOf(nil))
}

// Lines in the order of their entries are grouped by entry, also for two consecutive entries of one document.
func TestLines_AreGroupedByTheirEntry(t *testing.T) {
	t.Parallel()
	b := books{balances: []ledger.Balance{{Account: ledger.AccountBank, Name: "Bank"}}}
	b.addEntries([]ledger.EntryLine{{JournalID: "a"}, {JournalID: "a"}, {JournalID: "b"}, {JournalID: "a"}})
	var sizes []int
	for _, e := range b.entries {
		sizes = append(sizes, len(e))
	}
	require.Equal(t, []int{2, 1, 1}, sizes)
	require.Equal(t, "F360 Bank", b.names[ledger.AccountBank])
}

// A file that would differ from the books is not handed out: an account that moved by another amount, on either side and at either end, a
// document that is missing or has another value; what moved without entries of the month counts, too.
func TestProblems_AccountMovedWithoutEntries_AreNamed(t *testing.T) {
	t.Parallel()
	for i := range month().balances {
		for name, change := range map[string]func(b *books){
			"debit before":  func(b *books) { b.before[i].Debit += 1 },
			"credit before": func(b *books) { b.before[i].Credit += 1 },
			"debit after":   func(b *books) { b.balances[i].Debit += 1 },
			"credit after":  func(b *books) { b.balances[i].Credit += 1 },
		} {
			b := month()
			change(&b)
			require.Equal(t, []string{b.balances[i].Name + " moves by another amount than its entries"}, b.problems(), name)
		}
	}
	b := month()
	for i := range b.balances { // earlier movements stay
		b.before[i].Debit, b.balances[i].Debit = b.before[i].Debit+7, b.balances[i].Debit+7
	}
	require.Empty(t, b.problems())
	b = month()
	d := b.documents["i1"]
	d.Lines = []invoice.TaxedLine{{Taxable: 1_00_000_00}, {Taxable: 35_000_00}}
	b.documents["i1"] = d
	require.Empty(t, b.problems(), "two lines that add up")
	d.Lines[1].Taxable -= money.Paise(1)
	require.Len(t, b.problems(), 1)
}

// Only a sale and a credit note are their document's voucher: it has the document's number and splits its value. What else names a document,
// as tax that is owed again, is a journal; and a sale whose document is missing keeps its value in one line.
func TestVoucher_OnlySalesAndCreditNotes_AreTheirDocuments(t *testing.T) {
	t.Parallel()
	b := month()
	note := b.voucher(b.entries[3])
	require.Equal(t, []string{"Credit Note", "C/26-27/000001", "Asha Sweets LLP", "Karnataka", "India"}, []string{note.Type, note.Number, note.PartyName, note.Place, note.Country})
	require.Equal(t, []string{"F360 Account refunds", "998315", "Yes"}, []string{note.Entries[0].Ledger, note.Entries[0].SAC, note.Entries[0].Debit})
	owed := lines("j8", ledger.InputTaxRefused(ledger.OwedTax{
		FranchiserID: asha, PaymentID: payment, InvoiceID: "i2", Number: "C/26-27/000001", Tax: invoice.Tax{IGST: 24_300_00}, Reference: "r", At: at(),
	}))
	journal := b.voucher(owed)
	require.Equal(t, []string{"Journal", "", "", "", party(asha)}, []string{journal.Type, journal.Number, journal.PartyName, journal.Country, journal.Party})
	delete(b.documents, "i1")
	lost := b.voucher(b.entries[0])
	require.Equal(t, []string{"Sales", "", ""}, []string{lost.Type, lost.Number, lost.Country})
	require.Len(t, lost.Entries, len(b.entries[0]), "no line is lost with the document")
	require.Equal(t, "135000.00", lost.Entries[1].Amount)
}
