package secret

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
)

// A sealed value begins with sealMark and the id of its master key, followed by its nonce.
const (
	sealMark  = "k1"
	keyIDSize = 8
)

// errOtherKey is returned by Open for a value sealed under a key that is not in the ring.
var errOtherKey = errors.New("open sealed secret: no key of SECRET_KEY fits")

// SealPrefix returns the prefix of values sealed under the current key; all others need resealing.
func (k Keyring) SealPrefix() []byte { return sealPrefix(k.masters[0]) }

func sealPrefix(master []byte) []byte {
	return append([]byte(sealMark), derive(master, "key id")[:keyIDSize]...)
}

// Seal encrypts plain with AES-256-GCM under the purpose's key; only Open with the same binding can decrypt it.
func (k Keyring) Seal(p Purpose, binding string, plain []byte) ([]byte, error) {
	box, err := newBox(k.masters[0], p)
	if err != nil {
		return nil, err
	}
	nonce := make([]byte, box.NonceSize())
	_, _ = rand.Read(nonce) // never fails since Go 1.24
	return box.Seal(slices.Concat(k.SealPrefix(), nonce), nonce, plain, []byte(binding)), nil
}

// Open decrypts a value sealed for the same purpose and binding with any key of the ring; anything else is an error.
func (k Keyring) Open(p Purpose, binding string, sealed []byte) ([]byte, error) {
	for _, master := range k.masters {
		if rest, ok := bytes.CutPrefix(sealed, sealPrefix(master)); ok {
			return open(master, p, binding, rest)
		}
	}
	return nil, errOtherKey
}

// Reseal returns the value sealed under the current key, or nil if it already is.
func (k Keyring) Reseal(p Purpose, binding string, sealed []byte) ([]byte, error) {
	if bytes.HasPrefix(sealed, k.SealPrefix()) {
		return nil, nil
	}
	plain, err := k.Open(p, binding, sealed)
	if err != nil {
		return nil, err
	}
	return k.Seal(p, binding, plain)
}

func open(master []byte, p Purpose, binding string, sealed []byte) ([]byte, error) {
	box, err := newBox(master, p)
	if err != nil {
		return nil, err
	}
	if len(sealed) < box.NonceSize() {
		return nil, errors.New("sealed secret is too short")
	}
	plain, err := box.Open(nil, sealed[:box.NonceSize()], sealed[box.NonceSize():], []byte(binding))
	if err != nil {
		return nil, fmt.Errorf("open sealed secret: %w", err)
	}
	return plain, nil
}

func newBox(master []byte, p Purpose) (cipher.AEAD, error) {
	block, err := aes.NewCipher(derive(master, p))
	if err != nil {
		return nil, fmt.Errorf("make cipher: %w", err)
	}
	box, err := cipher.NewGCM(block)
	if err != nil {
		return nil, fmt.Errorf("make cipher: %w", err)
	}
	return box, nil
}
