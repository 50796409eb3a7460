package gstreturn

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// Credit notes without GST are in no table and use no number of table 13, because they have their own series. The books have their value.
func TestCommercialCreditNotes_AreInNoTable(t *testing.T) {
	t.Parallel()
	note := document(invoice.KindCreditNote, 4, "D/26/4", on(3), 118, buyer, "29")
	note.Commercial = true
	other := note
	other.Lines = []invoice.TaxedLine{{SAC: "998315", Taxable: 7_00}, {SAC: "998314", Taxable: 3_00}}
	before := note
	before.IssuedAt = on(1).AddDate(0, 0, -1)
	r := returnOf(note, other, before)
	require.Equal(t, money.FromRupees(128), r.CommercialNotes, "those of the month alone")
	require.Empty(t, r.Series)
	require.Zero(t, r.Outward())
	require.Empty(t, r.Registered)
	require.Empty(t, r.CSV(TableCDNR)[1:])
}

// From numbers in any order, table 13 has the first, the last, and the count of missing ones between.
func TestTable13_EachSeries_HasFirstLastAndMissingNumbers(t *testing.T) {
	t.Parallel()
	r := returnOf(
		document(invoice.KindRefundVoucher, 3, "V/26/3", on(1), 10, "", "27"), document(invoice.KindInvoice, 12, "F/26/12", on(2), 10, "", "27"),
		document(invoice.KindInvoice, 9, "F/26/9", on(2), 10, "", "27"), document(invoice.KindReceiptVoucher, 1, "R/26/1", on(2), 10, "", "27"),
		document(invoice.KindInvoice, 10, "F/26/10", on(3), 10, "", "27"), document(invoice.KindCreditNote, 5, "C/26/5", on(4), 10, "", "27"),
	)
	require.Equal(t, []Series{
		{Kind: invoice.KindInvoice, From: "F/26/9", To: "F/26/12", Issued: 3, Lost: 1},
		{Kind: invoice.KindCreditNote, From: "C/26/5", To: "C/26/5", Issued: 1},
		{Kind: invoice.KindReceiptVoucher, From: "R/26/1", To: "R/26/1", Issued: 1},
		{Kind: invoice.KindRefundVoucher, From: "V/26/3", To: "V/26/3", Issued: 1},
	}, r.Series)
	raw, err := r.JSON()
	require.NoError(t, err)
	require.Contains(t, string(raw), `{"doc_num":1,"docs":[{"num":1,"from":"F/26/9","to":"F/26/12","totnum":4,"cancel":1,"net_issue":3}]}`)
}

// Two series of one kind are two rows under one number of the form, in the order of their first numbers.
func TestTable13_TwoSeriesOfOneKind_ShareADocumentNature(t *testing.T) {
	t.Parallel()
	old := document(invoice.KindInvoice, 1, "G/26/1", on(1), 10, "", "27")
	raw, err := returnOf(old, document(invoice.KindInvoice, 1, "F/26/1", on(2), 10, "", "27")).JSON()
	require.NoError(t, err)
	require.Contains(t, string(raw), `"doc_det":[{"doc_num":1,"docs":[{"num":1,"from":"F/26/1","to":"F/26/1","totnum":1,"cancel":0,"net_issue":1},`+
		`{"num":2,"from":"G/26/1","to":"G/26/1","totnum":1,"cancel":0,"net_issue":1}]}]`)
}

