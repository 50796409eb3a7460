// Package totp generates and checks the codes of authenticator apps: RFC 6238 with SHA-1, six digits and 30 s steps.
package totp

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1" //nolint:gosec // RFC 6238's HMAC-SHA-1, the only algorithm that every authenticator app supports
	"crypto/subtle"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"net/url"
	"time"
)

// Step is how long one code is displayed.
const Step = 30 * time.Second

const (
	secretBytes = 20 // 160 bits, as RFC 4226 section 4 recommends
	drift       = 1  // steps before and after the current one that are also accepted
)

// NewSecret returns 20 random bytes.
func NewSecret() []byte {
	b := make([]byte, secretBytes)
	_, _ = rand.Read(b) // never fails since Go 1.24
	return b
}

// Encode returns the secret as unpadded base32, for typing by hand.
func Encode(secret []byte) string {
	return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(secret)
}

// URL returns the otpauth URL that an authenticator app reads from a QR code.
func URL(issuer, account string, secret []byte) string {
	// every app decodes %20, but not every app decodes + as a space
	return fmt.Sprintf("otpauth://totp/%s:%s?secret=%s&issuer=%s",
		url.PathEscape(issuer), url.PathEscape(account), Encode(secret), url.PathEscape(issuer))
}

// StepAt returns the number of the step at the given time.
func StepAt(at time.Time) int64 { return at.Unix() / int64(Step/time.Second) }

// Code returns the six digits of a step.
func Code(secret []byte, step int64) string {
	m := hmac.New(sha1.New, secret)
	var counter [8]byte
	binary.BigEndian.PutUint64(counter[:], uint64(step)) //nolint:gosec // steps since 1970 are positive
	m.Write(counter[:])
	sum := m.Sum(nil)
	offset := sum[len(sum)-1] & 0x0f
	value := binary.BigEndian.Uint32(sum[offset:]) & 0x7fffffff
	return fmt.Sprintf("%06d", value%1_000_000)
}

// Match returns the code's step if it is close to the given time and later than lastStep, so that no code works twice; otherwise ok is
// false.
func Match(secret []byte, code string, at time.Time, lastStep int64) (step int64, ok bool) {
	now := StepAt(at)
	for s := now - drift; s <= now+drift; s++ {
		equal := subtle.ConstantTimeCompare([]byte(Code(secret, s)), []byte(code)) == 1
		if equal && s > lastStep && !ok {
			step, ok = s, true
		}
	}
	return step, ok
}
