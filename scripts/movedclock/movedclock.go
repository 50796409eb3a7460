// Package movedclock gives a drill's processes a separate clock, which can be moved while they run. Go programs are built with a standard
// library whose time.Now adds an offset, and C programs start with a library that does the same; the product contains none of it. Only the
// wall clock moves: timers and measured durations do not, as on a machine whose clock is set.
package movedclock

import (
	"context"
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Variable names the file of the offset in a process's environment. Only programs built with Overlay, or started with the
// library of Preload, read it.
const Variable = "MOVED_CLOCK"

// offsetSize is the file's size: an offset in nanoseconds, in the machine's byte order.
const offsetSize = 8

//go:embed moved.go.txt
var movedGo string

//go:embed moved.c.txt
var movedC string

// now is the line of time.Now that reads the machine's clock, and its replacement.
const (
	now   = "\nfunc Now() Time {\n\tsec, nsec, mono := runtimeNow()\n"
	moved = "\nfunc Now() Time {\n\tsec, nsec, mono := movedNow()\n"
)

// Overlay writes into the folder what `go build -overlay` needs, and returns its file.
func Overlay(ctx context.Context, folder string) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("find Go's library: %w", err)
	}
	library := filepath.Join(strings.TrimSpace(string(out)), "src", "time")
	text, err := os.ReadFile(filepath.Join(library, "time.go"))
	if err != nil {
		return "", fmt.Errorf("read Go's clock: %w", err)
	}
	if strings.Count(string(text), now) != 1 {
		return "", errors.New("this version of Go reads the clock in another way")
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", fmt.Errorf("make the folder of the clock: %w", err)
	}
	replace := map[string]string{}
	for name, text := range map[string]string{"time.go": strings.Replace(string(text), now, moved, 1), "moved.go": movedGo} {
		path := filepath.Join(folder, name)
		if err := writeChanged(path, []byte(text)); err != nil {
			return "", err
		}
		replace[filepath.Join(library, name)] = path
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", fmt.Errorf("list the files of the clock: %w", err)
	}
	overlay := filepath.Join(folder, "overlay.json")
	return overlay, writeChanged(overlay, list)
}

// writeChanged writes a file that the database's user, too, may read.
func writeChanged(path string, text []byte) error {
	if before, err := os.ReadFile(path); err == nil && string(before) == string(text) {
		return nil
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		return fmt.Errorf("write the clock: %w", err)
	}
	return nil
}

// ErrNoCompiler means that this machine has no C compiler.
var ErrNoCompiler = errors.New("moving the clock of a C program takes a C compiler (cc)")

// Preload compiles into the folder the library for LD_PRELOAD, and returns its file.
func Preload(ctx context.Context, folder string) (string, error) {
	compiler, err := exec.LookPath("cc")
	if err != nil {
		return "", ErrNoCompiler
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", fmt.Errorf("make the folder of the clock: %w", err)
	}
	source, library := filepath.Join(folder, "moved.c"), filepath.Join(folder, "moved.so")
	if err := writeChanged(source, []byte(movedC)); err != nil {
		return "", err
	}
	if out, err := exec.CommandContext(ctx, compiler, "-shared", "-fPIC", "-O2", "-o", library, source, "-ldl").CombinedOutput(); err != nil {
		return "", fmt.Errorf("compile the clock: %w\n%s", err, out)
	}
	return library, nil
}

// Set moves the clock of the processes that read the file by an offset from the machine's; it creates a missing file.
func Set(file string, offset time.Duration) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fmt.Errorf("make the folder of the clock: %w", err)
	}
	// The processes have mapped the file, so it is neither cut nor replaced; eight bytes in one page are written at once.
	f, err := os.OpenFile(file, os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("move the clock: %w", err)
	}
	text := make([]byte, offsetSize)
	binary.NativeEndian.PutUint64(text, uint64(offset))
	_, err = f.WriteAt(text, 0)
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("move the clock: %w", err)
	}
	return nil
}

// Offset returns how far the file's clock is ahead of the machine's.
func Offset(file string) (time.Duration, error) {
	text, err := os.ReadFile(file)
	if err != nil || len(text) != offsetSize {
		return 0, fmt.Errorf("read the clock's offset (%d bytes): %w", len(text), err)
	}
	return time.Duration(binary.NativeEndian.Uint64(text)), nil
}
