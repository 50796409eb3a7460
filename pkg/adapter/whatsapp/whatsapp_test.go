package whatsapp_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/whatsapp"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/id"
)

func settings(url string) config.WhatsApp {
	return config.WhatsApp{
		URL: url + "/v24.0", PhoneNumberID: "106540352242922", Token: "a-token", AppSecret: "a-secret", VerifyToken: "meatyhamhock",
	}
}

func sample(t *testing.T, name string) []byte {
	t.Helper()
	body, err := os.ReadFile("testdata/" + name)
	require.NoError(t, err)
	return body
}

func reminder(language i18n.Language) message.Message {
	return message.Site{Host: "franchise360.example", URL: "https://franchise360.example"}.Compose(message.Message{
		ID: id.New(), Mobile: "9876543210", Template: message.TemplateRenewalLink + "_whatsapp", Language: language,
		Values: []string{"Growth - Gold", "30 सितंबर 2026", "Rs 11,800.00", "a-code"},
	})
}

// answering returns a client of a platform that answers so, and the calls that it got.
func answering(t *testing.T, status int, body []byte, header ...string) (*whatsapp.Client, *[]*http.Request, *[]string) {
	t.Helper()
	var calls []*http.Request
	var bodies []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent, _ := io.ReadAll(r.Body)
		calls, bodies = append(calls, r), append(bodies, string(sent))
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = w.Write(body)
	}))
	t.Cleanup(server.Close)
	return whatsapp.New(settings(server.URL)), &calls, &bodies
}

func TestSend_FollowsMetasDocumentation(t *testing.T) {
	t.Parallel()
	client, calls, bodies := answering(t, http.StatusOK, sample(t, "sent.json"))
	m := reminder("hi")
	ref, err := client.Send(t.Context(), m, time.Hour)
	require.NoError(t, err)
	require.Equal(t, "wamid.HBgLMTY0NjcwNDM1OTUVAgARGBI1RjQyNUE3NEYxMzAzMzQ5MkEA", ref)
	require.Len(t, *calls, 1)
	call := (*calls)[0]
	require.Equal(t, "POST /v24.0/106540352242922/messages", call.Method+" "+call.URL.Path)
	require.Equal(t, "Bearer a-token", call.Header.Get("Authorization"))
	require.Equal(t, "application/json", call.Header.Get("Content-Type"))
	require.JSONEq(t, `{"messaging_product":"whatsapp","recipient_type":"individual","to":"919876543210","type":"template",
		"template":{"name":"renewal_link","language":{"code":"hi"},"components":[
			{"type":"body","parameters":[{"type":"text","text":"Growth - Gold"},{"type":"text","text":"30 सितंबर 2026"},{"type":"text","text":"Rs 11,800.00"}]},
			{"type":"button","sub_type":"url","index":"0","parameters":[{"type":"text","text":"a-code"}]}]},
		"biz_opaque_callback_data":"`+m.ID+`"}`, (*bodies)[0])
	require.Nil(t, whatsapp.New(config.WhatsApp{URL: "https://graph.facebook.com"}), "nothing is set")
}

