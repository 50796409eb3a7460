package site

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// A browser requests a film in ranges to seek in it; an unsatisfiable range is refused.
func TestSite_Film_SupportsRanges(t *testing.T) {
	t.Parallel()
	e := setup(t)
	for part, want := range map[string]struct {
		status       int
		body, covers string
	}{
		"bytes=0-3":   {http.StatusPartialContent, "0123", "bytes 0-3/22"},
		"bytes=4-":    {http.StatusPartialContent, "456789%PUBLIC_URL%", "bytes 4-21/22"},
		"bytes=-2":    {http.StatusPartialContent, "L%", "bytes 20-21/22"},
		"bytes=5-5":   {http.StatusPartialContent, "5", "bytes 5-5/22"},
		"bytes=0-999": {http.StatusPartialContent, "0123456789%PUBLIC_URL%", "bytes 0-21/22"},
		"":            {http.StatusOK, "0123456789%PUBLIC_URL%", ""},
	} {
		w := get(t, e, "/assets/clip-1.webm", "Range", part, "Accept-Encoding", "gzip, br, zstd")
		require.Equal(t, want.status, w.Code, part)
		require.Equal(t, want.body, w.Body.String(), part)
		require.Equal(t, want.covers, w.Header().Get("Content-Range"), part)
		require.Equal(t, "video/webm", w.Header().Get("Content-Type"), part)
		require.Equal(t, "public, max-age=31536000, immutable", w.Header().Get("Cache-Control"), part)
		require.Empty(t, w.Header().Get("Content-Encoding"), part)
	}
	for _, part := range []string{"bytes=22-", "bytes=9-3", "lines=1-2"} {
		require.Equal(t, http.StatusRequestedRangeNotSatisfiable, get(t, e, "/assets/clip-1.webm", "Range", part).Code, part)
	}
	tag := get(t, e, "/assets/clip-1.webm").Header().Get("ETag")
	require.Equal(t, http.StatusPartialContent, get(t, e, "/assets/clip-1.webm", "Range", "bytes=0-3", "If-Range", tag).Code)
	require.Equal(t, http.StatusOK, get(t, e, "/assets/clip-1.webm", "Range", "bytes=0-3", "If-Range", `"another"`).Code, "of another build, whole")
	require.Equal(t, http.StatusNotModified, get(t, e, "/assets/clip-1.webm", "Range", "bytes=0-3", "If-None-Match", tag).Code)
}

// A compressible file is sent whole: a range of it would belong to another encoding.
func TestSite_Text_HasNoRanges(t *testing.T) {
	t.Parallel()
	w := get(t, setup(t), "/assets/app-1.js", "Range", "bytes=0-3")
	require.Equal(t, http.StatusOK, w.Code)
	require.Equal(t, 1200, w.Body.Len())
	require.Empty(t, w.Header().Get("Content-Range"))
}

// An unknown path is not found, also with a range.
func TestSite_UnknownPathWithARange_IsNotFound(t *testing.T) {
	t.Parallel()
	e := setup(t)
	for address, page := range map[string]string{
		"/nowhere": "<html>nothing here", "/hi/nowhere": "<html lang=hi>nothing here in Hindi", "/404.html": "<html>nothing here",
		"/assets/gone.js": "<html>nothing here",
	} {
		for _, part := range []string{"", "bytes=0-3", "bytes=0-", "bytes=9999-"} {
			w := get(t, e, address, "Range", part)
			require.Equal(t, http.StatusNotFound, w.Code, "%s %s", address, part)
			require.Equal(t, page, w.Body.String(), "%s %s", address, part)
		}
	}
}
