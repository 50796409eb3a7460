package sms_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/sms"
	"github.com/franchise360/franchise360/pkg/message"
)

// described is a server driven only by an OpenAPI description: it accepts valid requests, records the faults of others, and answers with
// the description's own example.
type described struct {
	router routers.Router
	wrong  error
	taken  url.Values
}

func newDescribed(t *testing.T, path string) *described {
	t.Helper()
	spec, err := openapi3.NewLoader().LoadFromFile(path)
	require.NoError(t, err)
	spec.Servers = nil // the test server has another address
	for _, item := range spec.Paths.Map() {
		item.Servers = nil
	}
	router, err := gorillamux.NewRouter(spec)
	require.NoError(t, err)
	return &described{router: router}
}

// ServeHTTP answers one call.
func (d *described) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	route, params, err := d.router.FindRoute(r)
	if err != nil {
		d.wrong = err
		w.WriteHeader(http.StatusNotFound)
		return
	}
	d.wrong = openapi3filter.ValidateRequest(r.Context(), &openapi3filter.RequestValidationInput{
		Request: r, PathParams: params, Route: route,
		Options: &openapi3filter.Options{AuthenticationFunc: basicOnly, MultiError: true},
	})
	if d.wrong != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	_ = r.ParseForm()
	d.taken = r.PostForm
	content := route.Operation.Responses.Status(http.StatusCreated).Value.Content.Get("application/json")
	w.WriteHeader(http.StatusCreated)
	_ = json.NewEncoder(w).Encode(content.Examples["create"].Value.Value)
}

// Every request of the adapter is validated against Twilio's published description.
func TestTwilio_Send_FollowsItsOpenAPIDescription(t *testing.T) {
	t.Parallel()
	description := os.Getenv("TWILIO_OPENAPI")
	if description == "" {
		description = "testdata/twilio_create_message.json"
	}
	d := newDescribed(t, description)
	server := httptest.NewServer(d)
	t.Cleanup(server.Close)

	c := providers(server.URL)["twilio"]
	ref, err := newProvider(t, c).Send(t.Context(), textMessage(), 10*time.Minute)
	require.NoError(t, err, "%v", d.wrong)
	require.NoError(t, d.wrong)
	require.Equal(t, "SM"+strings.Repeat("a", 32), ref)
	callback := "https://franchise360.example/api/franchise/sms/receipts/twilio?message=" + messageID
	require.Equal(t, url.Values{
		"To": {"+919876543210"}, "From": {"+15005550006"}, "Body": {textMessage().Text}, "ValidityPeriod": {"600"}, "StatusCallback": {callback},
	}, d.taken)

	for life, want := range map[time.Duration]string{time.Second: "6", 72 * time.Hour: "36000", 90*time.Second + time.Millisecond: "90"} {
		_, err := newProvider(t, c).Send(t.Context(), textMessage(), life)
		require.NoError(t, err, "%v", d.wrong)
		require.Equal(t, want, d.taken.Get("ValidityPeriod"))
	}

	c.TwilioFrom = "MG0123456789abcdef0123456789abcdef"
	_, err = newProvider(t, c).Send(t.Context(), textMessage(), 10*time.Minute)
	require.NoError(t, err, "%v", d.wrong)
	require.Equal(t, c.TwilioFrom, d.taken.Get("MessagingServiceSid"))
	require.False(t, d.taken.Has("From"))

	// a violation of the description is detected, so the checks above are meaningful
	c.TwilioFrom = "MG, not a service"
	_, err = newProvider(t, c).Send(t.Context(), textMessage(), 10*time.Minute)
	require.Error(t, err)
	require.Error(t, d.wrong)
	c.TwilioFrom, c.TwilioSID = "+15005550006", "no account"
	_, err = newProvider(t, c).Send(t.Context(), textMessage(), 10*time.Minute)
	require.Error(t, err)
	require.Error(t, d.wrong)
}

func TestTwilio_WithoutHTTPS_RequestsNoReceipts(t *testing.T) {
	t.Parallel()
	d := newDescribed(t, "testdata/twilio_create_message.json")
	server := httptest.NewServer(d)
	t.Cleanup(server.Close)
	list, err := sms.New(providers(server.URL)["twilio"], &url.URL{Scheme: "http", Host: "localhost:8080"})
	require.NoError(t, err)
	_, err = list[0].Send(t.Context(), textMessage(), time.Minute)
	require.NoError(t, err)
	require.False(t, d.taken.Has("StatusCallback"))
}

// Twilio answers errors of the number and of the account with the same status; its code tells them apart
// (https://www.twilio.com/docs/api/errors).
func TestTwilio_EachErrorCode_HasItsClass(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		status, code int
		want         message.Class
	}{
		{400, 21211, message.ClassRefused},
		{400, 21610, message.ClassRefused},
		{400, 21614, message.ClassRefused},
		{400, 21635, message.ClassRefused},
		{400, 21265, message.ClassRefused},
		{400, 21617, message.ClassRefused},
		{400, 21606, message.ClassAccount}, // From is not ours
		{400, 21612, message.ClassAccount}, // no route from this sender to this number
		{400, 21659, message.ClassAccount},
		{403, 21408, message.ClassAccount}, // the region is not enabled
		{400, 21408, message.ClassAccount},
		{401, 20003, message.ClassAccount}, // wrong token
		{404, 20404, message.ClassAccount}, // no such account
		{400, 29999, message.ClassAccount}, // unknown: it is retried
		{429, 20429, message.ClassLimited},
		{500, 20500, message.ClassUnconfirmed}, // its documentation: the message may have been sent
		{503, 20503, message.ClassUnavailable},
	} {
		address := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(tc.status)
			_, _ = fmt.Fprintf(w, `{"code":%d,"message":"The number +919876543210 is wrong","more_info":"https://www.twilio.com/docs/errors/%d","status":%d}`,
				tc.code, tc.code, tc.status)
		})
		f := failure(t, newProvider(t, providers(address)["twilio"]))
		require.Equal(t, tc.want, f.Class, tc.code)
		require.Equal(t, strconv.Itoa(tc.code), f.Code)
	}
}

// basicOnly accepts a request with a user and a password, as the description's only security scheme requires.
func basicOnly(_ context.Context, in *openapi3filter.AuthenticationInput) error {
	if _, password, ok := in.RequestValidationInput.Request.BasicAuth(); !ok || password == "" {
		return errors.New("no basic authentication")
	}
	return nil
}
