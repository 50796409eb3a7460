package embedded

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

const (
	// memoryDir is where Linux keeps a file system in memory that everybody may write to.
	memoryDir = "/dev/shm"
	// memoryRoom is what must be free of it, in bytes: several times what the tests' databases and their log take.
	memoryRoom = 4 << 30
	// memoryPrefix begins the names of our folders there.
	memoryPrefix = "franchise360-postgres-"
	// beginning is how long after it was made a folder may not be locked yet.
	beginning = time.Minute
)

// MemoryFolder makes a folder for a cluster of tests, and returns what removes it. It lies in memory where there is room:
// each test makes and drops a database of more than a thousand files, and file systems such as ext4, which give no
// number of a deleted file away for some seconds, then search ever longer for a free one.
func MemoryFolder() (folder string, remove func() error, err error) {
	if !hasRoom(memoryDir) {
		folder, err = TemporaryFolder(memoryPrefix)
		return folder, func() error { return os.RemoveAll(folder) }, err
	}
	if err := removeLeftovers(memoryDir, time.Now().Add(-beginning)); err != nil {
		return "", nil, err
	}
	if folder, err = os.MkdirTemp(memoryDir, memoryPrefix); err != nil {
		return "", nil, fmt.Errorf("make a folder in memory: %w", err)
	}
	if err := os.Chmod(folder, 0o755); err != nil { // the database's own user passes through
		return "", nil, fmt.Errorf("open the folder to the database's user: %w", err)
	}
	lock, taken, err := lockFolder(folder)
	if err != nil || !taken {
		return "", nil, errors.Join(err, fmt.Errorf("lock %s", folder))
	}
	return folder, func() error { return errors.Join(os.RemoveAll(folder), lock.Close()) }, nil
}

func hasRoom(dir string) bool {
	var stat syscall.Statfs_t
	if err := syscall.Statfs(dir, &stat); err != nil {
		return false
	}
	return stat.Bavail*uint64(stat.Bsize) >= memoryRoom
}

// removeLeftovers removes folders of runs that were killed: memory would stay taken until the machine starts anew. A server
// that still runs on one ends by itself when it misses its files.
func removeLeftovers(dir string, madeBefore time.Time) error {
	folders, err := filepath.Glob(filepath.Join(dir, memoryPrefix+"*"))
	if err != nil {
		return fmt.Errorf("look for leftover folders: %w", err)
	}
	for _, folder := range folders {
		info, err := os.Stat(folder)
		if err != nil || !info.IsDir() || info.ModTime().After(madeBefore) || !isOurs(info) {
			continue
		}
		lock, taken, err := lockFolder(folder)
		if err != nil || !taken {
			continue // in use, or gone meanwhile
		}
		if err := errors.Join(os.RemoveAll(folder), lock.Close()); err != nil {
			return fmt.Errorf("remove a leftover folder: %w", err)
		}
	}
	return nil
}

func isOurs(info os.FileInfo) bool {
	owner, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(owner.Uid) == os.Geteuid()
}

// lockFolder takes the folder for this process until the file is closed, or tells that another has it.
func lockFolder(folder string) (lock *os.File, taken bool, err error) {
	lock, err = os.Open(folder)
	if err != nil {
		return nil, false, err
	}
	err = syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		return lock, true, nil
	}
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = nil
	}
	return nil, false, errors.Join(err, lock.Close())
}
