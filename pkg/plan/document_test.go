package plan_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// object is a part of a catalogue's text that a test changes.
type object = map[string]any

// document returns the default catalogue as text that can be changed.
func document(tb testing.TB) object {
	tb.Helper()
	var d object
	require.NoError(tb, json.Unmarshal(plan.DefaultCatalogue(), &d))
	return d
}

func text(tb testing.TB, d object) []byte {
	tb.Helper()
	b, err := json.Marshal(d)
	require.NoError(tb, err)
	return b
}

func planAt(d object, n int) object    { return d["plans"].([]any)[n].(object) }
func tierAt(d object, p, n int) object { return planAt(d, p)["services"].([]any)[n].(object) }

func addOnAt(d object, p, t, n int) object { return tierAt(d, p, t)["add_ons"].([]any)[n].(object) }
func set(o object, name string, value any) { o[name] = value }
func empty(o object, name string)          { o[name] = []any{} }

// A catalogue that could not be sold or invoiced as written is refused before it is loaded, with a message that names
// the faulty place.
func TestParse_InvalidCatalogue_NamesTheFaultyField(t *testing.T) {
	t.Parallel()
	const tooMuch = int64(money.Max)
	for name, tc := range map[string]struct {
		change func(d object)
		says   string
	}{
		"no version":                   {func(d object) { set(d, "version", "") }, "version"},
		"no currency":                  {func(d object) { delete(d, "currency") }, "currency INR"},
		"dollars":                      {func(d object) { set(d, "currency", "USD") }, "currency INR"},
		"no plans":                     {func(d object) { empty(d, "plans") }, "plans are needed"},
		"no rates":                     {func(d object) { empty(d, "gst_rates") }, "rates of tax: there is none"},
		"a rate from no day":           {func(d object) { set(d["gst_rates"].([]any)[0].(object), "from", "") }, "is no date"},
		"a rate from 29 February 2027": {func(d object) { set(d["gst_rates"].([]any)[0].(object), "from", "2027-02-29") }, "is no date"},
		"a rate above all":             {func(d object) { set(d["gst_rates"].([]any)[0].(object), "rate_bps", 10_001) }, "impossible"},
		"a rate below nothing":         {func(d object) { set(d["gst_rates"].([]any)[0].(object), "rate_bps", -1) }, "impossible"},
		"rates out of order": {func(d object) {
			set(d, "gst_rates", []object{{"from": "2027-04-01", "rate_bps": 1800}, {"from": "2026-04-01", "rate_bps": 1200}})
		}, "out of order"},
		"two rates from one day": {func(d object) {
			set(d, "gst_rates", []object{{"from": "2026-04-01", "rate_bps": 1800}, {"from": "2026-04-01", "rate_bps": 1200}})
		}, "out of order"},
		"a plan without a name":          {func(d object) { set(planAt(d, 1), "plan", "  ") }, "needs a name"},
		"two plans of a name":            {func(d object) { set(planAt(d, 1), "plan", "Start up") }, "needs a name of its own"},
		"a plan without tiers":           {func(d object) { empty(planAt(d, 1), "services") }, "and a tier"},
		"a feature that says nothing":    {func(d object) { set(planAt(d, 2), "features", []string{"Magic"}) }, `feature "Magic" has no text`},
		"a feature that says blanks":     {func(d object) { set(d["feature_texts"].(object), "Custom domain", " \t") }, `"Custom domain" has no text`},
		"two tiers of a name":            {func(d object) { set(tierAt(d, 0, 1), "tier", "Expansion") }, "Start up Expansion: twice"},
		"a tier without a name":          {func(d object) { set(tierAt(d, 0, 1), "tier", "") }, "incomplete"},
		"a tier without a code":          {func(d object) { set(tierAt(d, 0, 1), "sac", "") }, "Start up Apex: incomplete"},
		"a code of letters":              {func(d object) { set(tierAt(d, 0, 1), "sac", "99731A") }, "Start up Apex: incomplete"},
		"a code of three digits":         {func(d object) { set(tierAt(d, 0, 1), "sac", "997") }, "Start up Apex: incomplete"},
		"fewer franchises than zero":     {func(d object) { set(tierAt(d, 0, 1), "franchise_limit", -1) }, "Start up Apex: incomplete"},
		"a free month":                   {func(d object) { set(tierAt(d, 0, 1), "monthly_paise", 0) }, "impossible price"},
		"a year below nothing":           {func(d object) { set(tierAt(d, 0, 1), "yearly_paise", -1) }, "impossible price"},
		"a month beyond all invoices":    {func(d object) { set(tierAt(d, 0, 1), "monthly_paise", tooMuch) }, "impossible price"},
		"a discount of all":              {func(d object) { set(tierAt(d, 0, 1), "yearly_discount_paise", 27_000_000) }, "impossible price"},
		"a discount below nothing":       {func(d object) { set(tierAt(d, 0, 1), "yearly_discount_paise", -1) }, "impossible price"},
		"all-in below the tier":          {func(d object) { set(tierAt(d, 0, 1), "all_in_yearly_paise", 26_999_999) }, "all-in price"},
		"all-in above everything":        {func(d object) { set(tierAt(d, 0, 1), "all_in_yearly_paise", 60_900_001) }, "all-in price"},
		"an add-on without a key":        {func(d object) { set(addOnAt(d, 0, 0, 1), "key", " ") }, "add-on"},
		"a key that is no word":          {func(d object) { set(addOnAt(d, 0, 0, 1), "key", "Users Extension") }, `add-on "Users Extension"`},
		"an add-on without a name":       {func(d object) { set(addOnAt(d, 0, 0, 1), "name", "") }, "users_extension"},
		"an add-on of nothing":           {func(d object) { set(addOnAt(d, 0, 0, 1), "limit", 0) }, "users_extension"},
		"a free add-on":                  {func(d object) { set(addOnAt(d, 0, 0, 1), "monthly_paise", 0) }, "users_extension"},
		"an add-on that pays":            {func(d object) { set(addOnAt(d, 0, 0, 1), "yearly_paise", -1) }, "users_extension"},
		"an add-on beyond all invoices":  {func(d object) { set(addOnAt(d, 0, 0, 1), "monthly_paise", tooMuch) }, "users_extension"},
		"an add-on without a code":       {func(d object) { set(addOnAt(d, 0, 0, 1), "sac", "") }, "users_extension"},
		"a code with a space":            {func(d object) { set(addOnAt(d, 0, 0, 1), "sac", "9983 14") }, "users_extension"},
		"an add-on twice in a tier":      {func(d object) { set(addOnAt(d, 0, 0, 1), "key", "users_app") }, `add-on "users_app"`},
		"a price that wraps around":      {func(d object) { set(addOnAt(d, 0, 0, 1), "yearly_paise", int64(1<<63-1)) }, "users_extension"},
		"an unknown field":               {func(d object) { set(tierAt(d, 0, 0), "yearly_pasie", 1) }, "unknown field"},
		"rupees with a point":            {func(d object) { set(tierAt(d, 0, 0), "yearly_paise", 1.5) }, "read catalogue"},
		"an amount in quotes":            {func(d object) { set(tierAt(d, 0, 0), "yearly_paise", "15000000") }, "read catalogue"},
		"the misprints of several tiers": {func(d object) { set(tierAt(d, 0, 0), "sac", ""); set(tierAt(d, 3, 2), "sac", "") }, "Elite Supreme: incomplete"},
	} {
		d := document(t)
		tc.change(d)
		_, err := plan.Parse(text(t, d))
		require.ErrorContains(t, err, tc.says, name)
	}
	for name, wrong := range map[string]string{
		"nothing": "", "no object": "[]", "null": "null", "half of it": string(plan.DefaultCatalogue()[:500]),
		"two at once": string(plan.DefaultCatalogue()) + string(plan.DefaultCatalogue()), "more behind it": string(plan.DefaultCatalogue()) + "}",
	} {
		_, err := plan.Parse([]byte(wrong))
		require.Error(t, err, name)
	}
	_, err := plan.Parse([]byte(string(plan.DefaultCatalogue()) + "\n \n"))
	require.NoError(t, err, "blanks behind it are nothing")
}

