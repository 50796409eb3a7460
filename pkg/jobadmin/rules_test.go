package jobadmin

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

func TestJobCursor_AnyValue_IsReadBack(t *testing.T) {
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

func TestJobFilter_EachInvalidField_IsRefused(t *testing.T) {
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

func TestJobChange_EachInvalidField_IsRefused(t *testing.T) {
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
		"no reason":                      {func(c *JobChange) { c.Reason = " " }, "reason"},
		"no action":                      {func(c *JobChange) { c.Action = "" }, "action"},
		"another action":                 {func(c *JobChange) { c.Action = "delete" }, "action"},
		"no jobs":                        {func(c *JobChange) { c.IDs = nil }, "ids"},
		"jobs and a filter":              {func(c *JobChange) { c.Filter = &JobFilter{} }, "ids"},
		"too many":                       {func(c *JobChange) { c.IDs = many }, "ids"},
		"snooze for no time":             {func(c *JobChange) { c.Action = JobSnooze }, "snooze_seconds"},
		"rerun in an hour":               {func(c *JobChange) { c.Snooze = time.Hour }, "snooze_seconds"},
		"just too short":                 {func(c *JobChange) { c.Action, c.Snooze = JobSnooze, time.Minute-1 }, "snooze_seconds"},
		"just too long":                  {func(c *JobChange) { c.Action, c.Snooze = JobSnooze, 7*24*time.Hour+1 }, "snooze_seconds"},
		"back in time":                   {func(c *JobChange) { c.Action, c.Snooze = JobSnooze, -time.Hour }, "snooze_seconds"},
		"a filter with an invalid state": {func(c *JobChange) { c.IDs, c.Filter = nil, &JobFilter{State: "x"} }, "state"},
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

func TestJobActions_FollowTheState(t *testing.T) {
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

func TestChart_AnySpan_HasAtMostFortyEightBars(t *testing.T) {
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
