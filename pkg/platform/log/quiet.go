package log

import (
	"context"
	"log/slog"
	"strings"
)

// Quiet returns the logger without what a library says below the level, and without its lines whose message ends with one of
// the endings: those whose cause we log ourselves.
func Quiet(logger *slog.Logger, least slog.Level, endings ...string) *slog.Logger {
	return slog.New(quiet{Handler: logger.Handler(), least: least, endings: endings})
}

type quiet struct {
	slog.Handler

	least   slog.Level
	endings []string
}

// Enabled says whether anything of the level is written.
func (q quiet) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= q.least && q.Handler.Enabled(ctx, level)
}

// Handle writes the line unless it is one that we write ourselves.
func (q quiet) Handle(ctx context.Context, r slog.Record) error {
	for _, ending := range q.endings {
		if strings.HasSuffix(r.Message, ending) {
			return nil
		}
	}
	return q.Handler.Handle(ctx, r) // slog ignores it
}

// WithAttrs keeps the attributes for every line.
func (q quiet) WithAttrs(attrs []slog.Attr) slog.Handler {
	q.Handler = q.Handler.WithAttrs(attrs)
	return q
}

// WithGroup puts what follows into a group.
func (q quiet) WithGroup(name string) slog.Handler {
	q.Handler = q.Handler.WithGroup(name)
	return q
}
