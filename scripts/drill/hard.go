package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9"
)

func sorted(m map[string]int) []string { return slices.Sorted(maps.Keys(m)) }

func flushRedis(ctx context.Context, f *form, _ int) error {
	options, err := redis.ParseURL(f.read().Redis)
	if err != nil {
		return fmt.Errorf("read the address of Redis: %w", err)
	}
	client := redis.NewClient(options)
	defer func() { _ = client.Close() }()
	f.note("Redis is flushed")
	return client.FlushAll(ctx).Err()
}

// holderSQL finds the connection of a worker that has updated the invoice counter and not yet committed.
const holderSQL = `SELECT coalesce((SELECT l.pid FROM pg_locks l JOIN pg_stat_activity a USING (pid)
	WHERE l.relation = 'invoice_counters'::regclass AND l.mode = 'RowExclusiveLock' AND l.granted
		AND a.usename = 'franchise360_worker' AND a.state LIKE 'idle in transaction%' LIMIT 1), 0)`

// freezeCounter freezes a worker while it holds the counter that numbers every invoice. It freezes both workers and thaws the worker that
// does not hold it.
func freezeCounter(ctx context.Context, f *form, _ int) error {
	if err := f.poison(ctx, "postgres", slow(15)...); err != nil { // widens the window
		return err
	}
	defer func() { _ = f.heal(ctx) }()
	holder := func() (pid int) {
		_ = f.db.GetContext(ctx, &pid, holderSQL)
		return pid
	}
	for begun := time.Now(); time.Since(begun) < backLimit; {
		if holder() == 0 {
			continue
		}
		frozen, err := freezeHolder(f, holder)
		if err != nil {
			return err
		}
		if frozen == "" {
			continue
		}
		f.note("%s is frozen and holds the counter", frozen)
		err = f.heal(ctx)
		return errors.Join(err, pause(ctx, 20*time.Second), f.signal(frozen, syscall.SIGCONT))
	}
	return errors.New("no worker was caught with the counter")
}

func freezeHolder(f *form, holder func() int) (string, error) {
	workers := []string{"worker-1", "worker-2"}
	if err := errors.Join(f.signal(workers[0], syscall.SIGSTOP), f.signal(workers[1], syscall.SIGSTOP)); err != nil {
		return "", err
	}
	time.Sleep(60 * time.Millisecond) // anything in flight has arrived
	if holder() == 0 {
		return "", errors.Join(f.signal(workers[0], syscall.SIGCONT), f.signal(workers[1], syscall.SIGCONT))
	}
	if err := f.signal(workers[0], syscall.SIGCONT); err != nil {
		return "", err
	}
	time.Sleep(150 * time.Millisecond)
	if held := holder(); held != 0 {
		return workers[1], nil
	}
	return "", f.signal(workers[1], syscall.SIGCONT)
}

// roll replaces api and worker one by one with a build of another version, and on the next strike with the original again.
func roll(ctx context.Context, f *form, n int) error {
	bin := f.read().BinDir
	for _, program := range []string{"api", "worker"} {
		if err := f.exchangeProgram(ctx, bin, program, n%2 == 0); err != nil {
			return err
		}
		for i := range 2 {
			if err := f.endPart(ctx, replica(program, 2, i), syscall.SIGTERM); err != nil {
				return err
			}
			if err := pause(ctx, 2*time.Second); err != nil {
				return err
			}
		}
	}
	return nil
}

// exchangeProgram swaps in the other version of the program, or restores the original.
func (f *form) exchangeProgram(ctx context.Context, bin, program string, other bool) error {
	path := filepath.Join(bin, program)
	if !other {
		return os.Rename(path+".before", path)
	}
	build := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-tags=nomsgpack",
		"-ldflags=-X github.com/franchise360/franchise360/pkg/platform/version.release=v0.0.0-drill", "-o", path+".other", "./"+program)
	build.Dir = f.repository
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build another version: %w\n%s", err, out)
	}
	return errors.Join(os.Rename(path, path+".before"), os.Rename(path+".other", path))
}

// diskSize leaves the database and its WAL enough space for a drill.
const diskSize = "1500m"

// smallDisks mounts a separate disk for each part; call unmount in any case.
func smallDisks(dataDir string, parts []string) (unmount func() error, err error) {
	var mounted []func() error
	for _, part := range parts {
		end, failed := smallDisk(filepath.Join(dataDir, part))
		mounted, err = append(mounted, end), errors.Join(err, failed)
	}
	return func() error {
		var problems []error
		for _, end := range mounted {
			problems = append(problems, end())
		}
		return errors.Join(problems...)
	}, err
}

// smallDisk mounts a separate disk for Postgres, which only root may do; call unmount in any case.
func smallDisk(folder string) (unmount func() error, err error) {
	none := func() error { return nil }
	if os.Geteuid() != 0 {
		return none, errors.New("only root may mount a small one")
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return none, fmt.Errorf("make the folder: %w", err)
	}
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, "size="+diskSize+",mode=0700"); err != nil {
		return none, fmt.Errorf("mount a small one: %w", err)
	}
	unmount = func() error { return syscall.Unmount(folder, 0) }
	for _, name := range []string{"postgres", "nobody"} { // the candidates of the embedded Postgres
		account, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, uidErr := strconv.Atoi(account.Uid)
		gid, gidErr := strconv.Atoi(account.Gid)
		return unmount, errors.Join(uidErr, gidErr, os.Chown(folder, uid, gid))
	}
	return unmount, errors.New("there is no account for Postgres")
}

// fillDisk keeps the disk of a Postgres full for a time.
func fillDisk(ctx context.Context, f *form, part string, d time.Duration) (err error) {
	folder := filepath.Join(f.dataDir, part)
	var of, above syscall.Statfs_t
	if err := errors.Join(syscall.Statfs(folder, &of), syscall.Statfs(f.dataDir, &above)); err != nil {
		return fmt.Errorf("look at the disk: %w", err)
	}
	if of.Fsid == above.Fsid && of.Blocks == above.Blocks {
		return errors.New("the database has no disk of its own here")
	}
	ballast := filepath.Join(folder, "ballast")
	f.note("the disk of %s is filled", part)
	file, err := os.OpenFile(ballast, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("fill the disk: %w", err)
	}
	defer func() {
		err = errors.Join(err, file.Close(), os.Remove(ballast), f.postgresAnswers(ctx))
		f.note("there is room again")
	}()
	if err := syscall.Fallocate(int(file.Fd()), 0, 0, int64(of.Bavail)*of.Bsize); err != nil {
		f.note("not at once: %v", err)
	}
	full, chunk := false, make([]byte, 1<<20)
	for begun := time.Now(); time.Since(begun) < d; {
		if _, err := file.Write(chunk); err != nil { // space that becomes free is filled too
			full = true
			if err := pause(ctx, 20*time.Millisecond); err != nil {
				return err
			}
		}
	}
	if !full {
		return fmt.Errorf("the disk was not full within %s", d)
	}
	return nil
}
