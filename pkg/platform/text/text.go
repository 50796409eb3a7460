// Package text defines which text users may enter, and truncates text.
package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean reports whether the text is valid UTF-8 with only visible characters. It rejects NUL, which Postgres cannot store,
// other control characters except tab and line ends, characters that change the text direction (U+202E), have no width
// (U+200B), look empty (U+3164) or have no public meaning (private use, non-characters), and more than a few marks on one
// letter. The joiners of Indian scripts and emoji (U+200C, U+200D) may follow what they join, and the emoji variation
// selector (U+FE0F) its symbol.
func Clean(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	var before rune
	marks := 0
	for _, r := range s {
		if r <= unicode.MaxASCII { // the checks below do not concern it, and the tables are slow
			if unicode.IsControl(r) && r != '\t' && r != '\n' && r != '\r' {
				return false
			}
			before, marks = r, 0
			continue
		}
		switch {
		case unicode.IsControl(r):
			return false
		case r == zeroWidthNonJoiner || r == zeroWidthJoiner:
			if before <= unicode.MaxLatin1 || before != emojiPicture && unseen(before) || unicode.Is(unicode.Z, before) {
				return false
			}
		case r == emojiPicture:
			if !takesPicture(before) {
				return false
			}
		case unseen(r):
			return false
		}
		if unicode.In(r, unicode.Mn, unicode.Me) {
			marks++
		} else if r != zeroWidthNonJoiner && r != zeroWidthJoiner {
			marks = 0
		}
		if marks > maxMarks {
			return false
		}
		before = r
	}
	return true
}

// Storable reports whether Postgres can store the text, and so whether it can be looked up: valid UTF-8 without NUL.
func Storable(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, 0) }

const (
	zeroWidthNonJoiner = '\u200c'
	zeroWidthJoiner    = '\u200d'
	emojiPicture       = '\ufe0f'
	brailleBlank       = '\u2800'
	// maxMarks is the maximum number of marks on one letter; Vietnamese, Hebrew and Indian scripts need up to four.
	maxMarks = 4
)

// First returns the first n characters (code points) of the text, or all of it if it is shorter.
func First(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i]
		}
	}
	return s
}

// unseen reports whether the rune is in Unicode's Default_Ignorable_Code_Point (DerivedCoreProperties: other default
// ignorables, Cf, the variation selectors, and two ranges reserved for more of them), or a line or paragraph separator,
// private use or a non-character.
func unseen(r rune) bool {
	return r == brailleBlank || r >= 0xFFF0 && r <= 0xFFF8 || r >= 0xE0000 && r <= 0xE0FFF || unicode.In(r,
		unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp, unicode.Noncharacter_Code_Point,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// takesPicture reports whether the rune has an emoji form: symbols, and the digits, # and * of keycaps.
func takesPicture(r rune) bool {
	return r >= '0' && r <= '9' || r == '#' || r == '*' || r == '\u203c' || r == '\u2049' || r == '\u3030' || r == '\u303d' ||
		unicode.In(r, unicode.So, unicode.Sm, unicode.Sk)
}
