// Package gstreturn makes the monthly return of outward supplies (GSTR-1, section 37 CGST Act 2017) from the documents that were issued,
// in the tables of the form and in the format of GSTN's offline tool. All amounts are in paise, all months in Asia/Kolkata.
package gstreturn

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/gstin"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// largeInvoice is the value above which an invoice to another State and a recipient without a GSTIN is listed singly (table 5; rule 59(4)
// CGST Rules as of 1 August 2024, Notification 12/2024).
const largeInvoice = money.Paise(1_00_000_00)

// Month is a calendar month, such as 2026-11.
type Month struct {
	Year  int
	Month time.Month
}

// MonthOf returns the month of a moment.
func MonthOf(at time.Time) Month {
	y, m, _ := at.In(clock.IST).Date()
	return Month{y, m}
}

var monthForm = regexp.MustCompile(`^20[0-9]{2}-(0[1-9]|1[0-2])$`)

// ParseMonth reads a month as YYYY-MM.
func ParseMonth(text string) (Month, bool) {
	if !monthForm.MatchString(text) {
		return Month{}, false
	}
	at, err := time.ParseInLocation("2006-01", text, clock.IST)
	return MonthOf(at), err == nil
}

// String returns the month as YYYY-MM.
func (m Month) String() string { return fmt.Sprintf("%04d-%02d", m.Year, m.Month) }

// Window returns the moments at which the month begins and the next one does.
func (m Month) Window() (from, to time.Time) {
	return time.Date(m.Year, m.Month, 1, 0, 0, 0, 0, clock.IST), time.Date(m.Year, m.Month+1, 1, 0, 0, 0, 0, clock.IST)
}

// period is the month as the offline tool writes it: 112026.
func (m Month) period() string { return fmt.Sprintf("%02d%04d", m.Month, m.Year) }

// Table is a table of the form.
type Table string

// The tables that this business can have; imports, exports, exempt supplies and e-commerce are not sold here. Documents do not change once
// they are issued, so that no table of amendments has anything either.
const (
	TableB2B   Table = "b2b"   // 4: to registered recipients
	TableB2CL  Table = "b2cl"  // 5: large invoices across States to others
	TableB2CS  Table = "b2cs"  // 7: all other invoices to them, less their credit notes, summed
	TableCDNR  Table = "cdnr"  // 9B: credit notes to registered recipients
	TableCDNUR Table = "cdnur" // 9B: credit notes of invoices in table 5
	TableAT    Table = "at"    // 11A: advances received that no invoice followed in the month
	TableTXPD  Table = "txpd"  // 11B: earlier advances that were invoiced, or given back
	// The tables that count the amounts of the other tables again.
	TableHSNB2B Table = "hsn_b2b" // 12: by service code and rate, to registered recipients
	TableHSNB2C Table = "hsn_b2c" // 12: by service code and rate, to others
	TableDocs   Table = "docs"    // 13: the numbers that were issued
)

// Tables returns the tables whose documents are summed, in the order of the form.
func Tables() []Table {
	return []Table{TableB2B, TableB2CL, TableB2CS, TableCDNR, TableCDNUR, TableAT, TableTXPD}
}

// Files returns the tables that are taken out as CSV, in the order of the form.
func Files() []Table { return append(Tables(), TableHSNB2B, TableHSNB2C, TableDocs) }

// Figure is a number whose documents can be listed: a table of Tables, or a row of table 12, which has a service code and a rate.
type Figure struct {
	Table   Table
	SAC     string
	RateBps int64
}

// Valid reports whether the figure has documents.
func (f Figure) Valid() bool {
	if f.Table == TableHSNB2B || f.Table == TableHSNB2C {
		return f.SAC != ""
	}
	return slices.Contains(Tables(), f.Table) && f.SAC == "" && f.RateBps == 0
}

// Item is the part of a document, or of a row of a summed table, at one rate.
type Item struct {
	RateBps int64
	Taxable money.Paise
	invoice.Tax
}

