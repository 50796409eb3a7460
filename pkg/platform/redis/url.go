package redis

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Timeouts of one call unless the URL names others: far above a healthy response time, far below what a user would notice.
const (
	dialTimeout = 250 * time.Millisecond
	callTimeout = 100 * time.Millisecond
	// maxTimeout bounds those that the URL names: a request waits for Redis more than once.
	maxTimeout = 5 * time.Second
)

// errURL says no more, because a URL may contain a password.
var errURL = errors.New("redis: the URL cannot be parsed")

// options are what a URL says.
type options struct {
	address            string // host:port
	tls                bool
	username, password string
	database           int
	dial, read, write  time.Duration
	wait               time.Duration // for a free connection
}

// parse reads redis://[[username]:password@]host[:port][/database][?timeouts], or rediss:// for TLS.
func parse(text string) (options, error) {
	var o options
	u, err := url.Parse(text)
	if err != nil || (u.Scheme != "redis" && u.Scheme != "rediss") || u.Opaque != "" {
		return o, errURL
	}
	o.tls = u.Scheme == "rediss"
	o.address = net.JoinHostPort(cmp.Or(u.Hostname(), "localhost"), cmp.Or(u.Port(), "6379"))
	o.username = u.User.Username()
	o.password, _ = u.User.Password()
	if database := strings.Trim(u.Path, "/"); database != "" {
		if o.database, err = strconv.Atoi(database); err != nil || o.database < 0 {
			return o, errURL
		}
	}
	o.dial, o.read, o.write, o.wait = dialTimeout, callTimeout, callTimeout, callTimeout
	named := map[string]*time.Duration{
		"dial_timeout": &o.dial, "read_timeout": &o.read, "write_timeout": &o.write, "pool_timeout": &o.wait,
	}
	for name, values := range u.Query() {
		timeout := named[name]
		if timeout == nil || len(values) != 1 {
			return o, errURL
		}
		if *timeout, err = time.ParseDuration(values[0]); err != nil {
			return o, errURL
		}
		if *timeout <= 0 || *timeout > maxTimeout {
			return o, fmt.Errorf("redis: a timeout in the URL must be more than 0 and at most %s", maxTimeout)
		}
	}
	return o, nil
}
