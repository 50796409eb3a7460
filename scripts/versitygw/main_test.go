package main

import (
	"context"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/objectstore"
)

// The embedded gateway allows one server per process at a time, and a full life cycle needs several in succession; hence a
// single test.
func TestServer_SignedObjects_AreKept(t *testing.T) {
	t.Parallel()
	env := map[string]string{
		"S3_REGION": "ap-south-1", "S3_ACCESS_KEY": "key", "S3_SECRET_KEY": "secret-secret", "S3_BUCKET": "documents",
		"S3_READ_ACCESS_KEY": "reader", "S3_READ_SECRET_KEY": "secret-of-reader",
		"OBJECTSTORE_DIR": t.TempDir(), "HTTP_ADDR": freeAddress(t),
	}
	stop := serve(t, env)
	client := connect(t, env, "secret-secret")
	const text = "%PDF-1.7 an invoice"
	_, err := client.PutObject(t.Context(), "documents", "a/b.pdf", strings.NewReader(text), int64(len(text)),
		minio.PutObjectOptions{ContentType: "application/pdf", UserMetadata: map[string]string{"Kind": "invoice"}})
	require.NoError(t, err)
	_, err = connect(t, env, "wrong").StatObject(t.Context(), "documents", "a/b.pdf", minio.StatObjectOptions{})
	require.Error(t, err)

	link, err := client.PresignedGetObject(t.Context(), "documents", "a/b.pdf", time.Minute, nil)
	require.NoError(t, err)
	status, body := fetch(t, link.String())
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, text, body)
	status, _ = fetch(t, strings.Replace(link.String(), "b.pdf", "c.pdf", 1))
	require.Equal(t, http.StatusForbidden, status, "the link was signed for another object")
	status, _ = fetch(t, strings.Split(link.String(), "?")[0])
	require.Equal(t, http.StatusForbidden, status, "nothing is public")
	requireLeastRights(t, env)
	requireTheProductsAdapter(t, env)
	stop()

	env["HTTP_ADDR"] = freeAddress(t)
	stop = serve(t, env)
	info, err := connect(t, env, "secret-secret").StatObject(t.Context(), "documents", "a/b.pdf", minio.StatObjectOptions{})
	require.NoError(t, err)
	require.Equal(t, "application/pdf", info.ContentType)
	require.Equal(t, "invoice", info.UserMetadata["Kind"])
	stop()
}

// requireLeastRights checks that the reader can only read, that the writer can neither delete nor administer, and that
// overwritten objects are kept as versions.
func requireLeastRights(t *testing.T, env map[string]string) {
	t.Helper()
	ctx := t.Context()
	writer := connect(t, env, "secret-secret")
	_, err := writer.StatObject(ctx, "documents", "missing.pdf", minio.StatObjectOptions{})
	require.Equal(t, http.StatusNotFound, minio.ToErrorResponse(err).StatusCode, "a lost document is seen")
	for range 2 {
		_, err = writer.PutObject(ctx, "documents", "twice.pdf", strings.NewReader("x"), 1, minio.PutObjectOptions{})
		require.NoError(t, err)
	}
	versions := 0
	for version := range writer.ListObjects(ctx, "documents", minio.ListObjectsOptions{Prefix: "twice", WithVersions: true, Recursive: true}) {
		require.NoError(t, version.Err)
		versions++
	}
	require.Equal(t, 2, versions)

	reader := connect(t, map[string]string{
		"HTTP_ADDR": env["HTTP_ADDR"], "S3_REGION": env["S3_REGION"], "S3_ACCESS_KEY": "reader",
	}, "secret-of-reader")
	link, err := reader.PresignedGetObject(ctx, "documents", "a/b.pdf", time.Minute, nil)
	require.NoError(t, err)
	status, _ := fetch(t, link.String())
	require.Equal(t, http.StatusOK, status)
	_, err = reader.PutObject(ctx, "documents", "forged.pdf", strings.NewReader("x"), 1, minio.PutObjectOptions{})
	require.Equal(t, http.StatusForbidden, minio.ToErrorResponse(err).StatusCode, "the reader does not write")

	for name, client := range map[string]*minio.Client{"reader": reader, "writer": writer} {
		for what, err := range map[string]error{
			"delete":           client.RemoveObject(ctx, "documents", "a/b.pdf", minio.RemoveObjectOptions{}),
			"policy":           client.SetBucketPolicy(ctx, "documents", `{"Version":"2012-10-17","Statement":[]}`),
			"keep no versions": client.SuspendVersioning(ctx, "documents"),
			"another bucket":   client.MakeBucket(ctx, name, minio.MakeBucketOptions{}),
		} {
			require.Equal(t, http.StatusForbidden, minio.ToErrorResponse(err).StatusCode, "%s: %s: %v", name, what, err)
		}
	}
	for object := range reader.ListObjects(ctx, "documents", minio.ListObjectsOptions{}) {
		require.Error(t, object.Err, "the reader does not list")
	}
}

// requireTheProductsAdapter checks that the product's own object store client works with this one: a document is stored once,
// never overwritten, and read by a signed link.
func requireTheProductsAdapter(t *testing.T, env map[string]string) {
	t.Helper()
	store, err := objectstore.New(objectstore.Options{
		Endpoint: "http://" + env["HTTP_ADDR"], Region: env["S3_REGION"], AccessKey: "key", SecretKey: "secret-secret", Bucket: "documents",
	})
	require.NoError(t, err)
	ctx := t.Context()
	require.NoError(t, store.EnsureBucket(ctx))
	require.NoError(t, store.Ping(ctx))
	document := []byte("%PDF-1.7 another invoice")
	for range 2 {
		require.NoError(t, store.Put(ctx, "invoices/1.pdf", "application/pdf", document), "the same again")
	}
	require.Error(t, store.Put(ctx, "invoices/1.pdf", "application/pdf", []byte("%PDF-1.7 forged")))
	kept, err := store.Get(ctx, "invoices/1.pdf")
	require.NoError(t, err)
	require.Equal(t, document, kept)
	link, err := store.Presign(ctx, "invoices/1.pdf", "FT-26-27-000001.pdf", time.Minute)
	require.NoError(t, err)
	status, body := fetch(t, link)
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, string(document), body)
}

func freeAddress(t *testing.T) string {
	t.Helper()
	for range 200 {
		// Outgoing connections, and whoever listens on any port, get higher ones.
		address := net.JoinHostPort("127.0.0.1", strconv.Itoa(20_000+rand.IntN(12_000)))
		if listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", address); err == nil {
			require.NoError(t, listener.Close())
			return address
		}
	}
	require.FailNow(t, "no port is free")
	return ""
}

// serve runs the store until stop is called.
func serve(t *testing.T, env map[string]string) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, func(name string) string { return env[name] }) }()
	require.Eventually(t, func() bool {
		connection, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", env["HTTP_ADDR"])
		return err == nil && connection.Close() == nil
	}, time.Minute, 20*time.Millisecond)
	return func() {
		cancel()
		select {
		case err := <-ended:
			require.NoError(t, err)
		case <-time.After(time.Minute):
			t.Error("the store does not end")
		}
	}
}

func connect(t *testing.T, env map[string]string, secret string) *minio.Client {
	t.Helper()
	client, err := minio.New(env["HTTP_ADDR"], &minio.Options{
		Creds: credentials.NewStaticV4(env["S3_ACCESS_KEY"], secret, ""), Region: env["S3_REGION"],
	})
	require.NoError(t, err)
	return client
}

func fetch(t *testing.T, address string) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.StatusCode, string(body)
}