// Document is a document in a table, with one item for each rate.
type Document struct {
	invoice.Taxed
	Items []Item
}

// Row is a row of a summed table: all that has the place of supply and the rate.
type Row struct {
	Place       invoice.StateCode
	AcrossState bool
	Item
}

// Code is a row of table 12: the supplies under a service code at a rate, less credit notes, and the number of documents.
type Code struct {
	SAC       string
	Documents int
	Item
}

// Series is a row of table 13: a run of consecutive numbers. Lost are the numbers in it that no document here has.
type Series struct {
	Kind     invoice.Kind
	From, To string
	Issued   int64
	Lost     int64
	// Cancelled are those of Issued that were cancelled at the Invoice Registration Portal.
	Cancelled int64
}

// Sum is the total of a table.
type Sum struct {
	Documents int
	Taxable   money.Paise
	invoice.Tax
}

// Return is one month's return of outward supplies.
type Return struct {
	Month Month
	GSTIN string
	// Documents are the requested documents (keep), in order of time and number.
	Documents map[Table][]Document
	// Rows are those of the summed tables.
	Rows map[Table][]Row
	// Registered and Others are table 12 for recipients with a GSTIN and without one.
	Registered, Others []Code
	Series             []Series
	// Sums has every table; credit notes are positive in theirs.
	Sums map[Table]Sum
	// CommercialNotes is the value of credit notes without GST, which the return does not have and the books do.
	CommercialNotes money.Paise
	// Cancelled is the value of documents cancelled at the Invoice Registration Portal, invoices less credit notes; CancelledNumbers are
	// their numbers. The books have them until they are reversed.
	Cancelled        Sum
	CancelledNumbers []string
	// Problems are the faults that the portal would refuse; a return with one cannot be downloaded.
	Problems []string
}

// builder sums documents into a return.
type builder struct {
	r           Return
	rows        map[Table]map[rowKey]Item
	codes       [2]map[codeKey]Code
	series      map[string]*run
	keep        keep
	gone        map[string]bool // the numbers that were cancelled at the Invoice Registration Portal
	behind      Figure          // whose documents are kept, if it is a row of table 12
	moreTrouble int
	register    time.Time    // from when on documents are registered at the portal, zero if none is
	registered  []toRegister // the documents that the portal has to register
}

// keep reports whether the nth document of a table, from 0, is kept. A month may have more of them than should be held at once.
type keep func(t Table, n int) bool

// keepNone keeps sums alone.
func keepNone(Table, int) bool { return false }

// keepListed keeps the documents that the file lists singly.
func keepListed(t Table, _ int) bool {
	return t == TableB2B || t == TableB2CL || t == TableCDNR || t == TableCDNUR
}

// keepWindow keeps some of a table's documents.
func keepWindow(of Table, from, limit int) keep {
	return func(t Table, n int) bool { return t == of && n >= from && n-from < limit }
}

type rowKey struct {
	place   invoice.StateCode
	across  bool
	rateBps int64
}

type codeKey struct {
	sac     string
	rateBps int64
}

type run struct {
	Series
	first, last int64
}

// newBuilder begins the return of a month for the supplier with the GSTIN.
func newBuilder(m Month, supplier string, k keep) *builder {
	b := &builder{
		r: Return{
			Month: m, GSTIN: supplier, Documents: map[Table][]Document{}, Rows: map[Table][]Row{}, Sums: map[Table]Sum{},
		},
		rows:  map[Table]map[rowKey]Item{TableB2CS: {}, TableAT: {}, TableTXPD: {}},
		codes: [2]map[codeKey]Code{{}, {}}, series: map[string]*run{}, keep: k,
	}
	if supplier == "" {
		b.trouble("There is no GSTIN of the supplier (SUPPLIER_GSTIN), under which the return would be filed")
	}
	return b
}

