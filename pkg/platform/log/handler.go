package log

import (
	"context"
	"log/slog"
	"slices"
)

// handler masks secrets, converts times to UTC, and flushes the buffer after lines that must not be lost. Doing the same
// with slog's ReplaceAttr would cost an allocation per attribute.
type handler struct {
	slog.Handler

	buffer *Buffer // may be nil
}

// Handle writes the line.
func (h handler) Handle(ctx context.Context, r slog.Record) error {
	r.Time = r.Time.UTC()
	mask := false
	r.Attrs(func(a slog.Attr) bool {
		mask = mayTellCause(a)
		return !mask
	})
	if mask {
		masked := slog.NewRecord(r.Time, r.Level, r.Message, r.PC)
		r.Attrs(func(a slog.Attr) bool {
			masked.AddAttrs(maskCause(a))
			return true
		})
		r = masked
	}
	err := h.Handler.Handle(ctx, r)
	if h.buffer != nil && r.Level >= slog.LevelWarn {
		return h.buffer.Flush()
	}
	return err // slog ignores it
}

// WithAttrs adds the attributes to every line.
func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	attrs = slices.Clone(attrs)
	for i, a := range attrs {
		attrs[i] = maskCause(a)
	}
	h.Handler = h.Handler.WithAttrs(attrs)
	return h
}

// WithGroup opens a group for the attributes that follow.
func (h handler) WithGroup(name string) slog.Handler {
	h.Handler = h.Handler.WithGroup(name)
	return h
}
