package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	onceOnly   = "/api/franchise/login"
	repeatable = "/api/franchise/refresh"
)

// dialTLS connects to the site with the protocol of that name.
func (p *proxy) dialTLS(t *testing.T, protocol string) *tls.Conn {
	t.Helper()
	connection, err := (&tls.Dialer{Config: &tls.Config{
		InsecureSkipVerify: true, ServerName: "site.test", NextProtos: []string{protocol},
	}}).DialContext(t.Context(), "tcp", "127.0.0.1"+p.https)
	require.NoError(t, err)
	t.Cleanup(func() { _ = connection.Close() })
	require.NoError(t, connection.SetDeadline(time.Now().Add(2*time.Minute)))
	conn, ok := connection.(*tls.Conn)
	require.True(t, ok)
	return conn
}

// status reads the final status of an answer; 0 if the proxy closed the connection without one.
func status(t *testing.T, connection io.Reader) int {
	t.Helper()
	reader := bufio.NewReader(connection)
	for {
		response, err := http.ReadResponse(reader, nil)
		if err != nil {
			return 0
		}
		_, _ = io.Copy(io.Discard, response.Body)
		require.NoError(t, response.Body.Close())
		if response.StatusCode >= http.StatusOK {
			return response.StatusCode
		}
	}
}

func (p *proxy) answersReads(t *testing.T, after string) {
	t.Helper()
	require.Equal(t, http.StatusOK, p.do(t, http.MethodGet, "https://site.test"+p.https+"/after").status, after)
}

// The proxy counts each 502 against the replica, which then gets no request for two seconds. A client must not be able to cause one.
func TestProxy_FaultyBody_IsAnsweredWithoutBlamingTheReplica(t *testing.T) {
	t.Parallel()
	p := startChangedProxy(t, nil, "read_body 35s", "read_body 20s")
	const chunked = "Transfer-Encoding: chunked\r\n"
	for name, c := range map[string]struct {
		headers, body string
		wants         []int
	}{
		"chunk size is no number":          {chunked, "zz\r\n", []int{400}},
		"chunk size overflows":             {chunked, "fffffffffffffffff\r\n", []int{400}},
		"chunk size is negative":           {chunked, "-1\r\n", []int{400}},
		"chunk size is empty":              {chunked, "\r\n\r\n", []int{400}},
		"second chunk is bad":              {chunked, "3\r\nabc\r\nzz\r\n", []int{400}},
		"chunk is longer than its size":    {chunked, "3\r\nabcdef\r\n0\r\n\r\n", []int{400}},
		"chunk extension is long":          {chunked, "3;" + strings.Repeat("x", 8000) + "\r\nabc\r\n0\r\n\r\n", []int{400}},
		"many chunk extensions":            {chunked, strings.Repeat("1;"+strings.Repeat("x", 2000)+"\r\na\r\n", 10) + "0\r\n\r\n", []int{400}},
		"bad chunk after 100 KB":           {chunked, "19000\r\n" + strings.Repeat("a", 0x19000) + "\r\nzz\r\n", []int{400}},
		"trailer without a colon":          {chunked, "0\r\nbad\r\n\r\n", []int{400}},
		"trailer Content-Length":           {chunked, "3\r\nabc\r\n0\r\nContent-Length: 9\r\n\r\n", []int{200}},
		"trailer Transfer-Encoding":        {chunked, "3\r\nabc\r\n0\r\nTransfer-Encoding: x\r\n\r\n", []int{200}},
		"trailer Trailer":                  {chunked, "3\r\nabc\r\n0\r\nTrailer: x\r\n\r\n", []int{200}},
		"trailer with a control character": {chunked, "3\r\nabc\r\n0\r\nX-A: a\x01b\r\n\r\n", []int{200, 400}},
		"trailer name with a space":        {chunked, "3\r\nabc\r\n0\r\nX A: b\r\n\r\n", []int{200, 400}},
		"announced forbidden trailer":      {chunked + "Trailer: Content-Length\r\n", "0\r\n\r\n", []int{400}},
		"negative Content-Length":          {"Content-Length: -1\r\n", "", []int{400}},
		"two Content-Lengths":              {"Content-Length: 1\r\nContent-Length: 2\r\n", "ab", []int{400}},
		"Content-Length and chunks":        {"Content-Length: 1\r\n" + chunked, "zz\r\n", []int{400}},
		"unknown transfer encoding":        {"Transfer-Encoding: gzip\r\n", "abc", []int{501}},
		"expectation and bad chunk":        {chunked + "Expect: 100-continue\r\n", "zz\r\n", []int{400}},
		"unknown expectation":              {"Content-Length: 1\r\nExpect: a-miracle\r\n", "a", []int{417}},
		"upgrade and bad chunk":            {chunked + "Connection: Upgrade\r\nUpgrade: websocket\r\n", "zz\r\n", []int{400}},
	} {
		for _, path := range []string{onceOnly, repeatable} {
			connection := p.dialTLS(t, "http/1.1")
			_, err := io.WriteString(connection, "POST "+path+" HTTP/1.1\r\nHost: site.test\r\nContent-Type: application/json\r\n"+c.headers+"\r\n"+c.body)
			require.NoError(t, err, name)
			require.Contains(t, c.wants, status(t, connection), "%s %s", name, path)
			p.answersReads(t, name)
		}
	}
	p.refusesMethods(t)
	p.brokenOff(t)
	p.refusedEarly(t)
	p.faultyStreams(t)
	p.slowBody(t)
	p.stop()
	require.NotContains(t, p.log.String(), "no upstreams available")
	require.NotContains(t, p.log.String(), `"status":502`)
	require.Contains(t, p.log.String(), `"status":400`, "the api cannot log what it never got")
}

