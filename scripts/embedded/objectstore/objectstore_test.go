package objectstore_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/scripts/embedded/objectstore"
)

const bucket, text = "documents", "%PDF-1.7 an invoice"

// serve starts a store on the folder and returns clients for its owner and for a stranger with a wrong secret.
func serve(t *testing.T, dir string) (owner, stranger *minio.Client) {
	t.Helper()
	handler, err := objectstore.New(t.Context(), objectstore.Options{Dir: dir, Bucket: bucket, AccessKey: "key", SecretKey: "secret-secret"})
	require.NoError(t, err)
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	address, err := url.Parse(server.URL)
	require.NoError(t, err)
	clients := make([]*minio.Client, 0, 2)
	for _, secret := range []string{"secret-secret", "wrong"} {
		client, err := minio.New(address.Host, &minio.Options{Creds: credentials.NewStaticV4("key", secret, ""), Region: "ap-south-1"})
		require.NoError(t, err)
		clients = append(clients, client)
	}
	return clients[0], clients[1]
}

func put(t *testing.T, client *minio.Client, key, body string) error {
	t.Helper()
	_, err := client.PutObject(t.Context(), bucket, key, strings.NewReader(body), int64(len(body)),
		minio.PutObjectOptions{ContentType: "application/pdf", UserMetadata: map[string]string{"Kind": "invoice"}})
	return err
}

func TestStore_Restarted_KeepsObjects(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	owner, _ := serve(t, dir)
	require.NoError(t, put(t, owner, "a/b.pdf", "an earlier text"))
	require.NoError(t, put(t, owner, "a/b.pdf", text))

	owner, _ = serve(t, dir)
	info, err := owner.StatObject(t.Context(), bucket, "a/b.pdf", minio.StatObjectOptions{})
	require.NoError(t, err)
	require.Equal(t, "application/pdf", info.ContentType)
	require.Equal(t, "invoice", info.UserMetadata["Kind"])
	found, err := owner.GetObject(t.Context(), bucket, "a/b.pdf", minio.GetObjectOptions{})
	require.NoError(t, err)
	body, err := io.ReadAll(found)
	require.NoError(t, err)
	require.Equal(t, text, string(body))

	require.NoError(t, put(t, owner, "c.pdf", text))
	require.Equal(t, []string{"a/b.pdf", "c.pdf"}, keys(t, owner, minio.ListObjectsOptions{Recursive: true}))
	require.Equal(t, []string{"a/b.pdf"}, keys(t, owner, minio.ListObjectsOptions{Recursive: true, Prefix: "a/"}))
	require.Equal(t, []string{"c.pdf", "a/"}, keys(t, owner, minio.ListObjectsOptions{}))
}

func keys(t *testing.T, client *minio.Client, o minio.ListObjectsOptions) (list []string) {
	t.Helper()
	for found := range client.ListObjects(t.Context(), bucket, o) {
		require.NoError(t, found.Err)
		list = append(list, found.Key)
	}
	return list
}

func TestStore_UnsignedCall_IsRefused(t *testing.T) {
	t.Parallel()
	owner, stranger := serve(t, "")
	require.NoError(t, put(t, owner, "a/b.pdf", text))
	require.Equal(t, http.StatusForbidden, minio.ToErrorResponse(put(t, stranger, "a/b.pdf", "forged")).StatusCode)

	link, err := owner.PresignedGetObject(t.Context(), bucket, "a/b.pdf", time.Minute, nil)
	require.NoError(t, err)
	for address, want := range map[string]int{
		link.String(): http.StatusOK,
		strings.Replace(link.String(), "b.pdf", "c.pdf", 1):                         http.StatusForbidden,
		strings.Replace(link.String(), "X-Amz-Expires=60", "X-Amz-Expires=6000", 1): http.StatusForbidden,
		strings.Split(link.String(), "?")[0]:                                        http.StatusForbidden,
	} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
		require.NoError(t, err)
		response, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, want, response.StatusCode, address)
	}
}

func TestStore_DeleteAndCopy_AreRefused(t *testing.T) {
	t.Parallel()
	owner, _ := serve(t, t.TempDir())
	require.NoError(t, put(t, owner, "a/b.pdf", text))
	_, copied := owner.CopyObject(t.Context(),
		minio.CopyDestOptions{Bucket: bucket, Object: "c.pdf"}, minio.CopySrcOptions{Bucket: bucket, Object: "a/b.pdf"})
	for what, err := range map[string]error{
		"object": owner.RemoveObject(t.Context(), bucket, "a/b.pdf", minio.RemoveObjectOptions{}),
		"bucket": owner.RemoveBucket(t.Context(), bucket),
		"copy":   copied,
	} {
		require.Equal(t, http.StatusForbidden, minio.ToErrorResponse(err).StatusCode, what)
	}
	_, err := owner.StatObject(t.Context(), bucket, "a/b.pdf", minio.StatObjectOptions{})
	require.NoError(t, err)
}
