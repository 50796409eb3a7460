package clock_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/clock"
)

func TestIST_IsFiveAndAHalfHoursAheadAllYear(t *testing.T) {
	t.Parallel()
	for utc, day := range map[string]string{
		"2027-03-31T18:29:59Z": "2027-03-31", // the last second of a financial year
		"2027-03-31T18:30:00Z": "2027-04-01",
		"2026-07-01T18:29:59Z": "2026-07-01", // no daylight saving
		"2026-12-31T18:30:00Z": "2027-01-01",
		"2028-02-28T18:30:00Z": "2028-02-29",
	} {
		at, err := time.Parse(time.RFC3339, utc)
		require.NoError(t, err)
		require.Equal(t, day, at.In(clock.IST).Format(time.DateOnly), utc)
	}
}

// A time must be unchanged after a round trip through Postgres.
func TestClocks_ReturnUTCInMicroseconds(t *testing.T) {
	t.Parallel()
	var shifted clock.Shifted
	shifted.SetOffset(90 * time.Minute)
	odd := time.Date(2026, time.November, 2, 10, 0, 0, 123_456_789, clock.IST)
	for name, c := range map[string]clock.Clock{"system": clock.System{}, "shifted": &shifted, "fake": clock.NewFake(odd)} {
		now := c.Now()
		require.Equal(t, time.UTC, now.Location(), name)
		require.Equal(t, now.Truncate(time.Microsecond), now, name)
	}
	require.Equal(t, "2026-11-02T04:30:00.123456Z", clock.NewFake(odd).Now().Format(time.RFC3339Nano))
}

func TestShifted_RunsAheadByItsOffset(t *testing.T) {
	t.Parallel()
	var c clock.Shifted
	require.Zero(t, c.Offset())
	require.WithinDuration(t, clock.System{}.Now(), c.Now(), time.Minute)
	c.SetOffset(365 * 24 * time.Hour)
	require.Equal(t, 365*24*time.Hour, c.Offset())
	require.WithinDuration(t, clock.System{}.Now().AddDate(0, 0, 365), c.Now(), time.Minute)
	c.SetOffset(0)
	require.WithinDuration(t, clock.System{}.Now(), c.Now(), time.Minute, "an offset replaces the one before")
}

func TestFake_StopsUntilItIsMoved(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, time.November, 2, 4, 30, 0, 0, time.UTC)
	c := clock.NewFake(start)
	for range 2 {
		require.Equal(t, start, c.Now())
	}

	var all sync.WaitGroup
	for range 100 {
		all.Go(func() { c.Advance(time.Second) })
	}
	all.Wait()
	require.Equal(t, start.Add(100*time.Second), c.Now(), "no move is lost")
	c.Advance(-time.Hour)
	require.Equal(t, start.Add(100*time.Second-time.Hour), c.Now())
	c.Set(start)
	require.Equal(t, start, c.Now())
}
