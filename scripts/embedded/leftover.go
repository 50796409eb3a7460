package embedded

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

const (
	// sharedPrefix begins the names of data folders in sharedDir, temporaryPrefix those of temporary ones.
	sharedPrefix    = "data-"
	temporaryPrefix = "franchise360-"
	// linkNote is the file in a shared data folder that names the link to it, ownerLock the one in a temporary folder that is locked
	// for as long as its process lives.
	linkNote  = ".link"
	ownerLock = ".owner"
	// orphanAge is how long a folder must have been untouched before it is removed as a leftover.
	orphanAge = time.Hour
)

// note records in a shared data folder which link leads to it; data elsewhere is deleted with its own folder.
func (a account) note(data, link string) error {
	if !a.drops || filepath.Dir(data) != a.shared || data == link {
		return nil
	}
	if err := os.WriteFile(filepath.Join(data, linkNote), []byte(link+"\n"), 0o600); err != nil {
		return fmt.Errorf("note the link to %s: %w", data, err)
	}
	return nil
}

// removeOrphans removes shared data folders whose link is gone, because a checkout or a run's folder was deleted: each holds hundreds of
// megabytes. A folder without a note may belong to another program and stays. The next run removes folders that cannot be removed now.
func removeOrphans(ctx context.Context, shared string, touchedBefore time.Time) {
	folders, err := filepath.Glob(filepath.Join(shared, sharedPrefix+"*"))
	if err != nil {
		return
	}
	for _, data := range folders {
		text, err := os.ReadFile(filepath.Join(data, linkNote))
		if err != nil || leadsTo(strings.TrimSpace(string(text)), data) || touched(data).After(touchedBefore) {
			continue
		}
		if _, alive := serverOf(ctx, data); !alive {
			_ = os.RemoveAll(data)
		}
	}
}

// leadsTo reports whether the link still leads to the folder; it returns true if that is unknown.
func leadsTo(link, data string) bool {
	target, err := os.Readlink(link)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.EINVAL) // EINVAL: the path is not a link
	}
	return target == data
}

// touched returns when the data folder was last used, as far as its files tell.
func touched(data string) time.Time {
	var last time.Time
	for _, file := range []string{".", linkNote, "cluster", "cluster/postmaster.pid", "cluster/global/pg_control"} {
		if info, err := os.Stat(filepath.Join(data, file)); err == nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
	}
	return last
}

// TemporaryFolder creates a temporary folder that the database's own user can enter, and removes those of runs that were killed.
func TemporaryFolder(prefix string) (string, error) {
	removeAbandoned(os.TempDir(), time.Now().Add(-orphanAge))
	folder, err := os.MkdirTemp("", prefix)
	if err != nil {
		return "", fmt.Errorf("make a temporary folder: %w", err)
	}
	if err := os.Chmod(folder, 0o755); err != nil {
		return "", fmt.Errorf("open the folder to the database's user: %w", err)
	}
	return folder, hold(folder)
}

// hold locks the folder until this process ends, however it ends. The descriptor is not closed on purpose, and not inherited.
func hold(folder string) error {
	descriptor, err := syscall.Open(filepath.Join(folder, ownerLock), syscall.O_CREAT|syscall.O_RDWR|syscall.O_CLOEXEC, 0o600)
	if err == nil {
		err = syscall.Flock(descriptor, syscall.LOCK_EX|syscall.LOCK_NB)
	}
	if err != nil {
		return fmt.Errorf("lock the temporary folder: %w", err)
	}
	return nil
}

// removeAbandoned removes our temporary folders whose process is gone. A folder without a lock is not of this function's kind and
// stays, as does what cannot be removed.
func removeAbandoned(dir string, madeBefore time.Time) {
	folders, err := filepath.Glob(filepath.Join(dir, temporaryPrefix+"*"))
	if err != nil {
		return
	}
	for _, folder := range folders {
		info, err := os.Lstat(folder)
		if err != nil || !info.IsDir() || info.ModTime().After(madeBefore) || !isOurs(info) {
			continue
		}
		lock, taken, err := lockFile(filepath.Join(folder, ownerLock))
		if err != nil || !taken {
			continue // without a lock, in use, or already removed
		}
		_ = os.RemoveAll(folder)
		_ = lock.Close()
	}
}
