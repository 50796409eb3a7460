package main

import (
	"maps"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/staff"
)

// Given the open session of an admin, when something is made that outlives it, then the password and an unused code are needed.
func TestLastingAccess_WithoutPasswordAndCode_IsRefused(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	admin := app.signedInAs(t, "ravi@example.in", staff.RoleAdmin)
	key := map[string]any{"label": "ERP", "scopes": []string{"entitlements:read"}, "reason": "The new ERP goes live"}
	system := map[string]any{
		"label": "Orders", "login_url": "https://erp.example.in/in", "redirect_uris": []string{"https://erp.example.in/back"}, "dashboard": false,
		"reason": "The new ERP goes live",
	}
	because := map[string]any{"reason": "She joins the team"}
	added := admin.call(t, http.MethodPost, "/sign-in-systems", app.proved(system))
	require.Equal(t, 200, added.Status, "%s", added.Raw)
	at := "/sign-in-systems/" + added.Data(t, "system").(map[string]any)["id"].(string)
	invited := admin.call(t, http.MethodPost, "/staff-invitations", app.proved(map[string]any{
		"email": "first@example.in", "name": "First", "role": "admin", "reason": "She joins the team",
	}))
	require.Equal(t, 200, invited.Status, "%s", invited.Raw)
	open := admin.call(t, http.MethodGet, "/staff", nil).Data(t, "invitations").([]any)[0].(map[string]any)["id"].(string)
	for _, one := range []struct {
		method, path string
		body         map[string]any
	}{
		{http.MethodPost, "/api-keys", key},
		{http.MethodPost, "/sign-in-systems", system},
		{http.MethodPut, at, system},
		{http.MethodPost, at + "/rotate", because},
		{http.MethodPost, "/staff-invitations", map[string]any{"email": "priya@example.in", "name": "Priya", "role": "admin", "reason": "She joins the team"}},
		{http.MethodPost, "/staff-invitations/" + open + "/resend", because},
	} {
		refused := func(body map[string]any, fields ...string) {
			t.Helper()
			got := admin.call(t, one.method, one.path, body)
			require.Equal(t, 422, got.Status, "%s %s: %s", one.method, one.path, got.Raw)
			said, _ := got.Body["messages"].(map[string]any)
			require.Equal(t, fields, slices.Sorted(maps.Keys(said)), one.path)
		}
		with := func(password, code string) map[string]any {
			body := maps.Clone(one.body)
			body["current_password"], body["current_code"] = password, code
			return body
		}
		refused(one.body, "current_code", "current_password")
		app.clock.Advance(time.Minute)
		code := app.staffCode()
		refused(with("Mango#2026#Bush", code), "current_password")
		refused(with(staffPassword, "000000"), "current_code")
		got := admin.call(t, one.method, one.path, with(staffPassword, code))
		require.Equal(t, 200, got.Status, "%s", got.Raw)
		refused(with(staffPassword, code), "current_code")
	}
	require.Equal(t, 2, app.count(t, `SELECT count(*) FROM sign_in_systems`))
	require.Equal(t, 1, app.count(t, `SELECT count(*) FROM api_keys`))
}

// Given a thief with the open session of an admin, when codes are tried at what outlives the session, then the tries are limited.
func TestLastingAccess_ManyWrongCodes_AreLimited(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	admin := app.signedInAs(t, "ravi@example.in", staff.RoleAdmin)
	body := map[string]any{
		"label": "ERP", "scopes": []string{"entitlements:read"}, "reason": "The new ERP goes live",
		"current_password": staffPassword, "current_code": "000000",
	}
	var statuses []int
	for range 31 {
		statuses = append(statuses, admin.call(t, http.MethodPost, "/api-keys", body).Status)
	}
	require.Equal(t, 422, statuses[0])
	require.Equal(t, 429, statuses[30])
	require.Zero(t, app.count(t, `SELECT count(*) FROM api_keys`))
}
