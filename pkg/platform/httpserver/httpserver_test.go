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

// serve serves 200 on a free address, and returns how to stop it and the result of Serve.
func serve(t *testing.T) (addr string, end context.CancelFunc, ended <-chan error) {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	addr = listener.Addr().String()
	require.NoError(t, listener.Close())
	ctx, end := context.WithCancel(t.Context())
	t.Cleanup(end)
	result := make(chan error, 1)
	go func() {
		result <- httpserver.Serve(ctx, addr, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(w, r.Body)
		}), slog.New(slog.DiscardHandler))
	}()
	require.Eventually(t, func() bool {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", addr)
		return err == nil && conn.Close() == nil
	}, 5*time.Second, 10*time.Millisecond)
	return addr, end, result
}

// A proxy cannot retry such a request on another replica: it does not know whether it was read.
func TestARequestOnAConnectionThatWasTakenIsAnswered(t *testing.T) {
	t.Parallel()
	addr, end, ended := serve(t)
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", addr)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	time.Sleep(50 * time.Millisecond) // the connection is accepted
	end()
	require.Eventually(t, func() bool {
		other, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", addr)
		return err != nil || other.Close() != nil
	}, time.Second, time.Millisecond, "no further connection is taken")

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

func TestAServerThatNobodyTalksToEndsAtOnce(t *testing.T) {
	t.Parallel()
	_, end, ended := serve(t)
	end()
	select {
	case err := <-ended:
		require.NoError(t, err)
	case <-time.After(time.Second):
		t.Fatal("it waits for nobody")
	}
}

// A client that connects but sends nothing must not delay shutdown for long.
func TestASilentConnectionIsGivenUp(t *testing.T) {
	t.Parallel()
	addr, end, ended := serve(t)
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", addr)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	time.Sleep(50 * time.Millisecond)
	end()
	select {
	case err := <-ended:
		require.NoError(t, err)
	case <-time.After(httpserver.Grace / 2):
		t.Fatal("it waits for somebody who says nothing")
	}
}
