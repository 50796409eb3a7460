// Package cut stands between a process and Postgres, counts its questions, and cuts the connection at the worst moment:
// while it commits. It can also fall silent, as a frozen server or a network that loses everything does.
package cut

import (
	"bytes"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// Moment is when the connection breaks.
type Moment string

// Before the commit reaches the server nothing is kept; After it the server has committed and only the answer is lost.
const (
	Before Moment = "before the server commits"
	After  Moment = "after the server commits"
)

// commit is the message with which lib/pq ends a transaction: a query of eleven bytes with its length.
const commit = "Q\x00\x00\x00\x0bCOMMIT\x00"

// ready is the message with which the server ends an answer, without the state of the transaction.
const ready = "Z\x00\x00\x00\x05"

// Proxy passes everything on until it is told to cut. It speaks no TLS.
type Proxy struct {
	listener net.Listener
	server   string // host and port
	trips    atomic.Int64
	silence  sync.RWMutex // held for writing while nothing is passed on

	mu     sync.Mutex
	moment Moment // empty while nothing is to be cut
	skip   int
	cuts   int
}

// New starts a proxy to the server of the database URL; it ends with the test.
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

// DSN is the database URL by way of the proxy.
func (p *Proxy) DSN(tb testing.TB, dsn string) string {
	tb.Helper()
	u, err := url.Parse(dsn)
	require.NoError(tb, err)
	u.Host = p.listener.Addr().String()
	return u.String()
}

// Cut breaks the connection of one commit, after so many that it lets pass.
func (p *Proxy) Cut(m Moment, skip int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.moment, p.skip = m, skip
}

// Freeze passes nothing on, of old connections and new ones, until thaw is called. The connections stay open.
func (p *Proxy) Freeze(tb testing.TB) (thaw func()) {
	tb.Helper()
	p.silence.Lock()
	thaw = sync.OnceFunc(p.silence.Unlock)
	tb.Cleanup(thaw)
	return thaw
}

// Cuts is how many connections were cut.
func (p *Proxy) Cuts() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.cuts
}

// Trips is how many questions the server has answered.
func (p *Proxy) Trips() int { return int(p.trips.Load()) }

// next is what to do to this commit.
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
	var deaf atomic.Bool // the next answer does not arrive
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

// pass copies what allowed lets through, and breaks both connections where it does not or one of them ends.
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
