package main

import (
	"errors"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"
)

func TestSnooze_MachineClockWrong_LastsTheRealTime(t *testing.T) {
	t.Parallel()
	for ahead, want := range map[time.Duration]time.Duration{0: time.Minute, 2 * time.Hour: -119 * time.Minute, -10 * time.Minute: 11 * time.Minute} {
		snoozed, ok := errors.AsType[*rivertype.JobSnoozeError](waitFrom(river.JobSnooze(time.Minute), ahead))
		require.True(t, ok)
		require.Equal(t, want, snoozed.Duration)
	}
	failed := errors.New("failed")
	require.Equal(t, failed, waitFrom(failed, time.Hour))
	require.NoError(t, waitFrom(nil, time.Hour))
}
