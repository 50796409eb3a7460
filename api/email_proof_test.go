package main

import (
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account/profile"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// proofToken runs the worker's job for the last link, and returns its token.
func (a *testApp) proofToken(t *testing.T) string {
	t.Helper()
	var messageID string
	require.NoError(t, a.db.Owner.Get(&messageID, `SELECT id FROM customer_messages WHERE template = 'email_proof' ORDER BY created_at DESC, id DESC LIMIT 1`))
	box := &inbox{}
	outbox := message.NewOutbox(message.OutboxOptions{
		SMS: box, Site: message.Site{Host: "localhost", URL: "http://localhost"}, Clock: a.clock, Email: box,
		Logger: testkit.NewLogger(t),
	})
	sender := message.NewCustomerOutbox(message.CustomerOutboxOptions{
		DB: a.db.Worker, Clock: a.clock, Outbox: outbox, Contacts: profile.Contacts{},
		Letters: profile.Letters(a.config.Keys, "http://localhost"), Keys: a.config.Keys,
	})
	require.NoError(t, sender.Send(t.Context(), messageID))
	require.Len(t, box.messages, 1)
	found := regexp.MustCompile(`confirm-email#(\S+)`).FindStringSubmatch(box.messages[0].Text)
	require.Len(t, found, 2)
	return found[1]
}

func TestEmail_IsConfirmedByItsLink(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c, other, stranger := app.client(t), app.client(t), app.client(t)
	c.signUp(t, asha)
	require.Equal(t, "unproved", c.get(t, "/profile/details/profile").Data(t, "email_state"))
	token := app.proofToken(t)
	other.signUp(t, ravi)

	require.Equal(t, 401, stranger.post(t, "/profile/email/prove", map[string]any{"token": token}).Status)
	require.Equal(t, 401, stranger.post(t, "/profile/email/proof", nil).Status)
	a := other.post(t, "/profile/email/prove", map[string]any{"token": token})
	require.Equal(t, 400, a.Status)
	require.Equal(t, "email_proof_invalid", a.Body["code"])
	require.Equal(t, 429, c.post(t, "/profile/email/proof", nil).Status, "it was sent just now")
	app.clock.Advance(time.Minute)
	a = c.post(t, "/profile/email/proof", nil)
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	token = app.proofToken(t)

	a = c.post(t, "/profile/email/prove", map[string]any{"token": token})
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	require.Equal(t, "proved", a.Data(t, "email_state"))
	require.Equal(t, 400, c.post(t, "/profile/email/prove", map[string]any{"token": token}).Status)
	a = c.post(t, "/profile/email/proof", nil)
	require.Equal(t, 409, a.Status)
	require.Equal(t, "email_proved", a.Body["code"])
}
