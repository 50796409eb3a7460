package postgres

import (
	"context"
	"errors"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// politely is how long the server gets to cancel a statement whose caller has given up; then the connection is broken,
// because a server that is frozen, or behind a network that drops everything, would never answer. A request that ends this way
// has to be answered before the proxy gives up on the api.
const politely = 500 * time.Millisecond

// After about ten seconds of silence, the peer is considered gone.
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

// line is a connection that another goroutine can break, so that a blocked reader returns.
type line struct {
	net.Conn
	broken atomic.Bool
}

// hangUp breaks the line; pending reads and writes fail as after a timeout.
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

// why returns the error in a form that makes lib/pq discard the connection.
func (l *line) why(err error) error {
	if err != nil && l.broken.Load() {
		return &net.OpError{Op: "wait", Net: "tcp", Err: os.ErrDeadlineExceeded}
	}
	return err
}

// opening is a connection being established for a caller.
type opening struct {
	ctx  context.Context // lib/pq drops it before the server's greeting
	line *line
	stop func() bool
}

type openingKey struct{}

// dialer opens lines for connections, and short-lived connections for lib/pq's cancel requests: those carry no opening.
type dialer struct{ net net.Dialer }

// DialContext connects to the server.
func (d dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	o, opened := ctx.Value(openingKey{}).(*opening)
	if !opened {
		ctx, cancel := context.WithTimeout(ctx, politely)
		defer cancel()
		conn, err := d.net.DialContext(ctx, network, address)
		if err != nil {
			return nil, err // lib/pq compares the error
		}
		return shortConn{conn}, conn.SetDeadline(time.Now().Add(politely)) //nolint:forbidigo // not business time
	}
	conn, err := d.net.DialContext(ctx, network, address)
	if err != nil {
		return nil, err // lib/pq compares the error
	}
	o.line = &line{Conn: conn}
	o.stop = context.AfterFunc(o.ctx, o.line.hangUp) //nolint:contextcheck // the dialling context ends with the dial
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

// shortConn keeps its initial deadline.
type shortConn struct{ net.Conn }

// SetDeadline does nothing.
func (shortConn) SetDeadline(time.Time) error { return nil }

// watch breaks the line of a statement that its caller has given up.
type watch struct {
	line *line

	mu     sync.Mutex
	over   bool
	stop   func() bool
	timers []*time.Timer
}

// watchOver starts watching a statement. Without a deadline in ctx, or if strict, it may take longest; 0 means no limit.
func watchOver(ctx context.Context, l *line, longest time.Duration, strict bool) *watch {
	w := &watch{line: l}
	w.mu.Lock()
	defer w.mu.Unlock()
	if ctx.Done() != nil {
		w.stop = context.AfterFunc(ctx, func() {
			if errors.Is(context.Cause(ctx), errAway) {
				w.breakNow() // a primary that is away cannot cancel a statement
				return
			}
			w.breakAfter(politely)
		})
	}
	if _, ends := ctx.Deadline(); (strict || !ends) && longest > 0 {
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

// end stops watching after the statement was answered.
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
