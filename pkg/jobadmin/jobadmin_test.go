package jobadmin_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/jobadmin"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/member"
)

// bench is the job admin on a fresh database, with both the API's and the worker's service, and a member of staff.
type bench struct {
	db     *testkit.Database
	here   *jobadmin.Service
	behind *jobadmin.Service
	sunita staff.Principal
}

func setupBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{db: testkit.NewDatabase(t)}
	var err error
	b.sunita, err = member.Add(t.Context(), b.db.Owner, "Sunita", staff.RoleSupport, testkit.NewClock().Now())
	require.NoError(t, err)
	admin := func(db *sqlx.DB) *jobadmin.Service {
		clk := testkit.NewClock()
		return jobadmin.NewService(jobadmin.Options{
			DB: db, Jobs: testkit.NewInserter(t, db), Clock: clk, Recorder: staff.NewRecorder(clk), Previews: app.JobPreviews(),
			Failing: jobadmin.NothingFails,
		})
	}
	b.here, b.behind = admin(b.db.API), admin(b.db.Worker)
	return b
}

// fail puts n jobs of a kind into the state, failing one second apart, and returns their numbers.
func (b *bench) fail(t *testing.T, n int, kind, state, message string) []int64 {
	t.Helper()
	var ids []int64
	require.NoError(t, b.db.Owner.Select(&ids, `
		INSERT INTO river_job (kind, args, queue, state, attempt, max_attempts, attempted_at, finalized_at, scheduled_at, errors, metadata)
		SELECT $2, jsonb_build_object('payment_id', gen_random_uuid()), 'payments', $3::river_job_state, 3, 3, now() - make_interval(secs => $1 - n),
			CASE WHEN $3 IN ('discarded', 'cancelled', 'completed') THEN now() END, now() + interval '1 hour',
			ARRAY[jsonb_build_object('at', now(), 'attempt', 3, 'error', replace($4, '#', n::text), 'trace', 'secret stack')], '{}'
		FROM generate_series(1, $1::int) n RETURNING id`, n, kind, state, message))
	return ids
}

func (b *bench) count(t *testing.T, query string, args ...any) int {
	t.Helper()
	var n int
	require.NoError(t, b.db.Owner.Get(&n, query, args...))
	return n
}