// add puts a document where it belongs.
func (b *builder) add(d invoice.Taxed) {
	if d.SupplierGSTIN != b.r.GSTIN {
		b.trouble("%s was issued under the GSTIN %s, which files a return of its own", d.Number, d.SupplierGSTIN)
		return
	}
	from, to := b.r.Month.Window()
	if d.Kind == invoice.KindReceiptVoucher {
		b.addAdvance(d, from, to)
	}
	if d.IssuedAt.Before(from) || !d.IssuedAt.Before(to) {
		return // an advance of an earlier month
	}
	if d.Commercial {
		for _, l := range d.Lines {
			b.r.CommercialNotes += l.Taxable
		}
		return
	}
	b.count(d)
	if b.isGone(d) {
		b.addGone(d)
		return
	}
	if d.MustRegister(b.register) {
		b.registered = append(b.registered, toRegister{d.ID, d.Number, d.IssuedAt})
	}
	switch d.Kind {
	case invoice.KindInvoice:
		b.check(d)
		b.addSupply(d, false)
	case invoice.KindCreditNote:
		b.check(d)
		b.addSupply(d, true)
	case invoice.KindReceiptVoucher, invoice.KindRefundVoucher:
	}
}

// isGone reports whether a document was cancelled at the Invoice Registration Portal, or is the credit note of a cancelled invoice: the
// credit note would reduce a supply that does not count.
func (b *builder) isGone(d invoice.Taxed) bool {
	return b.gone[d.Number] || d.Kind == invoice.KindCreditNote && b.gone[d.OriginalNumber]
}

// addGone counts a document as cancelled in table 13 and adds its value in the books.
func (b *builder) addGone(d invoice.Taxed) {
	b.series[d.Series].Cancelled++
	b.r.CancelledNumbers = append(b.r.CancelledNumbers, d.Number)
	b.r.Cancelled.Documents++
	for _, l := range d.Lines {
		item := Item{l.RateBps, l.Taxable, l.Tax}
		if d.Kind == invoice.KindCreditNote {
			item = negative(item)
		}
		b.r.Cancelled.Taxable += item.Taxable
		b.r.Cancelled.Tax = b.r.Cancelled.Plus(item.Tax)
	}
}

func across(d invoice.Taxed) bool { return d.Regime == invoice.RegimeInterState }

// large reports whether an invoice, or the invoice of a credit note, belongs in table 5.
func large(d invoice.Taxed) bool {
	value := d.Total
	if d.Kind == invoice.KindCreditNote {
		value = d.OriginalTotal
	}
	return d.GSTIN == "" && across(d) && value > largeInvoice
}

func tableOf(d invoice.Taxed) Table {
	note := d.Kind == invoice.KindCreditNote
	switch {
	case d.GSTIN != "" && note:
		return TableCDNR
	case d.GSTIN != "":
		return TableB2B
	case large(d) && note:
		return TableCDNUR
	case large(d):
		return TableB2CL
	default:
		return TableB2CS
	}
}

func (b *builder) addSupply(d invoice.Taxed, note bool) {
	table, to := tableOf(d), 0
	if d.GSTIN == "" {
		to = 1
	}
	one := Document{Taxed: d}
	for _, l := range d.Lines {
		item := Item{l.RateBps, l.Taxable, l.Tax}
		one.Items = addTo(one.Items, item)
		if note {
			item = negative(item)
		}
		k := codeKey{l.SAC, l.RateBps}
		code := b.codes[to][k]
		code.Item, code.Documents = plus(code.Item, item), code.Documents+1
		b.codes[to][k] = code
		if table == TableB2CS {
			k := rowKey{d.PlaceOfSupply, across(d), l.RateBps}
			b.rows[table][k] = plus(b.rows[table][k], item)
		}
	}
	b.list(table, one, table == TableB2CS && note)
	b.listBehind(one, to)
}

