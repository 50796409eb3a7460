package pdf

import (
	"strings"
	"sync"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

var fonts = sync.OnceValues(newLibrary) //nolint:gochecknoglobals // parsed once; tests only read them

func setterFor(t require.TestingT, texts ...string) *setter {
	l, err := fonts()
	require.NoError(t, err)
	return newSetter(l, texts)
}

// said returns the text of the lines, with spaces between words and line breaks between lines.
func said(lines []line) string {
	all := make([]string, 0, len(lines))
	for _, l := range lines {
		words := make([]string, 0, len(l.words))
		for _, w := range l.words {
			words = append(words, w.text)
		}
		all = append(all, strings.Join(words, " "))
	}
	return strings.Join(all, "\n")
}

func wrapped(t require.TestingT, text string, limit float64) []line {
	s := setterFor(t, text)
	words, err := s.words(text, regular)
	require.NoError(t, err)
	lines, err := s.wrap(words, regular, 10, limit)
	require.NoError(t, err)
	return lines
}

func TestClean_UnprintableCharacters_ShowTheirCodePoint(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                          "",
		" \t\r\n ":                  "",
		"  one \n two\u00A0three ":  "one two three",
		"Cafe\u0301":                "Café",
		"a\x00b":                    "a[U+0000]b",
		"evil\u202Egnp":             "evil[U+202E]gnp",
		"a\u2028b\u2029c":           "a b c",
		"zero\u200Bwidth\uFEFF":     "zero[U+200B]width[U+FEFF]",
		"soft\u00ADhyphen":          "soft[U+00AD]hyphen",
		"क्\u200Dष क्\u200Cष":       "क्\u200Dष क्\u200Cष",
		"tag\U000E0041":             "tag[U+E0041]",
		"private \uE000":            "private [U+E000]",
		"heart ❤\uFE0F":             "heart [U+2764][U+FE0F]",
		"broken \xff UTF-8":         "broken [U+FFFD] UTF-8",
		"unassigned \u0378":         "unassigned [U+0378]",
		"[U+0041] was typed itself": "[U+0041] was typed itself",
	} {
		require.Equal(t, want, clean(text), "%q", text)
	}
}

// Cleaning any text is idempotent, and no character of the result hides or reverses the rest.
func TestClean_AnyText_IsIdempotentAndSafe(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })).Draw(t, "text")
		got := clean(text)
		require.Equal(t, got, clean(got))
		for _, r := range got {
			require.False(t, unicode.In(r, unicode.C, unicode.Zl, unicode.Zp) && !unicode.Is(unicode.Join_Control, r), "%U", r)
		}
		require.NotContains(t, got, "  ")
		visible := func(s string) (n int) {
			for _, r := range norm.NFC.String(s) {
				if unicode.In(r, unicode.L, unicode.N) {
					n++
				}
			}
			return n
		}
		require.GreaterOrEqual(t, visible(got), visible(text), "no letter and no digit goes")
	})
}

func TestWrap_BreaksAtSpacesAndWithinLongWords(t *testing.T) {
	t.Parallel()
	const text = "Franchise 360 Private Limited"
	require.Len(t, wrapped(t, text, 1000), 1)
	require.Equal(t, strings.ReplaceAll(text, " ", "\n"), said(wrapped(t, text, 48)))
	require.Empty(t, wrapped(t, " ", 100))
	one := wrapped(t, strings.Repeat("W", 300), 100)
	require.Greater(t, len(one), 20)
	require.Equal(t, 300, strings.Count(said(one), "W"), "nothing of a long word is cut off")
	require.Equal(t, "a\nb", said(wrapped(t, "ab", 0.1)), "a letter a line where not one fits")
}

// The lines contain the whole text in order, and each fits unless it is a single letter that is too wide.
func TestWrap_AnyText_KeepsItWhole(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(
			rapid.StringMatching(`[A-Za-z0-9 ,.&-]{0,120}`),
			rapid.StringOfN(rapid.RuneFrom([]rune("ab éłश्रीगणेশ্রীதமி\u0301 \u200D漢🍬")), 0, 60, -1),
		).Draw(t, "text")
		limit := rapid.Float64Range(20, 300).Draw(t, "limit")
		lines := wrapped(t, text, limit)
		joined := strings.NewReplacer(" ", "", "\n", "").Replace(said(lines))
		require.Equal(t, strings.ReplaceAll(clean(text), " ", ""), joined)
		for _, l := range lines {
			require.NotEmpty(t, l.words)
			if len(l.words) > 1 {
				require.LessOrEqual(t, l.width, limit+epsilon)
			}
		}
	})
}

func TestWrap_VowelSign_StaysWithItsLetter(t *testing.T) {
	t.Parallel()
	for _, l := range wrapped(t, strings.Repeat("की", 60), 60) {
		first := []rune(l.words[0].text)[0]
		require.False(t, unicode.Is(unicode.M, first), "a line begins with a vowel sign: %q", l.words[0].text)
	}
}

func TestVisual_RightToLeftWords_AreReversedWithinTheirRuns(t *testing.T) {
	t.Parallel()
	of := func(text string, rtl bool) word { return word{text: text, rtl: rtl} }
	in := []word{of("No", false), of("1", true), of("2", true), of("3", true), of("and", false), of("4", true)}
	got := []string{}
	for _, w := range visual(in) {
		got = append(got, w.text)
	}
	require.Equal(t, []string{"No", "3", "2", "1", "and", "4"}, got)
	require.Equal(t, "1", in[1].text, "the line itself stays as it is")
	require.Empty(t, visual(nil))
	words, err := setterFor(t, "اردو بازار").words("اردو بازار Delhi", regular)
	require.NoError(t, err)
	require.Equal(t, []bool{true, true, false}, []bool{words[0].rtl, words[1].rtl, words[2].rtl})
}

func TestWord_CharacterWithoutAFont_IsWrittenAsItsCodePoint(t *testing.T) {
	t.Parallel()
	s := setterFor(t, "漢a字")
	w, err := s.word("漢a字", regular)
	require.NoError(t, err)
	want, err := s.word("[U+6F22]a[U+5B57]", regular)
	require.NoError(t, err)
	require.InDelta(t, want.width, w.width, epsilon, "as wide as what is drawn")
	require.Equal(t, "漢a字", w.text, "and what is selected is what was written")
}

// A word in two fonts changes its font only where it must: a conjunct with a joiner is shaped in one piece.
func TestStretches_ConjunctNextToRupeeSign_StaysInOneFont(t *testing.T) {
	t.Parallel()
	for word, want := range map[string][]string{
		"सूर्\u200dयोदय₹": {"सूर्\u200dयोदय", "₹"},
		"₹सूर्\u200dयोदय": {"₹", "सूर्\u200dयोदय"},
		"₹५००":            {"₹", "५००"},
		"র\u200d্যাম₹":    {"র\u200d্যাম", "₹"},
		"ജോസഫ്\u200c₹":    {"ജോസഫ്\u200c", "₹"},
		"नामবাংলা":        {"नाम", "বাংলা"},
		"ᱥᱟᱱᱛᱟᱲ₹":         {"ᱥᱟᱱᱛᱟᱲ₹"},
		"ꯃꯩꯇꯩ₹":           {"ꯃꯩꯇꯩ", "₹"},
	} {
		var got []string
		for _, s := range setterFor(t, word).stretches(word, regular) {
			got = append(got, s.text)
		}
		require.Equal(t, want, got, word)
	}
}
