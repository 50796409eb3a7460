package site

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gin-gonic/gin"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
)

// serving returns an engine for the files, each padded so that it gets compressed.
func serving(t *testing.T, o Options, files map[string]string) *gin.Engine {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	s, err := Load(fsys, o)
	require.NoError(t, err)
	e := gin.New()
	e.NoRoute(s.Handler)
	return e
}

func long(text string) string { return text + strings.Repeat(" filler", 100) }

// plain returns the decoded response body.
func plain(t *testing.T, r *httptest.ResponseRecorder) string {
	t.Helper()
	var from io.Reader = r.Body
	switch r.Header().Get("Content-Encoding") {
	case "zstd":
		unpacked, err := zstd.NewReader(from)
		require.NoError(t, err)
		defer unpacked.Close()
		from = unpacked
	case "gzip":
		unzipped, err := gzip.NewReader(from)
		require.NoError(t, err)
		from = unzipped
	}
	text, err := io.ReadAll(from)
	require.NoError(t, err)
	return string(text)
}

// Given a page in every encoding, then all have the same content, even if the build compressed it before the origin was
// known.
func TestSite_EachEncoding_HasTheSameContent(t *testing.T) {
	t.Parallel()
	page := long(`<link rel="canonical" href="%PUBLIC_URL%/about">`)
	e := serving(t, Options{PublicURL: "https://franchise.example"}, map[string]string{
		"index.html": long("home"), "about/index.html": page, "about/index.html.br": "made without the origin",
	})
	want := strings.ReplaceAll(page, "%PUBLIC_URL%", "https://franchise.example")
	for accepted, encoding := range map[string]string{"": "", "gzip": "gzip", "gzip, deflate, br, zstd": "zstd", "br": "", "zstd": "zstd", "identity": ""} {
		got := get(t, e, "/about", "Accept-Encoding", accepted)
		require.Equal(t, encoding, got.Header().Get("Content-Encoding"), accepted)
		require.Equal(t, want, plain(t, got), accepted)
		require.Equal(t, "Accept-Encoding", got.Header().Get("Vary"))
	}
}

// Given an encoding that a client refuses with q=0 (RFC 9110, section 12.5.3), then it gets another one.
func TestSite_RefusedEncoding_IsNotSent(t *testing.T) {
	t.Parallel()
	e := serving(t, Options{}, map[string]string{"index.html": long("home")})
	for accepted, encoding := range map[string]string{
		"zstd;q=0, gzip": "gzip", "gzip;q=0,zstd;q=0": "", "zstd; q=0.000": "", "zstd;q=0.5": "zstd", "GZIP": "gzip", "zstandard": "", "x-gzip-like": "", "gzip;q=1.0 , zstd;q=0": "gzip",
	} {
		got := get(t, e, "/", "Accept-Encoding", accepted)
		require.Equal(t, encoding, got.Header().Get("Content-Encoding"), accepted)
		require.Equal(t, long("home"), plain(t, got), accepted)
	}
}

func TestSite_SmallOrCompressedFile_IsSentUnchanged(t *testing.T) {
	t.Parallel()
	e := serving(t, Options{}, map[string]string{
		"index.html": "home", "assets/a.woff2": long("font"), "assets/b.js": long("let b"), "assets/c.avif": long("picture"), "assets/d.svg": long("<svg>"),
	})
	for path, encoding := range map[string]string{"/": "", "/assets/a.woff2": "", "/assets/b.js": "zstd", "/assets/c.avif": "", "/assets/d.svg": "zstd"} {
		require.Equal(t, encoding, get(t, e, path, "Accept-Encoding", "zstd").Header().Get("Content-Encoding"), path)
	}
}

func TestContentType_OfEachExtension(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"a.js": "text/javascript; charset=utf-8", "a.webmanifest": "application/manifest+json", "a.woff2": "font/woff2", "a.vtt": "text/vtt; charset=utf-8",
		"a.avif": "image/avif", "a.webm": "video/webm", "a.mp4": "video/mp4", "a.html": "text/html; charset=utf-8", "a.css": "text/css; charset=utf-8",
		"a.png": "image/png", "a.svg": "image/svg+xml", "a.json": "application/json", "a": "application/octet-stream", "a.unheardof": "application/octet-stream",
	} {
		require.Equal(t, want, contentType(name), name)
	}
}

