package main

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account/profile"
	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// reminded notes the reminders that are due, does the job of the newest by e-mail, and returns the mail.
func (a *testApp) reminded(t *testing.T) message.Message {
	t.Helper()
	shared := a.working(t, a.config)
	_, err := shared.Subscriptions.Remind(t.Context())
	require.NoError(t, err)
	a.db.Owner.MustExec(`UPDATE franchisers SET email_proved_at = created_at`)
	var row string
	require.NoError(t, a.db.Owner.Get(&row, `SELECT id FROM customer_messages WHERE template = 'renewal_email' ORDER BY created_at DESC, id DESC LIMIT 1`))
	box := &inbox{}
	outbox := message.NewOutbox(message.OutboxOptions{
		SMS: box, Site: message.Site{Host: "localhost", URL: "http://localhost:8080"}, Clock: a.clock, Email: box,
		Logger: testkit.NewLogger(t),
	})
	letters := app.CustomerLetters(app.LetterParts{
		Providers: app.Gateways().Providers(),
		DB:        a.db.Worker, Clock: a.clock, Keys: a.config.Keys, Documents: shared.Documents, Subscriptions: shared.Subscriptions, Site: "http://localhost:8080",
	})
	sender := message.NewCustomerOutbox(message.CustomerOutboxOptions{
		DB: a.db.Worker, Clock: a.clock, Outbox: outbox, Contacts: profile.Contacts{}, Letters: letters, Keys: a.config.Keys,
	})
	require.NoError(t, sender.Send(t.Context(), row))
	require.Len(t, box.messages, 1)
	return box.messages[0]
}

// Given a reminder, then a stranger who has its link pays the renewal and comes back to the link, and reads nothing else.
func TestPayLink_ByAStranger_PaysTheRenewalOnly(t *testing.T) {
	t.Parallel()
	a := newTestApp(t)
	gateway := newPayuServer(t)
	owner := a.buyer(t, asha)
	a.bought(t, owner, gateway)
	var renewOn time.Time
	require.NoError(t, a.db.Owner.Get(&renewOn, `SELECT renew_on FROM subscriptions`))
	a.clock.Set(renewOn.Add(-3 * 24 * time.Hour).Add(6 * time.Hour))
	mail := a.reminded(t)
	code := regexp.MustCompile(`/p/([A-Za-z0-9_-]{38})`).FindStringSubmatch(mail.Text)[1]

	stranger := a.client(t)
	seen := stranger.get(t, "/pay-links/"+code)
	require.Equal(t, 200, seen.Status, "%s", seen.Raw)
	require.Equal(t, "open", seen.Data(t, "state"))
	renewal, ok := seen.Data(t, "renewal").(map[string]any)
	require.True(t, ok)
	for _, secret := range []string{asha, "Asha Sweets", "MG Road", "Karnataka", "CGST", "@example"} {
		require.NotContains(t, string(seen.Raw), secret)
	}
	require.Contains(t, string(seen.Raw), "GST 18%")
	require.Equal(t, 404, stranger.get(t, "/pay-links/"+strings.Repeat("A", 38)).Status)
	require.Equal(t, 401, stranger.get(t, "/subscription/dashboard").Status, "the link opens nothing else")
	require.Equal(t, 422, stranger.post(t, "/pay-links/"+code+"/request", map[string]any{"expected_total": 1, "mobile": "12"}).Status)
	require.Equal(t, 422, stranger.post(t, "/pay-links/"+code+"/request", map[string]any{"expected_total": -1, "mobile": ravi}).Status)
	require.Equal(t, 409, stranger.post(t, "/pay-links/"+code+"/request", map[string]any{"expected_total": 1, "mobile": ravi}).Status)
	asked := stranger.post(t, "/pay-links/"+code+"/request", map[string]any{"expected_total": renewal["expected_total"], "mobile": ravi})
	require.Equal(t, 200, asked.Status, "%s", asked.Raw)
	form, ok := asked.Data(t, "gateway_details").(map[string]any)
	require.True(t, ok)
	require.NotContains(t, string(asked.Raw), asha)
	require.Equal(t, ravi, form["phone"])
	back, err := url.Parse(form["surl"].(string))
	require.NoError(t, err)
	require.Equal(t, "link="+code, back.RawQuery)

	txn := form["txnid"].(string)
	gateway.captured(txn, form["amount"].(string))
	came := stranger.do(t, http.MethodPost, "/payments/callback?"+back.RawQuery, a.returned(form, "success"), "Origin", "https://test.payu.in", "Sec-Fetch-Site", "cross-site")
	require.Equal(t, 303, came.Status, "%s", came.Raw)
	require.Equal(t, "/p/"+code+"?transaction_id="+txn, came.Header.Get("Location"))
	require.Equal(t, "confirming", stranger.get(t, "/pay-links/"+code+"?transaction_id="+txn).Data(t, "state"))
	var kept int
	require.NoError(t, a.db.Owner.Get(&kept, `SELECT count(*) FROM payment_events WHERE fields::text LIKE '%' || $1 || '%'`, code))
	require.Zero(t, kept, "the link is not kept with the notice")
	gateway.work(t, a)
	paid := stranger.get(t, "/pay-links/"+code+"?transaction_id="+txn)
	require.Equal(t, "paid", paid.Data(t, "state"))
	require.Nil(t, paid.Data(t, "renewal"))
	require.Equal(t, 409, stranger.post(t, "/pay-links/"+code+"/request", map[string]any{"expected_total": renewal["expected_total"], "mobile": ravi}).Status)

	// an address that is not a link's is not followed
	elsewhere := stranger.do(t, http.MethodPost, "/payments/callback?link="+url.QueryEscape("//evil.example/"+code[15:]), a.returned(form, "success"))
	require.Equal(t, "/checkout/result/success?transaction_id="+txn, elsewhere.Header.Get("Location"))
}

