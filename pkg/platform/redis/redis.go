// Package redis is a cache that may be lost at any time: calls have short timeouts, and while Redis is down they fail at
// once, so that callers fall back to Postgres without delay.
package redis

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
)

// ErrDown means that Redis was not called because it failed a moment ago.
var ErrDown = errors.New("redis: circuit is open")

// Timeouts of one call unless the URL names others: far above a healthy response time, far below a delay that users notice.
const (
	dialTimeout = 250 * time.Millisecond
	callTimeout = 100 * time.Millisecond
	// maxTimeout limits the timeouts of the URL: a request waits for Redis more than once.
	maxTimeout = 5 * time.Second
)

// noRetries leaves failures to the circuit and the fallback.
const noRetries = -1

// Client is a connection pool with a circuit breaker; it is safe for concurrent use.
type Client struct {
	rdb     commands
	circuit circuit
}

// commands are the methods of goredis.Client that are used. That type has hundreds, and every package whose types lead to it takes
// the compiler a second longer.
type commands interface {
	Ping(ctx context.Context) *goredis.StatusCmd
	Get(ctx context.Context, key string) *goredis.StringCmd
	Set(ctx context.Context, key string, value any, expiration time.Duration) *goredis.StatusCmd
	SetNX(ctx context.Context, key string, value any, expiration time.Duration) *goredis.BoolCmd
	Del(ctx context.Context, keys ...string) *goredis.IntCmd
	Pipelined(ctx context.Context, fn func(goredis.Pipeliner) error) ([]goredis.Cmder, error)
	Close() error
}

// Open returns a client for the URL (redis:// or rediss://); it does not connect, so that a process can start without
// Redis. The URL may name dial_timeout, read_timeout, write_timeout and pool_timeout, such as 300ms, up to 5s. A URL with master_name is
// that of a Sentinel, as in redis://sentinel-1:26379?master_name=main&password=…&addr=sentinel-2:26379: the client finds the master there.
// User and password before the @ are then the Sentinel's.
func Open(address string) (*Client, error) {
	rdb, err := open(address)
	if err != nil {
		return nil, err
	}
	// The library would log unstructured lines; every failure reaches the caller and the health check anyway.
	goredis.SetLogger(&logging.VoidLogger{})
	rdb.AddHook(traced{})
	return &Client{rdb: rdb}, nil
}

func open(address string) (*goredis.Client, error) {
	errParse := errors.New("redis: the URL cannot be parsed") // it may contain a password
	u, err := url.Parse(address)
	if err != nil {
		return nil, errParse
	}
	if u.Query().Has("master_name") {
		o, err := goredis.ParseFailoverURL(address)
		if err != nil || o.MasterName == "" || o.ReplicaOnly || o.RouteByLatency || o.RouteRandomly { // a replica may lack the newest values
			return nil, errParse
		}
		o.ContextTimeoutEnabled, o.MaxRetries, o.DialerRetries = true, noRetries, 1
		if err := bound(&o.DialTimeout, &o.ReadTimeout, &o.WriteTimeout, &o.PoolTimeout); err != nil {
			return nil, err
		}
		return goredis.NewFailoverClient(o), nil
	}
	o, err := goredis.ParseURL(address)
	if err != nil {
		return nil, errParse
	}
	o.ContextTimeoutEnabled, o.MaxRetries, o.DialerRetries = true, noRetries, 1
	if err := bound(&o.DialTimeout, &o.ReadTimeout, &o.WriteTimeout, &o.PoolTimeout); err != nil {
		return nil, err
	}
	return goredis.NewClient(o), nil
}

// bound replaces timeouts that the URL does not name, and refuses those out of bounds.
func bound(dial *time.Duration, calls ...*time.Duration) error {
	*dial = cmp.Or(*dial, dialTimeout)
	for _, call := range calls {
		*call = cmp.Or(*call, callTimeout)
	}
	for _, timeout := range append(calls, dial) {
		if *timeout < 0 || *timeout > maxTimeout {
			return fmt.Errorf("redis: a timeout in the URL must be more than 0 and at most %s", maxTimeout)
		}
	}
	return nil
}

// Close closes all connections.
func (c *Client) Close() error {
	if err := c.rdb.Close(); err != nil {
		return fmt.Errorf("close redis: %w", err)
	}
	return nil
}

// Down reports whether the circuit is open. It then calls Redis, at most once a pause, so that the circuit of a process with
// nothing to do closes too.
func (c *Client) Down() bool {
	if !c.circuit.open() {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), dialTimeout+callTimeout)
	defer cancel()
	_ = c.call(func() error { return c.rdb.Ping(ctx).Err() }) // its outcome is in the circuit
	return c.circuit.open()
}

// Ping checks that Redis responds; it calls Redis even while the circuit is open.
func (c *Client) Ping(ctx context.Context) error {
	if err := c.rdb.Ping(ctx).Err(); err != nil {
		return fmt.Errorf("ping redis: %w", err)
	}
	return nil
}

// Get returns the key's value and whether it exists.
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

// Set stores the value under the key for ttl.
func (c *Client) Set(ctx context.Context, key, value string, ttl time.Duration) error {
	return c.call(func() error { return c.rdb.Set(ctx, key, value, ttl).Err() })
}

// SetIfAbsent stores the value under the key for ttl unless the key exists.
func (c *Client) SetIfAbsent(ctx context.Context, key, value string, ttl time.Duration) error {
	return c.call(func() error { return c.rdb.SetNX(ctx, key, value, ttl).Err() })
}

// Counter is a counting key that expires TTL after its last change.
type Counter struct {
	Key string
	TTL time.Duration
}

// Add adds n to each counter in one round trip and returns the sums in order.
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

// SetField stores the value in a field of the key, which ends ttl after its last change.
func (c *Client) SetField(ctx context.Context, key, field, value string, ttl time.Duration) error {
	return c.call(func() error {
		_, err := c.rdb.Pipelined(ctx, func(p goredis.Pipeliner) error {
			p.HSet(ctx, key, field, value)
			p.PExpire(ctx, key, ttl)
			return nil
		})
		return err
	})
}

// Fields returns the fields of each key, in one round trip and in the keys' order; the fields of an unknown key are empty.
func (c *Client) Fields(ctx context.Context, keys ...string) (all []map[string]string, err error) {
	err = c.call(func() error {
		reads := make([]*goredis.MapStringStringCmd, len(keys))
		_, err := c.rdb.Pipelined(ctx, func(p goredis.Pipeliner) error {
			for i, key := range keys {
				reads[i] = p.HGetAll(ctx, key)
			}
			return nil
		})
		if err != nil {
			return err
		}
		all = make([]map[string]string, len(keys))
		for i, read := range reads {
			all[i] = read.Val()
		}
		return nil
	})
	return all, err
}

// Delete removes the keys.
func (c *Client) Delete(ctx context.Context, keys ...string) error {
	return c.call(func() error { return c.rdb.Del(ctx, keys...).Err() })
}

// call runs fn unless the circuit is open. Cancelled calls do not affect the circuit.
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
