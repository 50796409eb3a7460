package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// Given the console shows a queue that no worker tells of as one without a worker, then a worker tells of each that it works.
func TestHeartbeat_ReportsEachQueue(t *testing.T) {
	t.Parallel()
	for _, development := range []bool{false, true} {
		of := queues(development)
		beat := heartbeat("w", of)
		require.Len(t, beat.Queues, len(of))
		require.Equal(t, of[queue.QueueOTP].MaxWorkers, beat.Queues[queue.QueueOTP])
		require.Equal(t, development, beat.Queues[queue.QueueClock] == 1)
		require.Len(t, beat.Schedules, len(schedule()))
	}
}
