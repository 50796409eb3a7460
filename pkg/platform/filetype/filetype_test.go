package filetype_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/filetype"
)

func TestOf_FirstBytes_DecideTheType(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		"\x89PNG\r\n\x1a\nrest": "image/png", "\xff\xd8\xff\xe0": "image/jpeg", "RIFF0000WEBPVP8 ": "image/webp", "%PDF-1.7": "application/pdf",
		"": "", "RIFF": "", "RIFF0000WAVE": "", "PK\x03\x04": "", "<svg/>": "", "GIF89a": "", " %PDF-1.7": "",
	} {
		require.Equal(t, want, filetype.Of([]byte(content)), "%q", content)
	}
}
