package jobadmin

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/webhook"
)

func TestACursorIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := JobCursor{At: time.UnixMicro(rapid.Int64Range(1, 1<<52).Draw(t, "at")).UTC(), ID: rapid.Int64Range(1, 1<<62).Draw(t, "id")}
		got, err := ParseJobCursor(m.String())
		require.NoError(t, err)
		require.Equal(t, m, got)
	})
	none, err := ParseJobCursor("")
	require.NoError(t, err)
	require.Equal(t, JobCursor{}, none)
	require.Empty(t, none.String())
	for _, text := range []string{
		"-", "1", "1-", "-1", "0-1", "1-0", "-1-1", "1--1", "1-1-1", " 1-1", "1-1 ", "x-1", "1-x", "1.5-1", "9223372036854775808-1", "1-9223372036854775808",
		"1-1; DROP TABLE river_job", "१-१",
	} {
		_, err := ParseJobCursor(text)
		require.Contains(t, errs.As(err).Fields, "after", text)
	}
}

func TestAFilterIsRefusedFieldByField(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, time.November, 2, 0, 0, 0, 0, time.UTC)
	after := at.Add(time.Microsecond)
	for name, c := range map[string]struct {
		filter JobFilter
		field  string
	}{
		"nothing":               {JobFilter{}, ""},
		"a state":               {JobFilter{State: "snoozed"}, ""},
		"no state":              {JobFilter{State: "completed"}, "state"},
		"SQL for a state":       {JobFilter{State: "' OR true --"}, "state"},
		"no customer":           {JobFilter{FranchiserID: "1"}, "customer_id"},
		"a moment":              {JobFilter{From: &at, To: &after}, ""},
		"no time at all":        {JobFilter{From: &at, To: &at}, "to"},
		"the wrong way round":   {JobFilter{From: &after, To: &at}, "to"},
		"an end alone":          {JobFilter{To: &at}, ""},
		"a hundred letters":     {JobFilter{Error: strings.Repeat("क", 100)}, ""},
		"a letter more":         {JobFilter{Error: strings.Repeat("क", 101)}, "search"},
		"a long kind":           {JobFilter{Kind: strings.Repeat("x", 101)}, "kind"},
		"a long queue":          {JobFilter{Queue: strings.Repeat("x", 101)}, "queue"},
		"the cause of no group": {JobFilter{Cause: strings.Repeat("x", 101)}, "cause"},
	} {
		err := c.filter.validate()
		if c.field == "" {
			require.NoError(t, err, name)
			continue
		}
		require.Len(t, errs.As(err).Fields, 1, name)
		require.Contains(t, errs.As(err).Fields, c.field, name)
	}
}

