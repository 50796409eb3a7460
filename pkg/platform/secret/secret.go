// Package secret derives one key per purpose from the process's master key and generates random tokens.
package secret

import (
	"bytes"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
)

// Purpose is the purpose of a derived key; keys of different purposes are independent.
type Purpose string

// The purposes for which keys are derived.
const (
	PurposeOTP     Purpose = "otp"
	PurposeXSRF    Purpose = "xsrf"
	PurposeSubject Purpose = "rate-limit subject"
	PurposeTOTP    Purpose = "totp secret encryption"
	// PurposeRecovery and PurposeTrial hash recovery codes and the mobile numbers that have used their trial.
	PurposeRecovery Purpose = "recovery codes"
	PurposeTrial    Purpose = "trial mobiles"
	// PurposeVerification makes the token returned for a correct code.
	PurposeVerification Purpose = "verifications"
	// PurposeWebhook encrypts the secrets that sign webhooks.
	PurposeWebhook Purpose = "webhook secret encryption"
	// PurposeSignIn encrypts the keys that sign the identity tokens for connected systems.
	PurposeSignIn Purpose = "sign-in key encryption"
	// PurposePasskey encrypts the secrets with which the api opens sessions of passkeys.
	PurposePasskey Purpose = "passkey secret encryption"
)

// Keyring holds 32-byte master keys. The first one is used for everything new; the others only for reading.
type Keyring struct {
	masters [][]byte
	// kept holds the keys stored in the database, by purpose; they replace derived ones.
	kept map[Purpose][]byte
}

// Empty reports whether the keyring holds no key.
func (k Keyring) Empty() bool { return len(k.masters) == 0 }

// ParseKeyring parses master keys of 64 hexadecimal digits: the current one, and others used only for reading.
func ParseKeyring(current string, others ...string) (Keyring, error) {
	var k Keyring
	for _, text := range append([]string{current}, others...) {
		master, err := hex.DecodeString(text)
		if err != nil || len(master) != 32 {
			return Keyring{}, errors.New("secret key: want 64 hexadecimal digits")
		}
		k.masters = append(k.masters, master)
	}
	return k, nil
}

// Weak reports whether a master key can't have come from a random source: too few different bytes, or a repeating part.
func Weak(text string) bool {
	master, err := hex.DecodeString(text)
	if err != nil {
		return false // reported by ParseKeyring
	}
	seen := map[byte]bool{}
	for _, b := range master {
		seen[b] = true
	}
	return len(seen) < 20 || bytes.Equal(master[:len(master)/2], master[len(master)/2:])
}

// Each yields a ring for each single key, the current one first, to compare with what any of them may have produced.
func (k Keyring) Each() iter.Seq[Keyring] {
	return func(yield func(Keyring) bool) {
		for _, master := range k.masters {
			if !yield(Keyring{masters: [][]byte{master}, kept: k.kept}) {
				return
			}
		}
	}
}

// key returns the purpose's 32-byte key: the stored one, or else derived (HKDF-SHA256, RFC 5869).
func (k Keyring) key(p Purpose) []byte {
	if kept, ok := k.kept[p]; ok {
		return kept
	}
	return derive(k.masters[0], p)
}

func derive(master []byte, p Purpose) []byte {
	key, _ := hkdf.Key(sha256.New, master, nil, string(p), 32) // fails only above 255 hashes of output
	return key
}

// Fits reports, in constant time for each key, whether any key of the ring produced this MAC of the parts.
func (k Keyring) Fits(mac []byte, p Purpose, parts ...string) bool {
	for one := range k.Each() {
		if hmac.Equal(mac, one.MAC(p, parts...)) {
			return true
		}
	}
	return false
}

// MAC returns HMAC-SHA256 of the parts under the purpose's key, each part preceded by its length.
func (k Keyring) MAC(p Purpose, parts ...string) []byte {
	m := hmac.New(sha256.New, k.key(p))
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

// Hash returns the SHA-256 stored in place of a random token.
func Hash(token string) []byte {
	h := sha256.Sum256([]byte(token))
	return h[:]
}
