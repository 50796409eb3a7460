package subscription

import (
	"fmt"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// PreviewLine is a line of a charge as people see it; Value is a display string in rupees.
type PreviewLine struct {
	Label string `json:"label"`
	Type  string `json:"type"`
	Value string `json:"value"`
}

// PlanLine names the plan of a charge and its price for a term.
type PlanLine struct {
	Label string `json:"label"`
	Value string `json:"value"`
}

// PlanLine is the plan of the quote with its list price.
func (q Quote) PlanLine() PlanLine {
	list, _ := q.Tier.Price(q.Type)
	return PlanLine{Label: q.Tier.Title(), Value: list.Display()}
}

// AddOnLines are the add-ons of the quote alone, with what each of them costs in it.
func (q Quote) AddOnLines() []PreviewLine {
	lines := []PreviewLine{}
	for _, l := range q.Lines {
		if l.Kind != LineAddOn {
			continue
		}
		label := l.Label
		if q.Kind == KindAddOn {
			label = q.addOnName(l.AddOnID)
		}
		lines = append(lines, PreviewLine{Label: withQuantity(label, l.Quantity), Type: string(LineAddOn), Value: l.Amount.Display()})
	}
	return lines
}

func (q Quote) addOnName(id string) string {
	a, _ := q.Tier.AddOn(id)
	return a.Name
}

func withQuantity(label string, quantity int) string {
	if quantity > 1 {
		return fmt.Sprintf("%s × %d", label, quantity)
	}
	return label
}

// PaymentDetails are all lines in order: what is bought, discounts and credits, taxable value, tax by head, total.
func (q Quote) PaymentDetails() []PreviewLine {
	if q.Kind == KindDowngrade {
		return []PreviewLine{
			{Label: "Nothing to pay now. Your plan changes on " + q.EffectiveOn.Human(), Type: "subtotal", Value: money.Paise(0).Display()},
			{Label: "Total", Type: "total", Value: money.Paise(0).Display()},
		}
	}
	var lines []PreviewLine
	var credit money.Paise
	for _, l := range q.Lines {
		lines = append(lines, PreviewLine{Label: withQuantity(l.Label, l.Quantity), Type: string(l.Kind), Value: l.Amount.Display()})
		if l.Discount > 0 {
			label := fmt.Sprintf("Annual payment discount %s", percent(l.Discount.Prorate(10_000, int64(l.Amount))))
			lines = append(lines, PreviewLine{Label: label, Type: "discount", Value: (-l.Discount).Display()})
		}
		credit += l.Credit
	}
	if credit > 0 {
		lines = append(lines, PreviewLine{Label: "Credit for unused days", Type: "credit", Value: (-credit).Display()})
	}
	if len(lines) > 1 {
		lines = append(lines, PreviewLine{Label: "Taxable value", Type: "subtotal", Value: q.Totals.Taxable.Display()})
	}
	lines = append(lines, q.taxLines()...)
	return append(lines, PreviewLine{Label: "Total", Type: "total", Value: q.Totals.Total.Display()})
}

// taxLines show each head with its rate; while the place of supply is open it is one line of GST.
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

func taxLine(head string, rateBps int64, tax money.Paise) PreviewLine {
	return PreviewLine{Label: head + " " + percent(money.Paise(rateBps)), Type: "tax", Value: tax.Display()}
}

// percent shows basis points, which are hundredths of a percent as paise are of a rupee: 18%, 2.5%.
func percent(bps money.Paise) string { return string(bps.Rupees()) + "%" }

// UnknownPlace is the regime under which the public quote computes its tax: one head, the same total.
const UnknownPlace = invoice.RegimeInterState
