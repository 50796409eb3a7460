package httpserver_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/franchise360/franchise360/pkg/platform/httpserver"
)

// Callers that keep their connections alive and, like a proxy, notice a shutdown only after a moment see no error. Afterwards the port is
// closed.
func TestServeDraining_Shutdown_NoCallerSeesAnError(t *testing.T) {
	t.Parallel()
	serving, stop := context.WithCancel(t.Context())
	defer stop()
	var stopped, answeredLate, learned atomic.Bool
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		answeredLate.CompareAndSwap(false, stopped.Load())
		time.Sleep(2 * time.Millisecond) // simulates work
		_, _ = io.WriteString(w, "done")
	})
	ended := make(chan error, 1)
	log := newAddressLog()
	go func() {
		const delay = 10 * time.Second // a busy machine may need seconds for the rest
		ended <- httpserver.ServeDraining(serving, "127.0.0.1:0", handler, delay, slog.New(log))
	}()
	address := <-log.listening

	var callers errgroup.Group
	for range 20 {
		callers.Go(func() error {
			client := &http.Client{Transport: &http.Transport{}}
			for !learned.Load() {
				// A body that cannot be read twice, so that the client cannot retry.
				body := struct{ io.Reader }{strings.NewReader("a=b")}
				r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+address, body)
				if err != nil {
					return err
				}
				answer, err := client.Do(r)
				if err != nil {
					return err
				}
				_, err = io.Copy(io.Discard, answer.Body)
				if err = errors.Join(err, answer.Body.Close()); err != nil {
					return err
				}
			}
			return nil
		})
	}
	time.Sleep(100 * time.Millisecond) // all clients are busy
	stopped.Store(true)
	stop()
	require.Eventually(t, answeredLate.Load, time.Minute, time.Millisecond, "it goes on for as long as the proxy may not know")
	time.Sleep(300 * time.Millisecond) // until the next readiness check
	learned.Store(true)
	require.NoError(t, callers.Wait())
	require.NoError(t, <-ended)
	_, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
	require.ErrorIs(t, err, syscall.ECONNREFUSED)
}
