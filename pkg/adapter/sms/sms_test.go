package sms_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/sms"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/config"
)

const messageID = "019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50"

func public(t *testing.T) *url.URL {
	t.Helper()
	u, err := url.Parse("https://franchise360.example")
	require.NoError(t, err)
	return u
}

func textMessage() message.Message {
	return message.Site{Host: "franchise360.example"}.Compose(message.Message{
		ID: messageID, Mobile: "9876543210", Template: message.TemplateCode, Values: []string{"123456", "123456"},
	})
}

// dltTemplates returns ids for every template that the product can send.
func dltTemplates() map[string]string {
	ids := map[string]string{}
	for _, template := range message.Templates() {
		ids[template.Name] = "11071" + template.Name
	}
	return ids
}

// providers returns the settings of all adapters, each sending to the URL.
func providers(url string) map[string]config.SMS {
	return map[string]config.SMS{
		"inbox": {Provider: "inbox", InboxURL: url},
		"msg91": {Provider: "msg91", MSG91URL: url, MSG91AuthKey: "key", MSG91Sender: "FRNCHS", DLTTemplates: dltTemplates()},
		"twilio": {
			Provider: "twilio", TwilioURL: url, TwilioSID: "AC0123456789abcdef0123456789abcdef", TwilioToken: "token", TwilioFrom: "+15005550006",
		},
	}
}

func newProvider(t *testing.T, c config.SMS) message.Provider {
	t.Helper()
	list, err := sms.New(c, public(t))
	require.NoError(t, err)
	require.Len(t, list, 1)
	return list[0]
}

func serve(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL
}

// failure sends one message and returns why it was not accepted.
func failure(t *testing.T, p message.Provider) *message.SendError {
	t.Helper()
	_, err := p.Send(t.Context(), textMessage(), time.Minute)
	require.Error(t, err)
	f, ok := errors.AsType[*message.SendError](err)
	require.True(t, ok, "%v", err)
	require.Equal(t, p.Name(), f.Provider)
	require.NotContains(t, err.Error(), "9876543210", "errors are logged")
	require.NotContains(t, err.Error(), "123456", "errors are logged")
	return f
}

func TestProviders_EachFailure_HasItsClass(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		status int
		want   message.Class
	}{
		{http.StatusBadRequest, message.ClassAccount},
		{http.StatusNotFound, message.ClassAccount},
		{http.StatusUnauthorized, message.ClassAccount},
		{http.StatusForbidden, message.ClassAccount},
		{http.StatusTooManyRequests, message.ClassLimited},
		{http.StatusFound, message.ClassUnavailable},
		{http.StatusNotImplemented, message.ClassUnavailable},
		{http.StatusServiceUnavailable, message.ClassUnavailable},
		{http.StatusInternalServerError, message.ClassUnconfirmed},
		{http.StatusBadGateway, message.ClassUnconfirmed},
		{520, message.ClassUnconfirmed}, // of a proxy: it does not know either
		{http.StatusGatewayTimeout, message.ClassUnconfirmed},
	} {
		url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Retry-After", "17")
			w.Header().Set("Location", "http://127.0.0.1:1/")
			w.WriteHeader(tc.status)
			_, _ = io.WriteString(w, `{"type":"error","message":"+919876543210"}`)
		})
		for name, c := range providers(url) {
			f := failure(t, newProvider(t, c))
			require.Equal(t, tc.want, f.Class, "%s %d", name, tc.status)
			if tc.want == message.ClassLimited {
				require.Equal(t, 17*time.Second, f.RetryAfter)
			}
		}
	}
}

