package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/sms"
	messages "github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/config"
)

func setup(t *testing.T) *httptest.Server {
	t.Helper()
	return setupAt(t, time.Now)
}

// setupAt returns the stand-in on a clock.
func setupAt(t *testing.T, now func() time.Time) *httptest.Server {
	t.Helper()
	closing := make(chan struct{})
	box, err := newInbox(closing)
	require.NoError(t, err)
	box.now = now
	server := httptest.NewServer(box.routes())
	t.Cleanup(func() {
		close(closing)
		server.Close()
	})
	return server
}

func ask(ctx context.Context, t *testing.T, method, address, body string) (int, string, error) {
	t.Helper()
	request, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(body))
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, "", err
	}
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.StatusCode, string(text), nil
}

func TestInbox_Messages_AreNewestFirst(t *testing.T) {
	t.Parallel()
	s := setup(t)
	for _, body := range []string{
		`{"to":"+919876543210","body":"first"}`, `{"to":"+919876500000","body":"other"}`,
		`{"to":"+919876543210","body":"<b>second</b>"}`,
	} {
		status, _, err := ask(t.Context(), t, http.MethodPost, s.URL+"/messages", body)
		require.NoError(t, err)
		require.Equal(t, http.StatusAccepted, status)
	}
	for _, body := range []string{``, `{}`, `{"to":"+919876543210"}`, `[]`} {
		status, _, err := ask(t.Context(), t, http.MethodPost, s.URL+"/messages", body)
		require.NoError(t, err)
		require.Equal(t, http.StatusBadRequest, status, body)
	}
	for _, mobile := range []string{"9876543210", "%2B919876543210", "98765+43210"} {
		_, list, err := ask(t.Context(), t, http.MethodGet, s.URL+"/messages?mobile="+mobile, "")
		require.NoError(t, err)
		require.Less(t, strings.Index(list, "second"), strings.Index(list, "first"))
		require.NotContains(t, list, "other")
		require.Contains(t, list, `"sent_at":"`)
	}
	_, list, err := ask(t.Context(), t, http.MethodGet, s.URL+"/messages?mobile=9000000000", "")
	require.NoError(t, err)
	require.JSONEq(t, "[]", list)
	_, page, err := ask(t.Context(), t, http.MethodGet, s.URL+"/", "")
	require.NoError(t, err)
	require.Contains(t, page, "&lt;b&gt;second")
	require.Contains(t, page, "IST")
}

func TestInbox_Mode_MakesTheProviderFail(t *testing.T) {
	t.Parallel()
	s := setup(t)
	const sms = `{"to":"+919876543210","body":"x"}`
	mode := func(name string) int {
		status, _, err := ask(t.Context(), t, http.MethodPost, s.URL+"/mode", `{"mode":"`+name+`"}`)
		require.NoError(t, err)
		return status
	}
	require.Equal(t, http.StatusBadRequest, mode("sulk"))
	require.Equal(t, http.StatusOK, mode("fail"))
	status, _, err := ask(t.Context(), t, http.MethodPost, s.URL+"/messages", sms)
	require.NoError(t, err)
	require.Equal(t, http.StatusServiceUnavailable, status)
	_, list, err := ask(t.Context(), t, http.MethodGet, s.URL+"/messages", "")
	require.NoError(t, err)
	require.JSONEq(t, "[]", list, "what failed was not delivered")

	require.Equal(t, http.StatusBadRequest, mode(`fail","channel":"fax`))
	require.Equal(t, http.StatusOK, mode(`fail","channel":"email`))
	status, _, err = ask(t.Context(), t, http.MethodPost, s.URL+"/messages", `{"to":"+919876543211","body":"y"}`)
	require.NoError(t, err)
	require.Equal(t, http.StatusAccepted, status, "another channel fails alone")

	require.Equal(t, http.StatusOK, mode("timeout"))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL+"/messages", strings.NewReader(sms))
	require.NoError(t, err)
	heard := make(chan error, 1)
	go func() {
		response, err := http.DefaultClient.Do(request)
		if err == nil {
			_ = response.Body.Close()
		}
		heard <- err
	}()
	require.Eventually(t, func() bool {
		_, list, err := ask(t.Context(), t, http.MethodGet, s.URL+"/messages", "")
		return err == nil && strings.Contains(list, `"body":"x"`)
	}, time.Minute, 10*time.Millisecond, "delivered, but the sender never hears of it")
	cancel()
	require.ErrorIs(t, <-heard, context.Canceled)
}

// Not parallel: it changes the environment.
func TestInbox_AcceptsTheMSG91Adapter(t *testing.T) {
	t.Setenv("MSG91_AUTH_KEY", "a-key")
	reports := make(chan messages.Incoming, 1)
	site := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.ParseForm() == nil {
			reports <- messages.Incoming{URI: r.RequestURI, Form: r.PostForm}
		}
	}))
	t.Cleanup(site.Close)
	t.Setenv("MSG91_REPORT_URL", site.URL+"/receipts?key=a-long-key-for-the-reports")
	s := setup(t)
	templates := map[string]string{}
	for _, template := range messages.Templates() {
		templates[template.Name] = "1107"
	}
	send := func(key string) (string, error) {
		sender, err := sms.NewMSG91(config.SMS{MSG91AuthKey: key, MSG91URL: s.URL, MSG91Sender: "FRNCHS", DLTTemplates: templates})
		require.NoError(t, err)
		return sender.Send(t.Context(), messages.Message{Mobile: "919876543210", Template: "otp", Text: "123456 is your code"}, time.Minute)
	}
	id, err := send("a-key")
	require.NoError(t, err)
	require.Len(t, id, 24)
	reader := sms.Readers(config.SMS{MSG91ReceiptKey: "a-long-key-for-the-reports"}, nil)["msg91"]
	receipts, err := reader.ReadReceipts(<-reports)
	require.NoError(t, err)
	require.Equal(t, []messages.Receipt{{Ref: id, Delivered: true}}, receipts)
	status, _, err := ask(t.Context(), t, http.MethodPost, s.URL+"/mode", `{"mode":"undelivered","channel":"sms"}`)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, status)
	id, err = send("a-key")
	require.NoError(t, err)
	receipts, err = reader.ReadReceipts(<-reports)
	require.NoError(t, err)
	require.Equal(t, []messages.Receipt{{Ref: id, Code: "2"}}, receipts, "it was taken, and did not arrive")
	status, _, err = ask(t.Context(), t, http.MethodPost, s.URL+"/mode", `{"mode":"ok"}`)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, status)
	_, err = send("another")
	require.Error(t, err)
	_, list, err := ask(t.Context(), t, http.MethodGet, s.URL+"/messages?mobile=9876543210", "")
	require.NoError(t, err)
	require.Equal(t, 2, strings.Count(list, "123456 is your code"), list)
	status, body, err := ask(t.Context(), t, http.MethodPost, s.URL+"/api/v2/sendsms", `{"sender":"FRNCHS","sms":[]}`)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, body, `"type":"error"`)
}
