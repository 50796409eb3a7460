package main

import (
	"errors"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"github.com/franchise360/franchise360/pkg/platform/clock"
)

// River decides by the database's clock when a job is due, and by the machine's when it is to be. What follows makes the latter the
// same where the machine's is wrong: on one that is two hours ahead, a job that waits for a minute would wait for two hours.

// realTime is River's clock.
type realTime struct{}

// Now returns the real time.
func (realTime) Now() time.Time { return clock.Real() }

// NowOrNil returns nil, so that the database's own time is used where River leaves the choice.
func (realTime) NowOrNil() *time.Time { return nil }

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
