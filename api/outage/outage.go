// Package outage holds the pages that people see where nothing else can be shown: while the product cannot answer, and on a return
// from the gateway that cannot be read. Each is one file that needs nothing beside it; the reverse proxy serves them too.
package outage

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"net/http"
	"regexp"
	"strings"
)

var (
	//go:embed page/paid.html
	paid []byte
	//go:embed page/unread.html
	unread []byte
)

// Wanted says whether whoever asks is a browser that shows a page, and not a program that reads JSON.
func Wanted(r *http.Request) bool { return strings.Contains(r.Header.Get("Accept"), "text/html") }

// Returned answers a browser that comes back from the gateway: where the status blames the request (4xx) it is told that nothing
// was changed, else that its payment is safe.
func Returned(w http.ResponseWriter, status int) {
	page := paid
	if status < http.StatusInternalServerError && status != http.StatusTooManyRequests {
		page = unread
	}
	h := w.Header()
	h.Set("Content-Security-Policy", policy(page))
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(page)
}

// policy allows the page's own style and nothing else.
func policy(page []byte) string {
	style := regexp.MustCompile(`(?s)<style>(.*?)</style>`).FindSubmatch(page)[1]
	sum := sha256.Sum256(style)
	return fmt.Sprintf("default-src 'none'; style-src 'sha256-%s'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
		base64.StdEncoding.EncodeToString(sum[:]))
}
