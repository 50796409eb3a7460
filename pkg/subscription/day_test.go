package subscription_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/subscription"
)

func day(s string) subscription.Day {
	at, err := time.ParseInLocation(time.DateOnly, s, clock.IST)
	if err != nil {
		panic(err)
	}
	return subscription.DayOf(at)
}

func TestAddMonths_KeepsTheAnchorDay(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		start  string
		anchor int
		months int
		want   []string
	}{
		{"2027-01-31", 31, 1, []string{"2027-02-28", "2027-03-31", "2027-04-30", "2027-05-31"}},
		{"2028-01-30", 30, 1, []string{"2028-02-29", "2028-03-30"}},
		{"2028-02-29", 29, 12, []string{"2029-02-28", "2030-02-28", "2031-02-28", "2032-02-29"}},
		{"2026-11-21", 21, 12, []string{"2027-11-21", "2028-11-21"}},
		{"2026-12-05", 5, 1, []string{"2027-01-05"}},
	} {
		d := day(tc.start)
		for _, want := range tc.want {
			d = d.AddMonths(tc.months, tc.anchor)
			require.Equal(t, want, d.String())
		}
	}
}

func TestDayOf_ChangesAtMidnightInIndia(t *testing.T) {
	t.Parallel()
	require.Equal(t, "2026-11-21", subscription.DayOf(time.Date(2026, 11, 20, 18, 30, 0, 0, time.UTC)).String())
	require.Equal(t, "2026-11-20", subscription.DayOf(time.Date(2026, 11, 20, 18, 29, 59, 0, time.UTC)).String())
	require.Equal(t, "21 Nov 2027", day("2027-11-21").Human())
	require.Equal(t, "-", subscription.Day(0).String())
}

func TestAddMonths_AnyAnchor_AddsUp(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		start := subscription.Day(rapid.Int32Range(18_000, 40_000).Draw(t, "start"))
		a, b := rapid.IntRange(1, 24).Draw(t, "a"), rapid.IntRange(1, 24).Draw(t, "b")
		anchor := start.DayOfMonth()
		require.Equal(t, start.AddMonths(a+b, anchor), start.AddMonths(a, anchor).AddMonths(b, anchor))
		next := start.AddMonths(1, anchor)
		require.True(t, next-start >= 28 && next-start <= 31)
		require.Equal(t, start, subscription.DayOf(start.Start()))
	})
}
