package sms_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/adapter/sms"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

func textMessage() account.TextMessage {
	return account.TextMessage{
		ID: "019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50", Mobile: "9876543210", Template: account.TemplateCode,
		Text: "123456 is your Franchise 360 code.\n\n@franchise360.example #123456", Values: []string{"123456", "franchise360.example"},
	}
}

// providers are all adapters, each sending to the URL.
func providers(url string) map[string]config.SMS {
	return map[string]config.SMS{
		"inbox": {Provider: "inbox", InboxURL: url},
		"msg91": {
			Provider: "msg91", MSG91URL: url, MSG91AuthKey: "key", MSG91Sender: "FRNCHS",
			DLTTemplates: map[string]string{"otp": "1107161", "account_exists": "1107162", "mobile_changed": "1107163"},
		},
		"twilio": {
			Provider: "twilio", TwilioURL: url, TwilioSID: "AC0123456789abcdef0123456789abcdef", TwilioToken: "token", TwilioFrom: "+15005550006",
		},
	}
}

func serve(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL
}

func TestEveryProviderTellsTheClassesOfFailureApart(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		status int
		want   errs.Kind
	}{
		{http.StatusCreated, ""},
		{http.StatusBadRequest, errs.KindInvalid},
		{http.StatusNotFound, errs.KindInvalid},
		{http.StatusUnprocessableEntity, errs.KindInvalid},
		{http.StatusUnauthorized, errs.KindUnavailable},
		{http.StatusForbidden, errs.KindUnavailable},
		{http.StatusTooManyRequests, errs.KindRateLimited},
		{http.StatusFound, errs.KindUnavailable},
		{http.StatusInternalServerError, errs.KindUnavailable},
		{http.StatusServiceUnavailable, errs.KindUnavailable},
	} {
		url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Retry-After", "17")
			w.Header().Set("Location", "http://127.0.0.1:1/")
			w.WriteHeader(tc.status)
			_, _ = io.WriteString(w, `{"type":"success","message":"+919876543210"}`)
		})
		for name, c := range providers(url) {
			provider, err := sms.New(c)
			require.NoError(t, err)
			err = provider.Send(t.Context(), textMessage())
			if tc.want == "" {
				require.NoError(t, err, name)
				continue
			}
			require.Error(t, err, "%s %d", name, tc.status)
			require.Equal(t, tc.want, errs.KindOf(err), "%s %d", name, tc.status)
			require.NotContains(t, err.Error(), "9876543210", "errors are logged")
			require.NotContains(t, err.Error(), "123456", "errors are logged")
			if tc.want == errs.KindRateLimited {
				require.Equal(t, 17*time.Second, errs.As(err).RetryAfter)
			}
		}
	}
}

func TestAProviderThatNeverAnswersMayWorkLater(t *testing.T) {
	t.Parallel()
	stop := make(chan struct{})
	url := serve(t, func(http.ResponseWriter, *http.Request) { <-stop })
	t.Cleanup(func() { close(stop) }) // runs before the server is closed
	for name, c := range providers(url) {
		provider, err := sms.New(c)
		require.NoError(t, err)
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		err = provider.Send(ctx, textMessage())
		cancel()
		require.Equal(t, errs.KindUnavailable, errs.KindOf(err), name)
		require.ErrorIs(t, err, context.DeadlineExceeded, name)
	}
}

func TestMSG91SendsTheTextUnderItsDLTTemplate(t *testing.T) {
	t.Parallel()
	var got map[string]any
	answer := `{"type":"success","message":"3763646c3058373530393938"}`
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost || r.URL.Path != "/api/v2/sendsms" || r.Header.Get("authkey") != "key" || r.URL.RawQuery != "" {
			w.WriteHeader(http.StatusTeapot)
			return
		}
		_ = json.NewDecoder(r.Body).Decode(&got)
		_, _ = io.WriteString(w, answer)
	})
	provider, err := sms.New(providers(url)["msg91"])
	require.NoError(t, err)
	require.NoError(t, provider.Send(t.Context(), textMessage()))
	require.Equal(t, map[string]any{
		"sender": "FRNCHS", "route": "4", "country": "91", "DLT_TE_ID": "1107161",
		"sms": []any{map[string]any{"message": textMessage().Text, "to": []any{"9876543210"}}},
	}, got)

	answer = `{"type":"error","message":"Invalid authkey"}`
	require.Equal(t, errs.KindUnavailable, errs.KindOf(provider.Send(t.Context(), textMessage())))

	unknown := textMessage()
	unknown.Template = "no_such_template"
	require.Equal(t, errs.KindInvalid, errs.KindOf(provider.Send(t.Context(), unknown)))
}

func TestTheInboxGetsWhatItWants(t *testing.T) {
	t.Parallel()
	var got map[string]string
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost || r.URL.Path != "/messages" {
			w.WriteHeader(http.StatusTeapot)
			return
		}
		_ = json.NewDecoder(r.Body).Decode(&got)
		w.WriteHeader(http.StatusAccepted)
	})
	provider, err := sms.New(providers(url)["inbox"])
	require.NoError(t, err)
	require.NoError(t, provider.Send(t.Context(), textMessage()))
	require.Equal(t, map[string]string{"to": "+919876543210", "body": textMessage().Text}, got)
}

func TestAnIncompleteConfigurationIsRefusedAtTheStart(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]config.SMS{
		"unknown provider": {Provider: "pigeon"},
		"inbox":            {Provider: "inbox"},
		"twilio no sender": {Provider: "twilio", TwilioSID: "AC", TwilioToken: "x"},
		"msg91 no key":     {Provider: "msg91", MSG91Sender: "FRNCHS"},
		"msg91 no DLT ids": {Provider: "msg91", MSG91AuthKey: "key", MSG91Sender: "FRNCHS"},
	} {
		_, err := sms.New(c)
		require.Error(t, err, name)
	}
}