func TestAChangeSaysWhatToWhichAndWhy(t *testing.T) {
	t.Parallel()
	whole := func(change func(*JobChange)) JobChange {
		c := JobChange{Action: JobRerun, IDs: []int64{3, 1, 3, 2}, Reason: "  The gateway   is back "}
		change(&c)
		return c
	}
	c := whole(func(*JobChange) {})
	require.NoError(t, c.clean())
	require.Equal(t, []int64{1, 2, 3}, c.IDs, "each once")
	require.Equal(t, "The gateway is back", c.Reason)
	many := make([]int64, maxNamed+1)
	for name, c := range map[string]struct {
		change func(*JobChange)
		field  string
	}{
		"no reason":          {func(c *JobChange) { c.Reason = " " }, "reason"},
		"no action":          {func(c *JobChange) { c.Action = "" }, "action"},
		"another action":     {func(c *JobChange) { c.Action = "delete" }, "action"},
		"no jobs":            {func(c *JobChange) { c.IDs = nil }, "ids"},
		"jobs and a filter":  {func(c *JobChange) { c.Filter = &JobFilter{} }, "ids"},
		"too many":           {func(c *JobChange) { c.IDs = many }, "ids"},
		"snooze for no time": {func(c *JobChange) { c.Action = JobSnooze }, "snooze_seconds"},
		"rerun in an hour":   {func(c *JobChange) { c.Snooze = time.Hour }, "snooze_seconds"},
		"just too short":     {func(c *JobChange) { c.Action, c.Snooze = JobSnooze, time.Minute-1 }, "snooze_seconds"},
		"just too long":      {func(c *JobChange) { c.Action, c.Snooze = JobSnooze, 7*24*time.Hour+1 }, "snooze_seconds"},
		"back in time":       {func(c *JobChange) { c.Action, c.Snooze = JobSnooze, -time.Hour }, "snooze_seconds"},
		"a filter of none":   {func(c *JobChange) { c.IDs, c.Filter = nil, &JobFilter{State: "x"} }, "state"},
	} {
		changed := whole(c.change)
		require.Contains(t, errs.As(changed.clean()).Fields, c.field, name)
	}
	for _, by := range []time.Duration{time.Minute, 7 * 24 * time.Hour} {
		c := whole(func(c *JobChange) { c.Action, c.Snooze = JobSnooze, by })
		require.NoError(t, c.clean())
	}

	seen := map[string]string{}
	for name, change := range map[string]func(*JobChange){
		"as it is": func(*JobChange) {}, "another action": func(c *JobChange) { c.Action = JobCancel }, "another reason": func(c *JobChange) { c.Reason = "No" },
		"another job": func(c *JobChange) { c.IDs = []int64{4} }, "a filter": func(c *JobChange) { c.IDs, c.Filter = nil, &JobFilter{} },
		"another filter": func(c *JobChange) { c.IDs, c.Filter = nil, &JobFilter{Kind: "x"} },
	} {
		changed := whole(change)
		print, err := changed.fingerprint()
		require.NoError(t, err)
		require.Empty(t, seen[string(print[:])], name)
		seen[string(print[:])] = name
		changed.Key, changed = "another key", whole(change)
		again, err := changed.fingerprint()
		require.NoError(t, err)
		require.Equal(t, print, again, "the key is no part of what was asked for")
	}
}

func TestWhatStaffMayDoToAJobFollowsFromItsState(t *testing.T) {
	t.Parallel()
	for state, want := range map[string]string{
		"available": "cancel", "pending": "cancel", "running": "cancel", "scheduled": "rerun cancel", "retryable": "rerun cancel",
		"discarded": "rerun dismiss", "cancelled": "rerun dismiss", "completed": "", "": "", "unheard_of": "",
	} {
		var may []string
		for name, allowed := range map[string]func(string) bool{"1 rerun": canRerun, "2 cancel": canCancel, "3 dismiss": canDismiss} {
			if allowed(state) {
				may = append(may, name)
			}
		}
		require.Len(t, may, len(strings.Fields(want)), state)
		for _, one := range may {
			require.Contains(t, want, one[2:], state)
		}
	}
}

func TestAChartHasAtMostFortyEightBars(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	for span, want := range map[time.Duration]time.Duration{
		-time.Hour: time.Minute, 0: time.Minute, 47 * time.Minute: time.Minute, 47*time.Minute + 1: 5 * time.Minute, 30 * day: day, 47 * day: day, 47*day + 1: 2 * day,
		470 * day: 10 * day, 471 * day: 11 * day,
	} {
		require.Equal(t, want, stepOf(span), span)
	}
	rapid.Check(t, func(t *rapid.T) {
		span := time.Duration(rapid.Int64Range(0, int64(100*365*day)).Draw(t, "span"))
		step := stepOf(span)
		require.LessOrEqual(t, span/step+1, time.Duration(maxBars), "%s in steps of %s", span, step)
	})
}

