package pdf_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/hex"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/smallstep/pkcs7"
	"github.com/stretchr/testify/require"
	"software.sslmate.com/src/go-pkcs12"

	"github.com/franchise360/franchise360/pkg/adapter/pdf"
	"github.com/franchise360/franchise360/pkg/invoice"
)

//nolint:gochecknoglobals // one key for all tests, because making one takes long
var signingKey = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })

// certificate issues one to Meera Iyer, valid from a month before the fixtures' day to a month after it.
func certificate(tb testing.TB, change func(*x509.Certificate)) (cert []byte, key *rsa.PrivateKey) {
	tb.Helper()
	key, err := signingKey()
	require.NoError(tb, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(42), Subject: pkix.Name{CommonName: "Meera Iyer"}, NotBefore: at().AddDate(0, -1, 0), NotAfter: at().AddDate(0, 1, 0),
		KeyUsage: x509.KeyUsageDigitalSignature,
	}
	if change != nil {
		change(template)
	}
	cert, err = x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	require.NoError(tb, err)
	return cert, key
}

func pemOf(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}

func file(tb testing.TB, name string, text ...[]byte) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), name)
	require.NoError(tb, os.WriteFile(path, bytes.Join(text, nil), 0o600))
	return path
}

// signing returns the settings for a PEM file with certificate and key.
func signing(tb testing.TB, change func(*x509.Certificate)) pdf.SignerFiles {
	tb.Helper()
	cert, key := certificate(tb, change)
	return pdf.SignerFiles{Cert: file(tb, "signer.pem", pemOf("CERTIFICATE", cert), pemOf("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(key)))}
}

func signingRenderer(tb testing.TB, files pdf.SignerFiles) *pdf.Renderer {
	tb.Helper()
	signer, err := pdf.LoadSigner(files, at())
	require.NoError(tb, err)
	renderer, err := pdf.New(pdf.Options{Signer: signer})
	require.NoError(tb, err)
	return renderer
}

var signaturePattern = regexp.MustCompile(`/ByteRange \[(\d+) (\d+) (\d+) (\d+)\] *\n/Contents <([0-9a-f]+)>`)

// signatureOf extracts a document's signature, with the bytes that it covers; ok is false without one.
func signatureOf(tb testing.TB, body []byte) (signature *pkcs7.PKCS7, ok bool) {
	tb.Helper()
	found := signaturePattern.FindSubmatchIndex(body)
	if found == nil {
		return nil, false
	}
	var r [4]int
	for i := range r {
		n, err := strconv.Atoi(string(body[found[2+2*i]:found[3+2*i]]))
		require.NoError(tb, err)
		r[i] = n
	}
	require.Equal(tb, []int{0, found[10] - 1, found[11] + 1, len(body)}, []int{r[0], r[1], r[2], r[2] + r[3]}, "all bytes but the signature's own")
	padded, err := hex.DecodeString(string(body[found[10]:found[11]]))
	require.NoError(tb, err)
	var der asn1.RawValue
	rest, err := asn1.Unmarshal(padded, &der)
	require.NoError(tb, err)
	require.Empty(tb, bytes.Trim(rest, "\x00"))
	signature, err = pkcs7.Parse(der.FullBytes)
	require.NoError(tb, err)
	signature.Content = append(append([]byte{}, body[:r[1]]...), body[r[2]:]...)
	return signature, true
}

// Credit notes and vouchers carry a valid, reproducible signature over all their bytes, and changing any byte breaks it.
func TestRender_CreditNotesAndVouchers_AreSigned(t *testing.T) {
	t.Parallel()
	files := signing(t, nil)
	renderer := signingRenderer(t, files)
	for name, d := range map[string]invoice.Invoice{"note": noteTo(t, "27AAQCA8719H1Z6"), "commercial": commercial(t), "received": received(t), "returned": returned(t)} {
		body, err := renderer.Render(d)
		require.NoError(t, err, name)
		signature, ok := signatureOf(t, body)
		require.True(t, ok, name)
		require.NoError(t, signature.Verify(), name)
		require.Equal(t, "Meera Iyer", signature.GetOnlySigner().Subject.CommonName, name)
		text := textOf(t, body)
		require.Contains(t, text, "Digitally signed by Meera Iyer, "+d.IssuedAt.Format("2 Jan 2006"), name)
		again, err := signingRenderer(t, files).Render(d)
		require.NoError(t, err, name)
		require.True(t, bytes.Equal(body, again), "%s: what a store lost is restored byte for byte", name)
		for _, at := range []int{0, 100, len(body) / 3, len(body) - 8} {
			signature.Content[min(at, len(signature.Content)-1)] ^= 1
			require.Error(t, signature.Verify(), "%s %d", name, at)
			signature.Content[min(at, len(signature.Content)-1)] ^= 1
		}
		require.NoError(t, signature.Verify(), name)
	}
}

func TestRender_Invoices_AreSignedIfConfigured(t *testing.T) {
	t.Parallel()
	files := signing(t, nil)
	plain, err := setup(t).Render(simple(t))
	require.NoError(t, err)
	body, err := signingRenderer(t, files).Render(simple(t))
	require.NoError(t, err)
	require.True(t, bytes.Equal(plain, body), "an invoice needs no signature")
	files.Invoices = true
	for name, d := range map[string]invoice.Invoice{"simple": simple(t), "long": long(t), "indian": indian(t), "hostile": hostile(t)} {
		body, err = signingRenderer(t, files).Render(d)
		require.NoError(t, err, name)
		signature, ok := signatureOf(t, body)
		require.True(t, ok, name)
		require.NoError(t, signature.Verify(), name)
	}
	body, err = signingRenderer(t, files).Render(simple(t))
	require.NoError(t, err)
	require.NotContains(t, textOf(t, body), "needs no signature")
}

// A document older than the certificate is rendered as when it was issued; a document issued after the expiry is not rendered unsigned.
func TestRender_DocumentOutsideTheCertificatesTime_IsUnsignedOrRefused(t *testing.T) {
	t.Parallel()
	old, late := note(t), note(t)
	old.IssuedAt, late.IssuedAt = at().AddDate(0, -2, 0), at().AddDate(0, 2, 0)
	plain, err := setup(t).Render(old)
	require.NoError(t, err)
	renderer := signingRenderer(t, signing(t, nil))
	body, err := renderer.Render(old)
	require.NoError(t, err)
	require.True(t, bytes.Equal(plain, body))
	_, err = renderer.Render(late)
	require.ErrorContains(t, err, "the signing certificate has expired")
}

func TestNew_PKCS12AndPEMPairs_AreRead(t *testing.T) {
	t.Parallel()
	der, key := certificate(t, nil)
	cert, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	bundle, err := pkcs12.Modern.Encode(key, cert, nil, "open sesame")
	require.NoError(t, err)
	pkcs8, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	for name, files := range map[string]pdf.SignerFiles{
		"PKCS#12": {Cert: file(t, "signer.p12", bundle), Password: "open sesame"},
		"a pair":  {Cert: file(t, "pair.pem", pemOf("CERTIFICATE", der), pemOf("PRIVATE KEY", pkcs8))},
	} {
		body, err := signingRenderer(t, files).Render(note(t))
		require.NoError(t, err, name)
		signature, ok := signatureOf(t, body)
		require.True(t, ok, name)
		require.NoError(t, signature.Verify(), name)
	}
}

// With an invalid certificate, startup fails with the reason and never reveals the password.
func TestNew_InvalidCertificate_NamesTheReason(t *testing.T) {
	t.Parallel()
	der, key := certificate(t, nil)
	cert, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	bundle, err := pkcs12.Modern.Encode(key, cert, nil, "open sesame")
	require.NoError(t, err)
	other, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	curve, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	curved, err := x509.MarshalPKCS8PrivateKey(curve)
	require.NoError(t, err)
	certPEM := pemOf("CERTIFICATE", der)
	for want, files := range map[string]pdf.SignerFiles{
		"no such file":                {Cert: "/nowhere/signer.p12"},
		"the password is wrong":       {Cert: file(t, "a.p12", bundle), Password: "hunter2"},
		"neither PEM nor PKCS#12":     {Cert: file(t, "b.p12", []byte("nothing")), Password: "hunter2"},
		"it holds no private key":     {Cert: file(t, "c.pem", certPEM)},
		"it holds no certificate":     {Cert: file(t, "d.pem", pemOf("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(key)))},
		"is not that of the":          {Cert: file(t, "e.pem", certPEM, pemOf("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(other)))},
		"its key is not RSA":          {Cert: file(t, "f.pem", certPEM, pemOf("PRIVATE KEY", curved))},
		"it expired on 2 Oct 2026":    signing(t, func(c *x509.Certificate) { c.NotBefore, c.NotAfter = at().AddDate(-1, 0, 0), at().AddDate(0, -1, 0) }),
		"it is not valid before 9 No": signing(t, func(c *x509.Certificate) { c.NotBefore = at().Add(7 * 24 * time.Hour) }),
		"it is not for signatures":    signing(t, func(c *x509.Certificate) { c.KeyUsage = x509.KeyUsageKeyEncipherment }),
	} {
		_, err := pdf.LoadSigner(files, at())
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), "hunter2")
	}
}
