package guard_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
	"github.com/franchise360/franchise360/pkg/platform/redis"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/testkit" //nolint:depguard // a real database under test
)

const asha = "9876543210"

type bundle struct {
	guard *guard.Guard
	redis *miniredis.Miniredis
	clock *clock.Fake
	db    *testkit.Database
	keys  secret.Keyring
}

func setup(t *testing.T) bundle {
	t.Helper()
	b := bundle{redis: miniredis.RunT(t), clock: testkit.NewClock(), db: testkit.NewDatabase(t), keys: testkit.NewKeyring(t)}
	client, err := redis.Open(testkit.RedisURL(b.redis))
	require.NoError(t, err)
	t.Cleanup(func() { _ = client.Close() })
	b.guard = guard.New(ratelimit.New(client, b.db.API, b.clock, b.keys), b.db.API, b.clock, b.keys)
	return b
}

// both runs the test with Redis and without it, when limits are counted in Postgres.
func both(t *testing.T, test func(t *testing.T, b bundle)) {
	t.Helper()
	for name, down := range map[string]bool{"redis up": false, "redis down": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			if down {
				b.redis.Close()
			}
			test(t, b)
		})
	}
}

var errWrong = errs.New(errs.KindMalformed, "invalid_credentials", "Wrong.")

func wrong() error { return errWrong }

func right() error { return nil }

func from(n int) guard.Visitor { return guard.Visitor{Address: fmt.Sprintf("198.51.100.%d", n)} }

func (b bundle) try(t *testing.T, d guard.Door, v guard.Visitor, judge func() error) error {
	t.Helper()
	return b.guard.Try(t.Context(), d, guard.KindFranchiser, asha, v, judge)
}

// known returns the visitor in a browser that has signed in to the account before.
func (b bundle) known(v guard.Visitor) guard.Visitor {
	cookie := guard.ReadDevice(b.keys, "").Remember(guard.KindFranchiser, asha, b.clock.Now())
	v.Device = guard.ReadDevice(b.keys, cookie)
	return v
}

func challenge(t *testing.T, err error) guard.Work {
	t.Helper()
	require.Equal(t, errs.KindRateLimited, errs.KindOf(err), "%v", err)
	w, ok := errs.As(err).Data["challenge"].(guard.Work)
	require.True(t, ok, "no work is asked for: %v", err)
	return w
}

func door() guard.Door {
	return guard.Door{Name: "login", Known: 3, KnownInAll: 5, Free: 4, Address: 50, Worked: 3}
}

func TestGuesses_UnknownBrowsers_WaitLongerWhileTheOwnerDoesNot(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, b bundle) {
		t.Helper()
		judged := 0
		var longest time.Duration
		for end := b.clock.Now().Add(12 * time.Hour); b.clock.Now().Before(end); judged++ {
			err := b.try(t, door(), from(judged%100), wrong)
			for errs.KindOf(err) == errs.KindRateLimited {
				require.NoError(t, b.try(t, door(), b.known(from(101)), right), "the owner's own browser")
				longest = max(longest, errs.As(err).RetryAfter)
				b.clock.Advance(errs.As(err).RetryAfter)
				err = b.try(t, door(), from(judged%100), wrong)
			}
			require.ErrorIs(t, err, errWrong)
		}
		require.Equal(t, 15*time.Minute, longest)
		require.Less(t, judged, 4+7+12*4+2)
	})
}

// altered returns text of the same length in which every character is another one.
func altered(text string) string {
	return strings.Map(func(r rune) rune {
		if r == 'A' {
			return 'B'
		}
		return 'A'
	}, text)
}

