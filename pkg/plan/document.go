package plan

import (
	"bytes"
	_ "embed" // the catalogue's text
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

//go:embed catalogue.json
var defaultCatalogue []byte

// DefaultCatalogue returns the text of the built-in catalogue.
func DefaultCatalogue() []byte { return bytes.Clone(defaultCatalogue) }

// Texts are what the built-in catalogue says to customers, apart from names of plans and tiers: names and descriptions of features, names
// of add-ons, and what a delivery needs.
func Texts() ([]string, error) {
	d, err := parseDocument(defaultCatalogue)
	if err != nil {
		return nil, err
	}
	texts := slices.Collect(maps.Values(d.FeatureTexts))
	for _, p := range d.Plans {
		texts = append(texts, p.Features...)
		for _, tier := range p.Services {
			for _, addOn := range tier.AddOns {
				texts = append(texts, addOn.Name)
			}
		}
	}
	for _, item := range deliveryCatalogue.Items {
		if item.Needs != "" {
			texts = append(texts, item.Needs)
		}
	}
	return texts, nil
}

// Document is the catalogue as written: names and amounts, no ids.
type Document struct {
	Version  string        `json:"version"`
	Currency string        `json:"currency"`
	GSTRates invoice.Rates `json:"gst_rates"`
	Note     string        `json:"note"`
	// FeatureTexts describes every feature, by its name.
	FeatureTexts map[string]string `json:"feature_texts"`
	Plans        []DocumentPlan    `json:"plans"`
}

// DocumentPlan is a plan as written.
type DocumentPlan struct {
	Plan        string         `json:"plan"`
	MostPopular bool           `json:"most_popular"`
	Features    []string       `json:"features"`
	Services    []DocumentTier `json:"services"`
}

// DocumentTier is a tier as written.
type DocumentTier struct {
	Tier                string          `json:"tier"`
	FranchiseLimit      int             `json:"franchise_limit"`
	MonthlyPaise        money.Paise     `json:"monthly_paise"`
	YearlyPaise         money.Paise     `json:"yearly_paise"`
	YearlyDiscountPaise money.Paise     `json:"yearly_discount_paise"`
	AllInYearlyPaise    money.Paise     `json:"all_in_yearly_paise"`
	SAC                 string          `json:"sac"`
	AddOns              []DocumentAddOn `json:"add_ons"`
}

// DocumentAddOn is an add-on of a tier as written.
type DocumentAddOn struct {
	Key          string      `json:"key"`
	Name         string      `json:"name"`
	Limit        int         `json:"limit"`
	MonthlyPaise money.Paise `json:"monthly_paise"`
	YearlyPaise  money.Paise `json:"yearly_paise"`
	// OncePaise takes the place of both prices for an add-on that is charged once.
	OncePaise money.Paise `json:"once_paise"`
	SAC       string      `json:"sac"`
}

// priced reports whether the add-on has either a price for each kind of term, or a one-time price.
func (a DocumentAddOn) priced() bool {
	if a.OncePaise != 0 {
		return !impossible(a.OncePaise) && a.MonthlyPaise == 0 && a.YearlyPaise == 0
	}
	return !impossible(a.MonthlyPaise) && !impossible(a.YearlyPaise)
}

// firstYear is the price of the add-on in its first year.
func (a DocumentAddOn) firstYear() money.Paise { return a.YearlyPaise + a.OncePaise }

// parseDocument parses the text and refuses whatever could not be sold or invoiced as it is.
func parseDocument(text []byte) (Document, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	var d Document
	if err := dec.Decode(&d); err != nil {
		return Document{}, fmt.Errorf("read catalogue: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return Document{}, errors.New("read catalogue: there is more behind its end")
	}
	return d, d.validate()
}

func (d Document) validate() error {
	var problems []error
	fail := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }
	if d.Version == "" || d.Currency != "INR" || len(d.Plans) == 0 {
		fail("catalogue: version, currency INR and plans are needed")
	}
	if err := d.GSTRates.Validate(); err != nil {
		fail("catalogue: %w", err)
	}
	plans := map[string]bool{}
	for _, p := range d.Plans {
		if blank(p.Plan) || plans[p.Plan] || len(p.Services) == 0 {
			fail("plan %q: needs a name of its own and a tier", p.Plan)
		}
		plans[p.Plan] = true
		for _, f := range p.Features {
			if blank(d.FeatureTexts[f]) {
				fail("plan %q: feature %q has no text in feature_texts", p.Plan, f)
			}
		}
		tiers := map[string]bool{}
		for _, s := range p.Services {
			if tiers[s.Tier] {
				fail("%s %s: twice", p.Plan, s.Tier)
			}
			tiers[s.Tier] = true
			problems = append(problems, s.validate(p.Plan))
		}
	}
	return errors.Join(problems...)
}

func (d Document) described(names []string) []Feature {
	described := make([]Feature, 0, len(names))
	for _, name := range names {
		described = append(described, Feature{Name: name, About: d.FeatureTexts[name]})
	}
	return described
}

func (s DocumentTier) validate(plan string) error {
	all, keys := s.YearlyPaise, map[string]bool{}
	for _, a := range s.AddOns {
		if !key.MatchString(a.Key) || blank(a.Name) || keys[a.Key] || a.Limit < 1 || !invoice.ValidSAC(a.SAC) || !a.priced() {
			return fmt.Errorf("%s %s: add-on %q is incomplete or twice", plan, s.Tier, a.Key)
		}
		keys[a.Key] = true
		all += a.firstYear()
	}
	switch {
	case blank(s.Tier) || !invoice.ValidSAC(s.SAC) || s.FranchiseLimit < 0:
		return fmt.Errorf("%s %s: incomplete", plan, s.Tier)
	case impossible(s.MonthlyPaise) || impossible(s.YearlyPaise) || s.YearlyDiscountPaise < 0 || s.YearlyDiscountPaise >= s.YearlyPaise:
		return fmt.Errorf("%s %s: impossible price", plan, s.Tier)
	case s.AllInYearlyPaise < s.YearlyPaise || s.AllInYearlyPaise > all:
		return fmt.Errorf("%s %s: all-in price is not between the tier's and that with all add-ons (%s)", plan, s.Tier, all)
	}
	return nil
}

// maxPrice is the most that one line may cost, so that an order with every possible add-on and its tax stays within
// money.Max.
const maxPrice = money.Max / 100

func impossible(price money.Paise) bool { return price < 1 || price > maxPrice }

// key is the format that the database accepts for the key of an add-on.
var key = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

func blank(s string) bool { return strings.TrimSpace(s) == "" }

// Parse returns a catalogue of revision 0 directly from its text, with fresh ids: for tests and tools without a
// database.
func Parse(text []byte) (*Catalogue, error) {
	d, err := parseDocument(text)
	if err != nil {
		return nil, err
	}
	return d.catalogue(func(...string) string { return id.New() }), nil
}

// catalogue returns the document as a catalogue; idOf gives the id of a plan, of a tier by plan and tier, and of an add-on by plan, tier
// and key.
func (d Document) catalogue(idOf func(names ...string) string) *Catalogue {
	c := &Catalogue{Version: d.Version, GSTRates: d.GSTRates}
	for _, p := range d.Plans {
		made := Plan{ID: idOf(p.Plan), Name: p.Plan, MostPopular: p.MostPopular, Features: d.described(p.Features)}
		for _, s := range p.Services {
			tier := Tier{
				ID: idOf(p.Plan, s.Tier), PlanID: made.ID, PlanName: made.Name, Name: s.Tier, FranchiseLimit: s.FranchiseLimit,
				Monthly: s.MonthlyPaise, Yearly: s.YearlyPaise, YearlyDiscount: s.YearlyDiscountPaise,
				AllInYearly: s.AllInYearlyPaise, SAC: s.SAC,
			}
			for _, a := range s.AddOns {
				tier.AddOns = append(tier.AddOns, AddOn{
					ID: idOf(p.Plan, s.Tier, a.Key), ServiceID: tier.ID, Key: a.Key, Name: a.Name, Limit: a.Limit,
					Monthly: a.MonthlyPaise, Yearly: a.YearlyPaise, Once: a.OncePaise, SAC: a.SAC,
				})
			}
			made.Tiers = append(made.Tiers, tier)
		}
		c.Plans = append(c.Plans, made)
	}
	c.index()
	return c
}

// documentOf writes a catalogue down again.
func documentOf(c *Catalogue) Document {
	d := Document{Version: c.Version, Currency: "INR", GSTRates: slices.Clone(c.GSTRates), FeatureTexts: map[string]string{}, Plans: []DocumentPlan{}}
	for _, p := range c.Plans {
		written := DocumentPlan{Plan: p.Name, MostPopular: p.MostPopular, Features: []string{}, Services: []DocumentTier{}}
		for _, f := range p.Features {
			written.Features = append(written.Features, f.Name)
			d.FeatureTexts[f.Name] = f.About
		}
		for _, t := range p.Tiers {
			tier := DocumentTier{
				Tier: t.Name, FranchiseLimit: t.FranchiseLimit, MonthlyPaise: t.Monthly, YearlyPaise: t.Yearly,
				YearlyDiscountPaise: t.YearlyDiscount, AllInYearlyPaise: t.AllInYearly, SAC: t.SAC, AddOns: []DocumentAddOn{},
			}
			for _, a := range t.AddOns {
				tier.AddOns = append(tier.AddOns, DocumentAddOn{
					Key: a.Key, Name: a.Name, Limit: a.Limit, MonthlyPaise: a.Monthly, YearlyPaise: a.Yearly, OncePaise: a.Once, SAC: a.SAC,
				})
			}
			written.Services = append(written.Services, tier)
		}
		d.Plans = append(d.Plans, written)
	}
	return d
}
