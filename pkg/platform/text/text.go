// Package text says which text a person may have typed.
package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean says whether the text is valid UTF-8 that people see: without NUL, which Postgres cannot keep, other controls but tab
// and line ends, what turns the direction of what follows (U+202E), stands for nothing (U+200B) or looks empty (U+3164), what
// means nothing to anybody else (private use, non-characters), and more than a few marks upon one letter. The joiners of Indian
// scripts and of emoji (U+200C, U+200D) may follow what they join, and the choice of an emoji's picture (U+FE0F) its sign.
func Clean(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	var before rune
	marks := 0
	for _, r := range s {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
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

// Storable says whether Postgres can hold the text, and so whether it can be looked up: valid UTF-8 without NUL.
func Storable(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, 0) }

const (
	zeroWidthNonJoiner = '\u200c'
	zeroWidthJoiner    = '\u200d'
	emojiPicture       = '\ufe0f'
	brailleBlank       = '\u2800'
	// maxMarks are upon one letter at most; Vietnamese, Hebrew and the scripts of India need up to four.
	maxMarks = 4
)

// unseen is true for what Unicode has as Default_Ignorable_Code_Point (DerivedCoreProperties: other default ignorables, Cf and
// the variation selectors, and two ranges that are kept for more of them), and for separators of lines, private use and
// non-characters.
func unseen(r rune) bool {
	return r == brailleBlank || r >= 0xFFF0 && r <= 0xFFF8 || r >= 0xE0000 && r <= 0xE0FFF || unicode.In(r,
		unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp, unicode.Noncharacter_Code_Point,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// takesPicture is true for signs that have a form as an emoji: symbols, and the digits, # and * of keycaps.
func takesPicture(r rune) bool {
	return r >= '0' && r <= '9' || r == '#' || r == '*' || r == '\u203c' || r == '\u2049' || r == '\u3030' || r == '\u303d' ||
		unicode.In(r, unicode.So, unicode.Sm, unicode.Sk)
}
