package queue

import (
	"time"

	"github.com/franchise360/franchise360/pkg/platform/clock"
)

// RealTime is River's clock. River decides by the database's clock when a job is due, and by the machine's when it is to be; its
// drivers even write the machine's where they are told no time. RealTime makes the two the same where the machine's is wrong: on one
// that is two hours ahead, a job that is due now would wait for two hours.
type RealTime struct{}

// Now returns the real time.
func (RealTime) Now() time.Time { return clock.Real() }

// NowOrNil returns the real time where the machine's clock is wrong. Elsewhere it returns nil, by which River uses the database's in
// most places.
func (RealTime) NowOrNil() *time.Time {
	if clock.Ahead() == 0 {
		return nil
	}
	now := clock.Real().UTC()
	return &now
}
