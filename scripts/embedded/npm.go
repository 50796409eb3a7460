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
	"strings"
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
	return Exclusively(filepath.Join(dir, "package.json"), func() error { return install(ctx, dir, false) })
}

// OwnNodeModules is NodeModules without the packages that only the workspaces of dir need.
func OwnNodeModules(ctx context.Context, dir string) error {
	return Exclusively(filepath.Join(dir, "package.json"), func() error { return install(ctx, dir, true) })
}

func install(ctx context.Context, dir string, own bool) error {
	wanted, err := readLock(filepath.Join(dir, "package-lock.json"))
	if err != nil {
		return fmt.Errorf("read the lock of the npm packages: %w", err)
	}
	arguments := []string{"ci", "--no-audit", "--no-fund", "--loglevel=error"}
	if own {
		wanted, arguments = ownPackages(wanted), append(arguments, "--workspaces=false")
	}
	installed, err := readLock(filepath.Join(dir, "node_modules", ".package-lock.json"))
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return fmt.Errorf("read the installed npm packages: %w", err)
	case covers(installed, wanted):
		return nil
	}
	command := exec.CommandContext(ctx, "npm", arguments...)
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

// npmPackage is a lock file entry: an installed package's identity, and the names of its dependencies.
type npmPackage struct {
	Version          string            `json:"version"`
	Integrity        string            `json:"integrity"`
	Optional         bool              `json:"optional"`
	DevOptional      bool              `json:"devOptional"`
	Link             bool              `json:"link"` // a workspace
	Dependencies     map[string]string `json:"dependencies"`
	DevDependencies  map[string]string `json:"devDependencies"` // those of the lock's own folder and of workspaces only
	PeerDependencies map[string]string `json:"peerDependencies"`
	PeersMeta        map[string]struct {
		Optional bool `json:"optional"`
	} `json:"peerDependenciesMeta"`
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

// ownPackages returns the packages of a lock file that its own folder needs, without those of workspaces. Optional ones are left
// out: nothing fails without them.
func ownPackages(lock map[string]npmPackage) map[string]npmPackage {
	own := map[string]npmPackage{}
	var add func(path string)
	add = func(path string) {
		p := lock[path]
		if _, seen := own[path]; seen || p.Link {
			return
		}
		own[path] = p
		for _, names := range []map[string]string{p.Dependencies, p.DevDependencies, p.PeerDependencies} {
			for name := range names {
				if found, ok := resolve(lock, path, name); ok && !p.PeersMeta[name].Optional {
					add(found)
				}
			}
		}
	}
	add("")
	return own
}

// resolve finds a package as Node does from the package at path: in its own folder, then in those above.
func resolve(lock map[string]npmPackage, path, name string) (string, bool) {
	for {
		found := strings.TrimPrefix(path+"/node_modules/"+name, "/")
		if _, ok := lock[found]; ok || path == "" {
			return found, ok
		}
		path = path[:max(strings.LastIndex(path, "/node_modules/"), 0)]
	}
}

// covers reports whether npm's record of installed packages matches the lock file. Optional packages may be missing: they are
// for other platforms.
func covers(installed, wanted map[string]npmPackage) bool {
	for path, want := range wanted {
		have, ok := installed[path]
		switch {
		case !strings.Contains(path, "node_modules/"), want.Link: // the folder itself and its workspaces
		case !ok && !want.Optional && !want.DevOptional:
			return false
		case ok && (have.Version != want.Version || have.Integrity != want.Integrity):
			return false
		}
	}
	return true
}
