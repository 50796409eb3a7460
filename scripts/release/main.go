// Command release builds the files of a release: `go run ./scripts/release v1.2.0 OUT`. It refuses a version without a
// CHANGELOG.md section and a dirty working tree, builds every program of the images for Linux and the web client, and packs
// them with the files needed to run them, their licences and a list of all parts. The same commit produces the same bytes.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/franchise360/franchise360/scripts/stack"
)

func main() {
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	if err := run(context.Background(), logger); err != nil {
		logger.Error("release", slog.String("error", err.Error()))
		os.Exit(1)
	}
}

func run(ctx context.Context, logger *slog.Logger) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	arch := flag.String("arch", "amd64", "processor for which the programs are built: amd64 or arm64")
	flag.Parse()
	if flag.NArg() != 2 {
		return errors.New("want a version, such as v1.2.0, and a folder that does not exist yet")
	}
	repository, err := stack.FindRepository()
	if err != nil {
		return err
	}
	r := release{version: flag.Arg(0), arch: *arch, repository: repository, logger: logger}
	if r.out, err = filepath.Abs(flag.Arg(1)); err != nil {
		return fmt.Errorf("find the folder: %w", err)
	}
	changes, err := os.ReadFile(filepath.Join(repository, "CHANGELOG.md"))
	if err != nil {
		return fmt.Errorf("read the changes: %w", err)
	}
	if err := described(r.version, string(changes)); err != nil {
		return err
	}
	r.notes = notes(r.version, string(changes))
	if r.at, err = commit(ctx, repository); err != nil {
		return err
	}
	tagged, err := tag(ctx, repository, r.version)
	if err != nil {
		return err
	}
	if !tagged {
		logger.Warn("this commit has no tag yet", slog.String("make it with", "git tag -a "+r.version+" -m 'Franchise 360 "+strings.TrimPrefix(r.version, "v")+"'"))
	}
	return r.make(ctx)
}

// commit returns the time of HEAD; it fails if the working tree differs from HEAD.
func commit(ctx context.Context, repository string) (time.Time, error) {
	changed, err := output(ctx, repository, "git", "status", "--porcelain")
	if err != nil {
		return time.Time{}, err
	}
	if changed != "" {
		return time.Time{}, errors.New("the working tree has changes that no commit has:\n" + changed)
	}
	text, err := output(ctx, repository, "git", "log", "-1", "--format=%ct")
	if err != nil {
		return time.Time{}, err
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("read when the commit was made: %w", err)
	}
	return time.Unix(seconds, 0).UTC(), nil
}

// tag reports whether HEAD has the version's tag, and fails if another commit has it: its files would be another release's.
func tag(ctx context.Context, repository, version string) (bool, error) {
	known, err := output(ctx, repository, "git", "tag", "--list", version)
	if err != nil || known == "" {
		return false, err
	}
	at, err := output(ctx, repository, "git", "rev-list", "-n", "1", version)
	if err != nil {
		return false, err
	}
	head, err := output(ctx, repository, "git", "rev-parse", "HEAD")
	if err != nil {
		return false, err
	}
	if at != head {
		return false, fmt.Errorf("%s is the tag of %.12s, not of this commit, %.12s", version, at, head)
	}
	return true, nil
}

func output(ctx context.Context, folder, name string, arguments ...string) (string, error) {
	command := exec.CommandContext(ctx, name, arguments...)
	command.Dir, command.Stderr = folder, os.Stderr
	out, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", name, arguments[0], err)
	}
	return strings.TrimSpace(string(out)), nil
}
