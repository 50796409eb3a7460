package queue_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/testkit" //nolint:depguard // a real database under test
)

func TestUntangle_JobsFromAFutureTime_DoNotWaitForIt(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	ctx := t.Context()
	insert := func(state, made, tried, scheduled string) (job int64) {
		t.Helper()
		require.NoError(t, db.Worker.GetContext(ctx, &job, `
			INSERT INTO river_job (kind, args, state, max_attempts, created_at, attempted_at, scheduled_at, finalized_at)
			VALUES ('sweep', '{}', $1::river_job_state, 3, now() + $2::interval, now() + $3::interval, now() + $4::interval,
				CASE WHEN $1 = 'completed' THEN now() END) RETURNING id`, state, made, tried, scheduled))
		return job
	}
	wait := func(job int64) (d time.Duration) {
		t.Helper()
		var seconds float64
		require.NoError(t, db.Worker.GetContext(ctx, &seconds, `SELECT extract(epoch FROM scheduled_at - now()) FROM river_job WHERE id = $1`, job))
		return time.Duration(seconds * float64(time.Second)).Round(time.Hour)
	}
	due := insert("available", "1 hour", "0", "1 hour")
	delayed := insert("scheduled", "3 hours", "0", "5 hours")
	retried := insert("retryable", "-1 hour", "3 hours", "7 hours")
	longPlanned := insert("scheduled", "-1 hour", "0", "9 hours")
	done := insert("completed", "3 hours", "3 hours", "3 hours")
	for range 2 { // each worker does it
		require.NoError(t, queue.Untangle(ctx, db.Worker))
		require.Zero(t, wait(due))
		require.Equal(t, 2*time.Hour, wait(delayed))
		require.Equal(t, 4*time.Hour, wait(retried))
		require.Equal(t, 9*time.Hour, wait(longPlanned), "it was made before")
		require.Equal(t, 3*time.Hour, wait(done))
	}
}

func TestUntangle_LeadFromAFutureTime_IsRemoved(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	ctx := t.Context()
	for lasts, kept := range map[string]int{"1 hour": 0, "15 seconds": 1} {
		_, err := db.Worker.ExecContext(ctx, `INSERT INTO river_leader (elected_at, expires_at, leader_id, name)
			VALUES (now(), now() + $1::interval, 'worker', 'default')`, lasts)
		require.NoError(t, err)
		require.NoError(t, queue.Untangle(ctx, db.Worker))
		var n int
		require.NoError(t, db.Worker.GetContext(ctx, &n, `SELECT count(*) FROM river_leader`))
		require.Equal(t, kept, n, lasts)
		_, err = db.Worker.ExecContext(ctx, `DELETE FROM river_leader`)
		require.NoError(t, err)
	}
}
