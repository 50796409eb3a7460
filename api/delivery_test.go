package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/staff"
)

func TestDeliveries_PaidPlan_ListsEachFeatureWithItsDay(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	gateway := newPayuServer(t)
	tier := app.catalogue(t).Plans[2].Tiers[0]
	buyer, other := app.buyer(t, "9876500201"), app.buyer(t, "9876500202")
	require.Empty(t, buyer.get(t, "/deliveries").Data(t, "deliveries"))
	app.paid(t, gateway, buyer.post(t, "/subscription/payments/request", choice(tier, "yearly")))
	rows := map[string]map[string]any{}
	for _, r := range buyer.get(t, "/deliveries").Data(t, "deliveries").([]any) {
		row := r.(map[string]any)
		rows[row["name"].(string)] = row
	}
	require.Len(t, rows, 15)
	manager, domain, mail := rows["Dedicated account manager"], rows["Custom domain"], rows["E-mail support"]
	require.Equal(t, []any{"planned", "staff", false, ""}, []any{manager["state"], manager["delivered_by"], manager["late"], manager["needs"]})
	require.Equal(t, []any{"waiting_for_customer", "Link your domain."}, []any{domain["state"], domain["needs"]})
	require.Equal(t, []any{"delivered", "", "/contact"}, []any{mail["state"], mail["proof"], mail["proof_link"]})
	require.Empty(t, other.get(t, "/deliveries").Data(t, "deliveries"))
	require.Equal(t, 401, app.client(t).get(t, "/deliveries").Status)
}

func TestSupportDeliveries_StaffAssignAndDeliver_CustomerSeesTheProof(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	gateway := newPayuServer(t)
	tier := app.catalogue(t).Plans[2].Tiers[0]
	buyer := app.buyer(t, "9876500203")
	app.paid(t, gateway, buyer.post(t, "/subscription/payments/request", choice(tier, "yearly")))
	asha := app.signedInAs(t, "asha@franchise360.in", staff.RoleSupport)
	list := asha.call(t, "GET", "/deliveries?state=open&delivered_by=staff&search=manager", nil)
	require.Equal(t, 200, list.Status, "%s", list.Raw)
	rows := list.Body["data"].([]any)
	require.Len(t, rows, 1)
	row := rows[0].(map[string]any)
	require.Equal(t, 422, asha.call(t, "GET", "/deliveries?state=lost", nil).Status)
	path := "/customers/" + row["customer_id"].(string) + "/deliveries/" + row["id"].(string)
	opened := asha.call(t, "GET", path, nil)
	me := opened.Data(t, "colleagues").([]any)[0].(map[string]any)["id"]
	require.Equal(t, 200, asha.call(t, "POST", path+"/owner", map[string]any{"revision": 1, "staff_id": me}).Status)
	deliver := map[string]any{"revision": 2, "state": "delivered", "proof": "https://example.in/first-call", "reason": "first call"}
	require.Equal(t, 409, asha.call(t, "POST", path, map[string]any{"revision": 1, "state": "in_progress", "reason": "begun"}).Status)
	require.Equal(t, 200, asha.call(t, "POST", path, deliver).Status)
	require.Len(t, asha.call(t, "GET", path, nil).Data(t, "events"), 3)
	for _, r := range buyer.get(t, "/deliveries").Data(t, "deliveries").([]any) {
		if got := r.(map[string]any); got["id"] == row["id"] {
			require.Equal(t, []any{"delivered", "https://example.in/first-call"}, []any{got["state"], got["proof_link"]})
		}
	}
	require.Equal(t, 403, app.signedInAs(t, "meera@franchise360.in", staff.RoleFinance).call(t, "POST", path, deliver).Status)
}
