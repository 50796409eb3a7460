package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/id"
)

func newWhatsAppApp(t *testing.T) *testApp {
	t.Helper()
	app := newTestApp(t)
	app.config.WhatsApp = config.WhatsApp{PhoneNumberID: "106540352242922", Token: "t", AppSecret: "an-app-secret", VerifyToken: "meatyhamhock"}
	app.server.Close()
	app.start(t)
	return app
}

// posted posts a notice as Meta does, and returns the status.
func (a *testApp) posted(t *testing.T, value map[string]any) int {
	t.Helper()
	body := noticeOf(t, value)
	return a.client(t).do(t, http.MethodPost, "/whatsapp/webhook", body, "X-Hub-Signature-256", hubSignature(body)).Status
}

func noticeOf(t *testing.T, value map[string]any) string {
	t.Helper()
	value["messaging_product"], value["metadata"] = "whatsapp", map[string]string{"display_phone_number": "15550783881", "phone_number_id": "106540352242922"}
	body, err := json.Marshal(map[string]any{"object": "whatsapp_business_account", "entry": []any{
		map[string]any{"id": "102290129340398", "changes": []any{map[string]any{"value": value, "field": "messages"}}},
	}})
	require.NoError(t, err)
	return string(body)
}

func hubSignature(body string) string {
	mac := hmac.New(sha256.New, []byte("an-app-secret"))
	mac.Write([]byte(body))
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

func TestWhatsAppWebhook_Verification(t *testing.T) {
	t.Parallel()
	app := newWhatsAppApp(t)
	ask := func(mode, token, challenge string) answer {
		query := url.Values{"hub.mode": {mode}, "hub.verify_token": {token}, "hub.challenge": {challenge}}
		return app.client(t).get(t, "/whatsapp/webhook?"+query.Encode())
	}
	good := ask("subscribe", "meatyhamhock", "1158201444")
	require.Equal(t, 200, good.Status, "%s", good.Raw)
	require.Equal(t, "1158201444", string(good.Raw))
	require.Equal(t, 403, ask("subscribe", "meatyhamhoc", "1158201444").Status)
	require.Equal(t, 403, ask("subscribe", "", "1158201444").Status)
	require.Equal(t, 400, ask("unsubscribe", "meatyhamhock", "1158201444").Status)
	require.Equal(t, 400, ask("subscribe", "meatyhamhock", strings.Repeat("1", 101)).Status)
}

func TestWhatsAppWebhook_UpdatesTheDelivery(t *testing.T) {
	t.Parallel()
	app := newWhatsAppApp(t)
	message := app.messageSent(t, "whatsapp", "wamid.abc")
	status := func(word string, more map[string]any) map[string]any {
		s := map[string]any{"id": "wamid.abc", "status": word, "timestamp": "1750263773", "recipient_id": "919876543210", "biz_opaque_callback_data": message}
		maps.Copy(s, more)
		return map[string]any{"statuses": []any{s}}
	}
	body := noticeOf(t, status("delivered", nil))
	for _, signature := range []string{"", "sha256=" + strings.Repeat("0", 64), hubSignature(body + " ")} {
		require.Equal(t, 403, app.client(t).do(t, http.MethodPost, "/whatsapp/webhook", body, "X-Hub-Signature-256", signature).Status)
	}
	require.Equal(t, "accepted", app.delivery(t, message), "what is not signed changes nothing")
	for _, tc := range []struct {
		told string
		more map[string]any
		want string
	}{
		{"sent", nil, "sent"},
		{"failed", map[string]any{"errors": []any{map[string]any{"code": 131026, "title": "Message undeliverable"}}}, "undelivered 131026"},
		{"delivered", nil, "delivered"},
		{"sent", nil, "delivered"},
		{"read", nil, "read"},
		{"failed", nil, "read"},
		{"delivered", nil, "read"},
		{"unheard_of", nil, "read"},
	} {
		require.Equal(t, 200, app.posted(t, status(tc.told, tc.more)))
		require.Equal(t, tc.want, app.delivery(t, message), tc.told)
	}
	broken := `{"object":`
	require.Equal(t, 400, app.client(t).do(t, http.MethodPost, "/whatsapp/webhook", broken, "X-Hub-Signature-256", hubSignature(broken)).Status)
	large := noticeOf(t, map[string]any{"contacts": strings.Repeat("x", 200<<10)})
	require.Equal(t, 200, app.client(t).do(t, http.MethodPost, "/whatsapp/webhook", large, "X-Hub-Signature-256", hubSignature(large)).Status, "Meta posts up to 3 MB")
	require.Equal(t, 413, app.client(t).do(t, http.MethodPost, "/whatsapp/webhook", strings.Repeat("x", 4<<20)).Status)
}

// Given an owner who opted in, when a reply says STOP, then the consent ends, and the record of both stays.
func TestWhatsAppReply_STOP_EndsTheConsent(t *testing.T) {
	t.Parallel()
	app := newWhatsAppApp(t)
	owner := app.client(t)
	franchiser := owner.signUp(t, asha)
	read := func() map[string]any {
		t.Helper()
		consent, ok := owner.get(t, "/message-preferences").Data(t, "whatsapp").(map[string]any)
		require.True(t, ok)
		return consent
	}
	require.Equal(t, false, read()["enabled"])
	require.Equal(t, 401, app.client(t).put(t, "/message-preferences/whatsapp", map[string]any{"enabled": true, "language": "en", "version": 1}).Status)
	for _, bad := range []map[string]any{
		{"language": "en", "version": 1}, {"enabled": true, "language": "en", "version": 99}, {"enabled": true, "language": "fr", "version": 1}, {"enabled": true, "version": 1},
	} {
		require.Equal(t, 422, owner.put(t, "/message-preferences/whatsapp", bad).Status, bad)
	}
	set := owner.put(t, "/message-preferences/whatsapp", map[string]any{"enabled": true, "language": "hi", "version": read()["version"]})
	require.Equal(t, 200, set.Status, "%s", set.Raw)
	require.Equal(t, true, read()["enabled"])
	require.Equal(t, "hi", read()["language"])
	require.Equal(t, true, owner.put(t, "/message-preferences", map[string]any{"reminders_sms": false, "reminders_email": true}).Data(t, "whatsapp").(map[string]any)["enabled"])

	app.clock.Advance(time.Minute)
	reply := func(text string) map[string]any {
		return map[string]any{"messages": []any{map[string]any{
			"from": "91" + asha, "id": "wamid." + id.New(), "timestamp": "1749416383", "type": "text", "text": map[string]any{"body": text},
		}}}
	}
	require.Equal(t, 200, app.posted(t, reply("Thank you")))
	require.Equal(t, true, read()["enabled"])
	require.Equal(t, 200, app.posted(t, reply("Stop")))
	require.Equal(t, false, read()["enabled"])
	var kept []string
	require.NoError(t, app.db.Owner.Select(&kept, `SELECT via || ' ' || given FROM whatsapp_consents WHERE franchiser_ref = $1 ORDER BY at`, franchiser))
	require.Equal(t, []string{"account true", "reply false"}, kept)
	var copied string
	require.NoError(t, app.db.Owner.Get(&copied, `SELECT string_agg(to_jsonb(c)::text, '') FROM whatsapp_consents c`))
	require.NotContains(t, copied, asha, "neither number nor reply is kept")
	require.NotContains(t, copied, "Thank")
}

func TestWhatsApp_NotConfigured_IsHidden(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	owner := app.client(t)
	owner.signUp(t, asha)
	require.Nil(t, owner.get(t, "/message-preferences").Data(t, "whatsapp"))
	require.Equal(t, 404, owner.put(t, "/message-preferences/whatsapp", map[string]any{"enabled": true, "language": "en", "version": 1}).Status)
	require.Equal(t, 404, app.client(t).get(t, "/whatsapp/webhook?hub.mode=subscribe&hub.verify_token=&hub.challenge=1").Status)
	require.Equal(t, 404, app.client(t).do(t, http.MethodPost, "/whatsapp/webhook", "{}", "X-Hub-Signature-256", hubSignature("{}")).Status)
}
