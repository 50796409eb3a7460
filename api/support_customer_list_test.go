package main

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/staff"
)

// listed returns the mobiles of a page of customers.
func (c staffClient) listed(t *testing.T, query string) []string {
	t.Helper()
	got := c.call(t, http.MethodGet, "/customers"+query, nil)
	require.Equal(t, 200, got.Status, "%s: %s", query, got.Raw)
	mobiles := []string{}
	for _, row := range got.Body["data"].([]any) {
		mobiles = append(mobiles, row.(map[string]any)["mobile"].(string))
	}
	return mobiles
}

func TestCustomerList_EachFilter_SelectsTheMatchingCustomers(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	gateway := newPayuServer(t)
	plans := app.catalogue(t).Plans
	const visitor, monthly, yearly, late = "9876500301", "9876500302", "9876500303", "9876500304"
	app.buyer(t, visitor)
	for mobile, period := range map[string]string{monthly: "monthly", yearly: "yearly", late: "monthly"} {
		buyer := app.buyer(t, mobile)
		app.paid(t, gateway, buyer.post(t, "/subscription/payments/request", choice(plans[1].Tiers[0], period)))
	}
	_, err := app.db.Owner.Exec(`UPDATE subscriptions SET state = 'grace' WHERE franchiser_id = (SELECT id FROM franchisers WHERE mobile = $1)`, late)
	require.NoError(t, err)
	asha := app.signedInAs(t, "asha@franchise360.in", staff.RoleSupport)
	hit := asha.call(t, http.MethodGet, "/search?q="+yearly, nil).Data(t, "hits").([]any)[0].(map[string]any)
	tagged := asha.call(t, http.MethodPost, "/customers/"+hit["customer_id"].(string)+"/tags", map[string]any{"tag": "vip", "set": true})
	require.Equal(t, 200, tagged.Status, "%s", tagged.Raw)
	for _, c := range []struct {
		query string
		want  []string
	}{
		{"", []string{visitor, monthly, yearly, late}},
		{"?state=no+plan", []string{visitor}},
		{"?state=active", []string{monthly, yearly}},
		{"?state=grace&plan=" + url.QueryEscape(plans[1].Name), []string{late}},
		{"?plan=" + url.QueryEscape(plans[0].Name), []string{}},
		{"?plan=unknown", []string{}},
		{"?renews_within=40", []string{monthly, late}},
		{"?owes=true", []string{late}},
		{"?owes=false", []string{visitor, monthly, yearly, late}},
		{"?signed_up_within=1", []string{visitor, monthly, yearly, late}},
		{"?tag=vip", []string{yearly}},
		{"?tag=vi", []string{}},
		{"?sort=renewal&state=active", []string{monthly, yearly}},
	} {
		require.ElementsMatch(t, c.want, asha.listed(t, c.query), c.query)
	}
	require.Equal(t, yearly, asha.listed(t, "?sort=renewal")[2])
	for _, wrong := range []string{
		"?state=lost", "?sort=name", "?owes=perhaps", "?renews_within=0", "?renews_within=367", "?signed_up_within=x", "?after=x", "?tag=%00",
		"?sort=renewal&after=.019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50", "?per_page=101",
	} {
		require.Equal(t, 422, asha.call(t, http.MethodGet, "/customers"+wrong, nil).Status, wrong)
	}
	require.Len(t, app.signedInAs(t, "meera@franchise360.in", staff.RoleFinance).listed(t, ""), 4)
}

func TestCustomerList_NextPages_ListEachCustomerOnce(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	_, err := app.db.Owner.Exec(`INSERT INTO franchisers (id, mobile, email, password_hash, terms_version, terms_accepted_at, created_at)
		SELECT ('019ae0c2-9f00-7a11-8f00-' || lpad(n::text, 12, '0'))::uuid, (9000000000 + n)::text, n || '@example.in', '', '1', now(), now() FROM generate_series(1, 25) n`)
	require.NoError(t, err)
	asha := app.signedInAs(t, "asha@franchise360.in", staff.RoleSupport)
	var all []string
	pages := 0
	for query := ""; ; pages++ {
		got := asha.call(t, http.MethodGet, "/customers"+query, nil)
		require.Equal(t, 200, got.Status, "%s", got.Raw)
		require.EqualValues(t, 25, got.Body["total"])
		for _, row := range got.Body["data"].([]any) {
			all = append(all, row.(map[string]any)["mobile"].(string))
		}
		next, more := got.Body["next_page_url"].(string)
		if !more {
			break
		}
		_, query, _ = strings.Cut(next, "?")
		require.Contains(t, query, "after=")
		query = "?" + query
	}
	require.Equal(t, 2, pages)
	require.Len(t, all, 25)
	require.Equal(t, "9000000025", all[0])
	require.Equal(t, "9000000001", all[24])
	require.Empty(t, asha.listed(t, "?page=4"))
	_, err = app.db.Owner.Exec(`UPDATE franchisers SET erased_at = now() WHERE mobile = '9000000025'`)
	require.NoError(t, err)
	require.Equal(t, "9000000024", asha.listed(t, "")[0], "an erased customer is not listed")
}
