package subscription

import (
	"slices"

	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// EndingAddOn is an owned add-on that an upgrade ends, with its credit, tax included.
type EndingAddOn struct {
	AddOn
	Credit money.Paise
}

// endingBy returns the owned add-ons that an upgrade on that day ends, because it contains no add-on of the same kind. It keeps renewing
// add-ons before cancelled ones.
func endingBy(owned []AddOn, following []plan.AddOn, paid []PaidLine, day Day) []EndingAddOn {
	owned = slices.Clone(owned)
	slices.SortStableFunc(owned, func(a, b AddOn) int {
		switch {
		case a.Renews == b.Renews:
			return 0
		case a.Renews:
			return -1
		default:
			return 1
		}
	})
	credits := creditByUnit(owned, paid, day)
	dropped := droppedBy(owned, following)
	ending := make([]EndingAddOn, 0, len(dropped))
	for _, a := range dropped {
		ending = append(ending, EndingAddOn{AddOn: a, Credit: credits[a.ID]})
	}
	return ending
}

// creditByUnit divides the unused part of each paid line among the owned units that it paid for. A line pays for units
// that are owned on its days, and no unit is paid for twice on one day.
func creditByUnit(owned []AddOn, paid []PaidLine, day Day) map[string]money.Paise {
	lines := slices.Clone(paid)
	slices.SortStableFunc(lines, func(a, b PaidLine) int { return int(a.From - b.From) })
	paidTo, credits := map[string]Day{}, map[string]money.Paise{}
	for _, l := range lines {
		if l.AddOnID == "" {
			continue
		}
		total, given := l.unused(day).Total(), 0
		for _, a := range owned {
			if given == l.Quantity {
				break
			}
			if a.AddOnID != l.AddOnID || a.StartsOn > l.From || a.PaidUntil < l.To || paidTo[a.ID] > l.From {
				continue
			}
			paidTo[a.ID] = l.To
			credits[a.ID] += total.Prorate(int64(given+1), int64(l.Quantity)) - total.Prorate(int64(given), int64(l.Quantity))
			given++
		}
	}
	return credits
}
