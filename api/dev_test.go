package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// root sends a request outside the prefix; every response is checked against the contract.
func (c *testClient) root(t *testing.T, method, path, body string) answer {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, c.app.server.URL+path, strings.NewReader(body))
	require.NoError(t, err)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	return c.send(t, r)
}

func TestDevInbox_ShowsMessagesAndFailures(t *testing.T) {
	t.Parallel()
	mode := "ok"
	inbox := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			body, _ := io.ReadAll(r.Body)
			mode = string(body)
			return
		}
		_, _ = io.WriteString(w, `[{"to":"+91`+r.URL.Query().Get("mobile")+`","body":"482913 is your code","sent_at":"2026-11-21T05:30:00Z"}]`)
	}))
	t.Cleanup(inbox.Close)
	app := newTestApp(t)
	app.config.SMS.InboxURL = inbox.URL
	app.start(t)
	c := app.client(t)

	require.Equal(t, http.StatusOK, c.root(t, http.MethodGet, "/dev/clock", "").Status)
	list := c.root(t, http.MethodGet, "/dev/sms?mobile=9876543210", "")
	require.Equal(t, http.StatusOK, list.Status)
	require.Len(t, list.Body["data"], 1)
	require.Equal(t, http.StatusOK, c.root(t, http.MethodPost, "/dev/sms", `{"mode":"fail"}`).Status)
	require.JSONEq(t, `{"mode":"fail"}`, mode)
	require.Equal(t, http.StatusUnprocessableEntity, c.root(t, http.MethodPost, "/dev/sms", `{"mode":"explode"}`).Status)
	inbox.Close()
	require.Equal(t, http.StatusServiceUnavailable, c.root(t, http.MethodGet, "/dev/sms", "").Status)
}

func TestDevClock_OnlyMovesForward(t *testing.T) {
	t.Parallel()
	c := newTestApp(t).client(t)
	for body, want := range map[string]int{
		`{}`: 422, `{"advance_seconds":0}`: 422, `{"advance_seconds":-1}`: 422, `{"advance_seconds":315360001}`: 422,
		`{"advance_seconds":null}`: 400, `{"advance_seconds":1.5}`: 400, `{"Advance_Seconds":1}`: 400,
	} {
		a := c.root(t, http.MethodPost, "/dev/clock", body)
		require.Equal(t, want, a.Status, "%s: %s", body, a.Raw)
	}
}