func TestParse_ValidVariations_AreAccepted(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(d object){
		"a tier without add-ons": func(d object) {
			set(tierAt(d, 0, 0), "add_ons", []any{})
			set(tierAt(d, 0, 0), "all_in_yearly_paise", 15_000_000)
		},
		"a tier without franchises":      func(d object) { set(tierAt(d, 0, 0), "franchise_limit", 0) },
		"no discount":                    func(d object) { set(tierAt(d, 0, 0), "yearly_discount_paise", 0) },
		"all-in is everything":           func(d object) { set(tierAt(d, 0, 0), "all_in_yearly_paise", 44_400_000) },
		"a plan without features":        func(d object) { empty(planAt(d, 0), "features") },
		"no tax":                         func(d object) { set(d["gst_rates"].([]any)[0].(object), "rate_bps", 0) },
		"a code of four digits":          func(d object) { set(tierAt(d, 0, 0), "sac", "9973") },
		"a code of eight digits":         func(d object) { set(tierAt(d, 0, 0), "sac", "99733100") },
		"the same tier name in each":     func(d object) { set(tierAt(d, 1, 0), "tier", "Expansion") },
		"the year dearer than 12 months": func(d object) { set(tierAt(d, 0, 0), "monthly_paise", 1) },
		"a rate that changes": func(d object) {
			set(d, "gst_rates", []object{{"from": "2017-07-01", "rate_bps": 1800}, {"from": "2027-04-01", "rate_bps": 1200}})
		},
	} {
		d := document(t)
		change(d)
		_, err := plan.Parse(text(t, d))
		require.NoError(t, err, name)
	}
}

