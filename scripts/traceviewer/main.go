// Command traceviewer is the trace collector of the development stack: it accepts OTLP as JSON over HTTP and shows the most
// recent traces as waterfalls. It keeps them in memory only.
package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"html/template"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/franchise360/franchise360/pkg/platform/httpserver"
)

// maxBody is larger than any batch of the SDK.
const maxBody = 16 << 20

//go:embed page.html
var page string

func main() {
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	if err := run(context.Background(), logger); err != nil {
		logger.Error("trace viewer", slog.String("error", err.Error()))
		os.Exit(1)
	}
}

// run serves on HTTP_ADDR until SIGINT or SIGTERM.
func run(ctx context.Context, logger *slog.Logger) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	return httpserver.Serve(ctx, os.Getenv("HTTP_ADDR"), newViewer().routes(), logger)
}

// viewer serves the collector's API and the page.
type viewer struct {
	kept *kept
	page *template.Template
}

func newViewer() *viewer {
	return &viewer{kept: newKept(), page: template.Must(template.New("page").Parse(page))}
}

func (v *viewer) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/traces", v.handleTake)
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("GET /{$}", v.handleList)
	mux.HandleFunc("GET /traces/{id}", v.handleTrace)
	return mux
}

// handleTake accepts a batch, as specified by OTLP.
func (v *viewer) handleTake(w http.ResponseWriter, r *http.Request) {
	if !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		http.Error(w, "only JSON is taken", http.StatusUnsupportedMediaType)
		return
	}
	var sent batch
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&sent); err != nil {
		http.Error(w, "the batch cannot be read", http.StatusBadRequest)
		return
	}
	v.kept.take(sent)
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write([]byte("{}")) // the sender may have gone
}

func (v *viewer) handleList(w http.ResponseWriter, r *http.Request) {
	word := r.URL.Query().Get("q")
	v.show(w, http.StatusOK, map[string]any{"Title": "Traces", "Word": word, "List": v.kept.list(word)})
}

func (v *viewer) handleTrace(w http.ResponseWriter, r *http.Request) {
	rows, found := v.kept.waterfall(r.PathValue("id"))
	if !found {
		v.show(w, http.StatusNotFound, map[string]any{"Title": "No such trace"})
		return
	}
	v.show(w, http.StatusOK, map[string]any{"Title": rows[0].Name, "ID": r.PathValue("id"), "Rows": rows})
}

func (v *viewer) show(w http.ResponseWriter, status int, data map[string]any) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = v.page.Execute(w, data) // the browser may have gone
}
