package trace

import (
	"net/http"
	"strconv"
)

// Transport records provider calls in their traces: method, host and status, never path or query, which may contain
// customers' numbers and tokens. The trace is not propagated to the provider.
func Transport(provider string, next http.RoundTripper) http.RoundTripper {
	return transport{provider: provider, next: next}
}

type transport struct {
	provider string
	next     http.RoundTripper
}

// RoundTrip sends the request; the span ends with the response headers.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if !Recording(r.Context()) {
		return t.next.RoundTrip(r) // passes the transport's error through
	}
	ctx, span := Start(r.Context(), t.provider+" "+r.Method)
	defer span.End()
	span.Text("provider", t.provider)
	span.Text("http.request.method", r.Method)
	span.Text("server.address", r.URL.Hostname())
	answer, err := t.next.RoundTrip(r.WithContext(ctx))
	if err != nil {
		span.Fail("unreachable")
		return nil, err // passes the transport's error through
	}
	span.Number("http.response.status_code", int64(answer.StatusCode))
	asked := r.Method == http.MethodHead && answer.StatusCode == http.StatusNotFound // a 404 for an existence check is no failure
	if answer.StatusCode >= http.StatusBadRequest && !asked {
		span.Fail(strconv.Itoa(answer.StatusCode))
	}
	return answer, nil
}
