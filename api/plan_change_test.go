package main

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/id"
)

func TestPlanChange_OfferedScheduledAndCancelled(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.buyer(t, "9876500031")
	require.Nil(t, c.get(t, "/subscription/plan-change").Body["data"], "nothing runs that could be changed")
	app.bought(t, c, newPayuServer(t))
	tier := app.catalogue(t).Plans[0].Tiers[0]

	require.Equal(t, 422, c.get(t, "/subscription/plan-change?without=nobody").Status)
	require.Equal(t, 200, c.get(t, "/subscription/plan-change?without="+id.New()).Status, "what is not owned stays behind anyway")
	options := c.get(t, "/subscription/plan-change").Data(t, "options").([]any)
	require.Len(t, options, 24)
	monthly, yearly, larger := options[0].(map[string]any), options[1].(map[string]any), options[3].(map[string]any)
	require.Equal(t, []any{"renewal", "₹0", "₹14,750"}, []any{monthly["begins"], monthly["pay_now"], monthly["term_total"]})
	require.Equal(t, "current", yearly["begins"])
	require.Equal(t, "now", larger["begins"])
	require.NotEqual(t, "₹0", larger["pay_now"])
	require.Equal(t, []any{[]any{}, []any{}}, []any{larger["ending_add_ons"], c.get(t, "/subscription/plan-change").Data(t, "cancelled_add_ons")})
	require.Equal(t, 422, c.get(t, "/subscription/plan-change?keep=nobody").Status)
	require.Equal(t, 200, c.get(t, "/subscription/plan-change?keep="+id.New()).Status, "another's add-on is not kept")

	require.Equal(t, 200, c.post(t, "/subscription/payments/request", choice(tier, "monthly")).Status)
	change := c.get(t, "/subscription/dashboard").Data(t, "subscription").(map[string]any)["scheduled_change"].(map[string]any)
	require.Equal(t, []any{tier.PlanName, "monthly", monthly["on"]}, []any{change["plan_name"], change["plan_type"], change["on"]})
	require.Equal(t, "scheduled", c.get(t, "/subscription/plan-change").Data(t, "options").([]any)[0].(map[string]any)["begins"])

	path := "/subscription/plan-change/" + change["id"].(string)
	require.Equal(t, 404, app.buyer(t, "9876500032").do(t, http.MethodDelete, path, nil).Status, "another's")
	for range 2 {
		off := c.do(t, http.MethodDelete, path, nil)
		require.Equal(t, 200, off.Status, "%s", off.Raw)
	}
	require.Nil(t, c.get(t, "/subscription/dashboard").Data(t, "subscription").(map[string]any)["scheduled_change"])
}
