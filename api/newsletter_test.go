package main

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/contact"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/testkit"
)

func TestNewsletter_ByLinks_StartsAndEndsWithoutASession(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c, stranger := app.client(t), app.client(t)
	require.Equal(t, 200, stranger.post(t, "/newsletter", map[string]any{"email": "asha@example.in", "consent": true, "consent_version": "2026-11"}).Status)
	var letter string
	require.NoError(t, app.db.Owner.Get(&letter, `SELECT args ->> 'letter_id' FROM river_job WHERE kind = 'send_newsletter_link'`))
	box := &inbox{}
	outbox := message.NewOutbox(message.OutboxOptions{
		SMS: box, Site: message.Site{Host: "localhost", URL: "http://localhost"}, Clock: app.clock, Email: box,
		Logger: testkit.NewLogger(t),
	})
	require.NoError(t, contact.NewNewsletterSender(app.db.Worker, outbox, app.clock, app.config.Keys, "http://localhost").Send(t.Context(), letter))
	found := regexp.MustCompile(`newsletter/confirm#(\S+)`).FindStringSubmatch(box.messages[0].Text)
	require.Len(t, found, 2)
	listed := func() []contact.Subscriber {
		list, err := contact.Subscribers(t.Context(), app.db.Owner)
		require.NoError(t, err)
		return list
	}
	require.Empty(t, listed())
	confirmed := c.post(t, "/newsletter/confirm", map[string]any{"token": found[1]})
	require.Equal(t, 200, confirmed.Status, "%s", confirmed.Raw)
	require.Len(t, listed(), 1)
	known := stranger.post(t, "/newsletter/unsubscribe", map[string]any{"email": "asha@example.in"})
	require.Equal(t, known.Raw, stranger.post(t, "/newsletter/unsubscribe", map[string]any{"email": "nobody@example.in"}).Raw)
	require.Len(t, listed(), 1, "an address alone ends nothing")

	page, call, err := listed()[0].Links(app.config.Keys, "")
	require.NoError(t, err)
	call = strings.TrimPrefix(call, "/api/franchise")
	opened := c.get(t, call)
	require.Equal(t, 303, opened.Status, "%s", opened.Raw)
	require.Equal(t, page, opened.Header.Get("Location"))
	require.Equal(t, 404, c.get(t, call[:len(call)-1]+"!").Status)
	require.Len(t, listed(), 1, "opening ends nothing")
	click := url.Values{"List-Unsubscribe": {"One-Click"}}
	require.Equal(t, 404, c.do(t, http.MethodPost, call+"A", click).Status)
	for range 2 {
		left := c.do(t, http.MethodPost, call, click, "Origin", "https://mail.example", "Sec-Fetch-Site", "cross-site")
		require.Equal(t, 200, left.Status, "%s", left.Raw)
	}
	require.Empty(t, listed())
}
