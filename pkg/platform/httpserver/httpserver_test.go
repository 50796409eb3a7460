package httpserver_test

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/httpserver"
)

// addressLog is a log that tells at which address a server listens.
type addressLog struct {
	slog.Handler

	listening chan string
}

func newAddressLog() *addressLog {
	return &addressLog{slog.DiscardHandler, make(chan string, 1)}
}

// Enabled is true, so that every line comes here.
func (*addressLog) Enabled(context.Context, slog.Level) bool { return true }

// Handle takes a line.
func (l *addressLog) Handle(_ context.Context, line slog.Record) error {
	line.Attrs(func(a slog.Attr) bool {
		if line.Message == "listening" && a.Key == "addr" {
			l.listening <- a.Value.String()
		}
		return true
	})
	return nil
}

// serve serves 200 on a free address, and returns how to stop it and the result of Serve.
func serve(t *testing.T) (addr string, end context.CancelFunc, ended <-chan error) {
	t.Helper()
	ctx, end := context.WithCancel(t.Context())
	t.Cleanup(end)
	result, log := make(chan error, 1), newAddressLog()
	go func() {
		result <- httpserver.Serve(ctx, "127.0.0.1:0", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(w, r.Body)
		}), slog.New(log))
	}()
	return <-log.listening, end, result
}

// requireAccepted returns once the server has taken the connections that were made before.
func requireAccepted(t *testing.T, addr string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+addr, nil)
	require.NoError(t, err)
	answer, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(r)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
}

// A proxy cannot retry such a request on another replica: it does not know whether it was read.
func TestShutdown_RequestOnAnAcceptedConnection_IsAnswered(t *testing.T) {
	t.Parallel()
	addr, end, ended := serve(t)
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", addr)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	requireAccepted(t, addr)
	end()
	require.Eventually(t, func() bool {
		other, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", addr)
		return err != nil || other.Close() != nil
	}, time.Minute, time.Millisecond, "no further connection is taken")

	_, err = io.WriteString(conn, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello")
	require.NoError(t, err)
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, "hello", string(body))
	require.NoError(t, <-ended)
}

func TestShutdown_WithoutConnections_EndsAtOnce(t *testing.T) {
	t.Parallel()
	_, end, ended := serve(t)
	end()
	select {
	case err := <-ended:
		require.NoError(t, err)
	case <-time.After(httpserver.Grace - time.Second):
		t.Fatal("it waits for nobody")
	}
}

// A client that connects but sends nothing must not delay shutdown for long.
func TestShutdown_SilentConnection_IsClosed(t *testing.T) {
	t.Parallel()
	addr, end, ended := serve(t)
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", addr)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	requireAccepted(t, addr)
	end()
	select {
	case err := <-ended:
		require.NoError(t, err)
	case <-time.After(httpserver.Grace - time.Second):
		t.Fatal("it waits for somebody who says nothing")
	}
}
