package pdf

import (
	"bytes"
	"compress/zlib"
	"embed"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/go-text/typesetting/font"
)

//go:embed fonts/*.ttf
var fontFiles embed.FS

// codeFirst is the first code beyond ASCII in our one-byte encoding.
const (
	codeFirst = 128
	codeLast  = 255
	asciiLow  = 0x20
	asciiHigh = 0x7E
)

// punctuation lists the non-ASCII characters that nearly every document needs; their codes are the same in all documents.
const punctuation = "₹–—·•‘’“”×…−"

// face is one embedded font program, parsed once per process.
type face struct {
	name       string
	compressed []byte
	size       int
	widths     map[rune]int // in thousandths of the font's size
	ascent     int
	descent    int
}

func loadFace(name string) (*face, error) {
	raw, err := fontFiles.ReadFile("fonts/" + name + ".ttf")
	if err != nil {
		return nil, fmt.Errorf("read font: %w", err)
	}
	parsed, err := font.ParseTTF(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("parse font %s: %w", name, err)
	}
	var compressed bytes.Buffer
	writer, err := zlib.NewWriterLevel(&compressed, zlib.BestCompression)
	if err != nil {
		return nil, fmt.Errorf("compress font %s: %w", name, err)
	}
	if _, err = writer.Write(raw); err == nil {
		err = writer.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("compress font %s: %w", name, err)
	}
	f := &face{name: name, compressed: compressed.Bytes(), size: len(raw), widths: map[rune]int{}}
	upem := float32(parsed.Upem())
	for iter := parsed.Cmap.Iter(); iter.Next(); {
		char, glyph := iter.Char()
		f.widths[char] = int(parsed.HorizontalAdvance(glyph)/upem*1000 + 0.5)
	}
	if extents, ok := parsed.FontHExtents(); ok {
		f.ascent = int(extents.Ascender / upem * 1000)
		f.descent = int(extents.Descender / upem * 1000)
	}
	return f, nil
}

// postScript returns the font's name in the PDF, with the six-letter prefix that marks a subset (ISO 32000-1, 9.6.4).
func (f *face) postScript() string {
	_, cut, _ := strings.Cut(f.name, "-")
	style, set, _ := strings.Cut(cut, "-")
	return strings.ToUpper((set + "XXXXXX")[:6]) + "+Figtree-" + strings.ToUpper(style[:1]) + style[1:]
}

// weight is regular or bold.
type weight int

const (
	regular weight = iota
	bold
)

func (w weight) String() string { return [...]string{"regular", "bold"}[w] }

// library holds every font of the package. The fallbacks are parsed when first needed.
type library struct {
	small, wide [2]*face
	fallbacks   []*fallback
	// plain is the encoding of nearly every document, definitions what fpdf needs to know of the small faces in it.
	plain       *encoding
	definitions [2][]byte
}

func newLibrary() (*library, error) {
	l := &library{plain: newEncoding([]rune(punctuation))}
	for _, w := range []weight{regular, bold} {
		var err error
		if l.small[w], err = loadFace("figtree-" + w.String() + "-small"); err != nil {
			return nil, err
		}
		if l.wide[w], err = loadFace("figtree-" + w.String() + "-wide"); err != nil {
			return nil, err
		}
		if l.definitions[w], err = l.small[w].define(l.small[w].postScript(), l.plain, 0); err != nil {
			return nil, err
		}
	}
	for _, script := range []string{
		"", "Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Oriya", "Tamil", "Telugu", "Kannada", "Malayalam",
		"Arabic", "Hebrew", "OlChiki", "MeeteiMayek",
	} {
		l.fallbacks = append(l.fallbacks, &fallback{file: "fonts/NotoSans" + script + ".ttf"})
	}
	return l, nil
}

// fallback is a font for scripts that our own typeface lacks; its glyphs are drawn as outlines.
type fallback struct {
	file string
	once sync.Once
	font *font.Font
	err  error
}

func (f *fallback) load() (*font.Font, error) {
	f.once.Do(func() {
		var raw []byte
		if raw, f.err = fontFiles.ReadFile(f.file); f.err != nil {
			return
		}
		var parsed *font.Face
		if parsed, f.err = font.ParseTTF(bytes.NewReader(raw)); f.err == nil {
			f.font = parsed.Font
		}
	})
	if f.err != nil {
		return nil, fmt.Errorf("load %s: %w", f.file, f.err)
	}
	return f.font, nil
}

// encoding maps each character of a document to a one-byte code. ASCII keeps its codes; the rest start at codeFirst.
type encoding struct {
	extra []rune
	codes map[rune]byte
}

func newEncoding(extra []rune) *encoding {
	e := &encoding{codes: make(map[rune]byte, len(extra))}
	for _, char := range extra {
		if len(e.extra) > codeLast-codeFirst {
			break
		}
		e.codes[char] = byte(codeFirst + len(e.extra)) //nolint:gosec // bounded by the line above
		e.extra = append(e.extra, char)
	}
	return e
}

func (e *encoding) code(char rune) (byte, bool) {
	if char >= asciiLow && char <= asciiHigh {
		return byte(char), true
	}
	code, ok := e.codes[char]
	return code, ok
}

// differences names the characters of the codes as in the Adobe Glyph List, so that viewers can copy them as text.
func (e *encoding) differences() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d", codeFirst)
	for _, char := range e.extra {
		fmt.Fprintf(&b, " /%s", glyphName(char))
	}
	return b.String()
}

func glyphName(char rune) string {
	if char > 0xFFFF {
		return fmt.Sprintf("u%05X", char)
	}
	return fmt.Sprintf("uni%04X", char)
}

// definition is the font description that fpdf reads, in its own JSON format.
type definition struct {
	Tp, Name     string
	Desc         descriptor
	Cw           []int
	Diff         string
	File         string
	OriginalSize int
}

type descriptor struct {
	Ascent, Descent, CapHeight, Flags int
	FontBBox                          struct{ Xmin, Ymin, Xmax, Ymax int }
	StemV, MissingWidth               int
}

const nonSymbolic = 32

// define describes the face under an encoding; characters that the face lacks get the width missing.
func (f *face) define(name string, e *encoding, missing int) ([]byte, error) {
	d := definition{
		Tp: "TrueType", Name: name, Diff: e.differences(), File: f.name + ".z", OriginalSize: f.size, Cw: make([]int, codeLast+1),
		Desc: descriptor{Ascent: f.ascent, Descent: f.descent, CapHeight: 700, Flags: nonSymbolic, StemV: 80},
	}
	d.Desc.FontBBox.Xmin, d.Desc.FontBBox.Ymin, d.Desc.FontBBox.Xmax, d.Desc.FontBBox.Ymax = -100, f.descent, 1100, f.ascent
	for char := rune(asciiLow); char <= asciiHigh; char++ {
		d.Cw[char] = f.width(char, missing)
	}
	for _, char := range e.extra {
		d.Cw[e.codes[char]] = f.width(char, missing)
	}
	body, err := json.Marshal(d)
	if err != nil {
		return nil, fmt.Errorf("describe font: %w", err)
	}
	return body, nil
}

func (f *face) width(char rune, missing int) int {
	if width, ok := f.widths[char]; ok {
		return width
	}
	return missing
}
