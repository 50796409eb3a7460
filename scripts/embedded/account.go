package embedded

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// sharedDir holds, on machines where the stack runs as root, what the unprivileged Postgres must reach
// although the repository or the data lie in a home closed to others.
const sharedDir = "/var/lib/franchise360"

// account is the operating-system user that Postgres runs as; Postgres refuses to run as root.
type account struct {
	uid, gid uint32
	drops    bool // whether the process must change to this user
}

// postgresAccount is the current user, or for root the system user postgres, else nobody.
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
		return account{uid: uint32(uid), gid: uint32(gid), drops: true}, nil
	}
	return account{}, errors.New("running as root needs a system user named postgres or nobody for the database")
}

// command prepares a program that runs as the account, in a process group of its own,
// so that Ctrl-C in a terminal reaches only the stack, which then stops Postgres in order.
func (a account) command(name string, args ...string) *exec.Cmd {
	command := exec.Command(name, args...) //nolint:noctx // servers outlive the call and are stopped by Stop
	command.Dir = "/"
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if a.drops {
		command.SysProcAttr.Credential = &syscall.Credential{Uid: a.uid, Gid: a.gid}
	}
	return command
}

// reaches tells whether the account may read dir, that is, enter each of its parents and read the folder itself.
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

// enters reads the x bit that applies to the account: the owner's, the group's or the others'.
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

// place makes dir a folder that the account owns and can reach. Where a parent of dir is closed to the account,
// the folder lies in sharedDir and dir becomes a link to it, so that deleting dir still forgets the data.
func (a account) place(dir string) (string, error) {
	if resolved, err := filepath.EvalSymlinks(dir); err == nil && a.reaches(resolved) {
		return resolved, nil
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
	if err := os.MkdirAll(sharedDir, 0o755); err != nil {
		return "", fmt.Errorf("make a reachable data folder: %w", err)
	}
	outside, err := os.MkdirTemp(sharedDir, "data-")
	if err != nil {
		return "", fmt.Errorf("make a reachable data folder: %w", err)
	}
	if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("replace %s by a link: %w", dir, err)
	}
	if err := os.Symlink(outside, dir); err != nil {
		return "", fmt.Errorf("link the data folder: %w", err)
	}
	return outside, a.own(outside)
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

// TemporaryFolder makes a folder below the system's temporary one that the database's own user may pass through.
func TemporaryFolder(prefix string) (string, error) {
	folder, err := os.MkdirTemp("", prefix)
	if err != nil {
		return "", fmt.Errorf("make a temporary folder: %w", err)
	}
	if err := os.Chmod(folder, 0o755); err != nil {
		return "", fmt.Errorf("open the folder to the database's user: %w", err)
	}
	return folder, nil
}
