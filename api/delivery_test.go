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

func TestDeliveries_CustomerSendsFileAndAnswer_StaffSeeThem(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	gateway := newPayuServer(t)
	tier := app.catalogue(t).Plans[0].Tiers[0]
	buyer := app.buyer(t, "9876500204")
	app.paid(t, gateway, buyer.post(t, "/subscription/payments/request", choice(tier, "yearly")))
	find := func() map[string]any {
		t.Helper()
		for _, r := range buyer.get(t, "/deliveries").Data(t, "deliveries").([]any) {
			if row := r.(map[string]any); row["name"] == "Own Android and iOS app" {
				return row
			}
		}
		require.Fail(t, "the app is bought")
		return nil
	}
	path := "/deliveries/" + find()["id"].(string)
	require.Equal(t, 422, buyer.post(t, path+"/provide", map[string]any{"note": ""}).Status, "neither words nor files")
	png := []byte("\x89PNG\r\n\x1a\nlogo")
	require.Equal(t, 422, buyer.post(t, path+"/files?name=logo.png", []byte("GIF89a")).Status, "no type that is taken")
	sent := buyer.post(t, path+"/files?name=logo.png", png)
	require.Equal(t, 200, sent.Status, "%s", sent.Raw)
	require.Equal(t, png, buyer.get(t, path+"/files/"+sent.Data(t, "id").(string)).Raw)
	sheet := []byte("name,price\nसमोसा,20\n")
	prices := buyer.post(t, path+"/files?name=prices.csv", sheet)
	require.Equal(t, 200, prices.Status, "%s", prices.Raw)
	require.Equal(t, sheet, buyer.get(t, path+"/files/"+prices.Data(t, "id").(string)).Raw)
	require.Equal(t, 200, buyer.post(t, path+"/provide", map[string]any{"note": "Use the red logo."}).Status)
	require.Equal(t, "in_progress", find()["state"])
	require.Equal(t, "Use the red logo.", find()["provided"].(map[string]any)["note"])
	require.Equal(t, 200, buyer.post(t, path+"/provide", map[string]any{"note": "Use the blue logo."}).Status, "a correction")
	require.Equal(t, "Use the blue logo.", find()["provided"].(map[string]any)["note"])
	asha := app.signedInAs(t, "asha@franchise360.in", staff.RoleSupport)
	row := asha.call(t, "GET", "/deliveries?search=android&state=in_progress", nil).Body["data"].([]any)[0].(map[string]any)
	opened := "/customers/" + row["customer_id"].(string) + "/deliveries/" + row["id"].(string)
	require.Equal(t, png, asha.call(t, "GET", opened+"/files/"+sent.Data(t, "id").(string), nil).Raw)
	proof := asha.call(t, "POST", opened+"/files?name=screens.png", png)
	require.Equal(t, 200, proof.Status, "%s", proof.Raw)
	require.Equal(t, true, proof.Data(t, "by_us"))
	events := asha.call(t, "GET", opened, nil).Data(t, "events").([]any)
	require.Equal(t, "Use the blue logo.", events[0].(map[string]any)["note"])
	require.Equal(t, 200, asha.call(t, "POST", opened+"/steps", map[string]any{"revision": 3, "done": []string{"Build both apps"}}).Status)
	require.Equal(t, 200, asha.call(t, "GET", "/deliveries/export?state=in_progress", nil).Status)
}
