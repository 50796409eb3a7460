package gstreturn

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// published is the file of a return with one invoice to another State, one within the State to a recipient without a GSTIN, and one credit
// note, as another vendor's software writes it for the offline tool.
const published = `{"gstin":"27AAPFU0939F1ZV","fp":"112026","version":"GST3.2.4","hash":"hash",
"b2b":[{"ctin":"29AAGCB7383J1Z4","inv":[{"inum":"F/26/1","idt":"05-11-2026","val":118000,"pos":"29","rchrg":"N","inv_typ":"R",
 "itms":[{"num":1801,"itm_det":{"txval":100000,"rt":18,"iamt":18000,"csamt":0}}]}]}],
"b2cs":[{"sply_ty":"INTRA","rt":18,"typ":"OE","pos":"27","txval":1000,"camt":90,"samt":90,"csamt":0}],
"cdnr":[{"ctin":"29AAGCB7383J1Z4","nt":[{"nt_num":"C/26/1","nt_dt":"09-11-2026","ntty":"C","val":1180,"pos":"29","rchrg":"N","inv_typ":"R",
 "itms":[{"num":1801,"itm_det":{"txval":1000,"rt":18,"iamt":180,"csamt":0}}]}]}],
"hsn":{"hsn_b2b":[{"num":1,"hsn_sc":"998315","uqc":"NA","qty":0,"rt":18,"txval":99000,"iamt":17820,"camt":0,"samt":0,"csamt":0}],
 "hsn_b2c":[{"num":1,"hsn_sc":"998315","uqc":"NA","qty":0,"rt":18,"txval":1000,"iamt":0,"camt":90,"samt":90,"csamt":0}]},
"doc_issue":{"doc_det":[{"doc_num":1,"docs":[{"num":1,"from":"F/26/1","to":"F/26/2","totnum":2,"cancel":0,"net_issue":2}]},
 {"doc_num":5,"docs":[{"num":1,"from":"C/26/1","to":"C/26/1","totnum":1,"cancel":0,"net_issue":1}]}]}}`

const home, buyer = "27AAPFU0939F1ZV", "29AAGCB7383J1Z4"

func november() Month { return Month{2026, time.November} }

func on(day int) time.Time { return time.Date(2026, time.November, day, 10, 0, 0, 0, clock.IST) }

// document returns one with a single line of 18 % on a value in rupees.
func document(kind invoice.Kind, n int64, number string, at time.Time, rupees int64, to string, place invoice.StateCode) invoice.Taxed {
	value := money.FromRupees(rupees)
	regime, tax := invoice.RegimeInterState, invoice.Tax{IGST: value * 18 / 100}
	if place == "27" {
		regime, tax = invoice.RegimeState, invoice.Tax{CGST: value * 9 / 100, SGST: value * 9 / 100}
	}
	return invoice.Taxed{
		ID: number, Kind: kind, Series: number[:1], Sequence: n, Number: number, IssuedAt: at, GSTIN: to, SupplierGSTIN: home, SupplierState: "27",
		PlaceOfSupply: place, Regime: regime, Total: value + tax.Total(),
		Lines: []invoice.TaxedLine{{SAC: "998315", RateBps: 1800, Taxable: value, Tax: tax}},
	}
}

func returnOf(list ...invoice.Taxed) Return {
	b := newBuilder(november(), home, func(Table, int) bool { return true })
	for _, d := range list {
		b.add(d)
	}
	return b.done()
}

func TestReturnFile_PublishedSample_IsEqual(t *testing.T) {
	t.Parallel()
	r := returnOf(
		document(invoice.KindInvoice, 1, "F/26/1", on(5), 100_000, buyer, "29"),
		document(invoice.KindInvoice, 2, "F/26/2", on(7), 1_000, "", "27"),
		document(invoice.KindCreditNote, 1, "C/26/1", on(9), 1_000, buyer, "29"),
	)
	require.Empty(t, r.Problems)
	raw, err := r.JSON()
	require.NoError(t, err)
	require.JSONEq(t, published, string(raw))
	require.Equal(t, money.FromRupees(100_000), r.Outward().Taxable)
	require.Equal(t, r.Outward().Tax, r.ByCode().Tax)
}

