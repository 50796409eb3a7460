// Command pdftext extracts the text of PDFs for tests as a person would select it, line by line. It is a separate
// program, because with the race detector PDFium takes a minute to load. Each line of its input is a JSON string with a
// PDF in base64; each line of its output is a JSON object with `text`, or `error`.
package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/responses"
	"github.com/klippa-app/go-pdfium/webassembly"
	"golang.org/x/text/unicode/bidi"
)

const loadTimeout = time.Minute

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "pdftext:", err)
		os.Exit(1)
	}
}

// answer is the result for one PDF.
type answer struct {
	Text  string `json:"text"`
	Error string `json:"error,omitempty"`
}

func run(in io.Reader, out io.Writer) error {
	pool, err := webassembly.Init(webassembly.Config{MinIdle: 1, MaxIdle: 1, MaxTotal: 1})
	if err != nil {
		return fmt.Errorf("load PDFium: %w", err)
	}
	instance, err := pool.GetInstance(loadTimeout)
	if err != nil {
		return fmt.Errorf("load PDFium: %w", err)
	}
	r := &reader{pdfium: instance}
	decoder, encoder := json.NewDecoder(in), json.NewEncoder(out)
	for {
		var body []byte
		if err := decoder.Decode(&body); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("read a PDF: %w", err)
		}
		var a answer
		if a.Text, err = r.text(body); err != nil {
			a.Error = err.Error()
		}
		if err := encoder.Encode(a); err != nil {
			return fmt.Errorf("write a text: %w", err)
		}
	}
}

// reader is PDFium, the PDF engine of Chromium, as a WebAssembly module.
type reader struct{ pdfium pdfium.Pdfium }

// text returns the lines of a PDF, with single spaces.
func (r *reader) text(body []byte) (string, error) {
	pages, err := r.read(body)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	for _, pieces := range pages {
		for _, line := range linesOf(pieces) {
			text.WriteString(line + "\n")
		}
	}
	return text.String(), nil
}

// read returns the pieces of text of each page, with their positions.
func (r *reader) read(body []byte) (pages [][]*responses.GetPageTextStructuredRect, err error) {
	opened, err := r.pdfium.OpenDocument(&requests.OpenDocument{File: &body})
	if err != nil {
		return nil, err
	}
	defer func() {
		_, closeErr := r.pdfium.FPDF_CloseDocument(&requests.FPDF_CloseDocument{Document: opened.Document})
		err = errors.Join(err, closeErr)
	}()
	counted, err := r.pdfium.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: opened.Document})
	if err != nil {
		return nil, err
	}
	for i := range counted.PageCount {
		page, err := r.pdfium.GetPageTextStructured(&requests.GetPageTextStructured{
			Page: requests.Page{ByIndex: &requests.PageByIndex{Document: opened.Document, Index: i}},
			Mode: requests.GetPageTextStructuredModeRects,
		})
		if err != nil {
			return nil, err
		}
		pages = append(pages, page.Rects)
	}
	return pages, nil
}

// linesOf joins the pieces of a page that are side by side into lines, from top to bottom.
func linesOf(pieces []*responses.GetPageTextStructuredRect) []string {
	pieces = slices.DeleteFunc(slices.Clone(pieces), func(p *responses.GetPageTextStructuredRect) bool {
		return strings.TrimSpace(p.Text) == ""
	})
	slices.SortStableFunc(pieces, func(a, b *responses.GetPageTextStructuredRect) int {
		return cmp.Compare(b.PointPosition.Top, a.PointPosition.Top)
	})
	var lines []string
	for len(pieces) > 0 {
		first := pieces[0].PointPosition
		beside := func(p *responses.GetPageTextStructuredRect) bool { return overlap(first, p.PointPosition) }
		var line, rest []*responses.GetPageTextStructuredRect
		for _, piece := range pieces {
			if beside(piece) {
				line = append(line, piece)
			} else {
				rest = append(rest, piece)
			}
		}
		lines, pieces = append(lines, join(line)), rest
	}
	return lines
}

// overlap reports whether two pieces overlap by more than half of the height of the lower one.
func overlap(a, b responses.CharPosition) bool {
	shared := min(a.Top, b.Top) - max(a.Bottom, b.Bottom)
	return 2*shared > min(a.Top-a.Bottom, b.Top-b.Bottom)
}

// join reads the pieces of a line from left to right, and runs of Hebrew or Arabic words from right to left.
func join(line []*responses.GetPageTextStructuredRect) string {
	slices.SortStableFunc(line, func(a, b *responses.GetPageTextStructuredRect) int {
		return cmp.Compare(a.PointPosition.Left, b.PointPosition.Left)
	})
	var words []string
	run := 0 // the start of the right-to-left words at the end
	for _, piece := range line {
		if !rightToLeft(piece.Text) {
			slices.Reverse(words[run:])
			words = append(words, strings.Fields(piece.Text)...)
			run = len(words)
			continue
		}
		backwards := strings.Fields(piece.Text)
		slices.Reverse(backwards)
		words = append(words, backwards...)
	}
	slices.Reverse(words[run:])
	return strings.Join(words, " ")
}

func rightToLeft(text string) bool {
	return strings.ContainsFunc(text, func(char rune) bool {
		properties, _ := bidi.LookupRune(char)
		return properties.Class() == bidi.R || properties.Class() == bidi.AL
	})
}
