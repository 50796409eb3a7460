package gstreturn

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// zoned returns a document to a recipient in a special economic zone.
func zoned(d invoice.Taxed) invoice.Taxed {
	d.SEZ = true
	return d
}

// named returns a document with its recipient's name.
func named(d invoice.Taxed, name string) invoice.Taxed {
	d.Name = name
	return d
}

// noteOf returns a credit note of an invoice with the number and the value.
func noteOf(d invoice.Taxed, original string, total money.Paise) invoice.Taxed {
	d.OriginalNumber, d.OriginalTotal = original, total
	return d
}

// everything has a document in each table of the form: two States above a lakh, two registered recipients, a SEZ, invoices summed within
// the State and across States, a credit note in each of its three tables, and advances.
func everything() []invoice.Taxed {
	const large = money.Paise(2_36_000_00)
	return []invoice.Taxed{
		named(document(invoice.KindInvoice, 1, "F/26/1", on(2), 1_000, buyer, "29"), "Asha Sweets LLP"),
		document(invoice.KindInvoice, 2, "F/26/2", on(3), 200_000, "", "29"),
		document(invoice.KindInvoice, 3, "F/26/3", on(3), 300_000, "", "07"),
		document(invoice.KindInvoice, 4, "F/26/4", on(4), 100_000, "", "29"),
		zoned(named(document(invoice.KindInvoice, 5, "F/26/5", on(5), 500, "24AAQCA8719H1ZC", "24"), "Mundra Unit")),
		named(document(invoice.KindInvoice, 6, "F/26/6", on(6), 2_000, buyer, "29"), "Asha Sweets LLP"),
		document(invoice.KindInvoice, 7, "F/26/7", on(7), 50, "", "27"),
		document(invoice.KindInvoice, 8, "F/26/8", on(7), 70, "", "33"),
		noteOf(named(document(invoice.KindCreditNote, 1, "C/26/1", on(8), 100, buyer, "29"), "Asha Sweets LLP"), "F/26/1", 1_180_00),
		noteOf(document(invoice.KindCreditNote, 2, "C/26/2", on(9), 1_000, "", "29"), "F/26/2", large),
		noteOf(document(invoice.KindCreditNote, 3, "C/26/3", on(9), 20, "", "27"), "F/26/7", 59_00),
		document(invoice.KindReceiptVoucher, 1, "R/26/1", on(10), 400, "", "27"),
		document(invoice.KindReceiptVoucher, 2, "R/26/2", on(10), 600, "", "33"),
		document(invoice.KindRefundVoucher, 1, "V/26/1", on(11), 600, "", "33"),
	}
}

