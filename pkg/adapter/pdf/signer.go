package pdf

import (
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/smallstep/pkcs7"
	"software.sslmate.com/src/go-pkcs12"

	"github.com/franchise360/franchise360/pkg/platform/clock"
)

// Signer signs documents with the certificate of the supplier's signatory (required for credit notes by rule 53(1A) CGST Rules).
type Signer struct {
	cert  *x509.Certificate
	chain []*x509.Certificate
	key   *rsa.PrivateKey
	// invoices is set if invoices, which need no signature, are signed too.
	invoices bool
}

// SignerFiles is the path of certificate and key, in one file of PKCS#12 or PEM.
type SignerFiles struct {
	Cert, Password string
	// Invoices is set if invoices are to be signed too.
	Invoices bool
}

// LoadSigner reads the certificate and its key, and refuses a certificate that is not valid
// at that time, or that others could not verify. The key must be RSA, because only RSA signatures are reproducible.
func LoadSigner(files SignerFiles, now time.Time) (*Signer, error) {
	text, err := os.ReadFile(files.Cert)
	if err != nil {
		return nil, fmt.Errorf("signing certificate: %w", err)
	}
	s := &Signer{invoices: files.Invoices}
	if block, _ := pem.Decode(text); block != nil {
		err = s.readPEM(text)
	} else {
		err = s.readPKCS12(text, files.Password)
	}
	if err != nil {
		return nil, fmt.Errorf("signing certificate %s: %w", files.Cert, err)
	}
	if err := s.check(now); err != nil {
		return nil, fmt.Errorf("signing certificate %s: %w", files.Cert, err)
	}
	return s, nil
}

func (s *Signer) readPKCS12(text []byte, password string) error {
	key, cert, chain, err := pkcs12.DecodeChain(text, password)
	switch {
	case errors.Is(err, pkcs12.ErrIncorrectPassword):
		return errors.New("the password is wrong")
	case err != nil:
		return fmt.Errorf("neither PEM nor PKCS#12 with a certificate and its private key: %w", err)
	}
	s.cert, s.chain = cert, chain
	return s.take(key)
}

// readPEM reads certificates, the signer's first, and the key from the same or a separate file.
func (s *Signer) readPEM(text []byte) error {
	var key any
	for {
		var block *pem.Block
		if block, text = pem.Decode(text); block == nil {
			break
		}
		var err error
		switch block.Type {
		case "CERTIFICATE":
			var c *x509.Certificate
			if c, err = x509.ParseCertificate(block.Bytes); err == nil {
				s.chain = append(s.chain, c)
			}
		case "PRIVATE KEY":
			key, err = x509.ParsePKCS8PrivateKey(block.Bytes)
		case "RSA PRIVATE KEY":
			key, err = x509.ParsePKCS1PrivateKey(block.Bytes)
		case "ENCRYPTED PRIVATE KEY":
			err = errors.New("the private key is encrypted: use PKCS#12 for a key with a password")
		}
		if err != nil {
			return fmt.Errorf("read %s: %w", block.Type, err)
		}
	}
	if len(s.chain) == 0 {
		return errors.New("it holds no certificate")
	}
	s.cert, s.chain = s.chain[0], s.chain[1:]
	return s.take(key)
}

func (s *Signer) take(key any) error {
	if key == nil {
		return errors.New("it holds no private key")
	}
	var ok bool
	if s.key, ok = key.(*rsa.PrivateKey); !ok {
		return errors.New("its key is not RSA")
	}
	return nil
}

func (s *Signer) check(now time.Time) error {
	const day = "2 Jan 2006"
	public, ok := s.cert.PublicKey.(*rsa.PublicKey)
	switch {
	case !ok || !public.Equal(s.key.Public()):
		return errors.New("the private key is not that of the certificate")
	case public.N.BitLen() < minKeyBits:
		return errors.New("its key has fewer than 2048 bits")
	case now.Before(s.cert.NotBefore):
		return errors.New("it is not valid before " + s.cert.NotBefore.In(clock.IST).Format(day))
	case now.After(s.cert.NotAfter):
		return errors.New("it expired on " + s.cert.NotAfter.In(clock.IST).Format(day))
	case s.cert.KeyUsage != 0 && s.cert.KeyUsage&(x509.KeyUsageDigitalSignature|x509.KeyUsageContentCommitment) == 0:
		return errors.New("it is not for signatures")
	}
	return nil
}

const minKeyBits = 2048

// NotAfter returns the certificate's expiry.
func (s *Signer) NotAfter() time.Time { return s.cert.NotAfter }

// name returns the signer's name in the certificate.
func (s *Signer) name() string {
	if s.cert.Subject.CommonName != "" {
		return s.cert.Subject.CommonName
	}
	return s.cert.Subject.String()
}

// covers reports whether a document issued at that time is signed. One issued before the certificate's start stays unsigned, as it
// was handed out; for one issued after its expiry, Render returns errExpired.
func (s *Signer) covers(at time.Time) bool { return !at.Before(s.cert.NotBefore) }

var errExpired = errors.New("the signing certificate has expired")

// sign returns the detached PKCS#7 signature over the content. It has no signing time, so that the same content gives the same signature;
// the document's date is in the signature dictionary.
func (s *Signer) sign(content []byte) ([]byte, error) {
	data, err := pkcs7.NewSignedData(content)
	if err != nil {
		return nil, fmt.Errorf("begin signature: %w", err)
	}
	data.SetDigestAlgorithm(pkcs7.OIDDigestAlgorithmSHA256)
	if err := data.SignWithoutAttr(s.cert, s.key, pkcs7.SignerInfoConfig{}); err != nil {
		return nil, fmt.Errorf("sign: %w", err)
	}
	for _, c := range s.chain {
		data.AddCertificate(c)
	}
	data.Detach()
	der, err := data.Finish()
	if err != nil {
		return nil, fmt.Errorf("finish signature: %w", err)
	}
	return der, nil
}
