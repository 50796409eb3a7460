package pdf

import (
	"slices"
	"strings"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

const totalsWidth = 208.0

// closing draws the part below the lines: totals on the right, amount in words and tax summary on the left, then the small print.
func (s *sheet) closing() {
	s.need(s.totalsHeight())
	top := s.y
	s.totals(right-totalsWidth, top)
	totalsEnd := s.y
	s.y = top
	s.inWords(left, right-totalsWidth-28-left)
	s.y = max(s.y, totalsEnd) + 16
	s.summary()
	s.transferTo()
	s.smallPrint()
	s.signature()
}

// signature draws the block for the supplier's signatory, who signs by hand or with a certificate.
func (s *sheet) signature() {
	if s.unsigned() {
		return
	}
	const room, leading = 34.0, 11.0
	signatory := s.doc.Supplier.Signatory
	s.need(room + float64(len(signatory)+2)*leading + 8 + s.room(leading))
	x := right - totalsWidth + 10
	s.y += 8
	s.twice(x, right-x, i18n.Mark("For {1}"), style{regular, 8, ink()}, leading, s.doc.Supplier.Name)
	if s.signedBy != "" {
		s.y += 4
		s.paragraph(x, right-x, "Digitally signed by "+s.signedBy+", "+day(s.doc.IssuedAt), style{bold, 8.5, success()}, leading)
		s.y += 4
	} else {
		s.y += room
		s.rule(x, right-10, s.y-4, 0.8, muted())
	}
	for _, line := range signatory {
		s.paragraph(x, right-x, line, style{bold, 8, ink()}, leading)
	}
	s.paragraph(x, right-x, s.both("Authorised signatory"), style{regular, 7.5, muted()}, leading)
}

// sum is a row of the totals.
type sum struct {
	label  string
	amount money.Paise
}

func (s *sheet) sums() []sum {
	t := s.doc.Totals
	var sums []sum
	if t.Discount != 0 {
		sums = append(sums, sum{s.both("Amount"), t.Amount}, sum{s.both("Discount"), -t.Discount})
	}
	sums = append(sums, sum{s.both(s.valueName()), t.Taxable})
	for _, h := range s.heads() {
		sums = append(sums, sum{h.name + s.commonRate(h), h.of(t.Tax)})
	}
	return sums
}

// valueName returns the label for the value before tax, depending on whether there is tax.
func (s *sheet) valueName() string {
	if s.doc.Commercial {
		return i18n.Mark("Value")
	}
	return i18n.Mark("Taxable value")
}

// commonRate returns the head's rate if all lines share it.
func (s *sheet) commonRate(h head) string {
	for _, l := range s.doc.Lines {
		if l.RateBps != s.doc.Lines[0].RateBps {
			return ""
		}
	}
	return " " + percent(s.doc.Lines[0].RateBps, h.parts)
}

const (
	sumLeading  = 16.0
	totalHeight = 28.0
)

func (s *sheet) totalsHeight() float64 {
	return float64(len(s.sums())+2*len(s.doc.Credits))*sumLeading + totalHeight + 60
}

func (s *sheet) totals(x, y float64) {
	label, amount := style{regular, 8.5, muted()}, style{regular, 8.5, ink()}
	for _, row := range s.sums() {
		s.text(x+10, y+10, row.label, label, alignLeft)
		s.text(right-10, y+10, rupees(row.amount), amount, alignRight)
		y += sumLeading
	}
	y += 2
	s.box(x, y, totalsWidth, totalHeight, 6, primary())
	name := i18n.Mark("Total")
	switch s.doc.Kind {
	case invoice.KindInvoice, invoice.KindRefundVoucher:
	case kindProforma:
		if s.proforma.Document.Credited == 0 {
			name = i18n.Mark("Total to pay")
		}
	case invoice.KindCreditNote:
		name = i18n.Mark("Total credit")
	case invoice.KindReceiptVoucher:
		name = i18n.Mark("Advance received")
	}
	s.text(x+10, y+18-s.room(5), name, style{bold, 10, white()}, alignLeft)
	s.text(x+10, y+23, s.other(name), style{bold, 8, white()}, alignLeft)
	s.text(right-10, y+18.5, rupees(s.doc.Totals.Total), style{bold, 12.5, white()}, alignRight)
	s.y = y + totalHeight + 8
	s.setOff(x)
	s.receipt(x + 10)
}

// setOff lists the credit notes that partly pay for the invoice, and the remaining amount.
func (s *sheet) setOff(x float64) {
	if len(s.doc.Credits) == 0 {
		return
	}
	label, amount := style{regular, 8.5, muted()}, style{regular, 8.5, ink()}
	for _, c := range s.doc.Credits {
		s.text(x+10, s.y+10, s.both("Less: credit note"), label, alignLeft)
		s.text(right-10, s.y+10, rupees(-c.Total), amount, alignRight)
		s.text(x+10, s.y+20, c.Number+" dated "+day(c.IssuedAt), style{regular, 7.5, muted()}, alignLeft)
		s.y += sumLeading + 9
	}
	s.text(x+10, s.y+10, s.both("Amount paid"), style{bold, 9, ink()}, alignLeft)
	s.text(right-10, s.y+10, rupees(s.doc.Totals.Total-s.doc.Credited()), style{bold, 9.5, ink()}, alignRight)
	s.y += sumLeading + 4
}

// settled returns the receipt's verb.
func (s *sheet) settled() string {
	switch {
	case s.doc.Receipt.TakenBack:
		return i18n.Mark("Taken back by your bank on {1}")
	case s.doc.Kind == invoice.KindReceiptVoucher:
		return i18n.Mark("Received on {1}")
	case s.doc.Kind != invoice.KindInvoice:
		return i18n.Mark("Refunded on {1}")
	case len(s.doc.Credits) > 0:
		return i18n.Mark("Difference paid on {1}")
	default:
		return i18n.Mark("Paid in full on {1}")
	}
}

// receipt prints how the document was settled.
func (s *sheet) receipt(x float64) {
	r := s.doc.Receipt
	if r.PaidAt.IsZero() {
		return
	}
	s.pdf.SetDrawColor(success().r, success().g, success().b)
	s.pdf.SetLineWidth(1.3)
	s.pdf.SetLineCapStyle("round")
	s.pdf.MoveTo(x, s.y+5.5)
	s.pdf.LineTo(x+2.6, s.y+8.2)
	s.pdf.LineTo(x+7.4, s.y+2.4)
	s.pdf.DrawPath("D")
	s.pdf.SetLineCapStyle("butt")
	width := right - x - 22
	words, values, also := s.settled(), []string{day(r.PaidAt)}, []string{s.also.Day(r.PaidAt)}
	if r.Withheld > 0 && s.doc.Kind == invoice.KindInvoice { // the tax is a claim until the customer's return shows it
		words = i18n.Mark("Received {2}, TDS {3}, on {1}")
		sums := []string{(s.doc.Totals.Total - s.doc.Credited() - r.Withheld).Display(), r.Withheld.Display()}
		values, also = append(values, sums...), append(also, sums...)
	}
	s.paragraph(x+12, width, i18n.Fill(words, values)+prefixed(" · ", r.Method), style{bold, 8.5, success()}, 11.5)
	if settled := s.other(words, also...); settled != "" {
		s.paragraph(x+12, width, settled, style{bold, 8.5, success()}, 11.5)
	}
	small := style{regular, 7.5, muted()}
	if r.GatewayID != "" {
		label := s.both("Gateway reference")
		if r.Method == transferred {
			label = "UTR"
		}
		s.paragraph(x+12, width, label+" "+r.GatewayID, small, 10)
	}
	if r.TransactionID != "" {
		s.paragraph(x+12, width, s.both("Transaction")+" "+r.TransactionID, small, 10)
	}
}

// inWords prints the amount in words, on a credit note its reason, and the registration of a document that has one.
func (s *sheet) inWords(x, width float64) {
	s.heading(x, s.y+7, i18n.Mark("Amount in words"))
	s.y += 13
	s.paragraph(x, width, s.doc.Totals.Total.Words(), style{bold, 9.5, ink()}, 13)
	if s.also != "" && s.also.Has("number", "99") {
		s.paragraph(x, width, wordsIn(s.also, s.doc.Totals.Total), style{bold, 9.5, ink()}, 13)
	}
	if s.isNote() && s.doc.Reason != "" {
		s.y += 9
		s.heading(x, s.y+7, i18n.Mark("Reason"))
		s.y += 13
		s.paragraph(x, width, s.doc.Reason, style{regular, 8.5, ink()}, 11.5)
	}
	s.registration(x, width)
}

// summary prints the tax per service code and rate, as reported in returns.
func (s *sheet) summary() {
	if s.doc.Commercial {
		return // no tax
	}
	rows := s.doc.Summary()
	const leading = 15.0
	s.need(float64(len(rows)+2)*leading + 12)
	s.heading(left, s.y+7, i18n.Mark("Tax summary"))
	s.y += 13
	heads := s.heads()
	xs := s.summaryColumns(len(heads))
	headings := []string{"SAC", s.both("Taxable value")}
	for _, h := range heads {
		headings = append(headings, h.name+" "+s.both("rate"), h.name)
	}
	s.box(left, s.y, right-left, leading, 3, surface())
	s.summaryRow(xs, append(headings, s.both("Total tax")), style{bold, 7.5, muted()})
	for _, r := range rows {
		if s.need(leading) {
			s.y += 4
		}
		cells := []string{r.SAC, r.Taxable.Grouped()}
		for _, h := range heads {
			cells = append(cells, percent(r.RateBps, h.parts), h.of(r.Tax).Grouped())
		}
		s.summaryRow(xs, append(cells, r.Tax.Total().Grouped()), style{regular, 8, ink()})
		s.rule(left, right, s.y, 0.5, hairline())
	}
	s.y += 14
}

// summaryColumns returns the right edges of the columns; the first is left-aligned.
func (s *sheet) summaryColumns(heads int) []float64 {
	n := 2 + 2*heads
	xs := make([]float64, n+1)
	for i := range xs {
		xs[i] = left + (right-left)*float64(i+1)/float64(n+1) - cellPadding
	}
	return xs
}

func (s *sheet) summaryRow(xs []float64, cells []string, st style) {
	for i, cell := range cells {
		if i == 0 {
			s.text(left+cellPadding, s.y+10.5, cell, st, alignLeft)
			continue
		}
		s.text(xs[i], s.y+10.5, cell, st, alignRight)
	}
	s.y += 15
}

// smallPrint sets bank details and terms side by side, or whichever exists.
func (s *sheet) smallPrint() {
	blocks := []struct {
		heading string
		lines   []string
	}{{i18n.Mark("Bank"), s.bank()}, {i18n.Mark("Terms"), s.terms()}}
	for _, b := range blocks {
		if len(b.lines) == 0 {
			continue
		}
		s.need(40 - s.room(15))
		s.heading(left, s.y+7, b.heading)
		s.y += 13
		for _, text := range b.lines {
			s.paragraph(left, right-left, text, style{regular, 7.5, muted()}, 10)
		}
		s.y += 8
	}
}

func (s *sheet) terms() []string {
	terms := append([]string(nil), s.doc.Supplier.Terms...)
	registered := s.doc.Recipient.GSTIN != "" // only a registered recipient can have taken input tax credit
	var ours []string
	switch {
	case s.doc.Commercial && registered:
		ours = []string{i18n.Mark("Commercial credit note without GST: the time limit of section 34(2) of the CGST Act, 2017 has passed. " +
			"The tax of the original invoice and any input tax credit taken on it stay as they are.")}
	case s.doc.Commercial:
		ours = []string{i18n.Mark("Commercial credit note without GST: the time limit of section 34(2) of the CGST Act, 2017 has passed. " +
			"The tax of the original invoice stays as it is.")}
	case s.isNote() && registered:
		ours = []string{i18n.Mark("Issued under section 34 of the CGST Act, 2017. Please reverse any input tax credit taken on the original invoice.")}
	case s.isNote():
		ours = []string{i18n.Mark("Issued under section 34 of the CGST Act, 2017.")}
	case s.doc.Kind == invoice.KindReceiptVoucher:
		ours = []string{i18n.Mark("Issued under section 31(3)(d) of the CGST Act, 2017 and rule 50 of the CGST Rules for an advance. It is no tax invoice.")}
	case s.doc.Kind == invoice.KindRefundVoucher:
		ours = []string{i18n.Mark("Issued under section 31(3)(e) of the CGST Act, 2017 and rule 51 of the CGST Rules: nothing was supplied for the advance.")}
	}
	for _, english := range ours {
		terms = append(terms, english, s.other(english))
	}
	return slices.DeleteFunc(terms, func(term string) bool { return strings.TrimSpace(term) == "" })
}

var _ invoice.Renderer = (*Renderer)(nil)