// A document of every kind is in its table, in the shape of the offline tool: invoices above a lakh grouped by place in the order of first
// occurrence, their credit notes flat, a SEZ by its type, advances by place.
func TestReturnFile_DocumentOfEveryKind_FillsEveryTable(t *testing.T) {
	t.Parallel()
	r := returnOf(everything()...)
	require.Empty(t, r.Problems)
	raw, err := r.JSON()
	require.NoError(t, err)
	require.JSONEq(t, `{"gstin":"27AAPFU0939F1ZV","fp":"112026","version":"GST3.2.4","hash":"hash",
	"b2b":[
	 {"ctin":"29AAGCB7383J1Z4","inv":[
	  {"inum":"F/26/1","idt":"02-11-2026","val":1180,"pos":"29","rchrg":"N","inv_typ":"R","itms":[{"num":1801,"itm_det":{"txval":1000,"rt":18,"iamt":180,"csamt":0}}]},
	  {"inum":"F/26/6","idt":"06-11-2026","val":2360,"pos":"29","rchrg":"N","inv_typ":"R","itms":[{"num":1801,"itm_det":{"txval":2000,"rt":18,"iamt":360,"csamt":0}}]}]},
	 {"ctin":"24AAQCA8719H1ZC","inv":[
	  {"inum":"F/26/5","idt":"05-11-2026","val":590,"pos":"24","rchrg":"N","inv_typ":"SEWP","itms":[{"num":1801,"itm_det":{"txval":500,"rt":18,"iamt":90,"csamt":0}}]}]}],
	"b2cl":[
	 {"pos":"29","inv":[
	  {"inum":"F/26/2","idt":"03-11-2026","val":236000,"itms":[{"num":1801,"itm_det":{"txval":200000,"rt":18,"iamt":36000,"csamt":0}}]},
	  {"inum":"F/26/4","idt":"04-11-2026","val":118000,"itms":[{"num":1801,"itm_det":{"txval":100000,"rt":18,"iamt":18000,"csamt":0}}]}]},
	 {"pos":"07","inv":[
	  {"inum":"F/26/3","idt":"03-11-2026","val":354000,"itms":[{"num":1801,"itm_det":{"txval":300000,"rt":18,"iamt":54000,"csamt":0}}]}]}],
	"b2cs":[
	 {"sply_ty":"INTRA","rt":18,"typ":"OE","pos":"27","txval":30,"camt":2.7,"samt":2.7,"csamt":0},
	 {"sply_ty":"INTER","rt":18,"typ":"OE","pos":"33","txval":70,"iamt":12.6,"csamt":0}],
	"cdnr":[{"ctin":"29AAGCB7383J1Z4","nt":[
	  {"nt_num":"C/26/1","nt_dt":"08-11-2026","ntty":"C","val":118,"pos":"29","rchrg":"N","inv_typ":"R","itms":[{"num":1801,"itm_det":{"txval":100,"rt":18,"iamt":18,"csamt":0}}]}]}],
	"cdnur":[{"nt_num":"C/26/2","nt_dt":"09-11-2026","ntty":"C","val":1180,"pos":"29","typ":"B2CL","itms":[{"num":1801,"itm_det":{"txval":1000,"rt":18,"iamt":180,"csamt":0}}]}],
	"at":[
	 {"pos":"27","sply_ty":"INTRA","itms":[{"rt":18,"ad_amt":400,"camt":36,"samt":36,"csamt":0}]},
	 {"pos":"33","sply_ty":"INTER","itms":[{"rt":18,"ad_amt":600,"iamt":108,"csamt":0}]}],
	"hsn":{
	 "hsn_b2b":[{"num":1,"hsn_sc":"998315","uqc":"NA","qty":0,"rt":18,"txval":3400,"iamt":612,"camt":0,"samt":0,"csamt":0}],
	 "hsn_b2c":[{"num":1,"hsn_sc":"998315","uqc":"NA","qty":0,"rt":18,"txval":599100,"iamt":107832.6,"camt":2.7,"samt":2.7,"csamt":0}]},
	"doc_issue":{"doc_det":[
	 {"doc_num":1,"docs":[{"num":1,"from":"F/26/1","to":"F/26/8","totnum":8,"cancel":0,"net_issue":8}]},
	 {"doc_num":5,"docs":[{"num":1,"from":"C/26/1","to":"C/26/3","totnum":3,"cancel":0,"net_issue":3}]},
	 {"doc_num":6,"docs":[{"num":1,"from":"R/26/1","to":"R/26/2","totnum":2,"cancel":0,"net_issue":2}]},
	 {"doc_num":8,"docs":[{"num":1,"from":"V/26/1","to":"V/26/1","totnum":1,"cancel":0,"net_issue":1}]}]}}`, string(raw))
}

// An empty month is a file with its head alone: the tool refuses sections without rows.
func TestReturnFile_MonthWithoutDocuments_HasNoSections(t *testing.T) {
	t.Parallel()
	raw, err := returnOf().JSON()
	require.NoError(t, err)
	require.JSONEq(t, `{"gstin":"27AAPFU0939F1ZV","fp":"112026","version":"GST3.2.4","hash":"hash"}`, string(raw))
	for _, table := range Files() {
		require.Len(t, returnOf().CSV(table), 1, "the headings of %s, and nothing else", table)
	}
	require.Empty(t, returnOf().CSV("exp"), "a table that this business never has")
}

