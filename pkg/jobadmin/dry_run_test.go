package jobadmin_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/jobadmin"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/member"
)

// tried is a dry run of a rerun of all checks of payments.
func (b *bench) tried(t *testing.T) jobadmin.DryRun {
	t.Helper()
	d, err := b.here.DryRun(b.sunita.Sign(t.Context()), b.sunita, jobadmin.JobChange{Action: jobadmin.JobRerun, Filter: &jobadmin.JobFilter{Kind: "verify_payment"}})
	require.NoError(t, err)
	return d
}

// rerun carries out the change of a dry run.
func (b *bench) rerun(t *testing.T, c jobadmin.JobChange) jobadmin.OperationState {
	t.Helper()
	c.Action, c.Reason = jobadmin.JobRerun, "They are back"
	o, err := b.here.Begin(b.sunita.Sign(t.Context()), b.sunita, c)
	require.NoError(t, err)
	finished, err := b.behind.Continue(t.Context(), o.ID, nil)
	require.NoError(t, err)
	require.True(t, finished)
	state, err := b.here.Operation(t.Context(), o.ID)
	require.NoError(t, err)
	return state
}

// Two of the failed jobs are twins, and one is the twin of a live job. A dry run of their rerun changes nothing and predicts the outcome.
func TestDryRun_PredictsTheChange(t *testing.T) {
	t.Parallel()
	b := setupBench(t)
	ids := b.fail(t, 6, "verify_payment", "discarded", "away")
	b.db.Owner.MustExec(`UPDATE river_job SET args = (SELECT args FROM river_job WHERE id = $1) WHERE id = $2`, ids[0], ids[1])
	b.db.Owner.MustExec(`INSERT INTO river_job (kind, args, queue, state, max_attempts) SELECT kind, args, queue, 'available', 3 FROM river_job WHERE id = $1`, ids[2])
	d := b.tried(t)
	require.Equal(t, [5]int{6, 0, 4, 2, 0}, [5]int{d.Total, d.Acts, d.Nothing, d.Refused, d.Left}, "no payment is there to be asked about")
	require.Equal(t, []jobadmin.Refusal{{Code: "job_twin", Message: d.Reasons[0].Message, Count: 2}}, d.Reasons)
	require.Equal(t, 6, b.count(t, `SELECT count(*) FROM river_job WHERE state = 'discarded'`))
	require.Zero(t, b.count(t, `SELECT count(*) FROM staff_actions WHERE action = 'rerun_job'`))

	late := b.fail(t, 1, "verify_payment", "discarded", "away")[0]
	state := b.rerun(t, jobadmin.JobChange{DryRun: d.ID})
	require.Equal(t, [3]int{6, 4, 2}, [3]int{state.Operation.Total, state.Operation.Done, state.Operation.Refused})
	require.Equal(t, "job_twin", state.Refusals[0].Code)
	require.Equal(t, 1, b.count(t, `SELECT count(*) FROM river_job WHERE id = $1 AND state = 'discarded'`, late), "what the dialog did not show is left alone")
}

// Some jobs of a dry run start before the change. The change counts the same jobs and reports it.
func TestChange_AfterADryRun_ActsOnTheSameJobs(t *testing.T) {
	t.Parallel()
	b := setupBench(t)
	ids := b.fail(t, 5, "verify_payment", "retryable", "away")
	d := b.tried(t)
	b.db.Owner.MustExec(`UPDATE river_job SET state = 'running' WHERE id = ANY (ARRAY[$1::bigint, $2::bigint])`, ids[0], ids[3])
	b.db.Owner.MustExec(`UPDATE river_job SET state = 'completed', finalized_at = now() WHERE id = $1`, ids[4])
	state := b.rerun(t, jobadmin.JobChange{DryRun: d.ID})
	require.Equal(t, [3]int{5, 2, 3}, [3]int{state.Operation.Total, state.Operation.Done, state.Operation.Refused})
	require.Equal(t, []string{"job_running", "job_completed"}, []string{state.Refusals[0].Code, state.Refusals[1].Code})
	require.Equal(t, 2, state.Refusals[0].Count)
	require.Contains(t, state.Refusals[0].Message, "is running now")
}

