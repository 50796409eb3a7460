package jobadmin_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/jobadmin"
)

// Jobs that failed and wait or run again count as failing until they succeed, or until staff rerun them.
func TestFailingJobs_RetriedJob_CountsUntilItSucceeds(t *testing.T) {
	t.Parallel()
	b := setupBench(t)
	ctx := t.Context()
	b.fail(t, 2, "render_invoice", "available", "the object store does not answer")
	b.fail(t, 1, "render_invoice", "running", "the object store does not answer")
	waiting := b.fail(t, 1, "render_invoice", "retryable", "the object store does not answer")
	b.fail(t, 1, "render_invoice", "completed", "the object store did not answer once")
	_, err := b.db.Owner.Exec(`INSERT INTO river_job (kind, args, queue, state, max_attempts) VALUES ('render_invoice', '{}', 'payments', 'available', 3)`)
	require.NoError(t, err)

	counts := func() [2]int {
		summary, err := b.here.Summary(ctx, jobadmin.JobFilter{})
		require.NoError(t, err)
		board, err := b.here.Board(ctx)
		require.NoError(t, err)
		require.Len(t, board.Queues, 1)
		return [2]int{summary.Total, board.Queues[0].Failed}
	}
	require.Equal(t, [2]int{4, 4}, counts())
	again, err := b.here.FailedJobs(ctx, jobadmin.JobFilter{State: "retryable"}, jobadmin.JobCursor{}, 10)
	require.NoError(t, err)
	require.Len(t, again.Jobs, 4, "all of them are tried again")

	_, err = b.here.Change(b.sunita.Sign(ctx), b.sunita, jobadmin.JobChange{Action: jobadmin.JobRerun, IDs: waiting, Reason: "The store is back"})
	require.NoError(t, err)
	require.Equal(t, [2]int{3, 3}, counts(), "it has not failed since it was run again")
	_, err = b.db.Owner.Exec(`UPDATE river_job SET errors = errors || jsonb_build_object('at', clock_timestamp(), 'attempt', 4, 'error', 'away') WHERE id = $1`, waiting[0])
	require.NoError(t, err)
	require.Equal(t, [2]int{4, 4}, counts(), "it failed again")
}