// Rule 59(4) says "exceeds one lakh": of the invoice with its tax, and only for a recipient without a GSTIN in another State.
func TestB2CL_InvoiceOfExactlyALakh_IsNotLarge(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		kind            invoice.Kind
		total, original money.Paise
		gstin           string
		regime          invoice.Regime
		want            Table
	}{
		"a paisa less":                            {invoice.KindInvoice, 99_999_99, 0, "", invoice.RegimeInterState, TableB2CS},
		"a lakh":                                  {invoice.KindInvoice, 1_00_000_00, 0, "", invoice.RegimeInterState, TableB2CS},
		"a paisa more":                            {invoice.KindInvoice, 1_00_000_01, 0, "", invoice.RegimeInterState, TableB2CL},
		"a paisa more, at home":                   {invoice.KindInvoice, 1_00_000_01, 0, "", invoice.RegimeState, TableB2CS},
		"a paisa more, in a union territory":      {invoice.KindInvoice, 1_00_000_01, 0, "", invoice.RegimeUnionTerritory, TableB2CS},
		"a paisa more, registered":                {invoice.KindInvoice, 1_00_000_01, 0, buyer, invoice.RegimeInterState, TableB2B},
		"a large note of a small invoice":         {invoice.KindCreditNote, 1_00_000_01, 1_00_000_00, "", invoice.RegimeInterState, TableB2CS},
		"a small note of a large invoice":         {invoice.KindCreditNote, 1, 1_00_000_01, "", invoice.RegimeInterState, TableCDNUR},
		"a small note of a large invoice at home": {invoice.KindCreditNote, 1, 1_00_000_01, "", invoice.RegimeState, TableB2CS},
		"a note to a registered recipient":        {invoice.KindCreditNote, 1, 1_00_000_01, buyer, invoice.RegimeState, TableCDNR},
	} {
		d := invoice.Taxed{Kind: tc.kind, Total: tc.total, OriginalTotal: tc.original, GSTIN: tc.gstin, Regime: tc.regime}
		require.Equal(t, tc.want, tableOf(d), name)
	}
}

// Each sum has its documents and heads, and the supplies are the tables of supplies less those of notes; advances are no part of them.
func TestSums_EqualTheirTables(t *testing.T) {
	t.Parallel()
	r := returnOf(everything()...)
	rupees := money.FromRupees
	half := func(n int64) invoice.Tax { return invoice.Tax{CGST: money.Paise(n), SGST: money.Paise(n)} }
	require.Equal(t, map[Table]Sum{
		TableB2B:   {3, rupees(3_500), invoice.Tax{IGST: rupees(630)}},
		TableB2CL:  {3, rupees(600_000), invoice.Tax{IGST: rupees(108_000)}},
		TableB2CS:  {3, rupees(100), half(2_70).Plus(invoice.Tax{IGST: 12_60})},
		TableCDNR:  {1, rupees(100), invoice.Tax{IGST: rupees(18)}},
		TableCDNUR: {1, rupees(1_000), invoice.Tax{IGST: rupees(180)}},
		TableAT:    {2, rupees(1_000), half(36_00).Plus(invoice.Tax{IGST: rupees(108)})},
	}, r.Sums)
	require.Equal(t, Sum{11, rupees(602_500), half(2_70).Plus(invoice.Tax{IGST: 1_08_444_60})}, r.Outward())
	require.Equal(t, r.Outward().Tax, r.ByCode().Tax)
	require.Equal(t, r.Outward().Taxable, r.ByCode().Taxable)
}

