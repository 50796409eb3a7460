package address

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Key normalises a place name: no case, accents, spaces or punctuation, and "and" for "&". Different spellings of one
// name have the same key; an empty result means that the name contains no letter or digit.
func Key(name string) string {
	name = strings.ReplaceAll(name, "&", " and ")
	var b strings.Builder
	b.Grow(len(name))
	for _, r := range norm.NFD.String(name) {
		switch {
		case unicode.Is(unicode.Mn, r) && r < 0x0900: // an accent; the vowel signs of Indian scripts stay
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r):
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}
