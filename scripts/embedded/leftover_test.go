package embedded

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// sharedFolder returns a folder in the place of sharedDir that every account can reach.
func sharedFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "shared-") //nolint:usetesting // other accounts cannot enter that of a test
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	require.NoError(t, os.Chmod(dir, 0o755))
	return dir
}

// age makes the files of a data folder look as if they had been untouched for a while.
func age(t *testing.T, folder string, by time.Duration) {
	t.Helper()
	then := time.Now().Add(-by)
	require.NoError(t, filepath.WalkDir(folder, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chtimes(path, then, then)
	}))
}

// Given data folders that links led to, when a link is gone, then the next run removes its folder, once it has been untouched for an
// hour and no server runs on it; all others stay.
func TestRemoveOrphans_LinkGoneForAnHour_RemovesTheFolder(t *testing.T) {
	t.Parallel()
	shared, checkout := sharedFolder(t), t.TempDir()
	run := account{uid: uint32(os.Geteuid()), gid: uint32(os.Getegid()), drops: true, shared: shared}
	folder := func(name string) (data, link string) {
		data, link = filepath.Join(shared, sharedPrefix+name), filepath.Join(checkout, name)
		require.NoError(t, os.MkdirAll(filepath.Join(data, "cluster", "global"), 0o700))
		require.NoError(t, os.Symlink(data, link))
		require.NoError(t, run.note(data, link))
		return data, link
	}
	kept, _ := folder("kept")
	gone, goneLink := folder("gone")
	young, youngLink := folder("young")
	used, usedLink := folder("used")
	moved, movedLink := folder("moved")
	replaced, replacedLink := folder("replaced")
	unknown, unknownLink := folder("unknown")

	server := exec.CommandContext(t.Context(), "sh", "-c", "sleep 60; :", filepath.Join(used, "cluster"))
	require.NoError(t, server.Start())
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait() // killed
	})
	require.NoError(t, os.WriteFile(filepath.Join(used, "cluster", "postmaster.pid"), []byte(strconv.Itoa(server.Process.Pid)+"\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(gone, "cluster", "postmaster.pid"), []byte("1\n"), 0o600))
	require.NoError(t, os.Remove(filepath.Join(unknown, linkNote)))
	for _, link := range []string{goneLink, youngLink, usedLink, movedLink, replacedLink, unknownLink} {
		require.NoError(t, os.Remove(link))
	}
	require.NoError(t, os.Symlink(kept, movedLink)) // it leads elsewhere now
	require.NoError(t, os.Mkdir(replacedLink, 0o700))
	for _, data := range []string{kept, gone, used, moved, replaced, unknown} {
		age(t, data, 2*time.Hour)
	}
	age(t, young, 50*time.Minute)

	_, err := run.place(t.Context(), filepath.Join(checkout, "new"))
	require.NoError(t, err)
	for _, data := range []string{gone, moved, replaced} {
		require.NoDirExists(t, data)
	}
	for _, data := range []string{kept, young, used, unknown} {
		require.DirExists(t, data)
	}
}

// Given a data folder of before, which has no note of its link, then the next run that uses it makes one.
func TestDataFolder_WithoutANote_GetsOne(t *testing.T) {
	t.Parallel()
	shared, link := sharedFolder(t), filepath.Join(t.TempDir(), "link")
	data := filepath.Join(shared, sharedPrefix+"1")
	require.NoError(t, os.Mkdir(data, 0o700))
	require.NoError(t, os.Symlink(data, link))
	run := account{uid: uint32(os.Geteuid()), gid: uint32(os.Getegid()), drops: true, shared: shared}
	found, err := run.place(context.Background(), link)
	require.NoError(t, err)
	require.Equal(t, data, found)
	text, err := os.ReadFile(filepath.Join(data, linkNote))
	require.NoError(t, err)
	require.Equal(t, link+"\n", string(text))
}

// Given temporary folders, then those whose process is gone are removed, and neither one in use nor one that is not ours.
func TestTemporaryFolders_OfKilledRuns_AreRemoved(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	folder := func(name string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Join(path, "data"), 0o700))
		return path
	}
	left, used, young := folder("franchise360-stack-1"), folder("franchise360-stack-2"), folder("franchise360-stack-3")
	unlocked, other := folder("franchise360-stack-4"), folder("other-1")
	for _, path := range []string{left, young, other} {
		require.NoError(t, os.WriteFile(filepath.Join(path, ownerLock), nil, 0o600))
	}
	require.NoError(t, hold(used))
	for _, path := range []string{left, used, unlocked, other} {
		age(t, path, 2*time.Hour)
	}
	removeAbandoned(dir, time.Now().Add(-orphanAge))
	require.NoDirExists(t, left)
	for _, path := range []string{used, young, unlocked, other} {
		require.DirExists(t, path)
	}
}

// Given a folder of a run, when the run is killed, then its lock is free.
func TestLock_ProcessKilled_IsFree(t *testing.T) {
	t.Parallel()
	folder, err := TemporaryFolder("franchise360-test-")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(folder)) })
	_, taken, err := lockFile(filepath.Join(folder, ownerLock))
	require.NoError(t, err)
	require.False(t, taken, "this process lives")
	inherits := exec.CommandContext(t.Context(), "sh", "-c", "ls -l /proc/$$/fd | grep -c '"+ownerLock+"'")
	out, err := inherits.Output()
	require.Error(t, err, "a server that outlives its run does not hold the lock: %s", out)
}
