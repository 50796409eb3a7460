package backup

import (
	"database/sql"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/scripts/embedded"
)

// Given a base backup, the WAL archived since and a later mistake, Postgres is restored to the moment just before the mistake,
// following the steps in README.md.
func TestPointInTimeRecovery_RestoresTheMomentBeforeAMistake(t *testing.T) {
	t.Parallel()
	repository, err := filepath.Abs("../../..")
	require.NoError(t, err)
	require.NoError(t, embedded.Install(t.Context(), repository))
	folder, err := embedded.TemporaryFolder("franchise360-point-")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(folder)) })
	archive := filepath.Join(folder, "archive")
	require.NoError(t, os.Mkdir(archive, 0o700))
	require.NoError(t, os.Chmod(archive, 0o777)) // Postgres may run as another user
	config := embedded.PostgresConfig{
		Repository: repository, Data: filepath.Join(folder, "data"), Log: io.Discard, Settings: map[string]string{
			"archive_mode": "on", "wal_level": "replica", "archive_command": archiveCommand(t, archive),
		},
	}
	server, db := startPostgres(t, config)
	exec1 := func(query string) {
		_, err := db.ExecContext(t.Context(), query)
		require.NoError(t, err)
	}
	exec1(`CREATE TABLE payments (paise bigint); INSERT INTO payments VALUES (100)`)

	one, err := db.Conn(t.Context()) // a backup is bound to one connection
	require.NoError(t, err)
	_, err = one.ExecContext(t.Context(), `SELECT pg_backup_start('copy', fast => true)`)
	require.NoError(t, err)
	copied := filepath.Join(folder, "restored", "cluster")
	require.NoError(t, os.MkdirAll(filepath.Dir(copied), 0o755))
	require.NoError(t, os.Chmod(filepath.Dir(copied), 0o755))
	source, err := filepath.EvalSymlinks(config.Data)
	require.NoError(t, err)
	out, err := exec.CommandContext(t.Context(), "cp", "-a", filepath.Join(source, "cluster"), copied).CombinedOutput()
	require.NoError(t, err, string(out))
	var label string
	require.NoError(t, one.QueryRowContext(t.Context(), `SELECT labelfile FROM pg_backup_stop()`).Scan(&label))
	require.NoError(t, one.Close())

	exec1(`INSERT INTO payments VALUES (200)`)
	var before time.Time
	require.NoError(t, db.QueryRowContext(t.Context(), `SELECT clock_timestamp()`).Scan(&before))
	exec1(`SELECT pg_sleep(0.01); DELETE FROM payments`)
	exec1(`SELECT pg_switch_wal()`)
	require.Eventually(t, func() bool {
		var archived bool
		require.NoError(t, db.QueryRowContext(t.Context(),
			`SELECT coalesce(last_archived_wal >= pg_walfile_name(pg_current_wal_lsn() - 16777216), false) FROM pg_stat_archiver`).Scan(&archived))
		return archived
	}, time.Minute, 50*time.Millisecond)
	archivesOnAfterACrash(t, db, filepath.Join(source, "cluster", "pg_wal", "archive_status"), archive)
	require.NoError(t, db.Close())
	require.NoError(t, server.Stop())
	require.NoError(t, os.RemoveAll(source)) // the machine is gone

	for _, gone := range []string{"postmaster.pid", "postmaster.opts", "pg_wal"} {
		require.NoError(t, os.RemoveAll(filepath.Join(copied, gone)))
	}
	require.NoError(t, os.MkdirAll(filepath.Join(copied, "pg_wal"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(copied, "backup_label"), []byte(label), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(copied, "recovery.signal"), nil, 0o600))
	settings, err := os.OpenFile(filepath.Join(copied, "postgresql.auto.conf"), os.O_APPEND|os.O_WRONLY, 0o600)
	require.NoError(t, err)
	_, err = fmt.Fprintf(settings, "restore_command = 'cp %s/%%f %%p'\nrecovery_target_time = '%s'\nrecovery_target_action = 'promote'\n",
		archive, before.Format("2006-01-02 15:04:05.999999-07:00"))
	require.NoError(t, err)
	require.NoError(t, settings.Close())
	owner := fmt.Sprintf("--reference=%s", filepath.Join(copied, "PG_VERSION"))
	for _, path := range []string{filepath.Dir(copied), copied} {
		out, err := exec.CommandContext(t.Context(), "chown", "-R", owner, path).CombinedOutput()
		require.NoError(t, err, string(out))
	}

	config.Data, config.Settings = filepath.Join(folder, "restored"), nil
	server, db = startPostgres(t, config)
	require.Eventually(t, func() bool {
		var recovering bool
		require.NoError(t, db.QueryRowContext(t.Context(), `SELECT pg_is_in_recovery()`).Scan(&recovering))
		return !recovering
	}, time.Minute, 50*time.Millisecond)
	var sum int64
	require.NoError(t, db.QueryRowContext(t.Context(), `SELECT coalesce(sum(paise), 0) FROM payments`).Scan(&sum))
	require.Equal(t, int64(300), sum, "what came after the copy is there, and the mistake is not")
	require.NoError(t, db.Close())
	require.NoError(t, server.Stop())
}

