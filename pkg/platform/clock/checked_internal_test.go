package clock

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// at returns an instant some time after noon on a machine that is ahead.
func at(after, ahead time.Duration) instant {
	noon := time.Date(2026, time.November, 2, 6, 30, 0, 0, time.UTC)
	return instant{wall: noon.Add(after + ahead), passed: time.Hour + after}
}

// told returns the right time of an instant.
func told(after time.Duration) time.Time { return at(after, 0).wall }

func TestChecked_WithinTolerance_CorrectsNothing(t *testing.T) {
	t.Parallel()
	var c checked
	require.Zero(t, c.ahead(at(0, time.Hour)), "before the first comparison")
	for _, ahead := range []time.Duration{0, Tolerance, -Tolerance, 300 * time.Millisecond} {
		require.Zero(t, c.compare(told(0), at(0, ahead), at(0, ahead)))
		require.Zero(t, c.ahead(at(24*time.Hour, ahead)))
	}
}

func TestChecked_BeyondTolerance_CorrectsTheDifference(t *testing.T) {
	t.Parallel()
	for _, ahead := range []time.Duration{2 * time.Hour, -10 * time.Minute, Tolerance + time.Millisecond} {
		var c checked
		require.Equal(t, ahead, c.compare(told(0), at(0, ahead), at(0, ahead)))
		require.Equal(t, ahead, c.ahead(at(time.Minute, ahead)))
		require.Zero(t, c.compare(told(2*time.Minute), at(2*time.Minute, 0), at(2*time.Minute, 0)), "it is right again once the clocks agree")
	}
}

// A difference within Tolerance corrects nothing, but is reported.
func TestDifference_WithinTolerance_IsReported(t *testing.T) {
	t.Parallel()
	var c checked
	_, ok := c.difference(at(0, time.Hour))
	require.False(t, ok, "before the first comparison")
	for _, ahead := range []time.Duration{300 * time.Millisecond, -Tolerance, -10 * time.Minute} {
		c.compare(told(0), at(0, ahead), at(0, ahead))
		by, ok := c.difference(at(time.Minute, ahead))
		require.True(t, ok)
		require.Equal(t, ahead, by)
		by, _ = c.difference(at(time.Minute, ahead+time.Hour))
		require.Equal(t, ahead+time.Hour, by, "a step shows at once")
	}
}

// In the second until the next comparison, the wrong time must not be used.
func TestAhead_ClockIsSet_ShowsTheStepAtOnce(t *testing.T) {
	t.Parallel()
	for _, step := range []time.Duration{2 * time.Hour, -10 * time.Minute} {
		var c checked
		require.Zero(t, c.compare(told(0), at(0, 0), at(0, 0)))
		require.Equal(t, step, c.ahead(at(time.Millisecond, step)))
		require.Zero(t, c.ahead(at(time.Second, 0)), "and it is gone when the clock is set back")
	}
}

func TestCompare_SlowAnswer_IsIgnored(t *testing.T) {
	t.Parallel()
	var c checked
	require.Zero(t, c.compare(told(time.Hour), at(0, 0), at(Tolerance+time.Second, 0)))
	require.Zero(t, c.ahead(at(0, 0)))
	require.Equal(t, time.Hour, c.compare(told(500*time.Millisecond), at(0, time.Hour), at(time.Second, time.Hour)), "half of the way is assumed")
}

// A clock that is set between the question and the answer does not deceive the comparison.
func TestCompare_ClockIsSetDuringIt_ShowsTheStep(t *testing.T) {
	t.Parallel()
	var c checked
	require.Equal(t, time.Hour, c.compare(told(0), at(0, 0), at(0, time.Hour)))
}

// This is the only test of the instance shared by the process: a second one could see the result of this one's comparison.
func TestSystem_MachinesClockIsWrong_ReturnsTheDatabasesTime(t *testing.T) { //nolint:paralleltest // it moves the clock of the process
	t.Cleanup(func() { machine.last.Store(nil) })
	now := time.Now()
	require.InDelta(t, -time.Hour, Compare(now.Add(time.Hour), now, now), float64(time.Second))
	require.InDelta(t, -time.Hour, Ahead(), float64(time.Second))
	by, ok := Difference()
	require.True(t, ok)
	require.InDelta(t, -time.Hour, by, float64(time.Second))
	require.WithinDuration(t, now.Add(time.Hour), Real(), time.Minute)
	require.WithinDuration(t, now.Add(time.Hour), System{}.Now(), time.Minute)
	require.Zero(t, Compare(time.Now(), time.Now(), time.Now()))
	require.WithinDuration(t, time.Now(), System{}.Now(), time.Minute)
}
