// Command dnsserver is the development stack's DNS server: it serves only the records set over HTTP, so that linking a domain
// can be tried without owning one.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

const (
	maxBody         = 1 << 16
	shutdownTimeout = 5 * time.Second
)

func main() {
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	if err := run(context.Background(), logger); err != nil {
		logger.Error("DNS server", slog.String("error", err.Error()))
		os.Exit(1)
	}
}

// run answers DNS over UDP and accepts records over HTTP, both at HTTP_ADDR, until SIGINT or SIGTERM.
func run(ctx context.Context, logger *slog.Logger) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	var listen net.ListenConfig
	listener, err := listen.Listen(ctx, "tcp", os.Getenv("HTTP_ADDR"))
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	packets, err := listen.ListenPacket(ctx, "udp", listener.Addr().String())
	if err != nil {
		return errors.Join(fmt.Errorf("listen for DNS: %w", err), listener.Close())
	}
	z := newZone()
	go z.answerAll(packets)
	server := &http.Server{Handler: z.routes(), ReadHeaderTimeout: 10 * time.Second}
	go func() {
		<-ctx.Done()
		_ = packets.Close()
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
		defer cancel()
		if err := server.Shutdown(ending); err != nil {
			_ = server.Close()
		}
	}()
	logger.Info("DNS server", slog.String("address", listener.Addr().String()))
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}

func (z *zone) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("GET /records", z.handleGet)
	mux.HandleFunc("PUT /records", z.handlePut)
	return mux
}

// handleGet returns all records.
func (z *zone) handleGet(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(z.list())
}

// handlePut replaces a name's values of one type; no values deletes the records.
func (z *zone) handlePut(w http.ResponseWriter, r *http.Request) {
	var told record
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&told); err != nil {
		http.Error(w, "a record has name, type and values", http.StatusBadRequest)
		return
	}
	if err := z.put(told); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}
