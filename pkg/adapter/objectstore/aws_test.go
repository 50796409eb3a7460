package objectstore_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/objectstore"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// aws answers according to Amazon S3's API reference (HeadObject, PutObject, "Error responses"): a missing key is 403 for a caller
// that may not list the bucket, PUT with If-None-Match: * is 412 if the key exists, and 409 during a concurrent write.
type aws struct {
	mu       sync.Mutex
	mayList  bool
	mayWrite bool
	busy     int // how many PUTs meet a concurrent write
	objects  map[string]object
	seen     []*http.Request
}

type object struct {
	body []byte
	hash string
}

func newAWS(t *testing.T) (*aws, objectstore.Options) {
	t.Helper()
	a := &aws{mayWrite: true, objects: map[string]object{}}
	server := httptest.NewServer(a)
	t.Cleanup(server.Close)
	return a, objectstore.Options{
		Endpoint: server.URL, Region: "ap-south-1", AccessKey: "AKIAIOSFODNN7EXAMPLE", SecretKey: "secret", Bucket: "documents",
	}
}

func (a *aws) fail(w http.ResponseWriter, r *http.Request, status int, code string) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	if r.Method != http.MethodHead { // HEAD has no body, so no code
		_, _ = fmt.Fprintf(w, `<?xml version="1.0" encoding="UTF-8"?><Error><Code>%s</Code><Message>m</Message><RequestId>1</RequestId></Error>`, code)
	}
}

// ServeHTTP answers one call.
func (a *aws) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.seen = append(a.seen, r)
	kept, taken := a.objects[r.URL.Path]
	switch {
	case r.Method == http.MethodPut && !a.mayWrite:
		a.fail(w, r, http.StatusForbidden, "AccessDenied")
	case r.Method == http.MethodPut && a.busy > 0:
		a.busy--
		a.fail(w, r, http.StatusConflict, "ConditionalRequestConflict")
	case r.Method == http.MethodPut && taken && r.Header.Get("If-None-Match") == "*":
		a.fail(w, r, http.StatusPreconditionFailed, "PreconditionFailed")
	case r.Method == http.MethodPut:
		body, _ := io.ReadAll(r.Body)
		a.objects[r.URL.Path] = object{body, r.Header.Get("X-Amz-Meta-Sha256")}
		w.Header().Set("ETag", `"1"`)
	case !taken && !a.mayList:
		a.fail(w, r, http.StatusForbidden, "AccessDenied")
	case !taken:
		a.fail(w, r, http.StatusNotFound, "NoSuchKey")
	default:
		w.Header().Set("ETag", `"1"`)
		w.Header().Set("Last-Modified", "Sun, 22 Nov 2026 10:00:00 GMT")
		if kept.hash != "" { // an object written by another program has no hash
			w.Header().Set("X-Amz-Meta-Sha256", kept.hash)
		}
		w.Header().Set("Content-Length", fmt.Sprint(len(kept.body)))
		if r.Method == http.MethodGet {
			_, _ = w.Write(kept.body)
		}
	}
}

// Without the right to list the bucket, Amazon answers 403 for a missing key. Documents are still stored, and stay immutable.
func TestPut_WithoutListBucket_StoresTheDocument(t *testing.T) {
	t.Parallel()
	_, o := newAWS(t)
	store, err := objectstore.New(o)
	require.NoError(t, err)
	require.NoError(t, store.Put(t.Context(), "a.pdf", "application/pdf", []byte("one")))
	require.NoError(t, store.Put(t.Context(), "a.pdf", "application/pdf", []byte("one")))
	require.ErrorIs(t, store.Put(t.Context(), "a.pdf", "application/pdf", []byte("two")), objectstore.ErrDifferentContent)
	body, err := store.Get(t.Context(), "a.pdf")
	require.NoError(t, err)
	require.Equal(t, "one", string(body))
	_, err = store.Get(t.Context(), "b.pdf")
	require.Equal(t, errs.KindUnavailable, errs.KindOf(err), "whether it is missing or forbidden cannot be told")
	require.ErrorContains(t, err, "s3:ListBucket")
}

func TestPut_Refused_NamesTheNeededRights(t *testing.T) {
	t.Parallel()
	a, o := newAWS(t)
	a.mayWrite = false
	store, err := objectstore.New(o)
	require.NoError(t, err)
	err = store.Put(t.Context(), "a.pdf", "application/pdf", []byte("one"))
	require.Equal(t, errs.KindUnavailable, errs.KindOf(err))
	require.ErrorContains(t, err, "s3:PutObject")
	require.NotContains(t, err.Error(), "secret")
}