func TestWhenSomebodyShouldLook(t *testing.T) {
	t.Parallel()
	paused := time.Date(2026, time.November, 2, 0, 0, 0, 0, time.UTC)
	require.Empty(t, alerts(nil, nil, 1))
	require.Empty(t, alerts([]Queue{
		{Name: queue.QueueOTP, Depth: 9, OldestAge: 30},
		{Name: queue.QueuePayments, Depth: 9, OldestAge: 120},
		{Name: queue.QueueDocuments, Depth: 9, OldestAge: 600},
		{Name: "default", Depth: 9, OldestAge: 300},
		{Name: "unheard of", OldestAge: 1 << 40},
	}, []RunningJob{{ID: 1, Age: 1 << 40}}, 1), "at the limit all is well, and a queue of nothing has no age")
	for name, c := range map[string]struct {
		queues  []Queue
		running []RunningJob
		workers int
		want    []AlertKind
		says    string
	}{
		"no worker":        {workers: 0, want: []AlertKind{AlertNoWorkers}, says: "No worker"},
		"a code waits":     {[]Queue{{Name: queue.QueueOTP, Depth: 1, OldestAge: 31}}, nil, 1, []AlertKind{AlertAgingQueue}, "31 s; more than 30 s"},
		"a payment waits":  {[]Queue{{Name: queue.QueuePayments, Depth: 1, OldestAge: 121}}, nil, 1, []AlertKind{AlertAgingQueue}, "2 min"},
		"a document waits": {[]Queue{{Name: queue.QueueDocuments, Depth: 1, OldestAge: 7200}}, nil, 1, []AlertKind{AlertAgingQueue}, "2 h; more than 10 min"},
		"another waits":    {[]Queue{{Name: "x", Depth: 1, OldestAge: 301}}, nil, 1, []AlertKind{AlertAgingQueue}, "5 min"},
		"paused and empty": {[]Queue{{Name: "x", PausedAt: &paused}}, nil, 1, []AlertKind{AlertPausedQueue}, "Queue x is paused"},
		"stuck":            {nil, []RunningJob{{ID: 7, Kind: "render", Age: 301, Overdue: true}}, 1, []AlertKind{AlertStuckJob}, "Job 7 (render) has been running for 5 min; after 5 min"},
		"everything": {
			[]Queue{{Name: "x", Depth: 1, OldestAge: 301, PausedAt: &paused}},
			[]RunningJob{{Overdue: true}},
			0,
			[]AlertKind{AlertNoWorkers, AlertStuckJob, AlertAgingQueue, AlertPausedQueue},
			"",
		},
	} {
		var kinds []AlertKind
		text := ""
		for _, a := range alerts(c.queues, c.running, c.workers) {
			kinds, text = append(kinds, a.Kind), text+a.Message
			require.Contains(t, AlertKinds(), a.Kind)
		}
		require.Equal(t, c.want, kinds, name)
		require.Contains(t, text, c.says, name)
	}
}

func TestAFaultOfAnSMSProviderIsToldInIndianTime(t *testing.T) {
	t.Parallel()
	since := time.Date(2026, time.December, 31, 18, 30, 0, 0, time.UTC)
	for fault, words := range map[string]string{
		"account_fault": "refuses our account (20003)", "limited": "has its rate limit reached (20003)", "unconfirmed": "does not answer (20003)", "unavailable": "fails (20003)", "": "fails (20003)",
	} {
		list := smsAlerts([]message.Fault{{Provider: "msg91", Fault: fault, Code: "20003", Failures: 3, Since: since}})
		require.Len(t, list, 1)
		require.Equal(t, fmt.Sprintf("SMS provider msg91 %s, 3 times in a row since 1 Jan 00:00 IST: codes and messages wait, or go out through another one.", words), list[0].Message)
	}
	require.NotContains(t, smsAlerts([]message.Fault{{Provider: "msg91"}})[0].Message, "()", "a fault without a code")
	require.Empty(t, smsAlerts(nil))
}

func TestASpanIsToldAsPeopleSayIt(t *testing.T) {
	t.Parallel()
	for seconds, want := range map[int64]string{0: "0 s", 1: "1 s", 119: "119 s", 120: "2 min", 179: "2 min", 7199: "119 min", 7200: "2 h", 86_400: "24 h"} {
		require.Equal(t, want, span(seconds))
	}
}

func TestASystemThatIsNotToldAnyMoreIsAnAlert(t *testing.T) {
	t.Parallel()
	got := webhookAlerts([]webhook.Endpoint{
		{Description: "Orders", DisabledFor: webhook.DisabledForGone}, {Description: "Stock", DisabledFor: webhook.DisabledForFailing},
	})
	require.Len(t, got, 2)
	require.Equal(t, AlertWebhook, got[0].Kind)
	require.Contains(t, got[0].Message, "Orders is not told of anything: it answered that it is gone")
	require.Contains(t, got[1].Message, "Stock is not told of anything: every delivery failed for five days")
}