// listBehind keeps a document of the requested row of table 12.
func (b *builder) listBehind(d Document, to int) {
	f := b.behind
	if f.Table != [...]Table{TableHSNB2B, TableHSNB2C}[to] {
		return
	}
	for _, l := range d.Lines { // a code at a rate is one line
		if l.SAC == f.SAC && l.RateBps == f.RateBps && b.keep(f.Table, b.codes[to][codeKey{f.SAC, f.RateBps}].Documents-1) {
			b.r.Documents[f.Table] = append(b.r.Documents[f.Table], d)
		}
	}
}

// addAdvance adds a receipt voucher's money to table 11A of its month, unless it was invoiced or refunded in that month, and to table 11B
// of the later month in which it was. The form has no table for advances refunded later; both tables reduce the tax due by the same amount.
func (b *builder) addAdvance(d invoice.Taxed, from, to time.Time) {
	used := d.InvoicedAt
	if used == nil || d.ReturnedAt != nil && d.ReturnedAt.Before(*used) {
		used = d.ReturnedAt
	}
	mine := !d.IssuedAt.Before(from) && d.IssuedAt.Before(to)
	usedNow := used != nil && !used.Before(from) && used.Before(to)
	table := TableAT
	switch {
	case mine && usedNow, !mine && !usedNow:
		return
	case !mine:
		table = TableTXPD
	}
	one := Document{Taxed: d}
	for _, l := range d.Lines {
		item := Item{l.RateBps, l.Taxable, l.Tax}
		one.Items = addTo(one.Items, item)
		k := rowKey{d.PlaceOfSupply, across(d), l.RateBps}
		b.rows[table][k] = plus(b.rows[table][k], item)
	}
	b.list(table, one, false)
}

func (b *builder) list(t Table, d Document, negated bool) {
	sum := b.r.Sums[t]
	if b.keep(t, sum.Documents) {
		b.r.Documents[t] = append(b.r.Documents[t], d)
	}
	sum.Documents++
	for _, item := range d.Items {
		if negated {
			item = negative(item)
		}
		sum.Taxable += item.Taxable
		sum.Tax = sum.Plus(item.Tax)
	}
	b.r.Sums[t] = sum
}

// count adds a document's number to its run in table 13.
func (b *builder) count(d invoice.Taxed) {
	s, ok := b.series[d.Series]
	if !ok {
		s = &run{Series: Series{Kind: d.Kind, From: d.Number, To: d.Number}, first: d.Sequence, last: d.Sequence}
		b.series[d.Series] = s
	}
	if d.Sequence < s.first {
		s.first, s.From = d.Sequence, d.Number
	}
	if d.Sequence > s.last {
		s.last, s.To = d.Sequence, d.Number
	}
	s.Issued++
}

var numberForm = regexp.MustCompile(`^[A-Za-z0-9/-]{1,16}$`)

// rates are the rates that the offline tool accepts, in basis points.
func rates() []int64 { return []int64{0, 10, 25, 100, 150, 300, 500, 600, 750, 1200, 1800, 2800, 4000} }

// check records the faults that the portal would refuse in a document.
func (b *builder) check(d invoice.Taxed) {
	switch {
	case !numberForm.MatchString(d.Number):
		b.trouble("%s is no number that the portal takes", d.Number)
	case d.GSTIN != "" && !gstin.Valid(d.GSTIN):
		b.trouble("%s has the GSTIN %s, whose check digit is wrong", d.Number, d.GSTIN)
	case !d.PlaceOfSupply.Valid():
		b.trouble("%s has no place of supply", d.Number)
	case d.SEZ && d.GSTIN == "":
		b.trouble("%s is to a special economic zone without a GSTIN", d.Number)
	}
	for _, l := range d.Lines {
		if !slices.Contains(rates(), l.RateBps) {
			b.trouble("%s has a rate of %s %%, which the portal does not know", d.Number, percent(l.RateBps))
		}
	}
}

// maxProblems limits how many problems are named one by one.
const maxProblems = 20

