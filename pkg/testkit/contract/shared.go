package contract

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// shared is the repository's own contract, loaded once per test binary; parallel tests record their calls in it.
//
//nolint:gochecknoglobals // coverage is a fact about the whole test binary
var shared = sync.OnceValues(func() (*Document, error) {
	path, err := Find()
	if err != nil {
		return nil, err
	}
	return Open(path)
})

// Shared returns the repository's contract, loaded once per test binary.
func Shared(tb testing.TB) *Document {
	tb.Helper()
	document, err := shared()
	require.NoError(tb, err)
	return document
}

// Transport wraps next so that every exchange of an http.Client is checked against the contract; paths with a prefix in
// skip, such as /docs, are not checked. A violation fails the test and the exchange continues.
func Transport(tb testing.TB, next http.RoundTripper, skip ...string) http.RoundTripper {
	tb.Helper()
	if next == nil {
		next = http.DefaultTransport
	}
	return &transport{tb: tb, next: next, document: Shared(tb), skip: skip}
}

type transport struct {
	tb       testing.TB
	next     http.RoundTripper
	document *Document
	skip     []string
}

// RoundTrip sends the request, reads the whole response, checks both and returns the response with its body unread.
func (tr *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := tr.next.RoundTrip(req)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", req.Method, req.URL.Path, err)
	}
	body, err := io.ReadAll(resp.Body)
	if closeErr := resp.Body.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return nil, fmt.Errorf("read the answer to %s %s: %w", req.Method, req.URL.Path, err)
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	for _, prefix := range tr.skip {
		if strings.HasPrefix(req.URL.Path, prefix) {
			return resp, nil
		}
	}
	if err := tr.document.Check(req, resp, body); err != nil {
		tr.tb.Errorf("contract: %v", err)
	}
	return resp, nil
}

// Main runs a package's tests and fails if, in a full run, an operation was never seen to succeed; call it from
// TestMain as os.Exit(contract.Main(m)). except lists operations that another package exercises.
func Main(m *testing.M, except ...string) int {
	code := m.Run()
	if code != 0 || partial() {
		return code
	}
	document, err := shared()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if missing := document.Missing(except...); len(missing) > 0 {
		fmt.Fprintf(os.Stderr, "contract: no test saw these operations succeed: %s\n", strings.Join(missing, ", "))
		return 1
	}
	return 0
}

// partial reports whether tests were deselected.
func partial() bool {
	for _, name := range []string{"test.run", "test.skip", "test.list", "test.fuzz"} {
		if f := flag.Lookup(name); f != nil && f.Value.String() != "" {
			return true
		}
	}
	return false
}

// decode decodes one JSON value and keeps its numbers as written.
func decode(body []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, fmt.Errorf("decode JSON: %w", err)
	}
	if decoder.More() {
		return nil, fmt.Errorf("decode JSON: more than one value")
	}
	return value, nil
}
