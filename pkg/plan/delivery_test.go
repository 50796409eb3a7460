package plan_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/testkit"
)

func TestDeliveries_EachFeatureAndAddOn_IsDescribedAndNothingElse(t *testing.T) {
	t.Parallel()
	c, err := plan.Parse(plan.DefaultCatalogue())
	require.NoError(t, err)
	sold := map[string]bool{}
	for _, p := range c.Plans {
		for _, f := range p.Features {
			if strings.HasPrefix(f.Name, "Everything in ") {
				require.Equal(t, plan.ByPlan, plan.DeliveryOf(f.Name).How)
				continue
			}
			sold[f.Name] = true
		}
		for _, tier := range p.Tiers {
			for _, a := range tier.AddOns {
				sold[a.Key] = true
				require.True(t, a.SingleUnit() || plan.DeliveryOf(a.Key).ProofBy == "limit", "%s: one row cannot stand for several units", a.Key)
			}
		}
	}
	for item := range plan.Deliveries() {
		require.True(t, sold[item], "%s is not sold", item)
		delete(sold, item)
	}
	require.Empty(t, sold, "nobody knows who delivers these")
	require.Equal(t, plan.Delivery{How: plan.ByStaff, Days: 10}, plan.DeliveryOf("Something that staff added"))
}

func TestLoad_Deliveries_AreTheSameInTheDatabase(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	for range 2 {
		_, err := plan.Load(t.Context(), db.Worker, clock.NewFake(testkit.Start()), plan.DefaultCatalogue())
		require.NoError(t, err)
	}
	var rows []struct {
		Item    string   `db:"item"`
		How     plan.How `db:"how"`
		Days    int      `db:"days"`
		Needs   string   `db:"needs"`
		ProofBy string   `db:"proof_by"`
	}
	require.NoError(t, db.API.Select(&rows, `SELECT item, how, days, needs, proof_by FROM plan_delivery_overview`))
	got := map[string]plan.Delivery{}
	for _, r := range rows {
		got[r.Item] = plan.Delivery{How: r.How, Days: r.Days, Needs: r.Needs, ProofBy: r.ProofBy}
	}
	want := plan.Deliveries()
	for item, d := range want {
		d.Steps = nil // for staff only
		want[item] = d
		require.True(t, d.How != plan.ByProduct || d.Days == 0 || d.Needs != "", "%s: the customer has to do it", item)
	}
	require.Equal(t, want, got)
}
