package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/franchise360/franchise360/pkg/gstreturn"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/testkit/world"
)

// largePaper is the value above which an inter-State invoice to a recipient without a GSTIN is listed individually (table 5 of GSTR-1).
const largePaper = 1_00_000 * money.Rupee

// tables are a month's return as text: the amounts of each table's row, by its name.
type tables map[string]string

// amounts are a row's totals, in paise.
type amounts struct {
	n       int
	taxable money.Paise
	invoice.Tax
}

func (a amounts) String() string {
	return fmt.Sprintf("%d: %s + %s C + %s S + %s U + %s I", a.n, a.taxable, a.CGST, a.SGST, a.UTGST, a.IGST)
}

// rows adds up amounts by name.
type rows map[string]amounts

func (r rows) add(name string, taxable money.Paise, tax invoice.Tax, sign money.Paise) {
	a := r[name]
	a.taxable += sign * taxable
	a.Tax = a.Plus(invoice.Tax{CGST: sign * tax.CGST, SGST: sign * tax.SGST, UTGST: sign * tax.UTGST, IGST: sign * tax.IGST})
	r[name] = a
}

// document counts a document in a table's sum.
func (r rows) document(table string) {
	a := r[table]
	a.n++
	r[table] = a
}

// returns compares the returns of all months with a second computation that uses only the printed documents.
func (l *life) returns(ctx context.Context) (ended error) {
	p, err := l.newPrinter(ctx)
	if err != nil {
		return err
	}
	defer func() { ended = errors.Join(ended, p.end()) }()
	var ids []string
	if err := l.db.Owner.SelectContext(ctx, &ids, `SELECT id FROM invoices ORDER BY issued_at, number`); err != nil {
		return fmt.Errorf("list the documents: %w", err)
	}
	papers := map[string]printed{}
	for _, id := range ids {
		paper, err := p.read(ctx, id)
		if err != nil {
			return err
		}
		papers[paper.number] = paper
	}
	if len(papers) != len(ids) {
		return fmt.Errorf("%d documents have %d numbers", len(ids), len(papers))
	}
	months, compared := monthsOf(papers), 0
	service := gstreturn.NewService(gstreturn.Options{
		DB: l.db.API, Clock: l.world.Clock, Recorder: staff.NewRecorder(l.world.Clock), GSTIN: world.SupplierGSTIN,
	})
	for _, m := range months {
		theirs, err := l.returned(l.world.Asha.Sign(ctx), service, m)
		if err != nil {
			return fmt.Errorf("return of %s: %w", m, err)
		}
		ours := ofPapers(papers, m)
		for _, name := range slices.Sorted(maps.Keys(merged(ours, theirs))) {
			compared++
			if ours[name] != theirs[name] {
				l.findings = append(l.findings, fmt.Sprintf("GSTR-1 of %s, %s: the papers say %q, the return %q", m, name, ours[name], theirs[name]))
			}
		}
	}
	fmt.Fprintf(l.out, "GSTR-1: %d months, %d documents printed and read again, %d figures, %d differ\n", len(months), len(papers), compared, len(l.findings))
	return l.found("in GSTR-1")
}

