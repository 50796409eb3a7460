package main

import (
	"context"
	"errors"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"github.com/franchise360/franchise360/pkg/platform/metrics"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/trace"
)

// timed records the duration and outcome of each attempt at a job, for the metrics and in the trace of the request that enqueued it.
type timed struct {
	river.MiddlewareDefaults

	metrics *metrics.Metrics
	traces  *trace.Tracer
}

// Work works the job.
func (t *timed) Work(ctx context.Context, j *rivertype.JobRow, work func(context.Context) error) error {
	began, outcome := time.Now(), "panicked" //nolint:forbidigo // how long an attempt took is no business time
	ctx, span := t.traces.BeginJob(ctx, "job "+j.Kind, queue.Traceparent(j.Metadata))
	defer func() {
		t.metrics.Job(j.Kind, outcome, time.Since(began))
		endSpan(span, j, outcome)
	}()
	err := work(ctx)
	outcome = outcomeOf(err)
	return inRealTime(queue.ByCause(err))
}

func endSpan(span trace.Span, j *rivertype.JobRow, outcome string) {
	span.Text("job.kind", j.Kind)
	span.Number("job.id", j.ID)
	span.Number("job.attempt", int64(j.Attempt))
	span.Text("job.queue", j.Queue)
	span.Text("job.outcome", outcome)
	if outcome == "failed" || outcome == "panicked" {
		span.Fail(outcome)
	}
	span.End()
}

func outcomeOf(err error) string {
	if _, cancelled := errors.AsType[*rivertype.JobCancelError](err); cancelled {
		return "cancelled"
	}
	if _, snoozed := errors.AsType[*rivertype.JobSnoozeError](err); snoozed {
		return "waits"
	}
	if err != nil {
		return "failed"
	}
	return "done"
}
