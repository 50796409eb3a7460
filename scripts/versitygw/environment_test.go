package main

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEnvironment_SettingsInFiles(t *testing.T) {
	getenv := environment(slog.New(slog.DiscardHandler))
	file := filepath.Join(t.TempDir(), "key")
	require.NoError(t, os.WriteFile(file, []byte("of the file\n"), 0o600))
	t.Setenv("S3_SECRET_KEY", "of the environment")
	require.Equal(t, "of the environment", getenv("S3_SECRET_KEY"))
	t.Setenv("S3_SECRET_KEY_FILE", file)
	require.Empty(t, getenv("S3_SECRET_KEY"), "which of the two counts is not guessed")
	t.Setenv("S3_SECRET_KEY", "")
	require.Equal(t, "of the file", getenv("S3_SECRET_KEY"))
	t.Setenv("S3_SECRET_KEY_FILE", file+".missing")
	require.Empty(t, getenv("S3_SECRET_KEY"))
}

func TestHealth_QueriesItsStore(t *testing.T) {
	t.Parallel()
	status := http.StatusOK
	store := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/healthz" {
			status = http.StatusNotFound
		}
		w.WriteHeader(status)
	}))
	t.Cleanup(store.Close)
	address := store.Listener.Addr().String()
	require.NoError(t, health(t.Context(), address))
	status = http.StatusServiceUnavailable
	require.ErrorContains(t, health(t.Context(), address), "503")
	store.Close()
	require.Error(t, health(t.Context(), address))
	require.Error(t, health(t.Context(), "nonsense"))
}
