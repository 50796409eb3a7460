package testkit

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
	"github.com/franchise360/franchise360/pkg/platform/redis"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

// Start returns the initial time of a test's clock: Monday, 2 November 2026, 10:00 IST.
func Start() time.Time { return time.Date(2026, time.November, 2, 10, 0, 0, 0, clock.IST) }

// NewClock returns a clock set to Start.
func NewClock() *clock.Fake { return clock.NewFake(Start()) }

// NewLogger returns a logger that writes to the test's own output.
func NewLogger(tb testing.TB) *slog.Logger {
	tb.Helper()
	return slog.New(slog.NewTextHandler(tb.Output(), &slog.HandlerOptions{Level: slog.LevelWarn}))
}

// NewSilentLogger returns a logger that writes nothing, for tests that constantly cause warnings.
func NewSilentLogger() *slog.Logger { return slog.New(slog.DiscardHandler) }

// NewKeyring returns the tests' key ring.
func NewKeyring(tb testing.TB) secret.Keyring {
	tb.Helper()
	return keyring(tb, "ab")
}

// OtherKeyring returns a keyring that opens nothing of NewKeyring's.
func OtherKeyring(tb testing.TB) secret.Keyring {
	tb.Helper()
	return keyring(tb, "cd")
}

func keyring(tb testing.TB, digits string) secret.Keyring {
	tb.Helper()
	k, err := secret.ParseKeyring(strings.Repeat(digits, 32))
	require.NoError(tb, err)
	return k
}

// NoObjects is an object store that stores nothing and should not be called.
type NoObjects struct{}

// Put fails.
func (NoObjects) Put(context.Context, string, string, []byte) error { return errors.ErrUnsupported }

// Get fails.
func (NoObjects) Get(context.Context, string) ([]byte, error) { return nil, errors.ErrUnsupported }

// Presign fails.
func (NoObjects) Presign(context.Context, string, string, time.Duration) (string, error) {
	return "", errors.ErrUnsupported
}

// RedisURL returns the address of a test's Redis, with patience: on a busy machine an answer may take longer than the product waits
// before it counts in Postgres instead, where a test that has counted in Redis finds nothing.
func RedisURL(server *miniredis.Miniredis) string {
	return "redis://" + server.Addr() + "?dial_timeout=5s&read_timeout=5s&write_timeout=5s&pool_timeout=5s"
}

// NewGuard returns a guard that counts in the test's own Redis.
func NewGuard(tb testing.TB, db *sqlx.DB, clk clock.Clock) *guard.Guard {
	tb.Helper()
	cache, err := redis.Open(RedisURL(miniredis.RunT(tb)))
	require.NoError(tb, err)
	tb.Cleanup(func() { _ = cache.Close() })
	keys := NewKeyring(tb)
	return guard.New(ratelimit.New(cache, db, clk, keys), db, clk, keys)
}

// NewInserter returns a job inserter over the pool; nothing runs the jobs unless the test does.
func NewInserter(tb testing.TB, db *sqlx.DB) *queue.Inserter {
	tb.Helper()
	i, err := queue.NewInserter(db, NewLogger(tb))
	require.NoError(tb, err)
	return i
}
