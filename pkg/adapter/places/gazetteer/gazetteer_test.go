package gazetteer

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/address"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

var shared = sync.OnceValue(New) //nolint:gochecknoglobals // the list takes half a second to load; tests only read it

func descriptions(t *testing.T, text string) []string {
	t.Helper()
	found, err := shared().Suggest(context.Background(), text, "", 8)
	require.NoError(t, err)
	var out []string
	for _, s := range found {
		out = append(out, s.Description)
	}
	return out
}

func TestSuggest_TypedText_FindsTheIntendedPlace(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"mumbai":              "Mumbai, Maharashtra",
		"mum":                 "Mumbai, Maharashtra",
		"bangalore":           "Bengaluru, Karnataka",
		"andheri west":        "Andheri West, Mumbai, Maharashtra 400058",
		"andheri east mumbai": "Andheri East, Mumbai, Maharashtra 400069",
		"koramangala":         "Koramangala, Bengaluru, Karnataka 560034",
		"koramangala bangal":  "Koramangala, Bengaluru, Karnataka 560034",
		"leh ladakh":          "Leh, Ladakh",
		"connaught place":     "Connaught Place, New Delhi, Delhi 110001",
		"Connaught Place 110": "Connaught Place, New Delhi, Delhi 110001",
		"hyderbad":            "Hyderabad, Telangana",
		"ahmadabad":           "Ahmedabad, Gujarat",
		"kormangala":          "Koramangala, Bengaluru, Karnataka 560034",
		"vishakapatnam":       "Visakhapatnam, Andhra Pradesh",
		"chenai":              "Chennai, Tamil Nadu",
		"pune maharashtra":    "Pune, Maharashtra",
		"560034":              "560034, Bengaluru, Karnataka",
		"5600":                "560001, Bengaluru, Karnataka",
	} {
		got := descriptions(t, text)
		require.NotEmpty(t, got, text)
		require.Contains(t, got[:min(2, len(got))], want, "%s: %v", text, got)
	}
}

// The words of a place in any order, with its city, State, country or PIN, find it among the first two.
func TestSuggest_WordsInAnyOrder_FindThePlace(t *testing.T) {
	t.Parallel()
	andheri, saltLake := "Andheri West, Mumbai, Maharashtra 400058", "Salt Lake, North 24 Parganas, West Bengal 700064"
	tNagar, mgRoad := "T. Nagar, Chennai, Tamil Nadu 600017", "M.G. Road, Bengaluru, Karnataka 560001"
	for text, want := range map[string]string{
		"andheri west mumbai":                   andheri,
		"mumbai andheri west":                   andheri,
		"West Andheri, Mumbai":                  andheri,
		"andheri (w), mumbai":                   andheri,
		"andheri west mumbai maharashtra india": andheri,
		"andheri west 400058":                   andheri,
		"mumbai andheri":                        "Andheri, Mumbai, Maharashtra 400053",
		"400 058":                               "400058, Mumbai, Maharashtra",
		"mumbai 400058":                         "400058, Mumbai, Maharashtra",
		"400058 mumbai india":                   "400058, Mumbai, Maharashtra",
		"salt lake kolkata":                     saltLake,
		"kolkata saltlake":                      saltLake,
		"t nagar chennai":                       tNagar,
		"chennai t. nagar":                      tNagar,
		"mg road bangalore":                     mgRoad,
		"m g road, bengaluru":                   mgRoad,
		"sector 18 noida":                       "Sector 18, Noida, Uttar Pradesh 201301",
		"banjara hills west hyderabad":          "Banjara Hills, Hyderabad, Telangana 500034",
		"powai mumbai":                          "Powai, Mumbai, Maharashtra 400076",
	} {
		got := descriptions(t, text)
		require.Contains(t, got[:min(2, len(got))], want, "%s: %v", text, got)
	}
	require.Contains(t, descriptions(t, "400058"), andheri)
	require.NotEmpty(t, descriptions(t, "mg road"))
}

func TestSuggest_WholePIN_ListsItsPlaces(t *testing.T) {
	t.Parallel()
	got := descriptions(t, "411001")
	require.Greater(t, len(got), 3)
	for _, d := range got {
		require.Contains(t, d, "411001")
	}
	for _, d := range descriptions(t, "4110") {
		require.True(t, strings.HasPrefix(d, "4110"), d)
	}
	require.Empty(t, descriptions(t, "999999"))
}

func TestSuggest_Nonsense_FindsNothing(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "   ", ",.;", "%_\\", "xqzwvkjh", "0", "'; drop table cities"} {
		require.Empty(t, descriptions(t, text), text)
	}
	for _, text := range []string{strings.Repeat("a", 200), strings.Repeat("a ", 100), strings.Repeat("mumbai ", 28), "मुंबई"} {
		_, err := shared().Suggest(t.Context(), text, "", 8)
		require.NoError(t, err)
	}
}

func TestPlace_EachSuggestion_IsFound(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"mumbai", "andheri west", "560034", "1100", "a", "sector 62", "st thomas mount", "leh"} {
		found, err := shared().Suggest(t.Context(), text, "", 8)
		require.NoError(t, err)
		require.NotEmpty(t, found, text)
		for _, s := range found {
			p, err := shared().Place(t.Context(), s.PlaceID, "")
			require.NoError(t, err, s.PlaceID)
			require.Equal(t, "India", p.Country)
			require.NotEmpty(t, p.Locality)
			require.NotEmpty(t, p.State)
			require.Equal(t, p.Formatted, address.Tidy(p.Formatted), "an address may hold it as it is")
			require.True(t, p.Latitude > 5 && p.Latitude < 38 && p.Longitude > 67 && p.Longitude < 98, s.PlaceID)
		}
	}
	for _, id := range []string{"", "in:", "in:1", "in:000000", "in:99-nowhere", "in:411001:nowhere", "ChIJ", "in:411001:../.."} {
		_, err := shared().Place(t.Context(), id, "")
		require.Equal(t, errs.KindNotFound, errs.KindOf(err), id)
	}
}

func TestGazetteer_IsComplete(t *testing.T) {
	t.Parallel()
	x, err := shared().load()
	require.NoError(t, err)
	require.Len(t, x.states, 36)
	require.Len(t, x.pins, 19238)
	require.Greater(t, len(x.entries), 150_000)
	used := map[int]bool{}
	for i := range x.groups {
		used[x.groups[i].state] = true
		require.NotEmpty(t, x.states[x.groups[i].state])
	}
	require.Len(t, used, 36, "every State has places")
}

// Every prefix of one or two letters returns no more than the limit. The benchmark measures the speed.
func TestSuggest_AnyPrefix_ReturnsAtMostTheLimit(t *testing.T) {
	t.Parallel()
	for a := 'a'; a <= 'z'; a++ {
		for b := 'a' - 1; b <= 'z'; b++ {
			text := strings.TrimSuffix(string(a)+string(b), "`") // the character before a means no second letter
			found, err := shared().Suggest(t.Context(), text, "", 8)
			require.NoError(t, err)
			require.LessOrEqual(t, len(found), 8, text)
		}
	}
}

func BenchmarkSuggest(b *testing.B) {
	require.NoError(b, shared().Warm())
	for _, text := range []string{"m", "ra", "koramangala", "nagar colony mumbai", "kormangla bangalor", "5600", "560034"} {
		b.Run(text, func(b *testing.B) {
			for b.Loop() {
				_, _ = shared().Suggest(b.Context(), text, "", 8)
			}
		})
	}
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		require.NoError(b, New().Warm())
	}
}