// An advance that was both invoiced and refunded counts by the earlier event. In a month without an event, an advance of another month is
// in no table.
func TestAdvance_InvoicedOrRefunded_CountsByTheEarlierEvent(t *testing.T) {
	t.Parallel()
	at := func(month time.Month, day, hour, minute int) *time.Time {
		moment := time.Date(2026, month, day, hour, minute, 0, 0, clock.IST)
		return &moment
	}
	for name, tc := range map[string]struct {
		got, invoiced, returned *time.Time
		want                    Table // empty for no table
	}{
		"of this month, held":                        {at(11, 1, 0, 0), nil, nil, TableAT},
		"of this month, invoiced on its last minute": {at(11, 1, 0, 0), at(11, 30, 23, 59), nil, ""},
		"of this month, invoiced at midnight":        {at(11, 1, 0, 0), at(12, 1, 0, 0), nil, TableAT},
		"of this month, given back in it":            {at(11, 2, 0, 0), nil, at(11, 3, 0, 0), ""},
		"given back now, invoiced later":             {at(11, 2, 0, 0), at(12, 3, 0, 0), at(11, 3, 0, 0), ""},
		"invoiced now, given back later":             {at(11, 2, 0, 0), at(11, 3, 0, 0), at(12, 3, 0, 0), ""},
		"earlier, invoiced at the first moment":      {at(10, 31, 23, 59), at(11, 1, 0, 0), nil, TableTXPD},
		"earlier, given back now, invoiced later":    {at(10, 9, 0, 0), at(12, 1, 0, 0), at(11, 9, 0, 0), TableTXPD},
		"earlier, given back earlier, invoiced now":  {at(10, 9, 0, 0), at(11, 9, 0, 0), at(10, 10, 0, 0), ""},
		"earlier, used up in its own month":          {at(10, 9, 0, 0), at(10, 31, 23, 59), nil, ""},
		"earlier, still held":                        {at(10, 9, 0, 0), nil, nil, ""},
	} {
		d := document(invoice.KindReceiptVoucher, 1, "R/26/1", *tc.got, 1_000, "", "29")
		d.InvoicedAt, d.ReturnedAt = tc.invoiced, tc.returned
		r := returnOf(d)
		for _, table := range []Table{TableAT, TableTXPD} {
			require.Equal(t, table == tc.want, len(r.Rows[table]) == 1, "%s: %s", name, table)
			require.Equal(t, table == tc.want, r.Sums[table].Documents == 1, "%s: %s", name, table)
		}
		require.Zero(t, r.Outward(), name)
		require.Equal(t, tc.got.Month() == time.November, len(r.Series) == 1, "%s: its number stands in the month of its date", name)
	}
}

// Each fault is one problem that names the document. The longest number that the portal accepts is no problem.
func TestProblems_EachFault_NamesTheDocumentAndTheFault(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		change func(d *invoice.Taxed)
		want   string
	}{
		"sixteen characters": {func(d *invoice.Taxed) { d.Number = "FP/26-27/1234567" }, ""},
		"seventeen":          {func(d *invoice.Taxed) { d.Number = "FP/26-27/12345678" }, "FP/26-27/12345678 is no number that the portal takes"},
		"an underscore":      {func(d *invoice.Taxed) { d.Number = "FP_1" }, "FP_1 is no number that the portal takes"},
		"no number":          {func(d *invoice.Taxed) { d.Number = "" }, " is no number that the portal takes"},
		"a line below it":    {func(d *invoice.Taxed) { d.Number = "FP/1\n" }, "FP/1\n is no number that the portal takes"},
		"a misread GSTIN":    {func(d *invoice.Taxed) { d.GSTIN = "29AAGCB7383J1Z5" }, "F/26/1 has the GSTIN 29AAGCB7383J1Z5, whose check digit is wrong"},
		"no State":           {func(d *invoice.Taxed) { d.PlaceOfSupply = "28" }, "F/26/1 has no place of supply"},
		"a zone without a GSTIN": {
			func(d *invoice.Taxed) { d.SEZ, d.GSTIN = true, "" }, "F/26/1 is to a special economic zone without a GSTIN",
		},
		"a zone": {func(d *invoice.Taxed) { d.SEZ = true }, ""},
		"six per cent and a half": {
			func(d *invoice.Taxed) { d.Lines = []invoice.TaxedLine{{RateBps: 650}} }, "F/26/1 has a rate of 6.5 %, which the portal does not know",
		},
		"of another GSTIN of ours": {
			func(d *invoice.Taxed) { d.SupplierGSTIN = "29AAPFU0939F1ZR" },
			"F/26/1 was issued under the GSTIN 29AAPFU0939F1ZR, which files a return of its own",
		},
	} {
		d := document(invoice.KindInvoice, 1, "F/26/1", on(1), 1_000, buyer, "29")
		tc.change(&d)
		for _, kind := range []invoice.Kind{invoice.KindInvoice, invoice.KindCreditNote} {
			d.Kind = kind
			require.Equal(t, tc.want, strings.Join(returnOf(d).Problems, "; "), "%s: %s", name, kind)
		}
	}
	// The rates of the offline tool, in per cent.
	for _, rate := range []string{"0", "0.1", "0.25", "1", "1.5", "3", "5", "6", "7.5", "12", "18", "28", "40"} {
		p, err := money.Parse(rate)
		require.NoError(t, err)
		d := document(invoice.KindInvoice, 1, "F/26/1", on(1), 1_000, buyer, "29")
		d.Lines[0].RateBps = int64(p)
		require.Empty(t, returnOf(d).Problems, rate)
		require.Equal(t, rate, percent(int64(p)))
	}
	foreign := document(invoice.KindInvoice, 1, "F/26/1", on(1), 1_000, buyer, "29")
	foreign.SupplierGSTIN = "29AAPFU0939F1ZR"
	require.Empty(t, returnOf(foreign).Series, "its number is in the return of its own GSTIN")
}