// Of 1,200 failed jobs with one cause, one completes before the rerun, and the worker is killed halfway. Each of the others runs again once
// with an audit record, and the completed one reports why it does not.
func TestRerun_WorkerKilledHalfway_RerunsEachJobOnce(t *testing.T) {
	t.Parallel()
	b := setupBench(t)
	ctx := t.Context()
	ids := b.fail(t, 1200, "verify_payment", "discarded", "gateway: dial 10.0.0.#: connection refused")
	b.fail(t, 2, "render_invoice", "discarded", "object store is away")
	summary, err := b.here.Summary(ctx, jobadmin.JobFilter{})
	require.NoError(t, err)
	require.Equal(t, 1202, summary.Total)
	require.Len(t, summary.Groups, 2, "one cause is one row")
	require.Equal(t, "gateway: dial n.n.n.n: connection refused", summary.Groups[0].Cause)
	counted := 0
	for _, bar := range summary.Bars {
		counted += bar.Count
	}
	require.Equal(t, 1202, counted)

	first, err := b.here.FailedJobs(ctx, jobadmin.JobFilter{}, jobadmin.JobCursor{}, 500)
	require.NoError(t, err)
	seen := jobadmin.JobCursor{At: first.Jobs[0].FailedAt, ID: first.Jobs[0].ID}
	second, err := b.here.FailedJobs(ctx, jobadmin.JobFilter{}, first.Next, 500)
	require.NoError(t, err)
	require.Less(t, second.Jobs[0].FailedAt, first.Jobs[499].FailedAt)
	time.Sleep(time.Millisecond)
	late := b.fail(t, 1, "verify_payment", "discarded", "gateway: dial 10.0.0.#: connection refused")
	summary, err = b.here.Summary(ctx, jobadmin.JobFilter{Seen: seen})
	require.NoError(t, err)
	require.Equal(t, 1, summary.Newer)

	change := jobadmin.JobChange{
		Action: jobadmin.JobRerun, Filter: &jobadmin.JobFilter{Cause: summary.Groups[0].Key, Seen: seen}, Reason: "The gateway is back", Key: "a-key-of-hers",
	}
	o, err := b.here.Begin(b.sunita.Sign(ctx), b.sunita, change)
	require.NoError(t, err)
	require.Equal(t, 1200, o.Total, "what nobody has seen is left alone")
	again, err := b.here.Begin(b.sunita.Sign(ctx), b.sunita, change)
	require.NoError(t, err)
	require.Equal(t, o.ID, again.ID)
	change.Reason = "Another reason"
	_, err = b.here.Begin(b.sunita.Sign(ctx), b.sunita, change)
	require.Equal(t, "idempotency_key_reused", errs.As(err).Code)
	require.Equal(t, 1, b.count(t, `SELECT count(*) FROM river_job WHERE kind = 'change_jobs'`))

	_, err = b.db.Owner.Exec(`UPDATE river_job SET state = 'completed' WHERE id = $1`, ids[7])
	require.NoError(t, err)
	calls := 0
	finished, err := b.behind.Continue(ctx, o.ID, func() bool { calls++; return calls > 300 })
	require.NoError(t, err)
	require.False(t, finished)
	finished, err = b.behind.Continue(ctx, o.ID, func() bool { return false })
	require.NoError(t, err)
	require.True(t, finished)

	found, err := b.here.Operation(ctx, o.ID)
	require.NoError(t, err)
	state, results := found.Operation, found.Results
	require.Equal(t, [3]int{1200, 1199, 1}, [3]int{state.Total, state.Done, state.Refused})
	require.NotNil(t, state.FinishedAt)
	require.Equal(t, jobadmin.JobResult{ID: ids[7], Message: fmt.Sprintf("Job %d is completed; what is done is not run again.", ids[7])}, results[0])
	require.Equal(t, 1199, b.count(t, `SELECT count(*) FROM river_job WHERE state = 'available' AND kind = 'verify_payment'`))
	require.Equal(t, 1, b.count(t, `SELECT count(*) FROM staff_actions WHERE action = 'rerun_job' AND target = $1`, "jobs:"+o.ID), "one act is one record")
	require.Equal(t, 1, b.count(t, `SELECT count(*) FROM staff_actions WHERE action <> 'staff_created'`))
	require.Equal(t, 1, b.count(t, `SELECT count(*) FROM river_job WHERE id = $1 AND state = 'discarded'`, late[0]))
}

