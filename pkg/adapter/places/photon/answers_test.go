package photon_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/places/photon"
	"github.com/franchise360/franchise360/pkg/address"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// longestID is the longest place id that the service accepts (address.Service.Find).
const longestID = 512

// feature returns one feature of an answer at a point in Pune with the given properties, in India unless they say otherwise.
func feature(t *testing.T, properties map[string]string) string {
	t.Helper()
	return featureAt(t, "[73.85,18.52]", properties)
}

func featureAt(t *testing.T, point string, properties map[string]string) string {
	t.Helper()
	of := map[string]string{"country": "India", "countrycode": "IN"}
	maps.Copy(of, properties)
	text, err := json.Marshal(of)
	require.NoError(t, err)
	return fmt.Sprintf(`{"type":"Feature","geometry":{"type":"Point","coordinates":%s},"properties":%s}`, point, text)
}

// answering serves the features for every search.
func answering(t *testing.T, features ...string) *photon.Client {
	t.Helper()
	return serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"features":[` + strings.Join(features, ",") + `]}`))
	})
}

// Names of any length in multi-byte letters still fit into the id, which leads to the place.
func TestPlace_EachSuggestion_CanBeChosen(t *testing.T) {
	t.Parallel()
	for name, letter := range map[string]string{
		"Latin": "W", "Devanagari": "क", "emoji": "🍬", "escaped in JSON": "<", "quoted": `"`, "control": "\x01",
	} {
		word := strings.Repeat(letter, 200)
		c := answering(t, feature(t, map[string]string{
			"name": word, "housenumber": word, "street": word, "locality": word + "1", "district": word + "2", "city": word + "3",
			"county": word, "state": word, "postcode": word, "country": word,
		}))
		got, err := c.Suggest(t.Context(), "anything", session, 5)
		require.NoError(t, err, name)
		require.Len(t, got, 1, name)
		require.LessOrEqual(t, len(got[0].PlaceID), longestID, name)
		p, err := c.Place(t.Context(), got[0].PlaceID, session)
		require.NoError(t, err, name)
		require.True(t, strings.HasPrefix(p.Formatted, got[0].Description), "%s: what was suggested is what is filled in", name)
		require.NotEmpty(t, p.State, name)
		require.NotContains(t, p.Formatted, "\uFFFD", "%s: no letter is cut in two", name)
	}
}

func TestSuggest_Text_ReadsLikeAnAddress(t *testing.T) {
	t.Parallel()
	for want, properties := range map[string]map[string]string{
		"Asha Sweets, 12 MG Road, Camp, Pune, Maharashtra 411001": {
			"name": "Asha Sweets", "housenumber": "12", "street": "MG Road", "district": "Camp", "city": "Pune",
			"state": "Maharashtra", "postcode": "411001", "type": "house",
		},
		"MG Road, Pune, Maharashtra": {"street": "MG Road", "city": "Pune", "state": "Maharashtra", "type": "street"},
		"Pune, Maharashtra":          {"name": "Pune", "city": "Pune", "state": "Maharashtra", "type": "city"},
		"Camp, Maharashtra 411001":   {"name": "Camp", "district": "Camp", "state": "Maharashtra", "postcode": "411001", "type": "district"},
		"411001":                     {"postcode": "411001", "type": "other"},
		"पुणे, महाराष्ट्र": {"name": "पुणे", "state": "महाराष्ट्र", "type": "city"},
	} {
		got, err := answering(t, feature(t, properties)).Suggest(t.Context(), "x", session, 5)
		require.NoError(t, err)
		require.Len(t, got, 1, want)
		require.Equal(t, want, got[0].Description)
	}
}

func TestSuggest_InvalidFeatures_AreOmitted(t *testing.T) {
	t.Parallel()
	fine := map[string]string{"name": "Pune", "type": "city"}
	for name, broken := range map[string]string{
		"no names":         feature(t, nil),
		"spaces":           feature(t, map[string]string{"housenumber": " ", "state": " "}),
		"another country":  feature(t, map[string]string{"name": "Lahore", "countrycode": "PK"}),
		"no country":       feature(t, map[string]string{"name": "Nowhere", "countrycode": ""}),
		"country in small": feature(t, map[string]string{"name": "Nowhere", "countrycode": "in"}),
		"no point":         featureAt(t, "[]", fine),
		"half a point":     featureAt(t, "[73.85]", fine),
		"three numbers":    featureAt(t, "[73.85,18.52,560]", fine),
		"beyond the pole":  featureAt(t, "[73.85,90.5]", fine),
		"beyond the line":  featureAt(t, "[-180.5,18.52]", fine),
		"swapped and far":  featureAt(t, "[18.52,173.85]", fine),
	} {
		got, err := answering(t, broken).Suggest(t.Context(), "x", session, 5)
		require.NoError(t, err, name)
		require.Empty(t, got, name)
		require.NotNil(t, got, "%s: an empty list, not none", name)
	}
}

func TestSuggest_KeepsPhotonsOrderAndTheLimit(t *testing.T) {
	t.Parallel()
	var features []string
	for _, name := range []string{"Pune", "Nashik", "Pune", "Nagpur", "Thane", "Satara"} {
		features = append(features, feature(t, map[string]string{"name": name, "type": "city"}))
	}
	c := answering(t, features...)
	for limit, want := range map[int][]string{
		0: {}, 1: {"Pune"}, 3: {"Pune", "Nashik", "Nagpur"}, 10: {"Pune", "Nashik", "Nagpur", "Thane", "Satara"},
	} {
		got, err := c.Suggest(t.Context(), "x", session, limit)
		require.NoError(t, err)
		names := []string{}
		for _, s := range got {
			names = append(names, s.Description)
		}
		require.Equal(t, want, names, limit)
	}
}

// A forged id gives a place that an address form accepts, or not found.
func TestPlace_ForgedID_IsNotFound(t *testing.T) {
	t.Parallel()
	c := answering(t)
	id := func(ticket string) string { return "ph:" + base64.RawURLEncoding.EncodeToString([]byte(ticket)) }
	for _, forged := range []string{
		id(`{"f":"","n":"India","a":1,"o":1}`), id(`{"f":"Pune","a":90.0001,"o":1}`), id(`{"f":"Pune","a":1,"o":-180.0001}`),
		id(`{"f":"Pune","a":"1","o":1}`), id(`["Pune"]`), id(`null`), id(``), id(`{"f":"Pune"`), "ph:" + strings.Repeat("=", 4),
		"PH:" + id(`{"f":"Pune"}`)[3:], " " + id(`{"f":"Pune"}`),
	} {
		_, err := c.Place(t.Context(), forged, session)
		require.Equal(t, errs.KindNotFound, errs.KindOf(err), forged)
	}
	p, err := c.Place(t.Context(), id(`{"f":"Pune","n":"India","a":-90,"o":180}`), session)
	require.NoError(t, err)
	require.Equal(t, address.Place{Formatted: "Pune, India", Country: "India", Latitude: -90, Longitude: 180}, p)
}

func TestSuggest_AnswerTooLarge_IsUnavailable(t *testing.T) {
	t.Parallel()
	many := make([]string, 0, 8000)
	for range cap(many) {
		many = append(many, feature(t, map[string]string{"name": "Pune"}))
	}
	_, err := answering(t, many...).Suggest(t.Context(), "x", session, 5)
	require.Equal(t, errs.KindUnavailable, errs.KindOf(err))
}
