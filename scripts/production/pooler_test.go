package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/scripts/embedded"
)

// startMigrated starts a separate Postgres with the product's tables and roles, which need no password there.
func startMigrated(t *testing.T, folder string, settings map[string]string) *embedded.Postgres {
	t.Helper()
	repository, err := filepath.Abs("../..")
	require.NoError(t, err)
	require.NoError(t, embedded.Install(t.Context(), repository))
	server, err := embedded.StartPostgres(t.Context(), embedded.PostgresConfig{
		Repository: repository, Data: filepath.Join(folder, "primary"), Throwaway: true, Log: io.Discard, Settings: settings,
	})
	require.NoError(t, err)
	t.Cleanup(func() { _ = server.Stop() })
	migrate := exec.CommandContext(t.Context(), "go", "run", "./scripts/admin", "migrate")
	migrate.Dir = repository
	migrate.Env = append(os.Environ(), "DATABASE_OWNER_URL="+server.SuperuserURL("postgres"),
		"API_DATABASE_PASSWORD=of-the-api", "WORKER_DATABASE_PASSWORD=of-the-worker")
	out, err := migrate.CombinedOutput()
	require.NoError(t, err, string(out))
	return server
}

func startPooler(t *testing.T, folder, server, more string) *embedded.PgBouncer {
	t.Helper()
	text, err := os.ReadFile("pgbouncer.ini")
	require.NoError(t, err)
	b, err := embedded.StartPgBouncer(t.Context(), embedded.PgBouncerConfig{
		Server: server, Folder: folder, Settings: embedded.PoolerSettings(string(text)) + more, Log: t.Output(),
	})
	if errors.Is(err, embedded.ErrNoPgBouncer) && os.Getenv("CI") == "" {
		t.Skip(err)
	}
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.Stop()) })
	return b
}

func temporaryFolder(t *testing.T) string {
	t.Helper()
	folder, err := embedded.TemporaryFolder("franchise360-growing-")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(folder)) })
	return folder
}

// With many api connections sharing two server sessions, each transaction still sees only its own franchiser, and the process's
// timeouts apply although PgBouncer passes none on.
func TestPgBouncer_APIKeepsRowSecurityAndTimeouts(t *testing.T) {
	t.Parallel()
	folder := temporaryFolder(t)
	server := startMigrated(t, folder, nil)
	pooler := startPooler(t, folder, server.URL("franchise360_api", "", "postgres"), "\ndefault_pool_size = 2\nquery_wait_timeout = 30\n")
	db, err := postgres.Open(t.Context(), postgres.Serving.With(pooler.URL("franchise360_api", "postgres")), 20)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })

	var timeouts string
	require.NoError(t, db.Get(&timeouts, `SELECT concat_ws(' ', current_user, current_setting('statement_timeout'), current_setting('lock_timeout'),
		current_setting('idle_in_transaction_session_timeout'))`))
	require.Equal(t, "franchise360_api 8s 5s 4s", timeouts)
	endless, err := postgres.IsEndless(t.Context(), db)
	require.NoError(t, err)
	require.False(t, endless)

	var sessions sync.Map
	group, ctx := errgroup.WithContext(t.Context())
	for range 20 {
		group.Go(func() error {
			for range 25 {
				if err := readAsFranchiser(ctx, db, &sessions); err != nil {
					return err
				}
			}
			return nil
		})
	}
	require.NoError(t, group.Wait())
	var shared int
	sessions.Range(func(any, any) bool { shared++; return true })
	require.Equal(t, 2, shared, "sessions of the server's")

	impatient := startPooler(t, temporaryFolder(t), server.URL("franchise360_api", "", "postgres"), "\ndefault_pool_size = 2\nquery_wait_timeout = 3\n")
	waiting, err := postgres.Open(t.Context(), postgres.Serving.With(impatient.URL("franchise360_api", "postgres")), 20)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, waiting.Close()) })
	release := holdSessions(t, waiting, 2)
	_, err = waiting.ExecContext(t.Context(), `SELECT $1::int`, 1)
	require.Equal(t, errs.KindUnavailable, errs.KindOf(postgres.Error(err)), "who waits for a session for too long hears so: %v", err)
	release()
	require.Eventually(t, func() bool {
		_, err := waiting.ExecContext(t.Context(), `SELECT $1::int`, 1)
		return err == nil
	}, patience, 20*time.Millisecond)
}

// readAsFranchiser records which server session handled a transaction, and fails if it sees another's franchiser.
func readAsFranchiser(ctx context.Context, db *sqlx.DB, sessions *sync.Map) error {
	franchiser := id.New()
	var seen struct {
		Franchiser *string `db:"franchiser"`
		Session    int     `db:"session"`
	}
	const asked = `SELECT current_franchiser() AS franchiser, pg_backend_pid() AS session WHERE $1 > 0`
	err := postgres.InTenantTx(ctx, db, franchiser, func(tx *sqlx.Tx) error { return tx.GetContext(ctx, &seen, asked, 1) })
	if err != nil {
		return err
	}
	if seen.Franchiser == nil || *seen.Franchiser != franchiser {
		return errors.New("a transaction lost its franchiser")
	}
	sessions.Store(seen.Session, true)
	if err := db.GetContext(ctx, &seen, asked, 2); err != nil {
		return err
	}
	if seen.Franchiser != nil {
		return errors.New("a franchiser outlived its transaction")
	}
	return nil
}

// holdSessions keeps transactions open until released.
func holdSessions(t *testing.T, db *sqlx.DB, count int) (release func()) {
	t.Helper()
	var held []*sqlx.Tx
	for range count {
		tx, err := db.BeginTxx(t.Context(), nil)
		require.NoError(t, err)
		_, err = tx.ExecContext(t.Context(), `SET LOCAL idle_in_transaction_session_timeout = 0`)
		require.NoError(t, err)
		held = append(held, tx)
	}
	return func() {
		for _, tx := range held {
			require.NoError(t, tx.Rollback())
		}
	}
}

// A pooler that does not track prepared statements may send one to a session that has never seen it.
func TestPgBouncer_WithoutPreparedStatements_Works(t *testing.T) {
	t.Parallel()
	folder := temporaryFolder(t)
	server := startMigrated(t, folder, nil)
	pooler := startPooler(t, folder, server.URL("franchise360_api", "", "postgres"), "\ndefault_pool_size = 2\nmax_prepared_statements = 0\n")
	if pooler.FollowsPrepared() {
		t.Log("it could follow them, and is told not to")
	}
	for mode, works := range map[string]bool{"": false, "&default_query_exec_mode=exec": true} {
		dsn := "postgres://franchise360_api@" + pooler.Address() + "/postgres?sslmode=disable" + mode
		db, err := postgres.Open(t.Context(), dsn, 20)
		require.NoError(t, err)
		group, ctx := errgroup.WithContext(t.Context())
		var sessions sync.Map
		for range 20 {
			group.Go(func() error {
				for range 25 {
					if err := readAsFranchiser(ctx, db, &sessions); err != nil {
						return err
					}
				}
				return nil
			})
		}
		require.Equal(t, works, group.Wait() == nil, "with %q", mode)
		require.NoError(t, db.Close())
	}
}
