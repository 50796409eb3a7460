package postgres

import (
	"context"
	"errors"
	"strings"

	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/platform/trace"
)

// span starts a statement's span within its transaction. If nothing is recorded, it costs one context lookup.
func (c *preparingConn) span(ctx context.Context, statement string) trace.Span {
	if !trace.Recording(ctx) {
		return trace.Span{}
	}
	if c.whole.Recorded() {
		ctx = c.whole.In(ctx)
	}
	text := trace.Statement(statement)
	operation, _, _ := strings.Cut(text, " ")
	_, span := trace.Start(ctx, strings.ToUpper(operation))
	span.Text("db.system.name", "postgresql")
	span.Text("db.query.text", text)
	return span
}

// end ends the span. For a failure it records only the SQLSTATE: the error text may contain row data.
func end(span trace.Span, err error) {
	if err != nil && span.Recorded() {
		kind := "connection"
		if refused, ok := errors.AsType[*pq.Error](err); ok {
			kind = string(refused.Code)
		}
		span.Fail(kind)
	}
	span.End()
}

// endWhole ends the transaction's span.
func (c *preparingConn) endWhole() {
	c.whole.End()
	c.whole = trace.Span{}
}
