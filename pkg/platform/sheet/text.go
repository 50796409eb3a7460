// Package sheet reads lists that people keep in spreadsheets: pasted cells, CSV in any encoding, and Excel workbooks. It finds the headings
// in English and Hindi, and names the cells that a spreadsheet damaged.
package sheet

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
)

// The limits of one file bound memory.
const (
	MaxBytes = 10 << 20
	MaxLines = 20_000
)

func badFile(text string) error { return errs.Invalid(text).Field("file", text) }

// Text decodes a file on the server, so that every browser gives the same result. It accepts UTF-8, UTF-16 in both byte orders, and
// otherwise windows-1252, which spreadsheets use for CSV. It returns an Excel workbook as CSV. It rejects PDF and web pages, and explains
// how to save them.
func Text(file []byte) (string, error) { return decode(file, false) }

// Filled is Text. A cell of a workbook that is merged over several rows has its value in each of them.
func Filled(file []byte) (string, error) { return decode(file, true) }

func decode(file []byte, fill bool) (string, error) {
	notText := i18n.Mark("The file is not text. Open it, and save it as CSV.")
	switch {
	case len(file) > MaxBytes:
		return "", badFile(i18n.Mark("The file is larger than 10 MB. Split it."))
	case bytes.HasPrefix(file, []byte("PK\x03\x04")):
		return workbook(file, fill)
	case bytes.HasPrefix(file, []byte("\xD0\xCF\x11\xE0")):
		return "", badFile(i18n.Mark("This is an old Excel workbook (.xls), or one with a password. Open it, and save it as .xlsx without a password, or as CSV."))
	case bytes.HasPrefix(file, []byte("%PDF")):
		return "", badFile(i18n.Mark("This is a PDF. Download the list as CSV or as an Excel workbook."))
	case isWebPage(file):
		return "", badFile(i18n.Mark("This is a web page, which some programs call .xls. Open it, and save it as CSV."))
	}
	if bytes.HasPrefix(file, []byte{0xFF, 0xFE, 0, 0}) || bytes.HasPrefix(file, []byte{0, 0, 0xFE, 0xFF}) {
		return "", badFile(i18n.Mark("The file is text in UTF-32. Save it as CSV in UTF-8."))
	}
	if text, wide := wideText(file); wide {
		if strings.ContainsRune(text, utf8.RuneError) {
			return "", badFile(i18n.Mark("The file has characters that are damaged. Download it again."))
		}
		if strings.ContainsRune(text, 0) {
			return "", badFile(notText)
		}
		return text, nil
	}
	file = bytes.TrimPrefix(file, []byte("\xEF\xBB\xBF"))
	text := string(file)
	if !utf8.Valid(file) {
		decoded, err := charmap.Windows1252.NewDecoder().String(text)
		if err != nil || strings.ContainsRune(decoded, utf8.RuneError) {
			return "", badFile(notText)
		}
		text = decoded
	}
	if strings.ContainsRune(text, 0) {
		return "", badFile(notText)
	}
	return text, nil
}

func isWebPage(file []byte) bool {
	start := bytes.ToLower(bytes.TrimSpace(file[:min(len(file), 512)]))
	return bytes.HasPrefix(start, []byte("<html")) || bytes.HasPrefix(start, []byte("<!doctype html")) || bytes.HasPrefix(start, []byte("<table"))
}

// wideText decodes UTF-16. Without a byte order mark, the zero bytes of Latin letters show the order.
func wideText(file []byte) (string, bool) {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(file, []byte{0xFF, 0xFE}):
		order, file = binary.LittleEndian, file[2:]
	case bytes.HasPrefix(file, []byte{0xFE, 0xFF}):
		order, file = binary.BigEndian, file[2:]
	default:
		var zeros [2]int
		start := file[:min(len(file), 1024)]
		for i, b := range start {
			if b == 0 {
				zeros[i%2]++
			}
		}
		switch most := len(start) / 4; {
		case zeros[1] > most && zeros[0] == 0:
			order = binary.LittleEndian
		case zeros[0] > most && zeros[1] == 0:
			order = binary.BigEndian
		default:
			return "", false
		}
	}
	if len(file)%2 != 0 {
		return string(utf8.RuneError), true
	}
	units := make([]uint16, len(file)/2)
	for i := range units {
		units[i] = order.Uint16(file[2*i:])
	}
	return string(utf16.Decode(units)), true
}
