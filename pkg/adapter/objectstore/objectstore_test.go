package objectstore_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/objectstore"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/testkit/s3"
)

func options(t *testing.T) objectstore.Options {
	t.Helper()
	return objectstore.Options{
		Endpoint: s3.Endpoint(t), Region: s3.Region, AccessKey: s3.AccessKey, SecretKey: s3.SecretKey,
		Bucket: "b" + strings.ReplaceAll(id.New(), "-", ""),
	}
}

func setup(t *testing.T) *objectstore.Store {
	t.Helper()
	store, err := objectstore.New(options(t))
	require.NoError(t, err)
	require.NoError(t, store.EnsureBucket(t.Context()))
	return store
}

// opened is a browser's response to a link.
type opened struct {
	status int
	header http.Header
	body   string
}

// get opens a link as a browser does, without credentials.
func get(t *testing.T, link string) opened {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, link, nil)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return opened{status: response.StatusCode, header: response.Header, body: string(body)}
}

func TestStore_ImplementsTheDomainsInterface(t *testing.T) {
	t.Parallel()
	var _ invoice.ObjectStore = setup(t)
}

func TestPutAndGet_ReturnTheSameBytes(t *testing.T) {
	t.Parallel()
	store := setup(t)
	require.NoError(t, store.EnsureBucket(t.Context()), "twice is nothing")
	require.NoError(t, store.Ping(t.Context()))

	require.NoError(t, store.Put(t.Context(), "invoices/a.pdf", "application/pdf", []byte("%PDF")))
	body, err := store.Get(t.Context(), "invoices/a.pdf")
	require.NoError(t, err)
	require.Equal(t, "%PDF", string(body))

	_, err = store.Get(t.Context(), "invoices/b.pdf")
	require.ErrorIs(t, err, objectstore.ErrNotFound)
}

func TestPut_OtherBytesUnderTheKey_IsRefused(t *testing.T) {
	t.Parallel()
	store := setup(t)
	require.NoError(t, store.Put(t.Context(), "a", "text/plain", []byte("one")))
	require.NoError(t, store.Put(t.Context(), "a", "text/plain", []byte("one")), "the same again is nothing")
	require.ErrorIs(t, store.Put(t.Context(), "a", "text/plain", []byte("two")), objectstore.ErrDifferentContent)
	body, err := store.Get(t.Context(), "a")
	require.NoError(t, err)
	require.Equal(t, "one", string(body))
}

func TestPut_ManyWriters_OneWins(t *testing.T) {
	t.Parallel()
	store := setup(t)
	results := make([]error, 8)
	var wg sync.WaitGroup
	for i := range results {
		wg.Go(func() { results[i] = store.Put(t.Context(), "a", "text/plain", []byte{byte('a' + i)}) })
	}
	wg.Wait()
	won := 0
	for _, err := range results {
		if err == nil {
			won++
			continue
		}
		require.ErrorIs(t, err, objectstore.ErrDifferentContent)
	}
	require.Equal(t, 1, won)
}

func TestPresign_LinkOpensWithoutCredentials(t *testing.T) {
	t.Parallel()
	store := setup(t)
	require.NoError(t, store.Put(t.Context(), "invoices/26-27/x/y.pdf", "application/pdf", []byte("%PDF")))
	link, err := store.Presign(t.Context(), "invoices/26-27/x/y.pdf", "FP-26-27-000001.pdf", 5*time.Minute)
	require.NoError(t, err)
	require.Contains(t, link, "X-Amz-Expires=300")

	page := get(t, link)
	require.Equal(t, http.StatusOK, page.status)
	require.Equal(t, "%PDF", page.body)
	require.Equal(t, "application/pdf", page.header.Get("Content-Type"))
	require.Empty(t, page.header.Get("Content-Encoding"))
	require.Equal(t, `inline; filename="FP-26-27-000001.pdf"`, page.header.Get("Content-Disposition"))
}

func TestPresign_EditedLink_IsRefused(t *testing.T) {
	t.Parallel()
	store := setup(t)
	for _, key := range []string{"mine.pdf", "other.pdf"} {
		require.NoError(t, store.Put(t.Context(), key, "application/pdf", []byte(key)))
	}
	link, err := store.Presign(t.Context(), "mine.pdf", "mine.pdf", 5*time.Minute)
	require.NoError(t, err)
	for name, edited := range map[string]string{
		"another key":       strings.Replace(link, "/mine.pdf", "/other.pdf", 1),
		"a longer life":     strings.Replace(link, "X-Amz-Expires=300", "X-Amz-Expires=30000", 1),
		"another signature": link[:len(link)-4] + "0000",
		"another name":      strings.Replace(link, "mine.pdf%22", "evil.exe%22", 1),
		"no signature":      strings.Split(link, "?")[0],
	} {
		require.NotEqual(t, link, edited, name)
		page := get(t, edited)
		require.Equal(t, http.StatusForbidden, page.status, name)
		require.NotEqual(t, "other.pdf", page.body, name)
	}
}

func TestPresign_LinkExpires(t *testing.T) {
	t.Parallel()
	store := setup(t)
	require.NoError(t, store.Put(t.Context(), "a.pdf", "application/pdf", []byte("%PDF")))
	link, err := store.Presign(t.Context(), "a.pdf", "a.pdf", time.Second)
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		return get(t, link).status == http.StatusForbidden
	}, time.Minute, 200*time.Millisecond)
}

func TestPresign_LinkUsesThePublicEndpoint(t *testing.T) {
	t.Parallel()
	o := options(t)
	o.PublicEndpoint = "https://files.franchise360.example"
	store, err := objectstore.New(o)
	require.NoError(t, err)
	link, err := store.Presign(t.Context(), "a.pdf", "a.pdf", time.Minute)
	require.NoError(t, err)
	u, err := url.Parse(link)
	require.NoError(t, err)
	require.Equal(t, "https", u.Scheme)
	require.Equal(t, "files.franchise360.example", u.Host)
}

func TestNew_InvalidURL_IsRefused(t *testing.T) {
	t.Parallel()
	for _, endpoint := range []string{"", "127.0.0.1:9000", "ftp://host", "http://", "://"} {
		_, err := objectstore.New(objectstore.Options{Endpoint: endpoint})
		require.Error(t, err, endpoint)
	}
}

// A store that is down or hangs fails every call with an error that means "later".
func TestStore_DownOrHanging_IsUnavailable(t *testing.T) {
	t.Parallel()
	var config net.ListenConfig
	silent, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0") // accepts and never answers
	require.NoError(t, err)
	t.Cleanup(func() { _ = silent.Close() })
	for name, endpoint := range map[string]string{"refused": "http://127.0.0.1:1", "silent": "http://" + silent.Addr().String()} {
		o := options(t)
		o.Endpoint = endpoint
		store, err := objectstore.New(o)
		require.NoError(t, err)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		require.Equal(t, errs.KindUnavailable, errs.KindOf(store.Put(ctx, "a", "text/plain", []byte("a"))), name)
		_, err = store.Get(ctx, "a")
		require.Equal(t, errs.KindUnavailable, errs.KindOf(err), name)
		require.Equal(t, errs.KindUnavailable, errs.KindOf(store.Ping(ctx)), name)
		cancel()
	}
}
