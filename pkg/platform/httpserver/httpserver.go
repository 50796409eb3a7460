// Package httpserver serves HTTP with limits and an orderly end, and asks a server whether it runs.
package httpserver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// Grace is how long a stopping process waits for the work in hand.
const Grace = 20 * time.Second

// Serve answers on addr until the context ends, then lets the requests in hand finish within Grace.
func Serve(ctx context.Context, addr string, h http.Handler, logger *slog.Logger) error {
	return ServeDraining(ctx, addr, h, 0, logger)
}

// ServeDraining is Serve for a server behind a proxy: when the context has ended it goes on answering for delay, and gives
// each caller its connection back with the answer, so that none is closed in the moment in which it is used again.
func ServeDraining(ctx context.Context, addr string, h http.Handler, delay time.Duration, logger *slog.Logger) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", addr, err)
	}
	server := New(releasing(ctx, h), logger)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	logger.InfoContext(ctx, "listening", slog.String("addr", listener.Addr().String()))

	select {
	case err := <-failed:
		return fmt.Errorf("serve %s: %w", addr, err)
	case <-ctx.Done():
	}
	select {
	case err := <-failed:
		return fmt.Errorf("serve %s: %w", addr, err)
	case <-time.After(delay):
	}
	stopCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), Grace)
	defer cancel()
	if err := server.Shutdown(stopCtx); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("shut down %s: %w", addr, err)
	}
	return nil
}

// releasing asks callers to close their connections once the context has ended.
func releasing(ctx context.Context, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if ctx.Err() != nil {
			w.Header().Set("Connection", "close")
		}
		h.ServeHTTP(w, r)
	})
}

// New returns a server that no slow or endless caller can hold.
func New(h http.Handler, logger *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      2 * time.Minute,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    32 << 10,
		ErrorLog:          slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
	}
}
