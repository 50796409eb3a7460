package site

import (
	"crypto/sha256"
	"encoding/base64"
	"regexp"
	"strings"
	"time"
)

// zeroTime makes http.ServeContent omit Last-Modified: the ETag suffices.
var zeroTime time.Time //nolint:gochecknoglobals // the zero value, never written

// scriptTag and styleTag match inline elements of our prerendered pages, not of foreign text.
const (
	scriptTag = `(?s)<script(?:\s+(?:type="(?:module|application/ld\+json)"|data-files="[^"]*"))?>(.*?)</script>`
	styleTag  = `(?s)<style[^>]*>(.*?)</style>`
)

// hashes returns the CSP sources 'sha256-…' of a page's inline elements, each preceded by a space.
func hashes(page []byte, pattern string) string {
	var b strings.Builder
	for _, m := range regexp.MustCompile(pattern).FindAllSubmatch(page, -1) {
		sum := sha256.Sum256(m[1])
		b.WriteString(" 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'")
	}
	return b.String()
}
