package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/id"
)

// office returns a valid business address.
func office() map[string]any {
	return map[string]any{
		"address": "12/4, Second floor", "street": "Sunrise Towers, Block B", "landmark": "Opp. City Mall",
		"country_id": "IN", "state_id": "27", "city_id": "27-pune", "zipcode": "411001",
		"latitude": 18.5204, "longitude": 73.8567, "location": "Camp, Pune, Maharashtra 411001, India",
	}
}

func shop(mobile, name string) map[string]any {
	return map[string]any{"store_username": mobile, "store_password": goodPassword, "store_name": name, "store_type": "4"}
}

// openStore creates the client's store and returns the tenant's id.
func (c *testClient) openStore(t *testing.T, mobile, name string) string {
	t.Helper()
	a := c.post(t, "/tenant/create", shop(mobile, name))
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	made, ok := a.Data(t, "tenant").(map[string]any)
	require.True(t, ok)
	tenantID, ok := made["id"].(string)
	require.True(t, ok)
	return tenantID
}

func (c *testClient) put(t *testing.T, path string, body any) answer {
	t.Helper()
	return c.do(t, http.MethodPut, path, body)
}

func rows(t *testing.T, a answer) []any {
	t.Helper()
	list, ok := a.Body["data"].([]any)
	require.True(t, ok, "%s", a.Raw)
	return list
}

func TestFormLists_BusinessesCountriesStatesAndCities(t *testing.T) {
	t.Parallel()
	c := newTestApp(t).client(t)
	for path, want := range map[string]int{"/business": 17, "/country": 1, "/state/IN": 36} {
		a := c.get(t, path)
		require.Equal(t, 200, a.Status)
		require.Len(t, rows(t, a), want, path)
	}
	require.Greater(t, len(rows(t, c.get(t, "/city/27"))), 40)
	for _, unknown := range []string{"/state/US", "/state/%00", "/city/99", "/city/IN", "/city/27%27--"} {
		require.Equal(t, 404, c.get(t, unknown).Status, unknown)
	}
}

func TestAddress_FromSuggestionToForm(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.client(t)
	me := c.signUp(t, asha)
	require.Empty(t, rows(t, c.get(t, "/profile/address/"+me)))

	a := c.post(t, "/profile/search-address", map[string]any{"address": "koramangala bang"})
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	require.Contains(t, a.Data(t, "attribution"), "GeoNames")
	list, ok := a.Data(t, "search-suggestions").([]any)
	require.True(t, ok)
	require.NotEmpty(t, list)
	first, ok := list[0].(map[string]any)
	require.True(t, ok)
	require.Equal(t, "Koramangala, Bengaluru, Karnataka 560034", first["description"])
	a = c.post(t, "/profile/coordinates", map[string]any{"placeId": first["place_id"]})
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	require.Equal(t, []any{"IN", "29", "29-bengaluru"}, []any{a.Data(t, "country_id"), a.Data(t, "state_id"), a.Data(t, "city_id")})
	require.Equal(t, 404, c.post(t, "/profile/coordinates", map[string]any{"placeId": "nowhere"}).Status)

	in := office()
	in["gstin"], in["legal_name"] = "27AAACR5055K1Z7", "Asha Sweets Private Limited"
	a = c.post(t, "/profile/address", in)
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	saved := rows(t, c.get(t, "/profile/address/"+me))
	require.Len(t, saved, 1)
	require.Equal(t, a.Body["data"], saved[0])
	require.Equal(t, "Pune", a.Data(t, "city"))

	in["city_id"] = "Chhota Gaon"
	a = c.post(t, "/profile/address", in)
	require.Equal(t, []any{"Chhota Gaon", "Chhota Gaon"}, []any{a.Data(t, "city"), a.Data(t, "city_id")})

	in["gstin"], in["zipcode"], in["street"] = "27AAPFU0939F1ZO", "012345", "<img src=http://x>"
	a = c.post(t, "/profile/address", in)
	require.Equal(t, 422, a.Status)
	require.Len(t, a.Body["messages"], 3, "%s", a.Raw)

	in["landmark"] = 5
	a = c.post(t, "/profile/address", in)
	require.Equal(t, 400, a.Status)
	require.Contains(t, a.Body["messages"], "landmark", "a wrong type is told on its field")
}

func TestAddressSearch_IsLimitedPerSession(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c, other := app.client(t), app.client(t)
	c.signUp(t, asha)
	other.signUp(t, ravi)
	search := func(c *testClient) answer {
		return c.post(t, "/profile/search-address", map[string]any{"address": "411001"})
	}
	for i := range 60 {
		require.Equal(t, 200, search(c).Status, i)
	}
	a := search(c)
	require.Equal(t, 429, a.Status)
	require.NotEmpty(t, a.Header.Get("Retry-After"))
	require.Equal(t, 200, search(other).Status)
}

