// Package idempotency defines the Idempotency-Key: its format, what makes two requests the same, and the error for a key
// reused with a different request. A key is stored with the result of its request, in the same transaction.
package idempotency

import (
	"bytes"
	"crypto/sha256"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// The length of a key in characters.
const (
	minKey = 8
	maxKey = 128
)

// Rule describes the format of a key.
const Rule = "Idempotency-Key takes 8 to 128 letters, digits, hyphens and underscores."

// Valid reports whether the key has the format defined in the contract.
func Valid(key string) bool {
	if len(key) < minKey || len(key) > maxKey {
		return false
	}
	for _, c := range []byte(key) {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' && c != '_' {
			return false
		}
	}
	return true
}

// Fingerprint is the SHA-256 of a request and its content.
type Fingerprint [sha256.Size]byte

// Of returns the fingerprint of a request's content.
func Of(content []byte) Fingerprint { return sha256.Sum256(content) }

// Check returns ErrReused if the key's original request had a different fingerprint.
func (f Fingerprint) Check(earlier []byte) error {
	if !bytes.Equal(f[:], earlier) {
		return ErrReused()
	}
	return nil
}

// ErrReused is the error for a key already used with a different request.
func ErrReused() *errs.Error {
	return errs.New(errs.KindInvalid, "idempotency_key_reused",
		"This request was sent before with other content. Please reload the page and try again.")
}
