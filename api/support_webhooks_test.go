package main

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/staff"
)

// Webhook endpoints over HTTP, with each response checked against the contract: an admin manages them, support reads.
func TestConnectedSystems_AreManagedByAdmins(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	admin, support := app.signedInAs(t, "ravi@example.in", staff.RoleAdmin), app.signedInAs(t, "sunita@example.in", staff.RoleSupport)
	const why = "The new ERP goes live"
	because := map[string]any{"reason": why}
	entry := map[string]any{"url": "https://erp.example.in/hooks", "description": "Orders and stock", "events": []string{"account.created"}, "reason": why}
	require.Equal(t, 403, support.call(t, http.MethodPost, "/webhooks", entry).Status)
	added := admin.call(t, http.MethodPost, "/webhooks", app.proved(entry))
	require.Equal(t, 200, added.Status, "%s", added.Raw)
	require.Regexp(t, `^whsec_`, added.Data(t, "secret"))
	at := "/webhooks/" + added.Data(t, "endpoint").(map[string]any)["id"].(string)
	require.NotContains(t, string(support.call(t, http.MethodGet, "/webhooks", nil).Raw), "whsec_", "shown once")

	entry["events"], entry["url"] = []string{}, "https://erp.example.in/#x"
	require.Equal(t, 422, admin.call(t, http.MethodPut, at, app.proved(entry)).Status)
	entry["url"] = "https://erp.example.in/other"
	require.Equal(t, 200, admin.call(t, http.MethodPut, at, app.proved(entry)).Status)
	require.NotEqual(t, added.Data(t, "secret"), admin.call(t, http.MethodPost, at+"/rotate", app.proved(because)).Data(t, "secret"))

	test := admin.call(t, http.MethodPost, at+"/test", because)
	require.Equal(t, 202, test.Status, "%s", test.Raw)
	delivery := "/webhook-deliveries/" + test.Data(t, "delivery_id").(string)
	app.client(t).signUp(t, "9876543210") // told too
	require.Len(t, support.call(t, http.MethodGet, "/webhook-deliveries?state=waiting", nil).Data(t, "deliveries"), 2)
	require.Equal(t, 200, support.call(t, http.MethodGet, delivery, nil).Status)
	require.Equal(t, 409, admin.call(t, http.MethodPost, delivery+"/resend", because).Status, "it waits")
	_, err := app.db.Owner.Exec(`UPDATE webhook_deliveries SET state = 'failed'`)
	require.NoError(t, err)
	again := admin.call(t, http.MethodPost, delivery+"/resend", because)
	require.Equal(t, 202, again.Status, "%s", again.Raw)
	for _, query := range []string{"?endpoint_id=1", "?before=x", "?state=lost"} {
		require.Equal(t, 422, support.call(t, http.MethodGet, "/webhook-deliveries"+query, nil).Status, query)
	}

	since := map[string]any{"since": "2026-01-01T00:00:00Z", "reason": why}
	require.Equal(t, 202, admin.call(t, http.MethodPost, at+"/resend", since).Status)
	require.Equal(t, 200, admin.call(t, http.MethodPost, at+"/disable", because).Status)
	require.Equal(t, 409, admin.call(t, http.MethodPost, at+"/disable", because).Status)
	require.Equal(t, 409, admin.call(t, http.MethodPost, at+"/resend", since).Status)
	require.Equal(t, 200, admin.call(t, http.MethodPost, at+"/enable", app.proved(because)).Status)
	require.Equal(t, 200, admin.call(t, http.MethodPost, at+"/remove", because).Status)
	require.Equal(t, 404, admin.call(t, http.MethodPost, at+"/enable", app.proved(because)).Status)
}