// Parsing keeps names, order and amounts, and gives each part a unique id.
func TestParse_KeepsNamesOrderAndAmounts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		paise := rapid.Int64Range(1, 1_00_00_000_00)
		type tier struct {
			monthly, yearly, off int64
			limit                int
			addOns               []int64
		}
		written := rapid.SliceOfN(rapid.SliceOfN(rapid.Custom(func(t *rapid.T) tier {
			v := tier{monthly: paise.Draw(t, "monthly"), yearly: paise.Draw(t, "yearly"), limit: rapid.IntRange(0, 999).Draw(t, "limit")}
			v.off = rapid.Int64Range(0, v.yearly-1).Draw(t, "off")
			v.addOns = rapid.SliceOfN(paise, 0, 3).Draw(t, "add-ons")
			return v
		}), 1, 3), 1, 4).Draw(t, "catalogue")
		d := object{"version": "x", "currency": "INR", "gst_rates": []object{{"from": "2017-07-01", "rate_bps": 1800}}, "plans": []any{}}
		for i, tiers := range written {
			var services []object
			for j, v := range tiers {
				addOns := []object{}
				for k, price := range v.addOns {
					addOns = append(addOns, object{
						"key": fmt.Sprintf("key_%d", k), "name": fmt.Sprint(k), "limit": 1, "monthly_paise": price, "yearly_paise": price, "sac": "998314",
					})
				}
				services = append(services, object{
					"tier": fmt.Sprint(j), "franchise_limit": v.limit, "monthly_paise": v.monthly, "yearly_paise": v.yearly,
					"yearly_discount_paise": v.off, "all_in_yearly_paise": v.yearly, "sac": invoice.SACSoftware, "add_ons": addOns,
				})
			}
			d["plans"] = append(d["plans"].([]any), object{"plan": fmt.Sprint(i), "services": services})
		}
		b, err := json.Marshal(d)
		require.NoError(t, err)
		c, err := plan.Parse(b)
		require.NoError(t, err)
		ids := map[string]bool{}
		require.Len(t, c.Plans, len(written))
		for i, p := range c.Plans {
			require.Equal(t, fmt.Sprint(i), p.Name)
			require.Len(t, p.Tiers, len(written[i]))
			ids[p.ID] = true
			for j, got := range p.Tiers {
				want := written[i][j]
				require.Equal(t, []int64{want.monthly, want.yearly, want.off}, []int64{int64(got.Monthly), int64(got.Yearly), int64(got.YearlyDiscount)})
				require.Equal(t, want.limit, got.FranchiseLimit)
				require.Equal(t, fmt.Sprintf("%d · %d", i, j), got.Title())
				found, sold := c.Tier(got.ID)
				require.True(t, sold)
				require.Equal(t, got, found)
				require.Len(t, got.AddOns, len(want.addOns))
				ids[got.ID] = true
				for k, a := range got.AddOns {
					require.Equal(t, want.addOns[k], int64(a.Price(plan.TypeYearly)))
					require.Equal(t, got.ID, a.ServiceID)
					ids[a.ID] = true
				}
			}
		}
		count := len(written)
		for _, tiers := range written {
			for _, v := range tiers {
				count += 1 + len(v.addOns)
			}
		}
		require.Len(t, ids, count, "no id twice")
	})
}