// A finished change follows its jobs; the ones that failed again can be rerun separately.
func TestAftermath_FinishedChange_CountsTheOutcomesOfItsJobs(t *testing.T) {
	t.Parallel()
	b := setupBench(t)
	ids := b.fail(t, 5, "verify_payment", "discarded", "away")
	state := b.rerun(t, jobadmin.JobChange{DryRun: b.tried(t).ID})
	require.Equal(t, jobadmin.Aftermath{Waiting: 5}, state.Aftermath)
	b.db.Owner.MustExec(`UPDATE river_job SET state = 'completed', finalized_at = now() WHERE id = $1`, ids[0])
	b.db.Owner.MustExec(`UPDATE river_job SET state = 'discarded', finalized_at = now(), errors = errors || jsonb_build_object('at', clock_timestamp(), 'attempt', 4, 'error', 'away still')
		WHERE id = $1`, ids[1])
	b.db.Owner.MustExec(`UPDATE river_job SET state = 'available', errors = errors || jsonb_build_object('at', clock_timestamp(), 'attempt', 4, 'error', 'away still')
		WHERE id = $1`, ids[2])
	b.db.Owner.MustExec(`UPDATE river_job SET state = 'cancelled', finalized_at = now(), errors = errors || jsonb_build_object('at', clock_timestamp(), 'attempt', 4,
		'error', 'JobCancelError: too_late: The message expired before it could be sent.') WHERE id = $1`, ids[4])
	again, err := b.here.Operation(t.Context(), state.Operation.ID)
	require.NoError(t, err)
	require.Equal(t, jobadmin.Aftermath{Completed: 1, Failed: 2, Waiting: 1, Other: 1}, again.Aftermath)
	b.db.Worker.MustExec(`DELETE FROM river_job WHERE id = ANY (ARRAY[$1::bigint, $2::bigint])`, ids[0], ids[3])
	second := b.rerun(t, jobadmin.JobChange{FailedIn: state.Operation.ID})
	require.Equal(t, 2, second.Operation.Total)
	require.Equal(t, 1, second.Operation.Done)
	require.Equal(t, "job_available", second.Refusals[0].Code, "one is about to run by itself")
	again, err = b.here.Operation(t.Context(), state.Operation.ID)
	require.NoError(t, err)
	require.Equal(t, 1, again.Aftermath.Completed, "also when River has deleted it")
}

func TestRerun_TwoMembersOfStaffAtOnce_RerunEachJobOnce(t *testing.T) {
	t.Parallel()
	b := setupBench(t)
	b.fail(t, 30, "verify_payment", "discarded", "away")
	ravi, err := member.Add(t.Context(), b.db.Owner, "Ravi", staff.RoleSupport, testkit.NewClock().Now())
	require.NoError(t, err)
	var operations []string
	for _, p := range []staff.Principal{b.sunita, ravi} {
		d, err := b.here.DryRun(p.Sign(t.Context()), p, jobadmin.JobChange{Action: jobadmin.JobRerun, Filter: &jobadmin.JobFilter{}})
		require.NoError(t, err)
		require.Equal(t, 30, d.Total)
		_, err = b.here.ContinueDryRun(b.sunita.Sign(t.Context()), b.sunita, d.ID)
		require.Equal(t, p.StaffID != b.sunita.StaffID, errs.KindOf(err) == errs.KindNotFound && err != nil, "a dry run is its owner's")
		o, err := b.here.Begin(p.Sign(t.Context()), p, jobadmin.JobChange{Action: jobadmin.JobRerun, DryRun: d.ID, Reason: "They are back"})
		require.NoError(t, err)
		operations = append(operations, o.ID)
	}
	var all sync.WaitGroup
	failures := make([]error, 2)
	for i, o := range operations {
		all.Go(func() { _, failures[i] = b.behind.Continue(t.Context(), o, nil) })
	}
	all.Wait()
	done := 0
	for i, o := range operations {
		require.NoError(t, failures[i])
		state, err := b.here.Operation(t.Context(), o)
		require.NoError(t, err)
		require.Equal(t, 30, state.Operation.Done+state.Operation.Refused)
		done += state.Operation.Done
	}
	require.Equal(t, 30, done)
}

func TestDryRun_NoJobsOrAnotherAction_IsRefused(t *testing.T) {
	t.Parallel()
	b := setupBench(t)
	ctx := b.sunita.Sign(t.Context())
	_, err := b.here.DryRun(ctx, b.sunita, jobadmin.JobChange{Action: jobadmin.JobRerun, Filter: &jobadmin.JobFilter{}})
	require.Equal(t, "no_jobs", errs.As(err).Code)
	b.fail(t, 2, "verify_payment", "discarded", "away")
	d := b.tried(t)
	for _, c := range []jobadmin.JobChange{{Action: jobadmin.JobDismiss, DryRun: d.ID}, {Action: jobadmin.JobRerun, DryRun: id.New()}} {
		c.Reason = "Because"
		_, err = b.here.Begin(ctx, b.sunita, c)
		require.Equal(t, "dry_run_gone", errs.As(err).Code)
	}
	b.db.Owner.MustExec(`UPDATE job_dry_runs SET created_at = now() - interval '25 hours'`)
	gone, err := b.behind.PruneOutcomes(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 1, gone)
	require.Zero(t, b.count(t, `SELECT count(*) FROM job_dry_run_items`))
}

