package google_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/places/google"
	"github.com/franchise360/franchise360/pkg/address"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

const session = "5f1f7f0e-6a0b-4f0e-9f0e-1a2b3c4d5e6f"

// Responses shaped as in the provider's reference, cut to the fields of the mask.
const (
	suggestions = `{"suggestions":[
		{"placePrediction":{"place":"places/ChIJx9Lr6tqZyzsRwvu6koO3k64","placeId":"ChIJx9Lr6tqZyzsRwvu6koO3k64",
			"text":{"text":"Camp, Pune, Maharashtra, India","matches":[{"endOffset":4}]}}},
		{"queryPrediction":{"text":{"text":"camping near Pune"}}},
		{"placePrediction":{"placeId":"ChIJARFGZy6_wjsRQ-Oenb9DjYI","text":{"text":"Pune, Maharashtra, India"}}},
		{"placePrediction":{"placeId":"third","text":{"text":"One too many"}}}]}`
	details = `{"formattedAddress":"Camp, Pune, Maharashtra 411001, India",
		"addressComponents":[
			{"longText":"Camp","shortText":"Camp","types":["sublocality_level_1","sublocality","political"],"languageCode":"en"},
			{"longText":"Pune","shortText":"Pune","types":["locality","political"],"languageCode":"en"},
			{"longText":"Pune","shortText":"Pune","types":["administrative_area_level_3","political"],"languageCode":"en"},
			{"longText":"Maharashtra","shortText":"MH","types":["administrative_area_level_1","political"],"languageCode":"en"},
			{"longText":"India","shortText":"IN","types":["country","political"],"languageCode":"en"},
			{"longText":"411001","shortText":"411001","types":["postal_code"],"languageCode":"en-US"}],
		"location":{"latitude":18.5124,"longitude":73.8803}}`
)

func serve(t *testing.T, h http.HandlerFunc) *google.Client {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	c, err := google.New(server.URL, "test-key")
	require.NoError(t, err)
	return c
}

func answer(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(body))
}

func TestSuggest_ReadsPredictions(t *testing.T) {
	t.Parallel()
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		var in map[string]any
		if r.Method != http.MethodPost || r.URL.Path != "/v1/places:autocomplete" || r.Header.Get("X-Goog-Api-Key") != "test-key" ||
			!strings.Contains(r.Header.Get("X-Goog-FieldMask"), "placeId") || json.NewDecoder(r.Body).Decode(&in) != nil ||
			in["input"] != "camp pune" || in["sessionToken"] != session {
			answer(w, http.StatusBadRequest, `{"error":{"status":"INVALID_ARGUMENT"}}`)
			return
		}
		answer(w, http.StatusOK, suggestions)
	})
	got, err := c.Suggest(t.Context(), "camp pune", session, 2)
	require.NoError(t, err)
	require.Equal(t, []address.Suggestion{
		{Description: "Camp, Pune, Maharashtra, India", PlaceID: "ChIJx9Lr6tqZyzsRwvu6koO3k64"},
		{Description: "Pune, Maharashtra, India", PlaceID: "ChIJARFGZy6_wjsRQ-Oenb9DjYI"},
	}, got)
}

func TestPlace_ReadsDetails(t *testing.T) {
	t.Parallel()
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.EscapedPath() != "/v1/places/ChIJx9Lr6tqZyzsRwvu6koO3k64" || r.URL.Query().Get("sessionToken") != session {
			answer(w, http.StatusBadRequest, `{"error":{"code":400,"status":"INVALID_ARGUMENT"}}`)
			return
		}
		answer(w, http.StatusOK, details)
	})
	got, err := c.Place(t.Context(), "ChIJx9Lr6tqZyzsRwvu6koO3k64", session)
	require.NoError(t, err)
	require.Equal(t, address.Place{
		Formatted: "Camp, Pune, Maharashtra 411001, India", PostalCode: "411001", Locality: "Pune", District: "Pune",
		State: "Maharashtra", Country: "India", Latitude: 18.5124, Longitude: 73.8803,
	}, got)
	for _, id := range []string{"unknown", "../../v2/secrets", "x?key=y"} {
		_, err := c.Place(t.Context(), id, session)
		require.Equal(t, errs.KindNotFound, errs.KindOf(err), id)
	}
}

