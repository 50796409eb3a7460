package photon_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/places/photon"
	"github.com/franchise360/franchise360/pkg/address"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// session is a search session; Photon does not bill by it.
const session = "5f1f7f0e-6a0b-4f0e-9f0e-1a2b3c4d5e6f"

// The shape of a Photon answer: GeoJSON, coordinates as longitude, latitude.
const found = `{"type":"FeatureCollection","features":[
	{"type":"Feature","geometry":{"type":"Point","coordinates":[73.8803,18.5124]},"properties":{"osm_type":"N","osm_id":1,
		"osm_key":"place","osm_value":"suburb","type":"district","name":"Camp","city":"Pune","county":"Pune","state":"Maharashtra",
		"postcode":"411001","country":"India","countrycode":"IN"}},
	{"type":"Feature","geometry":{"type":"Point","coordinates":[85.3,27.7]},"properties":{"type":"city","name":"Kathmandu",
		"country":"Nepal","countrycode":"NP"}},
	{"type":"Feature","geometry":{"type":"Point","coordinates":[73.8544,18.5214]},"properties":{"type":"city","name":"Pune",
		"state":"Maharashtra","country":"India","countrycode":"IN"}},
	{"type":"Feature","geometry":{"type":"Point","coordinates":[73.8544,18.5214]},"properties":{"type":"city","name":"Pune",
		"state":"Maharashtra","country":"India","countrycode":"IN"}},
	{"type":"Feature","geometry":{"type":"Point","coordinates":[]},"properties":{"name":"Nowhere","countrycode":"IN"}}]}`

func serve(t *testing.T, h http.HandlerFunc) *photon.Client {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	c, err := photon.New(server.URL)
	require.NoError(t, err)
	return c
}

func TestSuggest_Places_HaveTheirAddress(t *testing.T) {
	t.Parallel()
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/api" || r.URL.Query().Get("q") != "camp & pune" || r.URL.Query().Get("bbox") == "" ||
			r.URL.Query().Get("countrycode") != "IN" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json;charset=utf-8")
		_, _ = w.Write([]byte(found))
	})
	got, err := c.Suggest(t.Context(), "camp & pune", session, 5)
	require.NoError(t, err)
	require.Equal(t, "© OpenStreetMap contributors", c.Attribution(), "https://www.openstreetmap.org/copyright")
	require.Len(t, got, 2, "only India, nothing twice, nothing without a point")
	require.Equal(t, "Camp, Pune, Maharashtra 411001", got[0].Description)
	require.Less(t, len(got[0].PlaceID), 512)

	p, err := c.Place(t.Context(), got[0].PlaceID, session)
	require.NoError(t, err)
	require.Equal(t, address.Place{
		Formatted: "Camp, Pune, Maharashtra 411001, India", PostalCode: "411001", Locality: "Pune", District: "Pune",
		State: "Maharashtra", Country: "India", Latitude: 18.5124, Longitude: 73.8803,
	}, p)
	p, err = c.Place(t.Context(), got[1].PlaceID, session)
	require.NoError(t, err)
	require.Equal(t, "Pune", p.Locality)
	for _, id := range []string{"", "ph:", "ph:!!", "ph:e30", "in:411001", "ph:" + strings.Repeat("A", 400)} {
		_, err := c.Place(t.Context(), id, session)
		require.Equal(t, errs.KindNotFound, errs.KindOf(err), id)
	}
}

func TestFailures_AreUnavailable(t *testing.T) {
	t.Parallel()
	for name, h := range map[string]http.HandlerFunc{
		"their 500": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
		"redirect":  func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/x", http.StatusFound) },
		"no answer": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"broken": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"features":[`))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := serve(t, h).Suggest(t.Context(), "pune", session, 5)
			require.Equal(t, errs.KindUnavailable, errs.KindOf(err))
		})
	}
	_, err := photon.New("")
	require.Error(t, err)
}
