package redis

import (
	"sync"
	"time"
)

// The circuit opens after so many failures in a row and lets one caller try again after the pause.
const (
	maxFailures = 3
	pause       = time.Second
)

// circuit keeps callers away from a dependency that fails; its zero value is closed.
type circuit struct {
	mu       sync.Mutex
	failures int
	retryAt  time.Time
}

// allow says whether the dependency may be asked. While it is open, one caller per pause is let through to see.
func (c *circuit) allow() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failures < maxFailures {
		return true
	}
	now := time.Now() //nolint:forbidigo // how long a machine was away is no business time
	if now.Before(c.retryAt) {
		return false
	}
	c.retryAt = now.Add(pause)
	return true
}

// report notes how the asking went.
func (c *circuit) report(ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if ok {
		c.failures = 0
		return
	}
	c.failures++
	c.retryAt = time.Now().Add(pause) //nolint:forbidigo // how long a machine was away is no business time
}

// open says whether callers are kept away.
func (c *circuit) open() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failures >= maxFailures
}

// abandon lets the next caller try in place of one that gave up.
func (c *circuit) abandon() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.retryAt = time.Time{}
}