// The spreadsheets of the offline tool: dates as 05-Nov-2026, places with their names, a row for each rate of a document.
func TestSpreadsheets_DocumentWithTwoRates_HasARowForEachRate(t *testing.T) {
	t.Parallel()
	list := everything()
	list[0].Lines = append(list[0].Lines, invoice.TaxedLine{SAC: "998314", RateBps: 500, Taxable: money.FromRupees(200), Tax: invoice.Tax{IGST: money.FromRupees(10)}})
	list[0].Total += money.FromRupees(210)
	r := returnOf(list...)
	for table, want := range map[Table][][]string{
		TableB2B: {
			{buyer, "Asha Sweets LLP", "F/26/1", "02-Nov-2026", "1390.00", "29-Karnataka", "N", "", "Regular B2B", "", "18", "1000.00", ""},
			{buyer, "Asha Sweets LLP", "F/26/1", "02-Nov-2026", "1390.00", "29-Karnataka", "N", "", "Regular B2B", "", "5", "200.00", ""},
			{"24AAQCA8719H1ZC", "Mundra Unit", "F/26/5", "05-Nov-2026", "590.00", "24-Gujarat", "N", "", "SEZ supplies with payment", "", "18", "500.00", ""},
			{buyer, "Asha Sweets LLP", "F/26/6", "06-Nov-2026", "2360.00", "29-Karnataka", "N", "", "Regular B2B", "", "18", "2000.00", ""},
		},
		TableCDNR: {
			{buyer, "Asha Sweets LLP", "C/26/1", "08-Nov-2026", "C", "29-Karnataka", "N", "Regular B2B", "118.00", "", "18", "100.00", ""},
		},
		TableB2CL: {
			{"F/26/2", "03-Nov-2026", "236000.00", "29-Karnataka", "", "18", "200000.00", "", ""},
			{"F/26/3", "03-Nov-2026", "354000.00", "07-Delhi", "", "18", "300000.00", "", ""},
			{"F/26/4", "04-Nov-2026", "118000.00", "29-Karnataka", "", "18", "100000.00", "", ""},
		},
		TableCDNUR: {{"B2CL", "C/26/2", "09-Nov-2026", "C", "29-Karnataka", "1180.00", "", "18", "1000.00", ""}},
		TableB2CS:  {{"OE", "27-Maharashtra", "", "18", "30.00", "", ""}, {"OE", "33-Tamil Nadu", "", "18", "70.00", "", ""}},
		TableAT:    {{"27-Maharashtra", "", "18", "400.00", ""}, {"33-Tamil Nadu", "", "18", "600.00", ""}},
		TableHSNB2B: {
			{"998314", "", "NA", "0", "210.00", "5", "200.00", "10.00", "0.00", "0.00", ""},
			{"998315", "", "NA", "0", "4012.00", "18", "3400.00", "612.00", "0.00", "0.00", ""},
		},
		TableDocs: {
			{"Invoices for outward supply", "F/26/1", "F/26/8", "8", "0"},
			{"Credit Note", "C/26/1", "C/26/3", "3", "0"},
			{"Receipt Voucher", "R/26/1", "R/26/2", "2", "0"},
			{"Refund Voucher", "V/26/1", "V/26/1", "1", "0"},
		},
	} {
		rows := r.CSV(table)
		require.Equal(t, want, rows[1:], table)
		for _, row := range rows {
			require.Len(t, row, len(rows[0]), "as many cells as headings: %s", table)
		}
	}
	require.Equal(t, "Gross Advance Received", r.CSV(TableAT)[0][3])
	require.Equal(t, "Gross Advance Adjusted", r.CSV(TableTXPD)[0][3])
	note := r.CSV(TableCDNR)[0]
	require.Equal(t, []string{"Note Number", "Note Date", "Note Type", "Place Of Supply"}, note[2:6])
}

// The portal takes the last of two items with one rate, so that lines of two service codes at one rate have to be one item, and table 12
// has to keep them apart.
func TestReturnFile_LinesAtOneRate_AreOneItem(t *testing.T) {
	t.Parallel()
	d := document(invoice.KindInvoice, 1, "F/26/1", on(1), 1_000, buyer, "27")
	d.Lines = append(d.Lines,
		invoice.TaxedLine{SAC: "998314", RateBps: 1800, Taxable: money.FromRupees(500), Tax: invoice.Tax{CGST: 45_00, SGST: 45_00}},
		invoice.TaxedLine{SAC: "997331", RateBps: 25, Taxable: money.FromRupees(400), Tax: invoice.Tax{CGST: 50, SGST: 50}})
	r := returnOf(d)
	raw, err := r.JSON()
	require.NoError(t, err)
	require.Contains(t, string(raw), `"itms":[{"num":1801,"itm_det":{"txval":1500,"rt":18,"camt":135,"samt":135,"csamt":0}},`+
		`{"num":26,"itm_det":{"txval":400,"rt":0.25,"camt":0.5,"samt":0.5,"csamt":0}}]`)
	require.Equal(t, []string{"997331", "998314", "998315"}, []string{r.Registered[0].SAC, r.Registered[1].SAC, r.Registered[2].SAC})
	require.Equal(t, []int64{25, 1800, 1800}, []int64{r.Registered[0].RateBps, r.Registered[1].RateBps, r.Registered[2].RateBps})
	require.Equal(t, r.Outward().Taxable, r.ByCode().Taxable)
	require.Equal(t, 1, r.Sums[TableB2B].Documents)
}

