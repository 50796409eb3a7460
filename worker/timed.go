package main

import (
	"context"
	"errors"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"github.com/franchise360/franchise360/pkg/platform/metrics"
)

// timed notes how long each attempt at a job took and what came of it.
type timed struct {
	river.MiddlewareDefaults

	metrics *metrics.Metrics
}

// Work works the job.
func (t *timed) Work(ctx context.Context, j *rivertype.JobRow, work func(context.Context) error) error {
	began, outcome := time.Now(), "panicked" //nolint:forbidigo // how long an attempt took is no business time
	defer func() { t.metrics.Job(j.Kind, outcome, time.Since(began)) }()
	err := work(ctx)
	outcome = outcomeOf(err)
	return err
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
