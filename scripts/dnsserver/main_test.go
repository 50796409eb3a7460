package main

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/dns"
	"github.com/franchise360/franchise360/pkg/tenant"
)

// setup serves an empty zone and returns a function that sets records and the resolver the product would use.
func setup(t *testing.T) (tell func(body string) int, resolver *dns.Resolver) {
	t.Helper()
	z := newZone()
	packets, err := net.ListenPacket("udp", "127.0.0.1:0") //nolint:noctx // ends with the test
	require.NoError(t, err)
	go z.answerAll(packets)
	server := httptest.NewServer(z.routes())
	t.Cleanup(func() {
		server.Close()
		_ = packets.Close()
	})
	return func(body string) int {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPut, server.URL+"/records", strings.NewReader(body))
		require.NoError(t, err)
		response, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		return response.StatusCode
	}, dns.New(packets.LocalAddr().String())
}

func TestServer_Record_IsServedUntilRemoved(t *testing.T) {
	t.Parallel()
	tell, resolver := setup(t)
	found, err := resolver.TXT(t.Context(), "_franchise360.shop.example.in")
	require.NoError(t, err)
	require.Empty(t, found)

	require.Equal(t, http.StatusNoContent, tell(`{"name":"_franchise360.Shop.example.in","type":"TXT","values":["proof=1","other"]}`))
	require.Equal(t, http.StatusNoContent, tell(`{"name":"shop.example.in.","type":"A","values":["203.0.113.7"]}`))
	require.Equal(t, http.StatusNoContent, tell(`{"name":"shop.example.in","type":"AAAA","values":["2001:db8::7"]}`))
	found, err = resolver.TXT(t.Context(), "_franchise360.shop.example.in")
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"proof=1", "other"}, found)
	addresses, err := resolver.Addresses(t.Context(), "shop.example.in")
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"203.0.113.7", "2001:db8::7"}, addresses)

	require.Equal(t, http.StatusNoContent, tell(`{"name":"_franchise360.shop.example.in","type":"TXT","values":[]}`))
	found, err = resolver.TXT(t.Context(), "_franchise360.shop.example.in")
	require.NoError(t, err)
	require.Empty(t, found)
}

func TestCAARecords_AreServed(t *testing.T) {
	t.Parallel()
	tell, resolver := setup(t)
	found, err := resolver.CAA(t.Context(), "example.in")
	require.NoError(t, err)
	require.Empty(t, found)
	require.Equal(t, http.StatusNoContent, tell(`{"name":"example.in","type":"CAA","values":["0 issue \"digicert.com\"","128 iodef \"\""]}`))
	found, err = resolver.CAA(t.Context(), "example.in")
	require.NoError(t, err)
	require.Equal(t, []tenant.CAA{{Tag: "issue", Value: "digicert.com"}, {Critical: true, Tag: "iodef"}}, found)
	found, err = resolver.CAA(t.Context(), "shop.example.in")
	require.NoError(t, err)
	require.Empty(t, found, "each name by itself")
	require.Equal(t, http.StatusBadRequest, tell(`{"name":"example.in","type":"CAA","values":["letsencrypt.org"]}`))
}

func TestServer_InvalidRecord_IsRefused(t *testing.T) {
	t.Parallel()
	tell, _ := setup(t)
	for _, body := range []string{
		``, `{}`, `{"name":"shop.example.in","type":"MX","values":[]}`, `{"name":"shop.example.in","type":"A","values":["::1"]}`,
		`{"name":"shop.example.in","type":"AAAA","values":["127.0.0.1"]}`, `{"name":"shop.example.in","type":"A","values":["here"]}`,
		`{"name":"x.in","type":"TXT","values":["` + strings.Repeat("x", 256) + `"]}`,
	} {
		require.Equal(t, http.StatusBadRequest, tell(body), body)
	}
}

func TestListRecords_AfterPut_ReturnsRecordsByName(t *testing.T) {
	t.Parallel()
	z := newZone()
	list := func() string {
		w := httptest.NewRecorder()
		z.routes().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/records", nil))
		require.Equal(t, http.StatusOK, w.Code)
		return w.Body.String()
	}
	require.JSONEq(t, `[]`, list())
	require.NoError(t, z.put(record{Name: "shop.example.in", Type: "A", Values: []string{"127.0.0.1"}}))
	require.NoError(t, z.put(record{Name: "a.example.in", Type: "TXT", Values: []string{"proof=1"}}))
	require.JSONEq(t, `[{"name":"a.example.in","type":"TXT","values":["proof=1"]},
		{"name":"shop.example.in","type":"A","values":["127.0.0.1"]}]`, list())
}
