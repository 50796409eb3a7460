package photon_test

import (
	"net/http"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/address"
)

// A place may carry its country's code without its name.
func TestSuggest_CountryNameMissing_IsOmitted(t *testing.T) {
	t.Parallel()
	for _, country := range []string{"", " "} {
		c := answering(t, feature(t, map[string]string{"name": "Pune", "type": "city", "state": "Maharashtra", "country": country}))
		got, err := c.Suggest(t.Context(), "pune", session, 5)
		require.NoError(t, err)
		require.Len(t, got, 1)
		p, err := c.Place(t.Context(), got[0].PlaceID, session)
		require.NoError(t, err)
		require.Equal(t, address.Place{
			Formatted: "Pune, Maharashtra", Locality: "Pune", State: "Maharashtra", Latitude: 18.52, Longitude: 73.85,
		}, p)
	}
}

// Only the name of a city or a district is its locality; a house's or a road's name is not.
func TestPlace_Locality_IsTheNameOfATownOnly(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]string{
		"city": "Asha", "district": "Asha", "house": "", "street": "", "locality": "", "county": "", "state": "", "country": "", "other": "", "": "",
	} {
		c := answering(t, feature(t, map[string]string{"name": "Asha", "type": kind}))
		got, err := c.Suggest(t.Context(), "asha", session, 5)
		require.NoError(t, err)
		p, err := c.Place(t.Context(), got[0].PlaceID, session)
		require.NoError(t, err)
		require.Equal(t, want, p.Locality, kind)
		require.Equal(t, "Asha, India", p.Formatted, kind)
	}
	c := answering(t, feature(t, map[string]string{"name": "Camp", "type": "district", "city": "Pune"}))
	got, err := c.Suggest(t.Context(), "camp", session, 5)
	require.NoError(t, err)
	p, err := c.Place(t.Context(), got[0].PlaceID, session)
	require.NoError(t, err)
	require.Equal(t, "Pune", p.Locality, "the city that it is in comes first")
}

// Equal parts in a row are merged; a part that comes again later is repeated.
func TestSuggest_EqualAdjacentParts_AreMerged(t *testing.T) {
	t.Parallel()
	for want, properties := range map[string]map[string]string{
		"Camp, Pune":                 {"name": "Camp", "locality": "Camp", "district": "Camp", "city": "Pune"},
		"MG Road, Camp":              {"name": "MG Road", "street": "MG Road", "district": "Camp"},
		"12 MG Road, Camp":           {"housenumber": "12", "street": "MG Road", "district": "Camp"},
		"12, Camp":                   {"housenumber": "12", "district": "Camp"},
		"Pune, MG Road, Pune":        {"name": "Pune", "street": "MG Road", "city": "Pune"},
		"Chandigarh":                 {"name": "Chandigarh", "street": " ", "district": "Chandigarh ", "city": " Chandigarh"},
		"Chandigarh, Chandigarh 160": {"city": "Chandigarh", "state": "Chandigarh", "postcode": "160"},
	} {
		got, err := answering(t, feature(t, properties)).Suggest(t.Context(), "x", session, 5)
		require.NoError(t, err)
		require.Equal(t, want, got[0].Description)
	}
}

// The corners of the earth are on it, in the order longitude, latitude.
func TestPlace_CoordinatesAtTheLimits_AreAccepted(t *testing.T) {
	t.Parallel()
	for point, want := range map[string][2]float64{
		"[180,90]": {90, 180}, "[-180,-90]": {-90, -180}, "[0,0]": {0, 0}, "[73.8803,18.5124]": {18.5124, 73.8803},
	} {
		c := answering(t, featureAt(t, point, map[string]string{"name": "Pune"}))
		got, err := c.Suggest(t.Context(), "pune", session, 5)
		require.NoError(t, err)
		require.Len(t, got, 1, point)
		p, err := c.Place(t.Context(), got[0].PlaceID, session)
		require.NoError(t, err)
		require.Equal(t, want, [2]float64{p.Latitude, p.Longitude}, point)
	}
}

// The request has the number of shown places, English names, and India's bounds.
func TestSuggest_RequestsIndiaAlone(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{1, 5} {
		c := serve(t, func(w http.ResponseWriter, r *http.Request) {
			q := r.URL.Query()
			if r.Method != http.MethodGet || q.Get("lang") != "en" || q.Get("limit") != strconv.Itoa(limit) || q.Get("bbox") != "68.0,6.5,97.5,37.2" ||
				q.Get("countrycode") != "IN" || q.Get("q") != "पुणे" {
				w.WriteHeader(http.StatusTeapot)
			}
		})
		_, err := c.Suggest(t.Context(), "पुणे", session, limit)
		require.NoError(t, err)
	}
}