func TestWork_AllowsOneGuessOfItsAccount(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, b bundle) {
		t.Helper()
		for n := range 5 {
			require.ErrorIs(t, b.try(t, door(), from(n), wrong), errWrong)
		}
		w := challenge(t, b.try(t, door(), from(6), right))
		v := from(6)
		v.Work = guard.Solve(w)
		other := b.guard.Try(t.Context(), guard.Door{Name: "login"}, guard.KindFranchiser, "9123456789", v, right)
		challenge(t, other) // issued for another account
		other = b.guard.Try(t.Context(), guard.Door{Name: "staff"}, guard.KindFranchiser, asha, v, right)
		challenge(t, other) // issued for another door

		token, numbers, _ := strings.Cut(v.Work, ".")
		parts := strings.Split(numbers, "-")
		for _, forged := range []string{
			"x", token, token + ".", token + "." + strings.Join(parts[:15], "-"), token + "." + strings.Repeat("0-", 15) + "0",
			altered(token[:1]) + token[1:] + "." + numbers, token[:len(token)-2] + altered(token[len(token)-2:]) + "." + numbers,
			token + "." + strings.Repeat("0", 13) + strings.Join(parts, "-"),
		} {
			bad := v
			bad.Work = forged
			challenge(t, b.try(t, door(), bad, right))
		}

		require.NoError(t, b.try(t, door(), v, right))
		challenge(t, b.try(t, door(), v, right)) // already used
		b.redis.FlushAll()
		for n := range 5 {
			_ = b.try(t, door(), from(n), wrong)
		}
		challenge(t, b.try(t, door(), v, right)) // flushing Redis restores nothing

		late := v
		late.Work = guard.Solve(challenge(t, b.try(t, door(), from(7), right)))
		b.clock.Advance(guard.WorkLife)
		require.ErrorIs(t, b.try(t, door(), from(8), wrong), errWrong) // takes the turn
		challenge(t, b.try(t, door(), late, right))
	})
}

func TestWork_PerAddress_IsLimited(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, b bundle) {
		t.Helper()
		for n := range 5 {
			require.ErrorIs(t, b.try(t, door(), from(n), wrong), errWrong)
		}
		guess := func(address int, judge func() error) error {
			v := from(address)
			err := b.try(t, door(), from(99), wrong) // may take the turn
			for errs.KindOf(err) != errs.KindRateLimited {
				err = b.try(t, door(), from(99), wrong)
			}
			v.Work = guard.Solve(challenge(t, err))
			return b.try(t, door(), v, judge)
		}
		for range 3 {
			require.ErrorIs(t, guess(7, wrong), errWrong)
		}
		err := guess(7, right)
		require.Equal(t, errs.KindRateLimited, errs.KindOf(err))
		require.NotContains(t, errs.As(err).Data, "challenge")
		require.NoError(t, guess(8, right), "another address is not stopped")
	})
}

func TestWork_GrowsWithThePressure(t *testing.T) {
	t.Parallel()
	b := setup(t)
	d := guard.Door{Name: "login", Free: 0, Address: 1 << 30, Worked: 1 << 30}
	const most = 16
	bits, atMost := 0, 0
	for n := 0; n < 130 && atMost < 5; n++ {
		v := from(n % 50)
		err := b.try(t, d, v, wrong)
		if errs.KindOf(err) != errs.KindRateLimited {
			continue
		}
		w := challenge(t, err)
		require.GreaterOrEqual(t, w.Bits, bits)
		if bits = w.Bits; bits == most {
			atMost++
		}
		v.Work = guard.Solve(w)
		require.ErrorIs(t, b.try(t, d, v, wrong), errWrong)
	}
	require.Equal(t, most, bits, "eight times what it was, and no more")
}

func TestGuess_OurFault_IsNotCounted(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, b bundle) {
		t.Helper()
		down := func() error { return errs.Unavailable(errors.New("database is away")) }
		for n := range 20 {
			require.Equal(t, errs.KindUnavailable, errs.KindOf(b.try(t, door(), from(n), down)))
			require.Equal(t, errs.KindUnavailable, errs.KindOf(b.try(t, door(), b.known(from(n)), down)))
		}
		for n := range 5 {
			require.ErrorIs(t, b.try(t, door(), from(n), wrong), errWrong)
		}
		v := from(7)
		v.Work = guard.Solve(challenge(t, b.try(t, door(), v, right)))
		require.Equal(t, errs.KindUnavailable, errs.KindOf(b.try(t, door(), v, down)))
		require.NoError(t, b.try(t, door(), v, right), "nor is the work used up")

		// the same if the visitor has disconnected by then
		ctx, cancel := context.WithCancel(t.Context())
		v.Work = guard.Solve(challenge(t, b.try(t, door(), v, right)))
		err := b.guard.Try(ctx, door(), guard.KindFranchiser, asha, v, func() error { cancel(); return ctx.Err() })
		require.ErrorIs(t, err, context.Canceled)
		require.NoError(t, b.try(t, door(), v, right))
	})
}

