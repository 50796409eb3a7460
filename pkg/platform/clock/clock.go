// Package clock is the only source of the current time, so that tests and development mode can move it.
package clock

import (
	"sync/atomic"
	"time"
)

// IST is India Standard Time, UTC+05:30 without daylight saving: the zone of every billing date and financial year.
var IST = time.FixedZone("IST", 5*3600+1800) //nolint:gochecknoglobals // a constant that Go cannot declare as one

// Clock returns the current time in UTC, truncated to the microseconds that Postgres stores.
type Clock interface {
	Now() time.Time
}

// System is the machine's clock, or the database's where Compare has found the machine's to be wrong.
type System struct{}

// Now returns the time in UTC.
func (System) Now() time.Time { return Real().UTC().Truncate(time.Microsecond) }

// Shifted is the machine's clock plus an offset that can change at run time; for development only.
type Shifted struct{ offset atomic.Int64 }

// Now returns the machine's time plus the offset, in UTC.
func (s *Shifted) Now() time.Time {
	return System{}.Now().Add(time.Duration(s.offset.Load()))
}

// SetOffset sets how far the clock runs ahead of the machine's.
func (s *Shifted) SetOffset(d time.Duration) { s.offset.Store(int64(d)) }

// Offset returns how far the clock runs ahead of the machine's.
func (s *Shifted) Offset() time.Duration { return time.Duration(s.offset.Load()) }

// Fake is a clock that stands still until moved; for tests.
type Fake struct{ at atomic.Int64 }

// NewFake returns a clock stopped at t.
func NewFake(t time.Time) *Fake {
	f := &Fake{}
	f.Set(t)
	return f
}

// Now returns the time at which the clock is stopped.
func (f *Fake) Now() time.Time { return time.UnixMicro(f.at.Load()).UTC() }

// Set moves the clock to t.
func (f *Fake) Set(t time.Time) { f.at.Store(t.UnixMicro()) }

// Advance moves the clock by d.
func (f *Fake) Advance(d time.Duration) { f.at.Add(d.Microseconds()) }