// Meta's table of error codes, and errors without a code.
func TestCode_EachDocumentedError_HasItsClass(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		status, code, subCode int
		class                 message.Class
		message               bool
		pause                 time.Duration
	}{
		{400, 131026, 0, message.ClassRefused, false, 0},
		{400, 131049, 0, message.ClassRefused, false, 0},
		{400, 131021, 0, message.ClassRefused, false, 0},
		{400, 131047, 0, message.ClassRefused, true, 0},
		{400, 132000, 0, message.ClassRefused, true, 0},
		{400, 100, 0, message.ClassRefused, true, 0},
		{400, 100, 33, message.ClassAccount, false, 0},
		{401, 190, 0, message.ClassAccount, false, 0},
		{401, 0, 0, message.ClassAccount, false, 0},
		{403, 10, 0, message.ClassAccount, false, 0},
		{403, 294, 0, message.ClassAccount, false, 0},
		{403, 368, 0, message.ClassAccount, false, 0},
		{403, 131031, 0, message.ClassAccount, false, 0},
		{400, 131042, 0, message.ClassAccount, false, 0},
		{404, 132001, 0, message.ClassAccount, false, 0},
		{400, 132015, 0, message.ClassAccount, false, 0},
		{500, 3, 0, message.ClassAccount, false, 0},
		{400, 130429, 0, message.ClassLimited, false, 5 * time.Second},
		{429, 131056, 0, message.ClassLimited, false, 30 * time.Second},
		{429, 80007, 0, message.ClassLimited, false, 5 * time.Minute},
		{429, 131048, 0, message.ClassLimited, false, time.Hour},
		{503, 131016, 0, message.ClassUnavailable, false, 0},
		{503, 2, 0, message.ClassUnavailable, false, 0},
		{500, 131000, 0, message.ClassUnconfirmed, false, 0},
		{500, 1, 0, message.ClassUnconfirmed, false, 0},
		{400, 999999, 0, message.ClassAccount, false, 0},
	} {
		body := fmt.Sprintf(`{"error":{"message":"x 9876543210","type":"OAuthException","code":%d,"error_subcode":%d,"fbtrace_id":"x"}}`, tc.code, tc.subCode)
		client, _, _ := answering(t, tc.status, []byte(body))
		_, err := client.Send(t.Context(), reminder(""), time.Hour)
		var f *message.SendError
		require.ErrorAs(t, err, &f, "%d", tc.code)
		require.Equal(t, tc.class, f.Class, "%d %d", tc.status, tc.code)
		require.Equal(t, tc.message, f.Message, "%d", tc.code)
		require.Equal(t, tc.pause, f.RetryAfter, "%d", tc.code)
		if tc.code > 0 {
			require.Equal(t, fmt.Sprint(tc.code), f.Code)
		}
		require.NotContains(t, err.Error(), "9876543210")
	}
}

func TestSend_PublishedRateLimit_IsLimited(t *testing.T) {
	t.Parallel()
	client, _, _ := answering(t, http.StatusTooManyRequests, sample(t, "rate_limit.json"), "Retry-After", "17")
	_, err := client.Send(t.Context(), reminder(""), time.Hour)
	var f *message.SendError
	require.ErrorAs(t, err, &f)
	require.Equal(t, message.ClassLimited, f.Class)
	require.Equal(t, "130429", f.Code)
	require.Equal(t, 17*time.Second, f.RetryAfter)
}

func TestSend_AnswerWithoutACode_DependsOnTheStatus(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		status int
		body   string
		class  message.Class
	}{
		{200, `{}`, message.ClassUnconfirmed},
		{200, `<html>`, message.ClassUnconfirmed},
		{200, `{"messages":[{"id":""}]}`, message.ClassUnconfirmed},
		{500, `<html>`, message.ClassUnconfirmed},
		{502, ``, message.ClassUnconfirmed},
		{504, `null`, message.ClassUnconfirmed},
		{503, ``, message.ClassUnavailable},
		{501, ``, message.ClassUnavailable},
		{302, ``, message.ClassUnavailable},
		{404, `[]`, message.ClassAccount},
	} {
		client, _, _ := answering(t, tc.status, []byte(tc.body), "Location", "https://elsewhere.example")
		_, err := client.Send(t.Context(), reminder(""), time.Hour)
		var f *message.SendError
		require.ErrorAs(t, err, &f, "%d %s", tc.status, tc.body)
		require.Equal(t, tc.class, f.Class, "%d %s", tc.status, tc.body)
	}
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	_, err := whatsapp.New(settings(closed.URL)).Send(t.Context(), reminder(""), time.Hour)
	var f *message.SendError
	require.ErrorAs(t, err, &f)
	require.Equal(t, message.ClassUnavailable, f.Class, "no connection, no message")
	require.NotContains(t, err.Error(), "127.0.0.1")
}

func TestSend_MetasID_IsKeptIfItFits(t *testing.T) {
	t.Parallel()
	long := make([]byte, 120)
	for i := range long {
		long[i] = 'x'
	}
	body, err := json.Marshal(map[string]any{"messages": []any{map[string]string{"id": string(long)}}})
	require.NoError(t, err)
	client, _, _ := answering(t, http.StatusOK, body)
	ref, err := client.Send(t.Context(), reminder(""), time.Hour)
	require.NoError(t, err)
	require.Empty(t, ref)
}
