// Command devstack runs the whole product on one machine: Postgres, Redis, S3, the SMS inbox and the payment gateway
// beside the same api and worker binaries that production runs. It ends everything it started when it ends.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/franchise360/franchise360/scripts/embedded"
)

func main() {
	if err := run(context.Background(), os.Stdout); err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, "devstack:", err)
		os.Exit(1)
	}
}

// options are what a run may choose; the defaults come from PORT and DATA_DIR.
type options struct {
	repository string
	dataDir    string
	port       int    // of the site; 0 chooses a free one
	jsonFile   string // receives the addresses once everything answers
	throwaway  bool   // data in a temporary folder that is removed at the end
}

// run starts the stack and keeps it until SIGINT, SIGTERM, the death of the parent process, or of a part for good.
func run(ctx context.Context, out *os.File) (err error) {
	opts, err := parseOptions()
	if err != nil {
		return err
	}
	if opts.throwaway {
		if opts.dataDir, err = embedded.TemporaryFolder("franchise360-stack-"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(opts.dataDir)) }()
	}
	screen := newConsole(out)
	ctx, stop := endSignals(ctx, screen)
	defer stop()
	unlock, err := lockDataDir(ctx, opts.dataDir, screen)
	if err != nil {
		return err
	}
	defer unlock()

	s, err := newStack(opts, screen)
	if err != nil {
		return err
	}
	defer s.stop()
	begun := time.Now()
	if err := s.start(ctx); err != nil {
		if ctx.Err() != nil {
			return nil // what was interrupted failed, too
		}
		return err
	}
	if err := s.announce(time.Since(begun)); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return nil
	case err := <-s.failed:
		return err
	}
}

func parseOptions() (options, error) {
	var opts options
	port := 8080
	if text := os.Getenv("PORT"); text != "" {
		var err error
		if port, err = strconv.Atoi(text); err != nil {
			return opts, fmt.Errorf("read PORT: %w", err)
		}
	}
	dataDir := os.Getenv("DATA_DIR")
	if dataDir == "" {
		dataDir = ".data"
	}
	flag.IntVar(&opts.port, "port", port, "port of the site on 127.0.0.1; 0 chooses a free one (environment: PORT)")
	flag.StringVar(&opts.dataDir, "data", dataDir, "folder that keeps databases, objects and secrets (environment: DATA_DIR)")
	flag.StringVar(&opts.jsonFile, "json", "", "file that receives the addresses as JSON once everything answers")
	flag.BoolVar(&opts.throwaway, "throwaway", false, "use a temporary data folder, a database without durability and a free port")
	flag.Parse()
	if opts.throwaway {
		opts.port = 0
	}
	var err error
	if opts.repository, err = findRepository(); err != nil {
		return opts, err
	}
	if opts.dataDir, err = filepath.Abs(opts.dataDir); err != nil {
		return opts, fmt.Errorf("find the data folder: %w", err)
	}
	return opts, nil
}

// findRepository is the folder at or above the current one that holds go.mod.
func findRepository() (string, error) {
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

// endSignals returns a context that ends on the first SIGINT, SIGTERM or SIGHUP, or when the parent process dies:
// `go run`, killed, would otherwise leave the stack behind. A second signal kills the whole stack at once.
func endSignals(ctx context.Context, screen *console) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
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
				screen.say("Stopping. Press Ctrl-C again to kill.")
				return
			case <-ticker.C:
				if os.Getppid() != parent {
					screen.say("The process that started this one is gone. Stopping.")
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

// lockDataDir makes sure that one stack at a time uses the folder; an earlier one gets a while to finish ending.
func lockDataDir(ctx context.Context, dataDir string, screen *console) (func(), error) {
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
			screen.say("Another stack uses " + dataDir + "; waiting for it to end.")
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(500 * time.Millisecond):
		}
	}
	return nil, fmt.Errorf("another stack runs on %s: end it, or choose another DATA_DIR", dataDir)
}