// archiveCommand returns README.md's archive_command with another folder.
func archiveCommand(t *testing.T, archive string) string {
	t.Helper()
	text, err := os.ReadFile("README.md")
	require.NoError(t, err)
	found := regexp.MustCompile(`(?m)"archive_command=(.*)"\]$`).FindSubmatch(text)
	require.NotNil(t, found, "README.md has no archive_command")
	return strings.ReplaceAll(string(found[1]), "/archive/", archive+"/")
}

// archivesOnAfterACrash repeats the crash between archiving a segment and noting it: Postgres offers an archived segment again.
func archivesOnAfterACrash(t *testing.T, db *sql.DB, status, archive string) {
	t.Helper()
	archived := func() (last string, count, failed int) {
		require.NoError(t, db.QueryRowContext(t.Context(),
			`SELECT last_archived_wal, archived_count, failed_count FROM pg_stat_archiver`).Scan(&last, &count, &failed))
		return last, count, failed
	}
	last, count, _ := archived()
	require.NoError(t, os.Rename(filepath.Join(status, last+".done"), filepath.Join(status, last+".ready")))
	_, err := db.ExecContext(t.Context(), `INSERT INTO payments VALUES (1); SELECT pg_switch_wal()`)
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		_, now, failed := archived()
		return now >= count+2 || failed > 0
	}, 2*time.Minute, 50*time.Millisecond)
	_, now, failed := archived()
	require.Zero(t, failed, "the segment that is archived already is refused")
	require.GreaterOrEqual(t, now, count+2)

	// A file of another content is never replaced, as it may belong to another timeline.
	last, _, _ = archived()
	segment, err := os.ReadFile(filepath.Join(archive, last))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(archive, last), []byte("another segment"), 0o666))
	require.NoError(t, os.Rename(filepath.Join(status, last+".done"), filepath.Join(status, last+".ready")))
	_, err = db.ExecContext(t.Context(), `INSERT INTO payments VALUES (1); SELECT pg_switch_wal()`)
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		_, _, failed := archived()
		return failed > 0
	}, 2*time.Minute, 50*time.Millisecond, "another content under the same name is accepted")
	require.NoError(t, os.WriteFile(filepath.Join(archive, last), segment, 0o666))
}

func startPostgres(t *testing.T, config embedded.PostgresConfig) (*embedded.Postgres, *sql.DB) {
	t.Helper()
	server, err := embedded.StartPostgres(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(func() { _ = server.Stop() }) // in case the test ended early
	db, err := sql.Open("postgres", server.SuperuserURL("postgres"))
	require.NoError(t, err)
	return server, db
}
