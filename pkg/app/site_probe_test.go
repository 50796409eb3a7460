package app

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/alert"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/config"
)

// The site counts as away if the proxy has no api, leads to another server, or is down.
func TestSiteProbe_AnswerIsNotTheSites_ReportsSiteAway(t *testing.T) {
	t.Parallel()
	var status atomic.Int32
	status.Store(http.StatusOK)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/healthz" {
			t.Errorf("asked for %s", r.URL)
		}
		w.Header().Set("Location", "/elsewhere")
		w.WriteHeader(int(status.Load()))
	}))
	defer server.Close()
	address, err := url.Parse(server.URL)
	require.NoError(t, err)
	clk := clock.NewFake(time.Date(2026, 11, 28, 10, 0, 0, 0, time.UTC))
	observe := siteProbe(config.Config{PublicURL: address}, clk)
	away := func() time.Duration {
		clk.Advance(time.Minute)
		var s alert.Sight
		observe(t.Context(), &s)
		return s.SiteAway
	}
	require.Zero(t, away())
	for _, broken := range []int32{http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusNotFound, http.StatusFound} {
		status.Store(broken)
		require.Equal(t, time.Minute, away(), broken)
		status.Store(http.StatusOK)
		require.Zero(t, away(), broken)
	}
	server.Close()
	require.Equal(t, time.Minute, away())
}
