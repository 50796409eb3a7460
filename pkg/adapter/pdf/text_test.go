package pdf_test

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/responses"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/bidi"
)

// reader is PDFium, the reader inside Chromium, as a WebAssembly module; it serves one caller at a time.
type reader struct {
	mu     sync.Mutex
	pdfium pdfium.Pdfium
}

var openReader = sync.OnceValues(func() (*reader, error) { //nolint:gochecknoglobals // one reader a test process
	pool, err := webassembly.Init(webassembly.Config{MinIdle: 1, MaxIdle: 1, MaxTotal: 1})
	if err != nil {
		return nil, err
	}
	instance, err := pool.GetInstance(time.Minute)
	return &reader{pdfium: instance}, err
})

// textOf reads the PDF as a person would select it, line by line, with single spaces.
func textOf(t *testing.T, body []byte) string {
	t.Helper()
	r, err := openReader()
	require.NoError(t, err)
	pages, err := r.read(body)
	require.NoError(t, err)
	var text strings.Builder
	for _, pieces := range pages {
		for _, line := range linesOf(pieces) {
			text.WriteString(line + "\n")
		}
	}
	return text.String()
}

// read returns the pieces of text of each page, with where they stand.
func (r *reader) read(body []byte) (pages [][]*responses.GetPageTextStructuredRect, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
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

// linesOf puts the pieces of a page that stand beside each other into lines, from the top of the page to its end.
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

// overlap tells whether two pieces share more than half of the height of the lower one.
func overlap(a, b responses.CharPosition) bool {
	shared := min(a.Top, b.Top) - max(a.Bottom, b.Bottom)
	return 2*shared > min(a.Top-a.Bottom, b.Top-b.Bottom)
}

// join reads the pieces of a line from left to right, and runs of words in Hebrew or Arabic from right to left.
func join(line []*responses.GetPageTextStructuredRect) string {
	slices.SortStableFunc(line, func(a, b *responses.GetPageTextStructuredRect) int {
		return cmp.Compare(a.PointPosition.Left, b.PointPosition.Left)
	})
	var words []string
	run := 0 // where the words from right to left at the end begin
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