func TestChangeJob_StateDoesNotAllowIt_IsRefused(t *testing.T) {
	t.Parallel()
	b := setupBench(t)
	ctx := t.Context()
	change := func(action jobadmin.JobAction, reason string, ids ...int64) ([]jobadmin.JobResult, error) {
		c := jobadmin.JobChange{Action: action, IDs: ids, Reason: reason}
		if action == jobadmin.JobSnooze {
			c.Snooze = time.Hour
		}
		return b.here.Change(b.sunita.Sign(ctx), b.sunita, c)
	}
	failed := b.fail(t, 3, "verify_payment", "discarded", "away")
	done := b.fail(t, 1, "verify_payment", "completed", "away once")[0]
	_, err := change(jobadmin.JobRerun, " \t ", failed[0])
	require.Equal(t, errs.KindInvalid, errs.KindOf(err), "spaces are no reason")
	for _, action := range []jobadmin.JobAction{jobadmin.JobRerun, jobadmin.JobCancel, jobadmin.JobDismiss, jobadmin.JobSnooze} {
		_, err = change(action, "Because", done)
		require.Equal(t, errs.KindConflict, errs.KindOf(err), action)
	}
	_, err = change("explode", "Because", failed[0])
	require.Equal(t, errs.KindInvalid, errs.KindOf(err))

	// A twin in flight, found by its arguments and by River's own unique key.
	_, err = b.db.Owner.Exec(`INSERT INTO river_job (kind, args, queue, state, max_attempts) SELECT kind, args, queue, 'available', 3 FROM river_job WHERE id = $1`, failed[0])
	require.NoError(t, err)
	_, err = change(jobadmin.JobRerun, "Because", failed[0])
	require.ErrorContains(t, err, "does the same and is on its way already")
	_, err = b.db.Owner.Exec(`UPDATE river_job SET unique_key = '\x01', unique_states = B'11110101' WHERE id = $1`, failed[1])
	require.NoError(t, err)
	_, err = b.db.Owner.Exec(`INSERT INTO river_job (kind, args, queue, state, max_attempts, unique_key, unique_states)
		VALUES ('verify_payment', '{"other": 1}', 'payments', 'available', 3, '\x01', B'11110101')`)
	require.NoError(t, err)
	_, err = change(jobadmin.JobRerun, "Because", failed[1])
	require.ErrorContains(t, err, "Another job does the same")
	results, err := change(jobadmin.JobRerun, "Because", failed[0], failed[2])
	require.NoError(t, err)
	require.Equal(t, []bool{false, true}, []bool{results[0].Done, results[1].Done})

	// Snoozed and dismissed jobs leave the list, but their filters show them.
	later := b.fail(t, 2, "render_invoice", "discarded", "away")
	_, err = change(jobadmin.JobSnooze, "Not tonight", later[0])
	require.NoError(t, err)
	_, err = change(jobadmin.JobDismiss, "Known", later[1])
	require.NoError(t, err)
	list := func(state string) (ids []int64) {
		page, err := b.here.FailedJobs(ctx, jobadmin.JobFilter{Kind: "render_invoice", State: state}, jobadmin.JobCursor{}, 10)
		require.NoError(t, err)
		for _, j := range page.Jobs {
			ids = append(ids, j.ID)
		}
		return ids
	}
	require.Empty(t, list(""))
	require.Equal(t, later[:1], list("snoozed"))
	require.Equal(t, later[1:], list("dismissed"))
	_, err = change(jobadmin.JobRerun, "It matters after all", later[1])
	require.NoError(t, err)
	require.Equal(t, 1, b.count(t, `SELECT count(*) FROM river_job WHERE id = $1 AND state = 'available' AND NOT metadata ? 'dismissed_at'`, later[1]))
}

func TestChange_OfADisabledMemberOfStaff_IsNotContinued(t *testing.T) {
	t.Parallel()
	b := setupBench(t)
	b.fail(t, 3, "verify_payment", "discarded", "away")
	o, err := b.here.Begin(b.sunita.Sign(t.Context()), b.sunita, jobadmin.JobChange{Action: jobadmin.JobRerun, Filter: &jobadmin.JobFilter{}, Reason: "Because"})
	require.NoError(t, err)
	_, err = b.db.Owner.Exec(`UPDATE staff SET disabled_at = now()`)
	require.NoError(t, err)
	finished, err := b.behind.Continue(t.Context(), o.ID, func() bool { return false })
	require.NoError(t, err)
	require.True(t, finished)
	state, err := b.here.Operation(t.Context(), o.ID)
	require.NoError(t, err)
	require.Equal(t, 3, state.Operation.Refused)
	require.Equal(t, "left_staff", state.Refusals[0].Code)
	require.Zero(t, b.count(t, `SELECT count(*) FROM river_job WHERE kind = 'verify_payment' AND state = 'available'`))
}

// The list shows no part of a password, even if the error is cut inside it.
func TestFailedJobs_SecretInALongError_IsMaskedBeforeItIsCut(t *testing.T) {
	t.Parallel()
	b := setupBench(t)
	b.fail(t, 1, "send_otp", "discarded", "dial "+strings.Repeat("x", 270)+" redis://user:hunter22hunter22hunter22@cache.example:6379")
	page, err := b.here.FailedJobs(t.Context(), jobadmin.JobFilter{}, jobadmin.JobCursor{}, 10)
	require.NoError(t, err)
	require.Len(t, page.Jobs, 1)
	require.NotContains(t, page.Jobs[0].LastError, "hunter22")
	require.LessOrEqual(t, utf8.RuneCountInString(page.Jobs[0].LastError), 300)
}

