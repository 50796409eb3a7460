package devclock_test

import (
	"context"
	"encoding/json"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/devclock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/testkit" //nolint:depguard // a real database under test
)

type bundle struct {
	db    *testkit.Database
	clock *clock.Shifted
	mover *devclock.Mover
}

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{db: testkit.NewDatabase(t), clock: &clock.Shifted{}}
	b.db.Owner.MustExec(`CREATE SCHEMA dev; CREATE TABLE dev.clock (offset_seconds bigint NOT NULL DEFAULT 0);
		INSERT INTO dev.clock DEFAULT VALUES; GRANT USAGE ON SCHEMA dev TO franchise360_api; GRANT SELECT, UPDATE ON dev.clock TO franchise360_api`)
	b.mover = devclock.NewMover(b.db.API, testkit.NewInserter(t, b.db.API), b.clock)
	return b
}

// ends plays the worker: it finishes the next tick in the given state, and returns its arguments and queue.
func (b *bundle) ends(t *testing.T, state string) <-chan string {
	t.Helper()
	told := make(chan string, 1)
	go func() {
		for t.Context().Err() == nil {
			var tick string
			err := b.db.Owner.Get(&tick, `UPDATE river_job SET state = $1::river_job_state,
				finalized_at = CASE WHEN $1 <> 'running' THEN now() END
				WHERE kind = 'dev_clock_tick' AND state = 'available' RETURNING queue || ' ' || args`, state)
			if err == nil {
				told <- tick
				return
			}
		}
	}()
	return told
}

func (b *bundle) job(t *testing.T, kind, state string, in time.Duration) (jobID int64) {
	t.Helper()
	require.NoError(t, b.db.Owner.Get(&jobID, `INSERT INTO river_job (kind, args, state, max_attempts, scheduled_at)
		VALUES ($1, '{}', $2::river_job_state, 3, clock_timestamp() + make_interval(secs => $3)) RETURNING id`, kind, state, in.Seconds()))
	return jobID
}

func (b *bundle) waits(t *testing.T, jobID int64) time.Duration {
	t.Helper()
	var seconds float64
	require.NoError(t, b.db.Owner.Get(&seconds, `SELECT extract(epoch FROM scheduled_at - clock_timestamp())::float8 FROM river_job WHERE id = $1`, jobID))
	return time.Duration(seconds * float64(time.Second))
}

func TestAdvance_MovesTheClockAndBringsJobsForward(t *testing.T) {
	t.Parallel()
	b := setup(t)
	later, again, running := b.job(t, "a", "scheduled", 3*time.Hour), b.job(t, "b", "retryable", time.Hour), b.job(t, "c", "running", 3*time.Hour)

	tick := b.ends(t, "completed")
	require.NoError(t, b.mover.Advance(t.Context(), 7200))
	require.JSONEq(t, `{"from_seconds": 0, "to_seconds": 7200}`, (<-tick)[len("dev_clock "):])
	require.Equal(t, 2*time.Hour, b.mover.Offset())
	require.WithinDuration(t, clock.System{}.Now().Add(2*time.Hour), b.mover.Now(), time.Minute)
	require.InDelta(t, time.Hour, b.waits(t, later), float64(time.Minute))
	require.InDelta(t, -time.Hour, b.waits(t, again), float64(time.Minute))
	require.InDelta(t, 3*time.Hour, b.waits(t, running), float64(time.Minute), "what runs is left alone")

	tick = b.ends(t, "completed")
	require.NoError(t, b.mover.Advance(t.Context(), 1))
	require.JSONEq(t, `{"from_seconds": 7200, "to_seconds": 7201}`, (<-tick)[len("dev_clock "):], "moves add up")

	other := &clock.Shifted{}
	require.NoError(t, devclock.Load(t.Context(), b.db.API, other))
	require.Equal(t, 7201*time.Second, other.Offset(), "the other process reads the same clock")
}

