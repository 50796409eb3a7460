// Command npminstall brings the npm packages of the given folders up to date with their lock files, if they are not already.
package main

import (
	"context"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/franchise360/franchise360/scripts/embedded"
)

func main() {
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	if err := run(context.Background()); err != nil {
		logger.Error("npm packages", slog.String("error", err.Error()))
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	for _, dir := range os.Args[1:] {
		if err := embedded.NodeModules(ctx, dir); err != nil {
			return err
		}
	}
	return nil
}
