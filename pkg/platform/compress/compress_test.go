package compress_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/compress"
)

func TestCompress_Body_IsSmallerAndEqual(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{"nothing": "", "a page": strings.Repeat("<p>Franchise 360</p>", 500)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			zipped, err := compress.Gzip([]byte(body))
			require.NoError(t, err)
			unzip, err := gzip.NewReader(bytes.NewReader(zipped))
			require.NoError(t, err)
			text, err := io.ReadAll(unzip)
			require.NoError(t, err)
			require.Equal(t, body, string(text))

			packed, err := compress.Zstd([]byte(body))
			require.NoError(t, err)
			unpack, err := zstd.NewReader(bytes.NewReader(packed))
			require.NoError(t, err)
			defer unpack.Close()
			text, err = io.ReadAll(unpack)
			require.NoError(t, err)
			require.Equal(t, body, string(text))

			if body != "" {
				require.Less(t, len(zipped), len(body)/10)
				require.Less(t, len(packed), len(zipped))
			}
		})
	}
}
