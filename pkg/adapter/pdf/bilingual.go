package pdf

import (
	"fmt"
	"slices"
	"strings"

	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// other returns the text in the document's second language, or "" without a second language or a translation. The text is a literal, or a
// result of i18n.Mark.
func (s *sheet) other(english string, values ...string) string {
	if s.also == "" || !s.also.Has("", english) {
		return ""
	}
	text := s.also.Say(english, values...)
	if text == english {
		return ""
	}
	return text
}

// resaid returns a stored sentence in the document's second language, or "" if it is equal or missing.
func (s *sheet) resaid(english string, texts []string) string {
	if text := s.also.Resay(english, texts); s.also != "" && text != english {
		return text
	}
	return ""
}

// both returns the text in English and, after a stroke, in the document's second language.
func (s *sheet) both(english string) string {
	return english + prefixed(" / ", s.other(english))
}

// heading sets the small heading of a part, in capitals in English.
func (s *sheet) heading(x, y float64, english string) {
	s.text(x, y, strings.ToUpper(english)+prefixed(" / ", s.other(english)), style{bold, 7, gold()}, alignLeft)
}

// twice is a paragraph in English and one in the second language below it.
func (s *sheet) twice(x, width float64, english string, st style, leading float64, values ...string) {
	s.paragraph(x, width, i18n.Fill(english, values), st, leading)
	if text := s.other(english, values...); text != "" {
		s.paragraph(x, width, text, st, leading)
	}
}

// room returns extra, the height of a label's second line, in a document of two languages, else 0.
func (s *sheet) room(extra float64) float64 {
	if s.also == "" {
		return 0
	}
	return extra
}

// wordsIn writes an amount of at least nothing in words of a language whose catalogue has those of 0 to 99.
func wordsIn(l i18n.Language, p money.Paise) string {
	rupees, paise := int64(p/money.Rupee), int64(p%money.Rupee)
	if paise == 0 {
		return l.Say("{1} rupees only", countIn(l, rupees))
	}
	return l.Say("{1} rupees and {2} paise only", countIn(l, rupees), countIn(l, paise))
}

// countIn writes a count as Indians group it: crores of whatever size, lakhs, thousands, hundreds and a rest, for which most languages of
// India have a word each.
func countIn(l i18n.Language, n int64) string {
	const crore, lakh, thousand, hundred = 1_00_00_000, 1_00_000, 1_000, 100
	var parts []string
	add := func(unit int64, english string) {
		if n >= unit {
			parts = append(parts, l.In("number", english, countIn(l, n/unit)))
			n %= unit
		}
	}
	add(crore, "{1} crore")
	add(lakh, "{1} lakh")
	add(thousand, "{1} thousand")
	add(hundred, "{1} hundred")
	if n > 0 || len(parts) == 0 {
		parts = append(parts, l.In("number", fmt.Sprintf("%02d", n)))
	}
	return strings.Join(parts, " ")
}

// alsoOf returns the second language of a document, or "".
func alsoOf(l i18n.Language) i18n.Language {
	if !l.Known() || l == i18n.English {
		return ""
	}
	return l
}

// lettersOf returns the letters of a language's catalogue, in order, from which the codes of a document are made.
func lettersOf(l i18n.Language) string {
	var letters []rune
	for _, text := range alsoOf(l).Texts() {
		letters = append(letters, []rune(l.Raw(text.Context, text.English))...)
	}
	slices.Sort(letters)
	return string(slices.Compact(letters))
}