func TestB2CL_OnlyInterStateInvoicesAboveALakh(t *testing.T) {
	t.Parallel()
	exact := document(invoice.KindInvoice, 1, "F/26/1", on(1), 84_745, "", "29")
	exact.Total = largeInvoice // "exceeds" one lakh
	above := document(invoice.KindInvoice, 2, "F/26/2", on(1), 84_746, "", "29")
	atHome := document(invoice.KindInvoice, 3, "F/26/3", on(1), 500_000, "", "27")
	require.Equal(t, TableB2CS, tableOf(exact))
	require.Equal(t, TableB2CL, tableOf(above))
	require.Equal(t, TableB2CS, tableOf(atHome))
	note := document(invoice.KindCreditNote, 1, "C/26/1", on(2), 100, "", "29")
	note.OriginalTotal = above.Total
	require.Equal(t, TableCDNUR, tableOf(note), "a note follows its invoice, however small it is")
	note.OriginalTotal = exact.Total
	require.Equal(t, TableB2CS, tableOf(note))
}

func TestB2CS_CreditNotes_AreNettedEvenBelowZero(t *testing.T) {
	t.Parallel()
	note := document(invoice.KindCreditNote, 1, "C/26/1", on(3), 1_500, "", "27")
	r := returnOf(document(invoice.KindInvoice, 1, "F/26/1", on(1), 1_000, "", "27"), note)
	require.Equal(t, money.FromRupees(-500), r.Rows[TableB2CS][0].Taxable)
	require.Equal(t, money.FromRupees(-45), r.Rows[TableB2CS][0].CGST)
	require.Equal(t, -money.FromRupees(500), r.Outward().Taxable)
	require.Len(t, r.Documents[TableB2CS], 2, "both stand behind the sum")
	even := returnOf(document(invoice.KindInvoice, 1, "F/26/1", on(1), 1_500, "", "27"), note)
	require.Empty(t, even.Rows[TableB2CS], "a row of nothing is refused by the tool")
}

func TestAdvances_NotInvoicedInTheirMonth_AreReported(t *testing.T) {
	t.Parallel()
	voucher := document(invoice.KindReceiptVoucher, 1, "R/26/1", on(20), 1_000, "", "29")
	at := func(day time.Time) *time.Time { return &day }
	require.Len(t, returnOf(voucher).Rows[TableAT], 1)
	same := voucher
	same.InvoicedAt = at(on(25))
	require.Empty(t, returnOf(same).Rows[TableAT], "the invoice of the same month has it")
	later := voucher
	later.InvoicedAt = at(on(25).AddDate(0, 1, 0))
	require.Len(t, returnOf(later).Rows[TableAT], 1)
	before := voucher
	before.IssuedAt, before.InvoicedAt = on(20).AddDate(0, -1, 0), at(on(2))
	r := returnOf(before)
	require.Empty(t, r.Rows[TableAT])
	require.Len(t, r.Rows[TableTXPD], 1)
	require.Empty(t, r.Series, "its number stood in the month before")
	back := before
	back.InvoicedAt, back.ReturnedAt = nil, at(on(3))
	require.Len(t, returnOf(back).Rows[TableTXPD], 1, "given back in a later month")
	require.Zero(t, r.Outward(), "an advance is no supply")
}

func TestProblems_DocumentThePortalWouldRefuse_IsNamed(t *testing.T) {
	t.Parallel()
	good := document(invoice.KindInvoice, 1, "F/26/1", on(1), 1_000, buyer, "29")
	for name, change := range map[string]func(d *invoice.Taxed){
		"a GSTIN whose check digit is wrong": func(d *invoice.Taxed) { d.GSTIN = "29AAGCB7383J1Z5" },
		"a rate of 17 %":                     func(d *invoice.Taxed) { d.Lines = []invoice.TaxedLine{{SAC: "998315", RateBps: 1700, Taxable: 100}} },
		"no place":                           func(d *invoice.Taxed) { d.PlaceOfSupply = "" },
		"a number of 17 characters":          func(d *invoice.Taxed) { d.Number = "F/26/123456789012" },
		"another GSTIN of ours":              func(d *invoice.Taxed) { d.SupplierGSTIN = buyer },
	} {
		bad := good
		change(&bad)
		require.Len(t, returnOf(bad).Problems, 1, name)
	}
	require.Len(t, newBuilder(november(), "", keepNone).done().Problems, 1, "no GSTIN of ours")
	many := newBuilder(november(), "07AAGCB7383J1ZA", keepNone)
	for range 50 {
		many.add(good)
	}
	problems := many.done().Problems
	require.Len(t, problems, maxProblems+1)
	require.Equal(t, "and 30 more", problems[maxProblems])
}

