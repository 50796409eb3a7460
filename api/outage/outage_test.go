package outage_test

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/api/outage"
)

// A status that blames the request says that nothing was changed. Every other status, and a rate limit, says that the payment is safe, so
// that a payer does not pay twice.
func TestOutagePage_FollowsTheStatus(t *testing.T) {
	t.Parallel()
	const unread, safe = "<h1>We could not read that</h1>", "<h1>Your payment is safe</h1>"
	for status, want := range map[int]string{
		400: unread, 401: unread, 403: unread, 404: unread, 409: unread, 413: unread, 422: unread, 499: unread, 429: safe, 500: safe, 502: safe, 503: safe, 504: safe,
	} {
		w := httptest.NewRecorder()
		outage.Returned(w, status)
		require.Equal(t, status, w.Code)
		require.Contains(t, w.Body.String(), want, status)
		require.Equal(t, "text/html; charset=utf-8", w.Header().Get("Content-Type"))
		require.Equal(t, "no-store", w.Header().Get("Cache-Control"))
		require.Equal(t, want == safe, strings.Contains(w.Body.String(), "Please do not pay again"), status)
	}
}

// The pages load nothing from elsewhere. Their policy allows only their own style, by its hash.
func TestOutagePage_LoadsNothing(t *testing.T) {
	t.Parallel()
	for _, status := range []int{400, 503} {
		w := httptest.NewRecorder()
		outage.Returned(w, status)
		page := w.Body.String()
		for _, from := range []string{"<script", "<link", "<img", " src=", "http://", "https://", "url(", " style=", "onload"} {
			require.NotContains(t, page, from, status)
		}
		_, rest, ok := strings.Cut(page, "<style>")
		require.True(t, ok)
		style, _, ok := strings.Cut(rest, "</style>")
		require.True(t, ok)
		sum := sha256.Sum256([]byte(style))
		require.Equal(t, "default-src 'none'; style-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+
			"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'", w.Header().Get("Content-Security-Policy"))
		require.Equal(t, 1, strings.Count(page, "<style"))
		require.Contains(t, page, `<section lang="hi">`, "in both languages, as nobody knows which is read")
		require.Equal(t, 2, strings.Count(page, `<a href="/`), "a way on in each")
	}
}

func TestWanted_OnlyABrowser(t *testing.T) {
	t.Parallel()
	for accept, want := range map[string]bool{
		"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8": true, "text/html": true, "application/json": false, "*/*": false, "": false, "text/plain": false,
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", http.NoBody)
		r.Header.Set("Accept", accept)
		require.Equal(t, want, outage.Wanted(r), accept)
	}
}
