package secret

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"errors"
	"fmt"
)

// Seal encrypts plain with AES-256-GCM under the purpose's key; only Open with the same binding reads it again.
func (k Keyring) Seal(p Purpose, binding string, plain []byte) ([]byte, error) {
	box, err := k.box(p)
	if err != nil {
		return nil, err
	}
	nonce := make([]byte, box.NonceSize())
	_, _ = rand.Read(nonce) // never fails since Go 1.24
	return box.Seal(nonce, nonce, plain, []byte(binding)), nil
}

// Open decrypts what Seal made under the same purpose and binding; anything else is an error.
func (k Keyring) Open(p Purpose, binding string, sealed []byte) ([]byte, error) {
	box, err := k.box(p)
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

func (k Keyring) box(p Purpose) (cipher.AEAD, error) {
	block, err := aes.NewCipher(k.Key(p))
	if err != nil {
		return nil, fmt.Errorf("make cipher: %w", err)
	}
	box, err := cipher.NewGCM(block)
	if err != nil {
		return nil, fmt.Errorf("make cipher: %w", err)
	}
	return box, nil
}
