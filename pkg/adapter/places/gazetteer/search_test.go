package gazetteer

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// distance is the textbook edit distance with swaps of neighbours, minimised over all prefixes of known; no limit, no rows reused.
func distance(text, known string) int {
	best := math.MaxInt
	for end := range len(known) + 1 {
		best = min(best, edits(text, known[:end]))
	}
	return best
}

func edits(a, b string) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := d[i-1][j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}

func TestPrefixDistance_KnownPairs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, known string
		want        int
	}{
		{"mumbai", "mumbai", 0},
		{"mum", "mumbai", 0},
		{"mumbia", "mumbai", 1},
		{"mumbay", "mumbai", 1},
		{"chenai", "chennai", 1},
		{"hyderbad", "hyderabad", 1},
		{"bangalroe", "bangalore", 1},
		{"vishakapatnam", "visakhapatnam", 2},
		{"abcd", "mumbai", 3},
		{"mumbaix", "mumbai", 1},
		{"a", "", 1},
		{strings.Repeat("a", 61), strings.Repeat("a", 61), 3},
	} {
		var m measure
		require.Equal(t, c.want, m.prefixDistance(c.text, c.known, 2), "%s %s", c.text, c.known)
	}
}

func TestPrefixDistance_AnyWords_EqualsTheTextbooks(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringOfN(rapid.RuneFrom([]rune("abc")), 1, 9, -1)
		var m measure
		for range 3 { // the rows are reused, and must not carry state over
			text, known := word.Draw(t, "text"), word.Draw(t, "known")
			limit := rapid.IntRange(1, 2).Draw(t, "limit")
			require.Equal(t, min(distance(text, known), limit+1), m.prefixDistance(text, known, limit), "%s %s", text, known)
		}
	})
}

func TestPINBounds_Digits_GiveTheirRange(t *testing.T) {
	t.Parallel()
	for digits, want := range map[string][2]uint32{
		"4": {400000, 500000}, "41": {410000, 420000}, "411001": {411001, 411002}, "9": {900000, 1_000_000}, "999999": {999999, 1_000_000},
		"0": {0, 0}, "011001": {0, 0}, "4110011": {0, 0}, "41a": {0, 0}, "+41": {0, 0}, "-1": {0, 0}, "1_0": {0, 0}, "४११": {0, 0}, "4.1": {0, 0},
	} {
		from, to := pinBounds(digits)
		require.Equal(t, want, [2]uint32{from, to}, digits)
	}
}

func TestConsonants_WordsThatSoundAlike_AreEqual(t *testing.T) {
	t.Parallel()
	for _, same := range [][]string{{"mumbai", "mumbay", "mummbai"}, {"chennai", "chenai", "cennai"}, {"ahmedabad", "ahmadabad", "amdabad"}} {
		for _, word := range same {
			require.Equal(t, consonants(same[0]), consonants(word))
		}
	}
	require.NotEqual(t, consonants("pune"), consonants("mune"))
	require.Equal(t, "an", consonants("aeiouan"), "the first letter counts, whatever it is")
	require.Empty(t, consonants(""))
}

func TestBitset_Operations(t *testing.T) {
	t.Parallel()
	var none bitset
	require.False(t, none.has(1000))
	require.True(t, none.empty())
	set := sized(130)
	require.True(t, set.empty())
	for _, n := range []uint32{0, 63, 64, 129} {
		set.add(n)
	}
	var got []uint32
	set.each(func(n uint32) { got = append(got, n) })
	require.Equal(t, []uint32{0, 63, 64, 129}, got)
	require.False(t, set.has(1) || set.has(62) || set.has(65) || set.has(128))
	require.Equal(t, uint32(0b11|1<<25), letters("abz"))
	require.Equal(t, uint32(1|1<<26), letters("a1é"))
}

// top keeps the best hits in any order of arrival, best first, the earlier entry first among equals, without duplicates.
func TestTop_AnyHits_KeepsTheBest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(1, 6).Draw(t, "limit")
		best := newTop(limit)
		scores := map[uint32]int{}
		for range rapid.IntRange(0, 40).Draw(t, "hits") {
			h := hit{entry: uint32(rapid.IntRange(0, 20).Draw(t, "entry")), score: rapid.IntRange(-3, 3).Draw(t, "score")}
			if old, seen := scores[h.entry]; seen {
				h.score = old // an entry has one score per pass
			}
			scores[h.entry] = h.score
			if h.score > best.worst() || len(best.hits) < limit {
				best.add(h)
			}
		}
		require.LessOrEqual(t, len(best.hits), limit)
		require.Len(t, best.hits, min(limit, len(scores)))
		seen := map[uint32]bool{}
		for i, h := range best.hits {
			require.False(t, seen[h.entry])
			seen[h.entry] = true
			require.Equal(t, scores[h.entry], h.score)
			if i > 0 {
				require.GreaterOrEqual(t, best.hits[i-1].score, h.score)
			}
		}
		for entry, score := range scores {
			if !seen[entry] {
				require.GreaterOrEqual(t, best.hits[len(best.hits)-1].score, score, "what is better is in the list")
			}
		}
	})
}