// The form has no column for a union territory's tax: it goes into the State tax column.
func TestReturnFile_UnionTerritoryTax_IsInTheStateTaxColumn(t *testing.T) {
	t.Parallel()
	d := document(invoice.KindInvoice, 1, "F/26/1", on(1), 1_000, "", "27")
	d.PlaceOfSupply, d.Regime = "31", invoice.RegimeUnionTerritory
	d.Lines[0].Tax = invoice.Tax{CGST: 90_00, UTGST: 91_00}
	voucher := d
	voucher.Kind, voucher.Number, voucher.Series = invoice.KindReceiptVoucher, "R/26/1", "R"
	r := returnOf(d, voucher)
	raw, err := r.JSON()
	require.NoError(t, err)
	require.Contains(t, string(raw), `"b2cs":[{"sply_ty":"INTRA","rt":18,"typ":"OE","pos":"31","txval":1000,"camt":90,"samt":91,"csamt":0}]`)
	require.Contains(t, string(raw), `"at":[{"pos":"31","sply_ty":"INTRA","itms":[{"rt":18,"ad_amt":1000,"camt":90,"samt":91,"csamt":0}]}]`)
	require.Contains(t, string(raw), `"hsn_b2c":[{"num":1,"hsn_sc":"998315","uqc":"NA","qty":0,"rt":18,"txval":1000,"iamt":0,"camt":90,"samt":91,"csamt":0}]`)
	require.Equal(t, []string{"90.00", "91.00"}, r.CSV(TableHSNB2C)[1][8:10])
}

// A supply to a zone in the supplier's own State bears IGST (section 7(5)(b) IGST Act), and its note is one with payment of tax, too.
func TestReturnFile_SEZInTheSuppliersState_BearsIGST(t *testing.T) {
	t.Parallel()
	invoiced := zoned(document(invoice.KindInvoice, 1, "F/26/1", on(1), 1_000, "27AAQCA8719H1Z6", "27"))
	invoiced.Regime, invoiced.Lines[0].Tax = invoice.RegimeInterState, invoice.Tax{IGST: 180_00}
	note := invoiced
	note.Kind, note.Number, note.Series, note.Sequence = invoice.KindCreditNote, "C/26/1", "C", 1
	r := returnOf(invoiced, note)
	raw, err := r.JSON()
	require.NoError(t, err)
	require.Contains(t, string(raw), `"pos":"27","rchrg":"N","inv_typ":"SEWP","itms":[{"num":1801,"itm_det":{"txval":1000,"rt":18,"iamt":180,"csamt":0}}]`)
	require.Contains(t, string(raw), `"ntty":"C","val":1180,"pos":"27","rchrg":"N","inv_typ":"SEWP"`)
	require.Equal(t, "SEZ supplies with payment", r.CSV(TableCDNR)[1][7])
	require.Equal(t, Sum{Documents: 2}, r.Outward(), "what came back is nothing")
}

// A day ends at midnight in India, which is half past six in the evening in UTC.
func TestReturnFile_DocumentDate_IsTheDayInIndia(t *testing.T) {
	t.Parallel()
	for at, want := range map[string]string{
		"2026-10-31T18:29:59Z": "", "2026-10-31T18:30:00Z": "01-11-2026", "2026-11-29T18:30:00Z": "30-11-2026", "2026-11-30T18:29:59Z": "30-11-2026",
		"2026-11-30T18:30:00Z": "",
	} {
		when, err := time.Parse(time.RFC3339, at)
		require.NoError(t, err)
		r := returnOf(document(invoice.KindInvoice, 1, "F/26/1", when, 1_000, buyer, "29"))
		raw, err := r.JSON()
		require.NoError(t, err)
		if want == "" {
			require.Empty(t, r.Documents[TableB2B], at)
			require.Empty(t, r.Series, at)
			require.NotContains(t, string(raw), "F/26/1", at)
			continue
		}
		require.Contains(t, string(raw), `"idt":"`+want+`"`, at)
		require.Equal(t, want, when.In(clock.IST).Format("02-01-2006"))
		require.Equal(t, want[6:]+want[2:6]+want[:2], DayOf(r.Documents[TableB2B][0]), at)
	}
	require.Equal(t, []string{"2026-03", "2026-04"}, []string{
		MonthOf(time.Date(2026, 3, 31, 18, 29, 59, 999, time.UTC)).String(), MonthOf(time.Date(2026, 3, 31, 18, 30, 0, 0, time.UTC)).String(),
	})
	from, to := Month{2028, time.February}.Window()
	require.Equal(t, 29*24*time.Hour, to.Sub(from), "a leap year")
	from, to = Month{2026, time.December}.Window()
	require.Equal(t, []int{2026, 2027}, []int{from.Year(), to.Year()})
}