func TestGuesses_Concurrent_AreLimited(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, b bundle) {
		t.Helper()
		var judged atomic.Int32
		var crowd sync.WaitGroup
		for n := range 50 {
			crowd.Go(func() {
				_ = b.try(t, door(), from(n), func() error { judged.Add(1); return errWrong })
			})
		}
		crowd.Wait()
		// The free guesses and one turn of each length, doubled in case a slow machine considers Redis down in the test.
		require.LessOrEqual(t, judged.Load(), int32(2*(4+7)))
	})
}

func TestKnownBrowser_Guesses_AreLimited(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, b bundle) {
		t.Helper()
		d := door()
		d.Free = 0
		v := b.known(from(1))
		for range 3 {
			require.ErrorIs(t, b.try(t, d, v, wrong), errWrong)
		}
		require.ErrorIs(t, b.try(t, d, v, wrong), errWrong) // as an unknown browser
		v.Work = guard.Solve(challenge(t, b.try(t, d, v, right)))
		require.NoError(t, b.try(t, d, v, right), "the work gets it in")

		// cookies collected by one person share a counter
		for range 2 {
			require.ErrorIs(t, b.try(t, d, b.known(from(1)), wrong), errWrong)
		}
		challenge(t, b.try(t, d, b.known(from(1)), right))
	})
}

func TestDoorWithoutScript_EachAddress_HasAReserve(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, b bundle) {
		t.Helper()
		d := guard.Door{Name: "store", Known: 3, KnownInAll: 5, Free: 4, Address: 50, Reserve: 2, ReserveInAll: 20, NoWork: true}
		for n := range 60 {
			_ = b.try(t, d, from(n%2), wrong)
		}
		err := b.try(t, d, from(1), right)
		require.Equal(t, errs.KindRateLimited, errs.KindOf(err))
		require.NotContains(t, errs.As(err).Data, "challenge")
		require.NoError(t, b.try(t, d, from(3), right), "the owner elsewhere")
		for n := range 40 {
			_ = b.try(t, d, from(n), wrong)
		}
		require.Equal(t, errs.KindRateLimited, errs.KindOf(b.try(t, d, from(99), right)), "guessing from very many addresses is bounded")
		require.NoError(t, b.try(t, d, b.known(from(1)), right))
	})
}

func TestPressedAddress_NeedsWorkForEachCall(t *testing.T) {
	t.Parallel()
	b := setup(t)
	v := from(1)
	v.Pressed = true
	v.Work = guard.Solve(challenge(t, b.try(t, door(), v, right)))
	require.NoError(t, b.try(t, door(), v, right))
	challenge(t, b.try(t, door(), v, right))
	require.NoError(t, b.try(t, door(), b.known(v), right))
}

func TestDevice_RemembersUpToEightAccounts(t *testing.T) {
	t.Parallel()
	keys, now := testkit.NewKeyring(t), testkit.Start()
	cookie := ""
	for n := range 9 {
		cookie = guard.ReadDevice(keys, cookie).Remember(guard.KindFranchiser, fmt.Sprint(n), now)
	}
	require.LessOrEqual(t, len(cookie), 256)
	d := guard.ReadDevice(keys, cookie)
	require.False(t, d.Knows(guard.KindFranchiser, "0", now), "eight accounts, the first is forgotten")
	for n := 1; n < 9; n++ {
		require.True(t, d.Knows(guard.KindFranchiser, fmt.Sprint(n), now), n)
	}
	require.False(t, d.Knows(guard.KindStaff, "8", now))
	require.True(t, d.Knows(guard.KindFranchiser, "8", now.Add(guard.DeviceLife)))
	require.False(t, d.Knows(guard.KindFranchiser, "8", now.Add(guard.DeviceLife+24*time.Hour)))
	require.Equal(t, d.ID(), guard.ReadDevice(keys, d.Remember(guard.KindStore, "x", now)).ID())

	other := testkit.OtherKeyring(t)
	for _, forged := range []string{
		"", "x", ".", cookie[:len(cookie)-1], "A" + cookie[1:], strings.Repeat("A", 300),
		guard.ReadDevice(other, "").Remember(guard.KindFranchiser, "8", now),
	} {
		d := guard.ReadDevice(keys, forged)
		require.Empty(t, d.ID(), forged)
		require.False(t, d.Knows(guard.KindFranchiser, "8", now), forged)
	}
}
