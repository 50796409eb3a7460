// Package plan is the catalogue: plans, their tiers (services) and the add-ons of each tier, in revisions whose ids
// never change. Load puts a catalogue into the database, idempotently: plan.Load(ctx, db, clk,
// plan.DefaultCatalogue()).
package plan

import (
	"fmt"
	"strconv"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// Type is how a plan is paid: monthly or yearly.
type Type string

// The two ways to pay.
const (
	TypeMonthly Type = "monthly"
	TypeYearly  Type = "yearly"
)

// Valid reports whether t is one of the two types.
func (t Type) Valid() bool { return t == TypeMonthly || t == TypeYearly }

// Months returns the length of a term in calendar months.
func (t Type) Months() int {
	if t == TypeYearly {
		return 12
	}
	return 1
}

// Catalogue is one revision of everything for sale. It is immutable and may be shared.
type Catalogue struct {
	// Revision counts from 1; Version is the name given in the loaded text.
	Revision int
	Version  string
	// GSTRates are the tax rates with the days from which they apply. They apply to everything invoiced while this is
	// the newest revision, even at the prices of an older one.
	GSTRates invoice.Rates
	Plans    []Plan
	tiers    map[string]Tier
}

// Plan is a named set of features, sold in tiers.
type Plan struct {
	ID          string
	Name        string
	MostPopular bool
	Features    []Feature
	Tiers       []Tier
}

// Feature is something that a plan offers.
type Feature struct {
	Name string
	// About describes it in a sentence.
	About string
}

// YearlyDiscount returns the discount of yearly payment on the first tier, in whole percent, such as "10%".
func (p Plan) YearlyDiscount() string {
	if len(p.Tiers) == 0 {
		return "0%"
	}
	first := p.Tiers[0]
	return fmt.Sprintf("%d%%", first.YearlyDiscount.Prorate(100, int64(first.Yearly)))
}

// Tier is one size of a plan (the contract calls it a plan service) with its prices in paise before tax.
type Tier struct {
	ID             string
	PlanID         string
	PlanName       string
	Name           string
	FranchiseLimit int
	Monthly        money.Paise
	Yearly         money.Paise
	// YearlyDiscount is deducted from Yearly if a year is paid at once.
	YearlyDiscount money.Paise
	// AllInYearly is the price of the first year with the add-ons of a full set-up, one-time ones among them; franchise
	// extensions are not included.
	AllInYearly money.Paise
	SAC         string
	AddOns      []AddOn
}

// Title returns plan and tier for display: "Start up · Expansion".
func (t Tier) Title() string { return t.PlanName + " · " + t.Name }

// Price returns the list price of a term and the discount of yearly payment, in paise before tax.
func (t Tier) Price(p Type) (list, discount money.Paise) {
	if p == TypeYearly {
		return t.Yearly, t.YearlyDiscount
	}
	return t.Monthly, 0
}

// AddOn returns an add-on of this tier.
func (t Tier) AddOn(id string) (AddOn, bool) {
	for _, a := range t.AddOns {
		if a.ID == id {
			return a, true
		}
	}
	return AddOn{}, false
}

// AddOn is something sold in addition to a tier, with its prices in paise before tax.
type AddOn struct {
	ID        string
	ServiceID string
	// Key is the same for this add-on in every tier.
	Key  string
	Name string
	// Limit is how much one unit adds, such as 10 franchises.
	Limit   int
	Monthly money.Paise
	Yearly  money.Paise
	// Once is the price of a one-time add-on, for which Monthly and Yearly are 0. It is 0 for an add-on charged each term.
	Once money.Paise
	SAC  string
}

// KeyFranchiseExtension is the add-on that raises the franchise limit.
const (
	KeyFranchiseExtension = "franchise_extension"
	keyUsersExtension     = "users_extension"
	keyUsersApp           = "users_app"
	keyDistributionSetup  = "distribution_setup"
)

// Price returns the price of a whole term in paise before tax, or the only price of a one-time add-on.
func (a AddOn) Price(t Type) money.Paise {
	switch {
	case a.OneTime():
		return a.Once
	case t == TypeYearly:
		return a.Yearly
	default:
		return a.Monthly
	}
}

// OneTime reports whether the add-on is charged once, at the first purchase that includes it, and never again.
func (a AddOn) OneTime() bool { return a.Once > 0 }

// SingleUnit reports whether a second unit would add nothing: it is a feature, not an extension of a number.
func (a AddOn) SingleUnit() bool { return a.Limit == 1 }

// DescriptionTexts are the texts that Describe returns, as in the translation catalogues.
func DescriptionTexts() []string {
	return []string{
		i18n.Mark(moreFranchises), i18n.Mark(moreUsers), i18n.Mark("an app for your customers, on Android and iOS"),
		i18n.Mark("your distribution model, set up with you"),
	}
}

const moreFranchises, moreUsers = "{1} more franchises", "{1} more users"

// Describe says in a few words how an add-on with the key raises a limit or extends a plan.
func Describe(key, name string, limit int) string {
	switch key {
	case KeyFranchiseExtension:
		return i18n.Fill(moreFranchises, []string{strconv.Itoa(limit)})
	case keyUsersExtension:
		return i18n.Fill(moreUsers, []string{groupThousands(limit)})
	case keyUsersApp:
		return "an app for your customers, on Android and iOS"
	case keyDistributionSetup:
		return "your distribution model, set up with you"
	default:
		return name
	}
}

func groupThousands(n int) string {
	return money.FromRupees(int64(n)).Display()[len("₹"):]
}

// Plan returns a plan that is for sale.
func (c *Catalogue) Plan(id string) (Plan, bool) {
	for _, p := range c.Plans {
		if p.ID == id {
			return p, true
		}
	}
	return Plan{}, false
}

// Tier returns a tier that is for sale.
func (c *Catalogue) Tier(id string) (Tier, bool) {
	t, ok := c.tiers[id]
	return t, ok
}

// index builds the look-up maps once Plans is filled.
func (c *Catalogue) index() {
	c.tiers = map[string]Tier{}
	for _, p := range c.Plans {
		for _, t := range p.Tiers {
			c.tiers[t.ID] = t
		}
	}
}
