package main

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/testkit"
)

func TestExportAndErasure_CoverEachDomain(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.client(t)
	franchiser := c.signUpForTrial(t, asha)
	c.openStore(t, asha, "Asha Sweets")
	require.Equal(t, 200, c.post(t, "/profile/address", office()).Status)

	stranger := app.client(t)
	require.Equal(t, 200, stranger.post(t, "/newsletter", map[string]any{"email": "asha@example.in", "consent": true, "consent_version": "2026-11"}).Status)
	require.Equal(t, 200, stranger.post(t, "/contact", written("ravi@example.in", asha)).Status)

	a := c.post(t, "/profile/export", map[string]any{"password": goodPassword, "code": strings.Repeat("a", 41)})
	require.Equal(t, 400, a.Status, "a code longer than the contract allows, of an account without an app")
	a = c.post(t, "/profile/export", map[string]any{"password": goodPassword})
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	sections, ok := a.Data(t, "sections").(map[string]any)
	require.True(t, ok)
	for _, section := range []string{"profile", "sessions", "store", "business_address", "site"} {
		require.Contains(t, sections, section)
	}
	require.Equal(t, 202, c.post(t, "/profile/erasure", map[string]any{"password": goodPassword}).Status)

	app.clock.Advance(account.ErasureDelay)
	app.erase(t)
	require.Equal(t, 401, c.get(t, "/session").Status)
	require.Equal(t, 401, c.post(t, "/refresh", nil).Status)
	require.Equal(t, 400, app.client(t).login(t, asha, goodPassword).Status)
	for _, table := range []string{"franchisers", "sessions", "tenants", "business_addresses", "one_time_codes", "subscriptions", "orders", "newsletter_consents", "contact_requests"} {
		var rows []string
		require.NoError(t, app.db.Owner.Select(&rows, `SELECT row_to_json(t)::text FROM `+table+` t`))
		for _, row := range rows {
			for _, personal := range []string{asha, "asha@example.in", "Asha", "127.0.0.1", "argon2id"} {
				require.NotContains(t, row, personal, table)
			}
		}
	}
	require.NotEqual(t, franchiser, app.client(t).signUp(t, asha), "the mobile is free")
}

// Given an account scheduled for erasure, then the session gives the date, so that no page offers a purchase, until it is
// withdrawn.
func TestSession_ErasureScheduled_NamesTheDate(t *testing.T) {
	t.Parallel()
	c := newTestApp(t).client(t)
	c.signUp(t, asha)
	eraseOn := func(a answer) any {
		t.Helper()
		user, ok := a.Data(t, "franchiser-user").(map[string]any)
		require.True(t, ok, "%s", a.Raw)
		return user["erase_on"]
	}
	require.Nil(t, eraseOn(c.get(t, "/session")))
	asked := c.post(t, "/profile/erasure", map[string]any{"password": goodPassword})
	require.Equal(t, 202, asked.Status, "%s", asked.Raw)
	require.NotNil(t, asked.Data(t, "erase_on"))
	require.Equal(t, asked.Data(t, "erase_on"), eraseOn(c.get(t, "/session")))
	require.Equal(t, asked.Data(t, "erase_on"), eraseOn(c.login(t, asha, goodPassword)))
	require.Equal(t, 200, c.do(t, "DELETE", "/profile/erasure", nil).Status)
	require.Nil(t, eraseOn(c.get(t, "/session")))
}

// Given an account scheduled for erasure, then staff see the same date as the customer, until it is withdrawn or the
// account is gone.
func TestStaff_ErasureScheduled_SeeTheDate(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c, people := app.client(t), app.signedInStaff(t)
	franchiser := c.signUp(t, asha)
	eraseOn := func() any {
		t.Helper()
		got := people.call(t, http.MethodGet, "/customers/"+franchiser, nil)
		require.Equal(t, 200, got.Status, "%s", got.Raw)
		return got.Data(t, "erase_on")
	}
	require.Nil(t, eraseOn())
	asked := c.post(t, "/profile/erasure", map[string]any{"password": goodPassword})
	require.Equal(t, 202, asked.Status, "%s", asked.Raw)
	require.Equal(t, asked.Data(t, "erase_on"), eraseOn())
	require.Equal(t, 200, c.do(t, "DELETE", "/profile/erasure", nil).Status)
	require.Nil(t, eraseOn())

	require.Equal(t, 202, c.post(t, "/profile/erasure", map[string]any{"password": goodPassword}).Status)
	app.clock.Advance(account.ErasureDelay)
	app.erase(t)
	people = app.signedInAs(t, "ravi@example.in", staff.RoleSupport)
	require.Nil(t, eraseOn(), "what is done is not to be done")
}

// written returns a contact request with the e-mail address and mobile number.
func written(email, mobile string) map[string]any {
	return map[string]any{
		"name": "Asha Kulkarni", "email": email, "mobile": mobile, "topic": "sales", "message": "Please call Asha about Growth.",
		"consent": true, "consent_version": "2026-11",
	}
}

// erase does the worker's job for accounts due for erasure.
func (a *testApp) erase(t *testing.T) {
	t.Helper()
	worker, err := app.NewWorker(t.Context(), a.config, a.connections(t, a.db.Worker), testkit.NewLogger(t))
	require.NoError(t, err)
	require.NoError(t, worker.Cleanup.EraseDue(t.Context()))
}