// After River has deleted jobs, staff still find their outcome and errors.
func TestOutcomes_OutliveTheirJobs(t *testing.T) {
	t.Parallel()
	b := setupBench(t)
	failed := b.fail(t, 1, "send_otp", "discarded", "provider said <b>no</b>: token=abcdef")[0]
	_, err := b.db.Owner.Exec(`UPDATE river_job SET metadata = '{"franchiser_id": "019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50"}' WHERE id = $1`, failed)
	require.NoError(t, err)
	_, err = b.db.Worker.Exec(`DELETE FROM river_job WHERE id = $1`, failed)
	require.NoError(t, err)
	job, err := b.here.Job(t.Context(), failed)
	require.NoError(t, err)
	require.True(t, job.Kept)
	require.False(t, job.CanRerun)
	require.Contains(t, job.LastError, "provider said <b>no</b>")
	require.NotContains(t, job.LastError, "abcdef")
	require.Zero(t, b.count(t, `SELECT count(*) FROM job_outcomes WHERE errors::text LIKE '%stack%'`))
	_, err = b.here.Job(t.Context(), failed+1)
	require.Equal(t, errs.KindNotFound, errs.KindOf(err))

	gone, err := b.behind.PruneOutcomes(t.Context())
	require.NoError(t, err)
	require.Zero(t, gone)
	_, err = b.db.Owner.Exec(`UPDATE job_outcomes SET created_at = now() - interval '3 years'`)
	require.NoError(t, err)
	gone, err = b.behind.PruneOutcomes(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 1, gone)
}

// Changes of jobs are deleted after two years with the outcome of each job, like the outcomes that they explain.
func TestChanges_OlderThanTwoYears_AreDeleted(t *testing.T) {
	t.Parallel()
	b := setupBench(t)
	change := func(key string, age string) {
		_, err := b.db.Owner.Exec(`WITH o AS (INSERT INTO job_operations (id, staff_id, action, reason, key, request, total, created_at, finished_at)
			SELECT uuidv7(), id, 'rerun', 'They failed', $1, sha256('x'), 2, now() - $2::interval, now() FROM staff LIMIT 1 RETURNING id)
			INSERT INTO job_operation_items (operation_id, job_id, done) SELECT id, unnest(ARRAY[1, 2]), true FROM o`, key, age)
		require.NoError(t, err)
	}
	change("an-old-one", "731 days")
	change("a-young-one", "729 days")
	gone, err := b.behind.PruneOutcomes(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 3, gone, "a change and its two jobs")
	require.Equal(t, 1, b.count(t, `SELECT count(*) FROM job_operations WHERE key = 'a-young-one'`))
	require.Equal(t, 2, b.count(t, `SELECT count(*) FROM job_operation_items`))
}

