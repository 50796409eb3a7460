package pdf

import (
	"fmt"
	"strings"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/transfer"
)

// kindProforma is the kind of a proforma while it is drawn with the parts of a tax document.
const kindProforma invoice.Kind = "proforma"

// transferred is the method of a receipt for money that came by bank transfer.
const transferred = "bank transfer"

// RenderProforma renders a proforma: the same bytes for the same one. It is not signed, because it is no tax document.
func (r *Renderer) RenderProforma(p transfer.Proforma) ([]byte, error) {
	document := invoice.Invoice{
		Kind: kindProforma, Number: p.Number, IssuedAt: p.CreatedAt, Supplier: p.Document.Supplier, Recipient: p.Document.Recipient,
		PlaceOfSupply: p.Document.Recipient.StateCode, Regime: p.Document.Regime, Lines: p.Document.Lines,
	}
	for _, l := range document.Lines {
		t := &document.Totals
		t.Amount, t.Discount, t.Taxable, t.Total = t.Amount+l.Amount, t.Discount+l.Discount, t.Taxable+l.Taxable, t.Total+l.Total()
		t.CGST, t.SGST, t.UTGST, t.IGST = t.CGST+l.CGST, t.SGST+l.SGST, t.UTGST+l.UTGST, t.IGST+l.IGST
	}
	a := p.Account
	all := append(texts(document), p.PONumber, a.Number, a.IFSC, a.Beneficiary, a.Bank)
	s := newSheet(newSetter(r.library, all), document)
	s.proforma = &p
	s.draw()
	body, err := s.bytes()
	if err != nil {
		return nil, fmt.Errorf("pdf: render %s: %w", p.Number, err)
	}
	return body, nil
}

// bank returns the lines about the bank at the foot; a proforma has them in a separate block.
func (s *sheet) bank() []string {
	if s.proforma != nil {
		return nil
	}
	return s.doc.Supplier.Bank
}

// transferTo draws the account for a proforma's payment, the permitted deduction, and the next steps.
func (s *sheet) transferTo() {
	p := s.proforma
	if p == nil {
		return
	}
	const leading, padding = 15.0, 12.0
	labelWidth := 104 + s.room(76)
	rows := []fact{
		{i18n.Mark("Account number"), p.Account.Number},
		{"IFSC", p.Account.IFSC},
		{i18n.Mark("Beneficiary"), p.Account.Beneficiary},
		{i18n.Mark("Bank"), p.Account.Bank},
		{i18n.Mark("Exact amount"), rupees(p.Amount) + credited(p.Document.Credited)},
		{i18n.Mark("Payment reference"), p.Number},
	}
	kept := rows[:0]
	for _, r := range rows {
		if r.value != "" {
			kept = append(kept, r)
		}
	}
	height := float64(len(kept))*leading + 2*padding - 4
	s.need(height + 92 + s.room(34))
	s.heading(left, s.y+7, i18n.Mark("Pay by NEFT, RTGS or IMPS to"))
	s.y += 13
	s.box(left, s.y, right-left, height, 6, surface())
	y := s.y + padding + 6
	for _, r := range kept {
		s.text(left+padding, y, s.both(r.label), style{regular, 8.5, muted()}, alignLeft)
		s.text(left+padding+labelWidth, y, r.value, style{bold, 9.5, ink()}, alignLeft)
		y += leading
	}
	s.y += height + 14
	s.heading(left, s.y+7, i18n.Mark("Tax deducted at source"))
	s.y += 13
	small := style{regular, 8, ink()}
	s.paragraph(left, right-left, s.deduction(i18n.English), small, 11)
	if s.also != "" {
		s.paragraph(left, right-left, s.deduction(s.also), small, 11)
	}
	s.y += 4
	s.twice(left, right-left, i18n.Mark("Your order is activated, its term begins, and the tax invoice is issued, when the money arrives."), small, 11)
	s.y += 8
}

// deduction states, in a language, the income tax that may be deducted from a proforma.
func (s *sheet) deduction(l i18n.Language) string {
	p := s.proforma
	var rates []string
	for _, d := range p.Deductibles() {
		rates = append(rates, l.Say("{1} is {2}, and you transfer {3}", percent(d.RateBps, 1), rupees(d.Amount), rupees(p.Amount-d.Amount)))
	}
	pan := invoice.PANOf(p.Document.Supplier.GSTIN)
	if pan == "" {
		pan = l.Say("not registered")
	}
	return l.Say("If you deduct income tax, deduct it from {1}, the value before GST: {2}. Our PAN is {3}. Send us the certificate (Form 131).",
		rupees(p.Taxable), strings.Join(rates, "; "), pan)
}

// credited says by how much less than the total is to be paid, because credit notes pay the rest.
func credited(amount money.Paise) string {
	if amount == 0 {
		return ""
	}
	return " (the total less " + rupees(amount) + " of credit)"
}

var _ transfer.Renderer = (*Renderer)(nil)
