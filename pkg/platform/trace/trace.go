// Package trace follows a request through its transactions, statements, jobs and provider calls, using OpenTelemetry's SDK.
// Unrecorded work costs next to nothing. Spans contain no personal data or secrets.
package trace

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	oteltrace "go.opentelemetry.io/otel/trace"
)

const (
	scope = "github.com/franchise360/franchise360/pkg/platform/trace"
	// closeTimeout limits how long a stopping process waits to send the remaining spans.
	closeTimeout = 3 * time.Second
	// header is the W3C Trace Context header that propagates a trace.
	header = "traceparent"
)

// Options configures where traces are sent and which are recorded.
type Options struct {
	// Service is the process's service.name; OTEL_SERVICE_NAME overrides it.
	Service, Version string
	// Endpoint is the OTLP collector's HTTP address; if empty, nothing is recorded.
	Endpoint string
	// Headers are sent with every call to the collector and may contain its key.
	Headers map[string]string
	// Timeout limits one call to the collector.
	Timeout time.Duration
	// Share is the fraction of all traces recorded, from 0 to 1. Spans follow the decision of their trace's root.
	Share float64
}

// Tracer starts traces. Its zero value and nil record nothing.
type Tracer struct {
	provider *sdktrace.TracerProvider
	tracer   oteltrace.Tracer
}

// New returns a tracer that sends spans in the background, or, without an endpoint, a tracer that records nothing. The SDK itself reads
// OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES, OTEL_BSP_* and OTEL_SPAN_*.
func New(ctx context.Context, o Options, logger *slog.Logger) (*Tracer, error) {
	if o.Endpoint == "" {
		return &Tracer{}, nil
	}
	about, err := resource.New(ctx,
		resource.WithAttributes(attribute.String("service.name", o.Service), attribute.String("service.version", o.Version)),
		resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	sampler := sdktrace.ParentBased(sdktrace.TraceIDRatioBased(o.Share))
	provider := sdktrace.NewTracerProvider(
		sdktrace.WithResource(about), sdktrace.WithSampler(sampler), sdktrace.WithBatcher(newExporter(o, logger)))
	return &Tracer{provider: provider, tracer: provider.Tracer(scope)}, nil
}

// Close sends the remaining spans, within closeTimeout, even if ctx has ended.
func (t *Tracer) Close(ctx context.Context) {
	if t == nil || t.provider == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
	defer cancel()
	_ = t.provider.Shutdown(ctx) // the exporter logs what it could not send
}

// BeginRequest starts the trace of a request. A trace sent by the caller is not continued: callers are the public, and could choose which
// requests are recorded and under which trace.
func (t *Tracer) BeginRequest(ctx context.Context, name string) (context.Context, Span) {
	return t.begin(ctx, name, oteltrace.SpanKindServer)
}

// BeginJob starts the span of a job attempt, in the trace of the work that queued it if its Traceparent was stored.
func (t *Tracer) BeginJob(ctx context.Context, name, traceparent string) (context.Context, Span) {
	return t.begin(Continue(ctx, traceparent), name, oteltrace.SpanKindConsumer)
}

func (t *Tracer) begin(ctx context.Context, name string, kind oteltrace.SpanKind) (context.Context, Span) {
	if t == nil || t.tracer == nil {
		return ctx, Span{}
	}
	ctx, span := t.tracer.Start(ctx, name, oteltrace.WithSpanKind(kind))
	return ctx, Span{span}
}

// Traceparent returns the trace of ctx in the form stored with a job, or "".
func Traceparent(ctx context.Context) string {
	if !oteltrace.SpanContextFromContext(ctx).IsValid() {
		return ""
	}
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	return carrier[header]
}

// Continue returns a context that continues the given trace, or ctx itself if traceparent is empty.
func Continue(ctx context.Context, traceparent string) context.Context {
	if traceparent == "" {
		return ctx
	}
	return propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{header: traceparent})
}

// ID returns the id of ctx's trace, or "".
func ID(ctx context.Context) string {
	if of := oteltrace.SpanContextFromContext(ctx); of.IsValid() {
		return of.TraceID().String()
	}
	return ""
}

// Recording reports whether ctx belongs to a recorded trace; otherwise Start does nothing.
func Recording(ctx context.Context) bool { return oteltrace.SpanFromContext(ctx).IsRecording() }

// Start starts a span for an external call, in the trace of ctx. If that is not recorded it does nothing.
func Start(ctx context.Context, name string) (context.Context, Span) {
	parent := oteltrace.SpanFromContext(ctx)
	if !parent.IsRecording() {
		return ctx, Span{}
	}
	ctx, span := parent.TracerProvider().Tracer(scope).Start(ctx, name, oteltrace.WithSpanKind(oteltrace.SpanKindClient))
	return ctx, Span{span}
}

// Span is a part of a trace. The zero value accepts all calls and records nothing.
type Span struct{ span oteltrace.Span }

// Recorded reports whether the span is being recorded.
func (s Span) Recorded() bool { return s.span != nil && s.span.IsRecording() }

// Name renames the span once more is known than at its start.
func (s Span) Name(name string) {
	if s.span != nil {
		s.span.SetName(name)
	}
}

// Text adds a string attribute, which must not be personal or secret.
func (s Span) Text(key, value string) {
	if s.span != nil {
		s.span.SetAttributes(attribute.String(key, value))
	}
}

// Number adds an integer attribute.
func (s Span) Number(key string, value int64) {
	if s.span != nil {
		s.span.SetAttributes(attribute.Int64(key, value))
	}
}

// Fail marks the span as failed with the kind of failure, never its text, which may contain anything.
func (s Span) Fail(kind string) {
	if s.span != nil {
		s.span.SetStatus(codes.Error, kind)
		s.span.SetAttributes(attribute.String("error.type", kind))
	}
}

// End ends the span.
func (s Span) End() {
	if s.span != nil {
		s.span.End()
	}
}

// In returns ctx with the span as the parent of spans started in it.
func (s Span) In(ctx context.Context) context.Context {
	if s.span == nil {
		return ctx
	}
	return oteltrace.ContextWithSpan(ctx, s.span)
}