func TestNotificationsAndPreferences_OverTheAPI(t *testing.T) {
	t.Parallel()
	a := newTestApp(t)
	gateway := newPayuServer(t)
	owner, other := a.buyer(t, asha), a.client(t)
	other.signUp(t, ravi)
	a.bought(t, owner, gateway)
	var renewOn time.Time
	require.NoError(t, a.db.Owner.Get(&renewOn, `SELECT renew_on FROM subscriptions`))
	a.clock.Set(renewOn.Add(-3 * 24 * time.Hour).Add(6 * time.Hour))
	mail := a.reminded(t)
	owner.login(t, asha, goodPassword)

	list := owner.get(t, "/notifications")
	require.Equal(t, 200, list.Status, "%s", list.Raw)
	rows, ok := list.Data(t, "notifications").([]any)
	require.True(t, ok)
	require.Len(t, rows, 2, "%s", list.Raw)
	first := rows[0].(map[string]any)
	require.Contains(t, first["title"], "ends on")
	require.Equal(t, "/subscription_list", first["link"])
	require.NotContains(t, string(list.Raw), "/p/", "no link with a secret")
	require.Contains(t, rows[1].(map[string]any)["title"], "We received your payment of ₹")
	require.InDelta(t, 2, owner.get(t, "/notifications/unread").Data(t, "unread"), 0)
	require.Equal(t, 422, owner.get(t, "/notifications?after=x").Status)
	require.Equal(t, 422, owner.post(t, "/notifications/read", map[string]any{"ids": []string{"x"}}).Status)
	other.login(t, ravi, goodPassword)
	require.Equal(t, 200, other.post(t, "/notifications/read", map[string]any{"ids": []any{first["id"]}}).Status)
	require.InDelta(t, 2, owner.get(t, "/notifications/unread").Data(t, "unread"), 0, "read by its own customer alone")
	require.InDelta(t, 1, owner.post(t, "/notifications/read", map[string]any{"ids": []any{first["id"]}}).Data(t, "unread"), 0)
	require.InDelta(t, 0, owner.post(t, "/notifications/read", map[string]any{"up_to": list.Data(t, "newest")}).Data(t, "unread"), 0)
	require.Equal(t, 401, a.client(t).get(t, "/notifications").Status)

	// one click of a mailbox: a form from elsewhere, without cookies
	stop := strings.TrimPrefix(mail.StopURL, "http://localhost:8080/api/franchise")
	// a mailbox that knows of no click opens the address: it is led to our page, and opening changes nothing
	opened := a.client(t).get(t, stop)
	require.Equal(t, 303, opened.Status, "%s", opened.Raw)
	require.Equal(t, "/stop-reminders/"+mail.Unsubscribe, opened.Header.Get("Location"))
	require.Equal(t, 404, a.client(t).get(t, stop+"A").Status)
	require.Equal(t, 404, a.client(t).get(t, "/reminders/stop/.evil.example."+mail.Unsubscribe[14:]).Status)
	require.Equal(t, true, owner.get(t, "/message-preferences").Data(t, "reminders_email"))
	require.Equal(t, 404, a.client(t).do(t, http.MethodPost, stop+"A", url.Values{"List-Unsubscribe": {"One-Click"}}).Status)
	done := a.client(t).do(t, http.MethodPost, stop, url.Values{"List-Unsubscribe": {"One-Click"}}, "Origin", "https://mail.example", "Sec-Fetch-Site", "cross-site")
	require.Equal(t, 200, done.Status, "%s", done.Raw)
	require.Equal(t, false, owner.get(t, "/message-preferences").Data(t, "reminders_email"))
	require.Equal(t, true, other.get(t, "/message-preferences").Data(t, "reminders_email"))
	require.Equal(t, 422, owner.put(t, "/message-preferences", map[string]any{"reminders_sms": true}).Status)
	set := owner.put(t, "/message-preferences", map[string]any{"reminders_sms": true, "reminders_email": true})
	require.Equal(t, true, set.Data(t, "reminders_email"))
}
