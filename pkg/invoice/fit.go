package invoice

import (
	"slices"

	"github.com/franchise360/franchise360/pkg/platform/money"
)

// Fit returns the inputs with higher discounts, so that they cost total with their tax, each line in proportion; inputs that cost no
// more stay as they are. Because tax is rounded by line there are totals that nothing adds up to: the result is then the next one
// above, a paisa or two more.
func Fit(regime Regime, inputs []LineInput, total money.Paise) ([]LineInput, error) {
	lines, totals, err := Compute(regime, inputs)
	if err != nil || totals.Total <= total {
		return inputs, err
	}
	if total < 1 {
		return nil, ErrBadInput
	}
	const whole = 10_000 // of rates in basis points
	fitted := slices.Clone(inputs)
	amounts := apportion(weights(lines), total, totals.Total)
	left := total
	for i := range fitted {
		value := max(0, amounts[i]*whole/money.Paise(whole+fitted[i].RateBps)-1) // never above its share, however tax is rounded
		fitted[i].Discount = fitted[i].Amount - min(value, lines[i].Taxable)
		left -= fitted[i].cost(regime)
	}
	for left > 0 {
		best, step := -1, money.Paise(0)
		for i, line := range fitted {
			if line.Discount <= inputs[i].Discount { //nolint:gosec // as many as fitted
				continue
			}
			more := line
			more.Discount--
			cost := more.cost(regime) - line.cost(regime)
			if best < 0 || cost == left || step != left && cost < step {
				best, step = i, cost
			}
		}
		if best < 0 {
			return nil, ErrBadInput
		}
		fitted[best].Discount--
		left -= step
	}
	return fitted, nil
}

// cost returns the input's value with its tax.
func (l LineInput) cost(regime Regime) money.Paise {
	value := l.Amount - l.Discount
	return value + regime.Tax(value, l.RateBps).Total()
}
