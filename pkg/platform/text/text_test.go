package text_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/text"
)

func TestClean_InvisibleCharacters_IsFalse(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]bool{
		"": true, "Asha Kulkarni": true, "two\nlines\tand a tab": true, "आशा कुलकर्णी": true, "क्\u200dष": true,
		"\u0d28\u0d4d\u200d": true, "\U0001F468\u200d\U0001F469": true, "₹1,50,000 – “quoted”": true,
		"\x00": false, "\x1b[31m": false, "\x7f": false, "\u0085": false, "\xff": false,
		"\u202egnp.exe\u202c": false, "\u2066x\u2069": false, "\u200easha": false, "as\u200bha": false, "as\u2060ha": false,
		"\ufeffasha": false, "as\u00adha": false, "as\u200dha": false, "\u200d": false, "क्\u200d\u200d": false, "\U000E0041": false,
		"\u3164\u3164": false, "\uffa0": false, "a\u115f": false, "\u1160": false, "a\ufe0fb": false, "as\u034fha": false, "\u17b4": false, "\u17b5": false,
		"\u180b": false, "\u180e": false, "\u180f": false, "\U000E0100": false, "a\u2028b": false, "a\u2029b": false, "\u2800": false, "\ue000": false,
		"\U000F0000": false, "\U0010FFFD": false, "\ufdd0": false, "\uffff": false, "\U0001FFFE": false, "\U000E0FFF": false, "\u2065": false, "\ufff0": false,
		"❤\ufe0f": true, "1\ufe0f\u20e3": true, "\U0001F3F3\ufe0f\u200d\U0001F308": true, "❤\ufe0f\ufe0f": false, "❤\ufe0e": false, "\ufe0f": false,
		"e\u0301": true, "Nguyê\u0323n": true, "क़्षि": true, "שָׁ\u05bc": true, "a" + strings.Repeat("\u0301", 4): true, "a" + strings.Repeat("\u0301", 5): false,
		"a" + strings.Repeat("\u0301\u200d", 5): false, strings.Repeat("a"+strings.Repeat("\u0301", 4), 2): true, "\t\r\n ~": true,
		"\x1f": false, "a\u200d": false, "a\u200cb": false,
	} {
		require.Equal(t, want, text.Clean(s), "%q", s)
	}
}

func TestStorable_TextPostgresCannotStore_IsFalse(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]bool{
		"": true, "Asha": true, "आशा": true, "\u202e\u200b\ufeff": true, "\U0010FFFF": true, "\x00": false, "a\x00b": false, "\xff": false,
		"a\xed\xa0\x80": false, "\xc0\x80": false,
	} {
		require.Equal(t, want, text.Storable(s), "%q", s)
	}
}

func TestFirst_CutsBetweenCharacters(t *testing.T) {
	t.Parallel()
	require.Equal(t, "दुका", text.First("दुकान", 4))
	require.Equal(t, "दुकान", text.First("दुकान", 5))
	require.Equal(t, "दुकान", text.First("दुकान", 100))
	require.Empty(t, text.First("shop", 0))
	require.Empty(t, text.First("", 3))
}