// refusesMethods verifies request lines that a transport might not send on.
func (p *proxy) refusesMethods(t *testing.T) {
	t.Helper()
	for _, line := range []string{"CONNECT site.test:443", "TRACE /", "OPTIONS *", "B@D /", "GET http://[::1", "POST " + onceOnly + "?a=%zz"} {
		connection := p.dialTLS(t, "http/1.1")
		_, err := io.WriteString(connection, line+" HTTP/1.1\r\nHost: site.test\r\nConnection: close\r\n\r\n")
		require.NoError(t, err, line)
		require.Less(t, status(t, connection), 500, line)
		p.answersReads(t, line)
	}
}

// brokenOff verifies clients that end before their body does.
func (p *proxy) brokenOff(t *testing.T) {
	t.Helper()
	for _, path := range []string{onceOnly, repeatable} {
		for name, end := range map[string]func(*tls.Conn) error{
			"half closed": (*tls.Conn).CloseWrite, "closed": (*tls.Conn).Close,
			"reset": func(c *tls.Conn) error {
				tcp, ok := c.NetConn().(*net.TCPConn)
				require.True(t, ok)
				return errors.Join(tcp.SetLinger(0), tcp.Close())
			},
		} {
			for _, size := range []int{3, 100_000} { // below and above what the proxy buffers
				connection := p.dialTLS(t, "http/1.1")
				_, err := io.WriteString(connection, "POST "+path+" HTTP/1.1\r\nHost: site.test\r\nContent-Length: 200000\r\n\r\n"+strings.Repeat("a", size))
				require.NoError(t, err, name)
				require.NoError(t, end(connection), name)
				if name == "half closed" {
					require.Less(t, status(t, connection), 500, name)
				}
				p.answersReads(t, name)
			}
		}
	}
}

// refusedEarly verifies a long body that the api refuses before it has arrived.
func (p *proxy) refusedEarly(t *testing.T) {
	t.Helper()
	handler := p.api.Config.Handler
	p.api.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			handler.ServeHTTP(w, r)
			return
		}
		switch r.Header.Get("X-Refuse") {
		case "answer":
			if _, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 64<<10)); err != nil {
				w.WriteHeader(http.StatusRequestEntityTooLarge)
			}
		case "close":
			panic(http.ErrAbortHandler)
		}
	})
	defer func() { p.api.Config.Handler = handler }()
	for _, path := range []string{onceOnly, repeatable} {
		for _, how := range []string{"answer", "close"} {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://site.test"+p.https+path,
				bytes.NewReader(make([]byte, 40<<20)))
			require.NoError(t, err)
			request.Header.Set("X-Refuse", how)
			response, err := p.client.Do(request)
			if err == nil { // The proxy's end of the connection may come before the answer is read.
				require.Equal(t, http.StatusRequestEntityTooLarge, response.StatusCode, how)
				require.NoError(t, response.Body.Close())
			}
			p.answersReads(t, how)
		}
	}
}

