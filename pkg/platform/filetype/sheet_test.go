package filetype_test

import (
	"archive/zip"
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/filetype"
)

func zipOf(t *testing.T, names ...string) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	for _, name := range names {
		_, err := w.Create(name)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return buf.Bytes()
}

func TestOfSheet_Content_DecidesTheType(t *testing.T) {
	t.Parallel()
	workbook := zipOf(t, "[Content_Types].xml", "xl/workbook.xml", "xl/worksheets/sheet1.xml")
	for name, c := range map[string]struct {
		content []byte
		want    string
	}{
		"a workbook":                  {workbook, filetype.XLSX},
		"a workbook cut short":        {workbook[:len(workbook)-8], ""},
		"a workbook with macros":      {zipOf(t, "[Content_Types].xml", "xl/workbook.xml", "xl/vbaProject.bin"), ""},
		"a Word document":             {zipOf(t, "[Content_Types].xml", "word/document.xml"), ""},
		"a zip without content types": {zipOf(t, "xl/workbook.xml"), ""},
		"a workbook behind a program": {append([]byte("MZ"), workbook...), ""},
		"comma-separated text":        {[]byte("name,price\r\nसमोसा,20\n"), filetype.CSV},
		"text with a byte order mark": {[]byte("\xef\xbb\xbfname;price\n"), filetype.CSV},
		"a PNG image":                 {[]byte("\x89PNG\r\n\x1a\nrest"), ""},
		"markup":                      {[]byte(" <svg/>"), ""},
		"one word":                    {[]byte("GIF89a"), ""},
		"another encoding":            {[]byte("name\xe9,price"), ""},
		"nothing":                     {nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, filetype.OfSheet(c.content))
		})
	}
}
