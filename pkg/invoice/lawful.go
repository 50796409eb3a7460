package invoice

import "slices"

// lawfulFrom is the day from which the rates of LawfulRates apply.
const lawfulFrom = Date("2025-09-22")

// LawfulRates returns the rates of GST on services in basis points that the law knows from a day on: notification 11/2017-Central Tax
// (Rate), and from 22 September 2025 as amended by notification 15/2025-Central Tax (Rate), each with the matching rates of State and
// integrated tax. Which of them applies to a service is its code's (SAC): 18% to 9973 and 9983, of which ours are.
func LawfulRates(on Date) []int64 {
	if on < lawfulFrom {
		return []int64{0, 500, 1200, 1800, 2800}
	}
	return []int64{0, 500, 1800, 4000}
}

// Lawful reports whether the rate exists in law from its day on.
func (r Rate) Lawful() bool { return slices.Contains(LawfulRates(r.From), r.RateBps) }
