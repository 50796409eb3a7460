package embedded

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// sharedDir holds, if the stack runs as root, what the unprivileged Postgres must reach even though the repository or the data
// lie in a home directory closed to others.
const sharedDir = "/var/lib/franchise360"

// account is the operating-system user that runs Postgres, which refuses to run as root.
type account struct {
	uid, gid uint32
	drops    bool   // whether the process must change to this user
	shared   string // where data lies that the user could not reach otherwise: sharedDir, but in tests
}

// postgresAccount returns the current user; for root, the system user postgres, or else the user nobody.
func postgresAccount() (account, error) {
	if os.Geteuid() != 0 {
		return account{uid: uint32(os.Geteuid()), gid: uint32(os.Getegid())}, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		found, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, uidErr := strconv.ParseUint(found.Uid, 10, 32)
		gid, gidErr := strconv.ParseUint(found.Gid, 10, 32)
		if err := errors.Join(uidErr, gidErr); err != nil {
			return account{}, fmt.Errorf("read the ids of the user %s: %w", name, err)
		}
		return account{uid: uint32(uid), gid: uint32(gid), drops: true, shared: sharedDir}, nil
	}
	return account{}, errors.New("running as root needs a system user named postgres or nobody for the database")
}

// Account is the operating-system user of servers that refuse to run as root.
type Account struct{ run account }

// ServerAccount returns the account under which StartPostgres runs Postgres.
func ServerAccount() (Account, error) {
	run, err := postgresAccount()
	return Account{run}, err
}

// Credential returns what a process needs to run as the account; nil if it is the current user.
func (a Account) Credential() *syscall.Credential {
	if !a.run.drops {
		return nil
	}
	return &syscall.Credential{Uid: a.run.uid, Gid: a.run.gid}
}

// Place creates a folder that the account owns and can reach, and returns its path.
func (a Account) Place(ctx context.Context, dir string) (string, error) { return a.run.place(ctx, dir) }

// Write writes a file that only the account can read.
func (a Account) Write(path string, text []byte) error {
	if err := errors.Join(os.WriteFile(path, text, 0o600), a.run.own(path)); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// command prepares a program that runs as the account in its own process group, so that Ctrl-C in a terminal reaches only the
// stack, which then stops Postgres gracefully.
func (a account) command(name string, args ...string) *exec.Cmd {
	command := exec.Command(name, args...) //nolint:noctx // servers outlive the call and are stopped by Stop
	command.Dir = "/"
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if a.drops {
		command.SysProcAttr.Credential = &syscall.Credential{Uid: a.uid, Gid: a.gid}
	}
	return command
}

// reaches reports whether the account can enter all of dir's parents and read dir itself.
func (a account) reaches(dir string) bool {
	if !a.drops {
		return true
	}
	resolved, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return false
	}
	for at := resolved; ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if err != nil || !a.enters(info) {
			return false
		}
		if at == filepath.Dir(at) {
			return true
		}
	}
}

// enters checks the x bit that applies to the account: owner, group or others.
func (a account) enters(info fs.FileInfo) bool {
	owner, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return false
	}
	switch {
	case owner.Uid == a.uid:
		return info.Mode()&0o100 != 0
	case owner.Gid == a.gid:
		return info.Mode()&0o010 != 0
	default:
		return info.Mode()&0o001 != 0
	}
}

// place creates dir as a folder that the account owns and can reach. If one of its parents is closed to the account, the folder
// is created in a.shared and dir becomes a link to it, so that deleting dir still discards the data: the next call removes it.
func (a account) place(ctx context.Context, dir string) (string, error) {
	if a.drops {
		removeOrphans(ctx, a.shared, time.Now().Add(-orphanAge))
	}
	if resolved, err := filepath.EvalSymlinks(dir); err == nil && a.reaches(resolved) {
		return resolved, a.note(resolved, dir)
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", fmt.Errorf("make the data folder: %w", err)
	}
	if a.reaches(filepath.Dir(dir)) {
		if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return "", fmt.Errorf("make the data folder: %w", err)
		}
		return dir, a.own(dir)
	}
	if err := os.MkdirAll(a.shared, 0o755); err != nil {
		return "", fmt.Errorf("make a reachable data folder: %w", err)
	}
	outside, err := os.MkdirTemp(a.shared, sharedPrefix)
	if err != nil {
		return "", fmt.Errorf("make a reachable data folder: %w", err)
	}
	if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("replace %s by a link: %w", dir, err)
	}
	if err := os.Symlink(outside, dir); err != nil {
		return "", fmt.Errorf("link the data folder: %w", err)
	}
	return outside, errors.Join(a.note(outside, dir), a.own(outside))
}

func (a account) own(dir string) error {
	if !a.drops {
		return nil
	}
	if err := os.Chown(dir, int(a.uid), int(a.gid)); err != nil {
		return fmt.Errorf("give the data folder to the database's user: %w", err)
	}
	return nil
}
