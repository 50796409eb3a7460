// Package connect serves the operator's own systems: it manages their API keys, and returns a customer's entitlements.
package connect

import (
	"crypto/rand"
	"hash/crc32"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// Scope is one thing that a key allows.
type Scope string

// The scopes.
const (
	// ScopeEntitlements allows reading a customer's entitlements.
	ScopeEntitlements Scope = "entitlements:read"
	// ScopeDeliveries allows reading what connected systems deliver to a customer, and reporting on it.
	ScopeDeliveries Scope = "deliveries:write"
)

// ScopeFigures allows reporting a customer's figures.
const ScopeFigures Scope = "figures:write"

// Scopes returns every scope.
func Scopes() []Scope { return []Scope{ScopeEntitlements, ScopeDeliveries, ScopeFigures} }

const (
	prefix     = "f360_"
	digits     = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	random     = 40 // characters, 238 bits
	checksum   = 6  // characters
	hintLength = len(prefix) + 6
	maxKeys    = 50
)

var keyForm = regexp.MustCompile(`^f360_[0-9A-Za-z]{46}$`)

// newKey returns a key: a prefix, random characters, and a checksum. The checksum lets secret scanners and typing checks recognise a
// real key without a query.
func newKey() string {
	b := make([]byte, random)
	for i := range b {
		n, _ := rand.Int(rand.Reader, big.NewInt(int64(len(digits)))) // never fails since Go 1.24
		b[i] = digits[n.Int64()]
	}
	return prefix + string(b) + sum(prefix+string(b))
}

func sum(text string) string {
	n := crc32.ChecksumIEEE([]byte(text))
	b := []byte(strings.Repeat("0", checksum))
	for i := checksum - 1; i >= 0; i-- {
		b[i] = digits[n%uint32(len(digits))]
		n /= uint32(len(digits))
	}
	return string(b)
}

// wellFormed reports whether the text can be a key at all.
func wellFormed(text string) bool {
	return keyForm.MatchString(text) && sum(text[:len(text)-checksum]) == text[len(text)-checksum:]
}

// Key is a key as staff see it, without the key itself. Hint is how it begins.
type Key struct {
	ID         string     `db:"id"`
	Label      string     `db:"label"`
	Hint       string     `db:"hint"`
	Scopes     []Scope    `db:"-"`
	CreatedAt  time.Time  `db:"created_at"`
	ExpiresAt  *time.Time `db:"expires_at"`
	RevokedAt  *time.Time `db:"revoked_at"`
	LastUsedAt *time.Time `db:"last_used_at"`
}

// Allows reports whether the key has the scope.
func (k Key) Allows(s Scope) bool { return slices.Contains(k.Scopes, s) }

// KeyInput is what staff enter of a key. No days means that it is valid until it is revoked.
type KeyInput struct {
	Label  string
	Scopes []Scope
	Days   int
}

func (in KeyInput) check() (KeyInput, error) {
	in.Label = strings.Join(strings.Fields(in.Label), " ")
	named := len(in.Scopes)
	in.Scopes = append([]Scope{}, in.Scopes...)
	slices.Sort(in.Scopes)
	in.Scopes = slices.Compact(in.Scopes)
	var v errs.Validation
	n := utf8.RuneCountInString(in.Label)
	v.Check(n >= 2 && n <= 80, "label", "Say what the key is for, in 2 to 80 characters.")
	v.Check(named <= 10, "scopes", "There is no such scope.")
	v.Check(len(in.Scopes) > 0, "scopes", "Choose what the key allows.")
	v.Check(!slices.ContainsFunc(in.Scopes, func(s Scope) bool { return !slices.Contains(Scopes(), s) }), "scopes", "There is no such scope.")
	v.Check(in.Days >= 0 && in.Days <= 3650, "days", "Choose up to 3650 days, or 0 for no end.")
	return in, v.Err()
}
