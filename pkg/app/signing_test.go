package app

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// With an unusable signing certificate the worker does not start, and names the reason.
func TestWorker_UnusableSigningCertificate_DoesNotStart(t *testing.T) {
	t.Parallel()
	_, err := newRenderer(t.Context(), config.Signing{}, testkit.Start(), testkit.NewLogger(t))
	require.NoError(t, err, "without one nothing is signed")
	path := filepath.Join(t.TempDir(), "signer.p12")
	require.NoError(t, os.WriteFile(path, []byte("nothing"), 0o600))
	_, err = newRenderer(t.Context(), config.Signing{CertFile: path, Password: "hunter2"}, testkit.Start(), testkit.NewLogger(t))
	require.ErrorContains(t, err, "signer.p12: neither PEM nor PKCS#12")
	require.NotContains(t, err.Error(), "hunter2")
}
