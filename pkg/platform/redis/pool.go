package redis

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gomodule/redigo/redis"

	"github.com/franchise360/franchise360/pkg/platform/trace"
)

const (
	// connectionsPerCore limits what one process opens.
	connectionsPerCore = 10
	// idleTimeout is when an unused connection is closed; what stands between may forget it later without a word.
	idleTimeout = 5 * time.Minute
)

var (
	// errBusy means that no connection became free in time.
	errBusy = errors.New("every connection is in use")
	// errOld keeps the pool from using a connection; nobody sees it.
	errOld = errors.New("a connection has failed since")
)

// command is one command to Redis.
type command struct {
	name      string
	arguments []any
}

// pool keeps connections and sends commands over them.
type pool struct {
	options options
	idle    *redis.Pool
	places  chan struct{} // as many as connections may be in use
	// failed is when a connection last failed, nil before; those not used since have probably ended with it.
	failed atomic.Pointer[time.Time]
}

func newPool(o options) *pool {
	limit := connectionsPerCore * runtime.GOMAXPROCS(0)
	p := &pool{options: o, places: make(chan struct{}, limit)}
	p.idle = &redis.Pool{
		MaxIdle: limit, IdleTimeout: idleTimeout, DialContext: p.dial,
		TestOnBorrow: func(_ redis.Conn, used time.Time) error {
			if failed := p.failed.Load(); failed != nil && !used.After(*failed) {
				return errOld
			}
			return nil
		},
	}
	return p
}

func (p *pool) dial(ctx context.Context) (redis.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, p.options.dial)
	defer cancel()
	return redis.DialContext(ctx, "tcp", p.options.address,
		redis.DialUseTLS(p.options.tls), redis.DialTLSHandshakeTimeout(p.options.dial),
		redis.DialUsername(p.options.username), redis.DialPassword(p.options.password), redis.DialDatabase(p.options.database),
		redis.DialReadTimeout(p.options.read), redis.DialWriteTimeout(p.options.write))
}

// send sends the commands in one round trip and returns their replies in order; the first reply that is an error is returned as
// one. It stands in the trace by the command's name only: keys and values may be personal data.
func (p *pool) send(ctx context.Context, commands ...command) ([]any, error) {
	if !trace.Recording(ctx) {
		return p.exchange(ctx, commands)
	}
	name := strings.ToLower(commands[0].name)
	if len(commands) > 1 {
		name = "pipeline"
	}
	ctx, span := trace.Start(ctx, "redis "+name)
	defer span.End()
	span.Text("db.system.name", "redis")
	if len(commands) > 1 {
		span.Number("db.operation.batch.size", int64(len(commands)))
	}
	replies, err := p.exchange(ctx, commands)
	if err != nil {
		span.Fail("unavailable")
	}
	return replies, err
}

// exchange is send without the trace. The deadline of ctx shortens the timeouts.
func (p *pool) exchange(ctx context.Context, commands []command) ([]any, error) {
	if err := p.enter(ctx); err != nil {
		return nil, err
	}
	defer func() { <-p.places }()
	connection, err := p.idle.GetContext(ctx)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	defer func() { _ = connection.Close() }() // gives it back
	timeout := p.options.read
	if deadline, ok := ctx.Deadline(); ok {
		timeout = min(timeout, time.Until(deadline))
	}
	if timeout <= 0 {
		return nil, context.DeadlineExceeded
	}
	for _, c := range commands {
		if err := connection.Send(c.name, c.arguments...); err != nil {
			return nil, p.broken(err)
		}
	}
	replies, err := redis.Values(redis.DoWithTimeout(connection, timeout, ""))
	if err != nil {
		return nil, p.broken(err)
	}
	for _, reply := range replies {
		if refused, ok := reply.(redis.Error); ok {
			return nil, refused
		}
	}
	return replies, nil
}

// enter waits for a place among the connections in use.
func (p *pool) enter(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case p.places <- struct{}{}:
		return nil
	default:
	}
	wait := time.NewTimer(p.options.wait)
	defer wait.Stop()
	select {
	case p.places <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-wait.C:
		return errBusy
	}
}

// broken notes that a connection failed.
func (p *pool) broken(err error) error {
	now := time.Now() //nolint:forbidigo // elapsed time, not business time
	p.failed.Store(&now)
	return fmt.Errorf("the connection failed: %w", err)
}
