package postgres

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/lib/pq"
)

// CheckEncrypted fails if either driver could ever connect unencrypted to the database at the URL, or if the URL is
// invalid. Its errors contain nothing of the URL, which may hold a password.
func CheckEncrypted(dsn string) error {
	u, err := url.Parse(dsn)
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" {
		return errors.New("want an address that begins with postgres://")
	}
	ours, err := withDefaults(dsn)
	if err != nil {
		return err
	}
	plain := errors.New("allows a connection in clear: want sslmode=require, verify-ca or verify-full")
	driver, err := pq.NewConfig(ours)
	if err != nil {
		return errors.New("cannot be used")
	}
	switch driver.SSLMode {
	case pq.SSLModeRequire, pq.SSLModeVerifyCA, pq.SSLModeVerifyFull:
	default:
		return plain
	}
	jobs, err := pgx.ParseConfig(JobsURL(dsn))
	if err != nil {
		return errors.New("cannot be used")
	}
	if jobs.TLSConfig == nil {
		return plain
	}
	for _, other := range jobs.Fallbacks {
		if other.TLSConfig == nil {
			return plain
		}
	}
	return nil
}

// OpenJobs opens the connection pool for jobs, whose driver supports LISTEN. It does not connect yet.
func OpenJobs(ctx context.Context, dsn string, maxConns int) (*pgxpool.Pool, error) {
	c, err := pgxpool.ParseConfig(JobsURL(dsn))
	if err != nil {
		return nil, errors.New("database URL cannot be used") // it may contain a password
	}
	d := newDialer()
	c.MaxConns = int32(maxConns) //nolint:gosec // bounded by the configuration
	if c.ConnConfig.ConnectTimeout == 0 {
		c.ConnConfig.ConnectTimeout = connectTimeout
	}
	c.ConnConfig.DialFunc = d.DialContext
	pool, err := pgxpool.NewWithConfig(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("open job pool: %w", err)
	}
	return pool, nil
}

// JobsURL returns the URL for the jobs' pool, whose driver would otherwise fall back to an unencrypted connection.
func JobsURL(dsn string) string {
	return withQuery(dsn, func(q url.Values) { setDefault(q, "sslmode", "require") })
}
