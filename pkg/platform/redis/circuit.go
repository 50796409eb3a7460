package redis

import (
	"sync"
	"time"
)

// The circuit opens after this many consecutive failures and lets one caller retry after the pause.
const (
	maxFailures = 3
	pause       = time.Second
)

// circuit keeps callers away from a failing dependency; its zero value is closed.
type circuit struct {
	mu       sync.Mutex
	failures int
	retryAt  time.Time
}

// allow reports whether the dependency may be called. While the circuit is open, one caller per pause is let through as a
// probe.
func (c *circuit) allow() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failures < maxFailures {
		return true
	}
	now := time.Now() //nolint:forbidigo // elapsed time, not business time
	if now.Before(c.retryAt) {
		return false
	}
	c.retryAt = now.Add(pause)
	return true
}

// report records the outcome of a call.
func (c *circuit) report(ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if ok {
		c.failures = 0
		return
	}
	c.failures++
	c.retryAt = time.Now().Add(pause) //nolint:forbidigo // elapsed time, not business time
}

// open reports whether callers are kept away.
func (c *circuit) open() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failures >= maxFailures
}

// abandon lets the next caller probe in place of a caller that gave up.
func (c *circuit) abandon() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.retryAt = time.Time{}
}
