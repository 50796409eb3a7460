package pdf

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/text"
)

// A name that may be entered is printed. The font of Santali has no joiners, which phones still put between letters.
func TestPrintable_JoinersOfEveryScript_AreDrawnOrRefused(t *testing.T) {
	t.Parallel()
	l, err := newLibrary()
	require.NoError(t, err)
	for _, letter := range []string{"क", "ক", "ਕ", "ક", "କ", "க", "క", "ಕ", "ക", "ہ", "ᱥ", "ꯃ"} {
		for _, joiner := range []string{"\u200c", "\u200d"} {
			given := letter + joiner
			if !text.Printable(given) || !text.Clean(given) {
				continue
			}
			for _, part := range newSetter(l, []string{given}).stretches(given, regular) {
				require.NotContains(t, part.text, "[U+", "%+q", given)
			}
		}
	}
}
