// Command objectstore is the S3 server of the development stack: every document is a file in its folder. docker-compose.yml
// uses scripts/versitygw instead.
package main

import (
	"context"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/franchise360/franchise360/pkg/platform/httpserver"
	"github.com/franchise360/franchise360/scripts/embedded/objectstore"
)

func main() {
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	if err := run(context.Background(), logger); err != nil {
		logger.Error("object store", slog.String("error", err.Error()))
		os.Exit(1)
	}
}

// run serves on HTTP_ADDR until SIGINT or SIGTERM. It reads OBJECTSTORE_DIR, S3_BUCKET, S3_ACCESS_KEY and S3_SECRET_KEY from
// the environment.
func run(ctx context.Context, logger *slog.Logger) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	handler, err := objectstore.New(ctx, objectstore.Options{
		Dir: os.Getenv("OBJECTSTORE_DIR"), Bucket: os.Getenv("S3_BUCKET"),
		AccessKey: os.Getenv("S3_ACCESS_KEY"), SecretKey: os.Getenv("S3_SECRET_KEY"),
	})
	if err != nil {
		return err
	}
	return httpserver.Serve(ctx, os.Getenv("HTTP_ADDR"), handler, logger)
}
