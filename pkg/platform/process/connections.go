package process

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/devclock"
	"github.com/franchise360/franchise360/pkg/platform/metrics"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/trace"
	"github.com/franchise360/franchise360/pkg/platform/version"
)

// processors is how many CPUs the process may use.
var processors = runtime.GOMAXPROCS(0) //nolint:gochecknoglobals // a constant

// HashApart hashes passwords in processes of this binary that Main serves. They do not get the settings, which have secrets.
func (c *Connections) HashApart() error {
	binary, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	c.Passwords = password.NewApart(processors, func() *exec.Cmd {
		process := exec.Command(binary, argumentHash) //nolint:noctx // it ends with its input
		process.Env = []string{}
		return process
	})
	return nil
}

// Connections are the dependencies of all services of a process.
type Connections struct {
	DB *sqlx.DB
	// Replica serves reads that may be a little old, or nil.
	Replica *postgres.Replica
	Jobs    *queue.Inserter
	Clock   clock.Clock
	// Keys are the configured keys plus those stored in the database.
	Keys secret.Keyring
	// Passwords is the only hasher of the process, so that its memory limit holds.
	Passwords *password.Hasher
	// Refusals are the database's that an operator has to end.
	Refusals postgres.Refusals
	// Metrics are the process's own and may be nil; call Meter instead.
	Metrics *metrics.Metrics
	// Traces records traces; nil records nothing.
	Traces *trace.Tracer
	// SetBack corrects stored future times after the database's clock was set back; nil does nothing.
	SetBack func(context.Context) error
	// Shifted is the movable clock in development; nil elsewhere.
	Shifted *clock.Shifted
}

// Connect waits until the database responds, applies the patience, and loads the development clock if there is one.
func Connect(ctx context.Context, cfg config.Config, patience postgres.Patience, logger *slog.Logger) (*Connections, error) {
	c := &Connections{Clock: clock.System{}, Passwords: password.NewHasher(processors), Metrics: metrics.New()}
	err := Retry(ctx, "database", logger, func(ctx context.Context) error {
		var err error
		c.DB, err = postgres.OpenObserved(ctx, patience.With(cfg.DatabaseURL), cfg.DatabasePool, c.observe)
		return err
	})
	if err != nil {
		return nil, err
	}
	c.measurePool("services", c.DB)
	if endless, err := postgres.IsEndless(ctx, c.DB); err != nil {
		return nil, err
	} else if endless {
		logger.WarnContext(ctx, "the database has no time-outs for this process: a pooler keeps them from it, and the role has none "+
			"(migrate sets them where it sets the password)")
	}
	if c.Jobs, err = queue.NewInserter(c.DB, logger); err != nil {
		return nil, err
	}
	if _, _, err := c.compareClock(ctx); err != nil {
		return nil, err
	}
	c.Metrics.Clock(clock.Difference)
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

// observe measures a statement, and notes a refusal that an operator has to end.
func (c *Connections) observe(statement string, took time.Duration, err error) {
	c.Metrics.Query(statement, took, err)
	c.Refusals.Note(err)
}

func (c *Connections) measurePool(name string, db *sqlx.DB) {
	c.Metrics.Pool(name, func() metrics.Pool {
		s := db.Stats()
		return metrics.Pool{Open: s.OpenConnections, Used: s.InUse, Most: s.MaxOpenConnections, Waited: s.WaitCount, WaitedFor: s.WaitDuration}
	})
}

// OpenReplica opens the pool for reads if the settings name one; WatchReplica makes it serve them.
func (c *Connections) OpenReplica(cfg config.Config, logger *slog.Logger) error {
	if cfg.DatabaseReadURL == "" {
		return nil
	}
	var err error
	c.Replica, err = postgres.OpenReplica(c.DB, cfg.DatabaseReadURL, cfg.DatabasePool, cfg.DatabaseReadLag, c.Metrics.Query, c.Metrics.Replica(), logger)
	if err != nil {
		return fmt.Errorf("DATABASE_READ_URL: %w", err)
	}
	c.measurePool("replica", c.Replica.DB())
	return nil
}

// WatchReplica lets the replica serve reads while it is recent enough, until the context ends.
func (c *Connections) WatchReplica(ctx context.Context) {
	if c.Replica != nil {
		c.Replica.Watch(ctx)
	}
}

// Meter returns the process's metrics, or unregistered ones for a test built without any.
func (c *Connections) Meter() *metrics.Metrics {
	if c.Metrics == nil {
		c.Metrics = metrics.New()
	}
	return c.Metrics
}

// Trace starts recording traces if the settings name a collector; close Traces at the end.
func (c *Connections) Trace(ctx context.Context, service string, t config.Traces, logger *slog.Logger) error {
	var err error
	c.Traces, err = trace.New(ctx, trace.Options{
		Service: service, Version: version.String(), Endpoint: t.Endpoint, Headers: t.Headers, Timeout: t.Timeout,
		Share: t.Share,
	}, logger)
	return err
}

// Close closes the connections.
func (c *Connections) Close() {
	if c.Replica != nil {
		_ = c.Replica.Close()
	}
	_ = c.DB.Close()
}

// Follow keeps the clock in step with the database's until the context ends, and the development clock with the other processes.
func (c *Connections) Follow(ctx context.Context, logger *slog.Logger) {
	var all sync.WaitGroup
	defer all.Wait()
	all.Go(func() { c.keepComparing(ctx, logger) })
	if c.Shifted != nil {
		devclock.Follow(ctx, c.DB, c.Shifted, logger)
	}
}
