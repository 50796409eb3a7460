package jobadmin_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/jobadmin"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/testkit/member"
)

// A request that a browser sends several times concurrently is one change, and all its jobs are changed once.
func TestChange_SameRequestConcurrently_IsDoneOnce(t *testing.T) {
	t.Parallel()
	b := setupBench(t)
	ctx := b.sunita.Sign(t.Context())
	failed := b.fail(t, 3, "verify_payment", "discarded", "away")
	change := jobadmin.JobChange{Action: jobadmin.JobDismiss, IDs: failed, Reason: "Known", Key: "a-key-of-hers"}
	results := make([][]jobadmin.JobResult, 4)
	var all sync.WaitGroup
	for i := range results {
		all.Go(func() {
			var err error
			results[i], err = b.here.Change(ctx, b.sunita, change)
			if err != nil {
				results[i] = nil
			}
		})
	}
	all.Wait()
	for _, r := range results {
		require.Len(t, r, 3)
		for _, one := range r {
			require.True(t, one.Done, one.Message)
		}
	}
	require.Equal(t, 1, b.count(t, `SELECT count(*) FROM staff_actions WHERE action = 'dismiss_job'`), "the act is noted once")
	require.Equal(t, 1, b.count(t, `SELECT count(*) FROM job_operations`))
	change.IDs = failed[:2]
	_, err := b.here.Change(ctx, b.sunita, change)
	require.Equal(t, "idempotency_key_reused", errs.As(err).Code)

	// the key is scoped to her: the same key from a colleague is another change
	ravi, err := member.Add(t.Context(), b.db.Owner, "Ravi", staff.RoleAdmin, time.Date(2026, time.November, 2, 0, 0, 0, 0, time.UTC))
	require.NoError(t, err)
	change.Action, change.IDs = jobadmin.JobRerun, failed
	again, err := b.here.Change(ravi.Sign(t.Context()), ravi, change)
	require.NoError(t, err)
	require.Len(t, again, 3)
}

