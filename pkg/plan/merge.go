package plan

import (
	"maps"
	"slices"
)

// rebased returns the draft rebased on another catalogue: it keeps the draft's changes to its base, and takes everything else from the
// catalogue on sale. An item that is no longer sold returns only if the draft itself added it.
func (d Document) rebased(base, now Document) Document {
	out := now
	out.Version = pick(base.Version, d.Version, now.Version)
	out.Note = pick(base.Note, d.Note, now.Note)
	if !slices.Equal(base.GSTRates, d.GSTRates) {
		out.GSTRates = d.GSTRates
	}
	out.FeatureTexts = maps.Clone(now.FeatureTexts)
	if out.FeatureTexts == nil {
		out.FeatureTexts = map[string]string{}
	}
	for name, about := range d.FeatureTexts {
		if base.FeatureTexts[name] != about {
			out.FeatureTexts[name] = about
		} else if _, known := out.FeatureTexts[name]; !known {
			out.FeatureTexts[name] = about
		}
	}
	out.Plans = merged(base.Plans, d.Plans, now.Plans, func(p DocumentPlan) string { return p.Plan }, mergedPlan)
	return out
}

func mergedPlan(base, mine, now DocumentPlan) DocumentPlan {
	now.MostPopular = pick(base.MostPopular, mine.MostPopular, now.MostPopular)
	if !slices.Equal(base.Features, mine.Features) {
		now.Features = mine.Features
	}
	now.Services = merged(base.Services, mine.Services, now.Services, func(s DocumentTier) string { return s.Tier }, mergedTier)
	return now
}

func mergedTier(base, mine, now DocumentTier) DocumentTier {
	now.FranchiseLimit = pick(base.FranchiseLimit, mine.FranchiseLimit, now.FranchiseLimit)
	now.MonthlyPaise = pick(base.MonthlyPaise, mine.MonthlyPaise, now.MonthlyPaise)
	now.YearlyPaise = pick(base.YearlyPaise, mine.YearlyPaise, now.YearlyPaise)
	now.YearlyDiscountPaise = pick(base.YearlyDiscountPaise, mine.YearlyDiscountPaise, now.YearlyDiscountPaise)
	now.AllInYearlyPaise = pick(base.AllInYearlyPaise, mine.AllInYearlyPaise, now.AllInYearlyPaise)
	now.SAC = pick(base.SAC, mine.SAC, now.SAC)
	now.AddOns = merged(base.AddOns, mine.AddOns, now.AddOns, func(a DocumentAddOn) string { return a.Key }, mergedAddOn)
	return now
}

func mergedAddOn(base, mine, now DocumentAddOn) DocumentAddOn {
	now.Name = pick(base.Name, mine.Name, now.Name)
	now.Limit = pick(base.Limit, mine.Limit, now.Limit)
	now.MonthlyPaise = pick(base.MonthlyPaise, mine.MonthlyPaise, now.MonthlyPaise)
	now.YearlyPaise = pick(base.YearlyPaise, mine.YearlyPaise, now.YearlyPaise)
	now.OncePaise = pick(base.OncePaise, mine.OncePaise, now.OncePaise)
	now.SAC = pick(base.SAC, mine.SAC, now.SAC)
	return now
}

// pick is the draft's value where the draft changed it.
func pick[T comparable](base, mine, now T) T {
	if mine != base {
		return mine
	}
	return now
}

// merged rebases a list of named items on the list on sale, in that list's order; the draft's additions come last.
func merged[T any](base, mine, now []T, name func(T) string, merge func(base, mine, now T) T) []T {
	find := func(list []T, wanted string) (T, bool) {
		if i := slices.IndexFunc(list, func(t T) bool { return name(t) == wanted }); i >= 0 {
			return list[i], true
		}
		var none T
		return none, false
	}
	out := []T{}
	for _, n := range now {
		b, wasThere := find(base, name(n))
		m, isThere := find(mine, name(n))
		switch {
		case wasThere && !isThere: // the draft takes it away
		case !isThere: // it is new
			out = append(out, n)
		default:
			out = append(out, merge(b, m, n))
		}
	}
	for _, m := range mine {
		_, wasThere := find(base, name(m))
		_, isThere := find(now, name(m))
		if !wasThere && !isThere {
			out = append(out, m)
		}
	}
	return out
}
