package process

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestComparison_DatabasesClockSetBack_IsDetected(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, time.November, 2, 6, 30, 0, 0, time.UTC)
	database := now.Add(5 * time.Minute)
	before := comparison{database: database, at: now}
	for passed, back := range map[time.Duration]bool{
		time.Second: false, 0: false, 24 * time.Hour: false, -time.Hour: true, -10 * time.Second: true,
	} {
		after := comparison{database: database.Add(passed), at: now.Add(time.Second)}
		require.Equal(t, back, after.setBackSince(before), passed)
		require.False(t, after.setBackSince(comparison{}), "there was no comparison before")
	}
}
