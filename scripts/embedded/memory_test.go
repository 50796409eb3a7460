package embedded

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestMemoryFolders_Leftovers_AreRemovedAndUsedOnesStay(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	leftover, used, stranger := filepath.Join(dir, memoryPrefix+"1"), filepath.Join(dir, memoryPrefix+"2"), filepath.Join(dir, "other")
	for _, folder := range []string{leftover, used, stranger} {
		require.NoError(t, os.MkdirAll(filepath.Join(folder, "data"), 0o700))
	}
	lock, taken, err := lockFile(used)
	require.NoError(t, err)
	require.True(t, taken)
	t.Cleanup(func() { require.NoError(t, lock.Close()) })

	require.NoError(t, removeLeftovers(dir, time.Now().Add(-time.Hour)))
	require.DirExists(t, leftover, "one that was just made may not be locked yet")
	require.NoError(t, removeLeftovers(dir, time.Now().Add(time.Hour)))
	require.NoDirExists(t, leftover)
	require.DirExists(t, used)
	require.DirExists(t, stranger)
}

func TestMemoryFolder_IsLockedUntilRemoved(t *testing.T) {
	t.Parallel()
	folder, remove, err := MemoryFolder()
	require.NoError(t, err)
	require.DirExists(t, folder)
	if filepath.Dir(folder) == memoryDir {
		_, taken, err := lockFile(folder)
		require.NoError(t, err)
		require.False(t, taken)
	}
	require.NoError(t, remove())
	require.NoDirExists(t, folder)
}
