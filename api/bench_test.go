package main

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/api/handler"
	"github.com/franchise360/franchise360/pkg/platform/log"
)

// BenchmarkPlanList measures the plan list without the network, with the access log on as in production.
func BenchmarkPlanList(b *testing.B) {
	app := newTestApp(b)
	app.server.Close()
	app.startLogging(b, log.New(log.NewBuffer(io.Discard), "api", slog.LevelInfo))
	engine := app.server.Config.Handler
	r := httptest.NewRequestWithContext(b.Context(), http.MethodGet, "http://localhost:8080"+handler.Prefix+"/subscription-plan/list", nil)
	r.Header.Set("Accept-Encoding", "gzip")
	w := httptest.NewRecorder()
	engine.ServeHTTP(w, r)
	require.Equal(b, http.StatusOK, w.Code)
	b.ReportAllocs()
	for b.Loop() {
		engine.ServeHTTP(&discardResponse{header: http.Header{}}, r)
	}
}

type discardResponse struct{ header http.Header }

func (d *discardResponse) Header() http.Header       { return d.header }
func (*discardResponse) Write(p []byte) (int, error) { return len(p), nil }
func (*discardResponse) WriteHeader(int)             {}
