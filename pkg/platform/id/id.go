// Package id generates the identifiers of all rows: UUIDv7 (RFC 9562), which sort by creation time. The time is the machine's, so no rule reads it.
package id

import "github.com/google/uuid"

// New returns a new UUIDv7 in its canonical text form.
func New() string {
	return uuid.Must(uuid.NewV7()).String()
}

// Valid reports whether s is a UUID in its canonical 36-character form.
func Valid(s string) bool {
	return len(s) == 36 && uuid.Validate(s) == nil
}