func TestCreateStore_NeedsAPlanAndWorksOnce(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.client(t)
	c.signUp(t, asha)
	a := c.get(t, "/profile/store/details")
	require.Equal(t, []any{nil, asha, ""}, []any{a.Data(t, "id"), a.Data(t, "store_username"), a.Data(t, "store_name")})
	a = c.post(t, "/tenant/create", shop(asha, "Asha Sweets"))
	require.Equal(t, 402, a.Status, "%s", a.Raw)
	require.Equal(t, "plan_required", a.Body["code"])
	require.Equal(t, "/pricing", a.Body["redirect_to"])

	trial := app.client(t)
	trial.signUpForTrial(t, ravi)
	a = trial.post(t, "/tenant/create", shop(asha, "Ravi Stores"))
	require.Equal(t, 422, a.Status, "another's mobile")
	a = trial.post(t, "/tenant/create", shop(ravi, "Ravi Stores"))
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	user, ok := a.Data(t, "franchiser-user").(map[string]any)
	require.True(t, ok)
	require.Equal(t, []any{true, "Ravi Stores", "subscription_dashboard"}, []any{user["has_store_details"], user["store_name"], user["redirect_to"]})
	a = trial.post(t, "/tenant/create", shop(ravi, "Ravi Stores"))
	require.Equal(t, []any{409, "store_exists"}, []any{a.Status, a.Body["code"]})

	for _, bad := range []string{"Ravi\tBazaar", "Ravi\nBazaar", strings.Repeat("a", 50) + " "} {
		require.Equal(t, 422, trial.post(t, "/profile/store/update", map[string]any{"store_username": ravi, "store_name": bad, "store_type": "1"}).Status, "%q", bad)
	}
	a = trial.post(t, "/profile/store/update", map[string]any{"store_username": ravi, "store_name": " Ravi  Bazaar ", "store_type": "1"})
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	a = trial.get(t, "/profile/store/details")
	require.Equal(t, []any{"Ravi Bazaar", "1", nil, true}, []any{a.Data(t, "store_name"), a.Data(t, "store_type"), a.Data(t, "password"), a.Data(t, "password_set")})
	require.NotContains(t, string(a.Raw), "argon2")
	whole := shop(ravi, "Ravi Bazaar")
	whole["current_password"] = goodPassword
	require.Equal(t, 200, trial.post(t, "/profile/store/update", whole).Status, "the whole payload, password and all")
}

func TestStoreUpdate_EmptyPassword_LeavesItUnchanged(t *testing.T) {
	t.Parallel()
	c := newTestApp(t).client(t)
	c.signUpForTrial(t, ravi)
	c.openStore(t, ravi, "AshaMart")
	in := shop(ravi, "AshaShop")
	in["store_password"] = ""
	a := c.post(t, "/profile/store/update", in)
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	require.Equal(t, "AshaShop", c.get(t, "/profile/store/details").Data(t, "store_name"))
}

func TestStore_OfAnotherTenant_IsNotFound(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c, other := app.client(t), app.client(t)
	c.signUpForTrial(t, asha)
	them := other.signUpForTrial(t, ravi)
	mine, theirs := c.openStore(t, asha, "Asha Sweets"), other.openStore(t, ravi, "Ravi Stores")
	require.Equal(t, 200, other.post(t, "/profile/address", office()).Status)
	for _, tenantID := range []string{theirs, id.New(), "1", "%00"} {
		for _, a := range []answer{
			c.get(t, "/subscription/custom-domain/"+tenantID),
			c.put(t, "/subscription/custom-domain/"+tenantID, map[string]any{"custom_domain": "shop.asha.in"}),
			c.do(t, http.MethodDelete, "/subscription/custom-domain/"+tenantID, nil),
			c.put(t, "/subscription/password/update/"+tenantID, map[string]any{"password": "Stolen#2026"}),
		} {
			require.Equal(t, 404, a.Status, "%s", a.Raw)
			require.Equal(t, "not_found", a.Body["code"])
		}
	}
	for _, addressID := range []string{them, id.New()} {
		require.Equal(t, 404, c.get(t, "/profile/address/"+addressID).Status)
	}
	var changed int
	require.NoError(t, app.db.Owner.Get(&changed, `SELECT count(*) FROM custom_domains`))
	require.Zero(t, changed)
	require.Equal(t, 200, c.put(t, "/subscription/password/update/"+mine, map[string]any{"password": "Own#20261", "current_password": goodPassword}).Status)
	a := c.put(t, "/subscription/password/update/"+mine, map[string]any{"password": strings.Repeat("x", 41)})
	require.Equal(t, 422, a.Status)
}