// Frames of HTTP/2 (RFC 9113, section 6).
const (
	frameData, frameHeaders, frameReset, frameSettings = 0, 1, 3, 4
	flagEndStream, flagEndHeaders                      = 1, 4
)

func frame(kind, flags byte, stream uint32, payload []byte) []byte {
	head := binary.BigEndian.AppendUint32(nil, uint32(len(payload))<<8|uint32(kind))
	return append(binary.BigEndian.AppendUint32(append(head, flags), stream), payload...)
}

// fields encodes header fields as literals without indexing (RFC 7541, section 6.2.2).
func fields(pairs ...string) []byte {
	var block []byte
	for i := 0; i < len(pairs); i += 2 {
		block = append(block, 0, byte(len(pairs[i])))
		block = append(block, pairs[i]...)
		block = append(block, byte(len(pairs[i+1])))
		block = append(block, pairs[i+1]...)
	}
	return block
}

// faultyStreams verifies streams of HTTP/2 whose body does not have the length they declare, or that are reset.
func (p *proxy) faultyStreams(t *testing.T) {
	t.Helper()
	for name, frames := range map[string][][]byte{
		"shorter than declared": {frame(frameData, flagEndStream, 1, []byte("abc"))},
		"longer than declared":  {frame(frameData, flagEndStream, 1, bytes.Repeat([]byte("a"), 300))},
		"reset":                 {frame(frameData, 0, 1, []byte("abc")), frame(frameReset, 0, 1, binary.BigEndian.AppendUint32(nil, 8))},
		"bad trailer": {
			frame(frameData, 0, 1, bytes.Repeat([]byte("a"), 200)),
			frame(frameHeaders, flagEndHeaders|flagEndStream, 1, fields("content-length", "9", "x-a", "b")),
		},
	} {
		for _, path := range []string{onceOnly, repeatable} {
			connection := p.dialTLS(t, "h2")
			out := []byte("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
			out = append(out, frame(frameSettings, 0, 0, nil)...)
			out = append(out, frame(frameHeaders, flagEndHeaders, 1, fields(":method", http.MethodPost, ":scheme", "https",
				":authority", "site.test", ":path", path, "content-length", "200"))...)
			for _, f := range frames {
				out = append(out, f...)
			}
			_, err := connection.Write(out)
			require.NoError(t, err, name)
			p.answersReads(t, name)
			require.NoError(t, connection.Close())
			p.answersReads(t, name)
		}
	}
}

// slowBody verifies that the proxy ends a body that comes too slowly.
func (p *proxy) slowBody(t *testing.T) {
	t.Helper()
	for _, path := range []string{onceOnly, repeatable} {
		connection := p.dialTLS(t, "http/1.1")
		_, err := io.WriteString(connection, "POST "+path+" HTTP/1.1\r\nHost: site.test\r\nContent-Length: 60000\r\n\r\n ")
		require.NoError(t, err)
		require.Equal(t, http.StatusRequestTimeout, status(t, connection), path)
		p.answersReads(t, path)
	}
}

// Whoever stops the proxy kills it after 30 seconds.
func TestProxy_SIGTERM_EndsDespiteOpenRequests(t *testing.T) {
	t.Parallel()
	p := startChangedProxy(t, nil, "grace_period 20s", "grace_period 1s", "read_body 35s", "read_body 1h")
	connection := p.dialTLS(t, "http/1.1")
	_, err := io.WriteString(connection, "POST "+onceOnly+" HTTP/1.1\r\nHost: site.test\r\nContent-Length: 60000\r\n\r\n ")
	require.NoError(t, err)
	p.answersReads(t, "the proxy has the request")
	require.NoError(t, p.process.Signal(syscall.SIGTERM))
	_, err = io.ReadAll(connection) // ends when the proxy closes the connection, at the latest by the deadline
	require.NotErrorIs(t, err, os.ErrDeadlineExceeded)
}
