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
	// Share is the fraction of traces recorded, from 0 to 1; Orphan samples each span independently of its parent.
	Share  float64
	Orphan bool
}

const (
	defaultTracesTimeout = 10_000 // milliseconds, the default in OpenTelemetry's specification
	maxTracesTimeout     = 60_000
)

// traces reads the settings defined by OpenTelemetry's specification ("OpenTelemetry Protocol Exporter", "Environment
// Variable Specification").
func (r *reader) traces() Traces {
	t := Traces{
		Endpoint: r.getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"),
		Timeout:  time.Duration(r.between("OTEL_EXPORTER_OTLP_TIMEOUT", defaultTracesTimeout, 1, maxTracesTimeout)) * time.Millisecond,
	}
	name := "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
	if base := r.getenv("OTEL_EXPORTER_OTLP_ENDPOINT"); t.Endpoint == "" && base != "" {
		name, t.Endpoint = "OTEL_EXPORTER_OTLP_ENDPOINT", strings.TrimRight(base, "/")+"/v1/traces"
	}
	if u, err := url.Parse(t.Endpoint); t.Endpoint != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https") {
		r.fail(name, "want an address as http://127.0.0.1:4318")
	}
	if p := r.getenv("OTEL_EXPORTER_OTLP_PROTOCOL"); p != "" && p != "http/json" {
		r.fail("OTEL_EXPORTER_OTLP_PROTOCOL", "want http/json, the only one that is spoken here")
	}
	t.Headers = r.otelPairs("OTEL_EXPORTER_OTLP_HEADERS")
	t.Share, t.Orphan = r.sampler()
	if r.flag("OTEL_SDK_DISABLED") {
		t.Endpoint = ""
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

// sampler reads which traces are recorded; the default is all.
func (r *reader) sampler() (share float64, orphan bool) {
	name := r.or("OTEL_TRACES_SAMPLER", "parentbased_always_on")
	switch strings.TrimPrefix(name, "parentbased_") {
	case "always_on":
		share = 1
	case "always_off":
	case "traceidratio":
		var err error
		share, err = strconv.ParseFloat(r.or("OTEL_TRACES_SAMPLER_ARG", "1"), 64)
		if err != nil || !(share >= 0 && share <= 1) {
			r.fail("OTEL_TRACES_SAMPLER_ARG", "want a number from 0 to 1")
		}
	default:
		r.fail("OTEL_TRACES_SAMPLER", "want always_on, always_off or traceidratio, with or without parentbased_ before it")
	}
	return share, !strings.HasPrefix(name, "parentbased_")
}
