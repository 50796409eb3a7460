// Package outage holds the pages shown when nothing else can be: while the product is down, and when a return from the
// gateway cannot be read. Each is a single self-contained file; the reverse proxy serves them too.
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

// Wanted reports whether the client is a browser that shows a page, rather than a program that reads JSON.
// Browsers inside apps may accept anything, but name a navigation (Fetch Metadata).
func Wanted(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Accept"), "text/html") || r.Header.Get("Sec-Fetch-Mode") == "navigate"
}

// Returned responds to a browser returning from the gateway: if the status blames the request (4xx), the page says that
// nothing was changed, otherwise that the payment is safe.
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

// policy allows only the page's own style.
func policy(page []byte) string {
	style := regexp.MustCompile(`(?s)<style>(.*?)</style>`).FindSubmatch(page)[1]
	sum := sha256.Sum256(style)
	return fmt.Sprintf("default-src 'none'; style-src 'sha256-%s'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
		base64.StdEncoding.EncodeToString(sum[:]))
}
