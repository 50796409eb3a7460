package ratelimit_test

import (
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
	"github.com/franchise360/franchise360/pkg/platform/redis"
	"github.com/franchise360/franchise360/pkg/testkit" //nolint:depguard // a real database under test
)

type bundle struct {
	limiter *ratelimit.Limiter
	redis   *miniredis.Miniredis
	clock   *clock.Fake
	db      *testkit.Database
}

func setup(t *testing.T) bundle {
	t.Helper()
	b := bundle{redis: miniredis.RunT(t), clock: testkit.NewClock(), db: testkit.NewDatabase(t)}
	client, err := redis.Open(testkit.RedisURL(b.redis))
	require.NoError(t, err)
	t.Cleanup(func() { _ = client.Close() })
	b.limiter = ratelimit.New(client, b.db.API, b.clock, testkit.NewKeyring(t))
	return b
}

func rule() ratelimit.Rule { return ratelimit.Rule{Name: "try", Limit: 3, Window: 15 * time.Minute} }

func TestHit_WithAndWithoutRedis_KeepsTheLimit(t *testing.T) {
	t.Parallel()
	for name, down := range map[string]bool{"redis up": false, "redis down": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			if down {
				b.redis.Close()
			}
			for range 3 {
				require.NoError(t, b.limiter.Hit(t.Context(), rule(), "9876543210"))
			}
			err := b.limiter.Hit(t.Context(), rule(), "9876543210")
			require.Equal(t, errs.KindRateLimited, errs.KindOf(err))
			require.Equal(t, 15*time.Minute, errs.As(err).RetryAfter, "the window began on the quarter of an hour")

			require.NoError(t, b.limiter.Hit(t.Context(), rule(), "9876543211"), "another subject has its own count")
			require.NoError(t, b.limiter.Reset(t.Context(), rule(), "9876543210"))
			require.NoError(t, b.limiter.Hit(t.Context(), rule(), "9876543210"))

			b.clock.Advance(15 * time.Minute)
			for range 3 {
				require.NoError(t, b.limiter.Hit(t.Context(), rule(), "9876543211"), "a new window begins at nothing")
			}
		})
	}
}

func TestRefund_Hit_DoesNotCount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for range 20 {
		require.NoError(t, b.limiter.Hit(t.Context(), rule(), "9876543210"))
		require.NoError(t, b.limiter.Refund(t.Context(), rule(), "9876543210"))
	}
}

func TestRedis_Keys_ContainNoSubject(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.limiter.Hit(t.Context(), rule(), "9876543210"))
	for _, key := range b.redis.Keys() {
		require.NotContains(t, key, "9876543210")
	}
	b.redis.Close()
	require.NoError(t, b.limiter.Hit(t.Context(), rule(), "9876543210"))
	var subject string
	require.NoError(t, b.db.Owner.Get(&subject, `SELECT subject FROM rate_limits`))
	require.NotContains(t, subject, "9876543210")

	n, err := ratelimit.Purge(t.Context(), b.db.Worker, b.clock.Now().Add(time.Hour))
	require.NoError(t, err)
	require.Equal(t, int64(1), n)
}

func TestBucket_IPv6_IsIts64Network(t *testing.T) {
	t.Parallel()
	for ip, want := range map[string]string{
		"203.0.113.7": "203.0.113.7", "::ffff:203.0.113.7": "203.0.113.7",
		"2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64", "2001:db8:1:2:ffff::1": "2001:db8:1:2::/64",
		"fe80::1%eth0": "fe80::/64", "": "unknown", "not an address": "unknown",
	} {
		require.Equal(t, want, ratelimit.Address(ip), ip)
	}
}

func TestHitAll_OneLimitRefuses_OthersDoNotCount(t *testing.T) {
	t.Parallel()
	for name, down := range map[string]bool{"redis up": false, "redis down": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			if down {
				b.redis.Close()
			}
			address := ratelimit.Counted{Rule: ratelimit.Rule{Name: "address", Limit: 3, Window: 5 * time.Minute}, Subject: "203.0.113.7"}
			mobile := ratelimit.Counted{Rule: rule(), Subject: "9876543210"}
			for range 2 {
				require.NoError(t, b.limiter.HitAll(t.Context(), address, mobile))
			}
			require.NoError(t, b.limiter.Hit(t.Context(), address.Rule, address.Subject))
			for range 5 {
				err := b.limiter.HitAll(t.Context(), address, mobile)
				require.Equal(t, errs.KindRateLimited, errs.KindOf(err))
				require.Equal(t, 5*time.Minute, errs.As(err).RetryAfter, "it is the address that waits")
			}
			require.NoError(t, b.limiter.Hit(t.Context(), mobile.Rule, mobile.Subject), "the mobile has one left")
			require.Error(t, b.limiter.Hit(t.Context(), mobile.Rule, mobile.Subject))

			require.NoError(t, b.limiter.RefundAll(t.Context(), mobile, mobile))
			require.NoError(t, b.limiter.Hit(t.Context(), mobile.Rule, mobile.Subject))
		})
	}
}