func TestTable13_MissingNumbers_CountAsCancelled(t *testing.T) {
	t.Parallel()
	r := returnOf(document(invoice.KindInvoice, 7, "F/26/7", on(1), 10, "", "27"), document(invoice.KindInvoice, 10, "F/26/10", on(2), 10, "", "27"))
	require.Equal(t, []Series{{Kind: invoice.KindInvoice, From: "F/26/7", To: "F/26/10", Issued: 2, Lost: 2}}, r.Series)
}

func TestMonth_Window_IsInIndianTime(t *testing.T) {
	t.Parallel()
	m, ok := ParseMonth("2026-12")
	require.True(t, ok)
	from, to := m.Window()
	require.Equal(t, "2026-11-30T18:30:00Z 2026-12-31T18:30:00Z", from.UTC().Format(time.RFC3339)+" "+to.UTC().Format(time.RFC3339))
	require.Equal(t, m, MonthOf(from))
	require.Equal(t, "122026", m.period())
	for _, bad := range []string{"", "2026-13", "2026-00", "26-11", "2026-11-01", "1999-11"} {
		_, ok := ParseMonth(bad)
		require.False(t, ok, bad)
	}
	require.Equal(t, []string{"18", "0.25", "7.5", "0"}, []string{percent(1800), percent(25), percent(750), percent(0)})
}

// Table 12 is split by whether the recipient has a GSTIN. Each row leads to its documents, credit notes included, and is in a file.
func TestTable12_EachRow_LeadsToItsDocuments(t *testing.T) {
	t.Parallel()
	two := document(invoice.KindInvoice, 2, "F/26/2", on(6), 2_000, buyer, "29")
	two.Lines = append(two.Lines, invoice.TaxedLine{SAC: "998314", RateBps: 1800, Taxable: money.FromRupees(500), Tax: invoice.Tax{IGST: money.FromRupees(90)}})
	list := []invoice.Taxed{
		document(invoice.KindInvoice, 1, "F/26/1", on(5), 1_000, buyer, "29"), two,
		document(invoice.KindInvoice, 3, "F/26/3", on(7), 300, "", "27"),
		document(invoice.KindCreditNote, 1, "C/26/1", on(9), 100, buyer, "29"),
	}
	behind := func(f Figure, from, limit int) ([]string, int) {
		b := newBuilder(november(), home, keepWindow(f.Table, from, limit))
		b.behind = f
		for _, d := range list {
			b.add(d)
		}
		r := b.done()
		var numbers []string
		for _, d := range r.Documents[f.Table] {
			numbers = append(numbers, d.Number)
		}
		return numbers, r.behind(f)
	}
	hosting := Figure{TableHSNB2B, "998315", 1800}
	numbers, all := behind(hosting, 0, 10)
	require.Equal(t, []string{"F/26/1", "F/26/2", "C/26/1"}, numbers)
	require.Equal(t, 3, all)
	numbers, all = behind(hosting, 1, 1)
	require.Equal(t, []string{"F/26/2"}, numbers)
	require.Equal(t, 3, all)
	numbers, all = behind(Figure{TableHSNB2C, "998315", 1800}, 0, 10)
	require.Equal(t, []string{"F/26/3"}, numbers)
	require.Equal(t, 1, all)
	numbers, all = behind(Figure{TableHSNB2B, "998314", 500}, 0, 10)
	require.Empty(t, numbers)
	require.Zero(t, all)
	numbers, all = behind(Figure{Table: TableB2B}, 0, 10)
	require.Equal(t, []string{"F/26/1", "F/26/2"}, numbers)
	require.Equal(t, 2, all)
	for f, valid := range map[Figure]bool{
		{Table: TableB2B}: true, hosting: true, {Table: TableHSNB2B}: false, {Table: TableDocs}: false, {TableB2B, "998315", 1800}: false, {Table: "x"}: false,
	} {
		require.Equal(t, valid, f.Valid(), f)
	}

	r := returnOf(list...)
	require.Equal(t, [][]string{
		{"998314", "", "NA", "0", "590.00", "18", "500.00", "90.00", "0.00", "0.00", ""},
		{"998315", "", "NA", "0", "3422.00", "18", "2900.00", "522.00", "0.00", "0.00", ""},
	}, r.CSV(TableHSNB2B)[1:])
	require.Equal(t, [][]string{{"998315", "", "NA", "0", "354.00", "18", "300.00", "0.00", "27.00", "27.00", ""}}, r.CSV(TableHSNB2C)[1:])
	require.Equal(t, [][]string{
		{"Nature of Document", "Sr. No. From", "Sr. No. To", "Total Number", "Cancelled"},
		{"Invoices for outward supply", "F/26/1", "F/26/3", "3", "0"},
		{"Credit Note", "C/26/1", "C/26/1", "1", "0"},
	}, r.CSV(TableDocs))
	for _, table := range Files() {
		require.NotEmpty(t, r.CSV(table), table)
	}
}

