package queue_test

import (
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/testkit" //nolint:depguard // a real database under test
)

// The machine's clock is three hours ahead, so that three hours before its time is now.
func TestRealTime_MachinesClockIsWrong_JobIsDueByTheDatabase(t *testing.T) { //nolint:paralleltest // it moves the clock of the process
	db := testkit.NewDatabase(t)
	jobs := testkit.NewInserter(t, db.Worker)
	ctx := t.Context()
	insert := func(o queue.Options) (made, due time.Duration) {
		t.Helper()
		var row struct {
			Made float64 `db:"made"`
			Due  float64 `db:"due"`
		}
		require.NoError(t, postgres.InTx(ctx, db.Worker, func(tx *sqlx.Tx) error {
			job, err := jobs.InsertTx(ctx, tx, sweepArgs{}, o)
			if err != nil {
				return err
			}
			return tx.GetContext(ctx, &row, `SELECT extract(epoch FROM created_at - clock_timestamp()) AS made,
				extract(epoch FROM scheduled_at - clock_timestamp()) AS due FROM river_job WHERE id = $1`, job)
		}))
		hours := func(seconds float64) time.Duration {
			return time.Duration(seconds * float64(time.Second)).Round(time.Hour)
		}
		return hours(row.Made), hours(row.Due)
	}
	made, due := insert(queue.Options{Delay: 5 * time.Hour})
	require.Zero(t, made)
	require.Equal(t, 5*time.Hour, due)
	require.Nil(t, queue.RealTime{}.NowOrNil(), "the database's time is used")

	now := clock.Real()
	t.Cleanup(func() { clock.Compare(now, now, now) })
	clock.Compare(now.Add(-3*time.Hour), now, now)
	made, due = insert(queue.Options{})
	require.Equal(t, -3*time.Hour, made)
	require.Equal(t, -3*time.Hour, due)
	made, due = insert(queue.Options{Delay: 5 * time.Hour})
	require.Equal(t, -3*time.Hour, made)
	require.Equal(t, 2*time.Hour, due)
	require.NotNil(t, queue.RealTime{}.NowOrNil())
	require.WithinDuration(t, now.Add(-3*time.Hour), queue.RealTime{}.Now(), time.Minute)
}

type sweepArgs struct{}

func (sweepArgs) Kind() string { return "sweep" }
