package pdf

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"github.com/go-text/typesetting/font"
	ot "github.com/go-text/typesetting/font/opentype"
)

// A4 in points.
const (
	pageWidth  = 595.28
	pageHeight = 841.89
)

// rgb is a colour; the values are those of the product's light theme.
type rgb struct{ r, g, b int }

// style is how text is set.
type style struct {
	weight weight
	size   float64
	color  rgb
}

// align positions text within a width.
type align int

const (
	alignLeft align = iota
	alignRight
	alignCenter
)

// canvas draws on the pages of one document, in points from the top left corner.
type canvas struct {
	pdf *fpdf.Fpdf
	set *setter
	now style // the page's current graphics state
	err error
}

const (
	hiddenFont = "hidden"
	// hiddenWidth is the advance of every character of the invisible text, in thousandths; it is scaled to fit.
	hiddenWidth = 500
)

func newCanvas(set *setter, at time.Time) *canvas {
	pdf := fpdf.NewCustom(&fpdf.InitType{
		UnitStr: "pt", OrientationStr: "P", Size: fpdf.SizeType{Wd: pageWidth, Ht: pageHeight},
	})
	pdf.SetAutoPageBreak(false, 0)
	pdf.SetMargins(0, 0, 0)
	pdf.SetCompression(true)
	// The same document always gives the same bytes: fixed dates, sorted objects, no random identifiers.
	pdf.SetCatalogSort(true)
	pdf.SetCreationDate(at)
	pdf.SetModificationDate(at)
	pdf.AliasNbPages(pagesAlias)
	c := &canvas{pdf: pdf, set: set}
	for _, w := range []weight{regular, bold} {
		c.addFont(w.String(), set.faces[w], w)
	}
	if set.hidden != nil {
		description, err := set.library.small[regular].define("HIDDEN+Figtree-Regular", set.hidden, hiddenWidth)
		c.fail(err)
		pdf.AddFontFromBytes(hiddenFont, "", description, set.library.small[regular].compressed)
	}
	return c
}

// pagesAlias is the placeholder for the number of pages until it is known; no cleaned text contains its characters.
const pagesAlias = "\x01\x02"

func (c *canvas) addFont(family string, f *face, w weight) {
	description := c.set.library.definitions[w]
	if f != c.set.library.small[w] || c.set.codes != c.set.library.plain {
		var err error
		description, err = f.define(f.postScript(), c.set.codes, 0)
		c.fail(err)
	}
	c.pdf.AddFontFromBytes(family, "", description, f.compressed)
}

func (c *canvas) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

func (c *canvas) bytes() ([]byte, error) {
	if c.err != nil {
		return nil, c.err
	}
	var out bytes.Buffer
	if err := c.pdf.Output(&out); err != nil {
		return nil, fmt.Errorf("write pdf: %w", err)
	}
	return out.Bytes(), nil
}

func (c *canvas) addPage() {
	c.pdf.AddPage()
	c.now = style{}
}

func (c *canvas) use(s style) {
	if c.now.weight != s.weight || c.now.size != s.size {
		c.pdf.SetFont(s.weight.String(), "", s.size)
	}
	if c.now.color != s.color || c.now.size == 0 {
		c.pdf.SetTextColor(s.color.r, s.color.g, s.color.b)
	}
	c.now = s
}

// words measures a text; a font that fails to load fails the document, not the process.
func (c *canvas) words(text string, w weight) []word {
	words, err := c.set.words(text, w)
	c.fail(err)
	return words
}

// wrap breaks a text into lines no wider than limit.
func (c *canvas) wrap(text string, s style, limit float64) []line {
	lines, err := c.set.wrap(c.words(text, s.weight), s.weight, s.size, limit)
	c.fail(err)
	return lines
}

func (c *canvas) space(s style) float64 {
	return float64(c.set.faces[s.weight].widths[' ']) / 1000 * s.size
}

// width returns the width of the text on one line.
func (c *canvas) width(text string, s style) float64 {
	total := 0.0
	for i, w := range c.words(text, s.weight) {
		if i > 0 {
			total += c.space(s)
		}
		total += w.width * s.size
	}
	return total
}

// text sets text on one line with its baseline at y, starting at, ending at or centred on x.
func (c *canvas) text(x, y float64, text string, s style, a align) {
	words := c.words(text, s.weight)
	switch a {
	case alignRight:
		x -= c.width(text, s)
	case alignCenter:
		x -= c.width(text, s) / 2
	case alignLeft:
	}
	c.line(words, x, y, s)
}

