package jobadmin_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/jobadmin"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
)

// Any search text is a value, and never a part of the JSON path in Postgres.
func TestFailedJobs_AnyArgumentText_IsSearchedAsAValue(t *testing.T) {
	t.Parallel()
	b := setupBench(t)
	ids := b.fail(t, 3, "send_otp", "discarded", "away")
	for i, args := range []string{
		`{"n": 7, "message_id": "m-1"}`, `{"n": -5, "nested": {"list": ["a\"b", "x && y", {"deep": "found"}]}, "text": "007"}`, `{"n": 9223372036854775807, "text": "<script>\\"}`,
	} {
		b.db.Owner.MustExec(`UPDATE river_job SET args = $2 WHERE id = $1`, ids[i], args)
	}
	for arg, n := range map[string]int{
		"7": 1, " 7 ": 1, "+7": 1, "n:7": 1, "n: 07": 1, "07": 1, "00": 0, "-0": 0, "-5": 1, "n:-5": 1, "-05": 1, "5": 0, "007": 2, "text:007": 1, "9223372036854775807": 1,
		"9223372036854775808": 0, "7.0": 0, "1e3": 0, "0x7": 0, "७": 0, "found": 1, `a"b`: 1, "x && y": 1, `<script>\`: 1, `7) || (@ == "m-1"`: 0, `$.n`: 0,
		"m-1 ": 1, "message_id:": 0, ":m-1": 0, "MESSAGE_ID:m-1": 0, `n" ? (true)`: 0, strings.Repeat("9", 100): 0, "a\nb": 0,
	} {
		found, err := b.here.FailedJobs(t.Context(), jobadmin.JobFilter{Arg: arg}, jobadmin.JobCursor{}, 10)
		require.NoError(t, err, "%q", arg)
		require.Len(t, found.Jobs, n, "%q", arg)
	}
}

// Jobs that failed at the same moment are paged, each once; later failures are excluded and counted.
func TestFailedJobs_SameMoment_ArePagedOnceEach(t *testing.T) {
	t.Parallel()
	b := setupBench(t)
	old := b.fail(t, 5, "send_otp", "discarded", "away")
	b.db.Owner.MustExec(`UPDATE river_job SET attempted_at = '2026-11-02 04:30:00.000001Z'`)
	read := func(f jobadmin.JobFilter, size int) (ids []int64) {
		t.Helper()
		var after jobadmin.JobCursor
		for range 10 {
			page, err := b.here.FailedJobs(t.Context(), f, after, size)
			require.NoError(t, err)
			require.LessOrEqual(t, len(page.Jobs), size)
			for _, j := range page.Jobs {
				ids = append(ids, j.ID)
			}
			if after = page.Next; after == (jobadmin.JobCursor{}) {
				break
			}
			again, err := jobadmin.ParseJobCursor(after.String())
			require.NoError(t, err)
			require.Equal(t, after, again, "as it goes through an address")
		}
		return ids
	}
	newest := []int64{old[4], old[3], old[2], old[1], old[0]}
	for _, size := range []int{1, 2, 4, 5, 6} {
		require.Equal(t, newest, read(jobadmin.JobFilter{}, size), "%d a page", size)
	}
	seen := jobadmin.JobCursor{At: time.Date(2026, 11, 2, 4, 30, 0, 1_000, time.UTC), ID: old[2]}
	require.Equal(t, newest[2:], read(jobadmin.JobFilter{Seen: seen}, 10), "what was newer when somebody looked")
	summary, err := b.here.Summary(t.Context(), jobadmin.JobFilter{Seen: seen})
	require.NoError(t, err)
	require.Equal(t, []int{5, 2}, []int{summary.Total, summary.Newer})

	// A time span has its beginning and not its end.
	from := seen.At
	to := from.Add(time.Microsecond)
	for name, c := range map[string]struct {
		f jobadmin.JobFilter
		n int
	}{
		"from its moment":  {jobadmin.JobFilter{From: &from}, 5},
		"until its moment": {jobadmin.JobFilter{To: &from}, 0},
		"its moment alone": {jobadmin.JobFilter{From: &from, To: &to}, 5},
		"after it":         {jobadmin.JobFilter{From: &to}, 0},
		"its queue":        {jobadmin.JobFilter{Queue: "payments"}, 5},
		"another queue":    {jobadmin.JobFilter{Queue: "otp"}, 0},
		"another kind":     {jobadmin.JobFilter{Kind: "send"}, 0},
		"in capitals":      {jobadmin.JobFilter{Error: "AWAY"}, 5},
		"no pattern":       {jobadmin.JobFilter{Error: "a%y"}, 0},
		"a customer's":     {jobadmin.JobFilter{FranchiserID: id.New()}, 0},
		"snoozed ones":     {jobadmin.JobFilter{State: "snoozed"}, 0},
		"dismissed ones":   {jobadmin.JobFilter{State: "dismissed"}, 0},
		"retrying ones":    {jobadmin.JobFilter{State: "retryable"}, 0},
		"discarded ones":   {jobadmin.JobFilter{State: "discarded"}, 5},
	} {
		require.Len(t, read(c.f, 10), c.n, name)
	}
	require.Contains(t, errs.As(func() error {
		_, err := b.here.FailedJobs(t.Context(), jobadmin.JobFilter{Arg: strings.Repeat("क", 101)}, jobadmin.JobCursor{}, 10)
		return err
	}()).Fields, "arg")

	// Each bar of the chart begins on its step, and all together hold every job.
	chart, err := b.here.Summary(t.Context(), jobadmin.JobFilter{From: &from, To: new(from.Add(47 * time.Minute))})
	require.NoError(t, err)
	require.Equal(t, int64(60), chart.StepSeconds)
	require.LessOrEqual(t, len(chart.Bars), 48)
	require.Equal(t, jobadmin.JobBar{From: time.Date(2026, 11, 2, 4, 30, 0, 0, time.UTC), Count: 5}, chart.Bars[0])
	for _, bar := range chart.Bars[1:] {
		require.Zero(t, bar.Count)
		require.Zero(t, bar.From.Second())
	}

	// snoozed and dismissed jobs are found by their state
	ctx := b.sunita.Sign(t.Context())
	_, err = b.here.Change(ctx, b.sunita, jobadmin.JobChange{Action: jobadmin.JobDismiss, IDs: old[:2], Reason: "The customer was called"})
	require.NoError(t, err)
	_, err = b.here.Change(ctx, b.sunita, jobadmin.JobChange{Action: jobadmin.JobSnooze, IDs: old[2:3], Snooze: time.Hour, Reason: "Until the provider is back"})
	require.NoError(t, err)
	require.Equal(t, []int64{old[1], old[0]}, read(jobadmin.JobFilter{State: "dismissed"}, 10))
	require.Equal(t, old[2:3], read(jobadmin.JobFilter{State: "snoozed"}, 10))
	require.Equal(t, []int64{old[4], old[3]}, read(jobadmin.JobFilter{}, 10))
	_, err = b.here.Change(ctx, b.sunita, jobadmin.JobChange{Action: jobadmin.JobDismiss, IDs: old[:1], Reason: "The customer was called"})
	require.Equal(t, "job_refused", errs.As(err).Code, "seen to is seen to")
	for _, ids := range [][]int64{nil, make([]int64, 101)} {
		_, err = b.here.Change(ctx, b.sunita, jobadmin.JobChange{Action: jobadmin.JobRerun, IDs: ids, Reason: "The provider is back"})
		require.Contains(t, errs.As(err).Fields, "ids")
	}
}