func TestSuggest_EachLimit_IsKept(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"mumbai", "4", "411001", "koramangala bangalore"} {
		for _, limit := range []int{-1, 0, 1, 2, 50} {
			found, err := shared().Suggest(t.Context(), text, "", limit)
			require.NoError(t, err)
			require.NotNil(t, found, "an empty list, not none")
			require.LessOrEqual(t, len(found), max(limit, 0), "%s %d", text, limit)
			if limit > 0 {
				require.NotEmpty(t, found, text)
			}
		}
	}
}

// Any pasted text is answered immediately, with places that can be chosen.
func TestSuggest_HostileText_IsAnsweredQuickly(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"bidi": "\u202Eiabmum", "NUL": "mum\x00bai", "marks": "mumbai" + strings.Repeat("\u0301", 500), "emoji": "🍬 mumbai",
		"broken UTF-8": "mum\xffbai", "long word": strings.Repeat("m", 10_000), "long number": strings.Repeat("4", 10_000),
		"many words": strings.Repeat("nagar colony ", 1_000), "full width": "ｍｕｍｂａｉ", "Arabic digits": "٤١١٠٠١", "negative": "-411001",
		"huge number": "99999999999999999999", "60 letters": strings.Repeat("ab", 30), "61 letters": strings.Repeat("ab", 30) + "c",
	} {
		found, err := shared().Suggest(t.Context(), text, "", 8)
		require.NoError(t, err, name)
		require.LessOrEqual(t, len(found), 8, name)
		for _, s := range found {
			_, err := shared().Place(t.Context(), s.PlaceID, "")
			require.NoError(t, err, "%s: %s", name, s.PlaceID)
		}
	}
}

func TestPlace_ForgedID_IsNotFound(t *testing.T) {
	t.Parallel()
	for _, id := range []string{
		"IN:411001", "in:41100", "in:4110011", "in:+41100", "in:-41100", "in:0411001", "in:411001:", "in:411001:" + strings.Repeat("x", 10_000),
		"in:27-", "in:-pune", "in:27-PUNE", "in:27-pune\x00", "in:२७-pune", "in:99999999999999999999", "in::", "in:x", "411001",
	} {
		_, err := shared().Place(t.Context(), id, "")
		require.Equal(t, errs.KindNotFound, errs.KindOf(err), "%.40q", id)
	}
	p, err := shared().Place(t.Context(), "in:411001", "")
	require.NoError(t, err)
	require.Equal(t, "Pune, Maharashtra 411001, India", p.Formatted)
	require.Equal(t, "411001", p.PostalCode)
}

// A city's name finds the city first: people who type it in full do not mean a village.
func TestSuggest_CityName_ComesFirst(t *testing.T) {
	t.Parallel()
	for city, state := range map[string]string{
		"Mumbai": "Maharashtra", "Bengaluru": "Karnataka", "Chennai": "Tamil Nadu", "Kolkata": "West Bengal", "Hyderabad": "Telangana",
		"Jaipur": "Rajasthan", "Lucknow": "Uttar Pradesh", "Patna": "Bihar", "Bhopal": "Madhya Pradesh", "Raipur": "Chhattisgarh",
		"Ranchi": "Jharkhand", "Bhubaneswar": "Odisha", "Shillong": "Meghalaya", "Imphal": "Manipur", "Aizawl": "Mizoram",
		"Kohima": "Nagaland", "Agartala": "Tripura", "Gangtok": "Sikkim", "Itanagar": "Arunachal Pradesh", "Shimla": "Himachal Pradesh",
		"Dehradun": "Uttarakhand", "Chandigarh": "Chandigarh", "Srinagar": "Jammu and Kashmir", "Leh": "Ladakh", "Panaji": "Goa",
		"Thiruvananthapuram": "Kerala", "Puducherry": "Puducherry", "Port Blair": "Andaman and Nicobar Islands",
	} {
		got := descriptions(t, city)
		require.NotEmpty(t, got, city)
		require.Equal(t, fmt.Sprintf("%s, %s", city, state), got[0], "%v", got)
	}
}