func merged(a, b tables) tables {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

func monthOf(p printed) gstreturn.Month {
	return gstreturn.Month{Year: p.date.Year(), Month: p.date.Month()}
}

func monthsOf(papers map[string]printed) []gstreturn.Month {
	seen := map[gstreturn.Month]bool{}
	for _, p := range papers {
		seen[monthOf(p)] = true
	}
	return slices.SortedFunc(maps.Keys(seen), func(a, b gstreturn.Month) int {
		return cmp.Or(cmp.Compare(a.Year, b.Year), cmp.Compare(a.Month, b.Month))
	})
}

// ofPapers computes a month's return from the printed documents, by section 37 CGST Act, rule 59 CGST Rules and the instructions of the
// form.
func ofPapers(papers map[string]printed, m gstreturn.Month) tables {
	all := rows{}
	runs := map[string][]int64{}
	for _, p := range papers {
		if p.title == "Receipt voucher" {
			advance(all, papers, p, m)
		}
		if monthOf(p) != m || p.commercial {
			continue
		}
		series, sequence, _ := cutLast(p.number)
		runs[series] = append(runs[series], sequence)
		switch p.title {
		case "Tax invoice":
			supply(all, papers, p, 1)
		case "Credit note":
			supply(all, papers, p, -1)
		}
	}
	out := tables{}
	for name, a := range all {
		// What was sold and given back within the month comes to nothing, and table 7 has no row for nothing.
		if a != (amounts{}) || !strings.HasPrefix(name, "b2cs ") {
			out[name] = a.String()
		}
	}
	for series, list := range runs {
		first, last := slices.Min(list), slices.Max(list)
		out["series "+series] = fmt.Sprintf("%d to %d, %d issued, %d lost", first, last, len(list), last-first+1-int64(len(list)))
	}
	return out
}

func cutLast(number string) (series string, sequence int64, err error) {
	at := strings.LastIndex(number, "/")
	sequence, err = strconv.ParseInt(number[at+1:], 10, 64)
	return number[:at], sequence, err
}

// supply puts an invoice or, with sign -1, a credit note into its table and the summary by service code.
func supply(all rows, papers map[string]printed, p printed, sign money.Paise) {
	value := p.total
	if sign < 0 {
		value = papers[p.original].total
	}
	table, recipients := "b2cs", "others"
	switch {
	case p.gstin != "":
		table, recipients = map[money.Paise]string{1: "b2b", -1: "cdnr"}[sign], "registered"
	case p.across() && value > largePaper:
		table = map[money.Paise]string{1: "b2cl", -1: "cdnur"}[sign]
	}
	inTable := money.Paise(1)
	if table == "b2cs" {
		inTable = sign
	}
	all.document(table)
	for _, line := range p.lines {
		all.add(table, line.taxable, line.Tax, inTable)
		all.add(fmt.Sprintf("hsn %s %s at %d", recipients, line.sac, line.rateBps), line.taxable, line.Tax, sign)
		if table == "b2cs" {
			all.add(fmt.Sprintf("b2cs %s at %d", p.place, line.rateBps), line.taxable, line.Tax, sign)
		} else {
			all.add(fmt.Sprintf("%s %s %s at %d", table, p.number, p.gstin, line.rateBps), line.taxable, line.Tax, 1)
		}
	}
}

// advance puts a receipt voucher into table 11A of its month, unless it was invoiced or given back in it, and into 11B of the month in which
// that happened later.
func advance(all rows, papers map[string]printed, voucher printed, m gstreturn.Month) {
	used := gstreturn.Month{}
	for _, p := range papers {
		follows := p.title == "Tax invoice" && p.transaction != "" && p.transaction == voucher.transaction ||
			p.title == "Refund voucher" && p.original == voucher.number
		if follows && (used.Year == 0 || before(monthOf(p), used)) {
			used = monthOf(p)
		}
	}
	table := ""
	switch mine := monthOf(voucher) == m; {
	case mine && used != m:
		table = "at"
	case !mine && used == m:
		table = "txpd"
	default:
		return
	}
	all.document(table)
	for _, line := range voucher.lines {
		all.add(table, line.taxable, line.Tax, 1)
		all.add(fmt.Sprintf("%s %s at %d", table, voucher.place, line.rateBps), line.taxable, line.Tax, 1)
	}
}

func before(a, b gstreturn.Month) bool {
	return a.Year < b.Year || a.Year == b.Year && a.Month < b.Month
}

// returned is the product's return of the month.
func (l *life) returned(ctx context.Context, service *gstreturn.Service, m gstreturn.Month) (tables, error) {
	c, err := service.Of(ctx, m)
	if err != nil {
		return nil, err
	}
	if from, to := m.Window(); !c.Sound() && l.world.Clock.Now().In(clock.IST).After(to) {
		return nil, fmt.Errorf("it cannot be taken out, from %s to %s: books %v, codes %v, problems %v", from, to, c.Books, c.Codes, c.Problems)
	}
	out := tables{}
	for table, sum := range c.Sums {
		if sum.Documents > 0 {
			out[string(table)] = amounts{n: sum.Documents, taxable: sum.Taxable, Tax: sum.Tax}.String()
		}
	}
	for table, list := range c.Rows {
		for _, r := range list {
			out[fmt.Sprintf("%s %s at %d", table, r.Place, r.RateBps)] = amounts{taxable: r.Taxable, Tax: r.Tax}.String()
		}
	}
	for recipients, list := range map[string][]gstreturn.Code{"registered": c.Registered, "others": c.Others} {
		for _, code := range list {
			out[fmt.Sprintf("hsn %s %s at %d", recipients, code.SAC, code.RateBps)] = amounts{taxable: code.Taxable, Tax: code.Tax}.String()
		}
	}
	for _, s := range c.Series {
		series, first, err := cutLast(s.From)
		if err != nil {
			return nil, fmt.Errorf("read a number: %w", err)
		}
		_, last, err := cutLast(s.To)
		if err != nil {
			return nil, fmt.Errorf("read a number: %w", err)
		}
		out["series "+series] = fmt.Sprintf("%d to %d, %d issued, %d lost", first, last, s.Issued, s.Lost)
	}
	return out, l.listed(ctx, service, m, out)
}

// listed adds the documents that the return lists one by one.
func (l *life) listed(ctx context.Context, service *gstreturn.Service, m gstreturn.Month, out tables) error {
	for _, table := range []gstreturn.Table{gstreturn.TableB2B, gstreturn.TableB2CL, gstreturn.TableCDNR, gstreturn.TableCDNUR} {
		list, _, err := service.Documents(ctx, m, gstreturn.Figure{Table: table}, 0, 1_000_000)
		if err != nil {
			return err
		}
		for _, d := range list {
			for _, item := range d.Items {
				out[fmt.Sprintf("%s %s %s at %d", table, d.Number, d.GSTIN, item.RateBps)] = amounts{taxable: item.Taxable, Tax: item.Tax}.String()
			}
		}
	}
	return nil
}
