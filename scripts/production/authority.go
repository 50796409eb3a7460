package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"time"
)

// certificateLife is longer than any rehearsal runs; each start issues new certificates.
const certificateLife = 365 * 24 * time.Hour

// authority signs the certificates of Postgres and of the outside parties. The proxy has its own.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	file        string // its certificate in PEM, for clients to trust
}

func newAuthority(file string) (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make the key of the authority: %w", err)
	}
	draft := &x509.Certificate{
		SerialNumber: serial(), Subject: pkix.Name{CommonName: "Franchise 360 rehearsal"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(certificateLife),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	raw, err := x509.CreateCertificate(rand.Reader, draft, draft, &key.PublicKey, key)
	if err != nil {
		return nil, fmt.Errorf("make the certificate of the authority: %w", err)
	}
	certificate, err := x509.ParseCertificate(raw)
	if err != nil {
		return nil, fmt.Errorf("read the certificate of the authority: %w", err)
	}
	// Postgres's own user and the product's processes read it.
	if err := os.WriteFile(file, encode("CERTIFICATE", raw), 0o644); err != nil {
		return nil, fmt.Errorf("keep the certificate of the authority: %w", err)
	}
	return &authority{certificate: certificate, key: key, file: file}, nil
}

// local returns a certificate for 127.0.0.1 and the machines of a cluster, and its key, in PEM.
func (a *authority) local() (certificate, key []byte, err error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, fmt.Errorf("make a key: %w", err)
	}
	addresses := []net.IP{net.IPv4(127, 0, 0, 1)}
	for i := range machines {
		addresses = append(addresses, net.ParseIP(replicaAddress("database", i)))
	}
	draft := &x509.Certificate{
		SerialNumber: serial(), Subject: pkix.Name{CommonName: "127.0.0.1"}, IPAddresses: addresses,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(certificateLife),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	raw, err := x509.CreateCertificate(rand.Reader, draft, a.certificate, &private.PublicKey, a.key)
	if err != nil {
		return nil, nil, fmt.Errorf("make a certificate: %w", err)
	}
	text, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return nil, nil, fmt.Errorf("write a key: %w", err)
	}
	return encode("CERTIFICATE", raw), encode("PRIVATE KEY", text), nil
}

func encode(kind string, raw []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: raw})
}

func serial() *big.Int {
	random := make([]byte, 16)
	_, _ = rand.Read(random) // never fails
	return new(big.Int).SetBytes(random)
}

// trusting returns a client's TLS configuration that trusts the authorities in the files.
func trusting(files ...string) (*tls.Config, error) {
	pool := x509.NewCertPool()
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("read an authority: %w", err)
		}
		if !pool.AppendCertsFromPEM(text) {
			return nil, errors.New("no certificate in " + file)
		}
	}
	return &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}, nil
}
