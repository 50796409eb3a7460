// Package s3 gives tests a real S3 server with real signatures, one for each test process.
package s3

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/versity/versitygw/backend/meta"
	"github.com/versity/versitygw/backend/posix"
	"github.com/versity/versitygw/embedgw"
)

// The account and region of the server.
const (
	AccessKey = "test-access"
	SecretKey = "test-secret-test-secret"
	Region    = "ap-south-1"
)

// server is started by the first test that asks and lives as long as the process: the embedded gateway allows one.
var server struct { //nolint:gochecknoglobals // the embedded gateway allows one server a process
	once     sync.Once
	endpoint string
	err      error
}

// Endpoint starts the server unless it runs and returns its URL; tests keep apart by their buckets.
func Endpoint(tb testing.TB) string {
	tb.Helper()
	server.once.Do(func() { server.endpoint, server.err = start() })
	require.NoError(tb, server.err)
	return server.endpoint
}

func start() (string, error) {
	dir := filepath.Join(os.TempDir(), prefix+strconv.Itoa(os.Getpid()))
	sweep()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	objects, metadata := filepath.Join(dir, "objects"), filepath.Join(dir, "metadata")
	if err := errors.Join(os.Mkdir(objects, 0o700), os.Mkdir(metadata, 0o700)); err != nil {
		return "", err
	}
	sidecar, err := meta.NewSideCar(metadata)
	if err != nil {
		return "", err
	}
	store, err := posix.New(objects, sidecar, posix.PosixOpts{SideCarDir: metadata})
	if err != nil {
		return "", err
	}
	addr, err := freeAddr()
	if err != nil {
		return "", err
	}
	failed := make(chan error, 1)
	go func() {
		failed <- embedgw.RunVersityGW(context.Background(), store, &embedgw.Config{
			RootUserAccess: AccessKey, RootUserSecret: SecretKey, Region: Region, Ports: []string{addr},
			MaxConnections: 1024, MaxRequests: 1024, MultipartMaxParts: 10000, KeepAlive: true, Quiet: true, HealthPath: "/healthz",
		})
	}()
	return "http://" + addr, await("http://"+addr+"/healthz", failed)
}

// prefix and a process id name the folder of a server.
const prefix = "franchise360-s3-"

// sweep removes the folders of test processes that have ended: the server lives as long as its process, so nothing in
// it can clean up behind it.
func sweep() {
	folders, err := filepath.Glob(filepath.Join(os.TempDir(), prefix+"*"))
	if err != nil {
		return
	}
	for _, folder := range folders {
		pid, err := strconv.Atoi(strings.TrimPrefix(filepath.Base(folder), prefix))
		if err != nil || errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) || pid == os.Getpid() {
			_ = os.RemoveAll(folder)
		}
	}
}

func freeAddr() (string, error) {
	var config net.ListenConfig
	listener, err := config.Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}

func await(healthURL string, failed <-chan error) error {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	for {
		if healthy(ctx, healthURL) {
			return nil
		}
		select {
		case err := <-failed:
			return fmt.Errorf("object store ended: %w", err)
		case <-ctx.Done():
			return errors.New("object store did not start")
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func healthy(ctx context.Context, healthURL string) bool {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, healthURL, nil)
	if err != nil {
		return false
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	_ = response.Body.Close()
	return response.StatusCode == http.StatusOK
}
