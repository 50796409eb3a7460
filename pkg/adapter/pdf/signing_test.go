package pdf_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/pdf"
)

// A certificate signs from its first second to its last, both included.
func TestRender_FirstAndLastSecondOfTheCertificate_AreSigned(t *testing.T) {
	t.Parallel()
	renderer := signingRenderer(t, signing(t, nil))
	first, last := at().AddDate(0, -1, 0), at().AddDate(0, 1, 0)
	for issued, want := range map[time.Time]bool{first.Add(-time.Second): false, first: true, last: true} {
		d := note(t)
		d.IssuedAt = issued
		body, err := renderer.Render(d)
		require.NoError(t, err)
		_, ok := signatureOf(t, body)
		require.Equal(t, want, ok, issued)
	}
	d := note(t)
	d.IssuedAt = last.Add(time.Second)
	_, err := renderer.Render(d)
	require.ErrorContains(t, err, "the signing certificate has expired")

	files := signing(t, nil)
	for now, want := range map[time.Time]bool{first.Add(-time.Second): false, first: true, last: true, last.Add(time.Second): false} {
		signer, err := pdf.LoadSigner(files, now)
		require.Equal(t, want, err == nil, now)
		if want {
			require.Equal(t, last, signer.NotAfter())
		}
	}
}

// The signature contains the signer's certificate, then the issuers', for readers that do not have them.
func TestSignature_ContainsTheIssuersCertificates(t *testing.T) {
	t.Parallel()
	der, key := certificate(t, nil)
	issuer, _ := certificate(t, func(c *x509.Certificate) {
		c.SerialNumber, c.Subject, c.IsCA, c.BasicConstraintsValid = big.NewInt(7), pkix.Name{CommonName: "An issuer"}, true, true
	})
	secret := pemOf("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(key))
	for name, files := range map[string]pdf.SignerFiles{
		"one file":      {Cert: file(t, "a.pem", pemOf("CERTIFICATE", der), pemOf("CERTIFICATE", issuer), secret)},
		"the key first": {Cert: file(t, "b.pem", secret, pemOf("CERTIFICATE", der), pemOf("CERTIFICATE", issuer))},
		"the issuer's certificate in the key's file": {
			Cert: file(t, "c.pem", pemOf("CERTIFICATE", der), secret, pemOf("CERTIFICATE", issuer)),
		},
		"something else between": {Cert: file(t, "d.pem", pemOf("CERTIFICATE", der), pemOf("DH PARAMETERS", []byte{1}), pemOf("CERTIFICATE", issuer), secret)},
	} {
		body, err := signingRenderer(t, files).Render(note(t))
		require.NoError(t, err, name)
		signature, ok := signatureOf(t, body)
		require.True(t, ok, name)
		require.NoError(t, signature.Verify(), name)
		require.Equal(t, "Meera Iyer", signature.GetOnlySigner().Subject.CommonName, name)
		require.Len(t, signature.Certificates, 2, name)
	}
}

// A signer without a common name is named by the organization.
func TestSignature_WithoutACommonName_NamesTheOrganization(t *testing.T) {
	t.Parallel()
	files := signing(t, func(c *x509.Certificate) {
		c.Subject = pkix.Name{Organization: []string{"Franchise 360"}, Country: []string{"IN"}}
	})
	body, err := signingRenderer(t, files).Render(note(t))
	require.NoError(t, err)
	require.Contains(t, textOf(t, body), "Digitally signed by O=Franchise 360,C=IN")
}

func TestNew_WeakOrEncryptedKey_IsRefused(t *testing.T) {
	t.Parallel()
	der, key := certificate(t, nil)
	short, err := rsa.GenerateKey(rand.Reader, 1024)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: at().AddDate(-1, 0, 0), NotAfter: at().AddDate(1, 0, 0)}
	weak, err := x509.CreateCertificate(rand.Reader, template, template, short.Public(), short)
	require.NoError(t, err)
	for want, text := range map[string][]byte{
		"its key has fewer than 2048 bits": append(pemOf("CERTIFICATE", weak), pemOf("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(short))...),
		"use PKCS#12 for a key with a password": append(pemOf("CERTIFICATE", der),
			pem.EncodeToMemory(&pem.Block{Type: "ENCRYPTED PRIVATE KEY", Bytes: []byte{1}})...),
		"read CERTIFICATE":     append(pemOf("CERTIFICATE", der[:100]), pemOf("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(key))...),
		"read PRIVATE KEY":     append(pemOf("CERTIFICATE", der), pemOf("PRIVATE KEY", []byte{1})...),
		"read RSA PRIVATE KEY": append(pemOf("CERTIFICATE", der), pemOf("RSA PRIVATE KEY", []byte{1})...),
	} {
		_, err := pdf.LoadSigner(pdf.SignerFiles{Cert: file(t, "signer.pem", text)}, at())
		require.ErrorContains(t, err, want)
	}
	for usage, want := range map[x509.KeyUsage]bool{
		0: true, x509.KeyUsageDigitalSignature: true, x509.KeyUsageContentCommitment: true,
		x509.KeyUsageContentCommitment | x509.KeyUsageKeyEncipherment: true, x509.KeyUsageCertSign: false, x509.KeyUsageDataEncipherment: false,
	} {
		_, err := pdf.LoadSigner(signing(t, func(c *x509.Certificate) { c.KeyUsage = usage }), at())
		require.Equal(t, want, err == nil, "%b", usage)
	}
}
