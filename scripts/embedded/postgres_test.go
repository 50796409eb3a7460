package embedded

import (
	"context"
	"database/sql"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// setup returns the configuration of a throw-away cluster in a folder that the database's user can enter.
func setup(t *testing.T) PostgresConfig {
	t.Helper()
	repository, err := filepath.Abs("../..")
	require.NoError(t, err)
	require.NoError(t, Install(t.Context(), repository))
	folder, err := TemporaryFolder("franchise360-test-")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(folder)) })
	return PostgresConfig{Repository: repository, Data: filepath.Join(folder, "data"), Password: "secret", Throwaway: true, Log: io.Discard}
}

func start(t *testing.T, config PostgresConfig) (*Postgres, *sql.DB) {
	t.Helper()
	server, err := StartPostgres(context.Background(), config)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Stop()) })
	db, err := sql.Open("postgres", server.SuperuserURL("postgres"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return server, db
}

func TestPostgres_AfterAKilledRun_KeepsItsData(t *testing.T) {
	t.Parallel()
	config := setup(t)
	first, db := start(t, config)
	_, err := db.ExecContext(t.Context(), `CREATE TABLE kept (n int); INSERT INTO kept VALUES (7)`)
	require.NoError(t, err)
	var collated bool // in the order of the code points, with the letters of Unicode, as by C.UTF-8
	require.NoError(t, db.QueryRowContext(t.Context(), `SELECT 'Z' < 'a' AND 'z' < 'ä' AND upper('ä') = 'Ä'`).Scan(&collated))
	require.True(t, collated)

	stranger, err := sql.Open("postgres", first.URL(Superuser, "wrong", "postgres"))
	require.NoError(t, err)
	require.ErrorContains(t, stranger.PingContext(t.Context()), "password authentication failed")
	require.NoError(t, stranger.Close())

	// The first run was killed without stopping its server, and another run starts on the same folder.
	second, db := start(t, config)
	require.NotEqual(t, first.Pid(), second.Pid())
	select {
	case <-first.Exited():
	case <-time.After(time.Minute):
		t.Fatal("the earlier server still runs")
	}
	var n int
	require.NoError(t, db.QueryRowContext(t.Context(), `SELECT n FROM kept`).Scan(&n))
	require.Equal(t, 7, n)

	// It also recovers from a crash.
	require.NoError(t, syscall.Kill(second.Pid(), syscall.SIGKILL))
	<-second.Exited()
	_, db = start(t, config)
	require.NoError(t, db.QueryRowContext(t.Context(), `SELECT n FROM kept`).Scan(&n))
	require.Equal(t, 7, n)
}

func TestPostgres_RunsAtTheLowestPriority(t *testing.T) {
	t.Parallel()
	server, err := StartPostgres(context.Background(), setup(t))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Stop()) })
	require.NoError(t, server.GiveWay(19))
	db, err := sql.Open("postgres", server.SuperuserURL("postgres"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	var connection int
	require.NoError(t, db.QueryRowContext(t.Context(), `SELECT pg_backend_pid()`).Scan(&connection))
	priority, err := syscall.Getpriority(syscall.PRIO_PROCESS, connection)
	require.NoError(t, err)
	require.Equal(t, 20-19, priority, "the kernel tells 20 less the niceness")
}

func TestEndProcess_UnrelatedProcess_IsLeftAlone(t *testing.T) {
	t.Parallel()
	command := exec.CommandContext(t.Context(), "sleep", "60")
	require.NoError(t, command.Start())
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	require.NoError(t, EndProcess(t.Context(), command.Process.Pid, "/some/other/program", syscall.SIGTERM))
	select {
	case err := <-ended:
		t.Fatalf("it was ended: %v", err)
	case <-time.After(200 * time.Millisecond):
	}
	require.NoError(t, EndProcess(t.Context(), command.Process.Pid, "sleep", syscall.SIGTERM))
	require.Error(t, <-ended, "ended by a signal")
	require.NoError(t, EndProcess(t.Context(), command.Process.Pid, "sleep", syscall.SIGTERM), "it is gone already")
}

func TestDataFolder_UnreachableForPostgres_IsMoved(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		run, err := postgresAccount()
		require.NoError(t, err)
		require.False(t, run.drops, "an ordinary user runs the database itself")
		return
	}
	run, err := postgresAccount()
	require.NoError(t, err)
	require.True(t, run.drops)
	run.shared = sharedFolder(t)
	closed := filepath.Join(t.TempDir(), "home")
	require.NoError(t, os.Mkdir(closed, 0o700))
	link := filepath.Join(closed, "data")
	outside, err := run.place(t.Context(), link)
	require.NoError(t, err)
	require.True(t, run.reaches(outside))
	again, err := run.place(t.Context(), link)
	require.NoError(t, err)
	require.Equal(t, outside, again, "the next run finds the same folder")
}

func TestReaches_ClosedFolder_OnlyByItsOwner(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	closed := filepath.Join(dir, "closed")
	inner := filepath.Join(closed, "inner")
	require.NoError(t, os.MkdirAll(inner, 0o755))
	require.NoError(t, os.Chmod(closed, 0o700))
	stranger := account{uid: 65534, gid: 65534, drops: true}
	require.False(t, stranger.reaches(inner))
	owner := account{uid: uint32(os.Geteuid()), gid: uint32(os.Getegid()), drops: true}
	require.True(t, owner.reaches(inner))
	require.False(t, owner.reaches(filepath.Join(dir, "missing")))
	require.True(t, account{}.reaches("/missing"), "without a change of user nothing needs to be reached")
}

