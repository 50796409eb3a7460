package app

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"log/slog"
	"math/big"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/gateway/payu"
	"github.com/franchise360/franchise360/pkg/adapter/gateway/razorpay"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// New payments go to the first configured gateway, and no other gateways are built.
func TestGateways_AreBuiltInTheConfiguredOrder(t *testing.T) {
	t.Parallel()
	for _, names := range [][]string{
		{}, {payu.Name}, {razorpay.Name}, {razorpay.Name, payu.Name}, {payu.Name, razorpay.Name},
	} {
		got := []string{}
		for _, g := range newGateways(Gateways(), config.Gateways{Names: names}, clock.System{}, "") {
			got = append(got, g.Name())
		}
		require.Equal(t, names, got)
	}
	require.Empty(t, newGateways(Gateways(), config.Gateways{Names: []string{"cash", "", "PayU"}}, clock.System{}, ""), "a name that nobody knows builds nothing")
}

// The configured provider of places is used, and a missing setting is reported by its name.
func TestPlaces_UseTheConfiguredProvider(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ places, data, fault string }{
		"our own list": {"gazetteer", "Places: GeoNames, CC BY 4.0", ""},
		"Google":       {"google", "Google Maps", ""},
		"Photon":       {"photon", "© OpenStreetMap contributors", ""},
		"none":         {"", "", `places: want gazetteer, google or photon, not ""`},
		"another":      {"Google", "", `not "Google"`},
	} {
		cfg := config.Config{Development: true}
		cfg.Places.Provider, cfg.Places.GoogleKey, cfg.Places.PhotonURL = tc.places, "key", "http://localhost:2322"
		got, err := newPlaces(t.Context(), cfg, testkit.NewLogger(t))
		if tc.fault != "" {
			require.ErrorContains(t, err, tc.fault, name)
			continue
		}
		require.NoError(t, err, name)
		require.Equal(t, tc.data, got.Attribution(), name)
	}
	for provider, setting := range map[string]string{"google": "PLACES_URL has no key", "photon": "PLACES_URL is not set"} {
		cfg := config.Config{Development: true}
		cfg.Places.Provider = provider
		_, err := newPlaces(t.Context(), cfg, testkit.NewLogger(t))
		require.ErrorContains(t, err, setting)
	}
}

// certificate writes a certificate with its key that is valid from a day before now until end, and returns the file.
func certificate(t *testing.T, now, end time.Time) string {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Meera Iyer"}, NotBefore: now.AddDate(-1, 0, 0), NotAfter: end,
		KeyUsage: x509.KeyUsageDigitalSignature,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	raw, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "signer.pem")
	both := append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw})...)
	require.NoError(t, os.WriteFile(path, both, 0o600))
	return path
}

// Every start within 30 days of the certificate's expiry logs a warning, and no start succeeds after it.
func TestSigningCertificate_ExpiresWithin30Days_WarnsAtStart(t *testing.T) {
	t.Parallel()
	now := testkit.Start().UTC().Truncate(time.Second)
	for name, tc := range map[string]struct {
		left           time.Duration
		warned, refuse bool
	}{
		"a year":         {365 * 24 * time.Hour, false, false},
		"30 days":        {signingEndsSoon, false, false},
		"a second less":  {signingEndsSoon - time.Second, true, false},
		"a minute":       {time.Minute, true, false},
		"over since now": {-time.Second, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var said bytes.Buffer
			path := certificate(t, now, now.Add(tc.left))
			_, err := newRenderer(t.Context(), config.Signing{CertFile: path}, now, slog.New(slog.NewTextHandler(&said, nil)))
			require.Equal(t, tc.refuse, err != nil, "%v", err)
			require.Equal(t, tc.warned, bytes.Contains(said.Bytes(), []byte("signing certificate ends soon")), said.String())
		})
	}
}
