package guard_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// All unknown browsers share the daily count of wrong guesses at a second secret, whatever work they do. Right guesses and our own faults
// do not count, and the owner's browser needs no work.
func TestSecondSecret_UnknownBrowsers_ShareOneDailyCount(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, b bundle) {
		t.Helper()
		at := guard.Door{Name: "second", InAll: 3}
		count := func(v guard.Visitor, judge func() error) error {
			return b.guard.CountInAll(t.Context(), at, guard.KindFranchiser, asha, asha, v, judge)
		}
		broken := func() error { return errs.Internal(errors.New("connection reset")) }
		for n := range 20 {
			require.NoError(t, count(from(n), right))
			require.True(t, errs.IsFault(count(from(n), broken)))
		}
		for n := range 3 {
			require.ErrorIs(t, count(from(n), wrong), errWrong)
		}
		judged := false
		err := count(from(99), func() error {
			judged = true
			return nil
		})
		require.Equal(t, errs.KindRateLimited, errs.KindOf(err))
		require.False(t, judged, "what is not judged tells nothing")
		require.Positive(t, errs.As(err).RetryAfter)
		require.LessOrEqual(t, errs.As(err).RetryAfter, 24*time.Hour)
		require.Nil(t, errs.As(err).Data["challenge"], "no work buys another guess")
		require.NoError(t, b.guard.CountInAll(t.Context(), at, guard.KindFranchiser, asha, "9123456789", from(99), right), "another account has its own")

		owner := b.known(from(1))
		require.ErrorIs(t, count(owner, wrong), errWrong)
		require.NoError(t, count(owner, right))
	})
}

func TestSecondSecret_ConcurrentGuesses_AreLimited(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, b bundle) {
		t.Helper()
		at := guard.Door{Name: "second", InAll: 5}
		var judged atomic.Int64
		var wg sync.WaitGroup
		for n := range 20 {
			wg.Go(func() {
				_ = b.guard.CountInAll(t.Context(), at, guard.KindFranchiser, asha, asha, from(n), func() error {
					judged.Add(1)
					return errWrong
				})
			})
		}
		wg.Wait()
		require.LessOrEqual(t, judged.Load(), int64(5))
		require.Positive(t, judged.Load())
	})
}

// After a password reset, earlier guesses no longer count.
func TestForget_AfterAPasswordReset_ResetsTheCounts(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, b bundle) {
		t.Helper()
		at := guard.Door{Name: "login", Known: 10, KnownInAll: 100, Free: 2, Address: 50, Worked: 20}
		require.ErrorIs(t, b.try(t, at, from(1), wrong), errWrong)
		require.ErrorIs(t, b.try(t, at, from(2), wrong), errWrong)
		require.ErrorIs(t, b.try(t, at, from(3), wrong), errWrong, "one more for each wait")
		require.Equal(t, errs.KindRateLimited, errs.KindOf(b.try(t, at, from(4), right)))
		other := at
		other.Name = "staff"
		require.NoError(t, b.guard.Forget(t.Context(), other, asha))
		require.NoError(t, b.guard.Forget(t.Context(), at, "9123456789"))
		require.Equal(t, errs.KindRateLimited, errs.KindOf(b.try(t, at, from(5), right)), "neither another door nor another account")
		require.NoError(t, b.guard.Forget(t.Context(), at, asha))
		require.ErrorIs(t, b.try(t, at, from(6), wrong), errWrong)
		require.NoError(t, b.try(t, at, from(7), right))
	})
}

// Work proved in a transaction counts once, for its purpose and account, and not at all if the transaction fails.
func TestWork_TransactionFails_IsNotSpent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	challenge := func(purpose, subject string, pressure int64) guard.Work {
		w, ok := errs.As(b.guard.Wanted(purpose, subject, pressure, 0)).Data["challenge"].(guard.Work)
		require.True(t, ok)
		return w
	}
	failed := errors.New("nothing is stored")
	prove := func(answer, purpose, subject string, pressure int64, end error) (proved bool) {
		t.Helper()
		err := postgres.InTx(t.Context(), b.db.API, func(tx *sqlx.Tx) (err error) {
			if proved, err = b.guard.ProvenTx(t.Context(), tx, answer, purpose, subject, pressure); err != nil {
				return err
			}
			return end
		})
		require.ErrorIs(t, err, end)
		return proved
	}
	answer := guard.Solve(challenge("code", asha, 0))
	require.False(t, prove(answer, "reset", asha, 0, nil), "another purpose")
	require.False(t, prove(answer, "code", "9123456789", 0, nil), "another account")
	require.False(t, prove("", "code", asha, 0, nil))
	require.False(t, prove(answer+"-1", "code", asha, 0, nil))
	require.False(t, prove(answer, "code", asha, 1<<20, nil), "too easy for what is asked now")
	require.True(t, prove(answer, "code", asha, 0, failed))
	require.True(t, prove(answer, "code", asha, 0, nil), "what was rolled back is unused")
	require.False(t, prove(answer, "code", asha, 0, nil), "once")

	late := guard.Solve(challenge("code", asha, 0))
	b.clock.Advance(guard.WorkLife)
	require.False(t, prove(late, "code", asha, 0, nil))
	spent := func() (n int) {
		require.NoError(t, b.db.Owner.Get(&n, `SELECT count(*) FROM spent_work`))
		return n
	}
	var expires time.Time
	require.NoError(t, b.db.Owner.Get(&expires, `SELECT expires_at FROM spent_work`))
	require.NoError(t, guard.Purge(t.Context(), b.db.Worker, expires))
	require.Equal(t, 1, spent(), "it may still be tried")
	require.NoError(t, guard.Purge(t.Context(), b.db.Worker, expires.Add(time.Microsecond)))
	require.Zero(t, spent())
}
