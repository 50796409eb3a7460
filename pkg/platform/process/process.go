// Package process is the part common to the api and the worker: signal handling, connecting, the private port, and readable failures.
package process

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"regexp"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/httpserver"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/metrics"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/platform/version"
)

// argumentHash makes the binary hash passwords for its parent.
const argumentHash = "hash"

// Main runs a process until SIGINT or SIGTERM, or until run fails, which is logged and exits with status 1. With the
// argument health it checks the running process instead; with version it prints the version; with hash it hashes passwords for the
// process that started it.
func Main(name string, run func(ctx context.Context, logger *slog.Logger, getenv func(string) string) error) {
	if version.Told(os.Args[1:], os.Stdout) {
		return
	}
	if len(os.Args) == 2 && os.Args[1] == argumentHash {
		if err := password.Serve(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, name+":", err)
			os.Exit(1)
		}
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	level, _ := config.LogLevel(os.Getenv("LOG_LEVEL")) // an invalid level is rejected with the other settings
	health := len(os.Args) == 2 && os.Args[1] == "health"
	written := io.Writer(os.Stdout)
	if dir := os.Getenv("LOG_DIR"); dir != "" && !health {
		kept, err := keptLog(dir, name)
		if err != nil {
			fmt.Fprintln(os.Stderr, name+": LOG_DIR:", err)
			os.Exit(1)
		}
		written = log.Also(written, kept)
	}
	output := log.NewBuffer(written)
	defer func() { _ = output.Flush() }()
	logger := log.New(output, name, level)
	if health {
		run = func(ctx context.Context, _ *slog.Logger, getenv func(string) string) error {
			return httpserver.Health(ctx, getenv("METRICS_ADDR"))
		}
	} else {
		logger.InfoContext(ctx, "starting", slog.String("version", version.String()))
	}
	if err := run(ctx, logger, os.Getenv); err != nil {
		logger.ErrorContext(ctx, "stopped", log.Error(err))
		os.Exit(1) // nothing remains to be cleaned up, and errors are flushed at once
	}
}

// keptLog returns the writer of the log that is kept for 180 days. Replicas that share the folder differ by their host's name, or by
// their private address where they share a host.
func keptLog(dir, name string) (io.Writer, error) {
	host, err := os.Hostname()
	if err != nil {
		return nil, fmt.Errorf("read the host's name: %w", err)
	}
	own := regexp.MustCompile(`[^A-Za-z0-9.]+`).ReplaceAllString(name+"-"+host+"-"+os.Getenv("METRICS_ADDR"), "-")
	return log.NewDaily(dir, own, clock.Real)
}

// Private returns the handler of a process's private port, which serves metrics and health.
func Private(m *metrics.Metrics, logger *slog.Logger) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.Registry(), promhttp.HandlerOpts{
		ErrorLog: slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
	}))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		if _, err := fmt.Fprintln(w, "ok", version.String()); err != nil {
			logger.Debug("health answer not written", log.Error(err))
		}
	})
	return mux
}

// Retry calls fn until it succeeds or the context ends, waiting up to two seconds between attempts: at start-up a
// dependency may come up later than the process.
func Retry(ctx context.Context, what string, logger *slog.Logger, fn func(ctx context.Context) error) error {
	wait := 100 * time.Millisecond
	for {
		err := fn(ctx)
		if err == nil {
			return nil
		}
		logger.WarnContext(ctx, "waiting for "+what, log.Error(err))
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s: %w", what, err)
		case <-time.After(wait):
		}
		wait = min(2*wait, 2*time.Second)
	}
}