// Invoices cancelled at the Invoice Registration Portal, one of them with a credit note, and a cancelled credit note of a valid invoice: no
// table has them, table 13 counts them as cancelled, and the return states their value in the books.
func TestDocumentsCancelledAtThePortal_AreOmittedFromTheReturn(t *testing.T) {
	t.Parallel()
	note := func(n int64, number, of string, rupees int64) invoice.Taxed {
		d := document(invoice.KindCreditNote, n, number, on(9), rupees, buyer, "29")
		d.OriginalNumber = of
		return d
	}
	b := newBuilder(november(), home, func(Table, int) bool { return true })
	b.gone = map[string]bool{"F/26/2": true, "F/26/3": true, "C/26/2": true}
	for _, d := range []invoice.Taxed{
		document(invoice.KindInvoice, 1, "F/26/1", on(5), 1_000, buyer, "29"),
		document(invoice.KindInvoice, 2, "F/26/2", on(5), 5_000, buyer, "29"),
		document(invoice.KindInvoice, 3, "F/26/3", on(6), 7_000, buyer, "29"),
		note(1, "C/26/1", "F/26/3", 7_000), note(2, "C/26/2", "F/26/1", 300), note(3, "C/26/3", "F/26/1", 100),
	} {
		b.add(d)
	}
	r := b.done()
	require.Empty(t, r.Problems)
	numbers := func(t Table) (list []string) {
		for _, d := range r.Documents[t] {
			list = append(list, d.Number)
		}
		return list
	}
	require.Equal(t, []string{"F/26/1"}, numbers(TableB2B))
	require.Equal(t, []string{"C/26/3"}, numbers(TableCDNR))
	require.Equal(t, money.FromRupees(1_000-100), r.Outward().Taxable)
	require.Equal(t, r.Outward().Tax, r.ByCode().Tax)
	require.Equal(t, []string{"F/26/2", "F/26/3", "C/26/1", "C/26/2"}, r.CancelledNumbers)
	require.Equal(t, Sum{Documents: 4, Taxable: money.FromRupees(5_000 + 7_000 - 7_000 - 300), Tax: invoice.Tax{IGST: money.FromRupees(4_700) * 18 / 100}}, r.Cancelled)
	require.Equal(t, [][]string{
		{"Invoices for outward supply", "F/26/1", "F/26/3", "3", "2"}, {"Credit Note", "C/26/1", "C/26/3", "3", "2"},
	}, r.CSV(TableDocs)[1:])
	raw, err := r.JSON()
	require.NoError(t, err)
	require.Contains(t, string(raw), `"from":"F/26/1","to":"F/26/3","totnum":3,"cancel":2,"net_issue":1`)
}

