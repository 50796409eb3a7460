package objectstore_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/objectstore"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// most is the largest object that is read.
const most = 32 << 20

// A document cut off at the limit would be served, and signed, as if it were whole.
func TestGet_ObjectTooLarge_IsNotReadInPart(t *testing.T) {
	t.Parallel()
	a, o := newAWS(t)
	store, err := objectstore.New(o)
	require.NoError(t, err)
	whole := make([]byte, most+1)
	a.objects["/documents/fits"], a.objects["/documents/large"] = object{body: whole[:most]}, object{body: whole}

	body, err := store.Get(t.Context(), "fits")
	require.NoError(t, err)
	require.Len(t, body, most)
	kept, err := store.Whole(t.Context(), "fits")
	require.NoError(t, err)
	require.Len(t, kept.Body, most)

	body, err = store.Get(t.Context(), "large")
	require.ErrorContains(t, err, "more than any document")
	require.Nil(t, body)
	kept, err = store.Whole(t.Context(), "large")
	require.ErrorContains(t, err, "large has 33554433 bytes, more than any document")
	require.Zero(t, kept)
}

// An object written by another program has no hash: all its bytes are compared.
func TestPut_ExistingObjectWithoutHash_IsComparedByItsBytes(t *testing.T) {
	t.Parallel()
	a, o := newAWS(t)
	a.objects["/documents/a.pdf"] = object{body: []byte("one")}
	store, err := objectstore.New(o)
	require.NoError(t, err)
	require.NoError(t, store.Put(t.Context(), "a.pdf", "application/pdf", []byte("one")))
	require.ErrorIs(t, store.Put(t.Context(), "a.pdf", "application/pdf", []byte("two")), objectstore.ErrDifferentContent)
	require.Equal(t, "one", string(a.objects["/documents/a.pdf"].body))
}

func TestHas_WithAndWithoutListBucket(t *testing.T) {
	t.Parallel()
	a, o := newAWS(t)
	store, err := objectstore.New(o)
	require.NoError(t, err)
	_, err = store.Has(t.Context(), "a.pdf")
	require.Equal(t, errs.KindUnavailable, errs.KindOf(err), "who may not list is not told")
	require.ErrorContains(t, err, "s3:ListBucket")
	a.mayList = true
	has, err := store.Has(t.Context(), "a.pdf")
	require.NoError(t, err)
	require.False(t, has)
	_, err = store.Whole(t.Context(), "a.pdf")
	require.ErrorIs(t, err, objectstore.ErrNotFound)
	require.NoError(t, store.Put(t.Context(), "a.pdf", "application/pdf", []byte("one")))
	has, err = store.Has(t.Context(), "a.pdf")
	require.NoError(t, err)
	require.True(t, has)
}

// Objects are private to the holder of a link, and are not sent in chunks.
func TestPut_StoresTheBodyUnchunked(t *testing.T) {
	t.Parallel()
	a, o := newAWS(t)
	a.mayList = true
	store, err := objectstore.New(o)
	require.NoError(t, err)
	require.NoError(t, store.Put(t.Context(), "a.pdf", "application/pdf", []byte("one")))
	put := a.seen[len(a.seen)-1]
	require.Equal(t, http.MethodPut, put.Method)
	require.Equal(t, "*", put.Header.Get("If-None-Match"))
	require.Equal(t, "application/pdf", put.Header.Get("Content-Type"))
	require.Equal(t, "private, max-age=300", put.Header.Get("Cache-Control"))
	require.Equal(t, "+XxdKZQb+xsv2rCHSQargg==", put.Header.Get("Content-Md5"), "md5 of one")
	require.Empty(t, put.Header.Get("Content-Encoding"), "the name of a framing that browsers do not know")
	require.Equal(t, "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed", put.Header.Get("X-Amz-Meta-Sha256"), "sha256 of one")
	require.Equal(t, "one", string(a.objects["/documents/a.pdf"].body))

	tried := len(a.seen)
	require.NoError(t, store.Put(t.Context(), "a.pdf", "application/pdf", []byte("one")))
	for _, again := range a.seen[tried:] {
		require.Equal(t, http.MethodHead, again.Method, "what is there is compared, and not sent again")
	}
}

