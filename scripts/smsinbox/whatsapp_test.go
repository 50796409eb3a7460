package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/whatsapp"
	messages "github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/testkit"
)

const siteURL = "https://franchise360.example"

// whatsAppSetup returns the stand-in with its settings, and the notices that it posts. Not for parallel tests: it changes the environment.
func whatsAppSetup(t *testing.T) (config.WhatsApp, *httptest.Server, chan messages.Incoming) {
	t.Helper()
	return whatsAppSetupAt(t, time.Now)
}

func whatsAppSetupAt(t *testing.T, now func() time.Time) (config.WhatsApp, *httptest.Server, chan messages.Incoming) {
	t.Helper()
	notices := make(chan messages.Incoming, 10)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			if r.URL.Query().Get("hub.verify_token") == "a-verify-token" && r.URL.Query().Get("hub.mode") == "subscribe" {
				_, _ = io.WriteString(w, r.URL.Query().Get("hub.challenge"))
			}
			return
		}
		body, _ := io.ReadAll(r.Body)
		notices <- messages.Incoming{Headers: map[string]string{"x-hub-signature-256": r.Header.Get("X-Hub-Signature-256")}, Body: body}
	}))
	t.Cleanup(site.Close)
	c := config.WhatsApp{PhoneNumberID: "106540352242922", Token: "a-token", AppSecret: "a-secret", VerifyToken: "a-verify-token"}
	for name, value := range map[string]string{
		"TOKEN": c.Token, "APP_SECRET": c.AppSecret, "PHONE_NUMBER_ID": c.PhoneNumberID, "VERIFY_TOKEN": c.VerifyToken, "WEBHOOK_URL": site.URL,
	} {
		t.Setenv("WHATSAPP_"+name, value)
	}
	server := setupAt(t, now)
	c.URL = server.URL + "/v24.0"
	return c, server, notices
}

func onWhatsApp(mobile string, language i18n.Language) messages.Message {
	return messages.Site{Host: "franchise360.example", URL: siteURL}.Compose(messages.Message{
		ID: id.New(), Mobile: mobile, Template: messages.TemplateRenewalLink + "_whatsapp", Language: language,
		Values: []string{"Growth <b>", "30 सितंबर 2026", "Rs 11,800.00", "a-code"},
	})
}

// sampleOf reads what Meta publishes.
func sampleOf(t *testing.T, name string) any {
	t.Helper()
	text, err := os.ReadFile("../../pkg/adapter/whatsapp/testdata/" + name)
	require.NoError(t, err)
	return parsed(t, text)
}

func parsed(t *testing.T, text []byte) (out any) {
	t.Helper()
	require.NoError(t, json.Unmarshal(text, &out), "%s", text)
	return out
}

// requireShape fails unless every key of the published sample is there, with a value of the same kind; "more" may be there beside.
func requireShape(t *testing.T, published, have any, at string, more ...string) {
	t.Helper()
	require.IsType(t, published, have, at)
	switch p := published.(type) {
	case map[string]any:
		h := have.(map[string]any)
		for name, value := range p {
			require.Contains(t, h, name, at)
			requireShape(t, value, h[name], at+"."+name, more...)
		}
		for name := range h {
			if _, known := p[name]; !known {
				require.Contains(t, more, name, at)
			}
		}
	case []any:
		h := have.([]any)
		require.Len(t, h, len(p), at)
		for i := range p {
			requireShape(t, p[i], h[i], at, more...)
		}
	}
}

func next(t *testing.T, notices chan messages.Incoming) messages.Incoming {
	t.Helper()
	select {
	case n := <-notices:
		return n
	case <-time.After(time.Minute):
		t.Fatal("no notice")
		return messages.Incoming{}
	}
}

