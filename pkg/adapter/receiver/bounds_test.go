package receiver_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/receiver"
	"github.com/franchise360/franchise360/pkg/webhook"
)

// The last address before each block of IANA's registries, its first and its last, and the first one after it.
func TestPublic_EachSpecialBlock_EndsAsRegistered(t *testing.T) {
	t.Parallel()
	for _, block := range []struct{ before, first, last, after string }{
		{"", "0.0.0.0", "0.255.255.255", "1.0.0.0"},
		{"9.255.255.255", "10.0.0.0", "10.255.255.255", "11.0.0.0"},
		{"100.63.255.255", "100.64.0.0", "100.127.255.255", "100.128.0.0"},
		{"126.255.255.255", "127.0.0.0", "127.255.255.255", "128.0.0.0"},
		{"169.253.255.255", "169.254.0.0", "169.254.255.255", "169.255.0.0"},
		{"172.15.255.255", "172.16.0.0", "172.31.255.255", "172.32.0.0"},
		{"191.255.255.255", "192.0.0.0", "192.0.0.255", "192.0.1.0"},
		{"192.0.1.255", "192.0.2.0", "192.0.2.255", "192.0.3.0"},
		{"192.88.98.255", "192.88.99.0", "192.88.99.255", "192.88.100.0"},
		{"192.167.255.255", "192.168.0.0", "192.168.255.255", "192.169.0.0"},
		{"198.17.255.255", "198.18.0.0", "198.19.255.255", "198.20.0.0"},
		{"198.51.99.255", "198.51.100.0", "198.51.100.255", "198.51.101.0"},
		{"203.0.112.255", "203.0.113.0", "203.0.113.255", "203.0.114.0"},
		{"223.255.255.255", "224.0.0.0", "255.255.255.255", ""},
		{"", "::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2000::"},
		{"2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:200::"},
		{"2001:db7:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db9::"},
		{"2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2003::"},
		{"3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:1000::"},
		{"3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "4000::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", ""},
	} {
		for text, want := range map[string]bool{block.before: true, block.first: false, block.last: false, block.after: true} {
			if text != "" {
				require.Equal(t, want, receiver.Public(netip.MustParseAddr(text)), text)
			}
		}
	}
	require.True(t, receiver.Public(netip.MustParseAddr("::ffff:8.8.8.8")), "the same address as 8.8.8.8, which the connection is made to")
	require.False(t, receiver.Public(netip.MustParseAddr("2606:4700::1111%eth0")), "a zone is one of this machine's")
	require.False(t, receiver.Public(netip.Addr{}))
}

// The event's own headers win over ours, which an operator's system may tell its senders by.
func TestPost_UserAgent_IsOursUnlessTheEventSetsOne(t *testing.T) {
	t.Parallel()
	var got *http.Request
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r }))
	t.Cleanup(server.Close)
	_, err := receiver.New(true).Post(t.Context(), webhook.Message{URL: server.URL + "/in?key=a%2Fb"})
	require.NoError(t, err)
	require.Equal(t, http.MethodPost, got.Method)
	require.Equal(t, "/in?key=a%2Fb", got.RequestURI, "the address as the operator wrote it")
	require.Equal(t, "Franchise360-Webhooks/1", got.Header.Get("User-Agent"))
	_, err = receiver.New(true).Post(t.Context(), webhook.Message{
		URL: server.URL, Header: map[string]string{"User-Agent": "another", "Content-Type": "application/cloudevents+json"},
	})
	require.NoError(t, err)
	require.Equal(t, "another", got.Header.Get("User-Agent"))
	require.Equal(t, "application/cloudevents+json", got.Header.Get("Content-Type"))
}

// A system that has answered 200 has the event, even if the rest of its answer never comes: posting it again would double it.
func TestPost_AnswerBreaksOff_CountsByItsStatus(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		w.WriteHeader(http.StatusAccepted)
		_, _ = io.WriteString(w, "half")
	}))
	t.Cleanup(server.Close)
	answer, err := receiver.New(true).Post(t.Context(), webhook.Message{URL: server.URL})
	require.NoError(t, err)
	require.Equal(t, webhook.Answer{Status: http.StatusAccepted, Body: []byte("half")}, answer)
	require.True(t, answer.Ok())
}

// A header's lines can be of any number: more than 16 KB of them are no answer.
func TestPost_TooManyHeaders_IsAnError(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for range 40 {
			w.Header().Add("X-Filler", strings.Repeat("x", 512))
		}
	}))
	t.Cleanup(server.Close)
	answer, err := receiver.New(true).Post(t.Context(), webhook.Message{URL: server.URL})
	require.Error(t, err)
	require.Zero(t, answer)
}

// A failure names its cause but not the address, which may contain a key.
func TestPost_Failure_DoesNotNameTheAddress(t *testing.T) {
	t.Parallel()
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	for _, address := range []string{
		closed.URL + "/?key=secret", "http://user:secret@127.0.0.1:99999/", "ftp://secret.example/", "http://%zz/secret", "/secret", "http:///secret",
	} {
		answer, err := receiver.New(true).Post(t.Context(), webhook.Message{URL: address})
		require.Error(t, err, address)
		require.NotContains(t, err.Error(), "secret", address)
		require.Zero(t, answer, address)
	}
}
