package main

import (
	"bytes"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/api/handler"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/testkit/contract"
)

// head sends HEAD with the client's cookies, past the contract's own check, which knows GET alone.
func (c *testClient) head(t *testing.T, path string) (status int, header http.Header, body string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodHead, c.app.server.URL+path, http.NoBody)
	require.NoError(t, err)
	client := http.Client{Jar: c.http.Jar, CheckRedirect: c.http.CheckRedirect}
	resp, err := client.Do(r)
	require.NoError(t, err)
	defer func() { require.NoError(t, resp.Body.Close()) }()
	var read bytes.Buffer
	_, err = read.ReadFrom(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, resp.Header, read.String()
}

// Given each call of the contract with GET, then HEAD answers as GET does, without a body; where there is no GET it is 405.
func TestHead_EachGetRoute_IsServed(t *testing.T) {
	t.Parallel()
	file, err := contract.Find()
	require.NoError(t, err)
	document, err := contract.Open(file)
	require.NoError(t, err)
	app := newTestApp(t)
	stranger := app.client(t)
	reads := 0
	parameter := regexp.MustCompile(`{[^}]+}`)
	for path, item := range document.Spec().Paths.Map() {
		at := parameter.ReplaceAllString(path, id.New())
		if len(item.Servers) == 0 {
			at = handler.Prefix + at
		}
		if !strings.HasPrefix(at, "/api/") {
			continue // of development
		}
		status, header, body := stranger.head(t, at)
		require.Empty(t, body, path)
		if item.Get != nil {
			reads++
		}
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, app.server.URL+at, http.NoBody)
		require.NoError(t, err)
		got, err := (&http.Client{CheckRedirect: stranger.http.CheckRedirect}).Do(request)
		require.NoError(t, err)
		require.NoError(t, got.Body.Close())
		require.Equal(t, got.StatusCode, status, path)
		require.Equal(t, got.Header.Get("Content-Type"), header.Get("Content-Type"), path)
	}
	require.Greater(t, reads, 100)
	status, header, _ := stranger.head(t, handler.Prefix+"/login")
	require.Equal(t, []any{http.StatusMethodNotAllowed, "POST"}, []any{status, header.Get("Allow")})
}

// Given staff who open a customer by HEAD, then it is refused without a session and recorded once with one.
func TestHead_ByStaff_IsRecordedOnce(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	people := app.signedInStaff(t)
	var before, after int
	require.NoError(t, app.db.Owner.Get(&before, `SELECT count(*) FROM staff_actions`))
	status, _, body := people.head(t, "/api/support/search?q=as")
	require.Equal(t, []any{http.StatusOK, ""}, []any{status, body})
	require.NoError(t, app.db.Owner.Get(&after, `SELECT count(*) FROM staff_actions`))
	require.Equal(t, before+1, after)
	status, _, _ = app.client(t).head(t, "/api/support/search?q=as")
	require.Equal(t, http.StatusUnauthorized, status)
}
