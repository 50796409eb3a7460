package plan

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

// What a draft may hold at most, so that it stays a price book.
const (
	maxName     = 80
	maxAbout    = 200
	maxPlans    = 12
	maxTiers    = 8
	maxAddOns   = 20
	maxFeatures = 40
	maxRates    = 40
	maxLimit    = 10_000_000
)

// fits refuses a draft whose lists or texts are too long; whether it can be sold is problems' to say.
func (d Document) fits() error {
	var v errs.Validation
	names := []string{d.Version}
	v.Check(len(d.Plans) <= maxPlans && len(d.GSTRates) <= maxRates, "plans", "A catalogue has up to 12 plans and 40 rates of tax.")
	for name, about := range d.FeatureTexts {
		names = append(names, name)
		v.Check(fit(about, maxAbout), "feature_texts", "A feature is described in up to 200 characters.")
	}
	for _, p := range d.Plans {
		names = append(append(names, p.Plan), p.Features...)
		v.Check(len(p.Services) <= maxTiers && len(p.Features) <= maxFeatures, "plans", "A plan has up to 8 tiers and 40 features.")
		for _, s := range p.Services {
			names = append(names, s.Tier)
			v.Check(len(s.AddOns) <= maxAddOns, "add_ons", "A tier has up to 20 add-ons.")
			v.Check(s.FranchiseLimit >= 0 && s.FranchiseLimit <= maxLimit, "franchise_limit", "A tier allows up to 1,00,00,000 franchises.")
			for _, a := range s.AddOns {
				names = append(names, a.Name, a.Key)
				v.Check(a.Limit >= 0 && a.Limit <= maxLimit, "limit", "An add-on adds up to 1,00,00,000.")
			}
		}
	}
	for _, price := range d.prices() {
		v.Check(price >= 0 && price <= maxPrice, "price", "An amount is from ₹0 to "+maxPrice.Display()+".")
	}
	for _, name := range names {
		v.Check(fit(name, maxName), "name", "A name has up to 80 characters.")
	}
	v.Check(len(d.Note) <= 1000 && text.Storable(d.Note), "note", "A note has up to 1,000 characters.")
	return v.Err()
}

// prices are all amounts of the document.
func (d Document) prices() (all []money.Paise) {
	for _, p := range d.Plans {
		for _, s := range p.Services {
			all = append(all, s.MonthlyPaise, s.YearlyPaise, s.YearlyDiscountPaise, s.AllInYearlyPaise)
			for _, a := range s.AddOns {
				all = append(all, a.MonthlyPaise, a.YearlyPaise, a.OncePaise)
			}
		}
	}
	return all
}

func fit(s string, most int) bool { return utf8.RuneCountInString(s) <= most && text.Storable(s) }

// problems lists the faults to fix before the draft can be proposed on a day: content that could not be sold or invoiced, and content
// that the house's price book never has.
func (d Document) problems(base Document, today invoice.Date) []string {
	found := []string{}
	if err := d.validate(); err != nil {
		found = strings.Split(err.Error(), "\n")
	}
	if d.Version == base.Version {
		found = append(found, "name: give this catalogue a name of its own, so that the history tells it from "+base.Version)
	}
	for _, p := range d.Plans {
		for i, s := range p.Services {
			title := p.Plan + " " + s.Tier
			if i > 0 {
				below := p.Services[i-1]
				if s.FranchiseLimit <= below.FranchiseLimit || s.MonthlyPaise <= below.MonthlyPaise || s.YearlyPaise <= below.YearlyPaise {
					found = append(found, fmt.Sprintf("%s: its limit and prices have to be above those of %s", title, below.Tier))
				}
			}
			if s.YearlyPaise > 12*s.MonthlyPaise {
				found = append(found, title+": a year costs more than twelve months")
			}
			for _, a := range s.AddOns {
				if a.YearlyPaise > 12*a.MonthlyPaise {
					found = append(found, fmt.Sprintf("%s: a year of %s costs more than twelve months", title, a.Name))
				}
			}
		}
	}
	return append(found, d.taxProblems(base, today)...)
}

// taxProblems: rates that have begun stay as they were, because documents were issued by them; a new one is lawful.
func (d Document) taxProblems(base Document, today invoice.Date) (found []string) {
	begun := func(rates invoice.Rates) []invoice.Rate {
		return slices.DeleteFunc(slices.Clone(rates), func(r invoice.Rate) bool { return r.From > today })
	}
	if !slices.Equal(begun(d.GSTRates), begun(base.GSTRates)) {
		found = append(found, "rates of tax: those that have begun cannot be changed, and a new one begins after today")
	}
	for _, r := range d.GSTRates {
		if !r.Lawful() && !slices.Contains(base.GSTRates, r) {
			found = append(found, fmt.Sprintf("rates of tax: %s from %s is no rate of GST on services", percent(r.RateBps), r.From))
		}
	}
	return found
}

func percent(bps int64) string { return string(money.Paise(bps).Rupees()) + "%" }

// warnings lists permitted but unusual content that approvers should see.
func (d Document) warnings() []string {
	found, popular := []string{}, 0
	for _, p := range d.Plans {
		if p.MostPopular {
			popular++
		}
		for _, s := range p.Services {
			title := p.Plan + " " + s.Tier
			if s.YearlyPaise != 12*s.MonthlyPaise {
				found = append(found, title+": a year is not twelve months")
			}
			all := s.YearlyPaise
			for _, a := range s.AddOns {
				if a.Key != KeyFranchiseExtension {
					all += a.firstYear()
				}
			}
			if s.AllInYearlyPaise != all {
				found = append(found, fmt.Sprintf("%s: the all-in price is not the tier with all add-ons but franchise extensions, %s",
					title, all.Display()))
			}
			if s.YearlyDiscountPaise == 0 {
				found = append(found, title+": a year paid at once has no discount")
			}
		}
	}
	if popular != 1 {
		found = append(found, fmt.Sprintf("%d plans are marked as most popular", popular))
	}
	return found
}
