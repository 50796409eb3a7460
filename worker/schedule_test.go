package main

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/alert"
	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/platform/metrics"
	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// Each sweep is in the schedule once, in a queue that every worker works, and describes its effect to staff.
func TestSchedule_EachSweep_IsOnceInAWorkedQueue(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	worked := queues(false)
	for _, e := range schedule() {
		kind := e.Args.Kind()
		require.False(t, seen[kind], "%s is scheduled twice", kind)
		seen[kind] = true
		require.Contains(t, worked, e.Queue, kind)
		require.Contains(t, app.JobPreviews(), kind)
		require.GreaterOrEqual(t, e.Every, time.Minute, "%s: River keeps one of a kind per minute", kind)
		require.Zero(t, 24*time.Hour%e.Every, "%s runs at the same hours each day", kind)
	}
	require.Len(t, periodic(schedule(), newTimetable()), len(seen))
	for _, kind := range awaited() {
		require.False(t, seen[kind], "%s: nobody waits for a sweep", kind)
		require.Contains(t, app.JobPreviews(), kind)
	}
	for name, q := range worked {
		require.Positive(t, q.MaxWorkers, name)
		require.Equal(t, name != queue.QueueOTP && name != queue.QueuePayments, q.FetchCooldown == patience, "%s: codes and payments wait for no one", name)
	}
	require.NotContains(t, worked, queue.QueueClock, "in production nobody moves the clock")
	require.Len(t, queues(true), len(worked)+1)
}

// River's own errors give an attempt's outcome, however deep they are wrapped.
func TestOutcome_WrappedRiverError_IsRecognised(t *testing.T) {
	t.Parallel()
	fault := errors.New("the bank is closed")
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"no error":            {nil, "done"},
		"a fault":             {fault, "failed"},
		"cancelled":           {river.JobCancel(fault), "cancelled"},
		"cancelled, wrapped":  {fmt.Errorf("render: %w", river.JobCancel(fault)), "cancelled"},
		"waits":               {river.JobSnooze(time.Hour), "waits"},
		"waits for no time":   {river.JobSnooze(0), "waits"},
		"waits, wrapped":      {fmt.Errorf("send: %w", river.JobSnooze(time.Hour)), "waits"},
		"cancelled and joins": {errors.Join(fault, river.JobCancel(fault)), "cancelled"},
	} {
		require.Equal(t, c.want, outcomeOf(c.err), name)
	}
}

// The metric of a rule is its number of open alerts, and 0 without any: the alert about a solved alert must end.
func TestAlertMetric_EachRule_CountsItsOpenAlerts(t *testing.T) {
	t.Parallel()
	p := &pulse{meter: metrics.New()}
	rules := alert.Rules()
	require.Greater(t, len(rules), 3)
	first, second := rules[0].Name, rules[1].Name
	p.tell([]alert.Alert{{Rule: first, Subject: "a"}, {Rule: first, Subject: "b"}, {Rule: second}, {Rule: "of an older release"}})
	told := gauges(t, p.meter, "franchise360_job_alerts")
	require.Len(t, told, len(rules), "the others are 0, not missing")
	require.InDelta(t, 2, told[first], 0)
	require.InDelta(t, 1, told[second], 0)
	p.tell(nil)
	for rule, open := range gauges(t, p.meter, "franchise360_job_alerts") {
		require.Zero(t, open, rule)
	}
}