func TestChange_NoMatchingJobs_IsRefused(t *testing.T) {
	t.Parallel()
	b := setupBench(t)
	ctx := b.sunita.Sign(t.Context())
	begin := func(f jobadmin.JobFilter) error {
		_, err := b.here.Begin(ctx, b.sunita, jobadmin.JobChange{Action: jobadmin.JobRerun, Filter: &f, Reason: "Because"})
		return err
	}
	require.Equal(t, "no_jobs", errs.As(begin(jobadmin.JobFilter{})).Code)
	b.fail(t, 1, "verify_payment", "discarded", "100% of discs_are full \\ 'today'")
	for _, search := range []string{"100%", "s_a", `\`, "'today'", "OF DISCS"} {
		summary, err := b.here.Summary(ctx, jobadmin.JobFilter{Error: search})
		require.NoError(t, err)
		require.Equal(t, 1, summary.Total, search)
	}
	for _, search := range []string{"%", "100_", "1%l", "' OR true --", "💾"} {
		summary, err := b.here.Summary(ctx, jobadmin.JobFilter{Error: search})
		require.NoError(t, err)
		if search != "%" {
			require.Zero(t, summary.Total, search)
			require.Equal(t, "no_jobs", errs.As(begin(jobadmin.JobFilter{Error: search})).Code, "no sign stands for others: %s", search)
		}
	}
	require.Zero(t, b.count(t, `SELECT count(*) FROM job_operations`), "what was refused leaves nothing behind")
	require.Zero(t, b.count(t, `SELECT count(*) FROM river_job WHERE kind = 'change_jobs'`))

	for _, ids := range [][]int64{nil, make([]int64, 101)} {
		_, err := b.here.Change(ctx, b.sunita, jobadmin.JobChange{Action: jobadmin.JobRerun, IDs: ids, Reason: "Because"})
		require.Contains(t, errs.As(err).Fields, "ids")
	}
	for _, never := range []int64{1 << 40, 0, -1} {
		_, err := b.here.Change(ctx, b.sunita, jobadmin.JobChange{Action: jobadmin.JobCancel, IDs: []int64{never}, Reason: "Because"})
		require.Equal(t, "job_refused", errs.As(err).Code, "a job that never was")
	}
	for _, unknown := range []string{id.New()} {
		_, err := b.here.Operation(ctx, unknown)
		require.Equal(t, errs.KindNotFound, errs.KindOf(err))
		finished, err := b.behind.Continue(t.Context(), unknown, nil)
		require.NoError(t, err)
		require.True(t, finished, "a change that is gone is not worked for ever")
	}
}

func TestPauseQueue_IsRecordedWithTheEarlierState(t *testing.T) {
	t.Parallel()
	b := setupBench(t)
	ctx := b.sunita.Sign(t.Context())
	b.db.Owner.MustExec(`INSERT INTO river_queue (name, updated_at) VALUES ('documents', now())`)
	require.Equal(t, errs.KindNotFound, errs.KindOf(b.here.Pause(ctx, b.sunita, "nowhere", "Because")))
	require.Contains(t, errs.As(b.here.Pause(ctx, b.sunita, "documents", " ")).Fields, "reason")
	for range 2 {
		require.NoError(t, b.here.Pause(ctx, b.sunita, "documents", "The store is full"))
	}
	require.NoError(t, b.here.Resume(ctx, b.sunita, "documents", "It has room again"))
	var noted []string
	require.NoError(t, b.db.Owner.Select(&noted, `SELECT action || ' ' || before || ' ' || after FROM staff_actions WHERE target = 'queue:documents' ORDER BY sequence`))
	require.Equal(t, []string{
		`pause_queue {"paused":false} {"paused":true}`, `pause_queue {"paused":true} {"paused":true}`, `resume_queue {"paused":true} {"paused":false}`,
	}, noted)
}

func TestWorkers_WithHeartbeat_AreShownUntilTheyLeave(t *testing.T) {
	t.Parallel()
	b := setupBench(t)
	next := time.Date(2026, time.November, 2, 4, 30, 0, 0, time.UTC)
	beat := jobadmin.Heartbeat{
		Worker: "worker-1", Queues: map[string]int{"otp": 4, "default": 2},
		Schedules: []jobadmin.ScheduleEntry{{Kind: "sweep", Queue: "default", Every: time.Minute}}, NextRuns: map[string]time.Time{"sweep": next, "unheard_of": next},
	}
	for range 2 { // the second call returns the same
		require.NoError(t, jobadmin.Beat(t.Context(), b.db.Worker, beat))
	}
	board, err := b.here.Board(t.Context())
	require.NoError(t, err)
	require.Len(t, board.Workers, 1)
	require.Equal(t, 6, board.Workers[0].Capacity)
	require.Len(t, board.Schedules, 1)
	require.Equal(t, next, *board.Schedules[0].NextRunAt)
	require.Empty(t, board.Schedules[0].LastState, "never yet")

	beat.NextRuns, beat.Queues = nil, map[string]int{"otp": 1}
	require.NoError(t, jobadmin.Beat(t.Context(), b.db.Worker, beat))
	board, err = b.here.Board(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, board.Workers[0].Capacity)
	require.NotNil(t, board.Schedules[0].NextRunAt, "a worker that plans nothing takes nobody's plan away")
	for range 2 {
		require.NoError(t, jobadmin.Leave(t.Context(), b.db.Worker, "worker-1"))
	}
	board, err = b.here.Board(t.Context())
	require.NoError(t, err)
	require.Empty(t, board.Workers)

	b.db.Owner.MustExec(`INSERT INTO worker_processes (id, started_at, seen_at, queues) VALUES ('killed', now(), now() - interval '61 minutes', '{}')`)
	require.NoError(t, jobadmin.Beat(t.Context(), b.db.Worker, beat))
	require.Equal(t, 1, b.count(t, `SELECT count(*) FROM worker_processes`), "one that was killed is forgotten")
}
