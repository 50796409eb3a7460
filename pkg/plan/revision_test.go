package plan_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// Given several revisions of a catalogue, then ids stay with their names forever, whatever is dropped and comes back,
// and every revision keeps its prices, its order and its rates.
func TestRevisions_KeepIDsPricesOrderAndRates(t *testing.T) {
	t.Parallel()
	db, clk := testkit.NewDatabase(t), testkit.NewClock()
	s := plan.NewService(db.API, testkit.NewLogger(t))
	load := func(want int, d object) *plan.Catalogue {
		t.Helper()
		revision, err := plan.Load(t.Context(), db.Worker, clk, text(t, d))
		require.NoError(t, err)
		require.Equal(t, want, revision)
		c, err := s.Fresh(t.Context())
		require.NoError(t, err)
		require.Equal(t, want, c.Revision)
		return c
	}
	first := load(1, document(t))
	start, users := first.Plans[0].Tiers[0], first.Plans[0].Tiers[0].AddOns[1]

	d := document(t)
	plans := d["plans"].([]any)
	set(d, "plans", []any{plans[3], plans[0]}) // two are no longer sold, the others swap places
	last := planAt(d, 1)["services"].([]any)
	set(planAt(d, 1), "services", []any{last[2], last[0]})
	addOns := tierAt(d, 1, 1)["add_ons"].([]any)
	set(tierAt(d, 1, 1), "add_ons", []any{addOns[2]})
	set(tierAt(d, 1, 1), "all_in_yearly_paise", 15_000_000)
	set(addOnAt(d, 1, 1, 0), "limit", 25)
	second := load(2, d)
	require.Equal(t, []string{"Elite", "Start up"}, []string{second.Plans[0].Name, second.Plans[1].Name})
	require.Equal(t, []string{"Supreme", "Expansion"}, []string{second.Plans[1].Tiers[0].Name, second.Plans[1].Tiers[1].Name})
	require.Equal(t, start.ID, second.Plans[1].Tiers[1].ID)
	require.Len(t, second.Plans[1].Tiers[1].AddOns, 1)
	require.Equal(t, 25, second.Plans[1].Tiers[1].AddOns[0].Limit)
	_, sold := second.Plan(first.Plans[1].ID)
	require.False(t, sold)
	_, sold = second.Tier(first.Plans[0].Tiers[1].ID)
	require.False(t, sold)
	_, sold = second.Plans[1].Tiers[1].AddOn(users.ID)
	require.False(t, sold)

	third := load(3, document(t)) // the older text again
	require.Equal(t, first.Plans, third.Plans, "everything is back under its id")
	require.Equal(t, 3, load(3, document(t)).Revision, "the newest text again is no revision")

	old, err := s.Revision(t.Context(), 2)
	require.NoError(t, err)
	require.Equal(t, second.Plans, old.Plans)

	d = document(t)
	set(d, "gst_rates", []object{{"from": "2017-07-01", "rate_bps": 1800}, {"from": "2027-04-01", "rate_bps": 1200}})
	fourth := load(4, d)
	require.Equal(t, invoice.Rates{{From: "2017-07-01", RateBps: 1800}, {From: "2027-04-01", RateBps: 1200}}, fourth.GSTRates)
	day := func(date invoice.Date) int64 {
		return fourth.GSTRates.For(invoice.Supply{Supplied: date, Invoiced: date, Paid: date})
	}
	require.Equal(t, []int64{1800, 1200}, []int64{day("2027-03-31"), day("2027-04-01")})
	again, err := plan.NewService(db.API, testkit.NewLogger(t)).Revision(t.Context(), 1)
	require.NoError(t, err)
	require.Equal(t, first.GSTRates, again.GSTRates, "an older revision keeps its own")
	require.Equal(t, first.Plans, again.Plans)
}

// Given a feature with a new description, then a plan running under an older revision shows the new description.
func TestFeatureText_OldRevision_ShowsTheCurrentText(t *testing.T) {
	t.Parallel()
	db, clk := testkit.NewDatabase(t), testkit.NewClock()
	d := document(t)
	_, err := plan.Load(t.Context(), db.Worker, clk, text(t, d))
	require.NoError(t, err)
	set(d["feature_texts"].(object), "Custom domain", "Your own name on the door.")
	_, err = plan.Load(t.Context(), db.Worker, clk, text(t, d))
	require.NoError(t, err)
	for revision := 1; revision <= 2; revision++ {
		c, err := plan.NewService(db.API, testkit.NewLogger(t)).Revision(t.Context(), revision)
		require.NoError(t, err)
		require.Equal(t, plan.Feature{Name: "Custom domain", About: "Your own name on the door."}, c.Plans[0].Features[1])
		require.Equal(t, "Own Android and iOS app", c.Plans[0].Features[0].Name, "in the catalogue's order")
	}
}

// The HTTP process's role can read the catalogue and cannot change it. No role can change what the worker loaded, and a load that fails
// half-way leaves nothing behind.
func TestLoad_OnlyTheWorkerCanWriteTheCatalogue(t *testing.T) {
	t.Parallel()
	db, clk := testkit.NewDatabase(t), testkit.NewClock()
	_, err := plan.Load(t.Context(), db.API, clk, plan.DefaultCatalogue())
	require.ErrorContains(t, err, "permission denied")
	_, err = plan.Load(t.Context(), db.Worker, clk, plan.DefaultCatalogue())
	require.NoError(t, err)
	for _, change := range []string{
		`UPDATE plan_service_revisions SET yearly_paise = 1`, `DELETE FROM catalogue_revisions`, `UPDATE plans SET name = 'x'`,
		`UPDATE plan_add_on_revisions SET monthly_paise = 1`, `UPDATE catalogue_revisions SET gst_rates = '[]'`,
	} {
		_, err := db.API.Exec(change)
		require.ErrorContains(t, err, "permission denied", change)
		_, err = db.Worker.Exec(change)
		require.ErrorContains(t, err, "permission denied", change)
	}

	d := document(t)
	set(d, "version", "half")
	set(planAt(d, 3), "plan", "x\x00y") // Postgres does not accept such text
	b, err := json.Marshal(d)
	require.NoError(t, err)
	_, err = plan.Load(t.Context(), db.Worker, clk, b)
	require.Error(t, err)
	c, err := plan.NewService(db.API, testkit.NewLogger(t)).Fresh(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, c.Revision)
	require.Equal(t, money.FromRupees(12_500), c.Plans[0].Tiers[0].Monthly)
}
