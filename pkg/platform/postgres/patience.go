package postgres

import (
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Patience is how long the server lets a connection's statements run, wait for a lock, and idle within a transaction.
type Patience struct{ Statement, Lock, Idle time.Duration }

// The patience with each process. Other programs of the owner (seeds, keys) have none: they touch whole tables while nobody
// waits for them. Idle is short: a process that is frozen while it holds the counter of the invoices, or a customer's lock,
// holds up everybody else for so long.
var (
	// Serving is for the api: no request takes longer, and a lock that is held so long means a fault.
	Serving = Patience{Statement: 8 * time.Second, Lock: 5 * time.Second, Idle: 4 * time.Second} //nolint:gochecknoglobals // a constant
	// Working is for the worker, whose sweeps and checks of the books read millions of rows in one statement; no job is given
	// longer.
	Working = Patience{Statement: 5 * time.Minute, Lock: 20 * time.Second, Idle: 3 * time.Second} //nolint:gochecknoglobals // a constant
	// Migrating is for migrations: everybody who comes to a table queues behind one that waits for its lock, so it gives way
	// and tries again.
	Migrating = Patience{Statement: time.Hour, Lock: 3 * time.Second, Idle: time.Minute} //nolint:gochecknoglobals // a constant
)

// With returns the URL with the patience; what the URL says itself stays.
func (p Patience) With(dsn string) string {
	u, err := url.Parse(dsn)
	if err != nil {
		return dsn // the driver says what is wrong with it
	}
	q := u.Query()
	for name, d := range map[string]time.Duration{
		"statement_timeout": p.Statement, "lock_timeout": p.Lock, "idle_in_transaction_session_timeout": p.Idle,
	} {
		if q.Get(name) == "" {
			q.Set(name, strconv.FormatInt(d.Milliseconds(), 10))
		}
	}
	u.RawQuery = strings.ReplaceAll(q.Encode(), "+", "%20") // pgx reads a plus as a plus
	return u.String()
}

// statementTimeout is how long the URL lets a statement run, 0 where it does not say.
func statementTimeout(dsn string) time.Duration {
	u, err := url.Parse(dsn)
	if err != nil {
		return 0
	}
	ms, err := strconv.ParseInt(u.Query().Get("statement_timeout"), 10, 64)
	if err != nil {
		return 0 // in a unit of Postgres's; the server keeps it
	}
	return time.Duration(ms) * time.Millisecond
}
