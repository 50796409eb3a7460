package pdf_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/pdf"
)

// BenchmarkRender renders an ordinary invoice, one line and one page, on one core.
func BenchmarkRender(b *testing.B) {
	renderer, err := pdf.New(pdf.Options{})
	require.NoError(b, err)
	document := simple(b)
	b.ReportAllocs()
	for b.Loop() {
		body, err := renderer.Render(document)
		if err != nil || len(body) == 0 {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "pdf/s")
}