// Causes leave out what differs from one time to the next, and keep the codes that tell one cause from another.
func TestCauses_KeepCodesAndOmitIdentifiers(t *testing.T) {
	t.Parallel()
	b := setupBench(t)
	for text, cause := range map[string]string{
		"inbox: status 503":                                    "inbox: status 503",
		"inbox: status 401":                                    "inbox: status 401",
		"twilio: error 21610: unsubscribed":                    "twilio: error 21610: unsubscribed",
		"meta (#131026) code=131026 undeliverable":             "meta (#n) code=131026 undeliverable",
		"payment 019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50 is gone": "payment … is gone",
		"gateway: dial 10.0.0.7:6379: refused":                 "gateway: dial n.n.n.n: refused",
		"due ₹1,59,300.50 at 2026-11-21T05:30:00Z":             "due … at …",
		"timed out after 12.5s, try 3":                         "timed out after ns, try n",
		"BAD_REQUEST_ERR2: mobile 9876543210":                  "BAD_REQUEST_ERR2: mobile …",
	} {
		var got string
		require.NoError(t, b.db.Owner.Get(&got, `SELECT job_cause($1)`, text))
		require.Equal(t, cause, got, text)
	}
}

// Jobs whose last error hides the first can be grouped and filtered by either, and found by their arguments.
func TestFailedJobs_FirstErrorOrArguments_FindThem(t *testing.T) {
	t.Parallel()
	b := setupBench(t)
	ids := b.fail(t, 2, "send_otp", "discarded", "too_late")
	b.fail(t, 1, "send_otp", "discarded", "too_late")
	b.db.Owner.MustExec(`UPDATE river_job SET args = '{"message_id": "m-1", "n": 7}', errors = jsonb_build_object('at', now(), 'attempt', 1, 'error', 'inbox: status 503') || errors WHERE id = $1`, ids[0])
	last, err := b.here.Summary(t.Context(), jobadmin.JobFilter{})
	require.NoError(t, err)
	require.Len(t, last.Groups, 1)
	first, err := b.here.Summary(t.Context(), jobadmin.JobFilter{By: jobadmin.CauseFirst})
	require.NoError(t, err)
	require.Len(t, first.Groups, 2)
	require.Equal(t, "inbox: status 503", first.Groups[1].Cause)
	for arg, n := range map[string]int{"m-1": 1, "message_id:m-1": 1, "message_id: m-1": 1, "n:7": 1, "7": 1, "other:m-1": 0, "m-": 0, `x" || true`: 0, "payment_id": 0} {
		found, err := b.here.FailedJobs(t.Context(), jobadmin.JobFilter{Arg: arg}, jobadmin.JobCursor{}, 10)
		require.NoError(t, err, arg)
		require.Len(t, found.Jobs, n, arg)
	}
	found, err := b.here.FailedJobs(t.Context(), jobadmin.JobFilter{By: jobadmin.CauseFirst, Cause: first.Groups[1].Key}, jobadmin.JobCursor{}, 10)
	require.NoError(t, err)
	require.Len(t, found.Jobs, 1)
}

func TestFailedJobs_LongError_ShowsItsBeginningAndEnd(t *testing.T) {
	t.Parallel()
	b := setupBench(t)
	b.fail(t, 1, "send_otp", "discarded", "send message: "+strings.Repeat("wrapped: ", 60)+"status 503")
	found, err := b.here.FailedJobs(t.Context(), jobadmin.JobFilter{}, jobadmin.JobCursor{}, 10)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(found.Jobs[0].LastError, "send message: "))
	require.True(t, strings.HasSuffix(found.Jobs[0].LastError, "status 503"))
}

