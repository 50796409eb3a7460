// Command versitygw is the S3 server of docker-compose.yml: VersityGW on a folder. It has one bucket, one user that writes and one that
// reads, keeps every version, and refuses every deletion. The development stack uses scripts/objectstore instead.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/aws/aws-sdk-go-v2/service/s3/types"
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
	act := run
	if len(os.Args) == 2 && os.Args[1] == "health" {
		act = func(ctx context.Context, getenv func(string) string) error {
			return health(ctx, getenv("HTTP_ADDR"))
		}
	}
	if err := act(context.Background(), environment(logger)); err != nil {
		logger.Error("object store", slog.String("error", err.Error()))
		os.Exit(1)
	}
}

// run serves until SIGINT or SIGTERM. It reads from the environment: HTTP_ADDR, S3_REGION, S3_BUCKET (created if missing),
// OBJECTSTORE_DIR, and the keys of the writer (S3_ACCESS_KEY, S3_SECRET_KEY) and of the reader (S3_READ_ACCESS_KEY,
// S3_READ_SECRET_KEY; without them there is no reader). Metadata is stored beside the objects, because not every file system
// supports extended attributes.
func run(ctx context.Context, getenv func(string) string) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	users, err := newAccounts(getenv)
	if err != nil {
		return err
	}
	store, err := open(ctx, getenv)
	if err != nil {
		return err
	}
	return embedgw.RunVersityGW(ctx, store, &embedgw.Config{
		RootUserAccess: users.root.Access, RootUserSecret: users.root.Secret, IAMService: users,
		Region: getenv("S3_REGION"), Ports: []string{getenv("HTTP_ADDR")},
		MaxConnections: maxConnections, MaxRequests: maxRequests, MultipartMaxParts: 10000,
		KeepAlive: true, Quiet: true, HealthPath: "/healthz",
	})
}

// open opens the folder as a store whose bucket has its permissions and keeps versions.
func open(ctx context.Context, getenv func(string) string) (*posix.Posix, error) {
	dir, err := filepath.Abs(getenv("OBJECTSTORE_DIR"))
	if err != nil {
		return nil, fmt.Errorf("find the folder of the objects: %w", err)
	}
	bucket := getenv("S3_BUCKET")
	objects, metadata, versions := filepath.Join(dir, "objects"), filepath.Join(dir, "metadata"), filepath.Join(dir, "versions")
	for _, folder := range []string{filepath.Join(objects, bucket), metadata, versions} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return nil, fmt.Errorf("make the folders of the objects: %w", err)
		}
	}
	sidecar, err := meta.NewSideCar(metadata)
	if err != nil {
		return nil, fmt.Errorf("open the metadata: %w", err)
	}
	store, err := posix.New(objects, sidecar, posix.PosixOpts{SideCarDir: metadata, VersioningDir: versions})
	if err != nil {
		return nil, fmt.Errorf("open the objects: %w", err)
	}
	if err := store.PutBucketVersioning(ctx, bucket, types.BucketVersioningStatusEnabled); err != nil {
		return nil, fmt.Errorf("keep versions: %w", err)
	}
	rights, err := policy(bucket, getenv("S3_ACCESS_KEY"), getenv("S3_READ_ACCESS_KEY"))
	if err != nil {
		return nil, fmt.Errorf("write the rights: %w", err)
	}
	if err := store.PutBucketPolicy(ctx, bucket, rights); err != nil {
		return nil, fmt.Errorf("set the rights: %w", err)
	}
	return store, nil
}
