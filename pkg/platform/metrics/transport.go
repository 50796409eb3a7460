package metrics

import (
	"net/http"
	"time"
)

// Transport times the calls to a provider. What comes of one is ok, refused (4xx), failed (5xx) or unreachable.
func (m *Metrics) Transport(provider string, next http.RoundTripper) http.RoundTripper {
	return transport{metrics: m, provider: provider, next: next}
}

type transport struct {
	metrics  *Metrics
	provider string
	next     http.RoundTripper
}

// RoundTrip sends the request and notes how long its answer took to begin.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	began := time.Now() //nolint:forbidigo // how long a call took is no business time
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
	return answer, err // stands for the transport below
}

// Provider notes a call to a provider.
func (m *Metrics) Provider(provider, outcome string, took time.Duration) {
	m.providers.WithLabelValues(provider, outcome).Observe(took.Seconds())
}