func TestHydrate_MakesEachLinkAndCanBeRepeated(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, "native", "lib"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, "native", "lib", "libx.so.1.2"), []byte("x"), 0o600))
	list := `[{"source":"native/lib/libx.so.1.2","target":"native/lib/libx.so.1"}]`
	require.NoError(t, os.WriteFile(filepath.Join(root, "native", "pg-symlinks.json"), []byte(list), 0o600))
	require.NoError(t, hydrate(root))
	require.NoError(t, hydrate(root))
	target, err := os.Readlink(filepath.Join(root, "native", "lib", "libx.so.1"))
	require.NoError(t, err)
	require.Equal(t, "libx.so.1.2", target)
}

func TestInstalledPackages_DifferFromTheLock_AreReported(t *testing.T) {
	t.Parallel()
	wanted := map[string]npmPackage{
		"":                {Version: "1"},
		"node_modules/a":  {Version: "1", Integrity: "x"},
		"node_modules/os": {Version: "1", Optional: true},
	}
	a := npmPackage{Version: "1", Integrity: "x"}
	for name, c := range map[string]struct {
		installed map[string]npmPackage
		want      bool
	}{
		"all there":         {map[string]npmPackage{"node_modules/a": a}, true},
		"one missing":       {map[string]npmPackage{}, false},
		"another version":   {map[string]npmPackage{"node_modules/a": {Version: "2", Integrity: "x"}}, false},
		"another content":   {map[string]npmPackage{"node_modules/a": {Version: "1", Integrity: "y"}}, false},
		"optional, another": {map[string]npmPackage{"node_modules/a": a, "node_modules/os": {Version: "2"}}, false},
	} {
		require.Equal(t, c.want, covers(c.installed, wanted), name)
	}
}

// npmLock is written like npm's: the folder builds with a tool that needs two packages, one of them in its own version; its workspace is
// for tests.
const npmLock = `{"packages": {
	"": {"workspaces": ["checks"], "dependencies": {"react": "1"}, "devDependencies": {"builder": "1"}},
	"checks": {"version": "1", "devDependencies": {"linter": "1", "react": "1"}},
	"node_modules/checks": {"resolved": "checks", "link": true},
	"node_modules/react": {"version": "1"},
	"node_modules/builder": {"version": "1", "dependencies": {"@a/parser": "2"}, "optionalDependencies": {"builder-linux": "1"},
		"peerDependencies": {"react": "1", "linter": "1"}, "peerDependenciesMeta": {"linter": {"optional": true}}},
	"node_modules/builder-linux": {"version": "1", "optional": true},
	"node_modules/builder/node_modules/@a/parser": {"version": "2", "dependencies": {"words": "1"}},
	"node_modules/@a/parser": {"version": "1"},
	"node_modules/words": {"version": "1", "dependencies": {"builder": "1"}},
	"node_modules/linter": {"version": "1", "dependencies": {"@a/parser": "1"}}
}}`

func TestOwnPackages_LeaveOutWorkspaces(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "package-lock.json")
	require.NoError(t, os.WriteFile(path, []byte(npmLock), 0o600))
	lock, err := readLock(path)
	require.NoError(t, err)
	own := ownPackages(lock)
	require.Equal(t, []string{
		"", "node_modules/builder", "node_modules/builder/node_modules/@a/parser", "node_modules/react", "node_modules/words",
	}, slices.Sorted(maps.Keys(own)))
	installed := maps.Clone(lock)
	maps.DeleteFunc(installed, func(path string, _ npmPackage) bool {
		return path == "" || path == "checks" || path == "node_modules/checks" || path == "node_modules/linter"
	})
	require.True(t, covers(installed, own))
	require.False(t, covers(installed, lock), "tests need more")
	installed["node_modules/linter"] = lock["node_modules/linter"]
	require.True(t, covers(installed, lock))
	delete(installed, "node_modules/words")
	require.False(t, covers(installed, own))
}

func TestPostgres_ThatCannotStart_IsReportedWithTheEndOfItsLog(t *testing.T) {
	t.Parallel()
	config := setup(t)
	config.Settings = map[string]string{"shared_buffers": "plenty"}
	_, err := StartPostgres(context.Background(), config)
	require.ErrorContains(t, err, `FATAL:  invalid value for parameter "shared_buffers": "plenty"`)
	var exit *exec.ExitError
	require.NotErrorAs(t, err, &exit, "a caller would take its code for that of its command")
}

func TestTail_LongLog_KeepsItsEnd(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	kept := tail{to: &all}
	for n := range 1000 {
		_, err := kept.Write([]byte("line " + strconv.Itoa(n) + "\n"))
		require.NoError(t, err)
	}
	require.Len(t, kept.last, tailBytes)
	require.True(t, strings.HasSuffix(string(kept.last), "line 999\n"))
	require.Equal(t, 1000, strings.Count(all.String(), "\n"))
}