// Given a build without a list of routes, then paths that look like pages are served, and unknown files are missing.
func TestSite_BuildWithoutRoutes_ServesPaths(t *testing.T) {
	t.Parallel()
	e := serving(t, Options{}, map[string]string{"index.html": "home", "favicon.ico": "icon"})
	for path, want := range map[string]int{"/": 200, "/dashboard": 200, "/a/b/c": 200, "/favicon.ico": 200, "/other.ico": 404, "/.env": 404, "/index.html": 404, "/api": 404} {
		require.Equal(t, want, get(t, e, path).Code, path)
	}
	require.Contains(t, body(t, get(t, e, "/dashboard")), "home", "the home page is the shell where there is no other")
}

func TestRoutes_MatchOnlyWholePaths(t *testing.T) {
	t.Parallel()
	e := serving(t, Options{}, map[string]string{"index.html": "home", "routes.json": `["/orders/:id","/a.b","/help/*","/Mixed/Case"]`})
	for path, want := range map[string]int{
		"/orders/7": 200, "/orders/7/": 200, "/orders": 404, "/orders/7/8": 404, "/x/orders/7": 404, "/a.b": 200, "/axb": 404, "/help/a/b": 200, "/help": 404,
		"/helpx": 404, "/mixed/case": 200, "/MIXED/CASE": 200, "//orders//7": 200, "/orders/../help/x": 200, "/orders/%2e%2e": 200,
	} {
		require.Equal(t, want, get(t, e, path).Code, path)
	}
	for name, routes := range map[string]string{"no JSON": `[`, "no list": `{}`, "no texts": `[1]`} {
		_, err := Load(fstest.MapFS{"index.html": {Data: []byte("home")}, "routes.json": {Data: []byte(routes)}}, Options{})
		require.Error(t, err, name)
	}
}

func TestSite_OtherMethodsThanGetAndHead_AreNotFound(t *testing.T) {
	t.Parallel()
	e := setup(t)
	for method, want := range map[string]int{http.MethodHead: 200, http.MethodPost: 404, http.MethodPut: 404, http.MethodDelete: 404, http.MethodOptions: 404, "BREW": 404} {
		w := httptest.NewRecorder()
		e.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), method, "/pricing", nil))
		require.Equal(t, want, w.Code, method)
		if want == 200 {
			require.NotEmpty(t, w.Header().Get("ETag"))
		}
	}
}

// Given an ETag from before a deployment, then the new page is sent; a missing page is never "not modified".
func TestSite_ETagOfAnEarlierBuild_GetsTheNewPage(t *testing.T) {
	t.Parallel()
	old := serving(t, Options{}, map[string]string{"index.html": "old"})
	tag := get(t, old, "/").Header().Get("ETag")
	e := serving(t, Options{}, map[string]string{"index.html": "new", "404.html": "old"})
	require.Equal(t, http.StatusOK, get(t, e, "/", "If-None-Match", tag).Code)
	require.Equal(t, http.StatusNotModified, get(t, old, "/", "If-None-Match", `"x", W/`+tag).Code)
	require.Equal(t, http.StatusNotFound, get(t, e, "/a.b.c", "If-None-Match", tag).Code)
	require.Empty(t, get(t, old, "/").Header().Get("Strict-Transport-Security"), "not where the site is reached by http")
}

// Given inline scripts, then the policy allows them by their hashes and no others.
func TestSite_Policy_HasTheHashOfEachInlineScript(t *testing.T) {
	t.Parallel()
	page := "<script>one</script><script type=\"module\">two\n</script><script src=\"/a.js\"></script><style>s</style><p onclick=\"x\">"
	require.Equal(t, 2, strings.Count(hashes([]byte(page), scriptTag), "'sha256-"))
	require.Equal(t, 1, strings.Count(hashes([]byte(page), styleTag), "'sha256-"))
	// printf one | openssl dgst -sha256 -binary | base64
	require.Contains(t, hashes([]byte(page), scriptTag), "'sha256-dpLDrTVAu4A8Ags67mbNiIcSMjTqDG5xQ8Ct1z/0Me0='")
	require.Empty(t, hashes(nil, scriptTag))
}
