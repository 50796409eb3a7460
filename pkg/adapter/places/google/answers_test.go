package google_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/address"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

func TestSuggest_RequestsIndiaInEnglish(t *testing.T) {
	t.Parallel()
	var asked []map[string]any
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		var in map[string]any
		_ = json.NewDecoder(r.Body).Decode(&in)
		asked = append(asked, in)
		answer(w, http.StatusOK, `{}`)
	})
	hostile := "\u202Ecamp\x00 \"pune\" 🍬"
	for _, of := range []string{session, ""} {
		got, err := c.Suggest(t.Context(), hostile, of, 5)
		require.NoError(t, err)
		require.Equal(t, []address.Suggestion{}, got, "an empty list, not none")
	}
	require.Equal(t, map[string]any{
		"input": hostile, "includedRegionCodes": []any{"in"}, "languageCode": "en", "sessionToken": session,
	}, asked[0])
	require.NotContains(t, asked[1], "sessionToken", "an empty one would be billed as a session of its own")
}

func TestSuggest_KeepsGooglesOrderAndTheLimit(t *testing.T) {
	t.Parallel()
	var all []string
	for i := range 6 {
		all = append(all, fmt.Sprintf(`{"placePrediction":{"placeId":"id%d","text":{"text":"Place %d"}}}`, i, i))
	}
	all[1] = `{"placePrediction":{"placeId":"","text":{"text":"Nothing to choose"}}}`
	all[2] = `{"placePrediction":{"placeId":"id2","text":{"text":""}}}`
	all[3] = `{}`
	c := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, `{"suggestions":[`+strings.Join(all, ",")+`]}`)
	})
	for limit, want := range map[int][]string{0: {}, 1: {"id0"}, 2: {"id0", "id4"}, 9: {"id0", "id4", "id5"}} {
		got, err := c.Suggest(t.Context(), "x", session, limit)
		require.NoError(t, err)
		ids := []string{}
		for _, s := range got {
			require.NotEmpty(t, s.Description, "nobody chooses an empty row")
			ids = append(ids, s.PlaceID)
		}
		require.Equal(t, want, ids, limit)
	}
}

func TestPlace_MissingParts_IsReturned(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]address.Place{
		`{}`: {},
		`{"formattedAddress":"Leh","addressComponents":[{"longText":"Leh","types":["locality"]}]}`: {Formatted: "Leh", Locality: "Leh"},
		`{"addressComponents":[{"longText":"194101","types":["political","postal_code"]},{"longText":"x","types":[]},{"types":["country"]}]}`: {
			PostalCode: "194101",
		},
	} {
		c := serve(t, func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, body) })
		got, err := c.Place(t.Context(), "x", session)
		require.NoError(t, err, body)
		require.Equal(t, want, got, body)
	}
}

// With any id from a client, our key is used only for calls of place details.
func TestPlace_AnyID_StaysOnePartOfThePath(t *testing.T) {
	t.Parallel()
	paths := map[string]bool{}
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		paths[r.URL.EscapedPath()] = true
		if r.URL.RawQuery != "languageCode=en" {
			paths[r.URL.RawQuery] = true
		}
		answer(w, http.StatusNotFound, `{}`)
	})
	ids := []string{"../v2/x", "a/b", "..%2fv2", "x?fields=*", "x#y", ":autocomplete", "x\r\nHost: evil", "पुणे", strings.Repeat("x", 512)}
	for _, id := range ids {
		_, err := c.Place(t.Context(), id, "")
		require.Equal(t, errs.KindNotFound, errs.KindOf(err), id)
	}
	require.Len(t, paths, len(ids))
	for path := range paths {
		require.Equal(t, 3, strings.Count(path, "/"), path)
		require.True(t, strings.HasPrefix(path, "/v1/places/"), path)
	}
}
