package text_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/text"
)

func TestTextThatNobodySeesIsNotClean(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]bool{
		"": true, "Asha Kulkarni": true, "two\nlines\tand a tab": true, "आशा कुलकर्णी": true, "क्\u200dष": true,
		"\u0d28\u0d4d\u200d": true, "\U0001F468\u200d\U0001F469": true, "₹1,50,000 – “quoted”": true,
		"\x00": false, "\x1b[31m": false, "\x7f": false, "\u0085": false, "\xff": false,
		"\u202egnp.exe\u202c": false, "\u2066x\u2069": false, "\u200easha": false, "as\u200bha": false, "as\u2060ha": false,
		"\ufeffasha": false, "as\u00adha": false, "as\u200dha": false, "\u200d": false, "क्\u200d\u200d": false, "\U000E0041": false,
	} {
		require.Equal(t, want, text.Clean(s), "%q", s)
	}
}
