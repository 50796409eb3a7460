package log

import (
	"context"
	"log/slog"

	"github.com/franchise360/franchise360/pkg/platform/trace"
)

// traced adds the trace id of its context to each line.
type traced struct{ slog.Handler }

// Handle writes the line.
func (t traced) Handle(ctx context.Context, r slog.Record) error {
	if of := trace.ID(ctx); of != "" {
		r.AddAttrs(slog.String("trace_id", of))
	}
	return t.Handler.Handle(ctx, r) // slog ignores it
}

// WithAttrs adds the attributes to every line.
func (t traced) WithAttrs(attrs []slog.Attr) slog.Handler { return traced{t.Handler.WithAttrs(attrs)} }

// WithGroup opens a group for the attributes that follow.
func (t traced) WithGroup(name string) slog.Handler { return traced{t.Handler.WithGroup(name)} }
