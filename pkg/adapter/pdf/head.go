package pdf

import (
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
)

// mark draws the logo as vectors: an arc closed by a new node, around an F, in a square of the given size.
func (s *sheet) mark(x, y, size float64) {
	unit := size / 32
	at := func(v float64) float64 { return v * unit }
	s.pdf.SetLineCapStyle("round")
	s.pdf.SetDrawColor(primary().r, primary().g, primary().b)
	s.pdf.SetLineWidth(at(3))
	s.pdf.Arc(x+at(16), y+at(16), at(13), at(13), 0, 26, 360, "D")
	s.pdf.SetLineCapStyle("butt")
	s.pdf.SetFillColor(gold().r, gold().g, gold().b)
	s.pdf.Circle(x+at(24.6), y+at(6.2), at(3), "F")
	s.box(x+at(11.6), y+at(9.5), at(3), at(14.7), at(1.5), primary())
	s.box(x+at(11.6), y+at(9.5), at(11.1), at(3), at(1.4), primary())
	s.box(x+at(11.6), y+at(15.5), at(9.7), at(3), at(1.4), primary())
}

// fact is a label and its value.
type fact struct{ label, value string }

// facts draws the strip with number, date and place of supply.
func (s *sheet) facts() {
	d := s.doc
	reverse := "No"
	if d.ReverseCharge {
		reverse = "Yes"
	}
	number, date, original := i18n.Mark("Invoice number"), i18n.Mark("Invoice date"), ""
	switch d.Kind {
	case invoice.KindInvoice:
	case kindProforma:
		number, date = i18n.Mark("Proforma number"), i18n.Mark("Proforma date")
	case invoice.KindCreditNote:
		number, date, original = i18n.Mark("Credit note number"), i18n.Mark("Credit note date"), i18n.Mark("Original invoice")
	case invoice.KindReceiptVoucher:
		number, date = i18n.Mark("Voucher number"), i18n.Mark("Voucher date")
	case invoice.KindRefundVoucher:
		number, date, original = i18n.Mark("Voucher number"), i18n.Mark("Voucher date"), i18n.Mark("Receipt voucher")
	}
	facts := []fact{{number, d.Number}, {date, day(d.IssuedAt)}}
	if original != "" {
		facts = append(facts, fact{original, d.OriginalNumber + " of " + day(d.OriginalDate)})
	}
	if d.Kind == invoice.KindInvoice && d.CorrectsNumber != "" {
		facts = append(facts, fact{i18n.Mark("In place of"), d.CorrectsNumber})
	}
	if p := s.proforma; p != nil {
		facts = append(facts, fact{i18n.Mark("Valid until"), day(p.ValidUntil)})
		if p.PONumber != "" {
			facts = append(facts, fact{i18n.Mark("Purchase order"), p.PONumber})
		}
	}
	if d.Kind == invoice.KindInvoice && d.Receipt.PONumber != "" {
		facts = append(facts, fact{i18n.Mark("Purchase order"), d.Receipt.PONumber})
	}
	facts = append(facts, fact{i18n.Mark("Place of supply"), d.PlaceOfSupply.Label()})
	if s.proforma == nil {
		facts = append(facts, fact{i18n.Mark("Reverse charge"), reverse})
	}
	s.strip(facts)
}

// strip draws the facts side by side.
func (s *sheet) strip(facts []fact) {
	label, value := style{regular, 7.5, muted()}, style{bold, 9.5, ink()}
	const padding, gap, leading = 12.0, 14.0, 12.5
	widths := s.factWidths(facts, right-left-2*padding-gap*float64(len(facts)-1), label, value)
	height := 0.0
	columns := make([][]line, len(facts))
	for i, f := range facts {
		columns[i] = s.wrap(f.value, value, widths[i])
		height = max(height, float64(len(columns[i]))*leading)
	}
	second := s.room(9)
	height += 30 + second
	s.box(left, s.y, right-left, height, 6, surface())
	x := left + padding
	for i, f := range facts {
		s.text(x, s.y+17, f.label, label, alignLeft)
		s.text(x, s.y+17+second, s.other(f.label), label, alignLeft)
		for n, l := range columns[i] {
			s.line(l.words, x, s.y+31+second+float64(n)*leading, value)
		}
		x += widths[i] + gap
	}
	s.y += height + 20 - s.room(6)
}

