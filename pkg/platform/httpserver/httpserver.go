// Package httpserver serves HTTP with limits and graceful shutdown, and runs health checks.
package httpserver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// Grace is how long a stopping process waits for requests in flight.
const Grace = 20 * time.Second

const (
	// settlePatience is how long an accepted connection has to start its request once the process is stopping.
	settlePatience = time.Second
	settleStep     = 20 * time.Millisecond
)

// Serve listens on addr until the context ends. It then accepts no more connections, serves requests on those already
// accepted, and lets requests in flight finish within Grace.
func Serve(ctx context.Context, addr string, h http.Handler, logger *slog.Logger) error {
	return ServeDraining(ctx, addr, h, 0, logger)
}

// ServeDraining is Serve for a server behind a proxy: after the context ends it keeps serving for delay, closing each connection after its
// response, so that it closes no connection that is just being reused.
func ServeDraining(ctx context.Context, addr string, h http.Handler, delay time.Duration, logger *slog.Logger) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", addr, err)
	}
	server := New(releasing(ctx, h), logger)
	var fresh newConnections
	server.ConnState = fresh.note
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
	// Shutdown would drop the first request of a new connection. A proxy may be unable to retry that request; if it cannot connect at all,
	// it tries another replica.
	_ = listener.Close()
	if err := <-failed; !errors.Is(err, net.ErrClosed) {
		return fmt.Errorf("serve %s: %w", addr, err)
	}
	fresh.settle(settlePatience)
	stopCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), Grace)
	defer cancel()
	if err := server.Shutdown(stopCtx); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("shut down %s: %w", addr, err)
	}
	return nil
}

// releasing makes callers close their connections once the context has ended.
func releasing(ctx context.Context, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if ctx.Err() != nil {
			w.Header().Set("Connection", "close")
		}
		h.ServeHTTP(w, r)
	})
}

// New returns a server that slow or endless requests cannot tie up.
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

// newConnections tracks the connections on which no request has started.
type newConnections struct {
	all   sync.Map // of net.Conn
	count atomic.Int64
}

func (n *newConnections) note(conn net.Conn, state http.ConnState) {
	if state == http.StateNew {
		n.all.Store(conn, true)
		n.count.Add(1)
	} else if _, was := n.all.LoadAndDelete(conn); was {
		n.count.Add(-1)
	}
}

// settle waits until the counter is zero, and a moment longer, as a connection counts as started slightly before its request is safe.
func (n *newConnections) settle(patience time.Duration) {
	none := 0
	for waited := time.Duration(0); waited < patience && none < 2; waited += settleStep {
		time.Sleep(settleStep)
		none++
		if n.count.Load() > 0 {
			none = 0
		}
	}
}
