// Package redis is a cache that may be lost at any time: calls have short timeouts, and while Redis is down they fail at
// once, so that callers fall back to Postgres without delay.
package redis

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gomodule/redigo/redis"
)

// ErrDown means that Redis was not called because it failed a moment ago.
var ErrDown = errors.New("redis: circuit is open")

// Client is a connection pool with a circuit breaker; it is safe for concurrent use.
type Client struct {
	connections *pool
	circuit     circuit
}

// Open returns a client for the URL (redis:// or rediss://); it does not connect, so that a process can start without
// Redis. The URL may name dial_timeout, read_timeout, write_timeout and pool_timeout, such as 300ms, up to 5s.
func Open(url string) (*Client, error) {
	o, err := parse(url)
	if err != nil {
		return nil, err
	}
	return &Client{connections: newPool(o)}, nil
}

// Close closes all connections.
func (c *Client) Close() error {
	if err := c.connections.idle.Close(); err != nil {
		return fmt.Errorf("close redis: %w", err)
	}
	return nil
}

// Down reports whether the circuit is open.
func (c *Client) Down() bool { return c.circuit.open() }

// Ping checks that Redis responds; it calls Redis even while the circuit is open.
func (c *Client) Ping(ctx context.Context) error {
	if _, err := c.connections.send(ctx, command{"PING", nil}); err != nil {
		return fmt.Errorf("ping redis: %w", err)
	}
	return nil
}

// Get returns the key's value and whether it exists.
func (c *Client) Get(ctx context.Context, key string) (value string, found bool, err error) {
	replies, err := c.call(ctx, command{"GET", []any{key}})
	if err != nil || replies[0] == nil {
		return "", false, err
	}
	if value, err = redis.String(replies[0], nil); err != nil {
		return "", false, fmt.Errorf("redis: %w", err)
	}
	return value, true, nil
}

// Set stores the value under the key for ttl.
func (c *Client) Set(ctx context.Context, key, value string, ttl time.Duration) error {
	_, err := c.call(ctx, command{"SET", []any{key, value, "PX", milliseconds(ttl)}})
	return err
}

// SetIfAbsent stores the value under the key for ttl unless the key exists.
func (c *Client) SetIfAbsent(ctx context.Context, key, value string, ttl time.Duration) error {
	_, err := c.call(ctx, command{"SET", []any{key, value, "PX", milliseconds(ttl), "NX"}})
	return err
}

// Counter is a counting key that expires TTL after its last change.
type Counter struct {
	Key string
	TTL time.Duration
}

// Add adds n to each counter in one round trip and returns the sums in order.
func (c *Client) Add(ctx context.Context, n int64, counters ...Counter) (sums []int64, err error) {
	commands := make([]command, 0, 2*len(counters))
	for _, counter := range counters {
		commands = append(commands, command{"INCRBY", []any{counter.Key, n}}, expiry(counter.Key, counter.TTL))
	}
	replies, err := c.call(ctx, commands...)
	if err != nil {
		return nil, err
	}
	sums = make([]int64, len(counters))
	for i := range sums {
		if sums[i], err = redis.Int64(replies[2*i], nil); err != nil {
			return nil, fmt.Errorf("redis: %w", err)
		}
	}
	return sums, nil
}

// SetField stores the value in a field of the key, which ends ttl after its last change.
func (c *Client) SetField(ctx context.Context, key, field, value string, ttl time.Duration) error {
	_, err := c.call(ctx, command{"HSET", []any{key, field, value}}, expiry(key, ttl))
	return err
}

// Fields returns the fields of each key, in one round trip and in the keys' order; a key that does not exist has none.
func (c *Client) Fields(ctx context.Context, keys ...string) (all []map[string]string, err error) {
	commands := make([]command, len(keys))
	for i, key := range keys {
		commands[i] = command{"HGETALL", []any{key}}
	}
	replies, err := c.call(ctx, commands...)
	if err != nil {
		return nil, err
	}
	all = make([]map[string]string, len(keys))
	for i := range all {
		if all[i], err = redis.StringMap(replies[i], nil); err != nil {
			return nil, fmt.Errorf("redis: %w", err)
		}
	}
	return all, nil
}

// Delete removes the keys.
func (c *Client) Delete(ctx context.Context, keys ...string) error {
	_, err := c.call(ctx, command{"DEL", redis.Args{}.AddFlat(keys)})
	return err
}

// expiry lets the key end after ttl.
func expiry(key string, ttl time.Duration) command {
	return command{"PEXPIRE", []any{key, milliseconds(ttl)}}
}

// milliseconds is how Redis counts; it refuses to keep a value for none.
func milliseconds(ttl time.Duration) int64 { return max(ttl.Milliseconds(), 1) }

// call sends the commands unless the circuit is open. Cancelled calls do not affect the circuit.
func (c *Client) call(ctx context.Context, commands ...command) ([]any, error) {
	if len(commands) == 0 {
		return nil, nil
	}
	if !c.circuit.allow() {
		return nil, ErrDown
	}
	replies, err := c.connections.send(ctx, commands...)
	if errors.Is(err, context.Canceled) {
		c.circuit.abandon()
		return nil, fmt.Errorf("redis: %w", err)
	}
	c.circuit.report(err == nil)
	if err != nil {
		return nil, fmt.Errorf("redis: %w", err)
	}
	return replies, nil
}
