package httpserver_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/httpserver"
	"github.com/franchise360/franchise360/pkg/platform/metrics"
	"github.com/franchise360/franchise360/pkg/platform/process"
)

func TestHealth_CallsTheProcessOnItsAddress(t *testing.T) {
	t.Parallel()
	private := process.Private(metrics.New(), slog.New(slog.DiscardHandler))
	server := httptest.NewServer(private)
	t.Cleanup(server.Close)
	u, err := url.Parse(server.URL)
	require.NoError(t, err)
	require.NoError(t, httpserver.Health(t.Context(), ":"+u.Port()), "as METRICS_ADDR is written in the compose file")
	require.NoError(t, httpserver.Health(t.Context(), u.Host))

	ill := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) }))
	t.Cleanup(ill.Close)
	require.ErrorContains(t, httpserver.Health(t.Context(), ill.Listener.Addr().String()), "503")
	ill.Close()
	require.Error(t, httpserver.Health(t.Context(), ill.Listener.Addr().String()))
	require.Error(t, httpserver.Health(t.Context(), "nonsense"))
}
