package password

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// waiters makes callers of both kinds wait for the one slot, which is taken, and returns the order in which they got it.
func waiters(t *testing.T, l *line, kinds ...kind) <-chan kind {
	t.Helper()
	got := make(chan kind, len(kinds))
	for _, k := range kinds {
		go func() {
			if l.enter(t.Context(), k) == nil {
				got <- k
			}
		}()
		synctest.Wait() // until it waits
	}
	return got
}

func TestLine_Full_RefusesAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLine(1)
		require.NoError(t, l.enter(t.Context(), unknown))
		strangers := make([]kind, placesPerSlot)
		got := waiters(t, l, strangers...)

		err := l.enter(t.Context(), unknown)
		require.ErrorIs(t, err, ErrBusy)
		require.Equal(t, errs.KindBusy, errs.KindOf(err))
		require.Positive(t, errs.As(err).RetryAfter)
		require.True(t, errs.IsFault(err), "so that it counts as no guess")
		require.True(t, l.full(unknown))
		require.False(t, l.full(known), "strangers take no places of those who are known")

		known := waiters(t, l, known)
		for range 2 {
			l.leave(25 * time.Millisecond)
			synctest.Wait()
		}
		require.Len(t, known, 1, "nor does a caller that is known wait for all of them")
		for range placesPerSlot {
			l.leave(25 * time.Millisecond)
			synctest.Wait()
		}
		require.Len(t, got, placesPerSlot)
		require.Equal(t, 1, l.free)
	})
}

func TestLine_KnownAndUnknownCallers_TakeTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLine(1)
		require.NoError(t, l.enter(t.Context(), unknown))
		got := waiters(t, l, unknown, unknown, unknown, known, known)
		var order []kind
		for range 5 {
			l.leave(25 * time.Millisecond)
			order = append(order, <-got)
		}
		require.Equal(t, []kind{known, unknown, known, unknown, unknown}, order)
	})
}

func TestLine_CallerLeaves_FreesItsPlace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLine(1)
		require.NoError(t, l.enter(t.Context(), unknown))
		ctx, leaves := context.WithCancel(t.Context())
		gone := make(chan error, 1)
		go func() { gone <- l.enter(ctx, unknown) }()
		synctest.Wait()
		stays := waiters(t, l, unknown)
		leaves()
		require.ErrorIs(t, <-gone, context.Canceled)
		l.leave(25 * time.Millisecond)
		require.Equal(t, unknown, <-stays, "the slot went to who still waits")
		l.leave(25 * time.Millisecond)
		require.Equal(t, 1, l.free)
	})
}

func TestLine_SlowerHashes_ShortenIt(t *testing.T) {
	t.Parallel()
	l := newLine(2)
	require.Equal(t, 2*placesPerSlot, l.places(), "before anything is known")
	for range 100 {
		l.leave(25 * time.Millisecond)
	}
	require.Equal(t, 2*placesPerSlot, l.places())
	for range 100 {
		l.leave(200 * time.Millisecond)
	}
	require.InDelta(t, 2*4, l.places(), 1, "nobody waits for much longer than a second")
	for range 100 {
		l.leave(5 * time.Second)
	}
	require.Equal(t, 2*leastPlaces, l.places())
}
