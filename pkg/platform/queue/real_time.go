package queue

import (
	"time"

	"github.com/franchise360/franchise360/pkg/platform/clock"
)

// RealTime is River's clock. River decides by the database's clock whether a job is due, and by the machine's clock when it will be; its
// drivers write the machine's time if they are given no time. RealTime corrects the machine's time: on a machine that is two hours ahead, a
// job due now would otherwise wait for two hours.
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
