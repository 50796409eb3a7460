package subscription

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/clock"
)

func TestUntilDaytime_AtNight_WaitsForTheMorning(t *testing.T) {
	t.Parallel()
	for at, want := range map[string]time.Duration{
		"2026-11-02 00:00:00": 9 * time.Hour,
		"2026-11-02 08:59:59": time.Second,
		"2026-11-02 09:00:00": 0,
		"2026-11-02 20:59:59": 0,
		"2026-11-02 21:00:00": 12 * time.Hour,
		"2026-12-31 23:30:00": 9*time.Hour + 30*time.Minute,
	} {
		now, err := time.ParseInLocation(time.DateTime, at, clock.IST)
		require.NoError(t, err)
		require.Equal(t, want, untilDaytime(now.UTC()), at)
	}
}
