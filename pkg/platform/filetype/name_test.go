package filetype_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/filetype"
)

func TestName_UnsafeParts_AreRemoved(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ given, kind, want string }{
		"a plain name":             {"logo.png", "image/png", "logo.png"},
		"a folder":                 {"../../etc/logo.png", "image/png", "logo.png"},
		"a Windows folder":         {`C:\Users\Asha\bill.pdf`, "application/pdf", "bill.pdf"},
		"quotes and lines":         {"a\"b\"\nlogo.png", "image/png", "ab logo.png"},
		"a header":                 {"x.pdf\r\nBcc: a@b.in", "application/pdf", "x.pdf Bcc a@b.in.pdf"},
		"a hidden direction":       {"gnp\u202efdp.exe", "application/pdf", "gnpfdp.exe.pdf"},
		"bytes that are no text":   {"\xff\xfe.png", "image/png", "png.png"},
		"another type's ending":    {"logo.svg", "image/webp", "logo.svg.webp"},
		"the type's other ending":  {"PHOTO.JPEG", "image/jpeg", "PHOTO.JPEG"},
		"no ending":                {"बिल", "text/plain", "बिल.txt"},
		"only dots":                {"...", "application/pdf", "file.pdf"},
		"a workbook":               {"prices.XLSX", filetype.XLSX, "prices.XLSX"},
		"a sheet of text":          {"prices", filetype.CSV, "prices.csv"},
		"a program named a sheet":  {"prices.exe", filetype.CSV, "prices.exe.csv"},
		"nothing":                  {"", "image/png", "file.png"},
		"a name without a letter":  {"?*.png", "image/png", "png.png"},
		"spaces around the ending": {" logo.png ", "image/png", "logo.png"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, filetype.Name(c.given, c.kind))
		})
	}
}

func TestName_Long_KeepsItsEnding(t *testing.T) {
	t.Parallel()
	got := filetype.Name(strings.Repeat("क", 300)+".jpeg", "image/jpeg")
	require.Equal(t, filetype.MaxName, utf8.RuneCountInString(got))
	require.True(t, strings.HasSuffix(got, "क.jpeg"))
	require.Equal(t, got, filetype.Name(got, "image/jpeg"), "a second pass changes nothing")
}
