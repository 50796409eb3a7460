package job_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/objectstore"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/testkit/s3"
)

// What a full store does to an object that is put.
const (
	fullRefuses = "507, before a byte is kept"
	fullFails   = "500, when half of it was read"
	fullBreaks  = "the connection breaks in the middle of the bytes"
	fullMute    = "all is kept, but the answer is lost"
)

// fullStore is a proxy in front of the S3 server that treats every PUT of an object as its mode says.
type fullStore struct {
	mode  atomic.Value // string, empty if there is room
	proxy *httputil.ReverseProxy
	puts  atomic.Int64
}

func newFullStore(t *testing.T) (*fullStore, string) {
	t.Helper()
	behind, err := url.Parse(s3.Endpoint(t))
	require.NoError(t, err)
	f := &fullStore{proxy: &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(behind)
			r.Out.Host = r.In.Host // the host is signed
		},
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}}
	f.mode.Store("")
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	return f, server.URL
}

// ServeHTTP forwards everything but the PUT of an object.
func (f *fullStore) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	mode, _ := f.mode.Load().(string)
	if r.Method != http.MethodPut || strings.Count(r.URL.Path, "/") < 2 {
		mode = ""
	} else {
		f.puts.Add(1)
	}
	half := r.ContentLength / 2
	switch mode {
	case "":
		f.proxy.ServeHTTP(w, r)
	case fullRefuses:
		http.Error(w, `<Error><Code>XMinioStorageFull</Code><Message>no room</Message></Error>`, http.StatusInsufficientStorage)
	case fullFails:
		_, _ = io.CopyN(io.Discard, r.Body, half)
		http.Error(w, `<Error><Code>InternalError</Code><Message>no room</Message></Error>`, http.StatusInternalServerError)
	case fullBreaks:
		r.Body = io.NopCloser(io.LimitReader(r.Body, half)) // fewer bytes than announced
		f.proxy.ServeHTTP(w, r)
	case fullMute:
		f.proxy.ServeHTTP(httptest.NewRecorder(), r)
		panic(http.ErrAbortHandler)
	}
}

// Given a full object store, when an invoice is to be rendered, then each attempt fails and leaves nothing
// half-written, and once there is room exactly one document arrives.
func TestRenderInvoice_FullStore_FailsUntilThereIsSpace(t *testing.T) {
	t.Parallel()
	full, endpoint := newFullStore(t)
	d := setupDocuments(t)
	bucket := "b" + strings.ReplaceAll(id.New(), "-", "")
	var err error
	d.store, err = objectstore.New(objectstore.Options{
		Endpoint: endpoint, Region: s3.Region, AccessKey: s3.AccessKey, SecretKey: s3.SecretKey, Bucket: bucket,
	})
	require.NoError(t, err)
	require.NoError(t, d.store.EnsureBucket(t.Context()))
	full.mode.Store(fullRefuses)
	events := d.work(t)
	issued := d.issue(t)
	for _, mode := range []string{fullFails, fullBreaks, fullMute, ""} {
		event := next(t, events)
		require.Equal(t, river.EventKindJobFailed, event.Kind)
		require.Positive(t, full.puts.Swap(0), "the attempt came as far as the store")
		require.Zero(t, d.documents(t))
		if mode != "" {
			require.Empty(t, keys(t, bucket), "nothing half written")
		}
		full.mode.Store(mode)
		_, err = d.db.Owner.Exec(`UPDATE river_job SET scheduled_at = now(), state = 'available' WHERE state IN ('retryable', 'available')`)
		require.NoError(t, err)
	}
	require.Equal(t, river.EventKindJobCompleted, next(t, events).Kind)
	require.Equal(t, 1, d.documents(t))
	kept := keys(t, bucket)
	require.Len(t, kept, 1)
	body, err := d.store.Get(t.Context(), kept[0])
	require.NoError(t, err)
	require.True(t, bytes.HasPrefix(body, []byte("%PDF-")))
	var size int
	require.NoError(t, d.db.Owner.Get(&size, `SELECT size_bytes FROM invoice_documents WHERE invoice_id = $1 AND object_key = $2`, issued.ID, kept[0]))
	require.Len(t, body, size)
}

func (d *documents) documents(t *testing.T) (n int) {
	t.Helper()
	require.NoError(t, d.db.Owner.Get(&n, `SELECT count(*) FROM invoice_documents`))
	return n
}

// keys lists the bucket's keys.
func keys(t *testing.T, bucket string) (list []string) {
	t.Helper()
	u, err := url.Parse(s3.Endpoint(t))
	require.NoError(t, err)
	client, err := minio.New(u.Host, &minio.Options{Creds: credentials.NewStaticV4(s3.AccessKey, s3.SecretKey, ""), Region: s3.Region})
	require.NoError(t, err)
	for object := range client.ListObjects(t.Context(), bucket, minio.ListObjectsOptions{Recursive: true}) {
		require.NoError(t, object.Err)
		list = append(list, object.Key)
	}
	return list
}