func TestWhatsAppStandIn_AcceptsAndReportsMessages(t *testing.T) {
	t.Setenv("PUBLIC_URL", siteURL)
	c, server, notices := whatsAppSetup(t)
	client, reader := whatsapp.New(c), whatsapp.NewReader(c)
	m := onWhatsApp("9876543210", "hi")
	ref, err := client.Send(t.Context(), m, time.Hour)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(ref, "wamid."))
	for _, want := range []messages.Receipt{{Ref: ref, MessageID: m.ID, Sent: true}, {Ref: ref, MessageID: m.ID, Delivered: true}} {
		notice := next(t, notices)
		requireShape(t, sampleOf(t, "status.json"), parsed(t, notice.Body), "status", "biz_opaque_callback_data")
		read, err := reader.Read(notice)
		require.NoError(t, err)
		require.Equal(t, []messages.Receipt{want}, read.Receipts)
	}
	_, err = client.Send(t.Context(), onWhatsApp("9876540049", i18n.English), time.Hour)
	require.NoError(t, err, "told later")
	failed := next(t, notices)
	requireShape(t, sampleOf(t, "failed.json"), parsed(t, failed.Body), "failed", "biz_opaque_callback_data")
	read, err := reader.Read(failed)
	require.NoError(t, err)
	require.Equal(t, "131049", read.Receipts[0].Code)

	_, list, err := ask(t.Context(), t, http.MethodGet, server.URL+"/whatsapp?mobile=9876543210", "")
	require.NoError(t, err)
	var shown []whatsAppMessage
	require.NoError(t, json.Unmarshal([]byte(list), &shown))
	require.Len(t, shown, 1)
	require.Equal(t, "delivered", shown[0].State)
	require.Equal(t, siteURL+"/hi/p/a-code", shown[0].Link)
	require.Contains(t, shown[0].Body, "30 सितंबर 2026")
	require.Equal(t, m.Text, shown[0].Body+"\n\n"+shown[0].Footer+"\n\n"+shown[0].Button+": "+shown[0].Link, "as we wrote it, so people read it")
	_, page, err := ask(t.Context(), t, http.MethodGet, server.URL+"/", "")
	require.NoError(t, err)
	require.Contains(t, page, "Growth &lt;b&gt;")
	require.NotContains(t, page, "<b>")

	formed := func(path, form string) int {
		response, err := http.Post(server.URL+path, "application/x-www-form-urlencoded", strings.NewReader(form)) //nolint:noctx // a test's
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		return response.StatusCode
	}
	require.Equal(t, http.StatusOK, formed("/whatsapp/read", "id=1"))
	read, err = reader.Read(next(t, notices))
	require.NoError(t, err)
	require.True(t, read.Receipts[0].Read)
	require.Equal(t, http.StatusOK, formed("/whatsapp/replies", "from=919876543210&text=STOP"))
	reply := next(t, notices)
	requireShape(t, sampleOf(t, "text.json"), parsed(t, reply.Body), "text")
	read, err = reader.Read(reply)
	require.NoError(t, err)
	require.Equal(t, "9876543210", read.Replies[0].Mobile)
	require.True(t, read.Replies[0].Stops())
	require.Equal(t, http.StatusNotFound, formed("/whatsapp/read", "id=99"))
	require.Equal(t, http.StatusBadRequest, formed("/whatsapp/replies", "from=1&text=STOP"))
	require.Equal(t, http.StatusOK, formed("/whatsapp/verify", ""))
	t.Setenv("WHATSAPP_VERIFY_TOKEN", "another")
	require.Equal(t, http.StatusBadRequest, formed("/whatsapp/verify", ""))
}

func TestWhatsAppStandIn_InvalidMessage_IsRefused(t *testing.T) {
	t.Setenv("PUBLIC_URL", siteURL)
	c, server, _ := whatsAppSetup(t)
	send := func(c config.WhatsApp, m messages.Message) *messages.SendError {
		t.Helper()
		_, err := whatsapp.New(c).Send(t.Context(), m, time.Hour)
		var f *messages.SendError
		require.ErrorAs(t, err, &f)
		return f
	}
	good := onWhatsApp("9876543210", i18n.English)
	other := c
	other.Token = "another"
	require.Equal(t, "190", send(other, good).Code)
	other = c
	other.PhoneNumberID = "1"
	f := send(other, good)
	require.Equal(t, "100", f.Code)
	require.Equal(t, messages.ClassAccount, f.Class)
	changed := good
	changed.OnWhatsApp.Name = "unheard_of"
	f = send(c, changed)
	require.Equal(t, "132001", f.Code)
	require.Equal(t, messages.ClassAccount, f.Class)
	changed = good
	changed.OnWhatsApp.Body = changed.OnWhatsApp.Body[1:]
	f = send(c, changed)
	require.Equal(t, "132000", f.Code)
	require.Equal(t, messages.ClassRefused, f.Class)
	changed = good
	changed.OnWhatsApp.Button = ""
	require.Equal(t, "132000", send(c, changed).Code)
	changed = good
	changed.OnWhatsApp.Body = []string{"a\nb", "c", "d"}
	require.Equal(t, "132018", send(c, changed).Code)
	changed = good
	changed.Mobile = "x"
	require.Equal(t, "131009", send(c, changed).Code)
	_, body, err := ask(t.Context(), t, http.MethodPost, server.URL+"/v24.0/106540352242922/messages", "{}")
	require.NoError(t, err)
	requireShape(t, map[string]any{"error": map[string]any{"message": "", "type": "", "code": 1.0, "fbtrace_id": ""}}, parsed(t, []byte(body)), "error")

	mode := func(name string) {
		_, _, err := ask(t.Context(), t, http.MethodPost, server.URL+"/mode", `{"mode":"`+name+`"}`)
		require.NoError(t, err)
	}
	mode("fail")
	f = send(c, good)
	require.Equal(t, "131016", f.Code)
	require.Equal(t, messages.ClassUnavailable, f.Class)
	_, list, err := ask(t.Context(), t, http.MethodGet, server.URL+"/whatsapp", "")
	require.NoError(t, err)
	require.JSONEq(t, "[]", list, "nothing that was refused is kept")
}

