package handler

import (
	"net/http"
	"strings"
)

// Limits for what providers post: more than any of them sends, and longer than any signature.
const (
	maxFormFields = 200
	maxHeader     = 512
)

// extensions returns the headers with which providers sign and identify their webhooks.
func extensions(h http.Header) map[string]string {
	found := map[string]string{}
	for name := range h {
		if value := h.Get(name); strings.HasPrefix(name, "X-") && len(value) <= maxHeader {
			found[strings.ToLower(name)] = value
		}
	}
	return found
}