// factWidths gives each column its needed width and distributes the surplus, or shrinks the widest if necessary.
func (s *sheet) factWidths(facts []fact, room float64, label, value style) []float64 {
	widths := make([]float64, len(facts))
	total := 0.0
	for i, f := range facts {
		widths[i] = max(s.width(f.label, label), s.width(s.other(f.label), label), s.width(f.value, value))
		total += widths[i]
	}
	if total <= room {
		for i := range widths {
			widths[i] += (room - total) / float64(len(widths))
		}
		return widths
	}
	widest := 0
	for i := range widths {
		if widths[i] > widths[widest] {
			widest = i
		}
	}
	widths[widest] = max(60, widths[widest]-(total-room))
	return widths
}

// entry is a paragraph of a party's column.
type entry struct {
	text    string
	style   style
	leading float64
}

// parties draws supplier and recipient side by side.
func (s *sheet) parties() {
	const gap = 28.0
	width := (right - left - gap) / 2
	top := s.y
	ends := [2]float64{
		s.column(left, width, top, i18n.Mark("Supplier"), s.supplierEntries()),
		s.column(left+width+gap, width, top, i18n.Mark("Billed to"), s.recipientEntries()),
	}
	s.y = max(ends[0], ends[1]) + 16 - s.room(4)
}

func (s *sheet) supplierEntries() []entry {
	p := s.doc.Supplier
	plain := style{regular, 8.5, muted()}
	entries := []entry{{p.Name, style{bold, 10.5, ink()}, 14.5}}
	for _, address := range p.Address {
		entries = append(entries, entry{address, plain, 11.5})
	}
	if p.StateCode.Valid() {
		entries = append(entries, entry{s.both("State") + ": " + p.StateCode.Label(), plain, 11.5})
	}
	if p.GSTIN != "" {
		entries = append(entries, entry{"GSTIN: " + p.GSTIN + " · PAN: " + invoice.PANOf(p.GSTIN), style{bold, 8.5, ink()}, 12.5})
	}
	if p.CIN != "" {
		entries = append(entries, entry{"CIN: " + p.CIN + " · " + s.both("Registered office as above"), plain, 11.5})
	}
	return append(entries, entry{joined(" · ", p.Email, p.Phone), plain, 11.5})
}

func (s *sheet) recipientEntries() []entry {
	p := s.doc.Recipient
	plain := style{regular, 8.5, muted()}
	entries := []entry{{p.Name, style{bold, 10.5, ink()}, 14.5}}
	for _, address := range p.Address {
		entries = append(entries, entry{address, plain, 11.5})
	}
	if p.StateCode.Valid() { // every tax document has one
		entries = append(entries, entry{s.both("State") + ": " + p.StateCode.Label(), plain, 11.5})
	}
	if p.GSTIN == "" {
		return append(entries, entry{"GSTIN: " + s.both("not registered"), plain, 12.5})
	}
	entries = append(entries, entry{"GSTIN: " + p.GSTIN, style{bold, 8.5, ink()}, 12.5})
	if p.SEZ {
		entries = append(entries, entry{s.both("Supply to SEZ unit or SEZ developer for authorised operations on payment of integrated tax"), plain, 11.5})
	}
	return entries
}

// column sets paragraphs below a heading and returns where they end. A party that would fill the page is cut with an
// ellipsis: no real name and address are that long, and the invoice must stay readable.
func (s *sheet) column(x, width, y float64, heading string, entries []entry) float64 {
	const tallest = 430.0
	limit := y + tallest
	s.heading(x, y+7, heading)
	y += 13
	for _, e := range entries {
		for _, l := range s.wrap(e.text, e.style, width) {
			if y+e.leading > limit {
				s.text(x, y+e.style.size, "…", e.style, alignLeft)
				return y + e.leading
			}
			s.line(l.words, x, y+e.style.size, e.style)
			y += e.leading
		}
	}
	return y
}