// Meta takes any text within 24 hours of the customer's last message, and afterwards templates alone.
func TestWhatsAppStandIn_TextOutsideTheWindow_IsRefused(t *testing.T) {
	t.Setenv("PUBLIC_URL", siteURL)
	clk := testkit.NewClock()
	c, server, notices := whatsAppSetupAt(t, clk.Now)
	client, reader := whatsapp.New(c), whatsapp.NewReader(c)
	text := func(mobile, body string) messages.Message {
		return messages.Site{Host: "franchise360.example", URL: siteURL}.Compose(messages.Message{
			ID: id.New(), Mobile: mobile, Template: messages.TemplateContactWhatsApp, Body: body,
		})
	}
	refused := func(m messages.Message, code string) {
		t.Helper()
		_, err := client.Send(t.Context(), m, time.Hour)
		var f *messages.SendError
		require.ErrorAs(t, err, &f)
		require.Equal(t, []any{code, messages.ClassRefused, true}, []any{f.Code, f.Class, f.Message})
	}
	says := func(mobile string) messages.WhatsAppReply {
		t.Helper()
		response, err := http.Post(server.URL+"/whatsapp/replies", "application/x-www-form-urlencoded", strings.NewReader("from="+mobile+"&text=Hello")) //nolint:noctx // a test's
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		notice, err := reader.Read(next(t, notices))
		require.NoError(t, err)
		return notice.Replies[0]
	}
	refused(text("9876543210", "Hello"), "131047")
	require.WithinDuration(t, clk.Now(), says("9876543210").At, time.Second)
	clk.Advance(24*time.Hour - time.Second)
	m := text("9876543210", "Your refund is on its way.\n\nSunita")
	ref, err := client.Send(t.Context(), m, time.Hour)
	require.NoError(t, err)
	for _, want := range []messages.Receipt{{Ref: ref, MessageID: m.ID, Sent: true}, {Ref: ref, MessageID: m.ID, Delivered: true}} {
		notice := next(t, notices)
		requireShape(t, sampleOf(t, "status.json"), parsed(t, notice.Body), "status", "biz_opaque_callback_data")
		read, err := reader.Read(notice)
		require.NoError(t, err)
		require.Equal(t, []messages.Receipt{want}, read.Receipts)
	}
	_, list, err := ask(t.Context(), t, http.MethodGet, server.URL+"/whatsapp?mobile=9876543210", "")
	require.NoError(t, err)
	require.Contains(t, list, "Your refund is on its way.")
	refused(text("9876543211", "Hello"), "131047")
	clk.Advance(time.Second)
	refused(m, "131047")

	says("9876540047")
	m = text("9876540047", "Hello")
	_, err = client.Send(t.Context(), m, time.Hour)
	require.NoError(t, err, "reported later")
	failed := next(t, notices)
	requireShape(t, sampleOf(t, "failed.json"), parsed(t, failed.Body), "failed", "biz_opaque_callback_data")
	read, err := reader.Read(failed)
	require.NoError(t, err)
	require.Equal(t, []any{"131047", m.ID}, []any{read.Receipts[0].Code, read.Receipts[0].MessageID})
	m.Text = strings.Repeat("a", 4097)
	refused(m, "100")
	m.Text = ""
	refused(m, "131008")
}
