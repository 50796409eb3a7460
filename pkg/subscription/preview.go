package subscription

import (
	"slices"
	"strconv"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// PreviewLine is a line of a charge for display; Value is an amount in rupees, formatted.
type PreviewLine struct {
	Label i18n.Sentence `json:"label"`
	Type  string        `json:"type"`
	Value string        `json:"value"`
}

// PlanLine is the plan of a charge and its price for a term.
type PlanLine struct {
	Label string `json:"label"`
	Value string `json:"value"`
}

// PlanLine returns the plan of the quote with its list price.
func (q Quote) PlanLine() PlanLine {
	list, _ := q.Tier.Price(q.Type)
	return PlanLine{Label: q.Tier.Title(), Value: list.Display()}
}

// AddOnLines returns only the add-ons of the quote, each with its cost in it.
func (q Quote) AddOnLines() []PreviewLine {
	if q.Kind == KindAddOn {
		return q.addOnSums()
	}
	lines := []PreviewLine{}
	for _, l := range q.Lines {
		if l.Kind != LineAddOn {
			continue
		}
		lines = append(lines, PreviewLine{Label: l.previewLabel(), Type: string(LineAddOn), Value: l.Amount.Display()})
	}
	return lines
}

// addOnSums returns the add-ons of an order for add-ons, adding each one's price for the next term to that for the
// present one.
func (q Quote) addOnSums() []PreviewLine {
	var sums []money.Paise
	for _, l := range q.Lines {
		switch {
		case l.Kind != LineAddOn:
		case l.From == q.EffectiveOn:
			sums = append(sums, l.Amount)
		default:
			sums[len(sums)-1] += l.Amount
		}
	}
	lines := make([]PreviewLine, 0, len(sums))
	for i, a := range q.AddOns {
		l := Line{Label: a.Name, Once: a.OneTime()}
		lines = append(lines, PreviewLine{Label: l.previewLabel(), Type: string(LineAddOn), Value: sums[i].Display()})
	}
	return lines
}

// Texts of previews.
const (
	textOnce     = "{1}, one-time charge"
	textUnits    = "{1} × {2}"
	textChanges  = "Nothing to pay now. Your plan changes on {1}"
	textStays    = "Nothing to pay now. Your plan stays the same on {1}"
	textDiscount = "Annual payment discount {1}"
	textUnused   = "Unused part of {1}, credit note to {2}"
)

// PreviewTexts are the templates of preview lines, as in the translation catalogues. The last is for several titles.
func PreviewTexts() []string {
	return slices.Concat([]string{
		i18n.Mark(textChanges), i18n.Mark(textStays), i18n.Mark(textDiscount), i18n.Mark(textUnused), i18n.Mark(textOnce), i18n.Mark(textUnits),
	}, LineTexts(), []string{i18n.Mark("{1}, {2}")})
}

// labelOf fills a text of a preview.
func labelOf(text string, values ...string) i18n.Sentence {
	return i18n.Sentence(i18n.Fill(text, values))
}

func (l Line) previewLabel() i18n.Sentence {
	switch {
	case l.Once:
		return labelOf(textOnce, l.Label)
	case l.Quantity > 1:
		return labelOf(textUnits, l.Label, strconv.Itoa(l.Quantity))
	default:
		return i18n.Sentence(l.Label)
	}
}

// PaymentDetails returns all lines in order: items, discounts, taxable value, tax by head, the credit notes for the unused parts of
// earlier invoices, and the total to pay.
func (q Quote) PaymentDetails() []PreviewLine {
	if q.Kind == KindDowngrade {
		text := textChanges
		if q.same {
			text = textStays
		}
		return []PreviewLine{
			{Label: labelOf(text, q.EffectiveOn.Human()), Type: "subtotal", Value: money.Paise(0).Display()},
			{Label: "Total", Type: "total", Value: money.Paise(0).Display()},
		}
	}
	var lines []PreviewLine
	for _, l := range q.Lines {
		lines = append(lines, PreviewLine{Label: l.previewLabel(), Type: string(l.Kind), Value: l.Amount.Display()})
		if l.Discount > 0 {
			label := labelOf(textDiscount, percent(l.Discount.Prorate(10_000, int64(l.Amount))))
			lines = append(lines, PreviewLine{Label: label, Type: "discount", Value: (-l.Discount).Display()})
		}
	}
	if len(lines) > 1 {
		lines = append(lines, PreviewLine{Label: i18n.Sentence(i18n.Mark("Taxable value")), Type: "subtotal", Value: q.Totals.Taxable.Display()})
	}
	lines = append(lines, q.taxLines()...)
	if len(q.Credits) > 0 {
		lines = append(lines, PreviewLine{Label: i18n.Sentence(i18n.Mark("Invoice total")), Type: "subtotal", Value: q.Totals.Total.Display()})
	}
	for _, c := range q.Credits {
		label := labelOf(textUnused, c.Title, c.Invoice.Number)
		lines = append(lines, PreviewLine{Label: label, Type: "credit", Value: (-c.Total()).Display()})
	}
	return append(lines, PreviewLine{Label: "Total", Type: "total", Value: q.Payable().Display()})
}

// taxLines returns one line per tax head with its rate, or a single GST line while the place of supply is unknown.
func (q Quote) taxLines() []PreviewLine {
	var rate int64
	for _, l := range q.Lines {
		rate = max(rate, l.RateBps) // a catalogue has one rate
	}
	if !q.placeKnown {
		return []PreviewLine{taxLine("GST", rate, q.Totals.Tax.Total())}
	}
	var lines []PreviewLine
	for _, head := range []struct {
		name string
		rate int64
		tax  money.Paise
	}{
		{"CGST", rate / 2, q.Totals.CGST},
		{"SGST", rate / 2, q.Totals.SGST},
		{"UTGST", rate / 2, q.Totals.UTGST},
		{"IGST", rate, q.Totals.IGST},
	} {
		if head.tax > 0 {
			lines = append(lines, taxLine(head.name, head.rate, head.tax))
		}
	}
	return lines
}

// WithoutPlace returns the quote with a single line of GST, which hides the recipient's State.
func (q Quote) WithoutPlace() Quote {
	q.placeKnown = false
	return q
}

func taxLine(head string, rateBps int64, tax money.Paise) PreviewLine {
	return PreviewLine{Label: i18n.Sentence(head + " " + percent(money.Paise(rateBps))), Type: "tax", Value: tax.Display()}
}

// percent formats basis points as a percentage, just as paise are formatted as rupees: 18%, 2.5%.
func percent(bps money.Paise) string { return string(bps.Rupees()) + "%" }

// UnknownPlace is the regime for the public quote's tax: one head, the same total.
const UnknownPlace = invoice.RegimeInterState