func TestProblems_MoreThanTwenty_AreCounted(t *testing.T) {
	t.Parallel()
	for n, last := range map[int]string{20: "F/26/1 has no place of supply", 21: "and 1 more"} {
		b := newBuilder(november(), home, keepNone)
		for range n {
			b.add(document(invoice.KindInvoice, 1, "F/26/1", on(1), 10, buyer, ""))
		}
		problems := b.done().Problems
		require.Len(t, problems, n)
		require.Equal(t, last, problems[n-1])
	}
}

// A return may be taken out only if no figure differs and the portal refuses nothing; each figure counts.
func TestChecked_OneFigureDiffers_BlocksTheReturn(t *testing.T) {
	t.Parallel()
	sound := func() Checked {
		return Checked{
			Books: []Compared{{"Value", 100, 100}, {"CGST", 9, 9}, {"SGST", 9, 9}, {"IGST", 0, 0}},
			Codes: []Compared{{"Value", 100, 100}, {"CGST", 9, 9}, {"SGST", 9, 9}, {"IGST", 0, 0}},
		}
	}
	require.True(t, sound().Sound())
	for i := range 4 {
		for name, change := range map[string]func(c *Checked){
			"a paisa more in the return":    func(c *Checked) { c.Books[i].Return++ },
			"a paisa more in the books":     func(c *Checked) { c.Books[i].Other++ },
			"a paisa less in the return":    func(c *Checked) { c.Codes[i].Return-- },
			"a paisa more by service codes": func(c *Checked) { c.Codes[i].Other++ },
		} {
			c := sound()
			change(&c)
			require.False(t, c.Sound(), "%s: %d", name, i)
		}
	}
	c := sound()
	c.Problems = []string{"F/26/1 has no place of supply"}
	require.False(t, c.Sound())
	c = sound()
	c.Over = true
	require.True(t, c.Sound(), "whether the month is over is another question")
}

// Section 37(5) CGST Act: no return is filed later than three years after it was due. The running month is offered, too, from its first
// moment in India on.
func TestMonths_Offered_AreOfTheLastThreeYears(t *testing.T) {
	t.Parallel()
	for now, want := range map[string][2]string{
		"2026-11-30T18:29:59Z": {"2026-11", "2023-10"}, "2026-11-30T18:30:00Z": {"2026-12", "2023-11"}, "2027-01-01T00:00:00Z": {"2027-01", "2023-12"},
		"2028-02-29T12:00:00Z": {"2028-02", "2025-01"}, "2027-03-31T18:30:00Z": {"2027-04", "2024-03"},
	} {
		at, err := time.Parse(time.RFC3339, now)
		require.NoError(t, err)
		s := &Service{clock: clock.NewFake(at)}
		list := s.Months()
		require.Len(t, list, 38)
		require.Equal(t, want, [2]string{list[0].String(), list[len(list)-1].String()}, now)
		for i, m := range list[1:] {
			from, _ := list[i].Window()
			_, to := m.Window()
			require.True(t, from.Equal(to), "month after month: %s", m)
			require.True(t, s.Offered(m))
		}
		first, _ := ParseMonth(want[0])
		last, _ := ParseMonth(want[1])
		_, next := first.Window()
		before, _ := last.Window()
		require.False(t, s.Offered(MonthOf(next)), "one to come")
		require.False(t, s.Offered(MonthOf(before.Add(-time.Second))), "one that is barred")
	}
}

