// Package id makes the identifiers of all rows: UUIDs of version 7 (RFC 9562), which sort by the time of their making.
package id

import "github.com/google/uuid"

// New returns a fresh UUIDv7 in its canonical text form.
func New() string {
	return uuid.Must(uuid.NewV7()).String()
}

// Valid says whether s is a UUID in its canonical 36-character form.
func Valid(s string) bool {
	return len(s) == 36 && uuid.Validate(s) == nil
}
