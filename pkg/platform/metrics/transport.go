package metrics

import (
	"net/http"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/trace"
)

// Transport times calls to a provider and records them in their traces. The outcome is ok, refused (4xx), failed (5xx) or
// unreachable.
func (m *Metrics) Transport(provider string, next http.RoundTripper) http.RoundTripper {
	return transport{metrics: m, provider: provider, next: trace.Transport(provider, next)}
}

type transport struct {
	metrics  *Metrics
	provider string
	next     http.RoundTripper
}

// RoundTrip sends the request and records the time to its response headers.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	began := time.Now() //nolint:forbidigo // elapsed time, not business time
	answer, err := t.next.RoundTrip(r)
	outcome := "ok"
	switch {
	case err != nil:
		outcome = "unreachable"
	case answer.StatusCode >= http.StatusInternalServerError:
		outcome = "failed"
	case answer.StatusCode >= http.StatusBadRequest:
		outcome = "refused"
	}
	t.metrics.Provider(t.provider, outcome, time.Since(began))
	return answer, err // passes the transport's error through
}

// Provider records a call to a provider.
func (m *Metrics) Provider(provider, outcome string, took time.Duration) {
	m.providers.WithLabelValues(provider, outcome).Observe(took.Seconds())
}
