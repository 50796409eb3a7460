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
	// memoryDir is Linux's world-writable in-memory file system.
	memoryDir = "/dev/shm"
	// memoryRoom is the required free space, in bytes: several times the size of the tests' databases and WAL.
	memoryRoom = 4 << 30
	// memoryPrefix starts the names of our folders there.
	memoryPrefix = "franchise360-postgres-"
	// beginning is how long a new folder may exist without being locked.
	beginning = time.Minute
)

// MemoryFolder creates a folder for a test cluster and returns a function that removes it. It is in memory if there is space:
// each test creates and drops a database of over a thousand files, and file systems such as ext4, which do not reuse a deleted
// file's inode number for some seconds, then search ever longer for a free one.
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
	if err := os.Chmod(folder, 0o755); err != nil { // the database's own user must enter
		return "", nil, fmt.Errorf("open the folder to the database's user: %w", err)
	}
	lock, taken, err := lockFile(folder)
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

// removeLeftovers removes folders of killed runs, which would otherwise occupy memory until a reboot. A server still running on
// one exits when it misses its files.
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
		lock, taken, err := lockFile(folder)
		if err != nil || !taken {
			continue // in use, or already removed
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

// lockFile locks the file or folder for this process until the file is closed; taken is false if another process holds it.
func lockFile(path string) (lock *os.File, taken bool, err error) {
	lock, err = os.Open(path)
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
