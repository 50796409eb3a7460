package support_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/testkit/console"
	"github.com/franchise360/franchise360/pkg/timeline"
)

// Given a code that its provider accepted, refused, delivered or could not deliver, then the customer's timeline and
// health say so, with the provider and its own error code.
func TestTimeline_SMS_ShowsItsDelivery(t *testing.T) {
	t.Parallel()
	b := setup(t)
	asha := console.Customer(t, b.DB, b.clock, "9876543210", "Asha", "Rao")
	codeID := console.Note(t, b.DB, b.clock, "9876543210", asha)
	exec := func(query string, args ...any) {
		t.Helper()
		_, err := b.DB.Owner.Exec(query, args...)
		require.NoError(t, err)
	}
	exec(`UPDATE one_time_codes SET sent_at = NULL, used_at = NULL, send_error = 'sms_refused' WHERE id = $1`, codeID)
	exec(`INSERT INTO sms_deliveries (message_ref, provider, template, state, code, unconfirmed, tried_at) VALUES ($1, 'twilio', 'otp', 'refused', '21211', 0, $2)`, codeID, b.clock.Now())
	entry := func() timeline.Entry {
		t.Helper()
		page, err := b.timeline.Read(t.Context(), timeline.Query{FranchiserID: asha, Kinds: []timeline.Kind{"code"}})
		require.NoError(t, err)
		require.Len(t, page.Entries, 1)
		return page.Entries[0]
	}
	health := func() string {
		t.Helper()
		c, err := b.customers.Customer(b.Sunita.Sign(t.Context()), b.Sunita, asha)
		require.NoError(t, err)
		text := ""
		for _, h := range b.customers.Health(b.Sunita.Role, c) {
			text += h.Text
		}
		return text
	}
	e := entry()
	require.Equal(t, "failed", e.Status)
	require.Equal(t, "the SMS provider refuses this number", e.Details["error"])
	require.Equal(t, "twilio", e.Details["provider"])
	require.Equal(t, "21211", e.Details["provider_error"])
	require.Contains(t, health(), "the SMS provider refuses this number (twilio 21211)")

	exec(`UPDATE one_time_codes SET sent_at = created_at, send_error = NULL WHERE id = $1`, codeID)
	exec(`INSERT INTO sms_deliveries (message_ref, provider, template, state, unconfirmed, tried_at) VALUES ($1, 'msg91', 'otp', 'accepted', 0, $2)`, codeID, b.clock.Now().Add(time.Second))
	require.Equal(t, "sent", entry().Status)
	require.Equal(t, "msg91", entry().Details["provider"])
	require.Empty(t, health())
	exec(`UPDATE sms_deliveries SET state = 'undelivered', code = '16', receipt_at = $1 WHERE provider = 'msg91'`, b.clock.Now())
	require.Equal(t, "not delivered", entry().Status)
	require.Contains(t, health(), "could not deliver it (msg91 16)")
	exec(`UPDATE sms_deliveries SET state = 'delivered', code = '', receipt_at = $1 WHERE provider = 'msg91'`, b.clock.Now())
	require.Equal(t, "delivered", entry().Status)
	require.NotNil(t, entry().Details["receipt_at"])
	require.Empty(t, health())
}

// Given a receipt by WhatsApp, then the timeline says how far it came, or why not in words, and when its customer opted in and out.
func TestTimeline_WhatsApp_ShowsItsDeliveryAndConsent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	asha := console.Customer(t, b.DB, b.clock, "9876543210", "Asha", "Rao")
	exec := func(query string, args ...any) {
		t.Helper()
		_, err := b.DB.Owner.Exec(query, args...)
		require.NoError(t, err)
	}
	row := id.New()
	exec(`INSERT INTO customer_messages (id, franchiser_ref, template, about, created_at, expires_at, sent_at) VALUES ($1, $2, 'payment_received_whatsapp', $3, $4, $4, $4)`,
		row, asha, id.New(), b.clock.Now())
	exec(`INSERT INTO sms_deliveries (message_ref, provider, template, state, unconfirmed, tried_at) VALUES ($1, 'whatsapp', 'payment_received_whatsapp', 'sent', 0, $2)`, row, b.clock.Now())
	for i, given := range []bool{true, false} {
		exec(`INSERT INTO whatsapp_consents (id, franchiser_ref, given, via, version, text, language, at) VALUES ($1, $2, $3, $4, 1, 'x', 'hi', $5)`,
			id.New(), asha, given, map[bool]string{true: "account", false: "reply"}[given], b.clock.Now().Add(time.Duration(i+1)*time.Second))
	}
	entries := func() []timeline.Entry {
		t.Helper()
		page, err := b.timeline.Read(t.Context(), timeline.Query{FranchiserID: asha, Kinds: []timeline.Kind{timeline.KindMessage}})
		require.NoError(t, err)
		require.Len(t, page.Entries, 3)
		return page.Entries
	}
	list := entries()
	require.Equal(t, "Messages by WhatsApp stopped", list[0].Title)
	require.Equal(t, "by a reply", list[0].Status)
	require.Equal(t, "Messages by WhatsApp wanted", list[1].Title)
	require.Equal(t, "in the account", list[1].Status)
	require.Equal(t, "Receipt by WhatsApp", list[2].Title)
	require.Equal(t, "sent", list[2].Status)
	require.NotContains(t, list[2].Details, "provider_reason")
	exec(`UPDATE sms_deliveries SET state = 'undelivered', code = '131026'`)
	refused := entries()[2]
	require.Equal(t, "not delivered", refused.Status)
	require.Equal(t, "131026", refused.Details["provider_error"])
	require.Equal(t, "the number is not on WhatsApp, or its app is too old", refused.Details["provider_reason"])
	exec(`UPDATE sms_deliveries SET state = 'read', code = ''`)
	require.Equal(t, "read", entries()[2].Status)
}