// The builder keeps a page of one table, the documents that the file lists, or nothing.
func TestBuilder_Filter_KeepsOnlyTheRequestedDocuments(t *testing.T) {
	t.Parallel()
	page := keepWindow(TableB2B, 2, 3)
	var kept []int
	for n := range 8 {
		if page(TableB2B, n) {
			kept = append(kept, n)
		}
		require.False(t, page(TableB2CS, n) || keepNone(TableB2B, n))
	}
	require.Equal(t, []int{2, 3, 4}, kept)
	require.False(t, keepWindow(TableB2B, 0, 0)(TableB2B, 0))
	for _, table := range Tables() {
		listed := table == TableB2B || table == TableB2CL || table == TableCDNR || table == TableCDNUR
		require.Equal(t, listed, keepListed(table, 5000), table)
	}
	b := newBuilder(november(), home, keepNone)
	for _, d := range everything() {
		b.add(d)
	}
	r := b.done()
	require.Empty(t, r.Documents)
	require.Equal(t, 3, r.Sums[TableB2B].Documents, "the sums do not depend on it")
	require.Equal(t, 3, r.behind(Figure{Table: TableB2B}))
	require.Equal(t, 4, r.behind(Figure{TableHSNB2B, "998315", 1800}), "three invoices and a note")
}

// Advances of one place at two rates are one entry with two items; those of two places, or of one place within the State and across States,
// stay apart.
func TestAdvances_AreGroupedByPlaceAndKindOfSupply(t *testing.T) {
	t.Parallel()
	at := func(rate int64, place invoice.StateCode, across bool) Row {
		return Row{Place: place, AcrossState: across, Item: Item{RateBps: rate, Taxable: 100_00}}
	}
	var got []string
	for _, a := range advances([]Row{at(500, "27", false), at(1800, "27", false), at(1800, "27", true), at(1800, "29", true), at(1800, "33", true)}) {
		rates := make([]string, 0, len(a.Items))
		for _, i := range a.Items {
			rates = append(rates, string(i.Rate))
		}
		got = append(got, string(a.Place)+" "+a.Supply+" "+strings.Join(rates, "+"))
	}
	require.Equal(t, []string{"27 INTRA 5+18", "27 INTER 18", "29 INTER 18", "33 INTER 18"}, got)
	zone := document(invoice.KindInvoice, 2, "F/26/2", on(1), 100, "", "27")
	zone.Regime, zone.Lines[0].Tax = invoice.RegimeInterState, invoice.Tax{IGST: 18_00}
	for range 8 { // the rows come out of a map
		r := returnOf(zone, document(invoice.KindInvoice, 1, "F/26/1", on(1), 100, "", "27"))
		require.Equal(t, []bool{false, true}, []bool{r.Rows[TableB2CS][0].AcrossState, r.Rows[TableB2CS][1].AcrossState}, "within the State first")
	}
}

// A figure with documents is a whole table, or a service code at a rate: one code has two rates if the law changed.
func TestFigure_IsATableOrACodeAtARate(t *testing.T) {
	t.Parallel()
	for f, valid := range map[Figure]bool{
		{TableHSNB2C, "998315", 1800}: true, {TableHSNB2C, "998315", 0}: true, {Table: TableHSNB2C}: false, {TableB2B, "998315", 0}: false,
		{TableB2B, "", 1800}: false, {Table: TableTXPD}: true,
	} {
		require.Equal(t, valid, f.Valid(), f)
	}
	other := document(invoice.KindInvoice, 2, "F/26/2", on(2), 100, buyer, "29")
	other.Lines[0].RateBps = 500
	b := newBuilder(november(), home, keepWindow(TableHSNB2B, 0, 10))
	b.behind = Figure{TableHSNB2B, "998315", 500}
	b.add(document(invoice.KindInvoice, 1, "F/26/1", on(1), 100, buyer, "29"))
	b.add(other)
	r := b.done()
	require.Len(t, r.Documents[TableHSNB2B], 1)
	require.Equal(t, "F/26/2", r.Documents[TableHSNB2B][0].Number)
	require.Equal(t, 1, r.behind(b.behind))
}