// With a recipient in a special economic zone and advances within the State and across States over two months, the two files equal the hand
// computation: an advance is in 11A of its month and in 11B of the month of its invoice or refund, and all tax is counted once.
func TestReturnFiles_SEZAndAdvancesOverTwoMonths_AddUp(t *testing.T) {
	t.Parallel()
	at := func(month time.Month, day int) *time.Time {
		moment := time.Date(2026, month, day, 23, 59, 59, 0, clock.IST)
		return &moment
	}
	voucher := func(n int64, number string, got, invoiced, returned *time.Time, rupees int64, place invoice.StateCode) invoice.Taxed {
		d := document(invoice.KindReceiptVoucher, n, number, *got, rupees, "", place)
		d.InvoicedAt, d.ReturnedAt = invoiced, returned
		return d
	}
	zone := func(kind invoice.Kind, n int64, number string, when time.Time, rupees int64) invoice.Taxed {
		d := document(kind, n, number, when, rupees, buyer, "29") // tax of both States never: section 7(5)(b), IGST Act
		d.SEZ = true
		return d
	}
	all := []invoice.Taxed{
		zone(invoice.KindInvoice, 1, "F/26/1", *at(time.November, 5), 10_000), zone(invoice.KindInvoice, 2, "F/26/2", *at(time.December, 1), 20_000),
		zone(invoice.KindCreditNote, 1, "C/26/1", *at(time.December, 9), 4_000),
		voucher(1, "R/26/1", at(time.November, 3), at(time.November, 30), nil, 1_000, "29"), // invoiced in its month
		voucher(2, "R/26/2", at(time.November, 30), at(time.December, 1), nil, 2_000, "29"), // a second before December
		voucher(3, "R/26/3", at(time.November, 8), nil, at(time.December, 4), 3_000, "27"),  // given back later
		voucher(4, "R/26/4", at(time.November, 9), nil, nil, 500, "29"),                     // still held
		voucher(5, "R/26/5", at(time.December, 2), nil, at(time.December, 3), 900, "27"),    // came and went
		voucher(6, "R/26/6", at(time.December, 31), nil, nil, 700, "07"),
	}
	of := func(m time.Month) Return {
		b := newBuilder(Month{2026, m}, home, func(Table, int) bool { return true })
		from, to := b.r.Month.Window()
		for _, d := range all { // as taxed_documents hands them over
			used := func(when *time.Time) bool { return when != nil && !when.Before(from) && when.Before(to) }
			if used(&d.IssuedAt) || d.IssuedAt.Before(from) && (used(d.InvoicedAt) || used(d.ReturnedAt)) {
				b.add(d)
			}
		}
		return b.done()
	}
	rupees := money.FromRupees
	row := func(place invoice.StateCode, value, igst, half int64) Row {
		return Row{place, igst > 0, Item{1800, rupees(value), invoice.Tax{IGST: rupees(igst), CGST: rupees(half), SGST: rupees(half)}}}
	}
	november, december := of(time.November), of(time.December)
	require.Equal(t, []Row{row("27", 3_000, 0, 270), row("29", 2_500, 450, 0)}, november.Rows[TableAT])
	require.Empty(t, november.Rows[TableTXPD])
	require.Equal(t, []Row{row("07", 700, 126, 0)}, december.Rows[TableAT])
	require.Equal(t, []Row{row("27", 3_000, 0, 270), row("29", 2_000, 360, 0)}, december.Rows[TableTXPD])
	require.Equal(t, []money.Paise{rupees(10_000), rupees(16_000)}, []money.Paise{november.Outward().Taxable, december.Outward().Taxable})
	require.Equal(t, []money.Paise{rupees(1_800), rupees(2_880)}, []money.Paise{november.Outward().IGST, december.Outward().IGST})
	for r, want := range map[*Return][]string{
		&november: {`"inv_typ":"SEWP"`, `"iamt":1800`, `"at":[{"pos":"27","sply_ty":"INTRA","itms":[{"rt":18,"ad_amt":3000,"camt":270,"samt":270,"csamt":0}]},` +
			`{"pos":"29","sply_ty":"INTER","itms":[{"rt":18,"ad_amt":2500,"iamt":450,"csamt":0}]}]`, `"doc_num":6,"docs":[{"num":1,"from":"R/26/1","to":"R/26/4","totnum":4`},
		&december: {`"nt_num":"C/26/1"`, `"inv_typ":"SEWP"`, `"txpd":[{"pos":"27"`, `"from":"R/26/5","to":"R/26/6","totnum":2,"cancel":0`},
	} {
		raw, err := r.JSON()
		require.NoError(t, err)
		require.Empty(t, r.Problems)
		for _, part := range want {
			require.Contains(t, string(raw), part)
		}
	}
}