func TestRunSchedule_JobAlreadyQueued_IsRefused(t *testing.T) {
	t.Parallel()
	b := setupBench(t)
	ctx := b.sunita.Sign(t.Context())
	require.NoError(t, jobadmin.Beat(t.Context(), b.db.Worker, jobadmin.Heartbeat{
		Worker: "worker-1", Schedules: []jobadmin.ScheduleEntry{{Kind: "sweep_payments", Queue: "payments", Every: time.Hour}},
	}))
	_, err := b.here.RunSchedule(ctx, b.sunita, "send_otp", "Because")
	require.Equal(t, errs.KindNotFound, errs.KindOf(err), "only what is scheduled")
	_, err = b.here.RunSchedule(ctx, b.sunita, "sweep_payments", " ")
	require.Contains(t, errs.As(err).Fields, "reason")
	var all sync.WaitGroup
	results := make([]error, 3)
	for i := range results {
		all.Go(func() { _, results[i] = b.here.RunSchedule(ctx, b.sunita, "sweep_payments", "A customer waits") })
	}
	all.Wait()
	refused := 0
	for _, err := range results {
		if err != nil {
			require.Equal(t, "schedule_runs", errs.As(err).Code)
			refused++
		}
	}
	require.Equal(t, 2, refused)
	require.Equal(t, 1, b.count(t, `SELECT count(*) FROM river_job WHERE kind = 'sweep_payments' AND queue = 'payments' AND state = 'available'`))
	require.Equal(t, 1, b.count(t, `SELECT count(*) FROM staff_actions WHERE action = 'run_schedule' AND target = 'schedule:sweep_payments'`))
}

func TestDryRun_ProviderFails_SaysHowManyWouldFailAgain(t *testing.T) {
	t.Parallel()
	b := setupBench(t)
	previews := queue.JobPreviews{}
	queue.AddPreview(previews, func(context.Context, *sqlx.Tx, payment.VerifyArgs, time.Time) (queue.JobPreview, error) {
		return queue.JobPreview{Summary: "Would ask the gateway.", Again: "Nothing changes."}, nil
	})
	clk := testkit.NewClock()
	failing := map[string]string{}
	here := jobadmin.NewService(jobadmin.Options{
		DB: b.db.API, Jobs: testkit.NewInserter(t, b.db.API), Clock: clk, Recorder: staff.NewRecorder(clk),
		Previews: previews, Failing: func(context.Context, *sqlx.Tx) (map[string]string, error) { return failing, nil },
	})
	b.fail(t, 3, "verify_payment", "discarded", "away")
	try := func(action jobadmin.JobAction) []jobadmin.FailingProvider {
		d, err := here.DryRun(b.sunita.Sign(t.Context()), b.sunita, jobadmin.JobChange{Action: action, Filter: &jobadmin.JobFilter{Kind: "verify_payment"}})
		require.NoError(t, err)
		require.Equal(t, 3, d.Acts)
		return d.Failing
	}
	require.Empty(t, try(jobadmin.JobRerun))
	failing["verify_payment"], failing["send_otp"] = "payment gateway", "SMS provider"
	require.Equal(t, []jobadmin.FailingProvider{{Provider: "payment gateway", Count: 3}}, try(jobadmin.JobRerun))
	require.Empty(t, try(jobadmin.JobDismiss), "nothing would run")
}

// The check of the audit trail watches staff, so they neither end it nor hide that it failed.
func TestAuditTrailJob_OnlyAdminsChangeIt(t *testing.T) {
	t.Parallel()
	b := setupBench(t)
	admin, err := member.Add(t.Context(), b.db.Owner, "Ravi", staff.RoleAdmin, testkit.NewClock().Now())
	require.NoError(t, err)
	change := func(p staff.Principal, action jobadmin.JobAction, state string) error {
		c := jobadmin.JobChange{Action: action, IDs: b.fail(t, 1, "verify_audit", state, "broken"), Reason: "It is known"}
		if action == jobadmin.JobSnooze {
			c.Snooze = time.Hour
		}
		_, err := b.here.Change(p.Sign(t.Context()), p, c)
		return err
	}
	for action, state := range map[jobadmin.JobAction]string{jobadmin.JobDismiss: "discarded", jobadmin.JobCancel: "retryable", jobadmin.JobSnooze: "retryable"} {
		require.ErrorContains(t, change(b.sunita, action, state), "only an admin", action)
		require.NoError(t, change(admin, action, state), action)
	}
	require.NoError(t, change(b.sunita, jobadmin.JobRerun, "retryable"))

	b.fail(t, 2, "verify_audit", "discarded", "broken")
	b.fail(t, 2, "verify_payment", "discarded", "away")
	o, err := b.here.Begin(b.sunita.Sign(t.Context()), b.sunita, jobadmin.JobChange{Action: jobadmin.JobDismiss, Filter: &jobadmin.JobFilter{State: "discarded"}, Reason: "All of it"})
	require.NoError(t, err)
	finished, err := b.behind.Continue(t.Context(), o.ID, nil)
	require.NoError(t, err)
	require.True(t, finished)
	state, err := b.here.Operation(t.Context(), o.ID)
	require.NoError(t, err)
	require.Equal(t, 2, state.Operation.Done)
	require.Equal(t, "job_admins_alone", state.Refusals[0].Code)
}
