// Package secret derives one key per purpose from the process's master key and makes random tokens.
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

// Purpose names what a derived key is for; keys of two purposes have nothing in common.
type Purpose string

// The purposes for which keys are derived.
const (
	PurposeOTP     Purpose = "otp"
	PurposeXSRF    Purpose = "xsrf"
	PurposeSubject Purpose = "rate-limit subject"
	PurposeTOTP    Purpose = "totp secret encryption"
	// PurposeRecovery and PurposeTrial hash recovery codes and the mobiles that had their trial.
	PurposeRecovery Purpose = "recovery codes"
	PurposeTrial    Purpose = "trial mobiles"
	// PurposeVerification makes the token that the right guess of a code gives.
	PurposeVerification Purpose = "verifications"
)

// Keyring holds master keys of 32 bytes. The first makes everything new; what another one made is still read.
type Keyring struct {
	masters [][]byte
	// kept are the keys that the database holds, by their purposes; they count instead of derived ones.
	kept map[Purpose][]byte
}

// ParseKeyring reads master keys of 64 hexadecimal digits: the one in use, and others that are only read with.
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

// Weak says whether a master key can't have come from a random source: too few different bytes, or a part that repeats.
func Weak(text string) bool {
	master, err := hex.DecodeString(text)
	if err != nil {
		return false // ParseKeyring says so
	}
	seen := map[byte]bool{}
	for _, b := range master {
		seen[b] = true
	}
	return len(seen) < 20 || bytes.Equal(master[:len(master)/2], master[len(master)/2:])
}

// Each returns a ring of each key alone, the one in use first, to compare what any of them may have made.
func (k Keyring) Each() iter.Seq[Keyring] {
	return func(yield func(Keyring) bool) {
		for _, master := range k.masters {
			if !yield(Keyring{masters: [][]byte{master}, kept: k.kept}) {
				return
			}
		}
	}
}

// key returns the 32-byte key of a purpose (HKDF-SHA256, RFC 5869), or the kept one.
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

// Fits says, in constant time for each key, whether any key of the ring made the MAC of the parts.
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

// Hash returns the SHA-256 under which a random token is stored.
func Hash(token string) []byte {
	h := sha256.Sum256([]byte(token))
	return h[:]
}
