package stack

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

// FindRepository returns the closest folder, at or above the current one, that contains go.mod.
func FindRepository() (string, error) {
	at, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find the repository: %w", err)
	}
	for {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return "", errors.New("run this inside the repository")
		}
		at = filepath.Dir(at)
	}
}

// EndSignals returns a context that ends on the first SIGINT, SIGTERM or SIGHUP, or when the parent process dies: a killed `go
// run` would otherwise leave the stack behind. A second signal kills the whole stack at once.
func EndSignals(ctx context.Context, screen *Console) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	// Otherwise writing to a closed terminal would kill this process and orphan everything it started.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	parent := os.Getppid()
	go func() {
		ticker := time.NewTicker(time.Second)
		defer ticker.Stop()
		defer cancel()
		for {
			select {
			case <-ctx.Done():
				return
			case <-signals:
				screen.Say("Stopping. Press Ctrl-C again to kill.")
				return
			case <-ticker.C:
				if os.Getppid() != parent {
					screen.Say("The process that started this one is gone. Stopping.")
					return
				}
			}
		}
	}()
	return ctx, func() {
		cancel()
		signal.Stop(signals)
	}
}

// LockDataDir ensures that only one stack at a time uses the folder; it gives an earlier one time to shut down.
func LockDataDir(ctx context.Context, dataDir string, screen *Console) (func(), error) {
	if err := os.MkdirAll(dataDir, 0o755); err != nil {
		return nil, fmt.Errorf("make the data folder: %w", err)
	}
	file, err := os.OpenFile(filepath.Join(dataDir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock the data folder: %w", err)
	}
	const tries = 60
	for try := range tries {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return func() { _ = file.Close() }, nil
		}
		if try == 2 {
			screen.Say("Another stack uses " + dataDir + "; waiting for it to end.")
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(500 * time.Millisecond):
		}
	}
	return nil, fmt.Errorf("another stack runs on %s: end it, or choose another DATA_DIR", dataDir)
}

// killSwitch returns a channel that another Ctrl-C closes while the stack is ending.
func killSwitch() (<-chan struct{}, func()) {
	kill, signals := make(chan struct{}), make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		if _, ok := <-signals; ok {
			close(kill)
		}
	}()
	return kill, func() {
		signal.Stop(signals)
		close(signals)
	}
}
