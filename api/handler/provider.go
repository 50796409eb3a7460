package handler

import (
	"net/http"
	"strings"
)

// Limits of what providers post: more than any of them sends, and more bytes than any signature needs.
const (
	maxFormFields = 200
	maxHeader     = 512
)

// extensions are the headers under which providers sign and name what they post.
func extensions(h http.Header) map[string]string {
	found := map[string]string{}
	for name := range h {
		if value := h.Get(name); strings.HasPrefix(name, "X-") && len(value) <= maxHeader {
			found[strings.ToLower(name)] = value
		}
	}
	return found
}
