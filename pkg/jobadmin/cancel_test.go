package jobadmin_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/jobadmin"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/console"
)

// In each of River's states, an unfinished job is cancelled and leaves no work for staff; for a finished job the answer names its state.
func TestCancelJob_EachState_CancelsUnfinishedJobsOnly(t *testing.T) {
	t.Parallel()
	b := setupBench(t)
	ctx := b.sunita.Sign(t.Context())
	act := func(action jobadmin.JobAction, jobID int64) error {
		c := jobadmin.JobChange{Action: action, IDs: []int64{jobID}, Reason: "It was asked for twice"}
		if action == jobadmin.JobSnooze {
			c.Snooze = time.Hour
		}
		_, err := b.here.Change(ctx, b.sunita, c)
		return err
	}
	for state, c := range map[string]struct{ after, refused, notRun string }{
		"available": {"cancelled", "", "waits for a worker and runs next; only a job that failed or waits for later can run again."},
		"scheduled": {"cancelled", "", ""},
		"retryable": {"cancelled", "", ""},
		"pending":   {"cancelled", "", "is planned for later; only a job that failed or waits for later can run again."},
		"running":   {"running", "", "is running now; only a job that failed or waits for later can run again."},
		"discarded": {"discarded", "was given up and cannot be cancelled.", ""},
		"cancelled": {"cancelled", "is cancelled and cannot be cancelled.", ""},
		"completed": {"completed", "is completed and cannot be cancelled.", "is completed; what is done is not run again."},
	} {
		jobs := b.fail(t, 2, "render_invoice", state, "away")
		err := act(jobadmin.JobCancel, jobs[0])
		if c.refused == "" {
			require.NoError(t, err, state)
		} else {
			require.ErrorContains(t, err, c.refused, state)
			require.Equal(t, "job_refused", errs.As(err).Code)
		}
		var left struct {
			State     string `db:"state"`
			Dismissed bool   `db:"dismissed"`
			Asked     bool   `db:"asked"`
		}
		require.NoError(t, b.db.Owner.Get(&left, `SELECT state, metadata ? 'dismissed_at' AS dismissed, metadata ? 'cancel_attempted_at' AS asked
			FROM river_job WHERE id = $1`, jobs[0]))
		require.Equal(t, c.after, left.State, state)
		require.Equal(t, c.refused == "", left.Dismissed, "%s: it was cancelled on purpose", state)
		require.Equal(t, c.refused == "", left.Asked, "%s: its worker ends it", state)
		if c.notRun != "" {
			for _, action := range []jobadmin.JobAction{jobadmin.JobRerun, jobadmin.JobSnooze} {
				require.ErrorContains(t, act(action, jobs[1]), c.notRun, "%s %s", action, state)
			}
		}
		if state != "discarded" && state != "cancelled" {
			require.ErrorContains(t, act(jobadmin.JobDismiss, jobs[1]), "; only a job that was given up or cancelled can be dismissed.", state)
		}
	}
	for _, none := range []int64{1 << 62, -1} {
		for _, action := range []jobadmin.JobAction{jobadmin.JobRerun, jobadmin.JobCancel, jobadmin.JobDismiss, jobadmin.JobSnooze} {
			require.ErrorContains(t, act(action, none), "is no longer there.")
		}
	}
	found, err := b.here.FailedJobs(t.Context(), jobadmin.JobFilter{State: "cancelled"}, jobadmin.JobCursor{}, 20)
	require.NoError(t, err)
	require.Len(t, found.Jobs, 2, "those that were cancelled before, and by nobody here")
	require.Equal(t, 5, b.count(t, `SELECT count(*) FROM staff_actions WHERE action = 'cancel_job' AND after = '{"state":"cancelled"}'`))
}

