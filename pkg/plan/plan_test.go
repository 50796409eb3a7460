package plan_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/testkit"
)

func TestLoad_DefaultCatalogue_IsReadBackUnchanged(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	revision, err := plan.Load(t.Context(), db.Worker, testkit.NewClock(), plan.DefaultCatalogue())
	require.NoError(t, err)
	require.Equal(t, 1, revision)

	c, err := plan.NewService(db.API, testkit.NewLogger(t)).Current(t.Context())
	require.NoError(t, err)
	require.Equal(t, invoice.Rates{{From: "2017-07-01", RateBps: 1800}}, c.GSTRates)
	var names []string
	for _, p := range c.Plans {
		require.Len(t, p.Tiers, 3)
		require.Equal(t, "10%", p.YearlyDiscount())
		names = append(names, p.Name)
	}
	require.Equal(t, []string{"Start up", "Growth", "Pinnacle", "Elite"}, names)
	require.True(t, c.Plans[1].MostPopular)

	for _, p := range c.Plans {
		for _, f := range p.Features {
			require.NotEmpty(t, f.About, "%s: %s says nothing of itself", p.Name, f.Name)
		}
	}

	first := c.Plans[0].Tiers[0]
	require.Equal(t, "Start up · Expansion", first.Title())
	require.Equal(t, money.FromRupees(1_50_000), first.Yearly)
	require.Equal(t, money.FromRupees(15_000), first.YearlyDiscount)
	require.Equal(t, money.FromRupees(3_60_000), first.AllInYearly)
	require.Len(t, first.AddOns, 4)
	for i, says := range []string{
		"an app for your customers, on Android and iOS", "50,000 more users", "10 more franchises", "your distribution model, set up with you",
	} {
		require.Equal(t, says, plan.Describe(first.AddOns[i].Key, first.AddOns[i].Name, first.AddOns[i].Limit))
	}
	found, ok := c.Tier(first.ID)
	require.True(t, ok)
	require.Equal(t, first, found)
}

func TestLoad_SameCatalogueIsNoRevisionAndNewPriceKeepsIDs(t *testing.T) {
	t.Parallel()
	db, clk := testkit.NewDatabase(t), testkit.NewClock()
	var loads errgroup.Group
	for range 5 {
		loads.Go(func() error {
			revision, err := plan.Load(t.Context(), db.Worker, clk, plan.DefaultCatalogue())
			if err == nil && revision != 1 {
				t.Errorf("revision %d", revision)
			}
			return err
		})
	}
	require.NoError(t, loads.Wait())
	service := plan.NewService(db.API, testkit.NewLogger(t))
	before, err := service.Fresh(t.Context())
	require.NoError(t, err)

	var text map[string]any
	require.NoError(t, json.Unmarshal(plan.DefaultCatalogue(), &text))
	plans := text["plans"].([]any)
	tier := plans[0].(map[string]any)["services"].([]any)[0].(map[string]any)
	tier["monthly_paise"] = 1_300_000
	text["plans"] = plans[:3] // Elite is no longer sold
	changed, err := json.Marshal(text)
	require.NoError(t, err)
	revision, err := plan.Load(t.Context(), db.Worker, clk, changed)
	require.NoError(t, err)
	require.Equal(t, 2, revision)

	after, err := service.Fresh(t.Context())
	require.NoError(t, err)
	require.Equal(t, before.Plans[0].Tiers[0].ID, after.Plans[0].Tiers[0].ID)
	require.Equal(t, money.FromRupees(13_000), after.Plans[0].Tiers[0].Monthly)
	_, sold := after.Tier(before.Plans[3].Tiers[0].ID)
	require.False(t, sold)
	old, err := service.Revision(t.Context(), 1)
	require.NoError(t, err)
	require.Equal(t, money.FromRupees(12_500), old.Plans[0].Tiers[0].Monthly)
}

func TestLoad_InvalidCatalogue_IsRefused(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	good := string(plan.DefaultCatalogue())
	for name, text := range map[string]string{
		"broken":          "{",
		"unknown field":   strings.Replace(good, `"version"`, `"versions": 1, "version"`, 1),
		"free plan":       strings.Replace(good, `"monthly_paise": 1250000`, `"monthly_paise": 0`, 1),
		"wrong sum":       strings.Replace(good, `"all_in_yearly_paise": 36000000`, `"all_in_yearly_paise": 44400001`, 1),
		"discount is all": strings.Replace(good, `"yearly_discount_paise": 1500000`, `"yearly_discount_paise": 15000000`, 1),
		"plan twice":      strings.Replace(good, `"plan": "Growth"`, `"plan": "Start up"`, 1),
		"other currency":  strings.Replace(good, `"INR"`, `"USD"`, 1),
	} {
		_, err := plan.Load(t.Context(), db.Worker, testkit.NewClock(), []byte(text))
		require.Error(t, err, name)
	}
	_, err := plan.NewService(db.API, testkit.NewLogger(t)).Current(t.Context())
	require.Error(t, err, "nothing was loaded")
}
