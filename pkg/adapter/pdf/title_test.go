package pdf_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/pdf"
	"github.com/franchise360/franchise360/pkg/invoice"
)

func TestNumberOf_RenderedDocument_IsRead(t *testing.T) {
	t.Parallel()
	renderer, err := pdf.New(pdf.Options{})
	require.NoError(t, err)
	for _, number := range []string{"FP/26-27/000042", "CN/26-27/9285013", "FP/26-27/023128"} {
		for _, d := range []invoice.Invoice{document(t, "27", planLine()), note(t), received(t)} {
			d.Number = number
			body, err := renderer.Render(d)
			require.NoError(t, err)
			read, ok := pdf.NumberIn(body)
			require.True(t, ok)
			require.Equal(t, number, read)
		}
	}
	for _, body := range []string{"", "%PDF-1.7", "/Title (", "/Title (FP/26-27/000042)", "/Title (\xfe\xff\x00F)"} {
		_, ok := pdf.NumberIn([]byte(body))
		require.False(t, ok, "%q", body)
	}
}
