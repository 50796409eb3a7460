package embedded

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// Install brings scripts/node_modules, which holds the Postgres binaries, up to date with its lock file.
func Install(ctx context.Context, repository string) error {
	return NodeModules(ctx, filepath.Join(repository, "scripts"))
}

// Exclusively does the work while holding a lock on the existing file at path: stacks started at once from one checkout would
// otherwise disturb each other's installs and builds.
func Exclusively(path string, work func() error) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("lock: %w", err)
	}
	defer file.Close() // unlocks
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX); err != nil {
		return fmt.Errorf("lock %s: %w", path, err)
	}
	return work()
}

// NodeModules runs `npm ci` in dir unless every package of package-lock.json is already installed.
func NodeModules(ctx context.Context, dir string) error {
	return Exclusively(filepath.Join(dir, "package.json"), func() error { return install(ctx, dir) })
}

func install(ctx context.Context, dir string) error {
	wanted, err := readLock(filepath.Join(dir, "package-lock.json"))
	if err != nil {
		return fmt.Errorf("read the lock of the npm packages: %w", err)
	}
	installed, err := readLock(filepath.Join(dir, "node_modules", ".package-lock.json"))
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return fmt.Errorf("read the installed npm packages: %w", err)
	case covers(installed, wanted):
		return nil
	}
	command := exec.CommandContext(ctx, "npm", "ci", "--no-audit", "--no-fund", "--loglevel=error")
	command.Dir = dir
	output, err := command.CombinedOutput()
	if errors.Is(err, exec.ErrNotFound) {
		return errors.New("npm is not installed: Node 20 and npm are needed")
	}
	if err != nil {
		return fmt.Errorf("npm ci in %s: %w\n%s", dir, err, output)
	}
	return nil
}

// npmPackage is a lock file entry, with the fields that identify an installed package.
type npmPackage struct {
	Version     string `json:"version"`
	Integrity   string `json:"integrity"`
	Optional    bool   `json:"optional"`
	DevOptional bool   `json:"devOptional"`
}

func readLock(path string) (map[string]npmPackage, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]npmPackage `json:"packages"`
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		return nil, err
	}
	return lock.Packages, nil
}

// covers reports whether npm's record of installed packages matches the lock file. Optional packages may be missing: they are
// for other platforms.
func covers(installed, wanted map[string]npmPackage) bool {
	for path, want := range wanted {
		have, ok := installed[path]
		switch {
		case path == "":
		case !ok && !want.Optional && !want.DevOptional:
			return false
		case ok && (have.Version != want.Version || have.Integrity != want.Integrity):
			return false
		}
	}
	return true
}
