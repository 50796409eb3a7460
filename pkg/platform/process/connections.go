package process

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/devclock"
	"github.com/franchise360/franchise360/pkg/platform/metrics"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

// Connections are what every service of a process is built on.
type Connections struct {
	DB    *sqlx.DB
	Jobs  *queue.Inserter
	Clock clock.Clock
	// Keys are those of the configuration with the ones that the database keeps.
	Keys secret.Keyring
	// Passwords hashes for all of the process, so that its bound on memory is one.
	Passwords *password.Hasher
	// Metrics are the process' own; Meter gives them, or some that nobody gathers.
	Metrics *metrics.Metrics
	// Shifted is the clock where it can be moved, in development only; nil elsewhere.
	Shifted *clock.Shifted
}

// Connect waits until the database answers, which has the patience given, and reads the development clock where there is one.
func Connect(ctx context.Context, cfg config.Config, patience postgres.Patience, logger *slog.Logger) (*Connections, error) {
	c := &Connections{Clock: clock.System{}, Passwords: password.NewHasher(runtime.GOMAXPROCS(0)), Metrics: metrics.New()}
	err := Retry(ctx, "database", logger, func(ctx context.Context) error {
		var err error
		c.DB, err = postgres.OpenObserved(ctx, patience.With(cfg.DatabaseURL), cfg.DatabasePool, c.Metrics.Query)
		return err
	})
	if err != nil {
		return nil, err
	}
	c.Metrics.Pool("services", func() metrics.Pool {
		s := c.DB.Stats()
		return metrics.Pool{Open: s.OpenConnections, Used: s.InUse, Most: s.MaxOpenConnections, Waited: s.WaitCount, WaitedFor: s.WaitDuration}
	})
	if c.Jobs, err = queue.NewInserter(c.DB, logger); err != nil {
		return nil, err
	}
	if cfg.Development {
		c.Shifted = &clock.Shifted{}
		c.Clock = c.Shifted
		if err := devclock.Load(ctx, c.DB, c.Shifted); err != nil {
			return nil, err
		}
	}
	if c.Keys, err = secret.Load(ctx, c.DB, cfg.Keys, c.Clock.Now()); err != nil {
		return nil, fmt.Errorf("SECRET_KEY: %w", err)
	}
	return c, nil
}

// Meter is where the process counts what it does; what is built for a test may have none of its own.
func (c *Connections) Meter() *metrics.Metrics {
	if c.Metrics == nil {
		c.Metrics = metrics.New()
	}
	return c.Metrics
}

// Close gives the connections back.
func (c *Connections) Close() { _ = c.DB.Close() }

// Follow keeps the development clock in step with the other processes until the context ends.
func (c *Connections) Follow(ctx context.Context, logger *slog.Logger) {
	if c.Shifted != nil {
		devclock.Follow(ctx, c.DB, c.Shifted, logger)
	}
}
