// Command logkeeper keeps the logs of api, worker and proxy for 180 days: `run` compresses, seals and deletes their daily files,
// `verify` finds files that were changed or removed, `health` checks a running one, and `clock` compares this machine's clock
// with time servers.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/version"
)

const (
	// keepEvery is how often files are looked for that can be sealed.
	keepEvery = 10 * time.Minute
	// healthyFor is how old the last look may be.
	healthyFor = 30 * time.Minute
)

func main() {
	if version.Told(os.Args[1:], os.Stdout) {
		return
	}
	logger := log.New(os.Stdout, "logkeeper", slog.LevelInfo)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Getenv("LOG_ROOT"), os.Stdout, logger); err != nil {
		logger.ErrorContext(ctx, "stopped", log.Error(err))
		stop()
		os.Exit(1) //nolint:gocritic // stop was called
	}
}

func run(ctx context.Context, arguments []string, root string, out io.Writer, logger *slog.Logger) error {
	if len(arguments) > 1 && arguments[0] == "clock" {
		return compareClocks(ctx, out, arguments[1:])
	}
	if len(arguments) == 0 || len(arguments) > 1 && arguments[0] != "verify" {
		return errors.New("want run, health, verify and known seals, or clock and time servers")
	}
	if !filepath.IsAbs(root) {
		return errors.New("LOG_ROOT must be the absolute path of the folder of logs")
	}
	k := &keeper{root: root, now: time.Now}
	switch arguments[0] {
	case "run":
		return k.run(ctx, logger)
	case "verify":
		head, err := k.verify(arguments[1:]...)
		if err == nil {
			_, err = fmt.Fprintf(out, "%d sealed files; the last seal is %s\n", head.Number, head.Hash)
		}
		return err
	case "health":
		info, err := os.Stat(k.seals())
		if err == nil && time.Since(info.ModTime()) > healthyFor {
			err = errors.New("the last look is too old")
		}
		return err
	default:
		return fmt.Errorf("unknown command %s", arguments[0])
	}
}

// run keeps the logs until the context ends.
func (k *keeper) run(ctx context.Context, logger *slog.Logger) error {
	ticker := time.NewTicker(keepEvery)
	defer ticker.Stop()
	for {
		switch sealed, err := k.keep(); {
		case err != nil:
			logger.ErrorContext(ctx, "keep logs", log.Error(err))
		case len(sealed) > 0:
			// Whoever keeps this line elsewhere can show that no earlier seal was rewritten.
			last := sealed[len(sealed)-1]
			logger.InfoContext(ctx, "logs are sealed", slog.Int("files", len(sealed)), slog.Int("number", last.Number), slog.String("seal", last.Hash))
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}
