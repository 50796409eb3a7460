// Package cut is a proxy between a process and Postgres that counts its round trips and cuts the connection at the
// worst moment: during a commit. It can also go silent, like a frozen server or a network that drops everything.
package cut

import (
	"bytes"
	"net"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// Moment is when the connection breaks.
type Moment string

// Before: the commit does not reach the server, so nothing is kept. After: the server has committed and only its
// response is lost.
const (
	Before Moment = "before the server commits"
	After  Moment = "after the server commits"
)

// commit is the message with which lib/pq ends a transaction: a query of eleven bytes preceded by its length.
const commit = "Q\x00\x00\x00\x0bCOMMIT\x00"

// ready is the message with which the server ends a response, without the transaction state.
const ready = "Z\x00\x00\x00\x05"

// Proxy forwards everything until Cut is called. It does not support TLS.
type Proxy struct {
	listener net.Listener
	server   string // host and port
	trips    atomic.Int64
	silence  sync.RWMutex // locked for writing while nothing is forwarded

	mu     sync.Mutex
	moment Moment // empty if there is nothing to cut
	skip   int
	cuts   int
}

// New starts a proxy to the server of the database URL; it stops with the test.
func New(tb testing.TB, dsn string) *Proxy {
	tb.Helper()
	u, err := url.Parse(dsn)
	require.NoError(tb, err)
	listener, err := (&net.ListenConfig{}).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	require.NoError(tb, err)
	p := &Proxy{listener: listener, server: u.Host}
	tb.Cleanup(func() { _ = listener.Close() })
	go p.accept()
	return p
}

// DSN returns the database URL through the proxy. To connect takes no longer than the product allows, even if the proxy is silent.
func (p *Proxy) DSN(tb testing.TB, dsn string) string {
	tb.Helper()
	u, err := url.Parse(dsn)
	require.NoError(tb, err)
	u.Host = p.listener.Addr().String()
	q := u.Query()
	q.Del("connect_timeout")
	u.RawQuery = strings.ReplaceAll(q.Encode(), "+", "%20") // pgx reads a plus as a plus
	return u.String()
}

// Cut breaks the connection of one commit, after skip commits that pass.
func (p *Proxy) Cut(m Moment, skip int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.moment, p.skip = m, skip
}

// Freeze forwards nothing, on old or new connections, until thaw is called. The connections stay open.
func (p *Proxy) Freeze(tb testing.TB) (thaw func()) {
	tb.Helper()
	p.silence.Lock()
	thaw = sync.OnceFunc(p.silence.Unlock)
	tb.Cleanup(thaw)
	return thaw
}

// Cuts returns how many connections were cut.
func (p *Proxy) Cuts() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.cuts
}

// Trips returns how many queries the server has answered.
func (p *Proxy) Trips() int { return int(p.trips.Load()) }

// next returns what to do with this commit.
func (p *Proxy) next() Moment {
	p.mu.Lock()
	defer p.mu.Unlock()
	m := p.moment
	if m == "" {
		return ""
	}
	if p.skip > 0 {
		p.skip--
		return ""
	}
	p.moment = ""
	p.cuts++
	return m
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return // closed
		}
		server, err := (&net.Dialer{}).Dial("tcp", p.server)
		if err != nil {
			_ = client.Close()
			continue
		}
		go p.serve(client, server)
	}
}

func (p *Proxy) serve(client, server net.Conn) {
	var deaf atomic.Bool // the next response does not arrive
	go p.pass(server, client, func(answer []byte) bool {
		p.trips.Add(int64(bytes.Count(answer, []byte(ready))))
		return !deaf.Load()
	})
	p.pass(client, server, func(message []byte) bool {
		if !bytes.HasSuffix(message, []byte(commit)) {
			return true
		}
		m := p.next()
		deaf.Store(m == After)
		return m != Before
	})
}

// pass copies what allowed accepts, and closes both connections when it does not or when one of them ends.
func (p *Proxy) pass(from, to net.Conn, allowed func([]byte) bool) {
	defer func() {
		_ = from.Close()
		_ = to.Close()
	}()
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		p.silence.RLock()
		p.silence.RUnlock() //nolint:staticcheck // waits for the end of the silence
		if n > 0 && !allowed(buffer[:n]) {
			return
		}
		if _, wrong := to.Write(buffer[:n]); err != nil || wrong != nil {
			return
		}
	}
}