func TestProviders_NoAnswer_DiffersFromNoConnection(t *testing.T) {
	t.Parallel()
	stop, asked := make(chan struct{}), make(chan struct{}, 1)
	silent := serve(t, func(http.ResponseWriter, *http.Request) {
		asked <- struct{}{}
		<-stop
	})
	t.Cleanup(func() { close(stop) }) // runs before the server is closed
	cut := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		_, _ = io.WriteString(w, `{"sid":`)
	})
	for name := range providers("") {
		ctx, cancel := context.WithCancel(t.Context())
		go func() { // the caller gives up once the provider has the message
			<-asked
			cancel()
		}()
		_, err := newProvider(t, providers(silent)[name]).Send(ctx, textMessage(), time.Minute)
		f, ok := errors.AsType[*message.SendError](err)
		require.True(t, ok, name)
		require.Equal(t, message.ClassUnconfirmed, f.Class, name)
		require.ErrorIs(t, err, context.Canceled, name)

		require.Equal(t, message.ClassUnavailable, failure(t, newProvider(t, providers("http://127.0.0.1:1")[name])).Class, name)
		require.Equal(t, message.ClassUnconfirmed, failure(t, newProvider(t, providers(cut)[name])).Class, name)
	}
}

func TestMSG91_Send_UsesTheDLTTemplate(t *testing.T) {
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
	provider := newProvider(t, providers(url)["msg91"])
	ref, err := provider.Send(t.Context(), textMessage(), time.Minute)
	require.NoError(t, err)
	require.Equal(t, "3763646c3058373530393938", ref, "its reports name the message by it")
	require.Equal(t, map[string]any{
		"sender": "FRNCHS", "route": "4", "country": "91", "DLT_TE_ID": "11071otp",
		"sms": []any{map[string]any{"message": textMessage().Text, "to": []any{"9876543210"}}},
	}, got)

	for body, want := range map[string]message.SendError{
		`{"type":"error","message":"Invalid authkey for 9876543210","code":"207"}`: {Class: message.ClassUnavailable, Code: "207"},
		`{"type":"error","message":"IP not allowed","code":418}`:                   {Class: message.ClassAccount, Code: "418"},
		`{"type":"error","message":"x","code":"9876543210 is unknown"}`:            {Class: message.ClassUnavailable},
		`<html>`: {Class: message.ClassUnconfirmed},
	} {
		answer = body
		f := failure(t, provider)
		require.Equal(t, want.Class, f.Class, body)
		require.Equal(t, want.Code, f.Code, body)
	}
}

// Without a DLT id for every message the worker does not start, and names every missing one: a customer's reminder must not be the first to
// fail.
func TestMSG91_TemplateWithoutADLTID_IsRefusedAtTheStart(t *testing.T) {
	t.Parallel()
	for _, template := range message.Templates() {
		c := providers("http://127.0.0.1:1")["msg91"]
		c.DLTTemplates = dltTemplates()
		delete(c.DLTTemplates, template.Name)
		_, err := sms.New(c, public(t))
		require.ErrorContains(t, err, "DLT_TEMPLATES names no id for "+template.Name)
	}
	c := providers("http://127.0.0.1:1")["msg91"]
	c.DLTTemplates = map[string]string{"otp": "1"}
	_, err := sms.New(c, public(t))
	for _, template := range message.Templates()[1:] {
		require.ErrorContains(t, err, template.Name)
	}
}

// For texts registered in Hindi too, MSG91 gets the Hindi DLT id and a Unicode flag. Only texts with an id count as registered; an id of an
// unknown text or language is refused at the start.
func TestMSG91_HindiText_UsesTheHindiDLTID(t *testing.T) {
	t.Parallel()
	var got map[string]any
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_ = json.NewDecoder(r.Body).Decode(&got)
		_, _ = io.WriteString(w, `{"type":"success","message":"3763646c3058373530393938"}`)
	})
	c := providers(url)["msg91"]
	c.DLTTemplates["otp.hi"] = "11072otp"
	m := message.Site{Host: "franchise360.example"}.Compose(message.Message{
		ID: messageID, Mobile: "9876543210", Template: message.TemplateCode, Language: "hi", Values: []string{"123456", "123456"},
	})
	_, err := newProvider(t, c).Send(t.Context(), m, time.Minute)
	require.NoError(t, err)
	require.Equal(t, "11072otp", got["DLT_TE_ID"])
	require.Equal(t, "1", got["unicode"])

	twilio := providers(url)["twilio"]
	twilio.DLTTemplates = map[string]string{"otp.hi": "11072otp"}
	_, err = sms.New(twilio, public(t))
	require.NoError(t, err)
	for _, settings := range []config.SMS{c, twilio} {
		registered := sms.Registered(settings)
		require.True(t, registered(message.TemplateCode, "hi"))
		require.True(t, registered(message.TemplateInvoiceLink, "en"))
		require.True(t, registered(message.TemplateInvoiceLink, ""))
		require.False(t, registered(message.TemplateInvoiceLink, "hi"))
	}
	require.True(t, sms.Registered(providers(url)["inbox"])(message.TemplateInvoiceLink, "hi"), "the development system shows every language")
	for _, wrong := range []string{"otp.en", "otp.ta", "otp.", "opt.hi"} {
		twilio.DLTTemplates = map[string]string{wrong: "1"}
		_, err := sms.New(twilio, public(t))
		require.ErrorContains(t, err, "DLT_TEMPLATES")
	}
}

