// Command worker is the job process: it works the queues and runs the schedules, and serves no requests but its own health.
package main

import (
	"context"
	"fmt"
	"log/slog"

	"golang.org/x/sync/errgroup"

	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/httpserver"
	"github.com/franchise360/franchise360/pkg/platform/process"
)

func main() { process.Main("worker", run) }

// run works until the context ends, then lets the running jobs finish within httpserver.Grace.
func run(ctx context.Context, logger *slog.Logger, getenv func(string) string) error {
	cfg, err := config.Load(getenv, app.Gateways().Kinds()...)
	if err != nil {
		return fmt.Errorf("configuration: %w", err)
	}
	reached, err := app.AwaitDatabase(ctx, cfg, logger)
	if err != nil {
		return err
	}
	d, err := connect(ctx, cfg, logger)
	reached()
	if err != nil {
		return err
	}
	defer d.close()
	if err := d.Trace(ctx, "worker", cfg.Traces, logger); err != nil {
		return err
	}
	defer d.Traces.Close(ctx)
	client, err := wire(ctx, cfg, d, logger)
	if err != nil {
		return err
	}
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		return httpserver.Serve(ctx, cfg.MetricsAddr, process.Private(d.Metrics, logger), logger)
	})
	g.Go(func() error { return work(ctx, client, d.presence, logger) })
	g.Go(func() error {
		app.WatchQueues(ctx, d.Connections, logger)
		return nil
	})
	g.Go(func() error {
		d.Follow(ctx, logger)
		return nil
	})
	g.Go(func() error {
		newPulse(d, logger).run(ctx)
		return nil
	})
	return g.Wait()
}
