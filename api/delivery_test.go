package main

import (
	"testing"

	"github.com/stretchr/testify/require"
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
