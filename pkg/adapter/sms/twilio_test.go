package sms_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/sms"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// described is a server that knows nothing but an OpenAPI description: it takes what the description allows, says
// what is wrong with the rest, and answers with the description's own example.
type described struct {
	router routers.Router
	wrong  error
	taken  url.Values
}

func newDescribed(t *testing.T, path string) *described {
	t.Helper()
	spec, err := openapi3.NewLoader().LoadFromFile(path)
	require.NoError(t, err)
	spec.Servers = nil // it is reached at another address here
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

func TestTwilioIsCalledAsItsDescriptionSays(t *testing.T) {
	t.Parallel()
	description := os.Getenv("TWILIO_OPENAPI")
	if description == "" {
		description = "testdata/twilio-messages.yaml"
	}
	d := newDescribed(t, description)
	server := httptest.NewServer(d)
	t.Cleanup(server.Close)

	c := providers(server.URL)["twilio"]
	provider, err := sms.New(c)
	require.NoError(t, err)
	require.NoError(t, provider.Send(t.Context(), textMessage()), "%v", d.wrong)
	require.NoError(t, d.wrong)
	require.Equal(t, url.Values{"To": {"+919876543210"}, "From": {"+15005550006"}, "Body": {textMessage().Text}}, d.taken)

	c.TwilioService = "MG0123456789abcdef0123456789abcdef"
	provider, err = sms.New(c)
	require.NoError(t, err)
	require.NoError(t, provider.Send(t.Context(), textMessage()), "%v", d.wrong)
	require.Equal(t, url.Values{"To": {"+919876543210"}, "MessagingServiceSid": {c.TwilioService}, "Body": {textMessage().Text}}, d.taken)

	// what the description forbids is seen, so that the above means something
	c.TwilioService = "not a service"
	provider, err = sms.New(c)
	require.NoError(t, err)
	require.Equal(t, errs.KindInvalid, errs.KindOf(provider.Send(t.Context(), textMessage())))
	require.Error(t, d.wrong)
	c.TwilioService, c.TwilioSID = "", "no account"
	provider, err = sms.New(c)
	require.NoError(t, err)
	require.Error(t, provider.Send(t.Context(), textMessage()))
	require.Error(t, d.wrong)
}

// basicOnly takes a request with a user and a password, as the description's one security scheme wants.
func basicOnly(_ context.Context, in *openapi3filter.AuthenticationInput) error {
	if _, password, ok := in.RequestValidationInput.Request.BasicAuth(); !ok || password == "" {
		return errors.New("no basic authentication")
	}
	return nil
}