// The list has the changes of several jobs, newest first, with their author and progress; changes of one job are not in it.
func TestOperations_ChangesOfSeveralJobs_AreListed(t *testing.T) {
	t.Parallel()
	b := setupBench(t)
	ctx := b.sunita.Sign(t.Context())
	jobs := b.fail(t, 4, "send_otp", "discarded", "away")
	for _, ids := range [][]int64{jobs[:1], jobs[1:3], {jobs[3], 1 << 62}} {
		_, err := b.here.Change(ctx, b.sunita, jobadmin.JobChange{Action: jobadmin.JobRerun, IDs: ids, Reason: "The provider is back"})
		require.NoError(t, err)
	}
	waits, err := b.here.Begin(ctx, b.sunita, jobadmin.JobChange{Action: jobadmin.JobCancel, IDs: jobs[:3], Reason: "It was asked for twice"})
	require.NoError(t, err)
	list, err := b.here.Operations(t.Context())
	require.NoError(t, err)
	require.Len(t, list, 3)
	require.Equal(t, waits.ID, list[0].ID)
	require.Nil(t, list[0].FinishedAt)
	var told [][]any
	for _, o := range list {
		require.Equal(t, "Sunita", o.StaffName)
		require.Equal(t, time.UTC, o.CreatedAt.Location())
		told = append(told, []any{o.Action, o.Total, o.Done, o.Refused})
	}
	require.Equal(t, [][]any{{jobadmin.JobCancel, 3, 0, 0}, {jobadmin.JobRerun, 2, 1, 1}, {jobadmin.JobRerun, 2, 2, 0}}, told)
	gone, err := b.here.Operation(t.Context(), list[1].ID)
	require.NoError(t, err)
	require.Equal(t, []jobadmin.Refusal{{Code: "job_gone", Message: "Job 4611686018427387904 is no longer there.", Count: 1}}, gone.Refusals)
	_, err = b.here.Operation(t.Context(), id.New())
	require.ErrorIs(t, err, errs.NotFound())

	// The preview describes the job before and after the waiting change.
	job := func() string {
		var jobID int64
		require.NoError(t, b.db.Owner.Get(&jobID, `SELECT id FROM river_job WHERE kind = 'change_jobs'`))
		found, err := b.here.Job(t.Context(), jobID)
		require.NoError(t, err)
		return found.Effect.Summary
	}
	require.Equal(t, "Would go on to cancel 3 of 3 jobs.", job())
	finished, err := b.behind.Continue(t.Context(), waits.ID, nil)
	require.NoError(t, err)
	require.True(t, finished)
	require.Equal(t, "Would look at a change of 3 jobs: it is finished → nothing.", job())
}

// Staff see the customer of a job; for the job of an unfinished sign-up only the ends of the mobile.
func TestFailedJob_NamesItsCustomerToStaff(t *testing.T) {
	t.Parallel()
	b := setupBench(t)
	clk := testkit.NewClock()
	asha := console.Customer(t, b.db, clk, "9876543210", "Asha", "Rao")
	code := console.Note(t, b.db, clk, "9123456789", "")
	jobs := b.fail(t, 3, "send_otp", "discarded", strings.Repeat("x", 300))
	b.db.Owner.MustExec(`UPDATE river_job SET metadata = jsonb_build_object('franchiser_id', $2::text) WHERE id = $1`, jobs[2], asha)
	b.db.Owner.MustExec(`UPDATE river_job SET metadata = '{"franchiser_id": "nobody"}' WHERE id = $1`, jobs[1])
	b.db.Owner.MustExec(`UPDATE river_job SET args = jsonb_build_object('code_id', $2::text) WHERE id = $1`, jobs[0], code)
	list, err := b.here.FailedJobs(b.sunita.Sign(t.Context()), jobadmin.JobFilter{}, jobadmin.JobCursor{}, 10)
	require.NoError(t, err)
	var named [][]string
	for _, j := range list.Jobs {
		require.Len(t, []rune(j.LastError), 300, "as long as is shown, it is whole")
		named = append(named, []string{j.CustomerName, j.SignUp})
	}
	require.Equal(t, [][]string{{"Asha Rao", ""}, {"", ""}, {"", "91xxxxxx89"}}, named)
	list, err = b.here.FailedJobs(t.Context(), jobadmin.JobFilter{FranchiserID: asha}, jobadmin.JobCursor{}, 10)
	require.NoError(t, err)
	require.Len(t, list.Jobs, 1)
	require.Empty(t, list.Jobs[0].CustomerName, "nobody but staff is told")
}

// The metrics equal the board: queues with their numbers, live workers, and skipped providers.
func TestVitals_EqualTheBoard(t *testing.T) {
	t.Parallel()
	b := setupBench(t)
	require.NoError(t, jobadmin.Beat(t.Context(), b.db.Worker, jobadmin.Heartbeat{Worker: "w", Queues: map[string]int{"payments": 3}}))
	b.db.Owner.MustExec(`INSERT INTO worker_processes (id, started_at, seen_at, queues) VALUES ('silent', now(), now() - interval '46 seconds', '{"payments": 9}')`)
	b.fail(t, 2, "verify_payment", "discarded", "away")
	b.fail(t, 1, "verify_payment", "available", "away")
	b.db.Owner.MustExec(`INSERT INTO sms_providers (provider, failures, fault, code, since, open_until) VALUES
		('out', 3, 'unavailable', '', now(), now()), ('once', 1, 'unavailable', '', now(), NULL), ('works', 0, '', '', NULL, NULL)`)
	v, err := jobadmin.ReadVitals(t.Context(), b.db.Worker)
	require.NoError(t, err)
	require.Equal(t, 1, v.Workers, "one that is silent for longer than 45 seconds is gone")
	require.Equal(t, map[string]bool{"out": true, "once": false, "works": false}, v.Providers)
	require.Len(t, v.Queues, 1)
	require.Equal(t, []any{"payments", 3, 3}, []any{v.Queues[0].Name, v.Queues[0].Capacity, v.Queues[0].Failed})
}
