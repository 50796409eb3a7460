package documents

import (
	"bytes"
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/objectstore"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/testkit/s3"
	"github.com/franchise360/franchise360/scripts/admin/command"
)

type stores struct {
	env      map[string]string
	from, to *objectstore.Store
}

func setup(t *testing.T) stores {
	t.Helper()
	s := stores{env: map[string]string{}}
	for _, prefix := range []string{"S3_", "FROM_S3_"} {
		for name, value := range map[string]string{
			"ENDPOINT": s3.Endpoint(t), "BUCKET": strings.ToLower(id.New()), "REGION": s3.Region, "ACCESS_KEY": s3.AccessKey, "SECRET_KEY": s3.SecretKey,
		} {
			s.env[prefix+name] = value
		}
	}
	s.from, s.to = s.open(t, "FROM_S3_"), s.open(t, "S3_")
	return s
}

func (s stores) open(t *testing.T, prefix string) *objectstore.Store {
	t.Helper()
	store, err := objectstore.Open(s.getenv, prefix)
	require.NoError(t, err)
	require.NoError(t, store.EnsureBucket(t.Context()))
	return store
}

func (s stores) getenv(name string) string { return s.env[name] }

func (s stores) documents(ctx context.Context, what string) (string, error) {
	var out bytes.Buffer
	err := Command().Run(ctx, command.Call{Getenv: s.getenv, Out: &out}, what)
	return out.String(), err
}

// The runbook's steps: copy while the product writes, stop it and copy the rest, compare.
func TestDocuments_CopyAndCompare_MoveTheObjectStore(t *testing.T) {
	t.Parallel()
	s := setup(t)
	put := func(store *objectstore.Store, key, kind, body string) {
		require.NoError(t, store.Put(t.Context(), key, kind, []byte(body)))
	}
	put(s.from, "audit/2026-11-02.json", "application/json", `{}`)
	put(s.from, "invoices/26-27/a/1.pdf", "application/pdf", "%PDF one")
	said, err := s.documents(t.Context(), "compare")
	require.ErrorContains(t, err, "2 documents differ or are missing")
	require.Contains(t, said, "invoices/26-27/a/1.pdf is missing")
	said, err = s.documents(t.Context(), "copy")
	require.NoError(t, err)
	require.Contains(t, said, "2 copied, 0 were there already")

	put(s.from, "invoices/26-27/b/2.pdf", "application/pdf", "%PDF two")
	said, err = s.documents(t.Context(), "copy")
	require.NoError(t, err)
	require.Contains(t, said, "1 copied, 2 were there already, 0 differ")
	moved, err := s.to.Whole(t.Context(), "invoices/26-27/b/2.pdf")
	require.NoError(t, err)
	require.Equal(t, objectstore.Object{Key: "invoices/26-27/b/2.pdf", ContentType: "application/pdf", Body: []byte("%PDF two")}, moved)

	put(s.to, "invoices/26-27/c/3.pdf", "application/pdf", "%PDF after the switch")
	said, err = s.documents(t.Context(), "compare")
	require.NoError(t, err)
	require.Contains(t, said, "1 are in the new store alone")
}

// The command is that of README.md: the old store's settings are in .env, the command names those of both, and each store has its own
// region, as VersityGW, Amazon and others require.
func TestDocuments_CommandOfTheREADME_HasAllSettings(t *testing.T) {
	t.Parallel()
	s := setup(t)
	require.NoError(t, s.from.Put(t.Context(), "invoices/26-27/a/1.pdf", "application/pdf", []byte("%PDF one")))
	given := maps.Clone(s.env)
	given["FROM_S3_ENDPOINT"], given["FROM_S3_REGION"] = insisting(t, "ap-south-1"), "ap-south-1"
	given["S3_ENDPOINT"], given["S3_REGION"] = insisting(t, "eu-west-1"), "eu-west-1"

	s.env = map[string]string{"S3_REGION": "ap-south-1"} // the worker's, from .env
	text, err := os.ReadFile("README.md")
	require.NoError(t, err)
	command := regexp.MustCompile("`docker compose run --rm -T (-e [^`]*) worker admin documents copy`").FindStringSubmatch(string(text))
	require.NotNil(t, command)
	for _, named := range regexp.MustCompile(`-e\s+(\w+)=`).FindAllStringSubmatch(command[1], -1) {
		require.Contains(t, given, named[1])
		s.env[named[1]] = given[named[1]]
	}
	said, err := s.documents(t.Context(), "copy")
	require.NoError(t, err)
	require.Contains(t, said, "1 copied")
	said, err = s.documents(t.Context(), "compare")
	require.NoError(t, err)
	require.Contains(t, said, "1 were there already, 0 differ")
}

// insisting returns the address of a store that refuses requests signed for another region, without naming its own.
func insisting(t *testing.T, region string) string {
	t.Helper()
	store, err := url.Parse(s3.Endpoint(t))
	require.NoError(t, err)
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(store)
		r.Out.Host = r.In.Host // it is signed
	}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.Header.Get("Authorization"), "/"+region+"/s3/aws4_request") {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestDocuments_DifferentObject_IsReportedAndKept(t *testing.T) {
	t.Parallel()
	s := setup(t)
	require.NoError(t, s.from.Put(t.Context(), "invoices/1.pdf", "application/pdf", []byte("%PDF one")))
	require.NoError(t, s.to.Put(t.Context(), "invoices/1.pdf", "application/pdf", []byte("%PDF eins")))
	for _, what := range []string{"copy", "compare"} {
		said, err := s.documents(t.Context(), what)
		require.ErrorContains(t, err, "1 documents differ or are missing")
		require.Contains(t, said, "invoices/1.pdf differs")
	}
	kept, err := s.to.Whole(t.Context(), "invoices/1.pdf")
	require.NoError(t, err)
	require.Equal(t, "%PDF eins", string(kept.Body))
	delete(s.env, "FROM_S3_BUCKET")
	_, err = s.documents(t.Context(), "copy")
	require.ErrorContains(t, err, "FROM_S3_BUCKET is not set")
	_, err = s.documents(t.Context(), "move")
	require.ErrorContains(t, err, "want documents copy, documents compare")
}
