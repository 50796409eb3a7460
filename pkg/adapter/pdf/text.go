package pdf

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/franchise360/franchise360/pkg/platform/text"
)

// clean makes a text printable: composed (NFC), white space as single spaces, and every other character that the fonts lack
// or that would hide, reverse or break the text replaced by its code point, such as [U+202E], so that nothing is lost silently.
func clean(given string) string {
	var b strings.Builder
	for _, char := range norm.NFC.String(given) {
		switch {
		case unicode.IsSpace(char):
			b.WriteByte(' ')
		case text.PrintableRune(char):
			b.WriteRune(char)
		default:
			b.WriteString(literal(char))
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func literal(char rune) string { return fmt.Sprintf("[U+%04X]", char) }

func literals(text string) string {
	var b strings.Builder
	for _, char := range text {
		b.WriteString(literal(char))
	}
	return b.String()
}

// word is a run of text without spaces, set in one weight and measured at size one.
type word struct {
	text  string
	parts []part
	width float64
	// rtl reports that the word's script runs from right to left.
	rtl bool
}

// part is a stretch of a word in one font: encoded in our own typeface, or shaped with a fallback.
type part struct {
	code   string
	shaped *shaped
	width  float64
}

// setter turns text into measured words with the fonts chosen for one document.
type setter struct {
	library *library
	faces   [2]*face
	codes   *encoding
	// hidden encodes text drawn as outlines, for the invisible text that makes it selectable.
	hidden *encoding
	shaper shaper
	cache  map[cacheKey][]word
}

type cacheKey struct {
	text string
	w    weight
}

// newSetter chooses the fonts for all texts of a document: the small faces if they suffice, the wide
// ones if a name needs them, and codes for exactly the characters that occur, in order of appearance.
func newSetter(l *library, texts []string) *setter {
	s := &setter{library: l, faces: l.small, codes: l.plain, cache: map[cacheKey][]word{}}
	var extra, unseen []rune
	seen := map[rune]bool{}
	for _, text := range texts {
		if isASCII(text) {
			continue
		}
		for _, char := range clean(text) {
			if char <= asciiHigh || seen[char] {
				continue
			}
			seen[char] = true
			if _, coded := l.plain.codes[char]; coded {
				continue
			}
			if _, wide := l.wide[regular].widths[char]; wide {
				extra = append(extra, char)
			} else {
				unseen = append(unseen, char)
			}
		}
	}
	if len(extra) > 0 {
		s.faces = l.wide
		s.codes = newEncoding(append([]rune(punctuation), extra...))
	}
	coded := len(s.codes.extra) - len(l.plain.extra)
	if overflow := extra[coded:]; len(unseen)+len(overflow) > 0 {
		s.hidden = newEncoding(slices.Concat(unseen, overflow, extra[:coded]))
	}
	return s
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] > asciiHigh {
			return false
		}
	}
	return true
}

// words splits a clean text at its spaces and measures each word.
func (s *setter) words(text string, w weight) ([]word, error) {
	key := cacheKey{text, w}
	if words, ok := s.cache[key]; ok {
		return words, nil
	}
	var words []word
	for field := range strings.FieldsSeq(clean(text)) {
		set, err := s.word(field, w)
		if err != nil {
			return nil, err
		}
		words = append(words, set)
	}
	s.cache[key] = words
	return words, nil
}

func (s *setter) word(text string, w weight) (word, error) {
	if code, width, ok := s.encode(text, w); ok {
		return word{text: text, parts: []part{{code: code, width: width}}, width: width}, nil
	}
	set := word{text: text}
	for _, stretch := range s.stretches(text, w) {
		p, err := s.part(stretch, w)
		if err != nil {
			return word{}, err
		}
		set.parts = append(set.parts, p)
		set.width += p.width
		set.rtl = set.rtl || (p.shaped != nil && p.shaped.rtl)
	}
	return set, nil
}

// encode returns the word's bytes in our own typeface; ok is false if that lacks a character.
func (s *setter) encode(text string, w weight) (code string, width float64, ok bool) {
	codes := make([]byte, 0, len(text))
	total := 0
	for _, char := range text {
		c, coded := s.codes.code(char)
		advance, drawn := s.faces[w].widths[char]
		if !coded || !drawn {
			return "", 0, false
		}
		codes = append(codes, c)
		total += advance
	}
	return string(codes), float64(total) / 1000, true
}

// stretch is text set in a single font; without a fallback that is our own typeface.
type stretch struct {
	text string
	font *fallback
}

// stretches splits a word where its font must change: one fallback for the whole word if possible, else cluster by cluster.
// A letter stays with its marks and joiners, and with the font before it if that has the letter, because shaping forms
// conjuncts only within one font.
func (s *setter) stretches(text string, w weight) []stretch {
	if f := s.library.covering(text); f != nil {
		return []stretch{{text, f}}
	}
	var cut []stretch
	for _, one := range clusters(text) {
		next := stretch{text: one}
		if _, _, ok := s.encode(one, w); !ok {
			if n := len(cut); n > 0 && cut[n-1].font.covers(one) {
				next.font = cut[n-1].font
			} else if next.font = s.library.covering(one); next.font == nil {
				next.text = literals(one)
			}
		}
		if n := len(cut); n > 0 && cut[n-1].font == next.font {
			cut[n-1].text += next.text
		} else {
			cut = append(cut, next)
		}
	}
	return cut
}

// clusters splits a text into letters with the marks and joiners that follow them.
func clusters(text string) []string {
	var out []string
	for _, char := range text {
		follows := unicode.Is(unicode.M, char) || unicode.Is(unicode.Join_Control, char)
		if n := len(out); n > 0 && follows {
			out[n-1] += string(char)
		} else {
			out = append(out, string(char))
		}
	}
	return out
}

func (s *setter) part(st stretch, w weight) (part, error) {
	if st.font == nil {
		code, width, _ := s.encode(st.text, w)
		return part{code: code, width: width}, nil
	}
	glyphs, err := s.shaper.shape(st.text, st.font)
	if err != nil {
		return part{}, err
	}
	return part{shaped: glyphs, width: glyphs.width}, nil
}

// line holds the words that fit on a line.
type line struct {
	words []word
	width float64 // at the size it was wrapped for, spaces included
}

// wrap breaks words into lines no wider than limit at the given size; a single word that is wider is split.
func (s *setter) wrap(words []word, w weight, size, limit float64) ([]line, error) {
	space := float64(s.faces[w].widths[' ']) / 1000 * size
	var lines []line
	var current line
	queue := append([]word(nil), words...)
	for len(queue) > 0 {
		next := queue[0]
		gap := 0.0
		if len(current.words) > 0 {
			gap = space
		}
		if current.width+gap+next.width*size <= limit+epsilon {
			current.words = append(current.words, next)
			current.width += gap + next.width*size
			queue = queue[1:]
			continue
		}
		if len(current.words) > 0 {
			lines = append(lines, current)
			current = line{}
			continue
		}
		head, tail, err := s.cut(next, w, size, limit)
		if err != nil {
			return nil, err
		}
		lines = append(lines, line{words: []word{head}, width: head.width * size})
		queue = queue[1:]
		if tail.text != "" {
			queue = append([]word{tail}, queue...)
		}
	}
	if len(current.words) > 0 {
		lines = append(lines, current)
	}
	return lines, nil
}

const epsilon = 1e-6

// cut splits off as many characters of a word as fit, at least one, by binary search.
func (s *setter) cut(long word, w weight, size, limit float64) (head, tail word, err error) {
	chars := []rune(long.text)
	low, high := 1, len(chars) // low always fits or is the minimum
	for low < high {
		middle := (low + high + 1) / 2
		set, err := s.word(string(chars[:middle]), w)
		if err != nil {
			return word{}, word{}, err
		}
		if set.width*size <= limit+epsilon {
			low = middle
		} else {
			high = middle - 1
		}
	}
	for low < len(chars) && low > 1 && unicode.Is(unicode.M, chars[low]) {
		low-- // a mark stays with its letter
	}
	if head, err = s.word(string(chars[:low]), w); err != nil || low == len(chars) {
		return head, word{}, err
	}
	tail, err = s.word(string(chars[low:]), w)
	return head, tail, err
}

// visual returns the words of a line in visual order: runs of right-to-left words are reversed.
func visual(words []word) []word {
	out := append([]word(nil), words...)
	for i := 0; i < len(out); i++ {
		if !out[i].rtl {
			continue
		}
		j := i
		for j+1 < len(out) && out[j+1].rtl {
			j++
		}
		for a, b := i, j; a < b; a, b = a+1, b-1 {
			out[a], out[b] = out[b], out[a]
		}
		i = j
	}
	return out
}