func TestAdvance_BackwardsOrTooFar_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, seconds := range []int64{0, -1, -1 << 63, 10*365*24*3600 + 1, 1<<63 - 1} {
		err := b.mover.Advance(t.Context(), seconds)
		require.Equal(t, errs.KindInvalid, errs.KindOf(err), seconds)
		require.Contains(t, errs.As(err).Fields, "advance_seconds")
	}
	var jobs, offset int
	require.NoError(t, b.db.Owner.Get(&jobs, `SELECT count(*) FROM river_job`))
	require.NoError(t, b.db.Owner.Get(&offset, `SELECT offset_seconds FROM dev.clock`))
	require.Equal(t, [2]int{0, 0}, [2]int{jobs, offset}, "nothing was done")

	for _, state := range []string{"cancelled", "discarded"} {
		b.ends(t, state)
		require.Equal(t, errs.KindInternal, errs.KindOf(b.mover.Advance(t.Context(), 1)), "a tick that is %s has not run what fell due", state)
	}
}

func TestAdvance_CallerLeaves_StopsWaitingForDueJobs(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for range 5 {
		before := b.clock.Offset()
		ctx, goAway := context.WithCancel(t.Context())
		begun := b.ends(t, "running")
		go func() {
			<-begun
			for b.clock.Offset() == before && ctx.Err() == nil {
				runtime.Gosched()
			}
			goAway()
		}()
		require.Equal(t, errs.KindUnavailable, errs.KindOf(b.mover.Advance(ctx, 1)), "the same call may work later")
	}
}

func TestDrained_DueJobsExceptTheTick_AreCounted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tick := b.job(t, "dev_clock_tick", "running", 0)
	b.db.Owner.MustExec(`UPDATE river_job SET attempted_at = clock_timestamp() WHERE id = $1`, tick)
	drained := func(want bool, why string) {
		t.Helper()
		got, err := b.mover.Drained(t.Context(), tick)
		require.NoError(t, err)
		require.Equal(t, want, got, why)
	}
	drained(true, "only the tick")
	b.job(t, "dev_clock_tick", "available", 0)
	drained(true, "ticks do not wait for each other")
	killed := b.job(t, "swept", "running", 0)
	b.db.Owner.MustExec(`UPDATE river_job SET attempted_at = clock_timestamp() - interval '1 hour' WHERE id = $1`, killed)
	drained(true, "what began before may have lost its worker")
	b.job(t, "later", "scheduled", time.Hour)
	drained(true, "what is not due yet")

	for name, state := range map[string]string{"waits": "available", "due": "scheduled", "due again": "retryable", "runs": "running"} {
		job := b.job(t, "swept", state, -time.Second)
		b.db.Owner.MustExec(`UPDATE river_job SET attempted_at = clock_timestamp() WHERE id = $1`, job)
		drained(false, name)
		b.db.Owner.MustExec(`DELETE FROM river_job WHERE id = $1`, job)
		drained(true, name+" no more")
	}
}

func TestFollow_UntilTheContextEnds_AppliesTheOffset(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		devclock.Follow(ctx, b.db.API, b.clock, testkit.NewLogger(t))
	}()
	b.db.Owner.MustExec(`UPDATE dev.clock SET offset_seconds = 42`)
	require.Eventually(t, func() bool { return b.clock.Offset() == 42*time.Second }, time.Minute, 20*time.Millisecond)
	stop()
	<-ended
	require.Error(t, b.mover.Load(ctx), "a context that ended reads nothing")
	require.Equal(t, 42*time.Second, b.clock.Offset(), "a clock that could not be read stays")
}

func TestTick_Preview_DescribesItsEffect(t *testing.T) {
	t.Parallel()
	look := devclock.Effects()[devclock.TickArgs{}.Kind()]
	require.NotNil(t, look)
	effect, err := look(t.Context(), nil, json.RawMessage(`{"from_seconds": 60, "to_seconds": 3660}`), testkit.Start())
	require.NoError(t, err)
	require.Contains(t, effect.Summary, "from 60 s to 3660 s")
	require.False(t, effect.Nothing)
	_, err = look(t.Context(), nil, json.RawMessage(`{"from_seconds": "soon"}`), testkit.Start())
	require.Error(t, err)
	require.Equal(t, "dev_clock", queue.QueueClock)
}
