package postgres

import (
	"context"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// politely is how long the server gets to end a statement whose caller waits no longer; then the connection is broken,
// because a server that is frozen, or behind a network that loses everything, would answer nobody for ever.
const politely = time.Second

// Where nothing is heard for about ten seconds, the other end is gone.
const (
	keepAliveIdle     = 5 * time.Second
	keepAliveInterval = 2 * time.Second
	keepAliveCount    = 3
	unheard           = 10 * time.Second
)

func newDialer() net.Dialer {
	return net.Dialer{
		Control: limitUnheard,
		KeepAliveConfig: net.KeepAliveConfig{
			Enable: true, Idle: keepAliveIdle, Interval: keepAliveInterval, Count: keepAliveCount,
		},
	}
}

// line is a connection that somebody else may break, so that whoever reads from it has an answer.
type line struct {
	net.Conn
	broken atomic.Bool
}

// hangUp breaks the line; who reads or writes on it fails as after a time-out.
func (l *line) hangUp() {
	l.broken.Store(true)
	_ = l.Close()
}

// Read reads from the server.
func (l *line) Read(b []byte) (int, error) {
	n, err := l.Conn.Read(b)
	return n, l.why(err)
}

// Write writes to the server.
func (l *line) Write(b []byte) (int, error) {
	n, err := l.Conn.Write(b)
	return n, l.why(err)
}

// why is the error in a shape by which lib/pq gives the connection up.
func (l *line) why(err error) error {
	if err != nil && l.broken.Load() {
		return &net.OpError{Op: "wait", Net: "tcp", Err: os.ErrDeadlineExceeded}
	}
	return err
}

// opening is a connection that is being made for a caller.
type opening struct {
	ctx  context.Context // lib/pq forgets it before the server has greeted
	line *line
	stop func() bool
}

type openingKey struct{}

// dialer makes lines for connections, and connections that end soon for the questions by which lib/pq asks the server to
// end a statement: those carry no opening.
type dialer struct{ net net.Dialer }

// DialContext connects to the server.
func (d dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	o, opened := ctx.Value(openingKey{}).(*opening)
	if !opened {
		ctx, cancel := context.WithTimeout(ctx, politely)
		defer cancel()
		conn, err := d.net.DialContext(ctx, network, address)
		if err != nil {
			return nil, err // lib/pq compares it
		}
		return shortConn{conn}, conn.SetDeadline(time.Now().Add(politely)) //nolint:forbidigo // no business time
	}
	conn, err := d.net.DialContext(ctx, network, address)
	if err != nil {
		return nil, err // lib/pq compares it
	}
	o.line = &line{Conn: conn}
	o.stop = context.AfterFunc(o.ctx, o.line.hangUp) //nolint:contextcheck // that of the dialling ends with it
	return o.line, nil
}

// Dial connects to the server; lib/pq never calls it.
func (d dialer) Dial(network, address string) (net.Conn, error) { return d.net.Dial(network, address) }

// DialTimeout connects to the server; lib/pq never calls it.
func (d dialer) DialTimeout(network, address string, timeout time.Duration) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	return d.net.DialContext(ctx, network, address)
}

// shortConn keeps the deadline that it has.
type shortConn struct{ net.Conn }

// SetDeadline does nothing.
func (shortConn) SetDeadline(time.Time) error { return nil }

// watch breaks the line of a question that its caller has given up.
type watch struct {
	line *line

	mu     sync.Mutex
	over   bool
	stop   func() bool
	timers []*time.Timer
}

// watchOver begins to watch over a question. Where the caller names no end, longest is what it may take; 0 for no end.
func watchOver(ctx context.Context, l *line, longest time.Duration) *watch {
	w := &watch{line: l}
	w.mu.Lock()
	defer w.mu.Unlock()
	if ctx.Done() != nil {
		w.stop = context.AfterFunc(ctx, func() { w.breakAfter(politely) })
	}
	if _, ends := ctx.Deadline(); !ends && longest > 0 {
		w.timers = append(w.timers, time.AfterFunc(longest+politely, w.breakNow))
	}
	return w
}

func (w *watch) breakAfter(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.over {
		w.timers = append(w.timers, time.AfterFunc(d, w.breakNow))
	}
}

func (w *watch) breakNow() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.over {
		w.line.hangUp()
	}
}

// end says that the question is answered.
func (w *watch) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.over = true
	if w.stop != nil {
		w.stop()
	}
	for _, t := range w.timers {
		t.Stop()
	}
}
