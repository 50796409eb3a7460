package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/trace"
)

// reporter writes every failed attempt to the log; the job's arguments are identifiers and safe to log.
type reporter struct {
	db     *sqlx.DB
	logger *slog.Logger
}

const leaveTimeout = 5 * time.Second

// HandleError logs the error of an attempt and lets River's retry policy decide. An unknown kind of job belongs to a newer release: it is
// left to a newer worker and loses no attempt.
func (r *reporter) HandleError(ctx context.Context, j *rivertype.JobRow, err error) *river.ErrorHandlerResult {
	ctx = trace.Continue(ctx, queue.Traceparent(j.Metadata)) // the line names the trace
	if _, unknown := errors.AsType[*rivertype.UnknownJobKindError](err); unknown {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveTimeout)
		defer cancel()
		leaveErr := queue.LeaveToNewer(ctx, r.db, j.ID, j.Attempt)
		if leaveErr == nil {
			r.logger.WarnContext(ctx, "job left to a newer worker", slog.Int64("job", j.ID), slog.String("kind", j.Kind))
			return nil
		}
		err = errors.Join(err, leaveErr)
	}
	r.logger.WarnContext(ctx, "job failed", slog.Int64("job", j.ID), slog.String("kind", j.Kind),
		slog.Int("attempt", j.Attempt), slog.Int("max_attempts", j.MaxAttempts), log.Error(err))
	return nil
}

// HandlePanic logs the panic of an attempt with its stack; other jobs continue.
func (r *reporter) HandlePanic(ctx context.Context, j *rivertype.JobRow, p any, stack string) *river.ErrorHandlerResult {
	ctx = trace.Continue(ctx, queue.Traceparent(j.Metadata))
	r.logger.ErrorContext(ctx, "job panicked", slog.Int64("job", j.ID), slog.String("kind", j.Kind),
		slog.Int("attempt", j.Attempt), slog.Int("max_attempts", j.MaxAttempts),
		slog.String("panic", fmt.Sprint(p)), slog.String("stack", stack))
	return nil
}
