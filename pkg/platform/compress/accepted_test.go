package compress_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/compress"
)

// An encoding's weight counts as in RFC 9110, and an encoding missing from the header is not sent.
func TestAccepted_GzipInTheHeader_UnlessItsWeightIsZero(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]bool{
		"gzip": true, "GZIP": true, "br, gzip": true, "gzip;q=1": true, "gzip;q=0.5": true, "gzip;q=0.001": true, " gzip ; q=0.1 ": true, "gzip;q=0.10": true,
		"gzip;q=0": false, "gzip;q=0.": false, "gzip;q=0.0": false, "gzip;q=0.000": false, "gzip; q=0": false, "gzip;Q=0": false,
		"": false, "*": false, "x-gzip": false, "gzipped": false, "br": false, "identity": false,
	} {
		require.Equal(t, want, compress.Accepted(header, "gzip"), header)
	}
}
