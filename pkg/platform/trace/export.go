package trace

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	oteltrace "go.opentelemetry.io/otel/trace"
)

// exporter sends spans to an OTLP collector, as JSON over HTTP (OTLP 1.x, "OTLP/HTTP", "JSON Protobuf Encoding"). Spans it
// cannot send are dropped: traces are not worth the memory of a backlog.
type exporter struct {
	o      Options
	client *http.Client
	logger *slog.Logger
	// lost counts the spans dropped since the collector last accepted any.
	lost atomic.Int64
}

func newExporter(o Options, logger *slog.Logger) *exporter {
	return &exporter{o: o, logger: logger, client: &http.Client{
		Timeout:       o.Timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// ExportSpans sends a batch. A failure is logged, once until the collector responds again, and never returned, because the
// SDK would print it outside our log.
func (e *exporter) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	if len(spans) == 0 {
		return nil
	}
	if err := e.send(ctx, spans); err != nil {
		if e.lost.Add(int64(len(spans))) == int64(len(spans)) {
			e.logger.WarnContext(ctx, "traces not sent", slog.Int("spans", len(spans)), slog.String("error", err.Error()))
		}
		return nil
	}
	if lost := e.lost.Swap(0); lost > 0 {
		e.logger.InfoContext(ctx, "traces sent again", slog.Int64("spans_lost", lost))
	}
	return nil
}

// Shutdown closes the idle connections.
func (e *exporter) Shutdown(context.Context) error {
	e.client.CloseIdleConnections()
	return nil
}

func (e *exporter) send(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	body, err := json.Marshal(payloadOf(spans))
	if err != nil {
		return fmt.Errorf("encode spans: %w", err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, e.o.Endpoint, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("ask the collector: %w", err)
	}
	for name, value := range e.o.Headers {
		request.Header.Set(name, value)
	}
	request.Header.Set("Content-Type", "application/json")
	answer, err := e.client.Do(request)
	if err != nil {
		return fmt.Errorf("ask the collector: %w", err)
	}
	defer func() { _ = answer.Body.Close() }()
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, 64<<10)) // so that the connection can be reused
	if answer.StatusCode >= http.StatusMultipleChoices {
		return fmt.Errorf("the collector answered %s", answer.Status)
	}
	return nil
}

type (
	payload struct {
		ResourceSpans []resourceSpans `json:"resourceSpans"`
	}
	resourceSpans struct {
		Resource   described    `json:"resource"`
		ScopeSpans []scopeSpans `json:"scopeSpans"`
	}
	described struct {
		Attributes []keyValue `json:"attributes"`
	}
	scopeSpans struct {
		Scope named  `json:"scope"`
		Spans []span `json:"spans"`
	}
	named struct {
		Name string `json:"name"`
	}
	span struct {
		TraceID    string             `json:"traceId"`
		SpanID     string             `json:"spanId"`
		ParentID   string             `json:"parentSpanId,omitempty"`
		Flags      uint32             `json:"flags"`
		Name       string             `json:"name"`
		Kind       oteltrace.SpanKind `json:"kind"` // the SDK uses OTLP's numbers
		Start      string             `json:"startTimeUnixNano"`
		End        string             `json:"endTimeUnixNano"`
		Attributes []keyValue         `json:"attributes,omitempty"`
		Dropped    int                `json:"droppedAttributesCount,omitempty"`
		Status     struct {
			Code    int    `json:"code,omitempty"`
			Message string `json:"message,omitempty"`
		} `json:"status"`
	}
	keyValue struct {
		Key   string         `json:"key"`
		Value map[string]any `json:"value"`
	}
)

func payloadOf(spans []sdktrace.ReadOnlySpan) payload {
	list := make([]span, 0, len(spans))
	for _, s := range spans {
		list = append(list, spanOf(s))
	}
	return payload{ResourceSpans: []resourceSpans{{ // one process, one resource
		Resource:   described{Attributes: attributesOf(spans[0].Resource().Attributes())},
		ScopeSpans: []scopeSpans{{Scope: named{Name: scope}, Spans: list}},
	}}}
}

func spanOf(s sdktrace.ReadOnlySpan) span {
	out := span{
		TraceID: s.SpanContext().TraceID().String(), SpanID: s.SpanContext().SpanID().String(),
		Flags: uint32(s.SpanContext().TraceFlags()), Name: s.Name(), Kind: s.SpanKind(),
		Start: nanos(s.StartTime()), End: nanos(s.EndTime()),
		Attributes: attributesOf(s.Attributes()), Dropped: s.DroppedAttributes(),
	}
	if s.Parent().IsValid() {
		out.ParentID = s.Parent().SpanID().String()
	}
	const failed = 2 // STATUS_CODE_ERROR; the SDK uses different numbers
	if s.Status().Code == codes.Error {
		out.Status.Code, out.Status.Message = failed, s.Status().Description
	}
	return out
}

func nanos(t time.Time) string { return strconv.FormatInt(t.UnixNano(), 10) }

// attributesOf encodes 64-bit integers as strings, as the encoding requires. Lists occur only in the resource and are
// encoded as strings.
func attributesOf(list []attribute.KeyValue) []keyValue {
	out := make([]keyValue, 0, len(list))
	for _, a := range list {
		value := map[string]any{}
		switch a.Value.Type() {
		case attribute.INT64:
			value["intValue"] = strconv.FormatInt(a.Value.AsInt64(), 10)
		case attribute.BOOL:
			value["boolValue"] = a.Value.AsBool()
		case attribute.FLOAT64:
			value["doubleValue"] = a.Value.AsFloat64()
		default:
			value["stringValue"] = a.Value.String()
		}
		out = append(out, keyValue{Key: string(a.Key), Value: value})
	}
	return out
}
