// Package password keeps passwords as argon2id hashes and compares them in the same time, whether there is one or not.
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

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// The cost of one hash, as OWASP's password storage cheat sheet recommends: 19 MiB, two passes, one lane.
const (
	memoryKiB = 19 * 1024
	passes    = 2
	lanes     = 1
	saltBytes = 16
	keyBytes  = 32
)

// maxWait is how long a caller queues for a free slot before it is told to come back.
const maxWait = 10 * time.Second

// Hasher hashes and verifies; at most so many at once as it has slots, so that a flood of sign-ins cannot take the
// machine's memory.
type Hasher struct {
	slots chan struct{}
	// memoryKiB and passes are what a new hash costs, and the answer about an account that does not exist.
	memoryKiB, passes uint32
}

// NewHasher returns a hasher that works on at most parallel passwords at once.
func NewHasher(parallel int) *Hasher {
	return &Hasher{slots: make(chan struct{}, max(1, parallel)), memoryKiB: memoryKiB, passes: passes}
}

// Cheap is NewHasher for tests: its hashes cost next to nothing and protect nothing.
func Cheap(parallel int) *Hasher {
	return &Hasher{slots: make(chan struct{}, max(1, parallel)), memoryKiB: 8, passes: 1}
}

// Hash returns the password's hash in PHC string form with a fresh salt.
// It fails with KindUnavailable where no slot came free in time.
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

// Verify says whether the password belongs to the hash. An empty hash stands for an account that does not exist: it
// takes the same time and is never right.
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

// Like hashes the password as the salt says: a PHC string whose hash is left out. The result equals the hash that the salt is
// of where the password does. An empty salt stands for an account that does not exist: it takes the same time and gives "".
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
	wait := time.NewTimer(maxWait)
	defer wait.Stop()
	select {
	case h.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, fmt.Errorf("wait to hash: %w", ctx.Err())
	case <-wait.C:
		return nil, errs.Unavailable(errors.New("password hashing is overloaded"))
	}
	defer func() { <-h.slots }()
	return argon2.IDKey([]byte(password), p.salt, p.passes, p.memoryKiB, p.lanes, uint32(length)), nil //nolint:gosec // 16–64
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
