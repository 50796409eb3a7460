// Command worker is the job process: it works the queues and keeps the schedules, and answers nobody.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sync/errgroup"

	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/process"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	logger := log.New(os.Stdout, "worker", slog.LevelInfo)
	if err := run(ctx, logger, os.Getenv); err != nil {
		logger.ErrorContext(ctx, "stopped", log.Error(err))
		os.Exit(1) //nolint:gocritic // nothing is left to clean up
	}
}

// run works until the context ends, then lets the running jobs finish within process.Grace.
func run(ctx context.Context, logger *slog.Logger, getenv func(string) string) error {
	cfg, err := config.Load(getenv)
	if err != nil {
		return fmt.Errorf("configuration: %w", err)
	}
	d, err := connect(ctx, cfg, logger)
	if err != nil {
		return err
	}
	defer d.close()
	client, err := wire(ctx, cfg, d, logger)
	if err != nil {
		return err
	}
	metrics, private := process.Metrics(logger)

	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return process.Serve(ctx, cfg.MetricsAddr, private, logger) })
	g.Go(func() error { return work(ctx, client, d.presence, logger) })
	g.Go(func() error {
		d.follow(ctx, logger)
		return nil
	})
	g.Go(func() error {
		newPulse(d.db, d.presence.Worker(), metrics, logger).run(ctx)
		return nil
	})
	return g.Wait()
}
