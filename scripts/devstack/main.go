// Command devstack runs the whole product on one machine: Postgres, Redis, S3, the SMS inbox and the payment gateway alongside
// the same api and worker binaries that production runs. On exit it stops everything it started.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/franchise360/franchise360/scripts/embedded"
	"github.com/franchise360/franchise360/scripts/stack"
)

func main() {
	if err := run(context.Background(), os.Stdout); err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, "devstack:", err)
		os.Exit(1)
	}
}

// options are the command-line options; PORT and DATA_DIR supply the defaults.
type options struct {
	repository string
	dataDir    string
	port       int    // of the site; 0 chooses a free one
	jsonFile   string // receives the addresses once everything is ready
	throwaway  bool   // data in a temporary folder that is removed at the end
}

// run starts the stack and keeps it running until SIGINT, SIGTERM, the parent process dies, or a part fails for good.
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
	screen := stack.NewConsole(out)
	ctx, stop := stack.EndSignals(ctx, screen)
	defer stop()
	unlock, err := stack.LockDataDir(ctx, opts.dataDir, screen)
	if err != nil {
		return err
	}
	defer unlock()

	s, err := newDevStack(opts, screen)
	if err != nil {
		return err
	}
	defer s.Stop()
	return stack.UntilEnd(ctx, s.start, s.announce, s.Failed())
}

func parseOptions() (options, error) {
	var opts options
	port, dataDir, err := stack.Defaults(8080)
	if err != nil {
		return opts, err
	}
	flag.IntVar(&opts.port, "port", port, "port of the site on 127.0.0.1; 0 chooses a free one (environment: PORT)")
	flag.StringVar(&opts.dataDir, "data", dataDir, "folder that keeps databases, objects and secrets (environment: DATA_DIR)")
	flag.StringVar(&opts.jsonFile, "json", "", "file that receives the addresses as JSON once everything answers")
	flag.BoolVar(&opts.throwaway, "throwaway", false, "use a temporary data folder, a database without durability and a free port")
	flag.Parse()
	if opts.throwaway {
		opts.port = 0
	}
	if opts.repository, err = stack.FindRepository(); err != nil {
		return opts, err
	}
	if opts.dataDir, err = filepath.Abs(opts.dataDir); err != nil {
		return opts, fmt.Errorf("find the data folder: %w", err)
	}
	return opts, nil
}
