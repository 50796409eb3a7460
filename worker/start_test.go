package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/devclock"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/platform/process"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// newDeps returns the dependencies of a worker's process, with the test's own database.
func newDeps(t *testing.T) (*deps, config.Config, *testkit.Database) {
	t.Helper()
	db := testkit.NewDatabase(t)
	env := map[string]string{
		"APP_ENV": "development", "PUBLIC_URL": "http://localhost:8080", "METRICS_ADDR": "127.0.0.1:0",
		"DATABASE_URL": db.DSN(testkit.RoleWorker), "REDIS_URL": testkit.RedisURL(miniredis.RunT(t)),
		"S3_ENDPOINT": "http://127.0.0.1:1", "S3_ACCESS_KEY": "test", "S3_SECRET_KEY": "test",
		"GATEWAY": "payu", "PAYU_URL": "https://test.payu.in", "PAYU_API_URL": "http://127.0.0.1:1",
		"PAYU_KEY": "QyT13U", "PAYU_SALT": "UnJ0FGO0kt3dUgnHo9Xgwi0lpipBV0hB",
		"SECRET_KEY": strings.Repeat("ab", 32), "SMS_URL": "http://127.0.0.1:1",
		"SUPPLIER_ADDRESS": "360 Senapati Bapat Marg, Mumbai 400013", "SUPPLIER_GSTIN": "27AAPFU0939F1ZV",
	}
	cfg, err := config.Load(func(name string) string { return env[name] }, app.Gateways().Kinds()...)
	require.NoError(t, err)
	pool, err := pgxpool.New(t.Context(), db.DSN(testkit.RoleWorker))
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	logger := testkit.NewSilentLogger()
	return &deps{
		Connections: &process.Connections{
			DB: db.Worker, Jobs: testkit.NewInserter(t, db.Worker), Clock: testkit.NewClock(), Keys: cfg.Keys, Passwords: password.Cheap(1),
			Shifted: &clock.Shifted{},
		},
		pool: pool, presence: queue.NewPresence(queue.PresenceOptions{
			DB: db.Worker, Worker: queue.NewWorkerName(), Logger: logger,
		}), table: newTimetable(),
	}, cfg, db
}

// Given a job of every kind, when the wired worker is started, then it runs them all, and shuts down cleanly.
func TestWorker_RunsEachKindOfJob(t *testing.T) {
	t.Parallel()
	d, cfg, db := newDeps(t)
	logger := testkit.NewSilentLogger()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	for kind := range app.JobPreviews() {
		_, err := db.Owner.ExecContext(ctx, `INSERT INTO river_job (kind, args, state, max_attempts) VALUES ($1, '{}', 'available', 2)`, kind)
		require.NoError(t, err)
	}
	client, err := wire(ctx, cfg, d, logger)
	require.NoError(t, err)
	ended := make(chan error, 1)
	go func() { ended <- work(ctx, client, d.presence, logger) }()
	const workedSQL = `SELECT EXISTS (SELECT FROM river_job WHERE kind = $1 AND attempt > 0
		AND (state = 'completed' OR errors[1] ->> 'error' NOT LIKE 'no worker here knows%'))`
	const unknownSQL = `SELECT EXISTS (SELECT FROM river_job WHERE kind = $1 AND errors[1] ->> 'error' LIKE 'no worker here knows%')`
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	patience := time.After(2 * waitLimit)
	for kind := range app.JobPreviews() {
		if kind == (devclock.TickArgs{}).Kind() { // it waits until all others have run
			continue
		}
		for worked := false; !worked; {
			select {
			case <-tick.C:
				var unknown bool
				require.NoError(t, db.Owner.Get(&unknown, unknownSQL, kind))
				require.False(t, unknown, "worker/wire.go adds no worker for %s", kind)
				require.NoError(t, db.Owner.Get(&worked, workedSQL, kind))
			case err := <-ended:
				require.FailNow(t, "the process ended", "%v", err)
			case <-patience:
				require.FailNow(t, "nobody works "+kind)
			}
		}
	}
	stop()
	require.NoError(t, <-ended)
}
