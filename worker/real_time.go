package main

import (
	"errors"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"github.com/franchise360/franchise360/pkg/platform/clock"
)

// What follows corrects what River adds to the machine's time without asking queue.RealTime.

// realRetries is River's usual policy in real time.
type realRetries struct {
	usual river.DefaultClientRetryPolicy
}

// NextRetry returns when the job is tried again.
func (r *realRetries) NextRetry(j *rivertype.JobRow) time.Time {
	return r.usual.NextRetry(j).Add(-clock.Ahead())
}

// inRealTime returns the error of an attempt, in which River adds a wait to the machine's time.
func inRealTime(err error) error {
	return waitFrom(err, clock.Ahead())
}

// waitFrom makes a wait that is added to a time that is ahead one of the real time.
func waitFrom(err error, ahead time.Duration) error {
	if snoozed, ok := errors.AsType[*rivertype.JobSnoozeError](err); ok && ahead != 0 {
		return &rivertype.JobSnoozeError{Duration: snoozed.Duration - ahead}
	}
	return err
}
