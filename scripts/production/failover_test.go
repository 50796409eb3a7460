package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/scripts/embedded"
)

// startStandby starts a standby of the primary, and makes the primary wait for it at every commit.
func startStandby(t *testing.T, folder string, primary *embedded.Postgres) *embedded.Postgres {
	t.Helper()
	repository, err := filepath.Abs("../..")
	require.NoError(t, err)
	standby, err := embedded.StartStandby(t.Context(), primary, embedded.PostgresConfig{
		Repository: repository, Data: filepath.Join(folder, "standby"), Throwaway: true, Log: io.Discard,
	})
	require.NoError(t, err)
	t.Cleanup(func() { _ = standby.Stop() })
	owner := openOne(t, primary)
	for _, statement := range []string{`ALTER SYSTEM SET synchronous_standby_names = 'standby'`, `SELECT pg_reload_conf()`} {
		_, err := owner.ExecContext(t.Context(), statement)
		require.NoError(t, err)
	}
	require.Eventually(t, func() bool {
		var follows bool
		err := owner.GetContext(t.Context(), &follows, `SELECT EXISTS (SELECT FROM pg_stat_replication WHERE sync_state = 'sync')`)
		return err == nil && follows
	}, time.Minute, 50*time.Millisecond, "the standby follows")
	return standby
}

func openOne(t *testing.T, server *embedded.Postgres) *sqlx.DB {
	t.Helper()
	db, err := postgres.Open(t.Context(), server.SuperuserURL("postgres"), 1)
	require.NoError(t, err)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// bothHosts returns a DATABASE_URL that names two servers and selects the writable one.
func bothHosts(role string, a, b *embedded.Postgres) string {
	return fmt.Sprintf("postgres://%s@/postgres?host=127.0.0.1,127.0.0.1&port=%d,%d&target_session_attrs=read-write&sslmode=disable",
		role, a.Port(), b.Port())
}

// When the primary dies and a standby is promoted, the pools of api and worker write to it within seconds. Before that, callers learn that
// the database is unavailable, and no committed data is lost.
func TestFailover_StandbyPromoted_IsFollowed(t *testing.T) {
	t.Parallel()
	folder := temporaryFolder(t)
	primary := startMigrated(t, folder, map[string]string{"synchronous_commit": "on"})
	_, err := openOne(t, primary).ExecContext(t.Context(), `CREATE TABLE written (n bigint);
		GRANT SELECT, INSERT ON written TO franchise360_api, franchise360_worker`)
	require.NoError(t, err)
	standby := startStandby(t, folder, primary)

	// The standby comes first: it must not be mistaken for the primary.
	api, err := postgres.Open(t.Context(), postgres.Serving.With(bothHosts("franchise360_api", standby, primary)), 5)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, api.Close()) })
	jobs, err := postgres.OpenJobs(t.Context(), postgres.Working.With(bothHosts("franchise360_worker", standby, primary)), 2)
	require.NoError(t, err)
	t.Cleanup(jobs.Close)
	var committed int64
	write := func() error {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		return postgres.InTx(ctx, api, func(tx *sqlx.Tx) error {
			_, err := tx.ExecContext(ctx, `INSERT INTO written VALUES ($1)`, committed+1)
			return err
		})
	}
	for range 50 {
		require.NoError(t, write())
		committed++
	}
	_, err = jobs.Exec(t.Context(), `INSERT INTO written VALUES ($1)`, 0)
	require.NoError(t, err)

	require.NoError(t, primary.Stop())
	err = write()
	require.Equal(t, errs.KindUnavailable, errs.KindOf(err), "between the two: %v", err)
	began := time.Now()
	_, err = openOne(t, standby).ExecContext(t.Context(), `SELECT pg_promote()`)
	require.NoError(t, err)
	require.Eventually(t, func() bool { return write() == nil }, time.Minute, 20*time.Millisecond, "the api writes again")
	committed++
	require.Eventually(t, func() bool {
		_, err := jobs.Exec(t.Context(), `INSERT INTO written VALUES ($1)`, -1)
		return err == nil
	}, time.Minute, 20*time.Millisecond, "and the worker")
	t.Logf("written again %s after the promotion began", time.Since(began).Round(time.Millisecond))
	var found int64
	require.NoError(t, api.Get(&found, `SELECT count(DISTINCT n) FROM written WHERE n > 0`))
	require.Equal(t, committed, found)
}