// listing answers a bucket's list in pages of two, and nothing of a page after the first if it fails.
func listing(t *testing.T, fails bool, keys ...string) *objectstore.Store {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		from := 0
		if token := r.URL.Query().Get("continuation-token"); token != "" {
			if fails {
				w.WriteHeader(http.StatusForbidden)
				return
			}
			_, _ = fmt.Sscan(token, &from)
		}
		var list []string
		for _, key := range keys {
			if strings.HasPrefix(key, r.URL.Query().Get("prefix")) {
				list = append(list, key)
			}
		}
		until := min(from+2, len(list))
		w.Header().Set("Content-Type", "application/xml")
		_, _ = fmt.Fprintf(w, `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult><Name>documents</Name><IsTruncated>%t</IsTruncated>`, until < len(list))
		for _, key := range list[from:until] {
			_, _ = fmt.Fprintf(w, `<Contents><Key>%s</Key><Size>1</Size><ETag>"1"</ETag></Contents>`, key)
		}
		_, _ = fmt.Fprintf(w, `<NextContinuationToken>%d</NextContinuationToken></ListBucketResult>`, until)
	}))
	t.Cleanup(server.Close)
	store, err := objectstore.New(objectstore.Options{
		Endpoint: server.URL, Region: "ap-south-1", AccessKey: "k", SecretKey: "s", Bucket: "documents",
	})
	require.NoError(t, err)
	return store
}

func keys(ctx context.Context, store *objectstore.Store, prefix string) ([]string, error) {
	var list []string
	err := store.EachKey(ctx, prefix, func(key string) error {
		list = append(list, key)
		return nil
	})
	return list, err
}

func TestEachKey_SeveralPages_NamesEveryKey(t *testing.T) {
	t.Parallel()
	all := []string{"invoices/1", "invoices/2", "invoices/3", "notes/1", "notes/2"}
	store := listing(t, false, all...)
	got, err := keys(t.Context(), store, "")
	require.NoError(t, err)
	require.Equal(t, all, got)
	got, err = keys(t.Context(), store, "notes/")
	require.NoError(t, err)
	require.Equal(t, all[3:], got)
	got, err = keys(t.Context(), store, "nothing/")
	require.NoError(t, err)
	require.Empty(t, got)

	stop := errors.New("stop")
	visited := 0
	err = store.EachKey(t.Context(), "", func(string) error {
		visited++
		return stop
	})
	require.ErrorIs(t, err, stop)
	require.Equal(t, 1, visited)
}

// An incomplete list must be an error: a backup compared with it would seem complete.
func TestEachKey_ListBreaksOff_ReturnsAnError(t *testing.T) {
	t.Parallel()
	got, err := keys(t.Context(), listing(t, true, "a", "b", "c"), "")
	require.Equal(t, errs.KindUnavailable, errs.KindOf(err))
	require.Equal(t, []string{"a", "b"}, got)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = keys(ctx, listing(t, false, "a", "b", "c"), "")
	require.Error(t, err)
	_, err = listing(t, false).IsEmpty(ctx)
	require.Error(t, err, "and no bucket is empty because nobody waited for its list")
}

// A caller that stops waiting in the middle of a list gets an error.
func TestEachKey_ContextEnds_ReturnsAnError(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	err := listing(t, false, "a", "b").EachKey(ctx, "", func(string) error {
		cancel()
		return nil
	})
	require.ErrorIs(t, err, context.Canceled)
}

func TestIsEmpty_OneObject_IsFalse(t *testing.T) {
	t.Parallel()
	for _, list := range [][]string{nil, {"a"}, {"a", "b", "c"}} {
		empty, err := listing(t, true, list...).IsEmpty(t.Context())
		require.NoError(t, err, "one page is enough")
		require.Equal(t, len(list) == 0, empty)
	}
}

// A backup names another store than the product's, under another prefix.
func TestOpen_Prefix_ReadsItsSettings(t *testing.T) {
	t.Parallel()
	settings := map[string]string{
		"BACKUP_S3_ENDPOINT": "https://backup.example", "BACKUP_S3_BUCKET": "copies", "BACKUP_S3_REGION": "ap-south-2",
		"BACKUP_S3_ACCESS_KEY": "AKIABACKUP", "BACKUP_S3_SECRET_KEY": "s",
		"S3_ENDPOINT": "https://s3.example", "S3_BUCKET": "documents",
	}
	from := func(without string) func(string) string {
		return func(name string) string {
			if name == without {
				return ""
			}
			return settings[name]
		}
	}
	store, err := objectstore.Open(from(""), "BACKUP_S3_")
	require.NoError(t, err)
	link, err := store.Presign(t.Context(), "a.pdf", "a.pdf", 60e9)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(link, "https://backup.example/copies/a.pdf?"), link)
	for _, part := range []string{"AKIABACKUP", "ap-south-2", "X-Amz-Expires=60"} {
		require.Contains(t, link, part)
	}
	for _, name := range []string{"BACKUP_S3_ENDPOINT", "BACKUP_S3_BUCKET"} {
		_, err := objectstore.Open(from(name), "BACKUP_S3_")
		require.EqualError(t, err, name+" is not set")
	}
}
