// Package redis is a cache that may be lost at any time: calls are cut short, and while it is down they fail at once,
// so that callers fall back to Postgres at no cost.
package redis

import (
	"context"
	"errors"
	"fmt"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
)

// ErrDown says that Redis was not asked, because it failed a moment ago.
var ErrDown = errors.New("redis: circuit is open")

// How long one call may take: far above a healthy answer, far below what a person would notice.
const (
	dialTimeout = 250 * time.Millisecond
	callTimeout = 100 * time.Millisecond
)

// Client is a pool of connections behind a circuit; it is safe for concurrent use.
type Client struct {
	rdb     *goredis.Client
	circuit circuit
}

// Open prepares a client for the URL (redis:// or rediss://); it does not connect, so that a process starts without Redis.
func Open(url string) (*Client, error) {
	o, err := goredis.ParseURL(url)
	if err != nil {
		return nil, errors.New("redis: the URL cannot be parsed") // its text may hold a password
	}
	o.DialTimeout, o.ReadTimeout, o.WriteTimeout = dialTimeout, callTimeout, callTimeout
	o.PoolTimeout = callTimeout
	o.ContextTimeoutEnabled = true
	o.MaxRetries = -1 // the circuit and the fallback are the answer to a failure
	o.DialerRetries = 1
	// The library would write plain lines of its own; every failure reaches the caller and the health check instead.
	goredis.SetLogger(&logging.VoidLogger{})
	return &Client{rdb: goredis.NewClient(o)}, nil
}

// Close closes every connection.
func (c *Client) Close() error {
	if err := c.rdb.Close(); err != nil {
		return fmt.Errorf("close redis: %w", err)
	}
	return nil
}

// Down says whether Redis is left alone because it failed.
func (c *Client) Down() bool { return c.circuit.open() }

// Ping says whether Redis answers; it asks even while the circuit is open.
func (c *Client) Ping(ctx context.Context) error {
	if err := c.rdb.Ping(ctx).Err(); err != nil {
		return fmt.Errorf("ping redis: %w", err)
	}
	return nil
}

// Get returns the value of the key and whether there is one.
func (c *Client) Get(ctx context.Context, key string) (value string, found bool, err error) {
	err = c.call(func() error {
		var err error
		value, err = c.rdb.Get(ctx, key).Result()
		if errors.Is(err, goredis.Nil) {
			return nil
		}
		found = err == nil
		return err
	})
	return value, found, err
}

// Set keeps the value under the key for ttl.
func (c *Client) Set(ctx context.Context, key, value string, ttl time.Duration) error {
	return c.call(func() error { return c.rdb.Set(ctx, key, value, ttl).Err() })
}

// SetIfAbsent keeps the value under the key for ttl unless the key has one already.
func (c *Client) SetIfAbsent(ctx context.Context, key, value string, ttl time.Duration) error {
	return c.call(func() error { return c.rdb.SetNX(ctx, key, value, ttl).Err() })
}

// Counter is a key that counts; it ends TTL after it was last touched.
type Counter struct {
	Key string
	TTL time.Duration
}

// Add adds n to each counter and returns the sums in their order, in one round trip.
func (c *Client) Add(ctx context.Context, n int64, counters ...Counter) (sums []int64, err error) {
	err = c.call(func() error {
		adds := make([]*goredis.IntCmd, len(counters))
		_, err := c.rdb.Pipelined(ctx, func(p goredis.Pipeliner) error {
			for i, counter := range counters {
				adds[i] = p.IncrBy(ctx, counter.Key, n)
				p.PExpire(ctx, counter.Key, counter.TTL)
			}
			return nil
		})
		if err != nil {
			return err
		}
		sums = make([]int64, len(adds))
		for i, add := range adds {
			sums[i] = add.Val()
		}
		return nil
	})
	return sums, err
}

// Delete removes the keys.
func (c *Client) Delete(ctx context.Context, keys ...string) error {
	return c.call(func() error { return c.rdb.Del(ctx, keys...).Err() })
}

// call runs fn unless the circuit is open. A caller that gave up says nothing about Redis.
func (c *Client) call(fn func() error) error {
	if !c.circuit.allow() {
		return ErrDown
	}
	err := fn()
	if errors.Is(err, context.Canceled) {
		c.circuit.abandon()
		return fmt.Errorf("redis: %w", err)
	}
	c.circuit.report(err == nil)
	if err != nil {
		return fmt.Errorf("redis: %w", err)
	}
	return nil
}
