// Package password stores passwords as argon2id hashes and verifies them in constant time, whether or not the account
// exists.
package password

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"

	"golang.org/x/crypto/argon2"
)

// The cost of one hash, as recommended by OWASP's password storage cheat sheet: 19 MiB, two passes, one lane.
const (
	memoryKiB = 19 * 1024
	passes    = 2
	lanes     = 1
	saltBytes = 16
	keyBytes  = 32
)

// Hasher hashes and verifies passwords, at most one per slot at a time, so that a flood of sign-ins cannot exhaust memory.
// Callers queue when no slot is free; when the queue is full they get ErrBusy.
type Hasher struct {
	line *line
	kind kind
	// key computes a hash, here or in another process.
	key func(job) ([]byte, error)
	// memoryKiB and passes are the cost of a new hash, and of a check for an account that does not exist.
	memoryKiB, passes uint32
}

// NewHasher returns a hasher that processes at most parallel passwords at once. Its callers count as unknown.
func NewHasher(parallel int) *Hasher {
	return &Hasher{line: newLine(max(1, parallel)), key: job.key, memoryKiB: memoryKiB, passes: passes}
}

// Cheap is NewHasher for tests: its hashes are fast and offer no protection.
func Cheap(parallel int) *Hasher {
	return &Hasher{line: newLine(max(1, parallel)), key: job.key, memoryKiB: 8, passes: 1}
}

// For returns the same hasher for a known or unknown caller; known means signed in, or in a browser that has signed in to
// the account before. The two kinds queue separately and take turns.
func (h *Hasher) For(callerKnown bool) *Hasher {
	other := *h
	if other.kind = unknown; callerKnown {
		other.kind = known
	}
	return &other
}

// Open returns ErrBusy if a password would be refused now, so that callers can fail before querying or counting anything.
func (h *Hasher) Open() error {
	if h.line.full(h.kind) {
		return ErrBusy
	}
	return nil
}

// Hash returns the password's hash in PHC string form with a fresh salt. It fails with ErrBusy if the queue is full.
func (h *Hasher) Hash(ctx context.Context, password string) (string, error) {
	salt := make([]byte, saltBytes)
	_, _ = rand.Read(salt) // never fails since Go 1.24
	key, err := h.derive(ctx, password, parameters{memoryKiB: h.memoryKiB, passes: h.passes, lanes: lanes, salt: salt}, keyBytes)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, h.memoryKiB, h.passes, lanes,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(key)), nil
}

// Verify reports whether the password matches the hash. An empty hash means an account that does not exist: checking it takes the same time
// and always fails.
func (h *Hasher) Verify(ctx context.Context, encoded, password string) (bool, error) {
	if encoded == "" {
		_, err := h.derive(ctx, password, parameters{
			memoryKiB: h.memoryKiB, passes: h.passes, lanes: lanes, salt: make([]byte, saltBytes),
		}, keyBytes)
		return false, err
	}
	p, want, err := parse(encoded)
	if err != nil {
		return false, err
	}
	got, err := h.derive(ctx, password, p, len(want))
	if err != nil {
		return false, err
	}
	return subtle.ConstantTimeCompare(got, want) == 1, nil
}

// Like hashes the password with the parameters in salt, a PHC string without its hash. The result equals the original hash if the password
// does. An empty salt means an account that does not exist: it takes the same time and returns "".
func (h *Hasher) Like(ctx context.Context, salt, password string) (string, error) {
	if salt == "" {
		_, err := h.Verify(ctx, "", password)
		return "", err
	}
	p, blank, err := parse(salt + base64.RawStdEncoding.EncodeToString(make([]byte, keyBytes)))
	if err != nil {
		return "", err
	}
	key, err := h.derive(ctx, password, p, len(blank))
	if err != nil {
		return "", err
	}
	return salt + base64.RawStdEncoding.EncodeToString(key), nil
}

func (h *Hasher) derive(ctx context.Context, password string, p parameters, length int) ([]byte, error) {
	if err := h.line.enter(ctx, h.kind); err != nil {
		return nil, err
	}
	begun := time.Now() //nolint:forbidigo // elapsed time, not business time
	defer func() { h.line.leave(time.Since(begun)) }()
	return h.key(job{password, p.salt, p.passes, p.memoryKiB, p.lanes, uint32(length)}) //nolint:gosec // 16–64
}

type parameters struct {
	memoryKiB, passes uint32
	lanes             uint8
	salt              []byte
}

func parse(encoded string) (parameters, []byte, error) {
	broken := errors.New("password hash is not an argon2id PHC string")
	parts := strings.Split(encoded, "$")
	if len(parts) != 6 || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return parameters{}, nil, broken
	}
	var p parameters
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &p.memoryKiB, &p.passes, &p.lanes); err != nil {
		return parameters{}, nil, broken
	}
	var err error
	if p.salt, err = base64.RawStdEncoding.DecodeString(parts[4]); err != nil {
		return parameters{}, nil, broken
	}
	key, err := base64.RawStdEncoding.DecodeString(parts[5])
	if err != nil || len(key) < 16 || len(key) > 64 || p.passes == 0 || p.lanes == 0 {
		return parameters{}, nil, broken
	}
	return p, key, nil
}