func TestFailures_AreUnavailableAndHideTheKey(t *testing.T) {
	t.Parallel()
	for name, h := range map[string]http.HandlerFunc{
		"bad key": func(w http.ResponseWriter, _ *http.Request) {
			answer(w, http.StatusForbidden, `{"error":{"message":"key"}}`)
		},
		"quota":     func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusTooManyRequests, `{}`) },
		"their 500": func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusInternalServerError, "oops") },
		"html":      func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, "<html>") },
		"redirect":  func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/elsewhere", http.StatusFound) },
		"too large": func(w http.ResponseWriter, _ *http.Request) {
			answer(w, http.StatusOK, `{"x":"`+strings.Repeat("y", 1<<20)+`"}`)
		},
		"no answer": func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // only then does the server notice that the client left
			<-r.Context().Done()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := serve(t, h)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			_, err := c.Suggest(ctx, "pune", session, 5)
			require.Equal(t, errs.KindUnavailable, errs.KindOf(err))
			require.NotContains(t, err.Error(), "test-key")
			require.NoError(t, ctx.Err(), "it is not waited for until the caller gives up")
			_, err = c.Place(t.Context(), "some-place", session)
			require.Equal(t, errs.KindUnavailable, errs.KindOf(err))
		})
	}
	_, err := google.New("https://places.googleapis.com", "")
	require.Error(t, err)
}

// Google answers a wrong key and a wrong place id with the same status; the reason in the details tells them apart
// (https://cloud.google.com/apis/design/errors, google.rpc.ErrorInfo). The first body is what its APIs answer to a non-existent
// key.
func TestPlace_InvalidKey_IsNotReportedAsNotFound(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]errs.Kind{
		`{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT","details":[
			{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID","domain":"googleapis.com",
			"metadata":{"service":"places.googleapis.com"}},
			{"@type":"type.googleapis.com/google.rpc.LocalizedMessage","locale":"en-US","message":"API key not valid."}]}}`: errs.KindUnavailable,
		`{"error":{"code":400,"status":"INVALID_ARGUMENT","details":[{"reason":"API_KEY_EXPIRED","domain":"googleapis.com"}]}}`: errs.KindUnavailable,
		`{"error":{"code":400,"status":"FAILED_PRECONDITION"}}`:                                                                 errs.KindUnavailable,
		`<html>`: errs.KindUnavailable,
		`{"error":{"code":400,"message":"Not a valid Place ID: nowhere","status":"INVALID_ARGUMENT"}}`: errs.KindNotFound,
		`{"error":{"code":400,"status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.BadRequest",
			"fieldViolations":[{"field":"name"}]}]}}`: errs.KindNotFound,
	} {
		c := serve(t, func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusBadRequest, body) })
		_, err := c.Place(t.Context(), "nowhere", session)
		require.Equal(t, want, errs.KindOf(err), body)
		_, err = c.Suggest(t.Context(), "pune", session, 5)
		require.Equal(t, errs.KindUnavailable, errs.KindOf(err), body)
	}
}

func TestSession_Empty_IsNotSent(t *testing.T) {
	t.Parallel()
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if strings.Contains(string(body), "sessionToken") || r.URL.Query().Has("sessionToken") {
			answer(w, http.StatusInternalServerError, "")
			return
		}
		answer(w, http.StatusOK, details)
	})
	_, err := c.Suggest(t.Context(), "pune", "", 5)
	require.NoError(t, err)
	_, err = c.Place(t.Context(), "somewhere", "")
	require.NoError(t, err)
}

// Google's policy requires the logo, or the text Google Maps if space is short.
func TestAttribution_IsGooglesText(t *testing.T) {
	t.Parallel()
	require.Equal(t, "Google Maps", serve(t, func(http.ResponseWriter, *http.Request) {}).Attribution())
}
