// Command api is the HTTP process: the product's API, the payment provider's callbacks, and the web client.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"

	"golang.org/x/sync/errgroup"

	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/httpserver"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/process"
)

func main() {
	process.Main("api", run)
}

// run serves until the context ends.
func run(ctx context.Context, logger *slog.Logger, getenv func(string) string) error {
	cfg, err := config.Load(getenv, app.Gateways().Kinds()...)
	if err != nil {
		return fmt.Errorf("configuration: %w", err)
	}
	reached, err := app.AwaitDatabase(ctx, cfg, logger)
	if err != nil {
		return err
	}
	d, err := process.Connect(ctx, cfg, postgres.Serving, logger)
	reached()
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.HashApart(); err != nil {
		return err
	}
	if err := d.OpenReplica(cfg, logger); err != nil {
		return err
	}
	if err := invoice.RequireNumbers(ctx, d.DB); err != nil {
		return err
	}
	if err := d.Trace(ctx, "api", cfg.Traces, logger); err != nil {
		return err
	}
	defer d.Traces.Close(ctx)
	engine, ask, watch, err := wire(ctx, cfg, d, logger)
	if err != nil {
		return err
	}
	private := http.NewServeMux()
	private.Handle("/", process.Private(d.Metrics, logger))
	private.Handle("GET /tls/ask", ask)

	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return httpserver.ServeDraining(ctx, cfg.HTTPAddr, engine, cfg.DrainDelay, logger) })
	g.Go(func() error { return httpserver.ServeDraining(ctx, cfg.MetricsAddr, private, cfg.DrainDelay, logger) })
	g.Go(func() error {
		app.WatchQueues(ctx, d, logger)
		return nil
	})
	g.Go(func() error {
		d.WatchReplica(ctx)
		return nil
	})
	g.Go(func() error {
		d.Follow(ctx, logger)
		return nil
	})
	g.Go(func() error {
		watch(ctx)
		return nil
	})
	return g.Wait()
}