func (b *builder) trouble(format string, args ...any) {
	if b.troubled() {
		b.moreTrouble++
		return
	}
	b.r.Problems = append(b.r.Problems, fmt.Sprintf(format, args...))
}

// troubled reports whether further problems are only counted.
func (b *builder) troubled() bool { return len(b.r.Problems) >= maxProblems }

// done returns the return with its rows in order.
func (b *builder) done() Return {
	for table, rows := range b.rows {
		for k, item := range rows {
			if item == (Item{RateBps: k.rateBps}) {
				continue // the refund came in the same month
			}
			b.r.Rows[table] = append(b.r.Rows[table], Row{k.place, k.across, item})
		}
		slices.SortFunc(b.r.Rows[table], func(x, y Row) int {
			return cmp.Or(cmp.Compare(x.Place, y.Place), cmp.Compare(x.RateBps, y.RateBps), compareBool(x.AcrossState, y.AcrossState))
		})
	}
	b.r.Registered, b.r.Others = codesOf(b.codes[0]), codesOf(b.codes[1])
	for _, s := range b.series {
		s.Lost = s.last - s.first + 1 - s.Issued
		b.r.Series = append(b.r.Series, s.Series)
	}
	slices.SortFunc(b.r.Series, func(x, y Series) int {
		return cmp.Or(cmp.Compare(nature(x.Kind), nature(y.Kind)), cmp.Compare(x.From, y.From))
	})
	if b.moreTrouble > 0 {
		b.r.Problems = append(b.r.Problems, fmt.Sprintf("and %d more", b.moreTrouble))
	}
	return b.r
}

func codesOf(sums map[codeKey]Code) []Code {
	list := make([]Code, 0, len(sums))
	for k, code := range sums {
		code.SAC = k.sac
		list = append(list, code)
	}
	slices.SortFunc(list, func(x, y Code) int { return cmp.Or(cmp.Compare(x.SAC, y.SAC), cmp.Compare(x.RateBps, y.RateBps)) })
	return list
}

// Outward returns the supplies of the month less its credit notes, which the books have to show too.
func (r Return) Outward() Sum {
	var sum Sum
	for _, t := range []Table{TableB2B, TableB2CL, TableB2CS, TableCDNR, TableCDNUR} {
		s := r.Sums[t]
		sum.Documents += s.Documents
		if t == TableCDNR || t == TableCDNUR {
			s.Taxable, s.Tax = -s.Taxable, invoice.Tax{}.Minus(s.Tax)
		}
		sum.Taxable += s.Taxable
		sum.Tax = sum.Plus(s.Tax)
	}
	return sum
}

// behind returns the number of documents of a figure.
func (r Return) behind(f Figure) int {
	list := map[Table][]Code{TableHSNB2B: r.Registered, TableHSNB2C: r.Others}[f.Table]
	for _, c := range list {
		if c.SAC == f.SAC && c.RateBps == f.RateBps {
			return c.Documents
		}
	}
	return r.Sums[f.Table].Documents
}

// ByCode returns the sum of table 12, which has to equal Outward.
func (r Return) ByCode() Sum {
	var sum Sum
	for _, c := range slices.Concat(r.Registered, r.Others) {
		sum.Taxable += c.Taxable
		sum.Tax = sum.Plus(c.Tax)
	}
	return sum
}

func addTo(items []Item, item Item) []Item {
	for i := range items {
		if items[i].RateBps == item.RateBps {
			items[i] = plus(items[i], item)
			return items
		}
	}
	return append(items, item)
}

func plus(a, b Item) Item { return Item{b.RateBps, a.Taxable + b.Taxable, a.Plus(b.Tax)} }

func negative(i Item) Item { return Item{i.RateBps, -i.Taxable, invoice.Tax{}.Minus(i.Tax)} }

func compareBool(x, y bool) int {
	switch {
	case x == y:
		return 0
	case y:
		return -1
	default:
		return 1
	}
}
