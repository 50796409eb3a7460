package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/staff"
)

// requestID returns the request id in the response.
func (a answer) requestID(t *testing.T) string {
	t.Helper()
	given := a.Header.Get("X-Request-Id")
	require.True(t, id.Valid(given), "%q", given)
	return given
}

// entry returns the customer's newest entry whose title has the prefix.
func (c staffClient) entry(t *testing.T, customerID, title string) map[string]any {
	t.Helper()
	page := c.call(t, http.MethodGet, "/customers/"+customerID+"/timeline?limit=100", nil)
	require.Equal(t, 200, page.Status, "%s", page.Raw)
	entries, _ := page.Data(t, "entries").([]any)
	for _, e := range entries {
		if entry, _ := e.(map[string]any); strings.HasPrefix(fmt.Sprint(entry["title"]), title) {
			return entry
		}
	}
	return nil
}

func TestTimeline_Entry_HasActorAndRequestID(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	gateway := newPayuServer(t)
	people := app.signedInAs(t, "sunita@example.in", staff.RoleSupport)
	c := app.buyer(t, "9876500002")
	user, _ := c.get(t, "/session").Data(t, "franchiser-user").(map[string]any)
	asha, _ := user["franchiser_id"].(string)

	bought := c.post(t, "/subscription/payments/request", choice(app.catalogue(t).Plans[0].Tiers[0], "yearly"))
	require.Equal(t, 200, bought.Status, "%s", bought.Raw)
	form, _ := bought.Data(t, "gateway_details").(map[string]any)
	txn, _ := form["txnid"].(string)
	gateway.captured(txn, "159300.00")
	back := app.client(t).do(t, http.MethodPost, "/payments/callback", app.returned(form, "success"),
		"Origin", "https://test.payu.in", "Sec-Fetch-Site", "cross-site")
	require.Equal(t, 303, back.Status, "%s", back.Raw)
	notice := app.client(t).do(t, http.MethodPost, "/payments/webhook/payu", app.returned(form, "success"))
	require.Equal(t, 200, notice.Status)
	var jobs []struct{ ID, Request string }
	require.NoError(t, app.db.Owner.Select(&jobs, `SELECT id::text, metadata ->> 'request_id' AS request FROM river_job WHERE kind = 'verify_payment' ORDER BY river_job.id`))
	gateway.work(t, app)
	refused := app.client(t).login(t, "9876500002", "Wrong#2026")
	require.Equal(t, 400, refused.Status)
	require.Equal(t, refused.requestID(t), refused.Body["request_id"], "what the customer reads out is what the timeline shows")
	opened := people.call(t, http.MethodGet, "/customers/"+asha, nil)
	ended := people.act(t, "/customers/"+asha+"/sessions/end", map[string]any{"reason": "Lost phone"})
	require.Equal(t, 200, ended.Status, "%s", ended.Raw)
	require.Eventually(t, func() bool { return people.entry(t, asha, "Sign-in failed") != nil }, time.Minute, 20*time.Millisecond)

	for title, want := range map[string]struct{ actor, request string }{
		"Order, new":                     {"customer", bought.requestID(t)},
		"Payment begun":                  {"customer", bought.requestID(t)},
		"The customer came back":         {"customer", back.requestID(t)},
		"The gateway told us":            {"gateway", notice.requestID(t)},
		"We asked the gateway":           {"system", ""},
		"Payment paid":                   {"gateway", ""},
		"Invoice FP/":                    {"system", ""},
		"Plan: new":                      {"system", ""},
		"Sign-in failed: wrong password": {"visitor", refused.requestID(t)},
		"open_customer":                  {"Sunita", opened.requestID(t)},
		"end_sessions":                   {"Sunita", ended.requestID(t)},
		"Signed out: staff":              {"Sunita", ended.requestID(t)},
	} {
		entry := people.entry(t, asha, title)
		require.NotNil(t, entry, title)
		require.Equal(t, want.actor, entry["actor"], title)
		require.Equal(t, want.request, entry["request_id"], title)
	}
	for title, actor := range map[string]string{"Account created": "customer", "Signed in": "customer", "Code by SMS": "visitor"} {
		entry := people.entry(t, asha, title)
		require.Equal(t, actor, entry["actor"], title)
		require.True(t, id.Valid(fmt.Sprint(entry["request_id"])), title)
	}

	require.GreaterOrEqual(t, len(jobs), 2)
	require.Equal(t, bought.requestID(t), jobs[0].Request, "the job that follows a payment up came with it")
	require.Contains(t, []string{back.requestID(t), notice.requestID(t)}, jobs[1].Request)
	one := people.call(t, http.MethodGet, "/jobs/"+jobs[0].ID, nil)
	require.Equal(t, bought.requestID(t), one.Data(t, "request_id"), "%s", one.Raw)
	_, err := app.db.Worker.Exec(`DELETE FROM river_job WHERE id = $1`, jobs[0].ID)
	require.NoError(t, err)
	one = people.call(t, http.MethodGet, "/jobs/"+jobs[0].ID, nil)
	require.Equal(t, bought.requestID(t), one.Data(t, "request_id"), "its outcome keeps it: %s", one.Raw)
	kept := people.call(t, http.MethodGet, "/customers/"+asha+"/timeline/job."+jobs[0].ID, nil)
	require.Equal(t, bought.requestID(t), kept.Data(t, "request_id"))
	require.Equal(t, "system", kept.Data(t, "actor"))

	trail := people.call(t, http.MethodGet, "/audit?action=end_sessions", nil)
	records, _ := trail.Data(t, "records").([]any)
	require.Len(t, records, 1)
	require.Equal(t, ended.requestID(t), records[0].(map[string]any)["request_id"])
}
