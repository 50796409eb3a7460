package redis

import (
	"context"
	"errors"

	goredis "github.com/redis/go-redis/v9"

	"github.com/franchise360/franchise360/pkg/platform/trace"
)

// traced records commands in their traces, by name only: keys and values may be personal data.
type traced struct{}

// DialHook leaves dialling unchanged.
func (traced) DialHook(next goredis.DialHook) goredis.DialHook { return next }

// ProcessHook records one command.
func (traced) ProcessHook(next goredis.ProcessHook) goredis.ProcessHook {
	return func(ctx context.Context, cmd goredis.Cmder) error {
		if !trace.Recording(ctx) {
			return next(ctx, cmd)
		}
		ctx, span := trace.Start(ctx, "redis "+cmd.Name())
		defer span.End()
		span.Text("db.system.name", "redis")
		err := next(ctx, cmd)
		if err != nil && !errors.Is(err, goredis.Nil) {
			span.Fail("unavailable")
		}
		return err // passes go-redis's error through
	}
}

// ProcessPipelineHook records a pipeline as one command.
func (traced) ProcessPipelineHook(next goredis.ProcessPipelineHook) goredis.ProcessPipelineHook {
	return func(ctx context.Context, commands []goredis.Cmder) error {
		if !trace.Recording(ctx) {
			return next(ctx, commands)
		}
		ctx, span := trace.Start(ctx, "redis pipeline")
		defer span.End()
		span.Text("db.system.name", "redis")
		span.Number("db.operation.batch.size", int64(len(commands)))
		err := next(ctx, commands)
		if err != nil && !errors.Is(err, goredis.Nil) {
			span.Fail("unavailable")
		}
		return err // passes go-redis's error through
	}
}
