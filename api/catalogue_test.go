package main

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/staff"
)

// Given a customer, then a dearer catalogue names who would pay more, is approved by a second admin, applied at its time,
// and not a second before.
func TestStaffChangeTheCatalogue(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.buyer(t, "9876500079")
	txn := app.bought(t, c, newPayuServer(t))
	franchiser, _ := app.paidBy(t, txn)
	asha, ravi := app.signedInAs(t, "asha@example.in", staff.RoleAdmin), app.signedInAs(t, "ravi@example.in", staff.RoleAdmin)
	call := func(who staffClient, method, path string, body any, status int) answer {
		t.Helper()
		got := who.call(t, method, "/catalogue"+path, body)
		require.Equal(t, status, got.Status, "%s %s: %s", method, path, got.Raw)
		return got
	}
	sold := call(asha, http.MethodGet, "", nil, 200)
	require.InDelta(t, 1, sold.Data(t, "revision"), 0)
	draft := call(asha, http.MethodPost, "/changes", map[string]any{}, 200)
	path := "/changes/" + draft.Data(t, "id").(string)
	catalogue := draft.Data(t, "catalogue").(map[string]any)
	catalogue["version"] = "2026-12"
	for _, p := range catalogue["plans"].([]any) {
		for _, s := range p.(map[string]any)["services"].([]any) {
			tier := s.(map[string]any)
			for _, price := range []string{"monthly_paise", "yearly_paise", "all_in_yearly_paise"} {
				tier[price] = tier[price].(float64) * 11 / 10
			}
			all := tier["yearly_paise"].(float64)
			for _, a := range tier["add_ons"].([]any) {
				if a.(map[string]any)["key"] != plan.KeyFranchiseExtension {
					all += a.(map[string]any)["yearly_paise"].(float64)
				}
			}
			tier["all_in_yearly_paise"] = all
		}
	}
	saved := call(asha, http.MethodPost, path+"/save", map[string]any{"edit": 1, "catalogue": catalogue}, 200)
	require.Empty(t, saved.Data(t, "problems"))
	call(asha, http.MethodPost, path+"/save", map[string]any{"edit": 1, "catalogue": catalogue}, 409)
	call(asha, http.MethodPost, path+"/rebase", map[string]any{"edit": 2}, 200)
	effect := call(ravi, http.MethodGet, path+"/effect", nil, 200)
	require.Equal(t, []any{1., 1., false}, []any{effect.Data(t, "customers"), effect.Data(t, "affected"), effect.Data(t, "tax_changes")})
	row := effect.Data(t, "renewals").([]any)[0].(map[string]any)
	require.Equal(t, franchiser, row["customer_id"])
	require.Greater(t, row["total_after_paise"], row["total_before_paise"])

	from := app.clock.Now().Add(48 * time.Hour).UTC().Truncate(time.Second)
	proposal := map[string]any{"edit": 2, "effective_from": from.Format(time.RFC3339), "reason": "Costs rose"}
	call(asha, http.MethodPost, path+"/propose", proposal, 200)
	decide := func(who staffClient, what string, status int) answer {
		t.Helper()
		return call(who, http.MethodPost, path+"/decision", map[string]any{"decision": what, "reason": "Looked at it"}, status)
	}
	require.Equal(t, "catalogue_own_change", decide(asha, "approve", 409).Body["code"])
	require.Equal(t, "approved", decide(ravi, "approve", 200).Data(t, "state"))
	require.InDelta(t, 1, call(ravi, http.MethodGet, "/changes", nil, 200).Body["total"], 0)

	applier := plan.NewApplier(app.db.Worker, app.clock)
	app.clock.Set(from.Add(-time.Second))
	done, err := applier.Apply(t.Context())
	require.NoError(t, err)
	require.Zero(t, done)
	app.clock.Set(from)
	done, err = applier.Apply(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, done)
	asha = app.signedInAs(t, "meera@example.in", staff.RoleAdmin)
	require.Equal(t, "applied", call(asha, http.MethodGet, path, nil, 200).Data(t, "state"))
	require.InDelta(t, 2, call(asha, http.MethodGet, "", nil, 200).Data(t, "revision"), 0)
}

// Given an announcement to visitors, then they are answered with it and customers are not; nobody reads it once it has ended.
func TestAnnouncement_EachAudience_SeesOnlyItsOwn(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	admin := app.signedInAs(t, "asha@example.in", staff.RoleAdmin)
	visitor, customer := app.client(t), app.client(t)
	customer.signUp(t, "9876543210")
	told := func(c *testClient) any {
		t.Helper()
		got := c.get(t, "/announcement")
		require.Equal(t, 200, got.Status, "%s", got.Raw)
		require.Equal(t, map[bool]string{true: "private, max-age=60", false: "public, max-age=60"}[c == customer], got.Header.Get("Cache-Control"))
		require.Contains(t, got.Header.Get("Vary"), "Cookie")
		return got.Data(t, "announcement")
	}
	require.Nil(t, told(visitor))
	now := app.clock.Now().UTC()
	body := map[string]any{
		"texts": map[string]any{"en": "We are closed tomorrow.", "hi": "हम कल बंद हैं।"}, "link": "/helpcenter", "level": "info", "audience": "public",
		"starts_at": now.Format(time.RFC3339), "ends_at": now.Add(time.Hour).Format(time.RFC3339), "reason": "A holiday",
	}
	got := admin.call(t, http.MethodPost, "/announcements", body)
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	path := "/announcements/" + got.Data(t, "id").(string)
	require.Equal(t, body["texts"], told(visitor).(map[string]any)["texts"])
	require.Nil(t, told(customer))
	body["audience"] = "both"
	require.Equal(t, 200, admin.call(t, http.MethodPost, path, body).Status)
	require.InDelta(t, 2, told(customer).(map[string]any)["revision"], 0)
	require.Equal(t, 200, admin.call(t, http.MethodGet, "/announcements", nil).Status)
	require.Equal(t, 200, admin.call(t, http.MethodPost, path+"/end", map[string]any{"reason": "It is over"}).Status)
	require.Nil(t, told(visitor))
}
