package receiver_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/receiver"
	"github.com/franchise360/franchise360/pkg/webhook"
)

func TestPost_Event_IsSentUnchanged(t *testing.T) {
	t.Parallel()
	var header http.Header
	var body []byte
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header = r.Header
		body, _ = io.ReadAll(r.Body)
		_, _ = io.WriteString(w, strings.Repeat("x", 1<<20))
	}))
	t.Cleanup(server.Close)
	answer, err := receiver.New(true).Post(t.Context(), webhook.Message{
		URL: server.URL, Header: map[string]string{webhook.HeaderID: "7"}, Body: []byte(`{"a":1}`),
	})
	require.NoError(t, err)
	require.True(t, answer.Ok())
	require.Len(t, answer.Body, 1024, "no more of the answer is read")
	require.Equal(t, "7", header.Get("webhook-id"))
	require.Equal(t, "application/json", header.Get("Content-Type"))
	require.JSONEq(t, `{"a":1}`, string(body))
}

func TestPost_Redirect_IsNotFollowed(t *testing.T) {
	t.Parallel()
	reached := false
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	t.Cleanup(inside.Close)
	server := httptest.NewServer(http.RedirectHandler(inside.URL, http.StatusTemporaryRedirect))
	t.Cleanup(server.Close)
	answer, err := receiver.New(true).Post(t.Context(), webhook.Message{URL: server.URL})
	require.NoError(t, err)
	require.Equal(t, http.StatusTemporaryRedirect, answer.Status)
	require.False(t, answer.Ok())
	require.False(t, reached)
}

// The name is resolved first, and then its address is checked: localhost is an example of a name with an internal address.
func TestPost_NameOfAnInternalAddress_IsRefused(t *testing.T) {
	t.Parallel()
	reached := false
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	t.Cleanup(server.Close)
	for _, address := range []string{server.URL, strings.Replace(server.URL, "127.0.0.1", "localhost", 1)} {
		_, err := receiver.New(false).Post(t.Context(), webhook.Message{URL: address + "/?key=abc"})
		require.ErrorContains(t, err, "inside a network")
		require.NotContains(t, err.Error(), "abc", "staff see the error, and the address may hold a key")
	}
	require.False(t, reached)
}

// Resolvers read some of these as 127.0.0.1, others look them up as names: no resolver's result is reached.
func TestPost_AnySpellingOfAnInternalAddress_IsRefused(t *testing.T) {
	t.Parallel()
	var reached atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Store(true) }))
	t.Cleanup(server.Close)
	port := server.URL[strings.LastIndex(server.URL, ":"):]
	for _, host := range []string{
		"[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "0", "0.0.0.0", "127.1", "127.0.1",
		"2130706433", "0x7f000001", "0177.0.0.1", "127.0.0.1.", "localhost.", "169.254.169.254", "[fe80::1]", "[fd00:ec2::254]", "10.0.0.1",
		"100.100.100.200", "192.168.0.1", "172.16.0.1",
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		answer, err := receiver.New(false).Post(ctx, webhook.Message{URL: "http://" + host + port + "/"})
		cancel()
		require.Error(t, err, host)
		require.Zero(t, answer.Status, host)
	}
	require.False(t, reached.Load())
}

func TestPublic_OnlyAddressesOfThePublicInternet(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"8.8.8.8": true, "2606:4700::1111": true,
		"127.0.0.1": false, "10.1.2.3": false, "172.16.0.1": false, "192.168.1.1": false, "169.254.169.254": false, "100.64.0.1": false,
		"0.0.0.0": false, "0.1.2.3": false, "255.255.255.255": false, "224.0.0.1": false, "198.18.0.1": false, "192.0.2.1": false, "240.0.0.1": false,
		"::1": false, "::": false, "fe80::1": false, "fc00::1": false, "ff02::1": false, "::ffff:10.0.0.1": false, "::ffff:127.0.0.1": false,
		"64:ff9b::a00:1": false, "2002:a00:1::": false, "2001::1": false, "2001:db8::1": false, "fe80::1%eth0": false,
		"::7f00:1": false, "::a00:1": false, "::ffff:0:7f00:1": false, "1::1": false, "4000::1": false, "2400:cb00::1": true,
	} {
		require.Equal(t, want, receiver.Public(netip.MustParseAddr(text)), text)
	}
}