// line sets words side by side. Neighbours in our own typeface are written as one string.
func (c *canvas) line(words []word, x, y float64, s style) {
	run, runX := "", x
	flush := func() {
		if run != "" {
			c.use(s)
			c.pdf.Text(runX, y, run)
			run = ""
		}
	}
	ordered := visual(words)
	for i, w := range ordered {
		if i > 0 {
			if run != "" {
				run += " "
			}
			x += c.space(s)
		}
		for n, p := range w.parts {
			if p.shaped != nil {
				flush()
				c.outlines(p.shaped, x, y, s)
				c.shadow(p.shaped, n == len(w.parts)-1 && i < len(ordered)-1, x, y, s)
			} else {
				if run == "" {
					runX = x
				}
				run += p.code
			}
			x += p.width * s.size
		}
	}
	flush()
}

// outlines draws shaped text as filled paths.
func (c *canvas) outlines(t *shaped, x, y float64, s style) {
	c.pdf.SetFillColor(s.color.r, s.color.g, s.color.b)
	how := "F"
	if s.weight == bold { // the fallbacks have one weight; a thin stroke emboldens it
		c.pdf.SetDrawColor(s.color.r, s.color.g, s.color.b)
		c.pdf.SetLineWidth(s.size * 0.035)
		how = "FD"
	}
	for _, g := range t.glyphs {
		c.path(g, x+g.x*s.size, y-g.y*s.size, s.size*g.unit)
	}
	if len(t.glyphs) > 0 {
		c.pdf.DrawPath(how)
	}
}

func (c *canvas) path(g glyph, x, y, scale float64) {
	var last font.SegmentPoint
	at := func(p font.SegmentPoint) (float64, float64) {
		return x + float64(p.X)*scale, y - float64(p.Y)*scale
	}
	for _, seg := range g.segments {
		switch seg.Op {
		case ot.SegmentOpMoveTo:
			px, py := at(seg.Args[0])
			c.pdf.MoveTo(px, py)
			last = seg.Args[0]
		case ot.SegmentOpLineTo:
			px, py := at(seg.Args[0])
			c.pdf.LineTo(px, py)
			last = seg.Args[0]
		case ot.SegmentOpQuadTo:
			ax, ay := at(toCubic(last, seg.Args[0]))
			bx, by := at(toCubic(seg.Args[1], seg.Args[0]))
			px, py := at(seg.Args[1])
			c.pdf.CurveBezierCubicTo(ax, ay, bx, by, px, py)
			last = seg.Args[1]
		case ot.SegmentOpCubeTo:
			ax, ay := at(seg.Args[0])
			bx, by := at(seg.Args[1])
			px, py := at(seg.Args[2])
			c.pdf.CurveBezierCubicTo(ax, ay, bx, by, px, py)
			last = seg.Args[2]
		}
	}
}

// toCubic returns the control point next to end of the cubic curve equal to the quadratic one with this control point.
func toCubic(end, control font.SegmentPoint) font.SegmentPoint {
	return font.SegmentPoint{X: end.X + (control.X-end.X)*2/3, Y: end.Y + (control.Y-end.Y)*2/3}
}

// shadow sets the text of outlines invisibly over them, stretched to their width, so that it can be selected and searched;
// a space after it separates it from the next word.
func (c *canvas) shadow(t *shaped, spaced bool, x, y float64, s style) {
	if c.set.hidden == nil {
		return
	}
	code := make([]byte, 0, len(t.text))
	// A PDF holds text in visual order.
	for _, char := range t.text {
		if b, ok := c.set.hidden.code(char); ok {
			code = append(code, b)
		}
	}
	if len(code) == 0 || t.width <= 0 {
		return
	}
	if t.rtl {
		slices.Reverse(code)
	}
	plain := 0
	for _, b := range code {
		if b <= asciiHigh {
			plain += c.set.library.small[regular].width(rune(b), hiddenWidth)
		} else {
			plain += c.set.library.small[regular].width(c.set.hidden.extra[b-codeFirst], hiddenWidth)
		}
	}
	if spaced {
		code = append(code, ' ')
	}
	c.pdf.SetFont(hiddenFont, "", s.size)
	c.pdf.SetTextRenderingMode(3)
	c.pdf.RawWriteStr(fmt.Sprintf("%.2f Tz\n", t.width*1000/float64(plain)*100))
	c.pdf.Text(x, y, string(code))
	c.pdf.RawWriteStr("100 Tz\n")
	c.pdf.SetTextRenderingMode(0)
	c.now = style{}
}

// rule draws a thin line from x to x2.
func (c *canvas) rule(x, x2, y, thickness float64, color rgb) {
	c.pdf.SetDrawColor(color.r, color.g, color.b)
	c.pdf.SetLineWidth(thickness)
	c.pdf.Line(x, y, x2, y)
}

// box fills a rectangle with rounded corners; radius 0 gives square ones.
func (c *canvas) box(x, y, w, h, radius float64, color rgb) {
	c.pdf.SetFillColor(color.r, color.g, color.b)
	if radius == 0 {
		c.pdf.Rect(x, y, w, h, "F")
		return
	}
	c.pdf.RoundedRect(x, y, w, h, radius, "1234", "F")
}
