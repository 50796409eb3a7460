package postgres

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
)

// Patience is how long the server lets a connection's statements run, wait for a lock, and idle in a transaction.
type Patience struct{ Statement, Lock, Idle time.Duration }

// The patience of each process. The owner's other programs (seeds, keys) have no limits: they touch whole tables, and no user waits for
// them. Idle is short: a process frozen while holding the invoice counter, or a customer's lock, blocks everyone else for that long.
var (
	// Serving is for the api: no request takes longer, and a lock held that long means a bug.
	Serving = Patience{Statement: 8 * time.Second, Lock: 5 * time.Second, Idle: 4 * time.Second} //nolint:gochecknoglobals // a constant
	// Working is for the worker, whose sweeps and ledger checks read millions of rows in one statement; no job gets longer.
	Working = Patience{Statement: 5 * time.Minute, Lock: 20 * time.Second, Idle: 3 * time.Second} //nolint:gochecknoglobals // a constant
	// Migrating is for migrations: everyone using a table queues behind a migration that waits for its lock, so it gives up
	// early and retries.
	Migrating = Patience{Statement: time.Hour, Lock: 3 * time.Second, Idle: time.Minute} //nolint:gochecknoglobals // a constant
)

// Settings returns the server settings for the patience, in milliseconds.
func (p Patience) Settings() map[string]string {
	settings := map[string]string{}
	for name, d := range map[string]time.Duration{
		"statement_timeout": p.Statement, "lock_timeout": p.Lock, "idle_in_transaction_session_timeout": p.Idle,
	} {
		settings[name] = strconv.FormatInt(d.Milliseconds(), 10)
	}
	return settings
}

// With returns the URL with the patience added; settings already in the URL win. A pooler may not pass it on to the server:
// see IsEndless.
func (p Patience) With(dsn string) string {
	return withQuery(dsn, func(q url.Values) {
		for name, value := range p.Settings() {
			setDefault(q, name, value)
		}
	})
}

// Named returns the URL with the application's name added, which other sessions see in pg_stat_activity; one already in the URL
// is replaced.
func Named(dsn, application string) string {
	return withQuery(dsn, func(q url.Values) { q.Set("application_name", application) })
}

// withQuery returns the URL with its settings changed.
func withQuery(dsn string, change func(q url.Values)) string {
	u, err := url.Parse(dsn)
	if err != nil {
		return dsn // the driver reports the error
	}
	q := u.Query()
	change(q)
	u.RawQuery = strings.ReplaceAll(q.Encode(), "+", "%20") // pgx does not decode a plus as a space
	return u.String()
}

func setDefault(q url.Values, name, value string) {
	if q.Get(name) == "" {
		q.Set(name, value)
	}
}

// IsEndless reports whether the server sets no limit for statements, lock waits or idle transactions.
func IsEndless(ctx context.Context, db *sqlx.DB) (bool, error) {
	var endless bool
	err := db.GetContext(ctx, &endless, `SELECT '0' IN (current_setting('statement_timeout'), current_setting('lock_timeout'),
		current_setting('idle_in_transaction_session_timeout'))`)
	if err != nil {
		return false, Error(fmt.Errorf("ask for the time-outs: %w", err))
	}
	return endless, nil
}

// statementTimeout returns how long the URL lets a statement run, 0 if unset.
func statementTimeout(dsn string) time.Duration {
	u, err := url.Parse(dsn)
	if err != nil {
		return 0
	}
	ms, err := strconv.ParseInt(u.Query().Get("statement_timeout"), 10, 64)
	if err != nil {
		return 0 // in one of Postgres's units; the server enforces it
	}
	return time.Duration(ms) * time.Millisecond
}
