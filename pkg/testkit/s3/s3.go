// Package s3 gives tests a real S3 server with real signatures, one per test process.
package s3

import (
	"context"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/scripts/embedded/objectstore"
)

// The account and region of the server.
const (
	AccessKey = "test-access"
	SecretKey = "test-secret-test-secret"
	Region    = "ap-south-1"
)

// start is called by the first test that needs the server, which lives as long as the process.
var start = sync.OnceValues(func() (string, error) { //nolint:gochecknoglobals // one server is enough for all tests of a process
	handler, err := objectstore.New(context.Background(), objectstore.Options{AccessKey: AccessKey, SecretKey: SecretKey})
	if err != nil {
		return "", err
	}
	return httptest.NewServer(handler).URL, nil
})

// Endpoint starts the server unless it is running and returns its URL; tests are separated by their buckets.
func Endpoint(tb testing.TB) string {
	tb.Helper()
	endpoint, err := start()
	require.NoError(tb, err)
	return endpoint
}
