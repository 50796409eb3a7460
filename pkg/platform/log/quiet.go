package log

import (
	"context"
	"log/slog"
	"strings"
)

// Quiet returns a logger for a library: it drops lines below the level, and lines whose message ends with one of the
// endings because we log their cause ourselves.
func Quiet(logger *slog.Logger, least slog.Level, endings ...string) *slog.Logger {
	return slog.New(quiet{Handler: logger.Handler(), least: least, endings: endings})
}

type quiet struct {
	slog.Handler

	least   slog.Level
	endings []string
}

// Enabled reports whether lines at the level are written.
func (q quiet) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= q.least && q.Handler.Enabled(ctx, level)
}

// Handle writes the line unless we log its cause ourselves.
func (q quiet) Handle(ctx context.Context, r slog.Record) error {
	for _, ending := range q.endings {
		if strings.HasSuffix(r.Message, ending) {
			return nil
		}
	}
	return q.Handler.Handle(ctx, r) // slog ignores it
}

// WithAttrs adds the attributes to every line.
func (q quiet) WithAttrs(attrs []slog.Attr) slog.Handler {
	q.Handler = q.Handler.WithAttrs(attrs)
	return q
}

// WithGroup opens a group for the attributes that follow.
func (q quiet) WithGroup(name string) slog.Handler {
	q.Handler = q.Handler.WithGroup(name)
	return q
}