func TestInbox_Send_PostsTheMessage(t *testing.T) {
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
	_, err := newProvider(t, providers(url)["inbox"]).Send(t.Context(), textMessage(), time.Minute)
	require.NoError(t, err)
	require.Equal(t, map[string]string{"to": "+919876543210", "body": textMessage().Text}, got)
}

func TestProviders_Several_KeepTheirOrder(t *testing.T) {
	t.Parallel()
	c := providers("http://127.0.0.1:1")["msg91"]
	twilio := providers("http://127.0.0.1:1")["twilio"]
	c.Provider, c.TwilioSID, c.TwilioToken, c.TwilioFrom = "twilio, msg91", twilio.TwilioSID, twilio.TwilioToken, twilio.TwilioFrom
	list, err := sms.New(c, public(t))
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Equal(t, "twilio", list[0].Name())
	require.Equal(t, "msg91", list[1].Name())
}

func TestNew_IncompleteConfiguration_IsRefused(t *testing.T) {
	t.Parallel()
	whole := providers("http://127.0.0.1:1")["twilio"]
	for name, c := range map[string]config.SMS{
		"unknown provider": {Provider: "pigeon"},
		"none":             {},
		"inbox":            {Provider: "inbox"},
		"twilio no sender": {Provider: "twilio", TwilioSID: "AC", TwilioToken: "x"},
		"msg91 no key":     {Provider: "msg91", MSG91Sender: "FRNCHS", DLTTemplates: dltTemplates()},
		"msg91 no DLT ids": {Provider: "msg91", MSG91AuthKey: "key", MSG91Sender: "FRNCHS"},
		"twice": {
			Provider: "twilio,twilio", TwilioSID: whole.TwilioSID, TwilioToken: whole.TwilioToken, TwilioFrom: whole.TwilioFrom,
		},
		"the second is incomplete": {
			Provider: "twilio,msg91", TwilioSID: whole.TwilioSID, TwilioToken: whole.TwilioToken, TwilioFrom: whole.TwilioFrom,
		},
	} {
		_, err := sms.New(c, public(t))
		require.Error(t, err, name)
	}
	_, err := sms.New(config.SMS{Provider: "pigeon"}, public(t))
	require.True(t, strings.HasPrefix(err.Error(), "SMS_URL"))
}

// A provider's pause is at most an hour, in any notation. A value that is not a number of seconds means the shortest pause, and a pause is
// never negative.
func TestRetryAfter_AnyHeader_IsAtMostAnHour(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]time.Duration{
		"": 5 * time.Second, "0": 5 * time.Second, "-7": 5 * time.Second, "soon": 5 * time.Second, "1.5": 5 * time.Second, "Wed, 21 Oct 2026 07:28:00 GMT": 5 * time.Second,
		"1": time.Second, "3599": time.Hour - time.Second, "3600": time.Hour, "3601": time.Hour, "9223372037": time.Hour, "27670116111": time.Hour,
		"9223372036854775807": time.Hour, "9223372036854775808": 5 * time.Second,
	} {
		url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", header)
			w.WriteHeader(http.StatusTooManyRequests)
		})
		for name, c := range providers(url) {
			f := failure(t, newProvider(t, c))
			require.Equal(t, message.ClassLimited, f.Class, name)
			require.Equal(t, want, f.RetryAfter, "%s: %q", name, header)
		}
	}
}
