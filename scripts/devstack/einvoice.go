package main

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	"github.com/franchise360/franchise360/scripts/stack"
)

// embedsPortal reports whether the stack runs its own portal: with EINVOICE_FROM, but without another portal's address.
func (s *devStack) embedsPortal() bool {
	return os.Getenv("EINVOICE_FROM") != "" && os.Getenv("EINVOICE_URL") == ""
}

var errPortalKey = errors.New("the portal's key is damaged: remove the data folder")

const (
	portalKeyBits            = 2048
	portalUser, portalClient = "franchise360", "sandbox"
)

// settlePortal creates the product's account at the stand-in of the Invoice Registration Portal; the key is stored.
func (s *devStack) settlePortal() error {
	if !s.embedsPortal() {
		return nil
	}
	if s.Kept.Secrets["irp_key"] == "" {
		key, err := rsa.GenerateKey(rand.Reader, portalKeyBits)
		if err != nil {
			return fmt.Errorf("make the portal's key: %w", err)
		}
		body, err := x509.MarshalPKCS8PrivateKey(key)
		if err != nil {
			return fmt.Errorf("write the portal's key: %w", err)
		}
		s.Kept.Secrets["irp_key"] = string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: body}))
	}
	public, err := publicPart(s.Kept.Secrets["irp_key"])
	if err != nil {
		return err
	}
	s.settings["EINVOICE_FROM"] = os.Getenv("EINVOICE_FROM")
	account := url.URL{
		Scheme: "http", User: url.UserPassword(portalUser, s.Kept.Secret("irp_password", 16)), Host: stack.Local(s.Kept.Ports["irp"]),
		RawQuery: url.Values{"client_id": {portalClient}, "client_secret": {s.Kept.Secret("irp_client", 16)}}.Encode(),
	}
	s.settings["EINVOICE_URL"] = account.String()
	s.settings["EINVOICE_PUBLIC_KEY"] = public
	return nil
}

func publicPart(private string) (string, error) {
	block, _ := pem.Decode([]byte(private))
	if block == nil {
		return "", errPortalKey
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return "", fmt.Errorf("read the portal's key: %w", err)
	}
	key, ok := parsed.(*rsa.PrivateKey)
	if !ok {
		return "", errPortalKey
	}
	body, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		return "", fmt.Errorf("write the portal's public key: %w", err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: body})), nil
}

// portal returns the stand-in of the Invoice Registration Portal, or nothing unless documents are registered.
func (s *devStack) portal() []*stack.Part {
	if !s.embedsPortal() {
		return nil
	}
	address := stack.Local(s.Kept.Ports["irp"])
	return []*stack.Part{s.part("irpsandbox", "http://"+address+"/healthz", s.environment(address,
		"EINVOICE_CLIENT_ID="+portalClient, "EINVOICE_CLIENT_SECRET="+s.Kept.Secret("irp_client", 16),
		"EINVOICE_USERNAME="+portalUser, "EINVOICE_PASSWORD="+s.Kept.Secret("irp_password", 16),
		"SANDBOX_STATE="+filepath.Join(s.opts.dataDir, "irp.journal"), "SANDBOX_KEY="+s.Kept.Secrets["irp_key"],
		"CLOCK_DATABASE_URL="+s.settings["DATABASE_URL"]))}
}
