package main

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/api/handler"
)

// BenchmarkPlanList is what the plan list costs beside the network.
func BenchmarkPlanList(b *testing.B) {
	engine := newTestApp(b).server.Config.Handler
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
