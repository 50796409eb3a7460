// Package collector takes traces as an OTLP collector does, for tests to look at.
package collector

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// Span is a part of a trace; Text holds its attributes that are texts.
type Span struct {
	TraceID, SpanID, ParentSpanID, Name string
	Text                                map[string]string
}

// Collector stores the telemetry that it receives.
type Collector struct {
	*httptest.Server

	mu     sync.Mutex
	bodies [][]byte
}

// New starts a collector that lives as long as the test.
func New(tb testing.TB) *Collector {
	tb.Helper()
	c := &Collector{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.bodies = append(c.bodies, body)
	}))
	tb.Cleanup(c.Close)
	return c
}

// Raw is everything that came in, as it came.
func (c *Collector) Raw() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := []byte{}
	for _, body := range c.bodies {
		all = append(append(all, body...), '\n')
	}
	return string(all)
}

// Spans are all that came in, in the order in which they came.
func (c *Collector) Spans(tb testing.TB) []Span {
	tb.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	var list []Span
	for _, body := range c.bodies {
		var sent struct {
			ResourceSpans []struct {
				ScopeSpans []struct {
					Spans []struct {
						Span

						Attributes []struct {
							Key   string
							Value struct{ StringValue string }
						}
					}
				}
			}
		}
		require.NoError(tb, json.Unmarshal(body, &sent), "%s", body)
		for _, s := range sent.ResourceSpans[0].ScopeSpans[0].Spans {
			s.Text = map[string]string{}
			for _, a := range s.Attributes {
				s.Text[a.Key] = a.Value.StringValue
			}
			list = append(list, s.Span)
		}
	}
	return list
}
