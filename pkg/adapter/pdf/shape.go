package pdf

import (
	"slices"
	"unicode"

	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"
)

// shaped is text with its letters joined and ordered as its script requires, as outlines at size one.
type shaped struct {
	text   string
	glyphs []glyph
	width  float64
	rtl    bool
}

// glyph is an outline and its position from the start of the text.
type glyph struct {
	x, y     float64
	segments []font.Segment
	unit     float64 // of the outline's coordinates, in ems
}

// shaper joins letters; it is not safe for concurrent use.
type shaper struct{ harfbuzz shaping.HarfbuzzShaper }

// upemSize makes the shaper's fixed-point results about as fine as the fonts' own units.
const upemSize = 1000

func (s *shaper) shape(text string, f *fallback) (*shaped, error) {
	loaded, err := f.load()
	if err != nil {
		return nil, err
	}
	faceOf := font.NewFace(loaded)
	chars := slices.DeleteFunc([]rune(text), func(char rune) bool {
		_, drawn := loaded.NominalGlyph(char)
		return !drawn && unicode.Is(unicode.Join_Control, char)
	})
	script := scriptOf(chars)
	direction := di.DirectionLTR
	if script == language.Arabic || script == language.Hebrew {
		direction = di.DirectionRTL
	}
	out := s.harfbuzz.ShapeNoExtents(shaping.Input{
		Text: chars, RunEnd: len(chars), Direction: direction, Face: faceOf, Size: fixed.I(upemSize),
		Script: script, Language: language.NewLanguage("en"),
	})
	result := &shaped{text: text, rtl: direction == di.DirectionRTL}
	unit := 1 / float64(faceOf.Upem())
	for _, g := range out.Glyphs {
		if outline, ok := faceOf.GlyphDataOutline(g.GlyphID); ok && len(outline.Segments) > 0 {
			result.glyphs = append(result.glyphs, glyph{
				x: result.width + ems(g.XOffset), y: ems(g.YOffset), segments: outline.Segments, unit: unit,
			})
		}
		result.width += ems(g.Advance)
	}
	return result, nil
}

func ems(v fixed.Int26_6) float64 { return float64(v) / 64 / upemSize }

// scriptOf returns the script of the first letter that has a specific one.
func scriptOf(chars []rune) language.Script {
	for _, char := range chars {
		if script := language.LookupScript(char); script.Strong() {
			return script
		}
	}
	return language.Latin
}

// covering returns the first fallback that has every character of the text.
func (l *library) covering(text string) *fallback {
	for _, f := range l.fallbacks {
		if f.covers(text) {
			return f
		}
	}
	return nil
}

// covers reports whether the font has every character of the text. It need not have joiners: shape removes them. Our own typeface is nil
// and covers nothing.
func (f *fallback) covers(text string) bool {
	if f == nil {
		return false
	}
	loaded, err := f.load()
	if err != nil {
		return false
	}
	for _, char := range text {
		if _, ok := loaded.NominalGlyph(char); !ok && !unicode.Is(unicode.Join_Control, char) {
			return false
		}
	}
	return true
}
