package ratelimit_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
	"github.com/franchise360/franchise360/pkg/platform/redis"
	"github.com/franchise360/franchise360/pkg/testkit" //nolint:depguard // the clock and keys of all tests
)

// inRedis returns a limiter that counts in Redis; it has no database, so that any use of one fails.
func inRedis(t *testing.T) (*ratelimit.Limiter, *miniredis.Miniredis, *clock.Fake) {
	t.Helper()
	server, clk := miniredis.RunT(t), testkit.NewClock()
	client, err := redis.Open(testkit.RedisURL(server))
	require.NoError(t, err)
	t.Cleanup(func() { _ = client.Close() })
	return ratelimit.New(client, new(sqlx.DB), clk, testkit.NewKeyring(t)), server, clk
}

var errWrong = errs.New(errs.KindMalformed, "invalid_credentials", "Wrong.")

func TestGuess_OnlyWrongOnesCount(t *testing.T) {
	t.Parallel()
	l, _, clk := inRedis(t)
	asha := ratelimit.Counted{Rule: rule(), Subject: "asha"}
	judged := 0
	guess := func(outcome error) error {
		return l.Guess(t.Context(), asha, func() error {
			judged++
			return outcome
		})
	}
	clk.Advance(4 * time.Minute)
	for range 5 {
		require.NoError(t, guess(nil), "a right one is taken back")
		require.ErrorIs(t, guess(errs.Unavailable(errWrong)), errWrong, "and so is one that we could not judge")
		require.Error(t, guess(errors.New("nobody named it")))
	}
	require.Equal(t, 15, judged)
	for range 3 {
		require.ErrorIs(t, guess(errWrong), errWrong)
	}
	require.Equal(t, 18, judged)
	err := guess(nil)
	require.Equal(t, errs.KindRateLimited, errs.KindOf(err))
	require.Equal(t, 11*time.Minute, errs.As(err).RetryAfter, "until the quarter of an hour is over")
	require.Equal(t, 18, judged, "what is refused is not judged, or its answer would tell")
	require.NoError(t, l.Guess(t.Context(), ratelimit.Counted{Rule: rule(), Subject: "usha"}, func() error { return nil }))
	clk.Advance(11 * time.Minute)
	require.NoError(t, guess(nil), "in the next quarter")
}

// A guess is refunded even if its caller leaves while it is judged, unless it was wrong.
func TestGuess_CallerLeaves_IsStillRefunded(t *testing.T) {
	t.Parallel()
	l, _, _ := inRedis(t)
	for range 5 {
		ctx, leave := context.WithCancel(t.Context())
		require.NoError(t, l.Guess(ctx, ratelimit.Counted{Rule: rule(), Subject: "asha"}, func() error {
			leave()
			return nil
		}))
	}
	for range 3 {
		ctx, leave := context.WithCancel(t.Context())
		require.ErrorIs(t, l.Guess(ctx, ratelimit.Counted{Rule: rule(), Subject: "asha"}, func() error {
			leave()
			return errWrong
		}), errWrong)
	}
	require.Equal(t, errs.KindRateLimited, errs.KindOf(l.Hit(t.Context(), rule(), "asha")))
}

func TestRefund_AfterTheWindow_ReducesTheOldWindow(t *testing.T) {
	t.Parallel()
	l, _, clk := inRedis(t)
	asha := ratelimit.Counted{Rule: rule(), Subject: "asha"}
	old, err := l.Count(t.Context(), asha)
	require.NoError(t, err)
	require.Equal(t, []int64{1}, old.Hits)
	require.Equal(t, []time.Duration{15 * time.Minute}, old.After)
	clk.Advance(15 * time.Minute)
	for want := int64(1); want <= 3; want++ {
		c, err := l.Count(t.Context(), asha)
		require.NoError(t, err)
		require.Equal(t, []int64{want}, c.Hits)
		require.Equal(t, -1, c.Over(), "the limit itself is allowed")
	}
	require.NoError(t, l.TakeBack(t.Context(), old))
	c, err := l.Count(t.Context(), asha)
	require.NoError(t, err)
	require.Equal(t, []int64{4}, c.Hits, "an hour ago gives nothing back now")
	require.Equal(t, 0, c.Over())
	require.NoError(t, l.TakeBack(t.Context(), ratelimit.Counts{}), "of nothing there is nothing to take back")
}

func TestHitAll_SeveralLimitsReached_ReportsTheFirst(t *testing.T) {
	t.Parallel()
	l, _, clk := inRedis(t)
	hour := ratelimit.Rule{Name: "hour", Limit: 1, Window: time.Hour}
	minute := ratelimit.Rule{Name: "minute", Limit: 1, Window: time.Minute}
	clk.Advance(10 * time.Second)
	require.Equal(t, 50*time.Second, l.Left(minute))
	require.Equal(t, 30*time.Minute-10*time.Second, l.Left(hour), "hours are those of UTC: at ten in India half of one is over")
	all := []ratelimit.Counted{{Rule: hour, Subject: "asha"}, {Rule: minute, Subject: "asha"}}
	require.NoError(t, l.HitAll(t.Context(), all...))
	for range 3 {
		err := l.HitAll(t.Context(), all...)
		require.Equal(t, 30*time.Minute-10*time.Second, errs.As(err).RetryAfter, "both are past their limits")
	}
	c, err := l.Count(t.Context(), all...)
	require.NoError(t, err)
	require.Equal(t, []int64{5, 2}, c.Hits, "the one that refused keeps its hits, the other got them back")
	require.NoError(t, l.HitAll(t.Context()), "no limit refuses nothing")
	clk.Advance(50 * time.Second)
	require.Equal(t, time.Minute, l.Left(minute), "a window that begins has all of its time")
}

// A caller that has left is no reason to count in the database.
func TestHit_CallerLeft_IsNotCountedInTheDatabase(t *testing.T) {
	t.Parallel()
	l, server, _ := inRedis(t)
	server.Close()
	ctx, leave := context.WithCancel(t.Context())
	leave()
	require.ErrorIs(t, l.Hit(ctx, rule(), "asha"), context.Canceled)
	_, err := l.Count(ctx, ratelimit.Counted{Rule: rule(), Subject: "asha"})
	require.ErrorIs(t, err, context.Canceled)
}
