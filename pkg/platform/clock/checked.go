package clock

import (
	"sync/atomic"
	"time"
)

// Tolerance is how far the machine's clock may be from the database's before it counts as wrong: more than clocks that are kept
// by NTP ever differ, and less than matters to anything that has a deadline.
const Tolerance = 2 * time.Second

// instant is a moment on a machine: what its clock told, and the time that had passed since some moment, which no setting of the
// clock changes.
type instant struct {
	wall   time.Time
	passed time.Duration
}

var start = time.Now() //nolint:gochecknoglobals // a moment to measure from

func instantOf(t time.Time) instant { return instant{wall: t.Round(0), passed: t.Sub(start)} }

// checked is a machine's clock that was compared with another machine's.
type checked struct{ last atomic.Pointer[reading] }

// reading is a comparison of both clocks.
type reading struct {
	at    instant
	ahead time.Duration // how far this machine was ahead
}

// compare records the other clock's time between two instants, and returns how far this machine is ahead. An answer that took longer than
// Tolerance is ignored.
func (c *checked) compare(other time.Time, asked, answered instant) time.Duration {
	if took := answered.passed - asked.passed; took <= Tolerance {
		c.last.Store(&reading{at: asked, ahead: asked.wall.Add(took / 2).Sub(other)})
	}
	return c.ahead(answered)
}

// difference returns how far this machine is ahead at an instant, however little; ok is false before the first comparison. A step since
// the last one shows at once, because more or less time has then passed on its clock than has passed.
func (c *checked) difference(now instant) (ahead time.Duration, ok bool) {
	last := c.last.Load()
	if last == nil {
		return 0, false
	}
	step := now.wall.Sub(last.at.wall) - (now.passed - last.at.passed)
	return last.ahead + step, true
}

// ahead returns how far this machine is ahead at an instant; 0 within Tolerance.
func (c *checked) ahead(now instant) time.Duration {
	if ahead, _ := c.difference(now); ahead.Abs() > Tolerance {
		return ahead
	}
	return 0
}

var machine checked //nolint:gochecknoglobals // a process has one machine, with one clock

// Compare gives every System of this process the database's time between two times of the machine's (time.Now), and returns how far the
// machine is ahead; 0 if by no more than Tolerance.
func Compare(database, asked, answered time.Time) time.Duration {
	return machine.compare(database.Round(0), instantOf(asked), instantOf(answered))
}

// Ahead returns how far the machine's clock is ahead of the database's; 0 if by no more than Tolerance, or if they were never
// compared.
func Ahead() time.Duration { return machine.ahead(instantOf(time.Now())) }

// Difference returns how far the machine's clock is ahead of the database's, however little, as it was last compared; ok is false if
// they were never compared. Negative is behind.
func Difference() (ahead time.Duration, ok bool) { return machine.difference(instantOf(time.Now())) }

// Real returns the machine's time, or the database's where the machine's is wrong; then it has no monotonic reading, which would be
// the uncorrected one. Business takes the injected Clock; this is for what happens at a moment whatever the business clock says,
// such as the next attempt at a job.
func Real() time.Time {
	now := time.Now()
	if ahead := machine.ahead(instantOf(now)); ahead != 0 {
		return now.Round(0).Add(-ahead)
	}
	return now
}
