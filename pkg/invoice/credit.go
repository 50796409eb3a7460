package invoice

import (
	"math/bits"

	"github.com/franchise360/franchise360/pkg/platform/money"
)

// left returns what earlier credit notes have left of each line of the original.
func left(original Invoice, notes []Invoice) []Line {
	lines := make([]Line, len(original.Lines))
	copy(lines, original.Lines)
	for _, note := range notes {
		for _, credited := range note.Lines {
			at := credited.Position - 1
			if at < 0 || at >= len(lines) {
				continue
			}
			lines[at] = lines[at].less(credited, note.Commercial)
		}
	}
	return lines
}

// less subtracts a credited line. One without GST reduces value and tax in the line's own proportion.
func (l Line) less(credited Line, commercial bool) Line {
	if commercial && credited.Taxable <= l.Total() && l.Total() > 0 {
		credited.Taxable, credited.Tax = split(l, credited.Taxable)
	}
	l.Taxable -= credited.Taxable
	l.Tax = l.minus(credited.Tax)
	return l
}

// CreditedPart is the credited value and tax of the invoice line at that position. Detail names the credited days, unless they are
// the line's whole period.
type CreditedPart struct {
	Position int
	Detail   string
	Taxable  money.Paise
	Tax
}

// Total returns the part's value with its tax.
func (p CreditedPart) Total() money.Paise { return p.Taxable + p.Tax.Total() }

// Within reports whether no amount of the part, value or head, exceeds the line's.
func (p CreditedPart) Within(l Line) bool {
	return p.Taxable <= l.Taxable && p.CGST <= l.CGST && p.SGST <= l.SGST && p.UTGST <= l.UTGST && p.IGST <= l.IGST
}

// Less returns the remainder of the part after another part of the same line, which exceeds it in no amount.
func (p CreditedPart) Less(taken CreditedPart) CreditedPart {
	p.Tax = p.minus(taken.Tax)
	p.Taxable -= taken.Taxable
	return p
}

// Capped returns the part limited to the line's value and heads.
func (p CreditedPart) Capped(l Line) CreditedPart {
	p.Taxable = min(p.Taxable, l.Taxable)
	p.Tax = Tax{
		CGST: min(p.CGST, l.CGST), SGST: min(p.SGST, l.SGST), UTGST: min(p.UTGST, l.UTGST), IGST: min(p.IGST, l.IGST),
	}
	return p
}

// Scaled returns the share of the part worth amount, tax included, or the whole part if it is worth no more.
func (p CreditedPart) Scaled(amount money.Paise) CreditedPart {
	if amount >= p.Total() {
		return p
	}
	p.Taxable, p.Tax = split(Line{Taxable: p.Taxable, Tax: p.Tax}, max(amount, 0))
	return p
}

// cut turns the parts into the lines of a credit note, each taken from its own remaining line.
func cut(lines []Line, parts []CreditedPart) ([]Line, Totals, error) {
	credited := make([]Line, 0, len(parts))
	for _, p := range parts {
		if p.Position < 1 || p.Position > len(lines) || p.Total() < 1 || !p.Within(lines[p.Position-1]) {
			return nil, Totals{}, ErrCreditTooLarge
		}
		l := lines[p.Position-1]
		l.Taxable, l.Tax = p.Taxable, p.Tax
		l.Amount, l.Discount, l.Quantity = l.Taxable, 0, 1
		if p.Detail != "" {
			l.Detail = p.Detail
		}
		credited = append(credited, l)
	}
	if len(credited) == 0 {
		return nil, Totals{}, ErrCreditTooLarge
	}
	totals, err := sum(credited)
	return credited, totals, err
}

// withoutTax converts credited lines to those of a commercial note: the same amounts without tax.
func withoutTax(lines []Line) ([]Line, Totals, error) {
	for i, l := range lines {
		l.Taxable, l.Tax = l.Total(), Tax{}
		l.Amount, l.RateBps = l.Taxable, 0
		lines[i] = l
	}
	totals, err := sum(lines)
	return lines, totals, err
}

// share cuts the part worth amount, tax included, out of lines, each line in proportion. The heads of a line are
// scaled half-up, so that central and local tax stay equal, and its taxable value is what remains: the parts add
// up to amount exactly. Lines keep their position on the original.
func share(lines []Line, amount money.Paise) ([]Line, Totals, error) {
	totals, err := sum(lines)
	if err != nil {
		return nil, Totals{}, err
	}
	if amount < 1 || amount > totals.Total {
		return nil, Totals{}, ErrCreditTooLarge
	}
	weights := make([]money.Paise, 0, len(lines))
	for _, line := range lines {
		weights = append(weights, line.Total())
	}
	amounts := apportion(weights, amount, totals.Total)
	parts := make([]Line, 0, len(lines))
	for i, line := range lines {
		if amounts[i] == 0 {
			continue
		}
		line.Taxable, line.Tax = split(line, amounts[i])
		// A credit note states the credited value; the discount was given once, on the invoice.
		line.Amount, line.Discount, line.Quantity = line.Taxable, 0, 1
		parts = append(parts, line)
	}
	totals, err = sum(parts)
	return parts, totals, err
}

// split divides amount, tax included, into taxable value and heads in the proportions of line. If a few odd paise remain
// that equal heads cannot absorb, the heads may differ by one paisa.
func split(line Line, amount money.Paise) (money.Paise, Tax) {
	part, whole := int64(amount), int64(line.Total())
	tax := Tax{
		CGST: line.CGST.Prorate(part, whole), SGST: line.SGST.Prorate(part, whole),
		UTGST: line.UTGST.Prorate(part, whole), IGST: line.IGST.Prorate(part, whole),
	}
	taxable := amount - tax.Total()
	if taxable >= 0 && taxable <= line.Taxable {
		return taxable, tax
	}
	cells := apportion([]money.Paise{line.Taxable, line.CGST, line.SGST, line.UTGST, line.IGST}, amount, line.Total())
	return cells[0], Tax{CGST: cells[1], SGST: cells[2], UTGST: cells[3], IGST: cells[4]}
}

// apportion scales the weights by amount/total, rounds down, and distributes the missing paise to the largest remainders,
// earlier ones first among equals. No part exceeds its weight.
func apportion(weights []money.Paise, amount, total money.Paise) []money.Paise {
	parts := make([]money.Paise, len(weights))
	remainders := make([]uint64, len(weights))
	missing := amount
	for i, weight := range weights {
		high, low := bits.Mul64(uint64(weight), uint64(amount))           //nolint:gosec // both are non-negative
		quotient, remainder := bits.Div64(high, low, uint64(total))       //nolint:gosec // at least one paisa
		parts[i], remainders[i] = money.Paise(int64(quotient)), remainder //nolint:gosec // at most the weight
		missing -= parts[i]
	}
	for ; missing > 0; missing-- {
		best := 0
		for i := range weights {
			if remainders[i] > remainders[best] {
				best = i
			}
		}
		parts[best]++
		remainders[best] = 0
	}
	return parts
}
