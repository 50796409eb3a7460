package otp

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The work grows with the total, whatever address a request comes from.
func TestRisen_TotalBetweenFreeAndCeiling_GrowsInSteps(t *testing.T) {
	t.Parallel()
	for count, want := range map[int]int{1: -49_999, 50_000: 0, 50_001: 1, 52_500: 2, 75_000: 11, 97_500: 20, 100_000: 21} {
		require.Equal(t, want, risen(count, 50_000, 100_000), count)
	}
	before := 0
	for count := 50_000; count <= 100_000; count += 500 {
		step := risen(count, 50_000, 100_000)
		require.GreaterOrEqual(t, step, before)
		before = step
	}
	require.Equal(t, 21, risen(1_000, 10, 10), "a ceiling below the free ones")
	require.LessOrEqual(t, risen(1_000, 0, 0), 0, "no ceiling")
}
