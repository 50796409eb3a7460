package config

import (
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Traces configures where traces are sent, using OpenTelemetry's own settings; without an Endpoint no traces are sent.
type Traces struct {
	// Endpoint receives traces as JSON over HTTP (OTLP).
	Endpoint string
	Headers  map[string]string
	Timeout  time.Duration
	// Share is the fraction of traces recorded, from 0 to 1.
	Share float64
}

// tracesTimeout is the default in OpenTelemetry's specification.
const tracesTimeout = 10 * time.Second

// traces reads the settings defined by OpenTelemetry's specification ("OpenTelemetry Protocol Exporter", "Environment
// Variable Specification"). The sampler is always parentbased_traceidratio.
func (r *reader) traces() Traces {
	t := Traces{Timeout: tracesTimeout, Headers: r.otelPairs("OTEL_EXPORTER_OTLP_HEADERS")}
	if base := r.getenv("OTEL_EXPORTER_OTLP_ENDPOINT"); base != "" {
		t.Endpoint = strings.TrimRight(base, "/") + "/v1/traces"
	}
	if u, err := url.Parse(t.Endpoint); t.Endpoint != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https") {
		r.fail("OTEL_EXPORTER_OTLP_ENDPOINT", "want an address as http://127.0.0.1:4318")
	}
	var err error
	if t.Share, err = strconv.ParseFloat(r.or("OTEL_TRACES_SAMPLER_ARG", "1"), 64); err != nil || !(t.Share >= 0 && t.Share <= 1) {
		r.fail("OTEL_TRACES_SAMPLER_ARG", "want a number from 0 to 1")
	}
	return t
}

// otelPairs parses pairs such as api-key=abc,x=y, whose values are URL-encoded.
func (r *reader) otelPairs(name string) map[string]string {
	pairs := map[string]string{}
	for _, pair := range split(r.getenv(name)) {
		key, value, found := strings.Cut(pair, "=")
		value, err := url.PathUnescape(strings.TrimSpace(value))
		if key = strings.TrimSpace(key); !found || key == "" || err != nil {
			r.fail(name, "want pairs as key=value, separated by commas")
			continue
		}
		pairs[key] = value
	}
	return pairs
}
