package filetype

import (
	"archive/zip"
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The media types of sheets.
const (
	XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	CSV  = "text/csv"
)

// OfSheet returns XLSX for a workbook without macros, CSV for plain text with a separator or a line break, and an empty string for any other
// content.
func OfSheet(content []byte) string {
	switch {
	case isWorkbook(content):
		return XLSX
	case IsText(content) && bytes.ContainsAny(content, ",;\t\n"):
		return CSV
	}
	return ""
}

// isWorkbook reads only the directory of the zip archive and decompresses nothing, so that a zip bomb costs nothing.
func isWorkbook(content []byte) bool {
	if !bytes.HasPrefix(content, []byte("PK\x03\x04")) {
		return false
	}
	archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return false
	}
	has := func(is func(name string) bool) bool {
		return slices.ContainsFunc(archive.File, func(f *zip.File) bool { return is(f.Name) })
	}
	return has(func(name string) bool { return name == "[Content_Types].xml" }) &&
		has(func(name string) bool { return strings.HasPrefix(name, "xl/") }) &&
		!has(func(name string) bool { return strings.HasSuffix(strings.ToLower(name), "vbaproject.bin") })
}

// IsText reports whether the content is plain text in UTF-8: not empty, no markup, and no control characters except line breaks and tabs.
func IsText(content []byte) bool {
	markup := bytes.HasPrefix(bytes.TrimSpace(content), []byte("<"))
	return len(content) > 0 && !markup && utf8.Valid(content) && !bytes.ContainsFunc(content, isOddCharacter)
}

func isOddCharacter(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t' }