func TestCustomDomain_SetShowsItsRecords(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.client(t)
	c.signUpForTrial(t, asha)
	path := "/subscription/custom-domain/" + c.openStore(t, asha, "Asha Sweets")
	a := c.get(t, path)
	require.Equal(t, []any{nil, "none"}, []any{a.Data(t, "custom_domain"), a.Data(t, "state")})
	for _, bad := range []string{
		"", "127.0.0.1", "localhost", "x.franchise360.localhost", "a.in:80", "a@b.in", "аsha.in", "a\u0000.in", strings.Repeat("a", 41) + ".in",
	} {
		a := c.put(t, path, map[string]any{"custom_domain": bad})
		require.Contains(t, []int{400, 422}, a.Status, "%q", bad)
	}
	a = c.put(t, path, map[string]any{"custom_domain": "Shop.AshaSweets.in"})
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	require.Equal(t, "pending", a.Data(t, "state"))
	records, ok := a.Data(t, "records").([]any)
	require.True(t, ok)
	require.Len(t, records, 2)
	var waiting int
	require.NoError(t, app.db.Owner.Get(&waiting, `SELECT count(*) FROM river_job WHERE kind = 'verify_domain'`))
	require.Equal(t, 1, waiting)
	require.Equal(t, 200, c.do(t, http.MethodDelete, path, nil).Status)
	require.Equal(t, 409, c.do(t, http.MethodDelete, path, nil).Status)
}

func TestTLSAsk_OtherHosts_AreRefused(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.client(t)
	c.signUpForTrial(t, asha)
	c.openStore(t, asha, "Asha Sweets")
	for query, want := range map[string]int{
		"?domain=localhost": 200, "?domain=asha-sweets.franchise360.localhost": 200, "?domain=nobody.franchise360.localhost": 404,
		"?domain=evil.example": 404, "": 400, "?domain=" + strings.Repeat("a", 300): 400, "?domain=%00.in": 400,
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, app.server.URL+"/tls/ask"+query, nil)
		require.NoError(t, err)
		w := httptest.NewRecorder()
		app.ask.ServeHTTP(w, r)
		require.Equal(t, want, w.Code, query)
	}
	for _, host := range []string{"localhost", "asha-sweets.franchise360.localhost", "shop.example.in"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, app.server.URL+"/tls/ask?domain=localhost", nil)
		require.NoError(t, err)
		r.Host = host
		resp, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.NotEqual(t, http.StatusOK, resp.StatusCode, "the public port tells nobody: %s", host)
	}
}

// Given the limits of a live system, then invalid submissions do not count, and a visitor who has used up an address's subscriptions may
// still withdraw.
func TestForms_InvalidSubmissions_DoNotCount(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	app.config.LiveLimits = true
	app.start(t)
	c := app.client(t)
	in := map[string]any{"email": "asha@example.in", "consent": true, "consent_version": "2026-11"}
	for range 12 {
		require.Equal(t, 422, c.post(t, "/newsletter", map[string]any{"email": "asha", "consent": true, "consent_version": "1"}).Status)
		require.Equal(t, 422, c.post(t, "/newsletter/unsubscribe", map[string]any{"email": "asha"}).Status)
		require.Equal(t, 422, c.post(t, "/contact", map[string]any{
			"name": "A", "email": "asha", "topic": "sales", "message": "Hi", "consent": true, "consent_version": "1",
		}).Status)
	}
	for range 10 {
		require.Equal(t, 200, c.post(t, "/newsletter", in).Status)
	}
	require.Equal(t, 429, c.post(t, "/newsletter", in).Status)
	for range 10 {
		require.Equal(t, 200, c.post(t, "/newsletter/unsubscribe", map[string]any{"email": "asha@example.in"}).Status)
	}
	require.Equal(t, 429, c.post(t, "/newsletter/unsubscribe", map[string]any{"email": "asha@example.in"}).Status)
}

func TestNewsletterAndContact_AreStoredAndLimited(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	app.config.LiveLimits = true
	app.start(t)
	c := app.client(t)
	in := map[string]any{"email": "asha@example.in", "consent": true, "consent_version": "2026-11"}
	first := c.post(t, "/newsletter", in)
	require.Equal(t, 200, first.Status, "%s", first.Raw)
	require.Equal(t, first.Raw, c.post(t, "/newsletter", in).Raw, "known and unknown addresses are answered alike")
	require.Equal(t, 404, c.post(t, "/newsletter/confirm", map[string]any{"token": strings.Repeat("A", 38)}).Status)
	known := c.post(t, "/newsletter/unsubscribe", map[string]any{"email": "asha@example.in"})
	unknown := c.post(t, "/newsletter/unsubscribe", map[string]any{"email": "nobody@example.in"})
	require.Equal(t, known.Raw, unknown.Raw)
	in["consent"] = false
	a := c.post(t, "/newsletter", in)
	require.Equal(t, 422, a.Status)

	letter := map[string]any{
		"name": "Asha", "email": "asha@example.in", "topic": "sales", "message": "We run twelve bakeries.",
		"consent": true, "consent_version": "2026-11",
	}
	for i := range 5 {
		a := c.post(t, "/contact", letter)
		require.Equal(t, 200, a.Status, fmt.Sprint(i, string(a.Raw)))
	}
	a = c.post(t, "/contact", letter)
	require.Equal(t, 429, a.Status)
	require.NotEmpty(t, a.Header.Get("Retry-After"))
	var kept int
	require.NoError(t, app.db.Owner.Get(&kept, `SELECT count(*) FROM contact_requests WHERE state = 'open' AND consent_version = '2026-11'`))
	require.Equal(t, 5, kept)
}
