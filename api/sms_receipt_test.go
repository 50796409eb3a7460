package main

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/staff"
)

const receiptKey = "a-key-of-twenty-four-chars"

func newReceiptApp(t *testing.T) *testApp {
	t.Helper()
	app := newTestApp(t)
	app.config.SMS.TwilioToken, app.config.SMS.MSG91ReceiptKey = "12345", receiptKey
	app.server.Close()
	app.start(t)
	return app
}

// messageSent inserts a message as a worker would, and returns its id.
func (a *testApp) messageSent(t *testing.T, provider, ref string) string {
	t.Helper()
	message := id.New()
	_, err := a.db.Owner.Exec(`INSERT INTO sms_deliveries (message_ref, provider, provider_ref, template, state, unconfirmed, tried_at)
		VALUES ($1, $2, $3, 'otp', 'accepted', 0, $4)`, message, provider, ref, a.clock.Now())
	require.NoError(t, err)
	return message
}

func (a *testApp) delivery(t *testing.T, message string) (state string) {
	t.Helper()
	require.NoError(t, a.db.Owner.Get(&state, `SELECT btrim(state || ' ' || code) FROM sms_deliveries WHERE message_ref = $1`, message))
	return state
}

// signed returns Twilio's X-Twilio-Signature for the site's public URL, regardless of where the request is really sent.
func signed(path string, form url.Values) string {
	names := []string{}
	for name := range form {
		names = append(names, name)
	}
	slices.Sort(names)
	text := "http://localhost:8080/api/franchise" + path
	for _, name := range names {
		text += name + form.Get(name)
	}
	mac := hmac.New(sha1.New, []byte("12345"))
	mac.Write([]byte(text))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

func TestTwilioReceipt_UpdatesTheDelivery(t *testing.T) {
	t.Parallel()
	app := newReceiptApp(t)
	message := app.messageSent(t, "twilio", "SM0123456789abcdef0123456789abcdef")
	path := "/sms/receipts/twilio?message=" + message
	status := func(word, code string) url.Values {
		form := url.Values{"MessageSid": {"SM0123456789abcdef0123456789abcdef"}, "SmsSid": {"SM0123456789abcdef0123456789abcdef"}, "MessageStatus": {word}, "AccountSid": {"AC1"}, "To": {"+919876543210"}}
		if code != "" {
			form.Set("ErrorCode", code)
		}
		return form
	}
	tell := func(form url.Values) int {
		return app.client(t).do(t, http.MethodPost, path, form, "X-Twilio-Signature", signed(path, form)).Status
	}
	require.Equal(t, 200, tell(status("sent", "")))
	require.Equal(t, "accepted", app.delivery(t, message))

	require.Equal(t, 403, app.client(t).do(t, http.MethodPost, path, status("delivered", "")).Status, "not signed")
	require.Equal(t, 403, app.client(t).do(t, http.MethodPost, path, status("delivered", ""), "X-Twilio-Signature", signed(path, status("sent", ""))).Status)
	require.Equal(t, 403, app.client(t).do(t, http.MethodPost, "/sms/receipts/twilio?message="+id.New(), status("delivered", ""), "X-Twilio-Signature", signed(path, status("delivered", ""))).Status)
	require.Equal(t, "accepted", app.delivery(t, message))

	require.Equal(t, 200, tell(status("undelivered", "30003")))
	require.Equal(t, "undelivered 30003", app.delivery(t, message))
	for range 2 {
		require.Equal(t, 200, tell(status("delivered", "")))
		require.Equal(t, "delivered", app.delivery(t, message))
	}
	unknown := url.Values{"MessageSid": {"SMffffffffffffffffffffffffffffffff"}, "MessageStatus": {"delivered"}}
	path = "/sms/receipts/twilio"
	require.Equal(t, 200, tell(unknown))
}

func TestMSG91Receipt_UpdatesTheDelivery(t *testing.T) {
	t.Parallel()
	app := newReceiptApp(t)
	message := app.messageSent(t, "msg91", "346130")
	report := url.Values{"data": {`[{"requestId":"346130","report":[{"number":"919876543210","status":"16","desc":"REJECTED"}]}]`}}
	for _, path := range []string{"/sms/receipts/msg91", "/sms/receipts/msg91?key=", "/sms/receipts/msg91?key=" + receiptKey + "x"} {
		require.Equal(t, 403, app.client(t).do(t, http.MethodPost, path, report).Status, path)
	}
	require.Equal(t, "accepted", app.delivery(t, message))
	path := "/sms/receipts/msg91?key=" + receiptKey
	require.Equal(t, 200, app.client(t).do(t, http.MethodPost, path, report).Status)
	require.Equal(t, "undelivered 16", app.delivery(t, message))
	require.Equal(t, 200, app.client(t).do(t, http.MethodPost, path, map[string]any{"requestId": "346130", "status": "1"}).Status)
	require.Equal(t, "delivered", app.delivery(t, message))
	require.Equal(t, 200, app.client(t).do(t, http.MethodPost, path, map[string]any{"requestId": "nobody's", "status": "1"}).Status)

	require.Equal(t, 400, app.client(t).do(t, http.MethodPost, path, url.Values{"data": {"<html>"}}).Status)
	require.Equal(t, 413, app.client(t).do(t, http.MethodPost, path, url.Values{"data": {strings.Repeat("x", 70<<10)}}).Status)
}

func TestReceipts_ProviderNotConfigured_AreNotFound(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	require.Equal(t, 404, app.client(t).do(t, http.MethodPost, "/sms/receipts/msg91?key=", url.Values{"data": {"[]"}}).Status)
	require.Equal(t, 404, app.client(t).do(t, http.MethodPost, "/sms/receipts/twilio", url.Values{"MessageStatus": {"delivered"}}).Status)
}

// Given a provider that rejects our account, then staff see an alert with the provider's own code until it works again.
func TestSMSProvider_RejectsTheAccount_RaisesAnAlert(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	sunita := app.signedInAs(t, "sunita@example.in", staff.RoleSupport)
	_, err := app.db.Worker.Exec(`INSERT INTO sms_providers (provider, failures, fault, code, since) VALUES ('twilio', 1, 'account_fault', '21606', $1),
		('msg91', 2, 'unavailable', '503', $1)`, app.clock.Now())
	require.NoError(t, err)
	told := func() string { return string(sunita.call(t, http.MethodGet, "/alerts", nil).Raw) }
	require.Contains(t, told(), "SMS provider twilio refuses our account (21606)")
	require.NotContains(t, told(), "msg91", "twice may be chance")
	_, err = app.db.Worker.Exec(`UPDATE sms_providers SET failures = failures + 1 WHERE provider = 'msg91'`)
	require.NoError(t, err)
	require.Contains(t, told(), "SMS provider msg91 fails (503), 3 times in a row")
	_, err = app.db.Worker.Exec(`UPDATE sms_providers SET failures = 0, fault = ''`)
	require.NoError(t, err)
	app.clock.Advance(2 * time.Minute)
	require.NotContains(t, told(), "SMS provider")
}
