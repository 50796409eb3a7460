// Package text says which text a person may have typed.
package text

import (
	"unicode"
	"unicode/utf8"
)

// Clean says whether the text is valid UTF-8 without characters that nobody sees: NUL, which Postgres cannot keep, other
// controls but tab and line ends, and those of the category Cf, which turn the direction of what follows (U+202E) or stand for
// nothing (U+200B). The joiners of Indian scripts and of emoji (U+200C, U+200D) may follow what they join.
func Clean(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	var before rune
	for _, r := range s {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
		case unicode.IsControl(r):
			return false
		case r == zeroWidthNonJoiner || r == zeroWidthJoiner:
			if before <= unicode.MaxLatin1 || unicode.In(before, unicode.Cf, unicode.Z) {
				return false
			}
		case unicode.Is(unicode.Cf, r):
			return false
		}
		before = r
	}
	return true
}

const (
	zeroWidthNonJoiner = '\u200c'
	zeroWidthJoiner    = '\u200d'
)
