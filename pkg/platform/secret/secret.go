// Package secret derives one key per purpose from the process's master key and makes random tokens.
package secret

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
)

// Purpose names what a derived key is for; keys of two purposes have nothing in common.
type Purpose string

// The purposes for which keys are derived.
const (
	PurposeOTP     Purpose = "otp"
	PurposeXSRF    Purpose = "xsrf"
	PurposeSubject Purpose = "rate-limit subject"
	PurposeTOTP    Purpose = "totp secret encryption"
)

// Keyring holds the master key of 32 bytes.
type Keyring struct{ master []byte }

// ParseKeyring reads a master key of 64 hexadecimal digits.
func ParseKeyring(s string) (Keyring, error) {
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != 32 {
		return Keyring{}, errors.New("secret key: want 64 hexadecimal digits")
	}
	return Keyring{master: b}, nil
}

// Key returns the 32-byte key of a purpose (HKDF-SHA256, RFC 5869).
func (k Keyring) Key(p Purpose) []byte {
	key, _ := hkdf.Key(sha256.New, k.master, nil, string(p), 32) // fails only above 255 hashes of output
	return key
}

// MAC returns HMAC-SHA256 of the parts under the purpose's key, each part preceded by its length.
func (k Keyring) MAC(p Purpose, parts ...string) []byte {
	m := hmac.New(sha256.New, k.Key(p))
	for _, part := range parts {
		fmt.Fprintf(m, "%d:%s", len(part), part)
	}
	return m.Sum(nil)
}

// Token returns 32 random bytes as 43 characters of unpadded URL-safe base64.
func Token() string {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // never fails since Go 1.24
	return base64.RawURLEncoding.EncodeToString(b)
}

// Hash returns the SHA-256 under which a random token is stored.
func Hash(token string) []byte {
	h := sha256.Sum256([]byte(token))
	return h[:]
}