// The agreed price list, in rupees: franchises, month, year, yearly discount, and all-in.
func TestDefaultCatalogue_EqualsThePriceList(t *testing.T) {
	t.Parallel()
	c, err := plan.Parse(plan.DefaultCatalogue())
	require.NoError(t, err)
	var got []string
	for _, p := range c.Plans {
		for _, s := range p.Tiers {
			got = append(got, strings.Join([]string{
				s.Title(), fmt.Sprint(s.FranchiseLimit), s.Monthly.Display(), s.Yearly.Display(), s.YearlyDiscount.Display(), s.AllInYearly.Display(),
			}, " "))
			require.Equal(t, invoice.SACSoftware, s.SAC)
		}
	}
	require.Equal(t, []string{
		"Start up · Expansion 18 ₹12,500 ₹1,50,000 ₹15,000 ₹3,60,000",
		"Start up · Apex 36 ₹22,500 ₹2,70,000 ₹27,000 ₹5,34,000",
		"Start up · Supreme 108 ₹54,000 ₹6,48,000 ₹64,800 ₹10,26,000",
		"Growth · Expansion 18 ₹15,000 ₹1,80,000 ₹18,000 ₹4,08,000",
		"Growth · Apex 36 ₹27,000 ₹3,24,000 ₹32,400 ₹6,12,000",
		"Growth · Supreme 108 ₹64,800 ₹7,77,600 ₹77,760 ₹11,91,600",
		"Pinnacle · Expansion 18 ₹18,000 ₹2,16,000 ₹21,600 ₹4,65,600",
		"Pinnacle · Apex 36 ₹32,400 ₹3,88,800 ₹38,880 ₹7,05,600",
		"Pinnacle · Supreme 108 ₹77,760 ₹9,33,120 ₹93,312 ₹13,90,320",
		"Elite · Expansion 18 ₹21,600 ₹2,59,200 ₹25,920 ₹5,34,720",
		"Elite · Apex 36 ₹38,880 ₹4,66,560 ₹46,656 ₹8,17,920",
		"Elite · Supreme 108 ₹93,312 ₹11,19,744 ₹1,11,974.40 ₹16,28,784",
	}, got)
	for _, p := range c.Plans {
		for _, s := range p.Tiers {
			require.Equal(t, s.Yearly, 12*s.Monthly, s.Title())
			var all money.Paise
			for _, a := range s.AddOns {
				require.Equal(t, a.Yearly, 12*a.Monthly, a.Name)
				if a.Key != plan.KeyFranchiseExtension {
					all += a.Yearly + a.Once
				}
			}
			require.Equal(t, s.Yearly+all, s.AllInYearly, "%s: all-in is the tier with all but franchise extensions", s.Title())
		}
	}
}

func TestCatalogue_TypesPricesAndLookups(t *testing.T) {
	t.Parallel()
	require.True(t, plan.TypeMonthly.Valid() && plan.TypeYearly.Valid())
	for _, wrong := range []plan.Type{"", "weekly", "Monthly", "monthly ", "annually"} {
		require.False(t, wrong.Valid(), "%q", wrong)
	}
	require.Equal(t, []int{1, 12}, []int{plan.TypeMonthly.Months(), plan.TypeYearly.Months()})

	s := plan.Tier{PlanName: "Growth", Name: "Apex", Monthly: 100, Yearly: 1200, YearlyDiscount: 120, AddOns: []plan.AddOn{{ID: "a"}}}
	list, off := s.Price(plan.TypeMonthly)
	require.Equal(t, []money.Paise{100, 0}, []money.Paise{list, off}, "a month has no discount")
	list, off = s.Price(plan.TypeYearly)
	require.Equal(t, []money.Paise{1200, 120}, []money.Paise{list, off})
	_, ok := s.AddOn("b")
	require.False(t, ok)
	_, ok = s.AddOn("")
	require.False(t, ok)
	require.Equal(t, "10%", plan.Plan{Tiers: []plan.Tier{s}}.YearlyDiscount())
	s.YearlyDiscount = 150
	require.Equal(t, "13%", plan.Plan{Tiers: []plan.Tier{s}}.YearlyDiscount(), "12.5 is rounded")
	require.Equal(t, "0%", plan.Plan{}.YearlyDiscount())

	require.True(t, plan.AddOn{Limit: 1}.SingleUnit())
	require.False(t, plan.AddOn{Limit: 10}.SingleUnit())
	require.Equal(t, "1,00,000 more users", plan.Describe("users_extension", "", 1_00_000))
	require.Equal(t, "5 more franchises", plan.Describe(plan.KeyFranchiseExtension, "", 5))
	require.Equal(t, "Something new", plan.Describe("something_new", "Something new", 3))

	var none plan.Catalogue
	_, ok = none.Tier("x")
	require.False(t, ok, "nothing is sold without a catalogue")
	_, ok = none.Plan("")
	require.False(t, ok)
}

func TestDefaultCatalogue_ReturnsACopy(t *testing.T) {
	t.Parallel()
	mine := plan.DefaultCatalogue()
	clear(mine)
	_, err := plan.Parse(plan.DefaultCatalogue())
	require.NoError(t, err)
}
