package irp

import (
	"bytes"
	"crypto/aes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
)

// The portal prescribes RSA with PKCS #1 v1.5 for credentials and AES-256 in ECB with PKCS #7 for data, both inside TLS, which is what
// protects them.

const keyLength = 32

func newKey() []byte {
	key := make([]byte, keyLength)
	_, _ = rand.Read(key) // never fails
	return key
}

func publicKey(text string) (*rsa.PublicKey, error) {
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return nil, errors.New("want a public key in PEM")
	}
	parsed, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		if certificate, unread := x509.ParseCertificate(block.Bytes); unread == nil {
			parsed, err = certificate.PublicKey, nil
		}
	}
	key, ok := parsed.(*rsa.PublicKey)
	if err != nil || !ok {
		return nil, errors.New("want an RSA public key in PEM")
	}
	return key, nil
}

// toPortal encrypts credentials: JSON, as base64, under the portal's key.
func toPortal(key *rsa.PublicKey, plain []byte) (string, error) {
	//nolint:staticcheck // what the portal prescribes
	sealed, err := rsa.EncryptPKCS1v15(rand.Reader, key, []byte(base64.StdEncoding.EncodeToString(plain)))
	if err != nil {
		return "", fmt.Errorf("irp: encrypt credentials: %w", err)
	}
	return base64.StdEncoding.EncodeToString(sealed), nil
}

func seal(key, plain []byte) (string, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return "", fmt.Errorf("irp: session key: %w", err)
	}
	fill := aes.BlockSize - len(plain)%aes.BlockSize
	plain = append(bytes.Clone(plain), bytes.Repeat([]byte{byte(fill)}, fill)...)
	for at := 0; at < len(plain); at += aes.BlockSize {
		block.Encrypt(plain[at:at+aes.BlockSize], plain[at:at+aes.BlockSize])
	}
	return base64.StdEncoding.EncodeToString(plain), nil
}

func open(key []byte, sealed string) ([]byte, error) {
	data, err := base64.StdEncoding.DecodeString(sealed)
	if err != nil || len(data) == 0 || len(data)%aes.BlockSize != 0 {
		return nil, errors.New("irp: data that is not encrypted as agreed")
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("irp: session key: %w", err)
	}
	for at := 0; at < len(data); at += aes.BlockSize {
		block.Decrypt(data[at:at+aes.BlockSize], data[at:at+aes.BlockSize])
	}
	fill := int(data[len(data)-1])
	if fill < 1 || fill > aes.BlockSize || !bytes.Equal(data[len(data)-fill:], bytes.Repeat([]byte{byte(fill)}, fill)) {
		return nil, errors.New("irp: data that is not encrypted as agreed")
	}
	return data[:len(data)-fill], nil
}