func TestBoard_ShowsQueuesWorkersAndSchedules(t *testing.T) {
	t.Parallel()
	b := setupBench(t)
	ctx := t.Context()
	planned := testkit.Start().Add(17 * time.Minute)
	require.NoError(t, jobadmin.Beat(ctx, b.db.Worker, jobadmin.Heartbeat{
		Worker: "worker-1", Queues: map[string]int{"otp": 20, "payments": 10},
		Schedules: []jobadmin.ScheduleEntry{{Kind: "sweep_payments", Queue: "payments", Every: time.Hour}},
		NextRuns:  map[string]time.Time{"sweep_payments": planned},
	}))
	_, err := b.db.Owner.Exec(`
		INSERT INTO river_queue (name, created_at, updated_at, metadata) VALUES ('otp', now(), now(), '{}');
		INSERT INTO river_job (kind, args, queue, state, max_attempts, scheduled_at) VALUES ('send_otp', '{}', 'otp', 'available', 3, now() - interval '1 minute');
		INSERT INTO river_job (kind, args, queue, state, max_attempts, attempt, attempted_at, attempted_by, errors)
			VALUES ('sweep_payments', '{}', 'payments', 'running', 3, 1, now() - interval '10 minutes', '{worker-1}', ARRAY[jsonb_build_object('at', now(), 'attempt', 1, 'error', 'x')]);
		INSERT INTO river_job (kind, args, queue, state, max_attempts) VALUES ('sweep_payments', '{}', 'payments', 'available', 3)`)
	require.NoError(t, err)

	require.Equal(t, errs.KindNotFound, errs.KindOf(b.here.Pause(b.sunita.Sign(ctx), b.sunita, "nonsense", "Because")))
	require.Equal(t, errs.KindInvalid, errs.KindOf(b.here.Pause(b.sunita.Sign(ctx), b.sunita, "otp", "  ")))
	require.NoError(t, b.here.Pause(b.sunita.Sign(ctx), b.sunita, "otp", "The provider is away"))
	board, err := b.here.Board(ctx)
	require.NoError(t, err)
	require.Equal(t, "otp", board.Queues[0].Name)
	require.NotNil(t, board.Queues[0].PausedAt)
	require.Equal(t, [3]int{1, 20, 0}, [3]int{board.Queues[0].Depth, board.Queues[0].Capacity, board.Queues[0].Running})
	require.Equal(t, 1, board.Queues[1].FailedAttempts)
	require.True(t, board.Running[0].Overdue)
	require.Equal(t, 1, board.Workers[0].Running)
	require.Equal(t, planned.UTC(), *board.Schedules[0].NextRunAt)
	var began time.Time
	require.NoError(t, b.db.Owner.Get(&began, `SELECT attempted_at FROM river_job WHERE kind = 'sweep_payments' AND attempted_at IS NOT NULL`))
	require.Equal(t, began.UTC(), *board.Schedules[0].LastRunAt, "one that still waits has not run")
	require.NoError(t, b.here.Resume(b.sunita.Sign(ctx), b.sunita, "otp", "It is back"))
	require.Equal(t, 2, b.count(t, `SELECT count(*) FROM staff_actions WHERE target = 'queue:otp'`))
	require.NoError(t, jobadmin.Leave(context.WithoutCancel(ctx), b.db.Worker, "worker-1"))
	left, err := b.here.Board(ctx)
	require.NoError(t, err)
	require.Empty(t, left.Workers)
}

// Every kind of job has a preview, even if its rows no longer exist.
func TestPreviews_EachJobKind_WorkWithoutTheirRows(t *testing.T) {
	t.Parallel()
	b := setupBench(t)
	for kind := range app.JobPreviews() {
		var jobID int64
		require.NoError(t, b.db.Owner.Get(&jobID, `
			INSERT INTO river_job (kind, args, queue, state, attempt, max_attempts, finalized_at, metadata)
			VALUES ($1, jsonb_build_object('payment_id', $2::text, 'refund_id', $2::text, 'invoice_id', $2::text, 'code_id', $2::text,
				'domain_id', $2::text, 'reminder_id', $2::text, 'reversal_id', $2::text, 'dispute_id', $2::text, 'message_id', $2::text,
				'notice_id', $2::text, 'invitation_id', $2::text, 'entry_id', $2::text, 'act_id', $2::text, 'change_id', $2::text, 'credit_id', $2::text,
				'delivery_id', $2::text, 'proforma_id', $2::text), 'default', 'discarded', 3, 3, now(), jsonb_build_object('franchiser_id', $2::text))
			RETURNING id`, kind, id.New()))
		if kind == "change_jobs" {
			continue // its argument is an operation id, which another test covers
		}
		job, err := b.here.Job(t.Context(), jobID)
		require.NoError(t, err, kind)
		require.NotEmpty(t, job.Effect.Summary, kind)
		require.NotEmpty(t, job.Effect.Again, kind)
		require.Regexp(t, `^Would `, job.Effect.Summary)
	}
}
