package plan

import (
	"fmt"
	"strings"

	"github.com/franchise360/franchise360/pkg/platform/money"
)

// Difference is one thing that a change changes: Before or After is empty where it was not, or will not be, sold.
type Difference struct {
	Place, Field, Before, After string
	// Large is set where an amount or a limit changes by more than half.
	Large bool
}

// fieldVersion is the name of the catalogue itself, which alone changes nothing.
const fieldVersion = "Name of the catalogue"

// entry is one value of a catalogue in readable form; number is 0 unless the value is an amount.
type entry struct {
	place, field, value string
	number              int64
}

// entries returns everything that a catalogue says, in its order.
func (d Document) entries() []entry {
	var all []entry
	add := func(place, field, value string) { all = append(all, entry{place, field, value, 0}) }
	count := func(place, field string, n int) { all = append(all, entry{place, field, groupThousands(n), int64(n)}) }
	price := func(place, field string, p money.Paise) {
		all = append(all, entry{place, field, p.Display(), int64(p)})
	}
	add("Catalogue", fieldVersion, d.Version)
	rates := make([]string, 0, len(d.GSTRates))
	for _, r := range d.GSTRates {
		rates = append(rates, percent(r.RateBps)+" from "+string(r.From))
	}
	add("Catalogue", "GST", strings.Join(rates, ", "))
	for i, p := range d.Plans {
		add(p.Plan, "Place", fmt.Sprint(i+1))
		add(p.Plan, "Most popular", yes(p.MostPopular))
		add(p.Plan, "Features", strings.Join(p.Features, ", "))
		for _, f := range p.Features {
			add("Feature "+f, "Description", d.FeatureTexts[f])
		}
		for j, s := range p.Services {
			title := p.Plan + " · " + s.Tier
			add(title, "Place", fmt.Sprint(j+1))
			count(title, "Franchises", s.FranchiseLimit)
			price(title, "Month", s.MonthlyPaise)
			price(title, "Year", s.YearlyPaise)
			price(title, "Discount of a year", s.YearlyDiscountPaise)
			price(title, "All-in year", s.AllInYearlyPaise)
			add(title, "SAC", s.SAC)
			for k, a := range s.AddOns {
				of := title + " · " + a.Key
				add(of, "Name", a.Name)
				add(of, "Place", fmt.Sprint(k+1))
				count(of, "Adds", a.Limit)
				price(of, "Month", a.MonthlyPaise)
				price(of, "Year", a.YearlyPaise)
				price(of, "Once", a.OncePaise)
				add(of, "SAC", a.SAC)
			}
		}
	}
	return all
}

func yes(b bool) string {
	if b {
		return "Yes"
	}
	return "No"
}

// differences lists the draft's changes to its base. A removed or new item is one line.
func (d Document) differences(base Document) []Difference {
	found := []Difference{}
	before, after := base.entries(), d.entries()
	known, places := byField(before), placesOf(before)
	still := placesOf(after)
	seen := map[[2]string]bool{}
	for _, e := range after {
		at := [2]string{e.place, e.field}
		if seen[at] { // a feature of several plans
			continue
		}
		seen[at] = true
		was, same := known[at]
		switch {
		case !places[e.place] && strings.HasPrefix(e.place, "Feature "):
			found = append(found, Difference{Place: e.place, Field: e.field, After: e.value})
		case !places[e.place]:
			if !seen[[2]string{e.place, ""}] {
				found = append(found, Difference{Place: e.place, Field: "Sold", Before: "No", After: "Yes"})
			}
			seen[[2]string{e.place, ""}] = true
		case !same || was.value != e.value:
			found = append(found, Difference{Place: e.place, Field: e.field, Before: was.value, After: e.value, Large: large(was.number, e.number)})
		}
	}
	gone := map[string]bool{}
	for _, e := range before {
		if !still[e.place] && !gone[e.place] && !strings.HasPrefix(e.place, "Feature ") {
			gone[e.place] = true
			found = append(found, Difference{Place: e.place, Field: "Sold", Before: "Yes", After: "No", Large: true})
		}
	}
	return found
}

// large reports whether an amount changes by more than half of its old value.
func large(before, after int64) bool {
	by := after - before
	if by < 0 {
		by = -by
	}
	return by > before/2 && 2*by > before
}

func byField(entries []entry) map[[2]string]entry {
	known := map[[2]string]entry{}
	for _, e := range entries {
		known[[2]string{e.place, e.field}] = e
	}
	return known
}

func placesOf(entries []entry) map[string]bool {
	places := map[string]bool{}
	for _, e := range entries {
		places[e.place] = true
	}
	return places
}
