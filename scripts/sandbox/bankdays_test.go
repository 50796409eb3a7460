package sandbox_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/scripts/sandbox"
)

func TestBankDays_SkipWeekendsAndHolidays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		from string
		days int
		want string
	}{
		{"2026-11-16T10:00:00+05:30", 2, "2026-11-18"},
		{"2026-11-19T10:00:00+05:30", 2, "2026-11-23"}, // over a weekend
		{"2026-11-22T10:00:00+05:30", 2, "2026-11-25"}, // from a Sunday, over Guru Nanak Jayanti
		{"2026-12-23T20:00:00Z", 1, "2026-12-28"},      // 24 December in India; Christmas and a weekend follow
		{"2026-11-21T10:00:00+05:30", 0, "2026-11-23"},
		{"2026-11-20T10:00:00+05:30", 0, "2026-11-20"},
	} {
		from, err := time.Parse(time.RFC3339, c.from)
		require.NoError(t, err)
		require.Equal(t, c.want, sandbox.Calendar{}.Add(from, c.days).Format(time.DateOnly), c.from)
	}
	require.False(t, sandbox.Calendar{}.Open(time.Date(2030, 8, 15, 6, 0, 0, 0, time.UTC)))

	third := time.Date(2026, 11, 21, 6, 0, 0, 0, time.UTC) // a Saturday
	require.False(t, sandbox.Calendar{}.Open(third))
	require.True(t, sandbox.Calendar{Saturdays: true}.Open(third))
	require.False(t, sandbox.Calendar{Saturdays: true}.Open(third.AddDate(0, 0, 7)))
}