func TestPut_ConcurrentWrite_IsRetried(t *testing.T) {
	t.Parallel()
	a, o := newAWS(t)
	a.mayList, a.busy = true, 2
	store, err := objectstore.New(o)
	require.NoError(t, err)
	require.NoError(t, store.Put(t.Context(), "a.pdf", "application/pdf", []byte("one")))

	a.busy = 1000
	err = store.Put(t.Context(), "b.pdf", "application/pdf", []byte("one"))
	require.Equal(t, errs.KindUnavailable, errs.KindOf(err), "and not for ever")
}

func TestSessionToken_IsSentAndSigned(t *testing.T) {
	a, o := newAWS(t)
	t.Setenv("AWS_ACCESS_KEY_ID", o.AccessKey)
	t.Setenv("AWS_SECRET_ACCESS_KEY", o.SecretKey)
	t.Setenv("AWS_SESSION_TOKEN", "the-session")
	o.AccessKey, o.SecretKey = "", ""
	store, err := objectstore.New(o)
	require.NoError(t, err)
	require.NoError(t, store.Put(t.Context(), "a.pdf", "application/pdf", []byte("one")))
	for _, r := range a.seen {
		require.Equal(t, "the-session", r.Header.Get("X-Amz-Security-Token"))
		require.Contains(t, r.Header.Get("Authorization"), "x-amz-security-token")
		require.Contains(t, r.Header.Get("Authorization"), "AKIAIOSFODNN7EXAMPLE/")
		require.Contains(t, r.Header.Get("Authorization"), "/ap-south-1/s3/aws4_request")
	}
	link, err := store.Presign(t.Context(), "a.pdf", "a.pdf", time.Minute)
	require.NoError(t, err)
	require.Contains(t, link, "X-Amz-Security-Token=the-session")
}

// Without keys the credentials come from the machine's role, here a container's, as the AWS SDK reference describes its endpoint.
func TestNew_WithoutKeys_UsesTheMachinesRole(t *testing.T) {
	a, o := newAWS(t)
	asked := 0
	role := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		if r.Header.Get("Authorization") != "the-container" {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]string{
			"RoleArn": "arn:aws:iam::111122223333:role/documents", "AccessKeyId": "ASIAIOSFODNN7EXAMPLE", "SecretAccessKey": "secret",
			"Token": "of-the-role", "Expiration": time.Now().Add(time.Hour).UTC().Format(time.RFC3339), //nolint:forbidigo // AWS runs on the machine's time
		})
	}))
	t.Cleanup(role.Close)
	for _, name := range []string{"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_ACCESS_KEY", "AWS_SECRET_KEY", "AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"} {
		t.Setenv(name, "")
	}
	t.Setenv("AWS_CONTAINER_CREDENTIALS_FULL_URI", role.URL+"/credentials")
	t.Setenv("AWS_CONTAINER_AUTHORIZATION_TOKEN", "the-container")
	o.AccessKey, o.SecretKey = "", ""
	store, err := objectstore.New(o)
	require.NoError(t, err)
	require.NoError(t, store.Put(t.Context(), "a.pdf", "application/pdf", []byte("one")))
	require.Equal(t, 1, asked, "they are kept until they expire")
	for _, r := range a.seen {
		require.Equal(t, "of-the-role", r.Header.Get("X-Amz-Security-Token"))
		require.Contains(t, r.Header.Get("Authorization"), "ASIAIOSFODNN7EXAMPLE/")
	}
}

func TestAddressing_BucketInTheHostOrInThePath(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ endpoint, host, path string }{
		{"https://s3.ap-south-1.amazonaws.com", "documents.s3.", "/a.pdf"},
		{"https://oss-ap-south-1.aliyuncs.com", "documents.oss-", "/a.pdf"},
		{"https://minio.example:9000", "minio.example:9000", "/documents/a.pdf"},
	} {
		store, err := objectstore.New(objectstore.Options{
			Endpoint: tc.endpoint, Region: "ap-south-1", AccessKey: "k", SecretKey: "s", Bucket: "documents",
		})
		require.NoError(t, err)
		link, err := store.Presign(t.Context(), "a.pdf", "a.pdf", time.Minute)
		require.NoError(t, err)
		u, err := url.Parse(link)
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(u.Host, tc.host), "%s: %s", tc.endpoint, u.Host)
		require.Equal(t, tc.path, u.Path)
	}
}
