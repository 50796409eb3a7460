// Package idempotency says what an Idempotency-Key is: its form, what makes two requests the same one, and the answer to a key that
// came with another request before. What a key stands for is kept with what its request made, in the same transaction.
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

// Rule is the form of a key in words.
const Rule = "Idempotency-Key takes 8 to 128 letters, digits, hyphens and underscores."

// Valid says whether the key has the form that the contract gives.
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

// Fingerprint is the SHA-256 of a call and its content.
type Fingerprint [sha256.Size]byte

// Of returns the fingerprint of what a request asks for.
func Of(content []byte) Fingerprint { return sha256.Sum256(content) }

// Check fails with ErrReused where the request that the key stands for already had another fingerprint.
func (f Fingerprint) Check(earlier []byte) error {
	if !bytes.Equal(f[:], earlier) {
		return ErrReused()
	}
	return nil
}

// ErrReused answers to a key that came with another request before.
func ErrReused() *errs.Error {
	return errs.New(errs.KindInvalid, "idempotency_key_reused",
		"This request was sent before with other content. Please reload the page and try again.")
}
