// Command objectstore is the S3 of the development stack: it keeps objects in a folder and checks real signatures.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/versity/versitygw/backend/meta"
	"github.com/versity/versitygw/backend/posix"
	"github.com/versity/versitygw/embedgw"
)

const (
	maxConnections = 256
	maxRequests    = 128
)

func main() {
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	if err := run(context.Background(), os.Getenv); err != nil {
		logger.Error("object store", slog.String("error", err.Error()))
		os.Exit(1)
	}
}

// run serves until SIGINT or SIGTERM. From the environment: HTTP_ADDR, S3_REGION, S3_ACCESS_KEY, S3_SECRET_KEY,
// S3_BUCKET (made when missing) and OBJECTSTORE_DIR. Metadata lies beside the objects, because not every file
// system keeps extended attributes.
func run(ctx context.Context, getenv func(string) string) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	dir, err := filepath.Abs(getenv("OBJECTSTORE_DIR"))
	if err != nil {
		return fmt.Errorf("find the folder of the objects: %w", err)
	}
	objects, metadata := filepath.Join(dir, "objects"), filepath.Join(dir, "metadata")
	bucket := filepath.Join(objects, getenv("S3_BUCKET"))
	if err := errors.Join(os.MkdirAll(bucket, 0o700), os.MkdirAll(metadata, 0o700)); err != nil {
		return fmt.Errorf("make the folders of the objects: %w", err)
	}
	sidecar, err := meta.NewSideCar(metadata)
	if err != nil {
		return fmt.Errorf("open the metadata: %w", err)
	}
	store, err := posix.New(objects, sidecar, posix.PosixOpts{SideCarDir: metadata})
	if err != nil {
		return fmt.Errorf("open the objects: %w", err)
	}
	return embedgw.RunVersityGW(ctx, store, &embedgw.Config{
		RootUserAccess: getenv("S3_ACCESS_KEY"), RootUserSecret: getenv("S3_SECRET_KEY"),
		Region: getenv("S3_REGION"), Ports: []string{getenv("HTTP_ADDR")},
		MaxConnections: maxConnections, MaxRequests: maxRequests, MultipartMaxParts: 10000,
		KeepAlive: true, Quiet: true, HealthPath: "/healthz",
	})
}
